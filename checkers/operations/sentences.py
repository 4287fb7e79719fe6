"""The words of a story: the change of partitions with equal transitions, and of a broker by one record."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from fencepost.checkers.conformance.classes.frames import UNKNOWN
from fencepost.checkers.conformance.explain.entities import members
from fencepost.model.kraft.state import Recovery
from fencepost.model.releases import NEWEST
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
    "candidates_gone": (
        "has no replica left that may lead cleanly (D33)",
        "have no replica left that may lead cleanly (D33)",
    ),
    "isr_shrank": ("has a smaller ISR", "have a smaller ISR"),
    "isr_grew": ("has a larger ISR", "have a larger ISR"),
    "isr_changed": ("has other replicas in the ISR", "have other replicas in the ISR"),
    "isr_reordered": ("has its ISR in another order", "have their ISRs in another order"),
    "elr_changed": ("has another ELR", "have another ELR"),
    "reassignment_begun": ("begins to be reassigned", "begin to be reassigned"),
    "reassignment_over": ("is reassigned no longer", "are reassigned no longer"),
    "reassignment_changed": ("is reassigned otherwise", "are reassigned otherwise"),
    "replicas_changed": ("has other replicas", "have other replicas"),
    "replicas_reordered": ("has its replicas in another order", "have their replicas in another order"),
    "recovering": ("is marked as recovering", "are marked as recovering"),
    "last_known_changed": ("has another last known leader", "have other last known leaders"),
    "directory_changed": ("has a replica in another log directory", "have a replica in another log directory"),
    "epochs_alone": ("changes in its epochs alone", "change in their epochs alone"),
}
"""Counted changes of the partitions of an event, with its words for one and for many."""


def of_broker_record(head: Head) -> str:
    """Return what a record makes of a broker."""
    assert head.bound is not None
    broker, data = head.bound.entities[0], head.record.data
    told = of_broker(head.changes)
    if head.record.type == "BROKER_REGISTRATION_CHANGE_RECORD" and data.get("logDirs"):
        lies = f"is left with the log directories {', '.join(map(directory, data['logDirs']))}"
        told = lies if told == UNCHANGED else f"{told} and {lies}"
    if told == UNCHANGED and data.get("cordonedLogDirs") is not None:
        told = f"reports its cordoned log directories: {', '.join(map(directory, data['cordonedLogDirs'])) or 'none'}"
    if told == UNCHANGED and data.get("fenced", 0) == 1:
        told = "is fenced once more"
    if told == UNCHANGED and "directories" in head.changes:
        told = f"has the log directories {', '.join(sorted(map(directory, members(head.changes['directories'].new))))}"
    elif told == UNCHANGED and head.changes:
        told = f"changes its registration: {', '.join(REGISTERED.get(name, name) for name in head.changes)}"
    return f"broker {broker} {told}"


UNCHANGED = of_broker({})

REGISTERED = {"incarnation": "another process", "ranges": "other features", "cordoned": "other cordoned directories",
              "cordon_known": "whether it reports cordoned directories"}  # fmt: skip
"""Further changes of a registration beside those that `of_broker` describes, by the cell."""


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
    """Yield the counted changes of a group's partitions: at least one."""
    before, after = group.before, group.after
    if before["exists"] is not True and after["exists"] is True:
        yield "created"
        if after["leader"] is None:
            yield "leaderless"
        return
    if before["exists"] is True and after["exists"] is not True:
        yield "deleted"
        return
    gone = _candidates_gone(before, after)
    alone = (
        "candidates_gone"
        if gone
        else "last_known_changed"
        if before["last_known"] != after["last_known"]
        else "epochs_alone"
    )
    yield from tuple(_changes_of(group)) or (alone,)


def _changes_of(group: Group) -> Iterator[str]:
    before, after = group.before, group.after
    is_marked = before["recovery"] != after["recovery"] and after["recovery"] is Recovery.RECOVERING
    is_moved, is_elected = before["replicas"] != after["replicas"], False
    if before["leader"] != after["leader"]:
        yield (
            "leaderless" if after["leader"] is None else "leader_found" if before["leader"] is None else "leader_moved"
        )
        known = UNKNOWN not in (before["isr"], before["elr"], after["leader"])
        is_elected = after["leader"] is not None and known
        if is_elected and is_unclean(after["leader"], before["isr"], before["elr"], is_moved, is_marked):
            yield "unclean"
            is_marked = False
    if before["recovery"] is Recovery.RECOVERING and after["recovery"] is Recovery.RECOVERED:
        yield "recovered"
    elif is_marked:
        yield "recovering"
    yield from _of_isr(before, after)
    if before["elr"] != after["elr"]:
        yield "elr_changed"
    if _candidates_gone(before, after):
        yield "candidates_gone"
    yield from _of_replicas(before, after)
    if group.directories:
        yield "directory_changed"


def _candidates_gone(before: Mapping[str, Any], after: Mapping[str, Any]) -> bool:
    """Whether a partition without a leader loses the last replica that may lead but by an unclean election (D33)."""
    if after["exists"] is not True or after["leader"] is not None or UNKNOWN in before.values():
        return False
    return bool(before["elr"] or before["last_known"]) and not any(after[one] for one in ("isr", "elr", "last_known"))


