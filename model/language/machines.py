"""State machines as the tables have them: which row takes something from which state to which, found from guards and effects.

A table is a machine's if its event has a parameter `to` of an enumeration, and its rows give a cell of that enumeration
values. Nothing is drawn up by hand: an edge is there because the guard of some row allows it.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, cast

from .effects import Applied, Assign, Effect, Every, Only, Together, Write
from .kinds import EnumKind, Kind
from .protocol import Protocol
from .state import State
from .tables import Table
from .terms import Before, Compare, Comprehension, Eq, Get, Implies, Ite, Lit, Member, Named, Nary, Not, Quant, Term
from .walk import bare, expand, nodes, substitute


@dataclass(frozen=True)
class Edge:
    """A change of state, and the rows that make it."""

    source: enum.Enum
    target: enum.Enum
    rows: tuple[str, ...]


@dataclass(frozen=True)
class Machine:
    """A state machine: its table, the variable that holds the state, its states, and the changes that rows make.

    `starts` are the states that rows of other tables put it in, by those rows. `kept` are rows under which the state
    stays as it is.
    """

    table: Table
    state: State[Any]
    states: tuple[enum.Enum, ...]
    edges: tuple[Edge, ...]
    starts: Mapping[enum.Enum, tuple[str, ...]]
    kept: tuple[str, ...]

    def sources(self, row: str) -> tuple[enum.Enum, ...]:
        """Return the states from which a row makes a change."""
        return tuple(dict.fromkeys(edge.source for edge in self.edges if row in edge.rows))

    def targets(self, row: str) -> tuple[enum.Enum, ...]:
        """Return the states that a row leads to."""
        return tuple(dict.fromkeys(edge.target for edge in self.edges if row in edge.rows))


@lru_cache(maxsize=8)
def machines(protocol: Protocol) -> tuple[Machine, ...]:
    """Return the state machines of a protocol, in the order of its tables."""
    return tuple(found for table in protocol.tables if (found := _machine(protocol, table)) is not None)


def _machine(protocol: Protocol, table: Table) -> Machine | None:
    wanted = next(
        (var for row in table.rows for var in row.event.params if var.name == "to" and _members(var.kind)), None
    )
    if wanted is None:
        return None
    cells = [
        assign.target
        for row in table.rows
        for assign in assigned(row.effects)
        if assign.target.kind == wanted.kind and set(assign.target.keys) <= set(row.event.params)
    ]
    if not cells:
        return None
    cell, states = cells[0], _members(wanted.kind)
    made: dict[tuple[enum.Enum, enum.Enum], list[str]] = {}
    for before in states:
        for to in states:
            known: dict[Term[Any], Any] = {cell: before, wanted: to}
            for row in table.rows:
                if value_of(table.guard(row), known) is False:
                    continue
                for assign in assigned(row.effects):
                    after = value_of(assign.value, known) if assign.target is cell else None
                    if isinstance(after, enum.Enum) and row.id not in made.setdefault((before, after), []):
                        made[before, after].append(row.id)
    edges = tuple(Edge(before, after, tuple(rows)) for (before, after), rows in made.items() if rows)
    moving = {row for edge in edges for row in edge.rows}
    kept = tuple(row.id for row in table.rows if row.id not in moving)
    used = {edge.source for edge in edges} | {edge.target for edge in edges}
    return Machine(
        table,
        cell.state,
        tuple(one for one in states if one in used),
        edges,
        dict(_starts(protocol, table, cell.state, used)),
        kept,
    )


def _members(kind: Kind[Any]) -> tuple[enum.Enum, ...]:
    return tuple(cast(Iterable[enum.Enum], kind.enum)) if isinstance(kind, EnumKind) else ()


def _starts(
    protocol: Protocol, table: Table, state: State[Any], used: set[enum.Enum]
) -> Iterator[tuple[enum.Enum, tuple[str, ...]]]:
    """Yield the states that rows of other tables give; a row that only gives the first value forgets, and starts nothing."""
    first = state.initial.value if isinstance(state.initial, Lit) else None
    found: dict[enum.Enum, list[str]] = {}
    for other in protocol.tables:
        if other is table:
            continue
        for row in other.rows:
            given = {
                node.value
                for assign in assigned(row.effects)
                if assign.target.state is state
                for node in nodes(assign.value)
                if isinstance(node, Lit) and isinstance(node.value, enum.Enum) and node.kind == state.kind
            }
            for one in (member for member in _members(state.kind) if member in given - {first}):
                found.setdefault(one, []).append(row.id)
    for one, rows in found.items():
        if one in used:
            yield one, tuple(rows)


def assigned(effects: Iterable[Effect]) -> Iterator[Assign]:
    """Yield every assignment among effects, procedures applied and conditions entered; records are left out."""
    for effect in effects:
        if isinstance(effect, Assign):
            yield effect
        elif isinstance(effect, Applied):
            yield from assigned(expand(effect))
        elif isinstance(effect, (Every, Only, Together)):
            yield from assigned(effect.body)
        else:
            assert isinstance(effect, Write)


def value_of(term: Term[Any], known: Mapping[Term[Any], Any]) -> Any:
    """Return the value of a term as far as the terms in `known` decide it, None where they do not."""
    if term in known:
        return known[term]
    if isinstance(term, Lit):
        return term.value
    if isinstance(term, (Named, Before)):
        return value_of(term.term, known)
    if isinstance(term, Eq):
        left, right = value_of(term.left, known), value_of(term.right, known)
        return None if left is None or right is None else left == right
    if isinstance(term, Compare):
        left, right = value_of(term.left, known), value_of(term.right, known)
        if left is None or right is None:
            return None
        return bool(left < right if term.operator == "<" else left <= right)
    if isinstance(term, Member):
        return _belongs(term, known)
    if isinstance(term, Quant):
        return _for_all(term, known)
    if isinstance(term, Not):
        inner = value_of(term.term, known)
        return None if inner is None else not inner
    if isinstance(term, Nary):
        decisive, undecided = term.operator == "or", False
        for one in term.terms:
            value = value_of(one, known)
            if value is decisive:
                return decisive
            undecided = undecided or value is None
        return None if undecided else not decisive
    if isinstance(term, Implies):
        left, right = value_of(term.left, known), value_of(term.right, known)
        if left is False or right is True:
            return True
        return False if left is True and right is False else None
    if isinstance(term, Ite):
        condition = value_of(term.condition, known)
        return None if condition is None else value_of(term.then if condition else term.otherwise, known)
    return None


def _for_all(term: Quant, known: Mapping[Term[Any], Any]) -> Any:
    """Return what the known entities decide of every one, or some, of their kind; None where they do not."""
    keys = dict.fromkeys(key for one in known if isinstance(one, Get) for key in one.keys if key.kind == term.var.kind)
    decisive = term.quantifier == "some"
    values = [value_of(substitute(term.body, {term.var: key}), known) for key in keys]
    return decisive if decisive in values else None


def _belongs(term: Member, known: Mapping[Term[Any], Any]) -> Any:
    """Return whether something is among those for which a condition holds, None where that is not decided."""
    among = bare(term.collection)
    if isinstance(among, Comprehension):
        return value_of(substitute(among.body, {among.var: term.item}), known)
    return None
