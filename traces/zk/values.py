"""Values inside the lines of a ZooKeeper-era cluster's logs: partitions, states, assignments, answers, nodes."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, NamedTuple

from .forms import Form, Unfit, Value, list_of, one_of, remembered


class TopicPartition(NamedTuple):
    """A partition of a topic, written with a hyphen between them; topics may hold hyphens themselves."""

    topic: str
    partition: int

    def __str__(self) -> str:
        return f"{self.topic}-{self.partition}"


@dataclass(frozen=True, slots=True)
class BrokerState:
    """A member of an ISR with its broker epoch, −1 where a ZooKeeper-era controller does not know it."""

    broker: int
    epoch: int


@dataclass(frozen=True, slots=True)
class LeaderAndIsr:
    """A partition's leadership as written to ZooKeeper; `partition_epoch` is the znode's version after the write."""

    leader: int
    leader_epoch: int
    members: tuple[BrokerState, ...]
    recovery: str
    partition_epoch: int

    @property
    def isr(self) -> tuple[int, ...]:
        """The ids of the members, in order."""
        return tuple(member.broker for member in self.members)


@dataclass(frozen=True, slots=True)
class LeaderAndIsrOf33(LeaderAndIsr):
    """The same as controllers of 3.2 and 3.3 print it: the ISR without broker epochs."""


@dataclass(frozen=True, slots=True)
class LeaderAndIsrOf28(LeaderAndIsr):
    """The same as controllers of 2.8 to 3.1 print it: without broker epochs and a recovery state."""

    recovery: str = "RECOVERED"
    partition_epoch: int = 0


@dataclass(frozen=True, slots=True)
class LeaderIsrAndControllerEpoch:
    """A partition's leadership and the epoch of the controller that prints it, which need not have written it."""

    leader: int
    isr: tuple[int, ...]
    recovery: str
    leader_epoch: int
    partition_epoch: int
    controller_epoch: int


@dataclass(frozen=True, slots=True)
class ReplicaAssignment:
    """A partition's replicas, with those that a reassignment adds and removes."""

    replicas: tuple[int, ...]
    adding: tuple[int, ...]
    removing: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class LeaderAndIsrPartitionState:
    """The part of a LeaderAndIsr request for one partition; `controller_epoch` is that of the last writer."""

    topic: str
    partition: int
    controller_epoch: int
    leader: int
    leader_epoch: int
    isr: tuple[int, ...]
    partition_epoch: int
    replicas: tuple[int, ...]
    adding: tuple[int, ...]
    removing: tuple[int, ...]
    is_new: bool
    recovery: int


@dataclass(frozen=True, slots=True)
class StopReplicaPartitionState:
    """The part of a StopReplica request for one partition of a topic; leader epoch −2 while the topic is deleted."""

    partition: int
    leader_epoch: int
    delete: bool


@dataclass(frozen=True, slots=True)
class UpdateMetadataPartitionState:
    """The part of an UpdateMetadata request for one partition; leader −2 while the topic is deleted."""

    topic: str
    partition: int
    controller_epoch: int
    leader: int
    leader_epoch: int
    isr: tuple[int, ...]
    partition_epoch: int
    replicas: tuple[int, ...]
    offline: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Node:
    """The broker that a request was sent to; `rack` is None where it has none."""

    host: str
    port: int
    id: int
    rack: str | None


@dataclass(frozen=True, slots=True)
class PartitionError:
    """One partition's error in an answer, by Kafka's number; the topic is empty where the answer names its id."""

    topic: str
    partition: int
    error_code: int


@dataclass(frozen=True, slots=True)
class TopicErrors:
    """The errors of one topic's partitions, by the topic's id."""

    topic_id: str
    partitions: tuple[PartitionError, ...]


@dataclass(frozen=True, slots=True)
class UpdateMetadataResponse:
    """The answer to an UpdateMetadata request."""

    error_code: int


@dataclass(frozen=True, slots=True)
class StopReplicaResponse:
    """The answer to a StopReplica request."""

    error_code: int
    partitions: tuple[PartitionError, ...]


@dataclass(frozen=True, slots=True)
class LeaderAndIsrResponse:
    """The answer to a LeaderAndIsr request: errors by topic id, before version 5 of the request by name."""

    error_code: int
    partitions: tuple[PartitionError, ...]
    topics: tuple[TopicErrors, ...]


Response = UpdateMetadataResponse | StopReplicaResponse | LeaderAndIsrResponse
"""The answer to any of the three requests of a controller."""


@dataclass(frozen=True, slots=True)
class SameLeaderEpoch:
    """A partition's request is ignored since the broker is at its leader epoch already."""

    requested: int


@dataclass(frozen=True, slots=True)
class OlderLeaderEpoch:
    """A partition's request is ignored since the broker is at a later leader epoch."""

    requested: int
    current: int


@dataclass(frozen=True, slots=True)
class OfflineDirectory:
    """A partition's request is ignored since the broker's log directory for it has failed."""


