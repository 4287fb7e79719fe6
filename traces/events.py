"""Event traces: every request that a controller was sent and its answer, in the controller's order, one object a line.

Every line has `t_ms` (milliseconds since 1970), `log_end` (an offset up to which the log was written when the request
was sent, so that the request's records are there or later), `req` (the name of the request) and `error` (the error
of the whole answer by Kafka's name); the other columns are the request's own. A column that a request does not have may
be missing or null.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .columns import (
    Reader,
    Unfit,
    built,
    column,
    list_of,
    maybe,
    numbers,
    or_null,
    partition_named,
    read_column,
    settings,
    text,
    texts,
    truth,
    whole,
    written,
)
from .errors import TraceError


@dataclass(frozen=True, slots=True)
class Assigned:
    """A replica that a broker says to have in a directory; `topic` is the topic's id."""

    directory: str
    topic: str
    partition: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """One partition of an AlterPartition request; `topic` is the topic's id, `epochs` are those of the members."""

    topic: str = column(text)
    partition: int = column(whole)
    leader_epoch: int = column(whole, "leaderEpoch")
    partition_epoch: int = column(whole, "partitionEpoch")
    isr: tuple[int, ...] = column(numbers)
    epochs: tuple[int, ...] = column(numbers)
    recovery: int = column(whole)


def _assigned(value: Any) -> Assigned:
    directory, blank, partition = text(value).partition(" ")
    if not blank:
        raise Unfit("directory and partition with a blank between them")
    topic, number = partition_named(partition)
    return Assigned(directory, topic, number)


def _ranged(value: Any) -> tuple[str, int, int]:
    if not isinstance(value, list) or len(value) != 3:
        raise Unfit("a list of a name and two numbers")
    return text(value[0]), whole(value[1]), whole(value[2])


def _tuple(*readers: Reader) -> Reader:
    """A reader of lists of a fixed length, an item by each reader."""

    def listed(value: Any) -> tuple[Any, ...]:
        if not isinstance(value, list) or len(value) != len(readers):
            raise Unfit(f"a list of {len(readers)}")
        return tuple(read(one) for read, one in zip(readers, value, strict=True))

    return listed


_NAMED = _tuple(text, or_null(text))

ranges = list_of(_ranged, "features, each a name and two numbers")
"""Features, each with two levels."""


def _proposed(value: Any) -> Proposal:
    if not isinstance(value, dict):
        raise Unfit("a list of objects, one a partition")
    return built(Proposal, value)


def _object(kind: type[Any]) -> Reader:
    """A reader of objects of a class whose fields are columns."""

    def read(value: Any) -> Any:
        if not isinstance(value, dict):
            raise Unfit("an object")
        return built(kind, value)

    return read


def _objects(of: tuple[Any, ...]) -> list[dict[str, Any]]:
    return [written(one) for one in of]


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """A request and its answer: the line of the trace (from 1), time in milliseconds, the end of the log, the error."""

    line: int
    t_ms: int = column(whole)
    log_end: int = column(whole)
    error: str = column(text)

    @property
    def request(self) -> str:
        """The name of the request, as Kafka calls it."""
        return type(self).__name__


@dataclass(frozen=True, slots=True, kw_only=True)
class BrokerRegistration(Event):
    """A broker registers; the answer gives its epoch, −1 with an error.

    `features` are those that it can do, lowest and highest level. A null value has no column: the features are then
    those of the record, the cluster is the right one, the previous epoch is given, and no broker migrates.
    `kraft_version` is the level of kraft.version that Raft has then.
    """

    broker: int = column(whole)
    incarnation: str = column(text)
    previous_epoch: int = column(whole, "previousBrokerEpoch")
    directories: tuple[str, ...] = column(texts, "dirs")
    broker_epoch: int = column(whole, "brokerEpoch")
    features: tuple[tuple[str, int, int], ...] | None = maybe(ranges)
    same_cluster: bool | None = maybe(truth, "sameCluster")
    tells_previous_epoch: bool | None = maybe(truth, "tellsPreviousEpoch")
    migrates: bool | None = maybe(truth, "isMigratingZkBroker")
    kraft_version: int | None = maybe(whole, "kraftVersion")


