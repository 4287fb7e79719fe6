"""The records of the metadata log, and what a broker knows after it has replayed them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple


class PartitionRecord(NamedTuple):
    """The state of a partition from here on: its replicas, its ISR, its leader (None: no leader) and leader epoch.

    `adding` and `removing` are the replicas that a reassignment brings and takes, which version 2 has.
    """

    partition: int
    replicas: frozenset[int]
    isr: frozenset[int]
    leader: int | None
    leader_epoch: int
    adding: frozenset[int] = frozenset()
    removing: frozenset[int] = frozenset()


class RegisterBrokerRecord(NamedTuple):
    """A broker's process is registered, fenced, with its epoch."""

    broker: int
    incarnation: int
    epoch: int


class FenceBrokerRecord(NamedTuple):
    """Clients are sent to a broker no longer."""

    broker: int


class UnfenceBrokerRecord(NamedTuple):
    """Clients are sent to a broker from here on."""

    broker: int


class UnregisterBrokerRecord(NamedTuple):
    """A broker is no longer part of the cluster."""

    broker: int


class TopicRecord(NamedTuple):
    """There is a topic; its number is an id, which no other topic ever has."""

    topic: int


class RemoveTopicRecord(NamedTuple):
    """A topic is deleted."""

    topic: int


BrokerRecord = RegisterBrokerRecord | FenceBrokerRecord | UnfenceBrokerRecord | UnregisterBrokerRecord
Record = PartitionRecord | BrokerRecord | TopicRecord | RemoveTopicRecord


@dataclass(slots=True)
class Image:
    """A broker's metadata: what the records say that it has applied."""

    partitions: dict[int, PartitionRecord] = field(default_factory=dict)
    unfenced: set[int] = field(default_factory=set)
    topics: set[int] = field(default_factory=set)

    def replay(self, records: Iterable[Record]) -> None:
        """Apply records in the order of the log."""
        for record in records:
            if isinstance(record, PartitionRecord):
                self.partitions[record.partition] = record
            elif isinstance(record, TopicRecord):
                self.topics.add(record.topic)
            elif isinstance(record, RemoveTopicRecord):
                self.topics.discard(record.topic)
            elif isinstance(record, UnfenceBrokerRecord):
                self.unfenced.add(record.broker)
            else:
                self.unfenced.discard(record.broker)

    def led_by(self, broker: int) -> list[PartitionRecord]:
        """Return the partitions that a broker leads, by number."""
        return [one for _, one in sorted(self.partitions.items()) if one.leader == broker]
