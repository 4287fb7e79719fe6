"""Adapters for configurations: one key of one resource, whole resources; and for the levels of features."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import starmap
from typing import Any

from fencepost.checkers.conformance.requests.adapting import as_range, at
from fencepost.model.kraft import configurations as c
from fencepost.model.kraft import state as k
from fencepost.model.kraft.cluster import Direction
from fencepost.model.kraft.protocol import KRAFT
from fencepost.model.language import State
from fencepost.model.language.interpreter import CellKey

from .judge import Kind, Question
from .shared import TRUTH, cell
from .state import (
    MIN,
    STATE,
    TYPES,
    UNCLEAN,
    Line,
    Setting,
    ask,
    fits,
    minimum,
    modelled,
    of_node,
    same,
    stored,
    switch,
    tell,
)

_REFUSED = ("bad", "long")
"""A value that the validator refuses, and a value that is longer than the maximum length."""

_PARAMS = {event.name: event.params for event in KRAFT.events}
"""The parameters of events by their names: which of the values of a line is one differs."""


# -- configurations ----------------------------------------------------------------------------------------------------
def _ask(line: Line) -> Question:
    if line["op"] not in ("incremental", "legacy"):
        raise ValueError(f"op is incremental or legacy, not {line['op']}")
    return _one_key(line) if line["op"] == "incremental" else _whole(line)


def _one_key(line: Line) -> Question:
    kind, name, key, value = TYPES[line["type"]], line["name"], line["key"], line["value"]
    valid = value not in _REFUSED and (value is None or not modelled((kind, name, key)) or fits(key, value))
    said: dict[str, Any] = {
        "deletes": value is None,
        "valid": valid,
        "permitted": line["permitted"],
        "validate_only": line["dry"],
        # What a value that is refused would have been does not matter.
        "size": int(value) if key == MIN and valid and value is not None else 1,
        "switch": valid and value is not None and key == UNCLEAN and switch(value),
        "value": value or "",
        "t": name,
        "n": name,
        "s": (kind, name, key),
    }
    event = _event((kind, name, key))
    return ask(event, line, {var.name: said[var.name] for var in _PARAMS[event]}, {})


def _event(setting: Setting) -> str:
    kind, _, key = setting
    if not modelled(setting):
        return "AlterConfig"
    if of_node(setting):
        return "AlterNodeUnclean"
    whose = "Topic" if kind == TYPES["TOPIC"] else "Cluster"
    return f"Alter{whose}{'MinInsync' if key == MIN else 'Unclean'}"


def _whole(line: Line) -> Question:
    """The keys that are not named are deleted; the rows are evaluated for all of them at once."""
    kind, name = TYPES[line["type"]], line["name"]
    wanted: dict[Setting, str] = {(kind, name, key): value for key, value in line["wanted"]}
    gone = [one for one in stored(line) if one[:2] == (kind, name) and one not in wanted]
    settings = [*wanted, *gone]
    cells: dict[CellKey, Any] = {}
    if kind == TYPES["TOPIC"]:
        cells |= _asked(c.min_asked, c.min_to, c.min_away, (kind, name, MIN), wanted, gone, minimum, 1)
        of = (kind, name, UNCLEAN)
        cells |= _asked(c.unclean_asked, c.unclean_to, c.unclean_away, of, wanted, gone, switch, False)
    if of_node((kind, name, UNCLEAN)):
        of = (kind, name, UNCLEAN)
        cells |= _asked(c.node_asked, c.node_to, c.node_away, of, wanted, gone, switch, False)
    for one in settings:
        if not modelled(one):
            cells |= {
                at(k.asks, one): one in wanted,
                at(k.asked, one): wanted.get(one, ""),
                at(c.away, one): one in gone,
            }
    least, enable = (4, "", MIN), (4, "", UNCLEAN)
    said = {
        "sets_min": least in settings,
        "drops_min": least in gone,
        "to_size": minimum(wanted.get(least, "1")),
        "sets_unclean": enable in settings,
        "drops_unclean": enable in gone,
        "to_switch": switch(wanted.get(enable, "false")),
    }
    return ask("AlterConfigs", line, said, cells, _NOT_ASKED)


_NOT_ASKED: dict[State[Any], Any] = {
    **dict.fromkeys((c.min_asked.state, c.min_away.state, c.unclean_asked.state, c.unclean_away.state), False),
    **dict.fromkeys((c.node_asked.state, c.node_away.state, k.asks.state, c.away.state), False),
    c.min_to.state: 1,
    c.unclean_to.state: False,
    c.node_to.state: False,
    k.asked.state: "",
}
"""Values chosen for resources and keys that a request does not name."""


def _asked(
    named: Any,
    to: Any,
    away: Any,
    setting: Setting,
    wanted: Mapping[Setting, str],
    gone: list[Setting],
    read: Any,
    otherwise: Any,
) -> dict[CellKey, Any]:
    """The cells that say what a request makes of a key of a topic or a node that the tables have by itself."""
    name, value = setting[1], wanted.get(setting)
    return {
        at(named, name): setting in wanted or setting in gone,
        at(to, name): otherwise if value is None else read(value),
        at(away, name): setting in gone,
    }


def _refused_whole(line: Line) -> str:
    """Why the rows are not asked about a request: they have no row for a whole resource that is refused."""
    whole = line.get("op") == "legacy"
    refused = line["out"]["error"] if whole and isinstance(line["out"], dict) else "NONE"
    elr_refuses = line.get("E") == 1 and line.get("type") == "BROKER" and refused == "INVALID_CONFIG"
    if refused == "NONE" or (elr_refuses and not any(value in _REFUSED for _, value in line["wanted"])):
        return ""
    return "a whole resource that is refused is taken out before the rows are asked"


CONFIGURATIONS = Kind(
    "configurations",
    KRAFT,
    _ask,
    tell,
    skip=_refused_whole,
    same=same,
    columns=STATE | frozenset(["type", "name", "key", "value", "wanted", "permitted", "dry"]),
    words={"E": (0, 1), "type": tuple(TYPES), "permitted": TRUTH, "dry": TRUTH},
)


# -- features ----------------------------------------------------------------------------------------------------------
_NODES = {"localRanges": "the active controller", "controllerRanges": "another controller"}


def _update(line: Line) -> Question:
    """The active controller is a controller that has registered, at levels too at which none registers yet."""
    if line["op"] != "update":
        raise ValueError(f"op is update, not {line['op']}")
    told = {node: frozenset(starmap(as_range, line[node] or ())) for node in ("brokerRanges", *_NODES)}
    cells: dict[CellKey, Any] = {at(k.registered, 1): True, at(k.ranges, 1): told["brokerRanges"]}
    cells[cell(k.kraft_level)] = line.get("kraft", 0)
    for column, node in _NODES.items():
        if line[column] is not None:
            cells |= {at(k.controller_incarnation, node): "some", at(k.controller_ranges, node): told[column]}
    cells |= {at(k.level, name): level for name, level in line.get("levels", ())}
    said = {
        "f": line["feature"],
        "to": line["to"],
        "way": Direction(line["way"]),
        "static_min": line.get("staticMin", 1),
    }
    return ask("UpdateFeature", line, said, cells)


FEATURES = Kind(
    "features",
    KRAFT,
    _update,
    tell,
    same=same,
    columns=STATE
    | frozenset(
        ["feature", "to", "way", "dry", "levels", "staticMin", "localRanges", "brokerRanges", "controllerRanges"]
    ),
    words={"E": (0, 1), "dry": TRUTH},
)