@dataclass(frozen=True, slots=True)
class NotAssigned:
    """A partition's request is ignored since the broker is none of its replicas."""

    replicas: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class UnexpectedError:
    """A replica is not deleted for an exception of this class and message."""

    exception: str
    message: str


Refusal = SameLeaderEpoch | OlderLeaderEpoch | OfflineDirectory | NotAssigned | UnexpectedError
"""Why a broker ignores what a request says of one partition."""


def partition_named(text: str) -> TopicPartition:
    """Return the partition that a text names; raises `Unfit` for one that names none."""
    topic, _, number = text.rpartition("-")
    if not topic or not number.isascii() or not number.isdigit():
        raise Unfit(text)
    return TopicPartition(topic, int(number))


def _numbers(separator: str, opening: str = "", closing: str = "") -> Value:
    edge = len(opening)

    def read(text: str) -> tuple[int, ...]:
        inside = text[edge : len(text) - edge]
        return tuple(map(int, inside.split(separator))) if inside else ()

    def write(values: tuple[int, ...]) -> str:
        return opening + separator.join(map(str, values)) + closing

    return remembered(f"{re.escape(opening)}[-0-9, ]*{re.escape(closing)}", read, write)


def _some(read: Any, pattern: str) -> Value:
    return Value(
        rf"None|Some\({pattern}\)",
        lambda text: None if text == "None" else read(text[5:-1]),
        lambda value: "None" if value is None else f"Some({value})",
    )


_WHOLE = r"0|-?[1-9]\d*"
_TOPIC_PARTITION = r"[A-Za-z0-9._-]+-\d+"

TYPES: dict[str, Value] = {
    "int": Value(_WHOLE, int, str),
    "word": Value(r"\w+", str, str),
    "name": Value(r"[\w.$-]*", str, str),
    "rest": Value(r".*", str, str),
    "words": Value(r"[\w ]+", str, str),
    "topic_id": Value(r"[\w-]+", str, str),
    "text": Value(r".*?", str, str),
    "truth": Value("true|false", "true".__eq__, lambda value: "true" if value else "false"),
    "partition": remembered(_TOPIC_PARTITION, partition_named, str),
    "partitions": remembered(
        r"[A-Za-z0-9._,-]*",
        lambda text: tuple(map(partition_named, text.split(","))) if text else (),
        lambda values: ",".join(map(str, values)),
    ),
    "states": Value(r"\w+(?:,\w+)*", lambda text: tuple(text.split(",")), ",".join),
    "name_list": Value(r"[\w.,-]*", lambda text: tuple(text.split(",")) if text else (), ",".join),
    "ids": _numbers(","),
    "spaced": _numbers(", "),
    "array": _numbers(", ", "[", "]"),
    "bracketed": _numbers(",", "[", "]"),
    "some_int": _some(int, f"(?:{_WHOLE})"),
    "some_id": _some(str, r"[\w-]*"),
    "below_minimum": Value(
        r"|\(under-min-isr\)", "(under-min-isr)".__eq__, lambda value: "(under-min-isr)" if value else ""
    ),
    "rack": Value(r".*?", lambda text: None if text == "null" else text, lambda value: value or "null"),
}
"""The types that templates name; those below are added from forms."""


def form(kind: type[Any], template: str) -> Form[Any]:
    """Return the form of a class, over the types of this module."""
    return Form(kind, template, TYPES)


