"""Adapters for the requests of an event trace: which event, parameter or cell of the tables each recorded column is.

They rename, and compute nothing but what the docstrings here and in `topics.py` say. A partition that is
unknown belongs to the topic that the request names. A registration's features are no column: its record has them.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import starmap
from typing import Any

from fencepost.model.kraft import state as k
from fencepost.model.kraft.cluster import Direction
from fencepost.model.kraft.cluster_records import CLUSTER_MIN_INSYNC
from fencepost.model.kraft.directories import assigned, assigns
from fencepost.model.kraft.levels import METADATA_VERSION_LEVELS
from fencepost.model.language.errors import EvaluationError
from fencepost.model.language.interpreter import CellKey
from fencepost.traces import events as trace

from .adapting import (
    TIMED_OUT,
    Adapter,
    Asked,
    Upcoming,
    as_range,
    at,
    by_topic,
    errors,
    partition_cells,
    recorded,
    registered,
    topic_named,
    value,
)
from .configurations import CONFIGURATIONS
from .outcomes import Outcome, Part, Reading
from .security import SECURITY
from .topics import TOPICS


# -- brokers -----------------------------------------------------------------------------------------------------------
def _registration(event: trace.BrokerRegistration, controller: Asked, upcoming: Upcoming) -> Iterator[Reading]:
    params = {
        "b": event.broker,
        "i": event.incarnation,
        "previous_epoch": event.previous_epoch,
        "tells_previous_epoch": event.tells_previous_epoch is not False,
        "dirs": event.directories,
        "ranges": _ranges(event.broker, controller, upcoming)
        if event.features is None
        else frozenset(starmap(as_range, event.features)),
        "same_cluster": event.same_cluster is not False,
        "migrates": bool(event.migrates),
    }
    for cells in _of_raft(event.kraft_version, controller):
        yield Reading((Part("RegisterBroker", params, cells),))


def _of_raft(told: int | None, controller: Asked) -> list[dict[CellKey, Any]]:
    """Return the level of kraft.version: of a column or of Raft's own record in the log; else either of the two."""
    cell: CellKey = (k.kraft_level.state, ())  # type: ignore[attr-defined]
    if told is None:
        try:
            told = controller.read(*cell)
        except EvaluationError:
            return [{cell: level} for level in (0, 1)]
    return [{cell: told}]


def _ranges(broker: int, controller: Asked, upcoming: Upcoming) -> frozenset[Any]:
    """Return the features of a broker: from its record at hand, otherwise from its last one, or another broker's."""
    for record in upcoming:
        if record is not None and record.record.name == "RegisterBroker" and record.entities == (broker,):
            return frozenset(record.values["ranges"])
    told = [value(controller, k.ranges, b) for b in (broker, *registered(controller))]
    return next((one for one in told if one), frozenset())


def _registered(event: trace.BrokerRegistration, outcome: Outcome) -> dict[str, Any]:
    part = outcome.parts[0]
    found = [one.fields["epoch"] for one in part.written if one.record.name == "RegisterBroker"]
    return {"error": part.error, "brokerEpoch": found[-1] if found else -1}


def _heartbeat(event: trace.BrokerHeartbeat, controller: Asked, upcoming: Upcoming) -> Iterator[Reading]:
    params: dict[str, Any] = {"b": event.broker, "broker_epoch": event.broker_epoch, "off": event.offset}
    if event.error == TIMED_OUT:
        yield Reading((Part("ExpiredHeartbeat", params),))
        return
    params |= {"want_fence": event.want_fence, "want_down": event.want_shut_down}
    cordoned = event.cordoned_directories
    last = () if cordoned is None else (Part("CordonedDirectories", {"b": event.broker, "dirs": frozenset(cordoned)}),)
    heartbeat = Part("Heartbeat", params)
    # Below 3.7-IV2 a controller does not look at them.
    level = controller.read(k.mv.state, ())  # type: ignore[attr-defined]
    if event.offline_directories and level >= DIRECTORIES:
        offline = {"b": event.broker, "dirs": frozenset(event.offline_directories)}
        # Rows of their own say what a heartbeat does that changes its broker, too.
        yield Reading((Part("HeartbeatWithOfflineDirectories", {**params, **offline}), *last), chained=True)
        yield Reading((heartbeat, Part("OfflineDirectories", offline), *last), chained=True)
        return
    yield Reading((heartbeat, *last), chained=True)


def _heartbeat_answer(event: trace.BrokerHeartbeat, outcome: Outcome) -> dict[str, Any]:
    part = outcome.parts[0]
    if part.error != "NONE":
        return {"error": part.error}
    return {
        "error": part.error,
        "isCaughtUp": part.reply["caught_up"](),
        "isFenced": part.reply["fenced"](),
        "shouldShutDown": part.reply["shut_down"](),
    }


