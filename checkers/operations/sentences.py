"""The words of a story: what became of partitions that went one way, and of a broker by one record."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fencepost.checkers.conformance.entities import members
from fencepost.checkers.conformance.frames import UNKNOWN
from fencepost.model.kraft.state import Recovery
from fencepost.traces.in_words import directory

from .results import Group, Head
from .watching import is_unclean
from .why import of_broker

COUNTED = {
    "created": ("is created", "are created"),
    "deleted": ("is deleted", "are deleted"),
    "leader_moved": ("gets another leader", "get another leader"),
    "leader_found": ("gets a leader again", "get a leader again"),
    "leaderless": ("is left without a leader", "are left without a leader"),
    "unclean": ("gets its leader by an unclean election", "get their leaders by unclean elections"),
    "recovered": ("has recovered from an unclean election", "have recovered from unclean elections"),
    "isr_shrank": ("has a smaller ISR", "have a smaller ISR"),
    "isr_grew": ("has a larger ISR", "have a larger ISR"),
    "isr_changed": ("has other replicas in the ISR", "have other replicas in the ISR"),
    "elr_changed": ("has another ELR", "have another ELR"),
    "reassignment_begun": ("begins to be reassigned", "begin to be reassigned"),
    "reassignment_over": ("is reassigned no longer", "are reassigned no longer"),
    "directory_changed": ("has a replica in another log directory", "have a replica in another log directory"),
}
"""What is counted of the partitions of an event, with its words for one and for many."""

OF_BROKERS = {"REGISTER_BROKER_RECORD", "BROKER_REGISTRATION_CHANGE_RECORD", "FENCE_BROKER_RECORD",
           "UNFENCE_BROKER_RECORD", "UNREGISTER_BROKER_RECORD"}  # fmt: skip
"""The types of record that say what becomes of a broker."""


def counted(count: int, noun: str) -> str:
    """Return a number and what it counts."""
    return f"{count:,} {noun}{'s' * (count != 1)}"


def of_broker_record(head: Head) -> str:
    """Return what a record makes of a broker."""
    assert head.bound is not None
    broker, data = head.bound.entities[0], head.record.data
    told = of_broker(head.changes)
    if head.record.type == "BROKER_REGISTRATION_CHANGE_RECORD" and data.get("logDirs"):
        lies = f"is left with the log directories {', '.join(map(directory, data['logDirs']))}"
        told = lies if told == UNCHANGED else f"{told} and {lies}"
    if told == UNCHANGED and data.get("cordonedLogDirs") is not None:
        told = f"tells its cordoned log directories: {', '.join(map(directory, data['cordonedLogDirs'])) or 'none'}"
    if told == UNCHANGED and data.get("fenced", 0) == 1:
        told = "is fenced once more"
    return f"broker {broker} {told}"


UNCHANGED = of_broker({})


def involved(group: Group) -> set[Any]:
    """The brokers that a change of partitions is about: of another leader, or in one of a list's two values only."""
    found: set[Any] = set()
    before, after = group.before, group.after
    if before["leader"] != after["leader"]:
        found |= {before["leader"], after["leader"]}
    for name in ("isr", "elr", "replicas", "adding", "removing"):
        found |= set(members(before[name])) ^ set(members(after[name]))
    return found | set(group.directories)


def kinds_of(group: Group) -> Iterator[str]:
    """What is counted of the partitions of a group."""
    before, after = group.before, group.after
    if before["exists"] is not True and after["exists"] is True:
        yield "created"
        if after["leader"] is None:
            yield "leaderless"
        return
    if before["exists"] is True and after["exists"] is not True:
        yield "deleted"
        return
    is_moved = before["replicas"] != after["replicas"]
    if before["leader"] != after["leader"]:
        yield (
            "leaderless" if after["leader"] is None else "leader_found" if before["leader"] is None else "leader_moved"
        )
        is_marked = before["recovery"] != after["recovery"] and after["recovery"] is Recovery.RECOVERING
        known = UNKNOWN not in (before["isr"], before["elr"], after["leader"])
        is_elected = after["leader"] is not None and known
        if is_elected and is_unclean(after["leader"], before["isr"], before["elr"], is_moved, is_marked):
            yield "unclean"
    if before["recovery"] is Recovery.RECOVERING and after["recovery"] is Recovery.RECOVERED:
        yield "recovered"
    left, came = (set(members(a)) - set(members(b)) for a, b in
                  ((before["isr"], after["isr"]), (after["isr"], before["isr"])))  # fmt: skip
    if left or came:
        yield "isr_changed" if left and came else "isr_shrank" if left else "isr_grew"
    if before["elr"] != after["elr"]:
        yield "elr_changed"
    was, is_now = (bool(members(one["adding"]) or members(one["removing"])) for one in (before, after))
    if was != is_now:
        yield "reassignment_begun" if is_now else "reassignment_over"
    if group.directories:
        yield "directory_changed"


def way(group: Group) -> str:
    """How a partition went, as short as the story of a simulated run: 1→2 the leader, [2 3] the ISR, {1} the ELR."""
    before, after = group.before, group.after
    kinds = set(kinds_of(group))
    told = []
    if "created" in kinds:
        told.append("is created:")
    if "deleted" in kinds:
        return "is deleted"
    if before["leader"] != after["leader"]:
        told.append(f"{_one(before['leader'])}→{_one(after['leader'])}")
    if before["isr"] != after["isr"] or before["elr"] != after["elr"]:
        elr = sorted(members(after["elr"]))
        told.append(f"[{_list(after['isr'])}]" + (f"{{{_list(elr)}}}" if elr else ""))
    if "unclean" in kinds:
        told.append("unclean")
    elif before["recovery"] != after["recovery"]:
        told.append("recovered" if "recovered" in kinds else "recovering")
    if "reassignment_begun" in kinds:
        pairs = (("adds", after["adding"]), ("removes", after["removing"]))
        moves = [f"{word} [{_list(sorted(members(value)))}]" for word, value in pairs if value]
        told.append(f"(reassignment begins: {', '.join(moves)})")
    if "reassignment_over" in kinds:
        told.append(f"(reassignment over: replicas [{_list(after['replicas'])}])")
    if "created" not in kinds:
        lies = ((broker, new) for broker, (_, new) in group.directories.items() if new is not None)
        told += [f"(on broker {broker} in directory {directory(new)})" for broker, new in lies]
    if not told and before["last_known"] != after["last_known"]:
        told.append(f"(last known leader [{_list(after['last_known'])}])")
    return " ".join(told) or "(epochs alone)"


def _one(broker: Any) -> str:
    return "–" if broker is None else "?" if broker is UNKNOWN else str(broker)


def _list(value: Any) -> str:
    return "?" if value is UNKNOWN else " ".join(map(str, value))