@dataclass(frozen=True, slots=True, kw_only=True)
class BrokerHeartbeat(Event):
    """A broker's heartbeat; `offline_directories` are those that failed."""

    broker: int = column(whole)
    broker_epoch: int = column(whole, "brokerEpoch")
    offset: int = column(whole, "currentMetadataOffset")
    want_fence: bool = column(truth, "wantFence")
    want_shut_down: bool = column(truth, "wantShutDown")
    offline_directories: tuple[str, ...] | None = maybe(texts, "offlineLogDirs")
    cordoned_directories: tuple[str, ...] | None = maybe(texts, "cordonedLogDirs")
    is_caught_up: bool = column(truth, "isCaughtUp")
    is_fenced: bool = column(truth, "isFenced")
    should_shut_down: bool = column(truth, "shouldShutDown")


@dataclass(frozen=True, slots=True, kw_only=True)
class AlterPartition(Event):
    """A leader proposes ISRs; one error a partition, none where the whole request is refused."""

    broker: int = column(whole)
    broker_epoch: int = column(whole, "brokerEpoch")
    partitions: tuple[Proposal, ...] = column(
        list_of(_proposed, "objects"), write=lambda of: [written(one) for one in of]
    )
    answers: tuple[str, ...] = column(texts)


@dataclass(frozen=True, slots=True, kw_only=True)
class AlterPartitionReassignments(Event):
    """One partition is reassigned; without `replicas` its reassignment is cancelled.

    `may_resize` is false where the number of replicas may not change (KIP-860), and may be where it is not given.
    """

    name: str = column(text)
    partition: int = column(whole)
    replicas: tuple[int, ...] | None = maybe(numbers)
    answers: tuple[str, ...] = column(texts)
    may_resize: bool | None = maybe(truth, "allowReplicationFactorChange")


@dataclass(frozen=True, slots=True, kw_only=True)
class CreateTopics(Event):
    """One topic is created: with an assignment, or with as many partitions and replicas."""

    name: str = column(text)
    partitions: int = column(whole)
    replication: int = column(whole, "rf")
    assignment: tuple[tuple[int, ...], ...] | None = maybe(list_of(numbers, "lists of brokers"))
    configs: tuple[tuple[str, str], ...] = column(settings, write=dict)
    validate_only: bool | None = maybe(truth, "validateOnly")


@dataclass(frozen=True, slots=True, kw_only=True)
class CreatePartitions(Event):
    """One topic gets more partitions; how many in all, and where, is null where the trace does not say it."""

    name: str = column(text)
    count: int | None = maybe(whole)
    assignment: tuple[tuple[int, ...], ...] | None = maybe(list_of(numbers, "lists of brokers"))
    validate_only: bool | None = maybe(truth, "validateOnly")


@dataclass(frozen=True, slots=True, kw_only=True)
class DeleteTopics(Event):
    """One topic is deleted; by its id, where the trace has it."""

    name: str = column(text)
    topic_id: str | None = maybe(text, "topicId")


@dataclass(frozen=True, slots=True, kw_only=True)
class ElectLeaders(Event):
    """Elections, PREFERRED or UNCLEAN; where the answers are more or fewer than `partitions`, of all partitions."""

    type: str = column(text)
    partitions: tuple[tuple[str, int], ...] | None = maybe(
        list_of(partition_named, "partitions"), write=lambda of: [f"{name}-{number}" for name, number in of]
    )
    answers: tuple[str, ...] = column(texts)


@dataclass(frozen=True, slots=True, kw_only=True)
class IncrementalAlterConfigs(Event):
    """One value of one resource is set, or deleted where `value` is null; `type` is TOPIC or BROKER."""

    type: str = column(text)
    name: str = column(text)
    key: str = column(text)
    value: str | None = maybe(text)
    validate_only: bool | None = maybe(truth, "validateOnly")


