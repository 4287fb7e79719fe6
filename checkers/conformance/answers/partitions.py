"""Lines about one partition: the partition change builder by itself, and AlterPartition requests."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fencepost.checkers.conformance.requests.adapting import at
from fencepost.model.kraft import state as k
from fencepost.model.kraft.builder import BUILDER, Election
from fencepost.model.kraft.protocol import KRAFT
from fencepost.traces.events import AlterPartition, Proposal

from .judge import Answered, Kind, Question, asked, put, sent
from .records import partition_change, records_of_one_partition, same, same_field
from .state import ONE_PARTITION, PARTITION, TOPIC, TRUTH, Line, any_in, registered, with_one_partition


# -- partition-change-builder ------------------------------------------------------------------------------------------
def _ask_builder(line: Line) -> Question:
    params = {
        "p": PARTITION,
        "target_isr": tuple(line.get("tIsr", line["isr"])),
        "acceptable": frozenset(line["acc"]),
        "lost": frozenset(line.get("un", ())),
        "election": Election(line["el"]),
        "target": tuple(line.get("tRep", line["rep"])),
        "target_removing": frozenset(line.get("tRem", line.get("rem", ()))),
        "target_adding": frozenset(line.get("tAdd", line.get("add", ()))),
        "target_recovery": k.Recovery(line.get("tRec", line.get("rec", 0))),
    }
    return asked("Build", params, with_one_partition(line))


def _tell_builder(line: Line, found: Answered) -> Mapping[str, Any]:
    return partition_change(found.records[0]) if found.records else {"out": None}


PARTITION_CHANGE_BUILDER = Kind(
    "partition-change-builder",
    BUILDER,
    _ask_builder,
    _tell_builder,
    same=same_field,
    columns=ONE_PARTITION | any_in("s", "tIsr", "tRep", "tRem", "tAdd", "un", "tRec", "acc") | {"el": ("P", "O", "U")},
)


# -- alter-partition ---------------------------------------------------------------------------------------------------
def _ask_alter(line: Line) -> Question:
    cells = with_one_partition(line)
    for broker, (word, epoch) in enumerate(line["brokers"], 1):
        cells |= registered(broker, word, epoch)
    cells |= {
        at(k.own_unclean, TOPIC): True,
        at(k.unclean, TOPIC): line["unclean"],
        at(k.leader_epoch, PARTITION): line["le"],
        at(k.partition_epoch, PARTITION): line["pe"],
    }
    # A request of version 2 carries no epochs of the members: none is checked.
    epochs = line.get("newIsrEpochs") or [-1] * len(line["newIsr"])
    proposal = Proposal(
        topic=TOPIC if line["topicKnown"] else "other",
        partition=line["p"],
        leader_epoch=line["rle"],
        partition_epoch=line["rpe"],
        isr=tuple(line["newIsr"]),
        epochs=tuple(epoch for _, epoch in zip(line["newIsr"], epochs, strict=True)),
        recovery=line["rrec"],
    )
    return put(sent(AlterPartition, broker=line["from"], broker_epoch=line["fromEpoch"], partitions=(proposal,)), cells)


def _tell_alter(line: Line, found: Answered) -> Mapping[str, Any]:
    reply, error = found.replies(), found.part.error
    if reply["whole_request"]:
        return {"topError": error}
    told: dict[str, Any] = {"error": error, "recs": records_of_one_partition(found)}
    if error == "NONE":
        leader = reply["leader"]
        told |= {
            "ld": -1 if leader is None else leader,
            "le": reply["leader_epoch"],
            "isr": list(reply["isr"]),
            "rec": reply["recovery"].value,
            "pe": reply["partition_epoch"],
        }
    return told


_REQUEST = ("brokers", "le", "pe", "rv", "from", "fromEpoch", "p", "rle", "rpe", "newIsr", "newIsrEpochs", "rrec")

ALTER_PARTITION = Kind(
    "alter-partition",
    KRAFT,
    _ask_alter,
    _tell_alter,
    same=same,
    columns=ONE_PARTITION | any_in(*_REQUEST) | {"unclean": TRUTH, "topicKnown": TRUTH},
)
