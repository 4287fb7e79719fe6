"""Data of the znodes of Kafka's controller: read into the class of the path, and written as Kafka writes it.

Kafka's own names for the paths; layouts of Kafka 3.9 (zk/ZkData.scala).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from fencepost.traces.errors import TraceError

from .values import ReplicaAssignment, TopicPartition

RECOVERED, RECOVERING = 0, 1
"""Leader recovery states: RECOVERING after an unclean election, until the leader's next AlterPartition."""

CONTROLLER, CONTROLLER_EPOCH = "/controller", "/controller_epoch"
REASSIGN, PREFERRED = "/admin/reassign_partitions", "/admin/preferred_replica_election"
DELETE_TOPICS = "/admin/delete_topics"


@dataclass(frozen=True, slots=True)
class Controller:
    """/controller: the broker that is controller."""

    broker: int
    timestamp: str
    version: int = 2
    kraft_controller_epoch: int | None = -1


@dataclass(frozen=True, slots=True)
class ControllerEpoch:
    """/controller_epoch: the epoch of the last election, 0 before the first."""

    epoch: int


@dataclass(frozen=True, slots=True)
class BrokerRegistration:
    """/brokers/ids/N: a live broker; its epoch is the zxid of the znode's creation. `columns` are as they stand."""

    broker: int
    endpoints: tuple[str, ...]
    columns: Mapping[str, Any] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class TopicAssignment:
    """/brokers/topics/T: the replicas of each partition, by number; the id is None in old layouts."""

    topic: str
    topic_id: str | None
    partitions: Mapping[int, ReplicaAssignment] = field(hash=False)
    version: int = 3


@dataclass(frozen=True, slots=True)
class PartitionState:
    """/brokers/topics/T/partitions/P/state: leadership, and the epoch of the controller that wrote it."""

    partition: TopicPartition
    leader: int
    leader_epoch: int
    isr: tuple[int, ...]
    controller_epoch: int
    recovery: int = RECOVERED
    version: int = 1


@dataclass(frozen=True, slots=True)
class Reassignments:
    """/admin/reassign_partitions: partitions and the replicas they are to have."""

    targets: tuple[tuple[TopicPartition, tuple[int, ...]], ...]
    version: int = 1


@dataclass(frozen=True, slots=True)
class TopicDeletion:
    """/admin/delete_topics/T: a topic that is to be deleted."""

    topic: str


@dataclass(frozen=True, slots=True)
class PreferredElection:
    """/admin/preferred_replica_election: partitions whose preferred replica is to lead."""

    partitions: tuple[TopicPartition, ...]
    version: int = 1


@dataclass(frozen=True, slots=True)
class IsrChange:
    """/isr_change_notification/isr_change_N: partitions whose leader wrote the ISR itself (before AlterPartition)."""

    partitions: tuple[TopicPartition, ...]
    version: int = 1


@dataclass(frozen=True, slots=True)
class LogDirEvent:
    """/log_dir_event_notification/log_dir_event_N: a broker with a failed log directory."""

    broker: int
    event: int = 1
    version: int = 1


Reading = (
    Controller
    | ControllerEpoch
    | BrokerRegistration
    | TopicAssignment
    | PartitionState
    | Reassignments
    | TopicDeletion
    | PreferredElection
    | IsrChange
    | LogDirEvent
)
"""The data of a znode that a controller reads or writes."""


def path_of(reading: Reading, number: int = 0) -> str:
    """Return the path of the znode that says something; `number` is that of a notification."""
    match reading:
        case Controller():
            return CONTROLLER
        case ControllerEpoch():
            return CONTROLLER_EPOCH
        case BrokerRegistration():
            return f"/brokers/ids/{reading.broker}"
        case TopicAssignment():
            return f"/brokers/topics/{reading.topic}"
        case PartitionState():
            return state_path(reading.partition)
        case Reassignments():
            return REASSIGN
        case TopicDeletion():
            return f"/admin/delete_topics/{reading.topic}"
        case PreferredElection():
            return PREFERRED
        case IsrChange():
            return f"/isr_change_notification/isr_change_{number:010d}"
        case LogDirEvent():
            return f"/log_dir_event_notification/log_dir_event_{number:010d}"


def state_path(partition: TopicPartition) -> str:
    """Return the path of a partition's state."""
    return f"/brokers/topics/{partition.topic}/partitions/{partition.partition}/state"


def reading_of(path: str, data: Any, place: str = "") -> Reading | None:
    """Return what a znode's data says; None for another path, and for data that is null where that says nothing.

    Raises `TraceError`, with `place` in front, for data that is not laid out as Kafka writes it.
    """
    for pattern, read in _READERS:
        match = pattern.fullmatch(path)
        if match is not None:
            if data is None and read is not _deletion:
                return None
            try:
                return read(match.groups(), data)
            except (KeyError, TypeError, ValueError, AttributeError) as error:
                why = f"lacks {error}" if isinstance(error, KeyError) else f"is of another layout ({error})"
                raise TraceError(f"{place}{': ' if place else ''}{path}: the data {why}; correct the line") from None
    return None


