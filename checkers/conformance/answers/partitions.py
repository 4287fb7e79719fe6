"""Adapters for the partition change builder by itself, and for AlterPartition requests."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fencepost.checkers.conformance.requests.adapting import at
from fencepost.model.kraft import state as k
from fencepost.model.kraft.builder import BUILDER, Election
from fencepost.model.kraft.protocol import KRAFT

from .judge import Answered, Kind, Question, asked
from .shared import COLUMNS, PARTITION, REQUEST, TOPIC, TRUTH, partition, partition_change, records, same, same_field


# -- partition-change-builder ------------------------------------------------------------------------------------------
def _ask_builder(line: Mapping[str, Any]) -> Question:
    target = tuple(line.get("tRep", line["rep"]))
    params = {
        "p": PARTITION,
        "target_isr": tuple(line.get("tIsr", line["isr"])),
        "acceptable": frozenset(line["acc"]),
        "lost": frozenset(line.get("un", ())),
        "election": Election(line["el"]),
        "target": target,
        "target_removing": frozenset(line.get("tRem", line.get("rem", ()))),
        "target_adding": frozenset(line.get("tAdd", line.get("add", ()))),
        "target_recovery": k.Recovery(line.get("tRec", line.get("rec", 0))),
    }
    return asked("Build", params, partition(line))


def _tell_builder(line: Mapping[str, Any], found: Answered) -> Mapping[str, Any]:
    return partition_change(found.records[0]) if found.records else {"out": None}


PARTITION_CHANGE_BUILDER = Kind(
    "partition-change-builder",
    BUILDER,
    _ask_builder,
    _tell_builder,
    same=same_field,
    columns=COLUMNS | frozenset(["s", "tIsr", "tRep", "tRem", "tAdd", "un", "tRec", "acc", "el"]),
    words={"E": (0, 1), "el": ("P", "O", "U")},
)

# -- alter-partition ---------------------------------------------------------------------------------------------------
_STATES = ("UNREGISTERED", "FENCED", "ACTIVE", "ICS")
_OTHER_PARTITION, _OTHER_TOPIC = "other p", "other t"


def _ask_alter(line: Mapping[str, Any]) -> Question:
    cells = partition(line)
    for broker, (state, epoch) in enumerate(line["brokers"], 1):
        if state not in _STATES:
            raise ValueError(f"a broker is {', '.join(_STATES)}, not {state}")
        if state != "UNREGISTERED":
            cells[at(k.registered, broker)] = True
            cells[at(k.epoch, broker)] = epoch
            cells[at(k.fenced, broker)] = state == "FENCED"
            cells[at(k.ics, broker)] = state == "ICS"
    here = line["topicKnown"] and line["p"] == 0
    about = PARTITION if here else _OTHER_PARTITION
    cells |= {
        at(k.own_unclean, TOPIC): True,
        at(k.unclean, TOPIC): line["unclean"],
        at(k.leader_epoch, PARTITION): line["le"],
        at(k.partition_epoch, PARTITION): line["pe"],
        at(k.topic, _OTHER_PARTITION): TOPIC if line["topicKnown"] else _OTHER_TOPIC,
        at(k.index, _OTHER_PARTITION): line["p"],
        at(k.sent, REQUEST): True,
        at(k.from_, REQUEST): line["from"],
        at(k.from_epoch, REQUEST): line["fromEpoch"],
        at(k.about, REQUEST): about,
        at(k.from_leader_epoch, REQUEST): line["rle"],
        at(k.from_partition_epoch, REQUEST): line["rpe"],
        at(k.wanted, REQUEST): tuple(line["newIsr"]),
        at(k.wanted_recovery, REQUEST): k.Recovery(line["rrec"]),
    }
    # A request of version 2 carries no epochs of the members: none is checked.
    epochs = line.get("newIsrEpochs") or [-1] * len(line["newIsr"])
    for member, epoch in zip(line["newIsr"], epochs, strict=True):
        cells[at(k.member_epoch, REQUEST, member)] = epoch
    params = {"m": REQUEST, "b": line["from"], "p": about}
    return asked("AlterPartition", params, cells)


def _tell_alter(line: Mapping[str, Any], found: Answered) -> Mapping[str, Any]:
    reply = found.replies()
    if reply["whole_request"]:
        return {"topError": found.part.error}
    told: dict[str, Any] = {"error": found.part.error, "recs": records(found)}
    if told["error"] == "NONE":
        leader = reply["leader"]
        told |= {
            "ld": -1 if leader is None else leader,
            "le": reply["leader_epoch"],
            "isr": list(reply["isr"]),
            "rec": reply["recovery"].value,
            "pe": reply["partition_epoch"],
        }
    return told


ALTER_PARTITION = Kind(
    "alter-partition",
    KRAFT,
    _ask_alter,
    _tell_alter,
    same=same,
    columns=COLUMNS
    | frozenset(
        [
            "unclean",
            "brokers",
            "le",
            "pe",
            "rv",
            "from",
            "fromEpoch",
            "topicKnown",
            "p",
            "rle",
            "rpe",
            "newIsr",
            "newIsrEpochs",
            "rrec",
        ]
    ),
    words={"E": (0, 1), "unclean": TRUTH, "topicKnown": TRUTH},
)