_BROKER_STATE = form(BrokerState, "BrokerState(brokerId={broker:int}, brokerEpoch={epoch:int})")
TYPES["members"] = list_of(_BROKER_STATE, re.compile(r"BrokerState\([^()]*\)"), r"(?:BrokerState\([^()]*\)(?:, )?)*")
LEADER_AND_ISR = form(
    LeaderAndIsr,
    "LeaderAndIsr(leader={leader:int}, leaderEpoch={leader_epoch:int}, isrWithBrokerEpoch=List({members:members}), "
    "leaderRecoveryState={recovery:word}, partitionEpoch={partition_epoch:int})",
)
TYPES["plain_members"] = Value(
    _numbers(", ").pattern,
    lambda text: tuple(BrokerState(broker, -1) for broker in _numbers(", ").read(text)),
    lambda members: ", ".join(str(member.broker) for member in members),
)
LEADERS_AND_ISRS: dict[type, Form[Any]] = {
    LeaderAndIsr: LEADER_AND_ISR,
    LeaderAndIsrOf33: form(
        LeaderAndIsrOf33,
        "LeaderAndIsr(leader={leader:int}, leaderEpoch={leader_epoch:int}, isr=List({members:plain_members}), "
        "leaderRecoveryState={recovery:word}, partitionEpoch={partition_epoch:int})",
    ),
    LeaderAndIsrOf28: form(
        LeaderAndIsrOf28,
        "LeaderAndIsr(leader={leader:int}, leaderEpoch={leader_epoch:int}, isr=List({members:plain_members}), "
        "zkVersion={partition_epoch:int})",
    ),
}
"""Forms in which a controller prints a leadership, by the class of the parsed value."""
LEADERSHIP = form(
    LeaderIsrAndControllerEpoch,
    "(Leader:{leader:int},ISR:{isr:ids},LeaderRecoveryState:{recovery:word},LeaderEpoch:{leader_epoch:int},"
    "ZkVersion:{partition_epoch:int},ControllerEpoch:{controller_epoch:int})",
)
ASSIGNMENT = form(
    ReplicaAssignment,
    "ReplicaAssignment(replicas={replicas:ids}, addingReplicas={adding:ids}, removingReplicas={removing:ids})",
)
LEADER_AND_ISR_STATE = form(
    LeaderAndIsrPartitionState,
    "LeaderAndIsrPartitionState(topicName='{topic:name}', partitionIndex={partition:int}, "
    "controllerEpoch={controller_epoch:int}, leader={leader:int}, leaderEpoch={leader_epoch:int}, isr={isr:array}, "
    "partitionEpoch={partition_epoch:int}, replicas={replicas:array}, addingReplicas={adding:array}, "
    "removingReplicas={removing:array}, isNew={is_new:truth}, leaderRecoveryState={recovery:int})",
)
STOP_REPLICA_STATE = form(
    StopReplicaPartitionState,
    "StopReplicaPartitionState(partitionIndex={partition:int}, leaderEpoch={leader_epoch:int}, "
    "deletePartition={delete:truth})",
)
UPDATE_METADATA_STATE = form(
    UpdateMetadataPartitionState,
    "UpdateMetadataPartitionState(topicName='{topic:name}', partitionIndex={partition:int}, "
    "controllerEpoch={controller_epoch:int}, leader={leader:int}, leaderEpoch={leader_epoch:int}, isr={isr:array}, "
    "zkVersion={partition_epoch:int}, replicas={replicas:array}, offlineReplicas={offline:array})",
)
NODE = form(Node, "{host:text}:{port:int} (id: {id:int} rack: {rack:rack})")
TYPES |= {
    "leader_and_isr": one_of(LEADERS_AND_ISRS, r"LeaderAndIsr\(.*\)"),
    "leadership": LEADERSHIP.value(r"\(Leader:[^()]*\)"),
    "assignment": ASSIGNMENT.value(r"ReplicaAssignment\([^()]*\)"),
    "lisr_state": LEADER_AND_ISR_STATE.value(r"LeaderAndIsrPartitionState\([^()]*\)"),
    "stop_state": STOP_REPLICA_STATE.value(r"StopReplicaPartitionState\([^()]*\)"),
    "umr_state": UPDATE_METADATA_STATE.value(r"UpdateMetadataPartitionState\([^()]*\)"),
    "node": NODE.value(r".*\)"),
}

_ELEMENT = re.compile(r"\w+PartitionError\([^()]*\)")
_LIST = r"(?:\w+PartitionError\([^()]*\)(?:, )?)*"
_ERROR = "PartitionError(topicName='{topic:name}', partitionIndex={partition:int}, errorCode={error_code:int})"
TYPES["lisr_errors"] = list_of(form(PartitionError, f"LeaderAndIsr{_ERROR}"), _ELEMENT, _LIST)
TYPES["stop_errors"] = list_of(form(PartitionError, f"StopReplica{_ERROR}"), _ELEMENT, _LIST)
_TOPIC = form(
    TopicErrors, "LeaderAndIsrTopicError(topicId={topic_id:name}, partitionErrors=[{partitions:lisr_errors}])"
)
TYPES["topic_errors"] = list_of(_TOPIC, re.compile(r"LeaderAndIsrTopicError\([^\]]*\]\)"), r".*")
_FORMS: dict[type[Any], str] = {
    UpdateMetadataResponse: "UpdateMetadataResponseData(errorCode={error_code:int})",
    StopReplicaResponse: (
        "StopReplicaResponseData(errorCode={error_code:int}, partitionErrors=[{partitions:stop_errors}])"
    ),
    LeaderAndIsrResponse: (
        "LeaderAndIsrResponseData(errorCode={error_code:int}, partitionErrors=[{partitions:lisr_errors}], "
        "topics=[{topics:topic_errors}])"
    ),
}
_REFUSALS: dict[type[Any], str] = {
    SameLeaderEpoch: "since its associated leader epoch {requested:int} matches the current leader epoch",
    OlderLeaderEpoch: (
        "since its associated leader epoch {requested:int} is smaller than the current leader epoch {current:int}"
    ),
    OfflineDirectory: "as the local replica for the partition is in an offline log directory",
    NotAssigned: "as itself is not in assigned replica list {replicas:ids}",
    UnexpectedError: "due to an unexpected {exception:name} exception: {message:rest}",
}
TYPES["response"] = one_of({kind: form(kind, text) for kind, text in _FORMS.items()}, r"\w+ResponseData\(.*\)")
TYPES["refusal"] = one_of({kind: form(kind, text) for kind, text in _REFUSALS.items()}, r"(?:since|as|due) .*")
