"""Texts of a protocol in a document beside its verdicts: where its rows and properties are, and how they read."""

from __future__ import annotations

from typing import Any

from fencepost.model.language import EntityKind, Protocol
from fencepost.model.language.render import sentence, text
from fencepost.model.registry import Family

Texts = dict[str, dict[str, dict[str, Any]]]


def places(family: Family) -> Texts:
    """Return where the rows and the properties of a protocol and of its slices are written, each by its id."""
    found: Texts = {"rows": {}, "properties": {}}
    for protocol in _all(family):
        for kind, ones in (("rows", protocol.rows), ("properties", protocol.properties)):
            for one in ones:
                if one.place.path:
                    found[kind].setdefault(one.id, {"file": one.place.path, "line": one.place.line})
    return found


def texts(family: Family) -> Texts:
    """Return how the rows, properties and variables of a protocol and of its slices read, by their ids and names.

    A row has its table, its sentence, its reason, and which of its parameters are entities; a property its claim; a
    variable its keys, null for one that is no entity, and the value with which it begins, null where that may be any.
    """
    found: Texts = {"rows": {}, "properties": {}, "variables": {}}
    for protocol in _all(family):
        for table in protocol.tables:
            for row in table.rows:
                if row.id not in found["rows"]:
                    entities = {p.name: str(p.kind) for p in row.params if isinstance(p.kind, EntityKind)}
                    why = table.reasons.get(row.id) or row.why
                    told: dict[str, Any] = {
                        "table": table.name,
                        "text": sentence(row),
                        "why": why,
                        "entities": entities,
                    }
                    found["rows"][row.id] = told
        for one in protocol.properties:
            claim = {"about": one.about, "scope": getattr(one, "scope", None), "source": one.source}
            found["properties"].setdefault(one.id, claim)
        for state in protocol.states:
            keys = [str(key) if isinstance(key, EntityKind) else None for key in state.keys]
            initial = None if state.initial is None else text(state.initial)
            found["variables"].setdefault(state.name, {"keys": keys, "initial": initial})
    return found


def _all(family: Family) -> tuple[Protocol, ...]:
    return (family.whole, *family.slices)
