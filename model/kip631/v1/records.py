"""The records of version 1: those that the tables write with what replaying them does, and the fields and types of all.

S2 prints the text that version 1 lost and the one that version 2 gained token by token; `SCHEMAS` has version 1's part of
it, with the lines of the source. Version 1 changes partitions by an IsrChange, and has no FailedReplicas and no Quota.
"""

from __future__ import annotations

from dataclasses import dataclass

from fencepost.model.language.vocabulary import *

from .state import *

_id = required("broker", BROKER, "id")
_epoch = required("epoch", OFFSET)
_incarnation = required("incarnation", INCARNATION, "incarnationId")
_first_epoch = required("epoch", OFFSET, "brokerEpoch")
_partition = required("partition", PARTITION, "topicId", "partitionId")
_isr = required("isr", set_of(BROKER))
_leader = required("leader", maybe(BROKER), none=-1)
_leader_epoch = required("leader_epoch", LEADER_EPOCH, "leaderEpoch")

REGISTER_BROKER = record(
    "REGISTER_BROKER_RECORD",
    _id,
    fields=(_incarnation, _first_epoch),
    ignored=("endPoints", "features", "rack"),
    replay=(
        registered[_id.value].becomes(TRUE),
        incarnation[_id.value].becomes(_incarnation.value),
        broker_epoch[_id.value].becomes(_first_epoch.value),
        fenced[_id.value].becomes(TRUE),
        registered_at[_id.value].becomes(next_offset),
        fenced_at[_id.value].becomes(next_offset),
    ),
    name="RegisterBroker",
    source="S2:458,462",
)
FENCE_BROKER = record(
    "FENCE_BROKER_RECORD",
    _id,
    fields=(_epoch,),
    replay=(fenced[_id.value].becomes(TRUE), fenced_at[_id.value].becomes(next_offset)),
    name="FenceBroker",
    source="S2:505",
)
UNFENCE_BROKER = record(
    "UNFENCE_BROKER_RECORD",
    _id,
    fields=(_epoch,),
    replay=fenced[_id.value].becomes(FALSE),
    name="UnfenceBroker",
    source="S2:510",
)
_changed = _partition.value
ISR_CHANGE = record(
    "ISR_CHANGE_RECORD",
    _partition,
    fields=(_isr, _leader, _leader_epoch),
    replay=(
        isr[_changed].becomes(_isr.value),
        leader[_changed].becomes(_leader.value),
        leader_epoch[_changed].becomes(_leader_epoch.value),
        leader_in[_changed, _leader_epoch.value].becomes(_leader.value),
        only_if(_leader_epoch.value.isnt(leader_epoch[_changed]), led_at[_changed].becomes(next_offset)),
    ),
    name="IsrChange",
    source="S2:488,492",
)


@dataclass(frozen=True)
class Schema:
    """A type of record or request as version 1 prints it: its key, its name, its fields with their types, and the lines.

    A type is i8..i64, str, uuid, bytes; `[]` a list, `?` nullable, `=` a default, `(k)` the key of a map.
    """

    key: int
    name: str
    fields: tuple[tuple[str, str], ...]
    source: str


def _schema(key: int, name: str, source: str, *fields: str) -> Schema:
    pairs = tuple((field.partition(" ")[0], field.partition(" ")[2]) for field in fields)
    return Schema(key, name, pairs, source)


REQUESTS: tuple[Schema, ...] = (
    _schema(
        57, "BrokerRegistrationRequest", "S2:405,416,425", "BrokerId i32", "IncarnationId uuid", "NextMetadataOffset i64",
        "Listeners []", "Listeners.Name str(k)", "Listeners.Host str", "Listeners.Port i16", "Listeners.SecurityProtocol i16",
        "Features []", "Features.Name str(k)", "Features.MinSupportedVersion i16", "Features.MaxSupportedVersion i16",
        "Rack str?",
    ),
    _schema(
        57, "BrokerRegistrationResponse", "S2:425", "ThrottleTimeMs i32", "ErrorCode i16", "ActiveControllerId i32",
        "BrokerEpoch i64=-1", "LeaseDurationMs i64",
    ),
    _schema(
        58, "BrokerHeartbeatRequest", "S2:431", "TargetState i8", "BrokerId i32", "BrokerEpoch i64=-1",
        "CurrentMetadataOffset i64",
    ),
    _schema(
        58, "BrokerHeartbeatResponse", "S2:431,435,439", "ThrottleTimeMs i32", "ErrorCode i16", "ActiveControllerId i32",
        "NextState i8", "LeaseDurationMs i64",
    ),
)  # fmt: skip
"""The requests and answers of version 1. The text has a current state in the heartbeat (S2:440), which its fields lack."""

SCHEMAS: tuple[Schema, ...] = (
    _schema(
        0, "RegisterBroker", "S2:458,462", "Id i32", "IncarnationId uuid", "BrokerEpoch i64", "EndPoints []?",
        "EndPoints.Name str(k)", "EndPoints.Host str", "EndPoints.Port i16", "EndPoints.SecurityProtocol i16", "Features []?",
        "Features.Name str(k)", "Features.MinVersion i16", "Features.MaxVersion i16", "Rack str?",
    ),
    _schema(1, "UnregisterBroker", "S2:467", "Id i32", "Epoch i64"),
    _schema(2, "Topic", "S2:471", "Name str", "TopicId uuid", "Deleting bool"),
    _schema(
        3, "Partition", "S2:475,479", "PartitionId i32=-1", "TopicId uuid", "Replicas []i32", "Isr []i32",
        "RemovingReplicas []i32", "AddingReplicas []i32", "Leader i32=-1", "LeaderEpoch i32=-1",
    ),
    _schema(4, "Config", "S2:483", "ResourceType i8", "ResourceName str", "Name str", "Value str"),
    _schema(
        5, "IsrChange", "S2:488,492", "PartitionId i32=-1", "TopicId uuid", "Isr []i32", "Leader i32=-1",
        "LeaderEpoch i32=-1",
    ),
    _schema(
        6, "AccessControl", "S2:497,501", "ResourceType i8", "ResourceName str?", "PatternType i8", "Principal str",
        "Host str", "Operation i8", "PermissionType i8",
    ),
    _schema(7, "FenceBroker", "S2:505", "Id i32", "Epoch i64"),
    _schema(8, "UnfenceBroker", "S2:510", "Id i32", "Epoch i64"),
    _schema(9, "RemoveTopic", "S2:514", "Id uuid"),
    _schema(
        10, "DelegationToken", "S2:518,522", "Owner str", "Renewers []str", "IssueTimestamp i64", "MaxTimestamp i64",
        "ExpirationTimestamp i64", "TokenId str",
    ),
    _schema(
        11, "UserScramCredential", "S2:527,531", "Name str", "CredentialInfos []", "CredentialInfos.Mechanism i8",
        "CredentialInfos.Salt bytes", "CredentialInfos.SaltedPassword bytes", "CredentialInfos.Iterations i32",
    ),
    _schema(12, "FeatureLevel", "S2:535", "Name str(k)", "MinFeatureLevel i16", "MaxFeatureLevel i16"),
)  # fmt: skip
"""The records of version 1. The tables write those of brokers, and IsrChange; nothing in S2 says when the others are."""