@dataclass(frozen=True, slots=True, kw_only=True)
class LegacyAlterConfigs(Event):
    """The configuration of one resource is replaced: keys that are not named are deleted."""

    type: str = column(text)
    name: str = column(text)
    configs: tuple[tuple[str, str], ...] = column(settings, write=dict)
    validate_only: bool | None = maybe(truth, "validateOnly")


@dataclass(frozen=True, slots=True, kw_only=True)
class AssignReplicasToDirs(Event):
    """A broker says in which directories its replicas are; one error a replica, none where all of it is refused."""

    broker: int = column(whole)
    broker_epoch: int = column(whole, "brokerEpoch")
    directories: tuple[Assigned, ...] = column(
        list_of(_assigned, "texts"), write=lambda of: [f"{one.directory} {one.topic}-{one.partition}" for one in of]
    )
    answers: tuple[str, ...] = column(texts)


@dataclass(frozen=True, slots=True, kw_only=True)
class AllocateProducerIds(Event):
    """A broker asks for producer ids; the answer is a block of `length` ids from `start` on, 0 and 0 with an error."""

    broker: int = column(whole)
    broker_epoch: int = column(whole, "brokerEpoch")
    start: int = column(whole)
    length: int = column(whole, "len")


@dataclass(frozen=True, slots=True, kw_only=True)
class UnregisterBroker(Event):
    """A broker is taken out of the cluster."""

    broker: int = column(whole)


@dataclass(frozen=True, slots=True, kw_only=True)
class UpdateFeatures(Event):
    """Features are finalized: name, level, and the kind of update (1 upgrade, 2 safe and 3 unsafe downgrade).

    `kraft_version` is the level of kraft.version that Raft has when it is answered.
    """

    updates: tuple[tuple[str, int, int], ...] = column(ranges)
    validate_only: bool | None = maybe(truth, "validateOnly")
    kraft_version: int | None = maybe(whole, "kraftVersion")


@dataclass(frozen=True, slots=True, kw_only=True)
class ControllerRegistration(Event):
    """A controller makes itself known; `features` are those that it can do, lowest and highest level."""

    controller: int = column(whole)
    incarnation: str = column(text)
    features: tuple[tuple[str, int, int], ...] = column(ranges)


@dataclass(frozen=True, slots=True, kw_only=True)
class UnregisterController(Event):
    """A controller's registration is taken away; `active` is the id of the active controller, which is asked."""

    controller: int = column(whole)
    active: int | None = maybe(whole)


@dataclass(frozen=True, slots=True, kw_only=True)
class AclEntry:
    """An access control entry, or a filter of entries: types by Kafka's codes; in a filter null matches any."""

    resource_type: int = column(whole, "resourceType")
    resource_name: str | None = maybe(text, "resourceName")
    pattern_type: int = column(whole, "patternType")
    principal: str | None = maybe(text)
    host: str | None = maybe(text)
    operation: int = column(whole)
    permission_type: int = column(whole, "permissionType")


@dataclass(frozen=True, slots=True, kw_only=True)
class CreateAcls(Event):
    """Access control entries are created; one answer each."""

    acls: tuple[AclEntry, ...] = column(list_of(_object(AclEntry), "objects"), write=_objects)
    answers: tuple[str, ...] = column(texts)


@dataclass(frozen=True, slots=True, kw_only=True)
class DeleteAcls(Event):
    """The entries that filters are for are deleted; an answer says of each filter for how many it was."""

    filters: tuple[AclEntry, ...] = column(list_of(_object(AclEntry), "objects"), write=_objects)
    answers: tuple[str, ...] = column(texts)
    deleted: tuple[int, ...] = column(numbers)


@dataclass(frozen=True, slots=True, kw_only=True)
class AlterUserScramCredentials(Event):
    """Credentials go, each a user and a mechanism, and are put there, with the iterations; one answer a user."""

    deletions: tuple[tuple[str, int], ...] = column(list_of(_tuple(text, whole), "pairs of a user and a number"))
    upsertions: tuple[tuple[str, int, int], ...] = column(
        list_of(_tuple(text, whole, whole), "lists of a user and two numbers")
    )
    answers: tuple[tuple[str, str], ...] = column(list_of(_tuple(text, text), "pairs of a user and an error"))


