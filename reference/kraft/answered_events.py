"""Requests and their answers as the events of a trace; `recorded_requests` goes the other way.

The converters only rename. A request that a trace has no columns for (several topics at once, keys that are added to a
list) stays out: it is reported under its name with `*` behind it, with its content as text.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from fencepost.reference.kraft import messages as m
from fencepost.reference.kraft.errors import ApiError
from fencepost.traces import events as e

if TYPE_CHECKING:
    from .controller.cluster import ClusterControlManager

NAMES: dict[type, str] = {
    m.BrokerRegistrationRequest: "BrokerRegistration",
    m.BrokerHeartbeatRequest: "BrokerHeartbeat",
    m.UnregisterBrokerRequest: "UnregisterBroker",
    m.AlterPartitionRequest: "AlterPartition",
    m.CreateTopicsRequest: "CreateTopics",
    m.CreatePartitionsRequest: "CreatePartitions",
    m.DeleteTopicsRequest: "DeleteTopics",
    m.ElectLeadersRequest: "ElectLeaders",
    m.AlterPartitionReassignmentsRequest: "AlterPartitionReassignments",
    m.IncrementalAlterConfigsRequest: "IncrementalAlterConfigs",
    m.LegacyAlterConfigsRequest: "LegacyAlterConfigs",
    m.AssignReplicasToDirsRequest: "AssignReplicasToDirs",
    m.AllocateProducerIdsRequest: "AllocateProducerIds",
    m.UpdateFeaturesRequest: "UpdateFeatures",
    m.ControllerRegistrationRequest: "ControllerRegistration",
    m.UnregisterControllerRequest: "UnregisterController",
    m.CreateAclsRequest: "CreateAcls",
    m.DeleteAclsRequest: "DeleteAcls",
    m.AlterUserScramCredentialsRequest: "AlterUserScramCredentials",
    m.CreateDelegationTokenRequest: "CreateDelegationToken",
    m.RenewDelegationTokenRequest: "RenewDelegationToken",
    m.ExpireDelegationTokenRequest: "ExpireDelegationToken",
    m.AlterClientQuotasRequest: "AlterClientQuotas",
}
"""The names of requests in a trace."""

_RESOURCES = {m.TOPIC_RESOURCE: "TOPIC", m.BROKER_RESOURCE: "BROKER"}
_ELECTIONS = {0: "PREFERRED", 1: "UNCLEAN"}
_NO_COLUMNS = None


def answered_event(request: m.Request, answer: Any, common: dict[str, Any], cluster: ClusterControlManager) -> e.Event:
    """Return a request and its answer, None for a refused one, as an event; `common` are the columns of every event."""
    found = _CONVERTERS[type(request)](request, answer, common, cluster)
    if found is not None:
        return found
    return e.OtherRequest(**common, name=f"{NAMES[type(request)]}*", columns={"asked": str(request)})


Common = dict[str, Any]
Converted = e.Event | None


def _registration(request: m.BrokerRegistrationRequest, answer: Any, common: Common, cluster: Any) -> Converted:
    return e.BrokerRegistration(
        **common,
        broker=request.broker_id,
        incarnation=request.incarnation_id,
        previous_epoch=request.previous_broker_epoch,
        directories=request.log_dirs,
        broker_epoch=-1 if answer is None else answer.broker_epoch,
        features=_features(request.features),
        same_cluster=request.cluster_id == cluster.cluster_id,
        tells_previous_epoch=request.version >= 3,
        migrates=request.is_migrating_zk_broker,
        kraft_version=cluster.features.kraft_version,
    )


def _features(features: Sequence[m.FeatureRange]) -> tuple[tuple[str, int, int], ...]:
    return tuple((one.name, one.lowest, one.highest) for one in features)


def _heartbeat(request: m.BrokerHeartbeatRequest, answer: Any, common: Common, _: Any) -> Converted:
    return e.BrokerHeartbeat(
        **common,
        broker=request.broker_id,
        broker_epoch=request.broker_epoch,
        offset=request.current_metadata_offset,
        want_fence=request.want_fence,
        want_shut_down=request.want_shut_down,
        offline_directories=request.offline_log_dirs or None,
        cordoned_directories=request.cordoned_log_dirs,
        is_caught_up=answer is not None and answer.is_caught_up,
        is_fenced=answer is None or answer.is_fenced,
        should_shut_down=answer is not None and answer.should_shut_down,
    )


def _unregister(request: m.UnregisterBrokerRequest, answer: Any, common: Common, _: Any) -> Converted:
    return e.UnregisterBroker(**common, broker=request.broker_id)


def _alter(request: m.AlterPartitionRequest, answer: Any, common: Common, _: Any) -> Converted:
    topics = list(dict.fromkeys(one.topic_id for one in request.partitions))
    # On the wire partitions stand under their topics, and so do their answers.
    order = sorted(range(len(request.partitions)), key=lambda index: topics.index(request.partitions[index].topic_id))
    return e.AlterPartition(
        **common,
        broker=request.broker_id,
        broker_epoch=request.broker_epoch,
        partitions=tuple(
            e.Proposal(
                topic=one.topic_id,
                partition=one.partition,
                leader_epoch=one.leader_epoch,
                partition_epoch=one.partition_epoch,
                isr=tuple(broker for broker, _ in one.new_isr),
                epochs=tuple(epoch for _, epoch in one.new_isr),
                recovery=one.leader_recovery_state,
            )
            for one in (request.partitions[index] for index in order)
        ),
        answers=() if answer is None else tuple(answer[index].error.name for index in order),
    )


def _create(request: m.CreateTopicsRequest, answer: Any, common: Common, cluster: Any) -> Converted:
    if len(request.topics) != 1 or request.validate_only:
        return _NO_COLUMNS
    (topic,) = request.topics
    numbers = [number for number, _ in topic.assignments]
    if sorted(numbers) != list(range(len(numbers))) or any(value is None for _, value in topic.configs):
        return _NO_COLUMNS
    settings, assignment = cluster.settings, None
    if topic.assignments:
        assignment = tuple(replicas for _, replicas in sorted(topic.assignments))
    partitions, replication = topic.num_partitions, topic.replication_factor
    return e.CreateTopics(
        **_of_part(common, answer),
        name=topic.name,
        partitions=settings.num_partitions if partitions == m.AUTO else partitions,
        replication=settings.default_replication_factor if replication == m.AUTO else replication,
        assignment=assignment,
        configs=tuple((key, str(value)) for key, value in topic.configs),
    )


def _of_part(common: Common, answer: Any) -> Common:
    """The error of a request of one part is that of the part."""
    return common if answer is None else common | {"error": answer[0].error.name}


def _grow(request: m.CreatePartitionsRequest, answer: Any, common: Common, _: Any) -> Converted:
    if len(request.topics) != 1 or request.validate_only:
        return _NO_COLUMNS
    (topic,) = request.topics
    return e.CreatePartitions(
        **_of_part(common, answer), name=topic.name, count=topic.count, assignment=topic.assignments
    )


def _delete(request: m.DeleteTopicsRequest, answer: Any, common: Common, _: Any) -> Converted:
    if len(request.topic_ids) != 1:
        return _NO_COLUMNS
    (topic_id,) = request.topic_ids
    error = common if answer is None else common | {"error": answer[topic_id].name}
    return e.DeleteTopics(**error, name="", topic_id=topic_id)


def _elect(request: m.ElectLeadersRequest, answer: Any, common: Common, _: Any) -> Converted:
    if request.election_type not in _ELECTIONS:
        return _NO_COLUMNS
    asked, partitions, answers = request.partitions, request.partitions, () if answer is None else answer
    if asked is not None:
        topics = list(dict.fromkeys(topic for topic, _ in asked))
        order = sorted(range(len(asked)), key=lambda n: topics.index(asked[n][0]))
        partitions = tuple(asked[n] for n in order)
        answers = tuple(answers[n] for n in order) if answers else ()
    return e.ElectLeaders(
        **common,
        type=_ELECTIONS[request.election_type],
        partitions=partitions,
        answers=tuple(one.error.name for one in answers),
    )


def _reassign(request: m.AlterPartitionReassignmentsRequest, answer: Any, common: Common, _: Any) -> Converted:
    if len(request.partitions) != 1:
        return _NO_COLUMNS
    (one,) = request.partitions
    return e.AlterPartitionReassignments(
        **common,
        name=one.topic,
        partition=one.partition,
        replicas=one.replicas,
        answers=() if answer is None else tuple(part.error.name for part in answer),
        may_resize=request.allow_replication_factor_change,
    )


def _configure(request: m.IncrementalAlterConfigsRequest, answer: Any, common: Common, _: Any) -> Converted:
    if len(request.resources) != 1 or len(request.resources[0].changes) != 1:
        return _NO_COLUMNS
    resource, ((key, operation, value),) = request.resources[0].resource, request.resources[0].changes
    if operation not in (m.SET, m.DELETE) or (value is None) is (operation == m.SET) or resource.type not in _RESOURCES:
        return _NO_COLUMNS
    return e.IncrementalAlterConfigs(
        **_of_part(common, answer),
        type=_RESOURCES[resource.type],
        name=resource.name,
        key=key,
        value=value,
        validate_only=request.validate_only,
    )


def _replace(request: m.LegacyAlterConfigsRequest, answer: Any, common: Common, _: Any) -> Converted:
    if len(request.resources) != 1 or request.resources[0][0].type not in _RESOURCES or request.validate_only:
        return _NO_COLUMNS
    ((resource, configs),) = request.resources
    return e.LegacyAlterConfigs(
        **_of_part(common, answer), type=_RESOURCES[resource.type], name=resource.name, configs=configs
    )


def _assign(request: m.AssignReplicasToDirsRequest, answer: Any, common: Common, _: Any) -> Converted:
    return e.AssignReplicasToDirs(
        **common,
        broker=request.broker_id,
        broker_epoch=request.broker_epoch,
        directories=tuple(e.Assigned(*one) for one in request.assignments),
        answers=() if answer is None else tuple(one.error.name for one in answer),
    )


def _allocate(request: m.AllocateProducerIdsRequest, answer: Any, common: Common, _: Any) -> Converted:
    first, size = (0, 0) if answer is None else (answer.first, answer.size)
    return e.AllocateProducerIds(
        **common, broker=request.broker_id, broker_epoch=request.broker_epoch, start=first, length=size
    )


def _update(request: m.UpdateFeaturesRequest, answer: Any, common: Common, cluster: Any) -> Converted:
    if len(request.updates) != 1 or request.validate_only:
        return _NO_COLUMNS
    refused = common | {"error": answer.error.name} if isinstance(answer, ApiError) else common
    return e.UpdateFeatures(**refused, updates=request.updates, kraft_version=cluster.features.kraft_version)


def _controller(request: m.ControllerRegistrationRequest, answer: Any, common: Common, _: Any) -> Converted:
    return e.ControllerRegistration(
        **common,
        controller=request.controller_id,
        incarnation=request.incarnation_id,
        features=_features(request.features),
    )


def _retire(request: m.UnregisterControllerRequest, answer: Any, common: Common, cluster: Any) -> Converted:
    return e.UnregisterController(**common, controller=request.controller_id, active=cluster.features.node_id)


def _entries(of: Sequence[m.AclBinding]) -> tuple[e.AclEntry, ...]:
    return tuple(e.AclEntry(**dataclasses.asdict(one)) for one in of)


def _grant(request: m.CreateAclsRequest, answer: Any, common: Common, _: Any) -> Converted:
    answers = () if answer is None else tuple(one.name for one in answer)
    return e.CreateAcls(**common, acls=_entries(request.acls), answers=answers)


def _withdraw(request: m.DeleteAclsRequest, answer: Any, common: Common, _: Any) -> Converted:
    found = () if answer is None else answer
    return e.DeleteAcls(
        **common,
        filters=_entries(request.filters),
        answers=tuple(one.error.name for one in found),
        deleted=tuple(len(one.deleted) for one in found),
    )


def _credential(request: m.AlterUserScramCredentialsRequest, answer: Any, common: Common, _: Any) -> Converted:
    return e.AlterUserScramCredentials(
        **common,
        deletions=request.deletions,
        upsertions=tuple((one.user, one.mechanism, one.iterations) for one in request.upsertions),
        answers=() if answer is None else tuple((user, error.name) for user, error in answer.items()),
    )


def _of_token(common: Common, answer: Any) -> Common:
    if answer is None:
        return common | {"token": "", "expires": 0}
    return common | {"error": answer.error.name, "token": answer.token_id, "expires": answer.expires_ms}


def _issue(request: m.CreateDelegationTokenRequest, answer: Any, common: Common, _: Any) -> Converted:
    return e.CreateDelegationToken(
        **_of_token(common, answer),
        by=request.by,
        owner=request.owner or request.by,
        renewers=request.renewers,
        latest=0 if answer is None else answer.latest_ms,
    )


def _renew(request: m.RenewDelegationTokenRequest, answer: Any, common: Common, _: Any) -> Converted:
    return e.RenewDelegationToken(**_of_token(common, answer), by=request.by)


def _expire(request: m.ExpireDelegationTokenRequest, answer: Any, common: Common, _: Any) -> Converted:
    return e.ExpireDelegationToken(**_of_token(common, answer), by=request.by, at_once=request.expiry_period_ms < 0)


def _limit(request: m.AlterClientQuotasRequest, answer: Any, common: Common, _: Any) -> Converted:
    return e.AlterClientQuotas(
        **common,
        alterations=tuple(
            e.QuotaAlteration(
                entity=one.entity,
                changes=tuple((key, None if value is None else repr(float(value))) for key, value in one.changes),
            )
            for one in request.alterations
        ),
        answers=() if answer is None else tuple(error.name for error in answer.values()),
        validate_only=request.validate_only,
    )


_CONVERTERS: dict[type, Callable[[Any, Any, Common, Any], Converted]] = {
    m.BrokerRegistrationRequest: _registration,
    m.BrokerHeartbeatRequest: _heartbeat,
    m.UnregisterBrokerRequest: _unregister,
    m.AlterPartitionRequest: _alter,
    m.CreateTopicsRequest: _create,
    m.CreatePartitionsRequest: _grow,
    m.DeleteTopicsRequest: _delete,
    m.ElectLeadersRequest: _elect,
    m.AlterPartitionReassignmentsRequest: _reassign,
    m.IncrementalAlterConfigsRequest: _configure,
    m.LegacyAlterConfigsRequest: _replace,
    m.AssignReplicasToDirsRequest: _assign,
    m.AllocateProducerIdsRequest: _allocate,
    m.UpdateFeaturesRequest: _update,
    m.ControllerRegistrationRequest: _controller,
    m.UnregisterControllerRequest: _retire,
    m.CreateAclsRequest: _grant,
    m.DeleteAclsRequest: _withdraw,
    m.AlterUserScramCredentialsRequest: _credential,
    m.CreateDelegationTokenRequest: _issue,
    m.RenewDelegationTokenRequest: _renew,
    m.ExpireDelegationTokenRequest: _expire,
    m.AlterClientQuotasRequest: _limit,
}
