"""Reports to the controller in which directories a broker put its replicas (KIP-858), until an answer arrives."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from fencepost.reference.kraft.errors import ApiError, Errors
from fencepost.reference.kraft.messages import AssignReplicasToDirsRequest, DirectoryAnswer

from .image import MetadataImage
from .replication_messages import PartitionKey

LIMIT = 2250
"""How many replicas one request names at most."""

FIRST_BACKOFF_NS = 100_000_000
LAST_BACKOFF_NS = 10_000_000_000


class AssignmentHost(Protocol):
    """The part of a broker that its assignments need."""

    broker_id: int

    @property
    def broker_epoch(self) -> int:
        """The epoch of the broker's registration."""

    @property
    def image(self) -> MetadataImage:
        """The metadata that the broker has."""

    def after(self, delay_ns: int, callback: Callable[[], None]) -> Any:
        """Run something later, unless the broker is gone by then."""


class AssignmentsManager:
    """Holds assignments to report, one request at a time; refused ones are reported again, more and more slowly."""

    def __init__(self, host: AssignmentHost, send: Callable[[Any, Callable[[Any], None]], None]) -> None:
        self._host, self._send = host, send
        self._ready: dict[PartitionKey, str] = {}
        self._in_flight: dict[PartitionKey, str] = {}
        self._failures = 0

    def assign(self, key: PartitionKey, directory: str) -> None:
        """Report to the controller that a replica is in a directory."""
        if self._in_flight.get(key) != directory:
            self._ready[key] = directory
            self._maybe_send()

    def resume(self) -> None:
        """Send what had to wait until the broker had an epoch."""
        self._maybe_send()

    def _maybe_send(self) -> None:
        if self._in_flight or self._host.broker_epoch < 0:
            return
        image, me = self._host.image, self._host.broker_id
        for key in list(self._ready):
            partition = image.partitions.get(key)
            if partition is None or me not in partition.replicas:
                del self._ready[key]
        chosen = dict(list(self._ready.items())[:LIMIT])
        if not chosen:
            return
        for key in chosen:
            del self._ready[key]
        self._in_flight = chosen
        request = AssignReplicasToDirsRequest(
            broker_id=me,
            broker_epoch=self._host.broker_epoch,
            assignments=tuple((directory, *key) for key, directory in chosen.items()),
        )
        self._send(request, self._answered)

    def _answered(self, answer: tuple[DirectoryAnswer, ...] | ApiError) -> None:
        sent, self._in_flight = self._in_flight, {}
        if isinstance(answer, ApiError):
            left = sent
        else:
            heard = {(one.topic_id, one.partition) for one in answer if one.error is Errors.NONE}
            left = {key: directory for key, directory in sent.items() if key not in heard}
        for key, directory in left.items():
            self._ready.setdefault(key, directory)
        if left:
            delay = min(FIRST_BACKOFF_NS << self._failures, LAST_BACKOFF_NS)
            self._failures = min(self._failures + 1, 10)
            self._host.after(delay, self._maybe_send)
        else:
            self._failures = 0
            self._maybe_send()