@dataclass(frozen=True, slots=True, kw_only=True)
class CreateDelegationToken(Event):
    """A token is issued; the answer gives its id and times in milliseconds, empty and 0 with an error."""

    by: str = column(text)
    owner: str = column(text)
    renewers: tuple[str, ...] = column(texts)
    token: str = column(text)
    expires: int = column(whole)
    latest: int = column(whole)


@dataclass(frozen=True, slots=True, kw_only=True)
class RenewDelegationToken(Event):
    """A token is to end later; `token` is empty where none was found, and `expires` is 0 with an error."""

    by: str = column(text)
    token: str = column(text)
    expires: int = column(whole)


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpireDelegationToken(Event):
    """A token is to end at another time, or at once; as RenewDelegationToken otherwise."""

    by: str = column(text)
    token: str = column(text)
    expires: int = column(whole)
    at_once: bool = column(truth, "atOnce")


@dataclass(frozen=True, slots=True, kw_only=True)
class QuotaAlteration:
    """Keys of one entity get values, numbers as text, or lose them where there is none."""

    entity: tuple[tuple[str, str | None], ...] = column(list_of(_NAMED, "pairs of a type and a name"))
    changes: tuple[tuple[str, str | None], ...] = column(list_of(_NAMED, "pairs of a key and a value"))


@dataclass(frozen=True, slots=True, kw_only=True)
class AlterClientQuotas(Event):
    """Entities of client quotas are altered; one answer each, in the order in which they are first named."""

    alterations: tuple[QuotaAlteration, ...] = column(list_of(_object(QuotaAlteration), "objects"), write=_objects)
    answers: tuple[str, ...] = column(texts)
    validate_only: bool | None = maybe(truth, "validateOnly")


@dataclass(frozen=True, slots=True, kw_only=True)
class OtherRequest(Event):
    """A request of a kind that is none of the above, with its columns as they stand."""

    name: str
    columns: Mapping[str, Any]

    @property
    def request(self) -> str:
        """The name of the request, as the trace calls it."""
        return self.name


KINDS: dict[str, type[Event]] = {
    kind.__name__: kind
    for kind in (
        BrokerRegistration,
        BrokerHeartbeat,
        AlterPartition,
        AlterPartitionReassignments,
        CreateTopics,
        CreatePartitions,
        DeleteTopics,
        ElectLeaders,
        IncrementalAlterConfigs,
        AssignReplicasToDirs,
        AllocateProducerIds,
        UnregisterBroker,
        LegacyAlterConfigs,
        UpdateFeatures,
        ControllerRegistration,
        UnregisterController,
        CreateAcls,
        DeleteAcls,
        AlterUserScramCredentials,
        CreateDelegationToken,
        RenewDelegationToken,
        ExpireDelegationToken,
        AlterClientQuotas,
    )
}
"""The kinds of requests that are known, by name."""


def is_internal(columns: Mapping[str, Any]) -> bool:
    """Whether a line is a controller's own step (`traces.steps`), which is no request."""
    return "step" in columns and columns.get("req") is None


def event_of(columns: Mapping[str, Any], line: int, place: str) -> Event:
    """Return an event from its columns; raises `TraceError` where one is missing or of the wrong type."""
    name = columns.get("req")
    if not isinstance(name, str):
        raise TraceError(f"{place}: the column `req` must name the request; give an event trace")
    kind = KINDS.get(name)
    try:
        if kind is not None:
            return built(kind, columns, line=line)
        common = {f.name: read_column(f, columns) for f in dataclasses.fields(Event) if "read" in f.metadata}
    except Unfit as unfit:
        raise TraceError(f"{place}: {name}: {unfit}; correct the line") from None
    own = {key: value for key, value in columns.items() if key not in {"req", *common}}
    return OtherRequest(line=line, **common, name=name, columns=own)


def columns_of(event: Event) -> dict[str, Any]:
    """Return the columns of an event as JSON values, the name of the request first: what `event_of` reads."""
    more = event.columns if isinstance(event, OtherRequest) else {}
    return {"req": event.request, **written(event), **more}
