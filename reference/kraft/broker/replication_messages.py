"""Messages between brokers and producers: fetches and produce requests with their answers, without the wire."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from fencepost.reference.kraft.errors import Errors

from .replica_log import EpochStart

PartitionKey = tuple[str, int]
"""A partition by the id of its topic and its number."""


class FetchPartition(NamedTuple):
    """A partition in a fetch: the epoch of its leader as the follower knows it, and where the follower's log ends.

    `last_fetched_epoch` is the last epoch in the follower's log, −1 for none (KIP-595). `high_watermark` is the one
    that the follower knows: it represents the state that a fetch session of Kafka keeps at the leader.
    """

    key: PartitionKey
    current_leader_epoch: int
    fetch_offset: int
    last_fetched_epoch: int
    high_watermark: int


@dataclass(frozen=True, slots=True)
class FetchRequest:
    """A follower fetches all partitions that it has from one leader; the leader may wait for something to send.

    `session` is greater for every later request of a follower to a leader: of what the network delivers twice or too
    late nothing is answered, as in a fetch session of Kafka.
    """

    replica_id: int
    broker_epoch: int
    session: tuple[int, int]
    max_wait_ns: int
    partitions: tuple[FetchPartition, ...]


class FetchedPartition(NamedTuple):
    """A leader's answer for one partition: entries, or the epoch up to which the logs agree, or an error."""

    key: PartitionKey
    error: Errors = Errors.NONE
    high_watermark: int = -1
    log_start_offset: int = 0
    diverging: EpochStart | None = None
    epochs: tuple[EpochStart, ...] = ()
    values: tuple[int, ...] = ()
    log_end_offset: int = -1


@dataclass(frozen=True, slots=True)
class FetchResponse:
    """The answer to a fetch; partitions with nothing new are left out, as in a fetch session of Kafka."""

    partitions: tuple[FetchedPartition, ...]


@dataclass(frozen=True, slots=True)
class ProduceRequest:
    """A producer asks a leader to write entries and to answer when all in-sync replicas have them (acks=all).

    The sequence grows with each request of a producer: what arrives twice or too late is not written again.
    """

    producer: str
    sequence: int
    timeout_ns: int
    entries: tuple[tuple[PartitionKey, tuple[int, ...]], ...]


class ProduceAnswer(NamedTuple):
    """The answer for one partition; the offset of its first entry and what min.insync.replicas was, only with NONE."""

    key: PartitionKey
    error: Errors
    base_offset: int = -1
    min_insync_replicas: int = 0


@dataclass(frozen=True, slots=True)
class ProduceResponse:
    """The answer to a produce request."""

    partitions: tuple[ProduceAnswer, ...]
