"""The life cycle of an entity, as its protocol declares it: its states by their usual names, and which row takes it from which
state to which, found from guards, effects and the replay of records.

A state is a condition over a few cells of the entity. Nothing but these conditions is written down: a change is there
because the guard of some row allows it, whatever the other cells are.
"""

from __future__ import annotations

import enum
import itertools
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, cast

from .kinds import BOOL, EnumKind
from .machines import value_of
from .protocol import Protocol
from .state import State
from .tables import Row, Table
from .terms import Before, Eq, Get, Ite, Lit, Not, Term, Var
from .walk import bare, conjuncts, nodes

NOTHING, SOMETHING = -1, 0
"""The abstract values of a number in a life cycle: the -1 that means none, or any other."""

Known = dict[Term[Any], Any]
"""Terms with the values that they have."""


@dataclass(frozen=True, eq=False)
class Life:
    """The life cycle of an entity: `states` are conditions over the cells of `of`, tried in their order; `first` is the
    state in which it begins. Where no condition holds the entity cannot be.

    `first` is "" where several states may be the first. `about` says whose view it is. Cells are of kind Bool or of an enumeration, or numbers that are -1 for none. `also` are
    further cells to follow, which no state names but guards ask for. `apart` are rows that are no step of a life.
    """

    name: str
    about: str
    of: Term[Any]
    states: Mapping[str, Term[bool]]
    first: str
    also: tuple[Term[Any], ...] = ()
    apart: tuple[str, ...] = ()


@dataclass(frozen=True)
class Change:
    """A change of state: from, to, and by the name of each event the rows that make it."""

    source: str
    target: str
    rows: Mapping[str, tuple[str, ...]]


def changes(protocol: Protocol, life: Life) -> tuple[Change, ...]:
    """Return what can become of the entity from its first state on, in the order of the states; what keeps the state is left
    out."""
    found: dict[tuple[str, str], dict[str, dict[str, None]]] = {}
    reached = {tuple(one.values()): one for one in _valuations(life) if _begins(life, one)}
    waiting = list(reached.values())
    touching = [(table, row) for table in protocol.tables for row in table.rows if row.id not in life.apart]
    while waiting:
        before = waiting.pop()
        source = _named(life, before)
        for table, row in touching:
            for after in _after(table, row, life, before):
                target = _named(life, after)
                if source is not None and target is not None and target != source:
                    found.setdefault((source, target), {}).setdefault(row.event.name, {})[row.id] = None
                if reached.setdefault(tuple(after.values()), after) is after:
                    waiting.append(after)
    order = {name: number for number, name in enumerate(life.states)}
    rows = {row.id: number for number, row in enumerate(protocol.rows)}
    return tuple(
        Change(source, target, {event: tuple(sorted(ids, key=rows.__getitem__)) for event, ids in by.items()})
        for (source, target), by in sorted(found.items(), key=lambda one: (order[one[0][0]], order[one[0][1]]))
    )


def has_states(state: State[Any]) -> bool:
    """Return whether the values of a variable can be states of a life: of a Bool or an enumeration, with one key at most."""
    return (state.kind == BOOL or isinstance(state.kind, EnumKind)) and len(state.keys) <= 1


def life_of(state: State[Any]) -> Life:
    """Return the life cycle that a variable gives: its values are the states, of what it has as a key."""
    assert has_states(state)
    of: Term[Any] = Var("it", state.keys[0] if state.keys else BOOL)
    cell = _cell(state, of)
    if state.kind == BOOL:
        states = {f"not {state.name}": Not(cell), state.name: cell}
    else:
        states = {name_of(one): Eq(cell, Lit(one, state.kind)) for one in _values(state)}
    first = state.initial.value if isinstance(state.initial, Lit) else None
    named = dict(zip(_values(state), states, strict=True))
    return Life(state.name, state.about, of, states, named.get(first, ""))


def name_of(state: enum.Enum) -> str:
    """Return a state's name in the tables as words."""
    return state.name.replace("_", " ").capitalize()


def cells_of(life: Life) -> tuple[State[Any], ...]:
    """Return the state variables that determine the life's states, and those that are followed besides."""
    got = (node for term in (*life.states.values(), *life.also) for node in nodes(term) if isinstance(node, Get))
    return tuple(dict.fromkeys(one.state for one in got))


def state_at(life: Life, values: Mapping[State[Any], Any]) -> str | None:
    """Return the state of an entity whose cells have these values, None where it is none."""
    return _named(life, {state: _abstract(state, value) for state, value in values.items()})


def _valuations(life: Life) -> Iterator[Mapping[State[Any], Any]]:
    cells = cells_of(life)
    for values in itertools.product(*(_values(one) for one in cells)):
        yield dict(zip(cells, values, strict=True))


