"""A broker's metadata image: the committed metadata, record by record, and its latest changes."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from fencepost.reference.kraft.epochs import next_epoch
from fencepost.reference.kraft.inkless import NO_SWITCH, SEAL
from fencepost.reference.kraft.levels import ELR_VERSION, METADATA_VERSION
from fencepost.reference.kraft.records import MIGRATING_DIRECTORY, NO_LEADER, NO_LEADER_CHANGE, Message
from fencepost.traces import record_types as types

from .replication_messages import PartitionKey

TOPIC, BROKER = 2, 4
"""The types of resources whose configurations an image keeps."""


@dataclass(frozen=True, slots=True)
class BrokerImage:
    """A registered broker."""

    id: int
    epoch: int
    incarnation_id: str
    fenced: bool
    in_controlled_shutdown: bool
    directories: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PartitionImage:
    """A partition; `directories` are in the order of `replicas`, `seal` is what Inkless says of its switch."""

    replicas: tuple[int, ...]
    isr: tuple[int, ...]
    leader: int
    leader_epoch: int
    partition_epoch: int
    removing: tuple[int, ...] = ()
    adding: tuple[int, ...] = ()
    recovery_state: int = 0
    elr: tuple[int, ...] = ()
    last_known_elr: tuple[int, ...] = ()
    directories: tuple[str, ...] = ()
    seal: int = NO_SWITCH

    def directory_of(self, broker: int) -> str:
        """Return the directory of a broker's replica; raises ValueError where it has none."""
        return self.directories[self.replicas.index(broker)]

    def merge(self, data: Mapping[str, Any]) -> PartitionImage:
        """Return the partition after a PartitionChange: what the record leaves out stays (its merge)."""
        leader, leader_epoch = data.get("leader", NO_LEADER_CHANGE), next_epoch(self.leader_epoch)
        if leader == NO_LEADER_CHANGE:
            leader, leader_epoch = self.leader, self.leader_epoch
        directories = _changed(data.get("directories"), self.directories)
        if data.get("replicas") is not None and data.get("directories") is None:
            where = dict(zip(self.replicas, self.directories, strict=True))
            directories = tuple(where.get(b, MIGRATING_DIRECTORY) for b in data["replicas"])
        state = data.get("leaderRecoveryState", -1)
        return PartitionImage(
            _changed(data.get("replicas"), self.replicas),
            _changed(data.get("isr"), self.isr),
            leader,
            leader_epoch,
            next_epoch(self.partition_epoch),
            _changed(data.get("removingReplicas"), self.removing),
            _changed(data.get("addingReplicas"), self.adding),
            self.recovery_state if state == -1 else state,
            _changed(data.get("eligibleLeaderReplicas"), self.elr),
            _changed(data.get("lastKnownElr"), self.last_known_elr),
            directories,
            data.get(SEAL, self.seal),
        )


def _changed(given: Iterable[Any] | None, before: tuple[Any, ...]) -> tuple[Any, ...]:
    return before if given is None else tuple(given)


class Delta:
    """Changes since the last delta was handed over: partitions, deleted topics, brokers, features, configs.

    `before` holds each changed partition as it was, None for a new one; after a snapshot all that differs is in it.
    """

    __slots__ = ("before", "brokers", "configs", "deleted_topics", "features")

    def __init__(self) -> None:
        self.before: dict[PartitionKey, PartitionImage | None] = {}
        self.deleted_topics: dict[str, str] = {}
        self.brokers: dict[int, BrokerImage | None] = {}
        self.features: dict[str, int] = {}
        self.configs: dict[tuple[int, str], None] = {}

    def __bool__(self) -> bool:
        return bool(self.before or self.deleted_topics or self.brokers or self.features or self.configs)


