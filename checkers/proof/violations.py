"""Recorded violations: the states in which rows break properties, declared or not, tried before the solver.

A recorded state proves nothing by itself: the interpreter replays it against the tables that are asked, and only what
still breaks the property counts. So whatever a file holds, right, outdated or wrong, no verdict rests on it; a state
that breaks nothing any more costs one replay, and the solver is asked. Variants and releases use their base's file.
`python -m fencepost.checkers.proof.recording --violations PROTOCOL ...` writes the files.

A file also has states in which rows break properties where an assumption is dropped, for "what needs this assumption".
"""

from __future__ import annotations

import enum
import itertools
import json
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, cast

from fencepost.checkers.verdicts import ReplayFailed
from fencepost.model.language import Always, EvaluationError, Kind, Protocol, Row, State, Step, Var
from fencepost.model.language.kinds import BoolKind, EntityKind, EnumKind, IntKind, ListKind, OptionKind, SetKind
from fencepost.model.language.terms import Lit

from .cores import ROOT, Pair, pair_of, path_of
from .finite import Finite
from .models import Found, breaks, native, portable, trace_of

Recorded = Mapping[Pair, Mapping[str, Any]]
Dropped = Mapping[Pair, Sequence[Mapping[str, Any]]]
"""Violations by an assumption, which is dropped, and a row."""
Models = Mapping[Pair, Sequence[Found]]

WITHOUT, WITNESSES = "without", "witnesses"
"""The keys of a file's violations for which an assumption is dropped, and of the states that `witnesses.py` reads."""
MISFIT = (ReplayFailed, EvaluationError, LookupError, TypeError, ValueError, AttributeError)
"""What the reading and the replay of a state raise that was recorded of other tables: then the solver decides."""


def recorded(protocol: Protocol) -> Recorded:
    """Return the recorded violations of a protocol, none where its file is missing or cannot be read."""
    return _read(ROOT / file_of(protocol))[0]


def file_of(protocol: Protocol) -> Path:
    """Return where the violations of a protocol are, or of the one of which it is a variant, below the repository."""
    return _beside(path_of(protocol))


@cache
def _beside(path: Path) -> Path:
    return path.with_suffix(".violations.json")


def witnesses(protocol: Protocol) -> Sequence[Mapping[str, Any]]:
    """Return the recorded states of a protocol in which rows are enabled and conditions hold."""
    return _read(ROOT / file_of(protocol))[2]


@cache
def _read(path: Path) -> tuple[Recorded, Dropped, Sequence[Mapping[str, Any]]]:
    """Return the violations of a file, those without an assumption, and witnesses; none of another shape."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        dropped = {pair_of(key): tuple(map(dict, entries)) for key, entries in found.pop(WITHOUT, {}).items()}
        states = tuple({**one, "shows": dict(one["shows"])} for one in found.pop(WITNESSES, ()))
        return {pair_of(key): dict(entry) for key, entry in found.items()}, dropped, states
    except (OSError, ValueError, LookupError, TypeError, AttributeError):
        return {}, {}, ()


def replayed(protocol: Protocol, row: Row, claim: Always | Step, assumed: tuple[Always, ...]) -> Found | None:
    """Return the recorded violation of a property by a row, if the interpreter replays it against these tables."""
    entry = recorded(protocol).get((row.id, claim.id))
    if entry is None:
        return None
    try:
        found = _found(protocol, row, entry)
        trace_of(protocol, found, row, claim, assumed)
    except MISFIT:
        return None
    return found


def without(bare: Protocol, assumption: str) -> Models:
    """Return the recorded states in which rows break something of a protocol that lacks an assumption."""
    models: dict[Pair, list[Found]] = {}
    rows = {row.id: row for row in bare.rows}
    for (dropped, id), entries in _read(ROOT / file_of(bare))[1].items():
        for entry in entries if dropped == assumption and id in rows else ():
            with suppress(*MISFIT):
                models.setdefault((dropped, id), []).append(_found(bare, rows[id], entry))
    return models


def fallen(
    bare: Protocol, models: Models, asked: Iterable[tuple[str, Always | Step]], assumed: tuple[Always, ...]
) -> set[str]:
    """Return the ids of the properties that rows break from some states, of pairs of a row and a property."""
    pairs, ids = list(asked), set[str]()
    for (_, id), found in models.items():
        for one in found:
            mine = [claim for row, claim in pairs if row == id and claim.id not in ids]
            claims = [claim for claim in mine if one.breaks is None or claim.id in one.breaks]
            with suppress(*MISFIT):
                ids |= breaks(bare, one, bare.row(id), claims, assumed)
    return ids


# -- a violation as JSON -----------------------------------------------------------------------------------------------
def state_entry(protocol: Protocol, found: Found) -> dict[str, Any]:
    """Return the state of a model as a JSON object, by the names of variables and members.

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
    return {"entities": entities, "steps": found.steps, "cells": cells}


