"""Reverse indexes over the partitions: who is touched when a broker, or one of its directories, comes or goes (S3:201).

They are kept by difference, as Kafka keeps them: a change that is not reported to an index is missing in it. That is
how the defects D5 and D6 come about; `tests` compare the indexes with their recomputation from the partitions.
"""

from __future__ import annotations

from collections.abc import Iterable

from fencepost.reference.kraft.errors import ReplayError
from fencepost.reference.kraft.records import LOST_DIRECTORY, MIGRATING_DIRECTORY, NO_LEADER, UNASSIGNED_DIRECTORY
from fencepost.reference.timeline import SnapshotRegistry, TimelineMap, TimelineSet

from .partitions import Brokers, PartitionRegistration

TopicPartition = tuple[str, int]
"""A topic id and the number of a partition."""

_RESERVED = (UNASSIGNED_DIRECTORY, LOST_DIRECTORY, MIGRATING_DIRECTORY)


class PartitionsByBroker:
    """For each broker, the partitions that it is a member of in some sense; by topic, in the order of joining."""

    def __init__(self, registry: SnapshotRegistry) -> None:
        self._registry = registry
        self._topics: dict[int, TimelineMap[str, tuple[int, ...]]] = {}

    def update(self, topic_id: str, partition: int, before: Brokers, after: Brokers) -> None:
        """Take out the members before, put in those after, touching only who differs; raises ReplayError if amiss."""
        if before == after:
            return
        old, new = set(before), set(after)
        for broker in sorted(old - new):
            self._remove(broker, topic_id, partition)
        for broker in sorted(new - old):
            topics = self._of(broker)
            topics[topic_id] = (*topics.get(topic_id, ()), partition)

    def remove_topic(self, topic_id: str, broker: int) -> None:
        """Take all partitions of a topic out of a broker's, if there are any."""
        self._of(broker).pop(topic_id, None)

    def of(self, broker: int) -> list[TopicPartition]:
        """Return the partitions of a broker."""
        return [(topic_id, number) for topic_id, numbers in self._of(broker).items() for number in numbers]

    def any_of(self, broker: int) -> bool:
        """Whether a broker has a partition."""
        return bool(self._of(broker))

    def brokers(self) -> list[int]:
        """Return the brokers that have a partition, ascending."""
        return sorted(broker for broker, topics in self._topics.items() if topics)

    def _of(self, broker: int) -> TimelineMap[str, tuple[int, ...]]:
        if broker not in self._topics:
            self._topics[broker] = TimelineMap(self._registry)
        return self._topics[broker]

    def _remove(self, broker: int, topic_id: str, partition: int) -> None:
        topics = self._of(broker)
        numbers = topics.get(topic_id, ())
        try:
            at = numbers.index(partition)
        except ValueError:
            raise ReplayError(f"broker {broker} has no entry for {topic_id}:{partition}") from None
        behind = numbers[at + 1 :]
        times = 1 + behind.count(partition)
        if len(numbers) == 1:
            del topics[topic_id]
        elif times == 1:
            topics[topic_id] = numbers[:at] + behind
        else:
            # Kafka copies into an array that is one shorter. A partition that was in twice leaves a gap, which is 0.
            kept = tuple(number for number in numbers if number != partition)
            topics[topic_id] = (*kept, *(0,) * (times - 1))


class Indexes:
    """All indexes over the partitions of a controller.

    `isrs`: by member of the ISR; `leaderships`: by leader, −1 for the partitions that have none; `elrs`: by eligible
    leader replica; `directories`: by directory id; `reassigning`: numbers by topic id; `imbalanced`: partitions whose
    leader is not their first replica.
    """

    def __init__(self, registry: SnapshotRegistry) -> None:
        self._registry = registry
        self.isrs = PartitionsByBroker(registry)
        self.leaderships = PartitionsByBroker(registry)
        self.elrs = PartitionsByBroker(registry)
        self.directories: dict[str, TimelineSet[TopicPartition]] = {}
        self.reassigning: TimelineMap[str, tuple[int, ...]] = TimelineMap(registry)
        self.imbalanced: TimelineSet[TopicPartition] = TimelineSet(registry)

    def changed(
        self, topic_id: str, partition: int, before: PartitionRegistration | None, after: PartitionRegistration
    ) -> None:
        """Follow a partition from one state, None for not there, to the next."""
        self.isrs.update(topic_id, partition, before.isr if before else (), after.isr)
        self.leaderships.update(topic_id, partition, _leader(before), _leader(after))
        self.elrs.update(topic_id, partition, before.elr if before else (), after.elr)
        if before is None or before.directories != after.directories:
            self._move(topic_id, partition, before.directories if before else (), after.directories)
        self._update_reassigning(topic_id, partition, before is not None and before.is_reassigning, after)
        if after.has_preferred_leader:
            self.imbalanced.discard((topic_id, partition))
        else:
            self.imbalanced.add((topic_id, partition))

    def removed(self, topic_id: str, partitions: dict[int, PartitionRegistration], repaired: frozenset[str]) -> None:
        """Follow the removal of a topic with all its partitions."""
        self.reassigning.pop(topic_id, None)
        for number, partition in partitions.items():
            for broker in partition.isr:
                self.isrs.remove_topic(topic_id, broker)
                self.leaderships.remove_topic(topic_id, broker)
            # Kafka cleans the directories once for each member of the ISR: never, where it is empty.
            if partition.isr or "D5" in repaired:
                self._move(topic_id, number, partition.directories, ())
            for broker in partition.elr:
                self.elrs.remove_topic(topic_id, broker)
            self.imbalanced.discard((topic_id, number))
        self.leaderships.remove_topic(topic_id, NO_LEADER)

    def cleared(self, topic_id: str, partition: int, before: PartitionRegistration, repaired: frozenset[str]) -> None:
        """Follow the clearing of a partition's eligible leader replicas, which Kafka's index does not."""
        if repaired & {"D6", "D6c"}:
            self.elrs.update(topic_id, partition, before.elr, ())

    def in_directory(self, directory: str) -> list[TopicPartition]:
        """Return the partitions with a replica in a directory."""
        return list(self.directories.get(directory, ()))

    def _move(self, topic_id: str, partition: int, before: Iterable[str], after: Iterable[str]) -> None:
        """Follow the replicas of a partition from directories to others; reserved ids are no directories."""
        for directory in before:
            if directory in self.directories:
                self.directories[directory].discard((topic_id, partition))
        for directory in after:
            if directory in _RESERVED:
                continue
            if directory not in self.directories:
                self.directories[directory] = TimelineSet(self._registry)
            self.directories[directory].add((topic_id, partition))

    def _update_reassigning(self, topic_id: str, partition: int, was: bool, after: PartitionRegistration) -> None:
        if was == after.is_reassigning:
            return
        numbers = tuple(number for number in self.reassigning.get(topic_id, ()) if number != partition)
        if after.is_reassigning:
            numbers = (*numbers, partition)
        if numbers:
            self.reassigning[topic_id] = numbers
        else:
            self.reassigning.pop(topic_id, None)


def _leader(partition: PartitionRegistration | None) -> Brokers:
    """Return the values that the index may have as leader of a partition: none, −1, or a member of the ISR."""
    if partition is None:
        return ()
    return (partition.leader,) if not partition.has_leader or partition.leader in partition.isr else ()