def _begins(life: Life, cells: Mapping[State[Any], Any]) -> bool:
    """Whether the cells are as they may be at first: in the first state, with the values that they are declared with."""
    declared = all(
        _abstract(state, state.initial.value) == value
        for state, value in cells.items()
        if isinstance(state.initial, Lit)
    )
    named = _named(life, cells)
    return declared and named is not None and life.first in ("", named)


def _values(state: State[Any]) -> tuple[Any, ...]:
    if state.kind == BOOL:
        return (False, True)
    if isinstance(state.kind, EnumKind):
        return tuple(cast(Iterable[Any], state.kind.enum))
    return (NOTHING, SOMETHING)


def _abstract(state: State[Any], value: Any) -> Any:
    return value if value in _values(state) else SOMETHING


def _named(life: Life, cells: Mapping[State[Any], Any]) -> str | None:
    known = {_cell(state, life.of): value for state, value in cells.items()}
    return next((name for name, condition in life.states.items() if value_of(condition, known) is True), None)


def _after(table: Table, row: Row, life: Life, before: Mapping[State[Any], Any]) -> Iterator[Mapping[State[Any], Any]]:
    """Yield the cells after a row, for every entity of which it changes one, wherever its guard does not forbid it."""
    updates = [update for stage in row.stages for update in stage.updates if update.target.state in before]
    keys = dict.fromkeys(_key(update.target, life.of) for update in updates)
    guard = table.guard(row)
    for key in keys:
        start = {_cell(state, key): value for state, value in before.items()}
        if value_of(guard, start) is False:
            continue
        granted = _granting(guard, start)
        if granted is None:
            continue
        yield from _staged(row, key, before, granted)


def _staged(
    row: Row, key: Term[Any], before: Mapping[State[Any], Any], granted: Known
) -> Iterator[Mapping[State[Any], Any]]:
    """Yield the cells after all stages of a row; what nothing decides goes either way, but the same way each time."""
    runs: list[tuple[dict[State[Any], Any], Known]] = [(dict(before), granted)]
    for stage in row.stages:
        for update in stage.updates:
            if update.target.state not in before or _key(update.target, key) is not key:
                continue
            further: list[tuple[dict[State[Any], Any], Known]] = []
            for cells, known in runs:
                for condition, assumed in _either(update.when, known):
                    if not condition:
                        further.append((cells, assumed))
                        continue
                    for value, given in _outcomes(update.value, assumed, update.target.state):
                        further.append(({**cells, update.target.state: value}, given))
            runs = further
    for cells, _ in runs:
        yield cells


def _cell(state: State[Any], key: Term[Any]) -> Term[Any]:
    """A cell of the entity, or one that is there once for all."""
    return state.at(key) if state.keys else state.at()


def _key(target: Get[Any], otherwise: Term[Any]) -> Term[Any]:
    """The entity whose cell an update changes; of a cell that is there once for all the one that is followed."""
    return _plain(target.keys[0]) if target.keys else otherwise


def _either(condition: Term[bool], known: Known) -> Iterator[tuple[bool, Known]]:
    """Yield whether a condition holds, with what is known then: twice where nothing decides it."""
    inner = _plain(condition)
    value = value_of(inner, known)
    if value is not None:
        yield bool(value), known
        return
    holding = _granting(inner, known)
    if holding is not None:
        yield True, holding
    yield False, {**known, inner: False}


def _outcomes(term: Term[Any], known: Known, state: State[Any]) -> Iterator[tuple[Any, Known]]:
    """Yield what a term may be, with what is known then."""
    inner = _plain(term)
    value = value_of(inner, known)
    if value is not None:
        yield _abstract(state, value), known
    elif isinstance(inner, Ite):
        for condition, assumed in _either(inner.condition, known):
            yield from _outcomes(inner.then if condition else inner.otherwise, assumed, state)
    elif state.kind == BOOL:
        for holds, assumed in _either(inner, known):
            yield holds, assumed
    elif isinstance(state.kind, EnumKind):
        yield from ((one, {**known, inner: one}) for one in _values(state))
    else:
        yield SOMETHING, known


def _granting(condition: Term[bool], known: Known) -> Known | None:
    """Return what is known where a condition holds besides; None where it then turns out that it cannot."""
    result = dict(known)
    for one in conjuncts(bare(condition)):
        inner = bare(one)
        value = value_of(inner, result)
        if value is False:
            return None
        if value is None:
            result[inner] = True
            result[one] = True
            if isinstance(inner, Not):
                result[inner.term] = False
                result[bare(inner.term)] = False
            if isinstance(inner, Eq) and isinstance(inner.right, Lit) and isinstance(inner.left, Var):
                result[inner.left] = inner.right.value
    return result


def _plain(term: Term[Any]) -> Term[Any]:
    """A term without the mark that it is read before the row: only what was there before a row is known here."""
    while isinstance(term, Before):
        term = term.term
    return term
