"""Topics and partitions in memory, what each record does to them, and what a change of a partition is built from.

The operations in the files around (`alter_partition`, `topics`, `elections`, `reassignments`, `directories`,
`fan_out`, `broker_lifecycle`) read this state and return records; only `replay` changes it (S3:181-194).
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from fencepost.reference.kraft.errors import ApiError, Errors, ReplayError
from fencepost.reference.kraft.inkless import DISKLESS_ENABLE, INKLESS, PENDING, SEAL
from fencepost.reference.kraft.messages import TOPIC_RESOURCE, ConfigResource
from fencepost.reference.kraft.records import Message
from fencepost.reference.kraft.results import MAX_RECORDS_PER_USER_OP
from fencepost.reference.kraft.settings import Settings
from fencepost.reference.timeline import SnapshotRegistry, TimelineMap

from .cluster import ClusterControlManager
from .configurations import ConfigurationControlManager
from .features import FeatureControlManager
from .indexes import Indexes, TopicPartition
from .partition_change_builder import PartitionChangeBuilder
from .partitions import Brokers, PartitionRegistration, Topic
from .placer import place_replicas

Placer = Callable[[int, int], Sequence[Brokers]]
"""Places the replicas of new partitions: how many partitions, how many replicas of each; raises ApiError."""


class ReplicationState:
    """`topics` by id, `topic_ids` by name, `partitions` by topic id and number, and the indexes over them.

    `colliding_names` maps a name with its dots made underscores to the topics that come to it; only names with dots or
    underscores are in it.
    """

    def __init__(
        self,
        registry: SnapshotRegistry,
        settings: Settings,
        features: FeatureControlManager,
        configurations: ConfigurationControlManager,
        cluster: ClusterControlManager,
        randomness: random.Random,
    ) -> None:
        self.settings, self.features, self.configurations, self.cluster = settings, features, configurations, cluster
        self.random = randomness
        self.place: Placer = lambda count, factor: place_replicas(cluster.usable_brokers(), count, factor, randomness)
        """Where the replicas of so many new partitions go, so many of each; what is there is Kafka's striped placer."""
        self.repaired = settings.repaired
        self.topics: TimelineMap[str, Topic] = TimelineMap(registry)
        self.topic_ids: TimelineMap[str, str] = TimelineMap(registry)
        self.colliding_names: TimelineMap[str, tuple[str, ...]] = TimelineMap(registry)
        self.partitions: TimelineMap[TopicPartition, PartitionRegistration] = TimelineMap(registry)
        self.indexes = Indexes(registry)

    def is_diskless(self, topic: str) -> bool:
        """Whether a topic's records are in an object store, or will be (Inkless)."""
        if self.settings.fork != INKLESS:
            return False
        return self.configurations.value(ConfigResource(TOPIC_RESOURCE, topic), DISKLESS_ENABLE) == "true"

    def allows_unclean(self, topic: Topic, partition: PartitionRegistration) -> bool:
        """Whether a partition may elect a leader that may not have all: not while its switch is open (Inkless)."""
        if partition.switch.get(SEAL) == PENDING:
            return False
        return self.configurations.unclean_leader_election(topic.name)

    # -- reading ---------------------------------------------------------------------------------------------------
    def topic_named(self, name: str) -> Topic | None:
        """Return a topic by its name."""
        topic_id = self.topic_ids.get(name)
        return None if topic_id is None else self.topics.get(topic_id)

    def partitions_of(self, topic: Topic) -> Iterator[tuple[int, PartitionRegistration]]:
        """Yield the partitions of a topic with their numbers."""
        for number in topic.partitions:
            yield number, self.partitions[topic.id, number]

    def min_isr(self, topic: Topic) -> int:
        """Return the effective min.insync.replicas of a topic: never more than partition 0 has replicas."""
        configured = self.configurations.min_insync_replicas(topic.name)
        return min(configured, len(self.partitions[topic.id, 0].replicas))

    def builder(
        self,
        topic: Topic,
        number: int,
        partition: PartitionRegistration,
        acceptable: Callable[[int], bool] | None = None,
        *,
        knows_elr: bool = True,
    ) -> PartitionChangeBuilder:
        """Return a builder for a change of a partition; `acceptable` says who may lead, active brokers by default.

        One that does not know eligible leader replicas, though they are on, empties them.
        """
        builder = PartitionChangeBuilder(
            partition,
            topic.id,
            number,
            self._leader_acceptor(topic, partition, acceptable or self.cluster.is_active),
            self.features.metadata_version_or_throw(),
            self.min_isr(topic),
            knows_elr and self.features.elr_enabled,
            self.cluster.default_directory,
            self.repaired,
        )
        # Inkless is made from Kafka 4.2, before KAFKA-19975.
        builder.waits_for_all = self.settings.fork == INKLESS
        return builder

    def _leader_acceptor(
        self, topic: Topic, partition: PartitionRegistration, acceptable: Callable[[int], bool]
    ) -> Callable[[int], bool]:
        """Return who may lead a partition: an acceptable broker whose replica is in a directory that is online.

        A diskless partition needs no directory.
        """
        if self.is_diskless(topic.name):
            return acceptable

        def accepts(broker: int) -> bool:
            if not acceptable(broker):
                return False
            if "D9" in self.repaired and broker not in partition.replicas:
                return False
            return self.cluster.has_online_directory(broker, partition.directory(broker))

        return accepts

    # -- replay ----------------------------------------------------------------------------------------------------
    def replay(self, message: Message) -> None:
        """Apply a record; raises ReplayError where it does not fit, which ends the process."""
        match message.type:
            case "TOPIC_RECORD":
                self._replay_topic(message.data)
            case "PARTITION_RECORD":
                self._replay_partition(message.data)
            case "PARTITION_CHANGE_RECORD":
                self._replay_partition_change(message.data)
            case "REMOVE_TOPIC_RECORD":
                self._replay_remove_topic(message.data)
            case "CLEAR_ELR_RECORD":
                self._replay_clear_elr(message.data)
            case _:
                raise ReplayError(f"{message.type} is no record of topics or partitions")

    def _replay_topic(self, data: Mapping[str, Any]) -> None:
        name, topic_id = data["name"], data["topicId"]
        if name in self.topic_ids:
            raise ReplayError(f"there is a topic {name} already: {self.topic_ids[name]}, and now {topic_id}")
        self.topic_ids[name] = topic_id
        if has_collision_characters(name):
            key = unified(name)
            self.colliding_names[key] = (*self.colliding_names.get(key, ()), name)
        self.topics[topic_id] = Topic(topic_id, name)

    def _replay_partition(self, data: Mapping[str, Any]) -> None:
        topic, number = self._topic_to_change(data), data["partitionId"]
        after, before = PartitionRegistration.of_record(data), self.partitions.get((topic.id, number))
        if before is None:
            self.topics[topic.id] = replace(topic, partitions=(*topic.partitions, number))
        if before != after:
            self.partitions[topic.id, number] = after
            self.indexes.changed(topic.id, number, before, after)

    def _replay_partition_change(self, data: Mapping[str, Any]) -> None:
        topic, number = self._topic_to_change(data), data["partitionId"]
        before = self.partitions.get((topic.id, number))
        if before is None:
            raise ReplayError(f"there is no partition {topic.id}:{number} to change")
        after = self.partitions[topic.id, number] = before.merge(data)
        self.indexes.changed(topic.id, number, before, after)

    def _topic_to_change(self, data: Mapping[str, Any]) -> Topic:
        topic = self.topics.get(data["topicId"])
        if topic is None:
            raise ReplayError(f"there is no topic {data['topicId']} for its partition {data['partitionId']}")
        return topic

    def _replay_remove_topic(self, data: Mapping[str, Any]) -> None:
        topic = self.topics.pop(data["topicId"], None)
        if topic is None:
            raise ReplayError(f"there is no topic {data['topicId']} to remove")
        del self.topic_ids[topic.name]
        if has_collision_characters(topic.name):
            self._forget_collision(topic.name)
        self.configurations.forget_topic(topic.name)
        partitions = {number: self.partitions.pop((topic.id, number)) for number in topic.partitions}
        self.indexes.removed(topic.id, partitions, self.repaired)

    def _forget_collision(self, name: str) -> None:
        key = unified(name)
        names = tuple(one for one in self.colliding_names.get(key, ()) if one != name)
        if names:
            self.colliding_names[key] = names
        else:
            self.colliding_names.pop(key, None)

    def _replay_clear_elr(self, data: Mapping[str, Any]) -> None:
        name = data["topicName"]
        topic = self.topic_named(name)
        if name and topic is None:
            raise ReplayError(f"there is no topic {name} whose eligible leader replicas could be cleared")
        for one in (topic,) if topic is not None else tuple(self.topics.values()):
            for number, before in self.partitions_of(one):
                if before.elr or before.last_known_elr:
                    self.partitions[one.id, number] = before.without_elr()
                    self.indexes.cleared(one.id, number, before, self.repaired)


def bounded(records: list[Message]) -> list[Message]:
    """Return the records of a user's operation; raises POLICY_VIOLATION where there are more than one may write."""
    if len(records) > MAX_RECORDS_PER_USER_OP:
        raise ApiError(Errors.POLICY_VIOLATION, "Unable to perform excessively large batch operation.")
    return records


def has_collision_characters(name: str) -> bool:
    """Whether a topic's name has characters that are one and the same in the names of metrics."""
    return "." in name or "_" in name


def unified(name: str) -> str:
    """Return a topic's name as it is in the names of metrics."""
    return name.replace(".", "_")
