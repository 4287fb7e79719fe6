"""A request of a controller as the lines of a broker report it, and the part that the broker could not do."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from fencepost.model.zk.outcomes import Error
from fencepost.traces.zk import Entry, TopicPartition

from .known import CellValue

_STORAGE = frozenset({Error.KAFKA_STORAGE_ERROR})
_FAILED = frozenset({Error.UNKNOWN_SERVER_ERROR})


@dataclass(slots=True)
class BrokerRequest:
    """A request while its lines are read: its sender, its content for each partition, and the outcome of that.

    `count` is how many partitions its first line says, None where that is not logged. `begun` are the partitions that a
    line says became led or followed, `failed` those that an exception is said to have kept from being led, `broke` the
    last line that reports an exception, `offline` the partitions in a lost directory, `skipped` those that were left
    out for an exception.
    """

    kind: str
    entry: Entry
    last: Entry
    controller: int
    correlation_id: int
    count: int | None = None
    epoch: int | None = None
    received: dict[TopicPartition, tuple[Entry, Any]] = field(default_factory=dict)
    answers: dict[TopicPartition, tuple[Entry, frozenset[Error] | None, list[CellValue]]] = field(default_factory=dict)
    unavailable: set[TopicPartition] = field(default_factory=set)
    begun: set[TopicPartition] = field(default_factory=set)
    failed: set[TopicPartition] = field(default_factory=set)
    broke: Entry | None = None
    offline: set[TopicPartition] = field(default_factory=set)
    skipped: set[TopicPartition] = field(default_factory=set)
    stale: Entry | None = None
    lines: int = 0


_OFFLINE = {"LeaderAndIsr": "LeaderAndIsrOffline", "StopReplica": "StopReplicaOffline"}
"""The events of a partition whose directory is lost, by the request that asks for it."""


def unable_to(
    request: BrokerRequest, p: TopicPartition, answers: frozenset[Error] | None
) -> tuple[str, frozenset[Error] | None] | None:
    """Return the event of a partition for which a broker could not do what was asked, and its answer."""
    if p in request.offline:
        return _OFFLINE[request.kind], _STORAGE
    if p in request.begun or request.kind != "LeaderAndIsr":
        return None
    if p in request.skipped:
        # Kafka does not pass the exception on: the answer is NONE, and nothing was done.
        return "LeaderAndIsrFails", None
    if request.broke is not None and answers != frozenset({Error.STALE_CONTROLLER_EPOCH}):
        return "LeaderAndIsrFails", _FAILED
    return None