class MetadataImage:
    """The committed metadata up to and including `offset` (−1 for none), with the delta that is not handed over yet.

    What is loaded at once is one change to Kafka. A topic that is deleted in it keeps its configurations if it had none
    before, and the next topic of its name has them (ConfigurationsDelta); not so if `repaired` names D28. `inherited`
    are the names of topics of which they were kept.
    """

    def __init__(self, repaired: frozenset[str] = frozenset()) -> None:
        self.offset = -1
        self.repaired = repaired
        self.inherited: set[str] = set()
        self._had: dict[tuple[int, str], bool] = {}
        self.features: dict[str, int] = {}
        self.brokers: dict[int, BrokerImage] = {}
        self.topics: dict[str, str] = {}
        self.topic_ids: dict[str, str] = {}
        self.partitions: dict[PartitionKey, PartitionImage] = {}
        self.partitions_of: dict[str, dict[int, None]] = {}
        self.configs: dict[tuple[int, str], dict[str, str]] = {}
        self.delta = Delta()

    @property
    def metadata_version(self) -> int:
        """The level of metadata.version, 0 before there is one."""
        return self.features.get(METADATA_VERSION, 0)

    @property
    def elr_enabled(self) -> bool:
        """Whether eligible leader replicas are on."""
        return self.features.get(ELR_VERSION, 0) >= 1

    def alive_epoch(self, broker: int) -> int | None:
        """Return the epoch of a broker that is registered and not fenced."""
        one = self.brokers.get(broker)
        return None if one is None or one.fenced else one.epoch

    def config(self, topic_id: str, broker: int, key: str) -> str | None:
        """Return a value of a topic, else of a broker, else of the cluster, else None."""
        for resource in ((TOPIC, self.topics.get(topic_id, "")), (BROKER, str(broker)), (BROKER, "")):
            values = self.configs.get(resource)
            if values and key in values:
                return values[key]
        return None

    def take_delta(self) -> Delta:
        """Return what has changed since the last call."""
        delta, self.delta = self.delta, Delta()
        return delta

    def take_everything(self) -> Delta:
        """Return all that there is, as what has changed since there was nothing."""
        delta, self.delta = Delta(), Delta()
        delta.before = dict.fromkeys(self.partitions)
        delta.brokers = dict.fromkeys(self.brokers)
        delta.features = dict.fromkeys(self.features, 0)
        delta.configs = dict.fromkeys(self.configs)
        return delta

    def begin(self) -> None:
        """Say that what is applied from now on is loaded at once."""
        self._had.clear()

    # -- records ---------------------------------------------------------------------------------------------------
    def apply(self, message: Message) -> None:
        """Apply a committed record; types that brokers do not need here are passed over."""
        apply = _APPLY.get(message.type)
        if apply is not None:
            apply(self, message.data)

    def _note(self, key: PartitionKey) -> None:
        self.delta.before.setdefault(key, self.partitions.get(key))

    def _feature(self, data: Mapping[str, Any]) -> None:
        name, level = data["name"], data["featureLevel"]
        self.delta.features.setdefault(name, self.features.get(name, 0))
        if level == 0:
            self.features.pop(name, None)
        else:
            self.features[name] = level

    def _register(self, data: Mapping[str, Any]) -> None:
        self._broker(
            BrokerImage(
                data["brokerId"],
                data["brokerEpoch"],
                data["incarnationId"],
                data["fenced"],
                data.get("inControlledShutdown", False),
                tuple(data.get("logDirs") or ()),
            )
        )

    def _broker(self, broker: BrokerImage) -> None:
        self.delta.brokers.setdefault(broker.id, self.brokers.get(broker.id))
        self.brokers[broker.id] = broker

    def _unregister(self, data: Mapping[str, Any]) -> None:
        old = self.brokers.pop(data["brokerId"], None)
        self.delta.brokers.setdefault(data["brokerId"], old)

    def _change_registration(self, data: Mapping[str, Any]) -> None:
        old = self.brokers[data["brokerId"]]
        fenced = {1: True, -1: False}.get(data.get("fenced", 0), old.fenced)
        stopping = old.in_controlled_shutdown or data.get("inControlledShutdown", 0) == 1
        directories = tuple(data.get("logDirs") or ()) or old.directories
        self._broker(dataclasses.replace(old, fenced=fenced, in_controlled_shutdown=stopping, directories=directories))

    def _fence(self, data: Mapping[str, Any]) -> None:
        self._broker(dataclasses.replace(self.brokers[data["id"]], fenced=True))

    def _unfence(self, data: Mapping[str, Any]) -> None:
        self._broker(dataclasses.replace(self.brokers[data["id"]], fenced=False))

    def _topic(self, data: Mapping[str, Any]) -> None:
        self.topics[data["topicId"]] = data["name"]
        self.topic_ids[data["name"]] = data["topicId"]
        self.partitions_of.setdefault(data["topicId"], {})

    def _remove_topic(self, data: Mapping[str, Any]) -> None:
        topic_id = data["topicId"]
        name = self.topics.pop(topic_id)
        del self.topic_ids[name]
        self.delta.deleted_topics[topic_id] = name
        self._forget_configs((TOPIC, name))
        for number in self.partitions_of.pop(topic_id):
            self._note((topic_id, number))
            del self.partitions[topic_id, number]

    def _forget_configs(self, topic: tuple[int, str]) -> None:
        if self._had.setdefault(topic, bool(self.configs.get(topic))) or "D28" in self.repaired:
            self.configs.pop(topic, None)
        elif self.configs.get(topic):
            self.inherited.add(topic[1])

    def _partition(self, data: Mapping[str, Any]) -> None:
        key = data["topicId"], data["partitionId"]
        self._note(key)
        replicas = tuple(data["replicas"])
        self.partitions_of[key[0]][key[1]] = None
        self.partitions[key] = PartitionImage(
            replicas,
            tuple(data["isr"]),
            data.get("leader", NO_LEADER),
            data["leaderEpoch"],
            data["partitionEpoch"],
            tuple(data.get("removingReplicas") or ()),
            tuple(data.get("addingReplicas") or ()),
            data.get("leaderRecoveryState", 0),
            tuple(data.get("eligibleLeaderReplicas") or ()),
            tuple(data.get("lastKnownElr") or ()),
            tuple(data.get("directories") or ()) or (MIGRATING_DIRECTORY,) * len(replicas),
            data.get(SEAL, NO_SWITCH),
        )

    def _change_partition(self, data: Mapping[str, Any]) -> None:
        key = data["topicId"], data["partitionId"]
        self._note(key)
        self.partitions[key] = self.partitions[key].merge(data)

    def _clear_elr(self, data: Mapping[str, Any]) -> None:
        name = data["topicName"]
        for topic_id in [self.topic_ids[name]] if name else list(self.topics):
            for number in self.partitions_of[topic_id]:
                old = self.partitions[topic_id, number]
                if old.elr or old.last_known_elr:
                    self._note((topic_id, number))
                    self.partitions[topic_id, number] = dataclasses.replace(
                        old, elr=(), last_known_elr=(), partition_epoch=next_epoch(old.partition_epoch)
                    )

    def _config(self, data: Mapping[str, Any]) -> None:
        resource = data["resourceType"], data["resourceName"]
        self.delta.configs[resource] = None
        values = self.configs.setdefault(resource, {})
        self._had.setdefault(resource, bool(values))
        if data.get("value") is None:
            values.pop(data["name"], None)
        else:
            values[data["name"]] = data["value"]


