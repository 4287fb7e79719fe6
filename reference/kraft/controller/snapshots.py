"""Snapshots of the metadata: the records that make the state anew, image by image (S3:314, MetadataImage).

Kafka iterates hash maps within an image; here each image is in the order of its keys, so that equal states have equal
snapshots. A snapshot is loaded by replaying it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Protocol

from fencepost.reference.kraft.levels import CONTROLLER_REGISTRATION, ELR_VERSION, METADATA_VERSION
from fencepost.reference.kraft.records import Message
from fencepost.traces.record_types import TOPIC_RECORD

from .configurations import config_record
from .delegation_tokens import TOKENS
from .features import feature_level_record
from .producer_ids import producer_ids_record
from .scram_credentials import SCRAM

if TYPE_CHECKING:
    from .cluster import ClusterControlManager
    from .configurations import ConfigurationControlManager
    from .features import FeatureControlManager
    from .producer_ids import ProducerIdControlManager
    from .replication import ReplicationControlManager
    from .security import SecurityManagers


class Sources(Protocol):
    """The managers that a snapshot is taken of."""

    features: FeatureControlManager
    cluster: ClusterControlManager
    replication: ReplicationControlManager
    configurations: ConfigurationControlManager
    producer_ids: ProducerIdControlManager
    security: SecurityManagers


def snapshot_messages(managers: Sources, epoch: int) -> tuple[Message, ...]:
    """Return the records of the state as it was at an epoch; raises RuntimeError without a metadata.version."""
    features = managers.features.finalized.items_at(epoch)
    level = features.get(METADATA_VERSION)
    if level is None:
        raise RuntimeError(f"there is no {METADATA_VERSION} at {epoch}, so that nothing can be written")
    with_elr = features.get(ELR_VERSION, 0) >= 1
    return (
        *_features(features),
        *_cluster(managers.cluster, level, epoch),
        *_topics(managers.replication, level, with_elr, epoch),
        *_configurations(managers.configurations, epoch),
        *_in_order(managers.security.quotas.records.items_at(epoch)),
        *_producer_ids(managers.producer_ids, epoch),
        *_in_order(managers.security.acls.records.items_at(epoch)),
        *(_in_order(managers.security.scram.records.items_at(epoch)) if level >= SCRAM else ()),
        *(_in_order(managers.security.tokens.records.items_at(epoch)) if level >= TOKENS else ()),
    )


def _features(features: dict[str, int]) -> Iterator[Message]:
    yield feature_level_record(METADATA_VERSION, features[METADATA_VERSION])
    for name in sorted(features):
        if name != METADATA_VERSION:
            yield feature_level_record(name, features[name])


def _cluster(cluster: ClusterControlManager, level: int, epoch: int) -> Iterator[Message]:
    for _, broker in sorted(cluster.registrations.items_at(epoch).items()):
        yield broker.to_record(level)
    if level >= CONTROLLER_REGISTRATION:
        for _, controller in sorted(cluster.controllers.items_at(epoch).items()):
            yield controller.to_record()


def _topics(replication: ReplicationControlManager, level: int, with_elr: bool, epoch: int) -> Iterator[Message]:
    topics = replication.topics.items_at(epoch)
    partitions = replication.partitions.items_at(epoch)
    for topic_id, topic in sorted(topics.items(), key=lambda item: item[1].name):
        yield Message(TOPIC_RECORD, 0, {"name": topic.name, "topicId": topic_id})
        for number in sorted(topic.partitions):
            # Without eligible leader replicas those that are still kept are left out, as Kafka does.
            yield partitions[topic_id, number].to_record(topic_id, number, level, with_elr)


def _configurations(configurations: ConfigurationControlManager, epoch: int) -> Iterator[Message]:
    configs = configurations.configs.items_at(epoch)
    for resource in sorted(configs, key=lambda one: (one.type, one.name)):
        for key, value in sorted(configs[resource].items()):
            yield config_record(resource, key, value)


def _producer_ids(producer_ids: ProducerIdControlManager, epoch: int) -> Iterator[Message]:
    following = producer_ids.next_id.at(epoch)
    if following is not None and following >= 0:
        yield producer_ids_record(following)


def _in_order(records: Mapping[Any, Message]) -> Iterator[Message]:
    for key in sorted(records, key=_ordered):
        yield records[key]


def _ordered(key: Any) -> str:
    """A key as text, of a set in the order of its members."""
    if isinstance(key, frozenset):
        return repr(sorted(key, key=repr))
    return repr([_ordered(one) for one in key] if isinstance(key, tuple) else key)
