"""Lines about a broker: its heartbeats, its registrations, and blocks of producer ids."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from fencepost.checkers.conformance.requests.adapting import at
from fencepost.model.kraft import state as k
from fencepost.model.kraft.cluster_records import PRODUCER_IDS as BLOCK
from fencepost.model.kraft.levels import METADATA_VERSION_LEVELS
from fencepost.model.kraft.protocol import KRAFT
from fencepost.model.language import Valuation, World
from fencepost.model.language.interpreter import CellKey
from fencepost.model.language.terms import Lit
from fencepost.traces.events import AllocateProducerIds, BrokerHeartbeat, BrokerRegistration

from .judge import Answered, Kind, Question, Replay, put, sent
from .records import records, same
from .state import CONTROLLER, LEVELS, ONE_PARTITION, TRUTH, Line, any_in, cell, known, with_one_partition

_BROKERS = (1, 2, 3)

# -- broker-heartbeat --------------------------------------------------------------------------------------------------
_EPOCH = 7
_LAST_OFFSET = 70
"""The offset at which a controlled shutdown begins: where the recorded results end."""


def _ask_heartbeat(line: Line) -> Question:
    fenced, others_fenced = line["st"].startswith("FENCED"), line["otherMin"] == -1
    cells = with_one_partition({"E": 0, "min": 1, **line})
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
    heartbeat = sent(
        BrokerHeartbeat,
        broker=1,
        broker_epoch=_EPOCH,
        offset=line["off"],
        want_fence=line["wantFence"],
        want_shut_down=line["wantShutDown"],
    )
    return put(heartbeat, cells)


def _tell_heartbeat(line: Line, found: Answered) -> Mapping[str, Any]:
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
    columns=ONE_PARTITION
    | any_in("off", "regOff", "csOff", "otherMin")
    | {"st": ("FENCED", "UNFENCED", "CS", "UNFENCED_ICS", "FENCED_ICS"), "wantFence": TRUTH, "wantShutDown": TRUTH},
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
_METADATA_VERSION, _ELR = known(k.metadata_version), known(k.elr_version)
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


def _partition_of(line: Line) -> Line:
    if line["existing"] == "NONE":
        rest: dict[str, Any] = {"rep": [2, 3], "isr": [2, 3], "ld": 2}
    elif line["existing"] == "UNFENCED":
        rest = {"rep": [1, 2, 3], "isr": [1, 2], "ld": 1}
    else:
        rest = {"rep": [1, 2, 3], "isr": [2], "ld": 2, "elr": [1] if line["E"] == 1 else []}
    return {"mv": line["mv"], "E": line["E"], "min": 2, **rest}


def _ask_registration(line: Line) -> Question:
    cells = with_one_partition(_partition_of(line)) | {cell(k.log_end): line["next"] - 1}
    cells |= {at(k.directories, 2): frozenset((_TAKEN,))}
    for broker in (2, 3):
        cells[at(k.registered, broker)] = True
    if line["existing"] != "NONE":
        cells |= _stored(line)
    registration = sent(
        BrokerRegistration,
        broker=1,
        incarnation="same" if line["sameIncarnation"] else "other",
        previous_epoch=line["previousEpoch"],
        tells_previous_epoch=line["detect"],
        directories=_DIRECTORIES[line["dirs"]],
        features=_RANGES[line["features"]](METADATA_VERSION_LEVELS[line["mv"]]),
        same_cluster=line["cluster"],
        migrates=line["zk"],
    )
    return put(registration, cells)


def _stored(line: Line) -> dict[CellKey, Any]:
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


def _tell_registration(line: Line, found: Answered) -> Mapping[str, Any]:
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
    columns=LEVELS
    | any_in("storedEpoch", "previousEpoch", "next")
    | dict.fromkeys(("sameIncarnation", "session", "detect", "zk", "cluster"), TRUTH)
    | {
        "existing": ("NONE", "FENCED", "UNFENCED", "UNFENCED_ICS", "FENCED_ICS"),
        "dirs": tuple(_DIRECTORIES),
        "features": tuple(_RANGES),
    },
)

# -- producer-ids ------------------------------------------------------------------------------------------------------
_REGISTERED = 1
_REFUSED = "RuntimeException"
"""The names of Kafka's refusals of a record that it replays."""


def _ask_producer_ids(line: Line) -> Question | Replay:
    if line["op"] == "allocate":
        return _allocate(line)
    if line["op"] == "replay2":
        writes = tuple(
            BLOCK(Lit(_REGISTERED, k.BROKER), epoch=Lit(0, k.OFFSET), next=Lit(int(line[name]), k.PRODUCER_ID))
            for name in ("first", "second")
        )
        return Replay(writes, {}, World({}, {}))
    raise ValueError(f"op is allocate or replay2, not {line['op']}")


def _allocate(line: Line) -> Question:
    cells: dict[CellKey, Any] = CONTROLLER | {
        at(k.registered, _REGISTERED): True,
        at(k.fenced, _REGISTERED): line["brokerFenced"],
        at(k.epoch, _REGISTERED): line["storedEpoch"],
    }
    # Where the record of the stored id was itself refused, none is stored.
    if line["next"] is not None and line.get("setup", "ok") == "ok":
        cells |= {cell(k.next_producer_id): int(line["next"]), cell(k.producer_ids_begun): True}
    return put(sent(AllocateProducerIds, broker=line["broker"], broker_epoch=line["epoch"]), cells)


def _tell_producer_ids(line: Line, found: Answered) -> Mapping[str, Any]:
    error = found.part.error
    if error != "NONE":
        return {"error": error}
    reply = found.replies()
    return {
        "error": error,
        "first": str(reply["first"]),
        "size": reply["size"],
        "atomic": reply["atomic"],
        "recs": records(found),
    }


def _tell_replay(line: Line, refused: tuple[str, ...], after: Valuation) -> Mapping[str, Any]:
    first, second = (_REFUSED if by else "ok" for by in refused)
    return {"first": first, "second": second, "nextBlockFirst": str(after.read(*cell(k.next_producer_id)))}


PRODUCER_IDS = Kind(
    "producer-ids",
    KRAFT,
    _ask_producer_ids,
    _tell_producer_ids,
    same=same,
    tell_replay=_tell_replay,
    columns=any_in("next", "setup", "broker", "storedEpoch", "epoch", "epochIs", "first", "second")
    | {"op": ("allocate", "replay2"), "brokerFenced": TRUTH},
)
