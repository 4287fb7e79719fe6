"""Recorded violations: the states in which rows break what they are declared to break, tried before the solver.

A recorded state proves nothing by itself: the interpreter replays it against the tables that are asked, and only what
still breaks the property counts. So whatever a file holds, right, outdated or wrong, no verdict rests on it; a state
that breaks nothing any more costs one replay, and the solver is asked. Variants and releases use their base's file.
`python -m fencepost.checkers.proof.recording PROTOCOL ...` writes the files, as it does those of cores.
"""

from __future__ import annotations

import enum
import itertools
import json
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, cast

from fencepost.checkers.verdicts import ReplayFailed
from fencepost.model.language import Always, EvaluationError, Kind, Protocol, Row, State, Step
from fencepost.model.language.kinds import BoolKind, EntityKind, EnumKind, IntKind, ListKind, OptionKind, SetKind
from fencepost.model.language.terms import Lit

from .cores import ROOT, Pair, pair_of, path_of
from .finite import Finite
from .models import Found, native, portable, trace_of

Recorded = Mapping[Pair, Mapping[str, Any]]


def recorded(protocol: Protocol) -> Recorded:
    """Return the recorded violations of a protocol, none where its file is missing or cannot be read."""
    return _read(ROOT / file_of(protocol))


def file_of(protocol: Protocol) -> Path:
    """Return where the violations of a protocol are, or of the one of which it is a variant, below the repository."""
    return path_of(protocol).with_suffix(".violations.json")


@cache
def _read(path: Path) -> Recorded:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        return {pair_of(key): dict(entry) for key, entry in found.items()}
    except (OSError, ValueError, TypeError, AttributeError):
        return {}


def replayed(protocol: Protocol, row: Row, claim: Always | Step, assumed: tuple[Always, ...]) -> Found | None:
    """Return the recorded violation of a property by a row, if the interpreter replays it against these tables."""
    entry = recorded(protocol).get((row.id, claim.id))
    if entry is None:
        return None
    try:
        found = _found(protocol, row, entry)
        trace_of(protocol, found, row, claim, assumed)
    except (ReplayFailed, EvaluationError, LookupError, TypeError, ValueError, AttributeError):
        return None  # recorded of other tables: the solver decides
    return found


# -- a violation as JSON -----------------------------------------------------------------------------------------------
def entry_of(protocol: Protocol, row: Row, found: Found) -> dict[str, Any]:
    """Return a violation as a JSON object, by the names of variables and members.

    Cells at their start are left out, as the first value of its kind counts where a variable may start anyhow;
    `entities` is one number where there are as many of each sort.
    """
    cells: dict[str, list[Any]] = {}
    for position, names, value in found.cells:
        state = protocol.states[position]
        if _start(state) != value:
            keys = [_out(one, kind) for one, kind in zip(names, state.keys, strict=True)]
            cells.setdefault(state.name, []).append([*keys, _out(value, state.kind)])
    sizes = set(found.sizes.values())
    entities = sizes.pop() if len(sizes) == 1 else dict(found.sizes)
    entry: dict[str, Any] = {"entities": entities, "steps": found.steps, "cells": cells}
    entry["binding"] = {v.name: _out(one, v.kind) for v, one in zip(row.params, found.binding, strict=True)}
    for key, value in (("stage", found.stage), ("since", found.since), ("chosen", found.chosen)):
        if value is not None:
            entry[key] = sorted(map(list, value), key=repr) if isinstance(value, frozenset) else value
    return entry


def _found(protocol: Protocol, row: Row, entry: Mapping[str, Any]) -> Found:
    """Return the violation that a JSON object describes; raises `LookupError`, `TypeError` or `ValueError` for names
    and shapes that the tables do not have.
    """
    given = entry["entities"]
    sizes = {k.name: given if isinstance(given, int) else given[k.name] for k in protocol.sorts}
    world = Finite(protocol, sizes, int(entry["steps"])).world
    cells = []
    for position, state in enumerate(protocol.states):
        keys = itertools.product(*([portable(one, kind) for one in world.values(kind)] for kind in state.keys))
        values = dict.fromkeys(keys, _start(state))
        for *names, value in entry["cells"].get(state.name, ()):
            key = tuple(_in(one, kind) for one, kind in zip(names, state.keys, strict=True))
            values[key] = _in(value, state.kind)
        cells += [(position, key, value) for key, value in values.items()]
    binding = tuple(_in(entry["binding"][v.name], v.kind) for v in row.params)
    since, chosen = (frozenset(map(tuple, entry[key])) if key in entry else None for key in ("since", "chosen"))
    return Found(sizes, int(entry["steps"]), tuple(cells), binding, entry.get("stage"), since, chosen)


def _start(state: State[Any]) -> Any:
    """Return the portable value at which a variable starts; the first of its kind where it may start anyhow."""
    return portable(state.initial.value, state.kind) if isinstance(state.initial, Lit) else _first(state.kind)


def _first(kind: Kind[Any]) -> Any:
    match kind:
        case BoolKind():
            return False
        case IntKind():
            return kind.lo
        case EnumKind() | EntityKind():
            return 0
        case SetKind():
            return frozenset()
        case ListKind():
            return ()
    return None  # of an option; a threshold is never left out


def _out(value: Any, kind: Kind[Any]) -> Any:
    """Return a portable value as JSON has it."""
    match kind:
        case OptionKind():
            return None if value is None else _out(value, kind.of)
        case EnumKind():
            return native(value, kind).name
        case SetKind():
            return sorted(value)
        case ListKind():
            return list(value)
    return value


def _in(value: Any, kind: Kind[Any]) -> Any:
    """Return the portable value of one that JSON has."""
    match kind:
        case OptionKind():
            return None if value is None else _in(value, kind.of)
        case EnumKind():
            return portable(cast(type[enum.Enum], kind.enum)[value], kind)
        case SetKind():
            return frozenset(value)
        case ListKind():
            return tuple(value)
    return value


# -- as text -----------------------------------------------------------------------------------------------------------
def text(protocol: Protocol, found: Iterable[tuple[Row, Always | Step, Found]]) -> str:
    """Return violations as the text of a file: one line a row and property, sorted."""
    lines = {
        f"{row.id} {claim.id}": json.dumps(entry_of(protocol, row, one), ensure_ascii=False)
        for row, claim, one in found
    }
    body = ",\n".join(f"  {json.dumps(key)}: {line}" for key, line in sorted(lines.items()))
    return "{\n" + body + "\n}\n"
