"""Recorded requests as messages: what an event of a trace asked the controller, in the words of the reference."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from fencepost.reference.kraft import messages as m
from fencepost.reference.kraft.controller.directory_ids import in_order
from fencepost.traces import events as e


@dataclass(frozen=True, slots=True)
class Known:
    """Data that the columns of a trace lack and its log, or the state, has.

    `topic_ids` are the live topics by name. `cluster_id` is the controller's own; `features` and `listeners` are what a
    registering broker reported, as far as a record has them.
    """

    cluster_id: str
    topic_ids: dict[str, str]
    features: tuple[m.FeatureRange, ...] = ()
    listeners: tuple[m.Endpoint, ...] = ()
    rack: str | None = None


_RESOURCES = {"TOPIC": m.TOPIC_RESOURCE, "BROKER": m.BROKER_RESOURCE}
_ELECTIONS = {"PREFERRED": 0, "UNCLEAN": 1}
NO_TOPIC = "no such topic"


def of_all(event: e.ElectLeaders) -> bool:
    """Whether an election was requested for all partitions: the answers are others than the named partitions."""
    return event.partitions is None or len(event.partitions) != len(event.answers)


def request_of(event: e.Event, known: Known) -> m.Request | None:
    """Return what an event asked, None where its columns do not say it: passwords, HMACs of tokens, unknown kinds."""
    convert = _CONVERTERS.get(type(event))
    return None if convert is None else convert(event, known)


def _registration(event: e.BrokerRegistration, known: Known) -> m.Request:
    told = event.features
    features = known.features if told is None else tuple(m.FeatureRange(*one) for one in told)
    return m.BrokerRegistrationRequest(
        broker_id=event.broker,
        cluster_id=known.cluster_id if event.same_cluster is not False else "another cluster",
        incarnation_id=event.incarnation,
        listeners=known.listeners,
        features=features,
        rack=known.rack,
        is_migrating_zk_broker=bool(event.migrates),
        # A broker sends them in the order of their ids; a trace does not keep that.
        log_dirs=in_order(event.directories),
        previous_broker_epoch=event.previous_epoch,
    )


def _heartbeat(event: e.BrokerHeartbeat, known: Known) -> m.Request:
    return m.BrokerHeartbeatRequest(
        broker_id=event.broker,
        broker_epoch=event.broker_epoch,
        current_metadata_offset=event.offset,
        want_fence=event.want_fence,
        want_shut_down=event.want_shut_down,
        offline_log_dirs=event.offline_directories or (),
        cordoned_log_dirs=event.cordoned_directories,
    )


def _alter(event: e.AlterPartition, known: Known) -> m.Request:
    topics = list(dict.fromkeys(one.topic for one in event.partitions))
    return m.AlterPartitionRequest(
        broker_id=event.broker,
        broker_epoch=event.broker_epoch,
        partitions=tuple(
            m.AlterPartitionData(
                topic_id=one.topic,
                partition=one.partition,
                leader_epoch=one.leader_epoch,
                partition_epoch=one.partition_epoch,
                new_isr=tuple(zip(one.isr, one.epochs, strict=True)),
                leader_recovery_state=one.recovery,
            )
            for one in sorted(event.partitions, key=lambda one: topics.index(one.topic))
        ),
    )


def _create(event: e.CreateTopics, known: Known) -> m.Request:
    manual = event.assignment is not None
    topic = m.TopicRequest(
        event.name,
        m.AUTO if manual else event.partitions,
        m.AUTO if manual else event.replication,
        tuple(enumerate(event.assignment or ())),
        event.configs,
    )
    return m.CreateTopicsRequest(topics=(topic,), validate_only=bool(event.validate_only))


def _grow(event: e.CreatePartitions, known: Known) -> m.Request:
    topic = m.PartitionsRequest(event.name, event.count or 0, event.assignment)
    return m.CreatePartitionsRequest(topics=(topic,), validate_only=bool(event.validate_only))


def _delete(event: e.DeleteTopics, known: Known) -> m.Request:
    return m.DeleteTopicsRequest(topic_ids=(event.topic_id or known.topic_ids.get(event.name, NO_TOPIC),))


def _elect(event: e.ElectLeaders, known: Known) -> m.Request:
    partitions = None
    if not of_all(event) and event.partitions is not None:
        topics = list(dict.fromkeys(topic for topic, _ in event.partitions))
        partitions = tuple(sorted(event.partitions, key=lambda one: topics.index(one[0])))
    return m.ElectLeadersRequest(election_type=_ELECTIONS.get(event.type, -1), partitions=partitions)


def _reassign(event: e.AlterPartitionReassignments, known: Known) -> m.Request:
    one = m.ReassignablePartition(event.name, event.partition, event.replicas)
    return m.AlterPartitionReassignmentsRequest(
        partitions=(one,), allow_replication_factor_change=event.may_resize is not False
    )


def _configure(event: e.IncrementalAlterConfigs, known: Known) -> m.Request:
    operation = m.DELETE if event.value is None else m.SET
    resource = m.ConfigResource(_RESOURCES.get(event.type, 0), event.name)
    changes = m.ConfigChanges(resource, ((event.key, operation, event.value),))
    return m.IncrementalAlterConfigsRequest(resources=(changes,), validate_only=bool(event.validate_only))


def _replace(event: e.LegacyAlterConfigs, known: Known) -> m.Request:
    resource = m.ConfigResource(_RESOURCES.get(event.type, 0), event.name)
    return m.LegacyAlterConfigsRequest(resources=((resource, event.configs),), validate_only=bool(event.validate_only))


def _assign(event: e.AssignReplicasToDirs, known: Known) -> m.Request:
    return m.AssignReplicasToDirsRequest(
        broker_id=event.broker,
        broker_epoch=event.broker_epoch,
        assignments=tuple((one.directory, one.topic, one.partition) for one in event.directories),
    )


def _allocate(event: e.AllocateProducerIds, known: Known) -> m.Request:
    return m.AllocateProducerIdsRequest(broker_id=event.broker, broker_epoch=event.broker_epoch)


def _unregister(event: e.UnregisterBroker, known: Known) -> m.Request:
    return m.UnregisterBrokerRequest(broker_id=event.broker)


def _update(event: e.UpdateFeatures, known: Known) -> m.Request:
    return m.UpdateFeaturesRequest(updates=event.updates, validate_only=bool(event.validate_only))


def _controller(event: e.ControllerRegistration, known: Known) -> m.Request:
    return m.ControllerRegistrationRequest(
        controller_id=event.controller,
        incarnation_id=event.incarnation,
        listeners=known.listeners,
        features=tuple(m.FeatureRange(*one) for one in event.features),
    )


def _retire(event: e.UnregisterController, known: Known) -> m.Request:
    return m.UnregisterControllerRequest(controller_id=event.controller)


def _acls(of: Sequence[e.AclEntry]) -> tuple[m.AclBinding, ...]:
    fields = [one.name for one in dataclasses.fields(m.AclBinding)]
    return tuple(m.AclBinding(**{name: getattr(one, name) for name in fields}) for one in of)


def _grant(event: e.CreateAcls, known: Known) -> m.Request:
    return m.CreateAclsRequest(_acls(event.acls))


def _withdraw(event: e.DeleteAcls, known: Known) -> m.Request:
    return m.DeleteAclsRequest(_acls(event.filters))


def _limit(event: e.AlterClientQuotas, known: Known) -> m.Request:
    alterations = tuple(
        m.ClientQuotaAlteration(
            one.entity, tuple((key, None if value is None else float(value)) for key, value in one.changes)
        )
        for one in event.alterations
    )
    return m.AlterClientQuotasRequest(alterations, bool(event.validate_only))


_CONVERTERS: dict[type, Callable[[Any, Known], m.Request]] = {
    e.BrokerRegistration: _registration,
    e.BrokerHeartbeat: _heartbeat,
    e.UnregisterBroker: _unregister,
    e.AlterPartition: _alter,
    e.CreateTopics: _create,
    e.CreatePartitions: _grow,
    e.DeleteTopics: _delete,
    e.ElectLeaders: _elect,
    e.AlterPartitionReassignments: _reassign,
    e.IncrementalAlterConfigs: _configure,
    e.LegacyAlterConfigs: _replace,
    e.AssignReplicasToDirs: _assign,
    e.AllocateProducerIds: _allocate,
    e.UpdateFeatures: _update,
    e.ControllerRegistration: _controller,
    e.UnregisterController: _retire,
    e.CreateAcls: _grant,
    e.DeleteAcls: _withdraw,
    e.AlterClientQuotas: _limit,
}
