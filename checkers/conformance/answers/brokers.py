"""Adapters for the heartbeats and the registrations of a broker."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import starmap
from typing import Any

from fencepost.checkers.conformance.requests.adapting import as_range, at
from fencepost.model.kraft import state as k
from fencepost.model.kraft.levels import METADATA_VERSION_LEVELS
from fencepost.model.kraft.protocol import KRAFT
from fencepost.model.language.interpreter import CellKey

from .judge import Answered, Kind, Question, asked
from .shared import COLUMNS, FEATURES, TRUTH, cell, known, partition, records, same

_BROKERS = (1, 2, 3)

# -- broker-heartbeat --------------------------------------------------------------------------------------------------
_EPOCH = 7
_LAST_OFFSET = 70
"""The offset at which a controlled shutdown begins: where the recorded results end."""


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
    params = {
        "b": 1,
        "broker_epoch": _EPOCH,
        "off": line["off"],
        "want_fence": line["wantFence"],
        "want_down": line["wantShutDown"],
    }
    return asked("Heartbeat", params, cells)


def _tell_heartbeat(line: Mapping[str, Any], found: Answered) -> Mapping[str, Any]:
    reply = found.replies()
    return {
        "cur": reply["current"].value,
        "next": found.part.answer.value,
        "caughtUp": reply["caught_up"],
        "fenced": reply["fenced"],
        "ics": reply["in_controlled_shutdown"],
        "shutDown": reply["shut_down"],
        "csOffAfter": reply["shutdown_offset"],
        "atomic": reply["atomic"],
        "recs": records(found),
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
"""A broker's features, by the recorded word and the finalized level: name, lowest and highest level."""


def _partition_of(line: Mapping[str, Any]) -> Mapping[str, Any]:
    if line["existing"] == "NONE":
        rest: dict[str, Any] = {"rep": [2, 3], "isr": [2, 3], "ld": 2}
    elif line["existing"] == "UNFENCED":
        rest = {"rep": [1, 2, 3], "isr": [1, 2], "ld": 1}
    else:
        rest = {"rep": [1, 2, 3], "isr": [2], "ld": 2, "elr": [1] if line["E"] == 1 else []}
    return {"mv": line["mv"], "E": line["E"], "min": 2, **rest}


def _ask_registration(line: Mapping[str, Any]) -> Question:
    told = frozenset(starmap(as_range, _RANGES[line["features"]](METADATA_VERSION_LEVELS[line["mv"]])))
    directories = _DIRECTORIES[line["dirs"]]
    cells = partition(_partition_of(line)) | {cell(k.log_end): line["next"] - 1}
    cells |= {at(k.directories, 2): frozenset((_TAKEN,))}
    for broker in (2, 3):
        cells[at(k.registered, broker)] = True
    if line["existing"] != "NONE":
        cells |= _stored(line)
    params = {
        "b": 1,
        "i": "same" if line["sameIncarnation"] else "other",
        "previous_epoch": line["previousEpoch"],
        "tells_previous_epoch": line["detect"],
        "dirs": directories,
        "ranges": told,
        "same_cluster": line["cluster"],
        "migrates": line["zk"],
    }
    return asked("RegisterBroker", params, cells)


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


def _tell_registration(line: Mapping[str, Any], found: Answered) -> Mapping[str, Any]:
    error = found.outcome.thrown or found.part.error
    if error != "NONE":
        return {"error": error}
    reply = found.replies()
    return {"error": error, "epoch": reply["epoch"], "atomic": reply["atomic"], "recs": records(found)}


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