def _unregister(event: trace.UnregisterBroker, controller: Asked, upcoming: Upcoming) -> Iterator[Reading]:
    yield Reading((Part("UnregisterBroker", {"b": event.broker}),))


def _allocate(event: trace.AllocateProducerIds, controller: Asked, upcoming: Upcoming) -> Iterator[Reading]:
    yield Reading((Part("AllocateProducerIds", {"b": event.broker, "broker_epoch": event.broker_epoch}),))


def _block(event: trace.AllocateProducerIds, outcome: Outcome) -> dict[str, Any]:
    """Return the end of the block, which the record has; the trace has its first id, and must have its length."""
    part = outcome.parts[0]
    ends = [one.fields["next"] for one in part.written if one.record.name == "ProducerIds"]
    return {"error": part.error, "end": ends[-1] if ends else 0}


# -- partitions --------------------------------------------------------------------------------------------------------
def _alter(event: trace.AlterPartition, controller: Asked, upcoming: Upcoming) -> Iterator[Reading]:
    parts = []
    for number, one in enumerate(by_topic(event.partitions, lambda one: one.topic)):
        m, p = (event.line, number), (one.topic, one.partition)
        cells = partition_cells(controller, p) | {
            at(k.sent, m): True,
            at(k.from_, m): event.broker,
            at(k.from_epoch, m): event.broker_epoch,
            at(k.about, m): p,
            at(k.from_leader_epoch, m): one.leader_epoch,
            at(k.from_partition_epoch, m): one.partition_epoch,
            at(k.wanted, m): one.isr,
            at(k.wanted_recovery, m): k.Recovery(one.recovery),
        }
        cells |= {at(k.member_epoch, m, x): epoch for x, epoch in zip(one.isr, one.epochs, strict=False)}
        parts.append(Part("AlterPartition", {"m": m, "b": event.broker, "p": p}, cells))
    yield Reading(tuple(parts))


_ELECTIONS = {"PREFERRED": "ElectPreferred", "UNCLEAN": "ElectUnclean"}


def _elect(event: trace.ElectLeaders, controller: Asked, upcoming: Upcoming) -> Iterator[Reading]:
    kind = _ELECTIONS.get(event.type)
    if kind is None:
        raise ValueError(f"elections of type {event.type}")
    if of_all(event):
        every = [p for p in controller.domains["Partition"] if controller.read(k.exists_.state, (p,))]
        yield Reading(tuple(Part(kind, {"p": p}) for p in every), unordered=True)
        return
    parts = []
    for name, number in by_topic(event.partitions or (), lambda one: one[0]):
        p = (topic_named(controller, name) or "", number)
        parts.append(Part(kind, {"p": p}, partition_cells(controller, p)))
    yield Reading(tuple(parts))


def of_all(event: trace.ElectLeaders) -> bool:
    """Whether the request named no partitions, so that all were meant: the answers are others than those named."""
    return event.partitions is None or len(event.partitions) != len(event.answers)


def _elected(event: trace.ElectLeaders, outcome: Outcome) -> dict[str, Any]:
    """Return the answers of an election; for all partitions those that need none are left out, in any order."""
    found = [part.error for part in outcome.parts]
    if of_all(event):
        found = sorted(error for error in found if error != "ELECTION_NOT_NEEDED")
    return {"error": "NONE", "answers": tuple(found)}


def _recorded_election(event: trace.ElectLeaders) -> dict[str, Any]:
    return {"error": event.error, "answers": tuple(sorted(event.answers)) if of_all(event) else event.answers}


def _reassign(event: trace.AlterPartitionReassignments, controller: Asked, upcoming: Upcoming) -> Iterator[Reading]:
    p = (topic_named(controller, event.name) or "", event.partition)
    cells = partition_cells(controller, p)
    if event.replicas is None:
        yield Reading((Part("CancelReassignment", {"p": p}, cells),))
    else:
        params = {"p": p, "target": event.replicas, "may_resize": event.may_resize is not False}
        yield Reading((Part("Reassign", params, cells),))


def _assign(event: trace.AssignReplicasToDirs, controller: Asked, upcoming: Upcoming) -> Iterator[Reading]:
    """The tables answer the request as a whole; a replica that the broker does not have is answered by itself.

    They take a replica to be named once: where it is named again, that is a part of its own, asked in the same state.
    """
    found, named = [], list[dict[CellKey, Any]]()
    for one in event.directories:
        p = (one.topic, one.partition)
        known = p in controller.domains["Partition"] and controller.read(k.exists_.state, (p,))
        if not controller.read(k.live.state, (one.topic,)):
            found.append("UNKNOWN_TOPIC_ID")
        elif not known:
            found.append("UNKNOWN_TOPIC_OR_PARTITION")
        elif event.broker not in controller.read(k.replicas.state, (p,)):
            found.append("NOT_LEADER_OR_FOLLOWER")
        else:
            found.append("NONE")
        cells = next((cells for cells in named if at(assigns, p) not in cells), None)
        if cells is None:
            named.append(cells := {})
        cells |= partition_cells(controller, p) | {at(assigns, p): True, at(assigned, p): one.directory}
    params = {"b": event.broker, "broker_epoch": event.broker_epoch}
    parts = tuple(Part("AssignReplicasToDirs", params, cells) for cells in named or ({},))
    several = len(parts) > 1
    yield Reading(
        parts, unordered=several, apart=several, others={assigns.state: False}, told={"answers": tuple(found)}
    )


