"""Adapters for what becomes of partitions by request: elections, reassignments, topics that come, grow and go."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fencepost.checkers.conformance.requests.adapting import at
from fencepost.checkers.conformance.requests.hash_order import first_partitions
from fencepost.checkers.conformance.requests.topics import may_be_named
from fencepost.model.kraft import state as k
from fencepost.model.kraft.protocol import KRAFT
from fencepost.model.kraft.topics import adds
from fencepost.model.language import State
from fencepost.model.language.interpreter import CellKey

from .judge import Kind, Question
from .shared import TRUTH
from .state import MIN, STATE, UNCLEAN, Line, Setting, ask, minimum, same, switch, tell

_COMMON = STATE | frozenset(["topic", "p"])


def _named(line: Line) -> tuple[tuple[str, int], dict[CellKey, Any]]:
    """The partition that a request names, with the cells that it needs where there is none."""
    p = (line["topic"], line["p"])
    return p, {at(k.topic, p): p[0], at(k.index, p): p[1]}


# -- elections ---------------------------------------------------------------------------------------------------------
_EVENTS = {"preferred": "ElectPreferred", "unclean": "ElectUnclean", "balance": "Balance", "rescue": "Rescue"}


def _elect(line: Line) -> Question:
    p, cells = _named(line)
    # The two tasks look at every partition, whichever one the line names.
    every = [{"p": (topic, number)} for topic, those in line["topics"].items() for number in range(len(those))]
    is_task = line["op"] in ("balance", "rescue")
    return ask(_EVENTS[line["op"]], line, {"p": p}, cells, each=every if is_task else ())


ELECTIONS = Kind(
    "elections", KRAFT, _elect, tell, same=same, columns=_COMMON, words={"E": (0, 1), "op": tuple(_EVENTS)}
)


# -- reassignment ------------------------------------------------------------------------------------------------------
def _reassign(line: Line) -> Question:
    p, cells = _named(line)
    target = line["target"]
    if target is None:
        return ask("CancelReassignment", line, {"p": p}, cells)
    return ask("Reassign", line, {"p": p, "target": tuple(target), "may_resize": line["allow"]}, cells)


REASSIGNMENT = Kind(
    "reassignment",
    KRAFT,
    _reassign,
    tell,
    same=same,
    columns=_COMMON | frozenset(["target", "allow"]),
    words={"E": (0, 1), "op": ("reassign",), "allow": TRUTH},
)


# -- topics ------------------------------------------------------------------------------------------------------------
_BORN = {"create": "CreateTopic", "grow": "CreatePartitions", "delete": "DeleteTopic"}


def _topic(line: Line) -> Question:
    if line["op"] == "delete":
        return ask(_BORN["delete"], line, {"t": line["topic"]}, {}, _NOT_ADDED)
    return _create(line) if line["op"] == "create" else _grow(line)


_NOT_ADDED: dict[State[Any], Any] = {k.placed.state: (), adds.state: False}


def _indexes(new: Sequence[tuple[str, int]]) -> dict[CellKey, Any]:
    """Return the cells with topic and index of new partitions."""
    return {at(k.topic, p): p[0] for p in new} | {at(k.index, p): p[1] for p in new}


def _create(line: Line) -> Question:
    """A topic whose name is taken is another one that asks for the name."""
    name, settings = line["topic"], dict(line["settings"])
    t = "another" if name in line["topics"] else name
    new = [(t, number) for number in range(len(line["placed"]))]
    others: list[Setting] = [(2, name, key) for key in settings if key not in (MIN, UNCLEAN)]
    cells = _indexes(new)
    cells |= {at(k.placed, p): tuple(placed) for p, placed in zip(new, line["placed"], strict=True)}
    for one in others:
        cells |= {at(k.asks, one): True, at(k.asked, one): settings[one[2]]}
    said = {
        "t": t,
        "n": name,
        "manual": line["manual"],
        "has_min_insync": MIN in settings,
        "min_insync": minimum(settings.get(MIN, "1")),
        "has_unclean": UNCLEAN in settings,
        "unclean": switch(settings.get(UNCLEAN, "false")),
    }
    return ask(_BORN["create"], line, said, cells, _NOT_ADDED | {k.asks.state: False})


def _grow(line: Line) -> Question:
    """As many partitions are added as the count is above those that are there, each where `placed` says."""
    t, own = line["topic"], len(line["topics"].get(line["topic"], ()))
    added = line["count"] - own if t in line["topics"] else 0
    new = [(t, own + number) for number in range(max(0, added))]
    cells = _indexes(new)
    for p, placed in zip(new, line["placed"], strict=False):
        cells |= {at(adds, p): True, at(k.placed, p): tuple(placed)}
    # Partitions of a line are put into the controller once, each.
    like = (t, min(first_partitions(own, changed=False)) if own else 0)
    return ask(_BORN["grow"], line, {"t": t, "manual": line["manual"], "like": like}, cells, _NOT_ADDED)


def _before_the_rows(line: Line) -> str:
    """Why the rows are not asked about a request, "" where they are."""
    if line["op"] == "create":
        return _refused(line)
    if line["op"] == "grow" and line["manual"] and line["topic"] in line["topics"]:
        added = line["count"] - len(line["topics"][line["topic"]])
        if 0 < added != len(line["placed"]):
            return "an assignment has as many partitions as are added"
    return ""


def _refused(line: Line) -> str:
    """Why the rows are not asked about a topic, "" where they are: also of a name that is refused without need."""
    error = line["out"]["error"]
    if error in ("INVALID_CONFIG", "POLICY_VIOLATION"):
        return "a topic whose configuration is refused is taken out before the rows are asked"
    if error == "INVALID_TOPIC_EXCEPTION" and not may_be_named(line["topic"], line["topics"]):
        return "a topic whose name is refused is taken out before the rows are asked"
    return ""


TOPICS = Kind(
    "topics",
    KRAFT,
    _topic,
    tell,
    skip=_before_the_rows,
    same=same,
    columns=_COMMON | frozenset(["manual", "placed", "settings", "count", "permitted", "dry"]),
    words={"E": (0, 1), "op": tuple(_BORN), "manual": TRUTH, "permitted": TRUTH, "dry": TRUTH},
)
