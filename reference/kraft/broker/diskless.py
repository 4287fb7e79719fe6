"""Reports of Inkless leaders to the controller: where a sealed log ends, for the switch to diskless storage."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from fencepost.reference.kraft.inkless import PENDING, ProducerState
from fencepost.reference.kraft.messages import DisklessSeal, InitDisklessLogRequest

from .image import MetadataImage
from .replica_log import PRODUCERS, ReplicaLog
from .replication_messages import PartitionKey

RETRY_NS = 100_000_000
"""How long to wait before a partition is looked at again whose switch is open."""


class SealHost(Protocol):
    """The part of a broker that a seal needs."""

    broker_id: int
    requests: Any

    @property
    def broker_epoch(self) -> int:
        """The epoch of the broker's registration."""

    @property
    def image(self) -> MetadataImage:
        """The metadata that the broker has."""

    def after(self, delay_ns: int, callback: Callable[[], None]) -> Any:
        """Run something later, unless the broker is gone by then."""


class Sealed(Protocol):
    """A partition that may be sealed."""

    @property
    def is_leader(self) -> bool:
        """Whether this broker leads the partition."""

    def seal_to_propose(self) -> DisklessSeal | None:
        """Return where the sealed log ends, None while some of it is not acknowledged."""


class SealProposer:
    """Asks the controller again and again to commit the seals of the partitions that the broker leads."""

    def __init__(self, host: SealHost, partitions: Mapping[PartitionKey, Sealed]) -> None:
        self._host, self._partitions, self._waits = host, partitions, False

    def propose(self) -> None:
        """Propose what can be, and look again while a switch is open."""
        if self._waits:
            return
        image, seals, is_open = self._host.image, [], False
        for key, partition in self._partitions.items():
            known = image.partitions.get(key)
            if known is None or known.seal != PENDING or not partition.is_leader:
                continue
            is_open = True
            seal = partition.seal_to_propose()
            if seal is not None:
                seals.append(seal)
        if seals:
            request = InitDisklessLogRequest(
                broker_id=self._host.broker_id, broker_epoch=self._host.broker_epoch, seals=tuple(seals)
            )
            self._host.requests.send(request, lambda answer: None)
        if is_open:
            self._waits = True
            self._host.after(RETRY_NS, self._again)

    def _again(self) -> None:
        self._waits = False
        self.propose()


def producer_states(log: ReplicaLog) -> tuple[ProducerState, ...]:
    """Return the last batch of each producer in a log: its entries are unique numbers, each a batch of its own.

    No entry has a time: it is 0.
    """
    last: dict[int, ProducerState] = {}
    for offset, value in enumerate(log.values, log.start_offset):
        sequence, producer = divmod(value, PRODUCERS)
        last[producer] = (producer, 0, sequence, sequence, offset, 0)
    return tuple(last[producer] for producer in sorted(last))
