"""Why a controller is a voter of its quorum, an observer, or gone: each record of its log that says something of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fencepost.checkers.conformance.records.control_records import leader_of
from fencepost.checkers.conformance.records.voters import Voters, VotersChange
from fencepost.checkers.verdicts import Refusal
from fencepost.traces import Batch, ControlRecord, MetadataLog, Record, Snapshot
from fencepost.traces.record_types import LEADER_CHANGE, REGISTER_CONTROLLER_RECORD, UNREGISTER_CONTROLLER_RECORD

from .about import some
from .moments import iso

JOINS = (
    "kafka-metadata-quorum add-controller, or the controller itself (controller.quorum.auto.join.enable): the log does "
    "not tell which"
)
LEAVES = "kafka-metadata-quorum remove-controller, or a request of the same kind: who sent it is not in the log"
STARTS = "a start of the controller's process, which registers with the active one"


def why_controller(log: MetadataLog, offset: int, snapshot: Snapshot | None, controller: int) -> dict[str, Any]:
    """Return what became of a controller up to an offset as a JSON document: the oldest link first.

    `snapshot` is the one that the state at the log's beginning is of. Raises `Refusal` for a controller that the log
    does not name.
    """
    voters = Voters() if snapshot is None else Voters.of_snapshot(snapshot.batches)
    known, registered = set(voters.ids), set[int]()
    if snapshot is not None:
        registered |= {one.data["controllerId"] for one in snapshot.records_of((REGISTER_CONTROLLER_RECORD,))}
    links: list[dict[str, Any]] = []
    began: list[dict[str, Any]] = []
    leader: int | None = None
    begins = 0 if snapshot is None else snapshot.end_offset
    for batch, record in _records(log, begins, offset):
        words, cause = "", ""
        if isinstance(record, ControlRecord):
            before = len(voters.changes)
            voters.note(record)
            if record.type == LEADER_CHANGE:
                leader = leader_of(record)
                known.update(one for one in (leader, *voters.named) if one is not None)
                words = f"leads epoch {batch.epoch}" if leader == controller else ""
            for change in voters.changes[before:]:
                known.update(change.voters)
                words, cause = _of_change(change, controller, voters)
        else:
            who = record.data.get("controllerId")
            known.add(who if isinstance(who, int) else -1)
            if who == controller:
                is_new = record.type == REGISTER_CONTROLLER_RECORD
                words = ("registers again" if who in registered else "registers") if is_new else "is unregistered"
                cause = STARTS if is_new else "a request to unregister the controller: who sent it is not in the log"
                (registered.add if is_new else registered.discard)(controller)
        if words:
            links.append(_link(record, controller, words))
        if cause:
            began.append({
                "offset": record.offset, "name": f"controller {controller}", "certain": False,
                "may_come_from": [cause],
            })  # fmt: skip
    known |= registered
    if controller not in known:
        named = some(sorted(one for one in known if one >= 0))
        raise Refusal(f"{log.path}: nothing is said of controller {controller}; the controllers are {named}")
    return {
        "entity": {"sort": "controller", "name": str(controller)},
        "state": {
            "voter": controller in voters.ids,
            "voters": list(voters.ids),
            "registered": controller in registered,
            "leads": leader == controller,
        },
        "chain": links,
        "began": began,
        "rows": {},
    }


def _records(log: MetadataLog, begins: int, offset: int) -> Iterator[tuple[Batch, Record | ControlRecord]]:
    types = (REGISTER_CONTROLLER_RECORD, UNREGISTER_CONTROLLER_RECORD)
    for batch in log.batches:
        found: list[Record | ControlRecord] = [*batch.control_records, *batch.records_of(types)]
        yield from ((batch, record) for record in found if begins <= record.offset <= offset)


def _of_change(change: VotersChange, controller: int, voters: Voters) -> tuple[str, str]:
    """Return what a change of the voters does to a controller, and what it may come from; both empty for nothing."""
    ids = " ".join(map(str, change.voters))
    if controller in change.joined:
        if change.first:
            return f"is a voter as the quorum begins: {ids}", ""
        return f"becomes a voter{voters.again(controller, change)}: {ids}", JOINS
    if controller in change.left:
        return f"is no voter any more: {ids}", LEAVES
    if controller in change.moved:
        return "votes with another log directory", "its metadata directory was formatted anew"
    if controller in change.reached:
        return "has other endpoints", "an UpdateVoter request of the controller"
    return "", ""


def _link(record: Record | ControlRecord, controller: int, words: str) -> dict[str, Any]:
    time = record.timestamp if record.timestamp >= 0 else None
    return {
        "offset": record.offset,
        "sort": "controller",
        "name": str(controller),
        "words": f"controller {controller} {words}",
        "timestamp": time,
        "time": iso(time),
        "rows": [],
        "findings": [],
        "same_result": [],
    }
