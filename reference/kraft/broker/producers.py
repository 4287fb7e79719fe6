"""Producers that require all acks and record the acknowledged entries."""

from __future__ import annotations

import random
from collections.abc import Callable

from fencepost.reference.kraft.errors import Errors
from fencepost.reference.simulator import MILLISECOND, Network, Process, Simulator

from .image import MetadataImage
from .ledger import Acknowledged, Ledger
from .replica_log import PRODUCERS
from .replication_messages import PartitionKey, ProduceRequest, ProduceResponse


class Producer(Process):
    """Writes now and then to some partitions, one request to each leader, and never the same value twice.

    `image` returns the metadata of some broker, or None while none is up: it represents a metadata request. Nothing
    is sent again: what was not acknowledged may or may not be there.
    """

    def __init__(
        self,
        simulator: Simulator,
        network: Network,
        name: str,
        ledger: Ledger,
        image: Callable[[], MetadataImage | None],
        name_of: Callable[[int], str],
        *,
        interval_ms: int = 1000,
        share: float = 0.5,
        timeout_ms: int = 30_000,
        number: int = 0,
    ) -> None:
        super().__init__(simulator, name)
        self._network, self._ledger, self._image, self._name_of = network, ledger, image, name_of
        self._interval_ns, self._timeout_ns = interval_ms * MILLISECOND, timeout_ms * MILLISECOND
        self._share = share
        self._random: random.Random = simulator.random(name)
        self._value = number
        self._sequence = 0

    def started(self) -> None:
        """Begin to write."""
        self.after(self._random.randint(0, self._interval_ns), self._tick)

    def _tick(self) -> None:
        self.after(self._random.randint(self._interval_ns // 2, self._interval_ns * 3 // 2), self._tick)
        image = self._image()
        if image is None:
            return
        requests: dict[int, list[tuple[PartitionKey, tuple[int, ...]]]] = {}
        for key, partition in image.partitions.items():
            if partition.leader >= 0 and self._random.random() < self._share:
                self._value += PRODUCERS
                requests.setdefault(partition.leader, []).append((key, (self._value,)))
        for leader, entries in requests.items():
            self._send(leader, tuple(entries))

    def _send(self, leader: int, entries: tuple[tuple[PartitionKey, tuple[int, ...]], ...]) -> None:
        sent_ns, values = self.simulator.now_ns, dict(entries)

        def answered(response: ProduceResponse) -> None:
            for one in response.partitions:
                if one.error is Errors.NONE:
                    entry = Acknowledged(one.base_offset, values[one.key], sent_ns, one.min_insync_replicas)
                    self._ledger.acknowledged(one.key, entry)

        self._sequence += 1
        request = ProduceRequest(self.name, self._sequence, self._timeout_ns, entries)
        self._network.call(
            self, self._name_of(leader), request, answered, self._timeout_ns + 2000 * MILLISECOND, lambda: None
        )