def _of_isr(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[str]:
    left, came = (set(members(a)) - set(members(b)) for a, b in
                  ((before["isr"], after["isr"]), (after["isr"], before["isr"])))  # fmt: skip
    if left or came:
        yield "isr_changed" if left and came else "isr_shrank" if left else "isr_grew"
    elif before["isr"] != after["isr"]:
        yield "isr_reordered"


def _of_replicas(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[str]:
    """Return the change of a reassignment; one that is over as soon as it is requested has replicas alone."""
    was, is_now = (bool(members(one["adding"]) or members(one["removing"])) for one in (before, after))
    is_same = set(members(before["replicas"])) == set(members(after["replicas"]))
    if was != is_now:
        yield "reassignment_begun" if is_now else "reassignment_over"
    elif is_now and any(before[name] != after[name] for name in ("adding", "removing")):
        yield "reassignment_changed"
    elif before["replicas"] != after["replicas"]:
        is_known = UNKNOWN not in (before["replicas"], after["replicas"])
        yield "replicas_reordered" if is_same else "reassignment_over" if is_known else "replicas_changed"
    elif any(before[name] != after[name] for name in ("adding", "removing")):
        yield "reassignment_changed"


def way(group: Group, registering: Collection[Any] = ()) -> str:
    """Return a partition's transition in the short form of a simulated run: 1→2 the leader, [2 3] the ISR, {1} the ELR.

    `registering` are the brokers whose registration is of the same result.
    """
    before, after = group.before, group.after
    kinds = set(kinds_of(group))
    told = []
    if "created" in kinds:
        told.append("is created:")
    if "deleted" in kinds:
        return "is deleted"
    if before["leader"] != after["leader"]:
        told.append(f"{_one(before['leader'])}→{_one(after['leader'])}")
    if before["isr"] != after["isr"]:
        told.append(f"[{_list(after['isr'])}]" + (_elr(after["elr"]) if members(after["elr"]) else ""))
    elif before["elr"] != after["elr"]:
        told.append(f"{_elr(before['elr'])}→{_elr(after['elr'])}")
    # A broker that stopped in good order stays an eligible leader replica.
    unclean = sorted((set(members(before["elr"])) - set(members(after["elr"]))) & set(registering))
    told += [f"({one} registers after an unclean shutdown)" for one in unclean]
    if "unclean" in kinds:
        told.append("unclean")
    elif before["recovery"] != after["recovery"]:
        told.append("recovered" if "recovered" in kinds else "recovering")
    pairs = (("adds", after["adding"]), ("removes", after["removing"]))
    moves = ", ".join(
        f"{word} [{_list(value if value is UNKNOWN else sorted(members(value)))}]" for word, value in pairs if value
    )
    if "reassignment_begun" in kinds:
        told.append(f"(reassignment begins: {moves})")
    if "reassignment_changed" in kinds:
        told.append(f"(reassignment changes: {moves or 'adds and removes none'})")
    if "reassignment_over" in kinds:
        told.append(f"(reassignment over: replicas [{_list(after['replicas'])}])")
    elif before["replicas"] != after["replicas"] and not kinds & {"created", "reassignment_begun"}:
        told.append(f"replicas [{_list(before['replicas'])}] → [{_list(after['replicas'])}]")
    if "created" not in kinds:
        lies = ((broker, new) for broker, (_, new) in group.directories.items() if broker in members(after["replicas"]))
        told += [f"(on broker {broker} in directory {directory(new)})" for broker, new in lies if new is not UNKNOWN]
    if "candidates_gone" in kinds:
        told.append("(no replica may lead now but by an unclean election: D33)")
    if not told and before["last_known"] != after["last_known"]:
        told.append(f"(last known leader [{_list(after['last_known'])}])")
    return " ".join(told) or "(epochs alone)"


def _one(broker: Any) -> str:
    return "–" if broker is None else "?" if broker is UNKNOWN else str(broker)


def _elr(value: Any) -> str:
    return f"{{{_list(value if value is UNKNOWN else sorted(members(value)))}}}"


def _list(value: Any) -> str:
    return "?" if value is UNKNOWN else " ".join(map(str, value))


def causes(event: Mapping[str, Any]) -> Iterator[str]:
    """Yield what an event of the document may come from, each with its rows, the most likely first.

    Nothing is yielded for what is no row's, or where rows were not evaluated.
    """
    if event["explained"] is False:
        yield f"no row of the tables of {NEWEST} explains it; see fencepost conform"
        return
    ids: dict[str, list[str]] = {}
    for row in event["rows"]:
        known = f" (finding {row['finding']})" if row["finding"] else ""
        ids.setdefault(row["event"], []).append(row["id"] + known)
    likely = event["likely"]
    chosen = set(likely["rows"]) if likely is not None else set()
    found = []
    for (name, rows), reason in zip(ids.items(), event["may_come_from"], strict=True):
        is_likely = bool(chosen.intersection(one.partition(" ")[0] for one in rows))
        first = [one for one in rows if not is_likely or one.partition(" ")[0] in chosen]
        by = f"{name} {' or '.join(first)}"
        cause = by if reason == name else f"{reason} ({by})"
        found.append((not is_likely, f"most likely {cause}, because {likely['because']}" if is_likely else cause))
        rest = [one for one in rows if one not in first]
        if rest:
            found.append((True, f"{name} {' or '.join(rest)}"))
    yield from (cause for _, cause in sorted(found, key=lambda one: one[0]))
