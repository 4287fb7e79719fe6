"""Adapters for the heartbeats and the registrations of a broker."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from fencepost.model.kraft import state as k
from fencepost.model.kraft.levels import METADATA_VERSION_LEVELS
from fencepost.model.kraft.protocol import KRAFT
from fencepost.model.language import Execution
from fencepost.model.language.interpreter import CellKey, Evaluation

from .judge import Kind, Question
from .shared import (
    COLUMNS,
    FEATURES,
    RESERVED,
    TRUTH,
    at,
    cell,
    event_named,
    known,
    partition,
    records,
    replies,
    same,
    world,
)

_BROKERS = (1, 2, 3)

# -- broker-heartbeat --------------------------------------------------------------------------------------------------
_BEATS = {var.name: var for var in event_named(KRAFT, "Heartbeat").params}
_EPOCH = 7
_LAST_OFFSET = 70
"""Where the recorded results end: the offset at which a controlled shutdown begins."""


def _ask_heartbeat(line: Mapping[str, Any]) -> Question:
    fenced, others_fenced = line["st"].startswith("FENCED"), line["otherMin"] == -1
    cells = partition({"E": 0, "min": 1, **line})
    for broker in _BROKERS:
        cells[at(k.registered, broker)] = True
        cells[at(k.epoch, broker)] = _EPOCH
    cells |= {
        cell(k.log_end): _LAST_OFFSET - 1,
        at(k.fenced, 1): fenced,
        at(k.soft_fenced, 1): fenced,
        at(k.ics, 1): line["st"] == "CS" or line["st"].endswith("_ICS"),
        at(k.shutdown_offset, 1): line["csOff"],
        at(k.registration_offset, 1): line["regOff"],
    }
    for broker, more in ((2, 0), (3, 5)):
        cells[at(k.fenced, broker)] = cells[at(k.soft_fenced, broker)] = others_fenced
        cells[at(k.reported, broker)] = -1 if others_fenced else line["otherMin"] + more
    binding = {
        _BEATS["b"]: 1,
        _BEATS["broker_epoch"]: _EPOCH,
        _BEATS["off"]: line["off"],
        _BEATS["want_fence"]: line["wantFence"],
        _BEATS["want_down"]: line["wantShutDown"],
    }
    return Question("Heartbeat", binding, cells, world(_BROKERS))


def _tell_heartbeat(line: Mapping[str, Any], execution: Execution, evaluation: Evaluation) -> Mapping[str, Any]:
    reply = replies(execution, evaluation)
    return {
        "cur": reply["current"].value,
        "next": execution.answer.value,
        "caughtUp": reply["caught_up"],
        "fenced": reply["fenced"],
        "ics": reply["in_controlled_shutdown"],
        "shutDown": reply["shut_down"],
        "csOffAfter": reply["shutdown_offset"],
        "atomic": reply["atomic"],
        "recs": records(execution, evaluation),
    }


BROKER_HEARTBEAT = Kind(
    "broker-heartbeat",
    KRAFT,
    _ask_heartbeat,
    _tell_heartbeat,
    same=same,
    columns=COLUMNS | frozenset(["st", "wantFence", "wantShutDown", "off", "regOff", "csOff", "otherMin"]),
    words={
        "E": (0, 1),
        "st": ("FENCED", "UNFENCED", "CS", "UNFENCED_ICS", "FENCED_ICS"),
        "wantFence": TRUTH,
        "wantShutDown": TRUTH,
    },
)

# -- broker-registration -----------------------------------------------------------------------------------------------
_REGISTERS = {var.name: var for var in event_named(KRAFT, "RegisterBroker").params}
_FRESH, _TAKEN = ("fresh 1", "fresh 2"), "broker 2's"
_DIRECTORIES: dict[str, tuple[str, ...]] = {
    "ok": _FRESH,
    "empty": (),
    "reserved": (_FRESH[0], known(k.lost_directory)),
    "duplicate": (_FRESH[0], _FRESH[0]),
    "taken": (_FRESH[0], _TAKEN),
}
_METADATA_VERSION, _ELR = FEATURES
_ALL_LEVELS, _ELR_LEVELS = (_METADATA_VERSION, 7, 40), (_ELR, 0, 1)
_RANGES: dict[str, Callable[[int], tuple[tuple[str, int, int], ...]]] = {
    "ok": lambda level: (_ALL_LEVELS, _ELR_LEVELS),
    "mvMaxTooLow": lambda level: ((_METADATA_VERSION, 7, level - 1), _ELR_LEVELS),
    "mvMinTooHigh": lambda level: ((_METADATA_VERSION, level + 1, 40), _ELR_LEVELS),
    "noMv": lambda level: (_ELR_LEVELS,),
    "noElr": lambda level: (_ALL_LEVELS,),
    "elrMaxZero": lambda level: (_ALL_LEVELS, (_ELR, 0, 0)),
}
"""What a broker says that it can do, by the recorded word and the finalized level: name, lowest and highest level."""


def _partition_of(line: Mapping[str, Any]) -> Mapping[str, Any]:
    if line["existing"] == "NONE":
        rest: dict[str, Any] = {"rep": [2, 3], "isr": [2, 3], "ld": 2}
    elif line["existing"] == "UNFENCED":
        rest = {"rep": [1, 2, 3], "isr": [1, 2], "ld": 1}
    else:
        rest = {"rep": [1, 2, 3], "isr": [2], "ld": 2, "elr": [1] if line["E"] == 1 else []}
    return {"mv": line["mv"], "E": line["E"], "min": 2, **rest}


def _ask_registration(line: Mapping[str, Any]) -> Question:
    told = {_struct(*one): one for one in _RANGES[line["features"]](METADATA_VERSION_LEVELS[line["mv"]])}
    directories = _DIRECTORIES[line["dirs"]]
    cells = partition(_partition_of(line)) | {cell(k.log_end): line["next"] - 1}
    cells |= {at(k.directories, 2): frozenset((_TAKEN,))}
    for broker in (2, 3):
        cells[at(k.registered, broker)] = True
    if line["existing"] != "NONE":
        cells |= _stored(line)
    for range_, (name, lowest, highest) in told.items():
        cells |= {at(k.range_feature, range_): name, at(k.lowest, range_): lowest, at(k.highest, range_): highest}
    binding = {
        _REGISTERS["b"]: 1,
        _REGISTERS["i"]: "same" if line["sameIncarnation"] else "other",
        _REGISTERS["previous_epoch"]: line["previousEpoch"],
        _REGISTERS["tells_previous_epoch"]: line["detect"],
        _REGISTERS["dirs"]: directories,
        _REGISTERS["ranges"]: frozenset(told),
        _REGISTERS["same_cluster"]: line["cluster"],
        _REGISTERS["migrates"]: line["zk"],
    }
    entities = world(
        _BROKERS,
        Directory=(*RESERVED, *_FRESH, _TAKEN),
        Range=tuple(told),
        Incarnation=("same", "other"),
    )
    return Question("RegisterBroker", binding, cells, entities)


def _struct(name: str, lowest: int, highest: int) -> tuple[tuple[str, Any], ...]:
    """A range as the entity that it is in a log: the struct's fields, sorted by name."""
    return ("maxSupportedVersion", highest), ("minSupportedVersion", lowest), ("name", name)