def entry_of(protocol: Protocol, row: Row, found: Found) -> dict[str, Any]:
    """Return a violation as a JSON object: its state, the row's parameters, and the moment."""
    entry = state_entry(protocol, found)
    entry["binding"] = {v.name: _out(one, v.kind) for v, one in zip(row.params, found.binding, strict=True)}
    for key, value in (("stage", found.stage), ("since", found.since), ("chosen", found.chosen)):
        if value is not None:
            entry[key] = sorted(map(list, value), key=repr) if isinstance(value, frozenset) else value
    return entry if found.breaks is None else {**entry, "breaks": sorted(found.breaks)}


def state_in(protocol: Protocol, entry: Mapping[str, Any]) -> Found:
    """Return the state that a JSON object describes; raises `LookupError`, `TypeError` or `ValueError` for names and
    shapes that the tables do not have.
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
    return Found(sizes, int(entry["steps"]), tuple(cells), (), None, None, None)


def _found(protocol: Protocol, row: Row, entry: Mapping[str, Any]) -> Found:
    """Return the violation that a JSON object describes, and raise as `state_in` does."""
    binding = tuple(_in(entry["binding"][v.name], v.kind) for v in row.params)
    since, chosen = (frozenset(map(tuple, entry[key])) if key in entry else None for key in ("since", "chosen"))
    ids = frozenset(entry["breaks"]) if "breaks" in entry else None
    there = state_in(protocol, entry)
    return replace(there, binding=binding, stage=entry.get("stage"), since=since, chosen=chosen, breaks=ids)


def values_in(params: Sequence[Var[Any]], values: Sequence[Any]) -> dict[Var[Any], Any]:
    """Return the values of variables, as JSON has them, for the interpreter."""
    return {v: native(_in(one, v.kind), v.kind) for v, one in zip(params, values, strict=True)}


def values_entry(binding: Mapping[Var[Any], Any]) -> list[Any]:
    """Return the interpreter's values of variables as JSON has them."""
    return [_out(portable(one, v.kind), v.kind) for v, one in binding.items()]


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
def text(
    protocol: Protocol,
    found: Iterable[tuple[Row, Always | Step, Found]],
    dropped: Models,
    states: Iterable[Mapping[str, Any]],
) -> str:
    """Return violations as the text of a file: one line a row and property, sorted, and one line for each state in
    which an assumption is dropped, and for each witness.
    """
    lines = {
        f"{row.id} {claim.id}": json.dumps(entry_of(protocol, row, one), ensure_ascii=False)
        for row, claim, one in found
    }
    listed = [f"  {json.dumps(key)}: {line}" for key, line in sorted(lines.items())]
    if dropped:
        each = []
        for (assumption, row), models in dropped.items():
            entries = (json.dumps(entry_of(protocol, protocol.row(row), one), ensure_ascii=False) for one in models)
            each.append(f"    {json.dumps(f'{assumption} {row}')}: [\n      " + ",\n      ".join(entries) + "]")
        listed.append(f"  {json.dumps(WITHOUT)}: {{\n" + ",\n".join(each) + "\n  }")
    each = [f"    {json.dumps(one, ensure_ascii=False)}" for one in states]
    if each:
        listed.append(f"  {json.dumps(WITNESSES)}: [\n" + ",\n".join(each) + "\n  ]")
    body = ",\n".join(listed)
    return "{\n" + body + "\n}\n"