_APPLY: dict[str, Callable[[MetadataImage, Mapping[str, Any]], None]] = {
    types.FEATURE_LEVEL_RECORD: MetadataImage._feature,
    types.REGISTER_BROKER_RECORD: MetadataImage._register,
    types.UNREGISTER_BROKER_RECORD: MetadataImage._unregister,
    types.BROKER_REGISTRATION_CHANGE_RECORD: MetadataImage._change_registration,
    types.FENCE_BROKER_RECORD: MetadataImage._fence,
    types.UNFENCE_BROKER_RECORD: MetadataImage._unfence,
    types.TOPIC_RECORD: MetadataImage._topic,
    types.REMOVE_TOPIC_RECORD: MetadataImage._remove_topic,
    types.PARTITION_RECORD: MetadataImage._partition,
    types.PARTITION_CHANGE_RECORD: MetadataImage._change_partition,
    types.CLEAR_ELR_RECORD: MetadataImage._clear_elr,
    types.CONFIG_RECORD: MetadataImage._config,
}


def image_of(records: Iterable[Message], end_offset: int, old: MetadataImage) -> MetadataImage:
    """Return the image that a snapshot holds, ending before an offset; its delta is all that differs from `old`."""
    new = MetadataImage(old.repaired)
    for record in records:
        new.apply(record)
    new.offset = end_offset - 1
    new.delta = delta = Delta()
    for topic_id, name in old.topics.items():
        if topic_id not in new.topics:
            delta.deleted_topics[topic_id] = name
    for key in dict.fromkeys((*old.partitions, *new.partitions)):
        if old.partitions.get(key) != new.partitions.get(key):
            delta.before[key] = old.partitions.get(key)
    for broker in dict.fromkeys((*old.brokers, *new.brokers)):
        if old.brokers.get(broker) != new.brokers.get(broker):
            delta.brokers[broker] = old.brokers.get(broker)
    for name in dict.fromkeys((*old.features, *new.features)):
        if old.features.get(name, 0) != new.features.get(name, 0):
            delta.features[name] = old.features.get(name, 0)
    for resource in dict.fromkeys((*old.configs, *new.configs)):
        if old.configs.get(resource) != new.configs.get(resource):
            delta.configs[resource] = None
    return new