def data_of(reading: Reading) -> Any:
    """Return the data that says something, columns in the order of Kafka 3.9."""
    match reading:
        case Controller():
            found: dict[str, Any] = {
                "version": reading.version, "brokerid": reading.broker, "timestamp": reading.timestamp,
            }  # fmt: skip
            epoch = reading.kraft_controller_epoch
            return found if epoch is None else found | {"kraftControllerEpoch": epoch}
        case ControllerEpoch():
            return reading.epoch
        case BrokerRegistration():
            return dict(reading.columns) | {"endpoints": list(reading.endpoints)}
        case TopicAssignment():
            return _topic_data(reading)
        case PartitionState():
            found = {"controller_epoch": reading.controller_epoch, "leader": reading.leader, "version": reading.version}
            if reading.recovery != RECOVERED:
                found["leader_recovery_state"] = reading.recovery
            return found | {"leader_epoch": reading.leader_epoch, "isr": list(reading.isr)}
        case Reassignments():
            targets = [
                {"topic": partition.topic, "partition": partition.partition, "replicas": list(replicas)}
                for partition, replicas in reading.targets
            ]
            return {"version": reading.version, "partitions": targets}
        case TopicDeletion():
            return None
        case PreferredElection() | IsrChange():
            named = [{"topic": one.topic, "partition": one.partition} for one in reading.partitions]
            return {"version": reading.version, "partitions": named}
        case LogDirEvent():
            return {"version": reading.version, "broker": reading.broker, "event": reading.event}


def _topic_data(reading: TopicAssignment) -> dict[str, Any]:
    partitions = reading.partitions.items()
    found: dict[str, Any] = {"partitions": {str(number): list(one.replicas) for number, one in partitions}}
    if reading.topic_id is not None:
        found["topic_id"] = reading.topic_id
    if reading.version >= 2:
        found["adding_replicas"] = {str(number): list(one.adding) for number, one in partitions if one.adding}
        found["removing_replicas"] = {str(number): list(one.removing) for number, one in partitions if one.removing}
    return found | {"version": reading.version}


def _whole(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"{value!r} is no whole number")
    return value


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is no text")
    return value


def _numbers(value: Any) -> tuple[int, ...]:
    if not isinstance(value, list):
        raise TypeError(f"{value!r} is no list")
    return tuple(_whole(one) for one in value)


def _partitions(data: Any) -> tuple[TopicPartition, ...]:
    return tuple(TopicPartition(_text(one["topic"]), _whole(one["partition"])) for one in data["partitions"])


def _controller(_: tuple[str, ...], data: Any) -> Controller:
    timestamp, epoch = data.get("timestamp", ""), data.get("kraftControllerEpoch")
    return Controller(_whole(data["brokerid"]), _text(timestamp), _whole(data["version"]), epoch)


def _registration(groups: tuple[str, ...], data: Any) -> BrokerRegistration:
    return BrokerRegistration(int(groups[0]), tuple(map(_text, data["endpoints"])), dict(data))


def _topic(groups: tuple[str, ...], data: Any) -> TopicAssignment:
    adding, removing = data.get("adding_replicas", {}), data.get("removing_replicas", {})
    partitions = {
        int(number): ReplicaAssignment(
            _numbers(replicas), _numbers(adding.get(number, [])), _numbers(removing.get(number, []))
        )
        for number, replicas in data["partitions"].items()
    }
    return TopicAssignment(groups[0], data.get("topic_id"), partitions, _whole(data.get("version", 1)))


def _state(groups: tuple[str, ...], data: Any) -> PartitionState:
    return PartitionState(
        partition=TopicPartition(groups[0], int(groups[1])),
        leader=_whole(data["leader"]),
        leader_epoch=_whole(data["leader_epoch"]),
        isr=_numbers(data["isr"]),
        controller_epoch=_whole(data["controller_epoch"]),
        recovery=_whole(data.get("leader_recovery_state", RECOVERED)),
        version=_whole(data.get("version", 1)),
    )


def _reassignments(_: tuple[str, ...], data: Any) -> Reassignments:
    targets = zip(_partitions(data), (_numbers(one["replicas"]) for one in data["partitions"]), strict=True)
    return Reassignments(tuple(targets), _whole(data.get("version", 1)))


def _deletion(groups: tuple[str, ...], _: Any) -> TopicDeletion:
    return TopicDeletion(groups[0])


def _epoch(_: tuple[str, ...], data: Any) -> ControllerEpoch:
    return ControllerEpoch(int(data) if isinstance(data, str) else _whole(data))


_READERS: tuple[tuple[re.Pattern[str], Callable[[tuple[str, ...], Any], Reading]], ...] = tuple(
    (re.compile(pattern, re.ASCII), read)
    for pattern, read in (
        (r"/brokers/topics/([^/]+)/partitions/(\d+)/state", _state),
        (r"/brokers/topics/([^/]+)", _topic),
        (CONTROLLER, _controller),
        (CONTROLLER_EPOCH, _epoch),
        (r"/brokers/ids/(\d+)", _registration),
        (REASSIGN, _reassignments),
        (r"/admin/delete_topics/([^/]+)", _deletion),
        (PREFERRED, lambda _, data: PreferredElection(_partitions(data), _whole(data.get("version", 1)))),
        (
            r"/isr_change_notification/isr_change_\d+",
            lambda _, data: IsrChange(_partitions(data), _whole(data.get("version", 1))),
        ),
        (
            r"/log_dir_event_notification/log_dir_event_\d+",
            lambda _, data: LogDirEvent(
                _whole(data["broker"]), _whole(data.get("event", 1)), _whole(data.get("version", 1))
            ),
        ),
    )
)