def _assigned(event: trace.AssignReplicasToDirs, outcome: Outcome) -> dict[str, Any]:
    error = outcome.parts[0].error
    return {"error": error, "answers": outcome.told["answers"] if error == "NONE" else ()}


# -- features and controllers ------------------------------------------------------------------------------------------
def _update(event: trace.UpdateFeatures, controller: Asked, upcoming: Upcoming) -> Iterator[Reading]:
    """Read the update; the brokers' static min.insync.replicas is no column: only the record that writes it has it."""
    size = next((one.values["value"] for one in upcoming if one is not None and one.record is CLUSTER_MIN_INSYNC), 1)
    return update(event, controller, size)


def update(event: trace.UpdateFeatures, controller: Asked, static_min: int) -> Iterator[Reading]:
    """Read an update for a static min.insync.replicas of the controllers."""
    if len(event.updates) != 1:
        raise ValueError("several features at once")
    ((feature, level, way),) = event.updates
    params = {"f": feature, "to": level, "way": Direction(way), "static_min": static_min}
    for cells in _of_raft(event.kraft_version, controller):
        yield Reading((Part("UpdateFeature", params, cells),), only_validates=bool(event.validate_only))


def _register_controller(
    event: trace.ControllerRegistration, controller: Asked, upcoming: Upcoming
) -> Iterator[Reading]:
    params = {"c": event.controller, "i": event.incarnation, "ranges": frozenset(starmap(as_range, event.features))}
    for cells in _of_raft(None, controller):
        yield Reading((Part("RegisterController", params, cells),))


def _retire(event: trace.UnregisterController, controller: Asked, upcoming: Upcoming) -> Iterator[Reading]:
    """Read the request; without a column for the active controller, it may be the one that is named, or another."""
    told = (False, True) if event.active is None else (event.active == event.controller,)
    for itself in told:
        yield Reading((Part("UnregisterController", {"c": event.controller, "itself": itself}),))


DIRECTORIES = METADATA_VERSION_LEVELS["3.7-IV2"]

HEARTBEATS = ("Heartbeat", "ExpiredHeartbeat", "HeartbeatWithOfflineDirectories")
"""The events of the tables that a heartbeat is, whatever it reports of directories beside."""

ADAPTERS: dict[str, Adapter] = {
    **TOPICS,
    **CONFIGURATIONS,
    **SECURITY,
    "UpdateFeatures": Adapter(("UpdateFeature",), _update),
    "ControllerRegistration": Adapter(("RegisterController",), _register_controller),
    "UnregisterController": Adapter(("UnregisterController",), _retire),
    "BrokerRegistration": Adapter(
        ("RegisterBroker",), _registration, _registered, recorded(brokerEpoch="broker_epoch")
    ),
    "BrokerHeartbeat": Adapter(
        (*HEARTBEATS, "OfflineDirectories", "CordonedDirectories"),
        _heartbeat,
        _heartbeat_answer,
        recorded(isCaughtUp="is_caught_up", isFenced="is_fenced", shouldShutDown="should_shut_down"),
    ),
    "UnregisterBroker": Adapter(("UnregisterBroker",), _unregister, in_front=frozenset(("POLICY_VIOLATION",))),
    "AllocateProducerIds": Adapter(
        ("AllocateProducerIds",),
        _allocate,
        _block,
        lambda event: {"error": event.error, "end": event.start + event.length},
    ),
    "AlterPartition": Adapter(("AlterPartition",), _alter, errors, recorded("answers")),
    "AlterPartitionReassignments": Adapter(("Reassign", "CancelReassignment"), _reassign, errors, recorded("answers")),
    "AssignReplicasToDirs": Adapter(("AssignReplicasToDirs",), _assign, _assigned, recorded("answers")),
    "ElectLeaders": Adapter(
        tuple(_ELECTIONS.values()),
        _elect,
        _elected,
        _recorded_election,
        in_front=frozenset(("POLICY_VIOLATION", "INVALID_REQUEST")),
    ),
}
"""The adapters by the name of the request."""

ELSEWHERE = frozenset(
    ("UpdateFeatures", "LegacyAlterConfigs", "ControllerRegistration", "UnregisterController", *SECURITY)
)
"""Requests of controllers and of administrators that a trace of brokers does not hold: their records may be in the
log of a trace that holds none of them."""