def _stored(line: Mapping[str, Any]) -> dict[CellKey, Any]:
    fenced = line["existing"].startswith("FENCED")
    return {
        at(k.registered, 1): True,
        at(k.epoch, 1): line["storedEpoch"],
        at(k.incarnation, 1): "same",
        at(k.fenced, 1): fenced,
        at(k.soft_fenced, 1): fenced,
        at(k.ics, 1): line["existing"].endswith("_ICS"),
        at(k.contact, 1): k.Contact.RECENT if line["session"] else k.Contact.EXPIRED,
    }


def _tell_registration(line: Mapping[str, Any], execution: Execution, evaluation: Evaluation) -> Mapping[str, Any]:
    if execution.throws:
        return {"error": execution.throws}
    if execution.answer.name != "NONE":
        return {"error": execution.answer.name}
    reply = replies(execution, evaluation)
    return {
        "error": execution.answer.name,
        "epoch": reply["epoch"],
        "atomic": reply["atomic"],
        "recs": records(execution, evaluation),
    }


BROKER_REGISTRATION = Kind(
    "broker-registration",
    KRAFT,
    _ask_registration,
    _tell_registration,
    same=same,
    columns=frozenset(
        [
            "mv",
            "E",
            "existing",
            "storedEpoch",
            "sameIncarnation",
            "session",
            "previousEpoch",
            "detect",
            "zk",
            "dirs",
            "features",
            "cluster",
            "next",
        ]
    ),
    words={
        "E": (0, 1),
        "existing": ("NONE", "FENCED", "UNFENCED", "UNFENCED_ICS", "FENCED_ICS"),
        "dirs": tuple(_DIRECTORIES),
        "features": tuple(_RANGES),
        **dict.fromkeys(("sameIncarnation", "session", "detect", "zk", "cluster"), TRUTH),
    },
)
