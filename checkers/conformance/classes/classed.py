"""Finds the sort whose entities are stored by class in the variables and records of a protocol."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from fencepost.model.language import Field, Protocol, Record, Term, Var
from fencepost.model.language.effects import Applied, Assign, Effect, Every, Only, Update
from fencepost.model.language.kinds import EntityKind, IntKind, Kind
from fencepost.model.language.properties import LeadsTo
from fencepost.model.language.state import State
from fencepost.model.language.terms import TRUE, Arith, Compare, Eq, Get, Lit
from fencepost.model.language.walk import expand, nary, nodes, stage_terms


@dataclass(frozen=True, slots=True)
class Classed:
    """The sort whose entities are stored by class, by its name.

    `slots` are the places of its tables in a row, by table number; `paired` says which have further keys, `places`
    which say a part of the entity's own id. `parents` are the sorts of these parts where they are entities themselves,
    with their place in the id. `counted` are the tables of numbers that records count up, each entity's its own.
    """

    sort: str
    slots: dict[int, int]
    paired: tuple[bool, ...]
    places: tuple[int | None, ...]
    parents: dict[str, int]
    counted: frozenset[int] = frozenset()


def classed(protocol: Protocol, states: Sequence[State[Any]], given: Mapping[str, Any]) -> Classed | None:
    """Return the sort that most of the variables are about which records write, None where there is none."""
    about: dict[str, dict[int, State[Any]]] = {}
    for number, state in enumerate(states):
        if state.keys and isinstance(state.keys[0], EntityKind) and state.name not in given:
            about.setdefault(state.keys[0].name, {})[number] = state
    written = {field.kind.name for r in protocol.records for field in r.about if isinstance(field.kind, EntityKind)}
    about = {sort: tables for sort, tables in about.items() if sort in written}
    if not about:
        return None
    sort, tables = max(about.items(), key=lambda pair: len(pair[1]))
    if any(str(kind) == sort for state in tables.values() for kind in state.keys[1:]):
        return None
    said = _said_by_id(protocol, sort)
    parents = {
        str(state.kind): said[state]
        for state in tables.values()
        if state in said and isinstance(state.kind, EntityKind)
    }
    counted = _counted(protocol)
    return Classed(
        sort,
        {number: slot for slot, number in enumerate(tables)},
        tuple(len(state.keys) > 1 for state in tables.values()),
        tuple(said.get(state) for state in tables.values()),
        parents,
        frozenset(
            number
            for number, state in tables.items()
            if len(state.keys) == 1 and state not in said and state in counted
        ),
    )


def _counted(protocol: Protocol) -> set[State[Any]]:
    """Return the variables of one number that a record sets to what they were and one more."""
    return {
        one.target.state
        for record in protocol.records
        for one in replayed(record)
        for node in nodes(one.value)
        if isinstance(one.target.state.kind, IntKind)
        and isinstance(node, Arith)
        and isinstance(node.left, Get)
        and node.left.state is one.target.state
    }


def _said_by_id(protocol: Protocol, sort: str) -> dict[State[Any], int]:
    """Return the variables that a record sets to a part of the id of what it is about, with the part's place."""
    found: dict[State[Any], int] = {}
    for record in protocol.records:
        ids = [field.wire.names for field in record.about if str(field.kind) == sort]
        names = ids[0] if len(ids) == 1 and len(ids[0]) > 1 else ()
        places = {f.value: names.index(f.wire.names[0]) for f in record.fields if f.wire.names[0] in names}
        for one in replayed(record):
            if one.value in places:
                found[one.target.state] = places[one.value]
    return found


def replayed(record: Record) -> Iterator[Update]:
    """Yield what replaying a record does, one cell or one cell for each entity at a time."""
    for effect in record.replay:
        for binders, when, assign in assignments(effect, (), TRUE):
            yield Update(binders, when, assign.target, assign.value)


def assignments(
    effect: Effect, binders: tuple[Var[Any], ...], when: Term[bool]
) -> Iterator[tuple[tuple[Var[Any], ...], Term[bool], Assign]]:
    """Yield the assignments in an effect, each with the variables that it is for and its condition."""
    if isinstance(effect, Assign):
        yield binders, when, effect
    elif isinstance(effect, (Every, Only)):
        inner = (*binders, effect.var) if isinstance(effect, Every) else binders
        for one in effect.body:
            yield from assignments(one, inner, nary("and", (when, effect.when)))
    elif isinstance(effect, Applied):
        for one in expand(effect):
            yield from assignments(one, binders, when)


def sorts_of(kind: Any) -> Iterator[EntityKind[Any]]:
    """Yield the sorts of the entities that a value of a kind names."""
    if isinstance(kind, EntityKind):
        yield kind
    elif hasattr(kind, "of"):
        yield from sorts_of(kind.of)
        if hasattr(kind, "to"):
            yield from sorts_of(kind.to)


def _spoken(protocol: Protocol) -> Iterator[Term[Any]]:
    """Yield the terms by which a log is checked."""
    for row in protocol.rows:
        yield protocol.guard(row)
        yield from stage_terms(row.stages)
        for clue in row.event.clues:
            yield from (clue.target, *clue.candidates)
    for claim in protocol.properties:
        yield from (claim.trigger, claim.goal) if isinstance(claim, LeadsTo) else (claim.term,)
    for record in protocol.records:
        for one in replayed(record):
            yield from (one.when, *one.target.keys, one.value)
        if record.version is not None:
            yield record.version
        fields: tuple[Field[Any], ...] = (*record.about, *record.fields)
        yield from (field.already for field in fields if field.already is not None)


@cache
def compared_with_literals(protocol: Protocol) -> frozenset[Kind[Any]]:
    """Return the kinds of numbers that terms compare with others than the first two: few values, each of its own."""
    found = set[Kind[Any]]()
    for node in nodes(*_spoken(protocol)):
        if isinstance(node, (Compare, Eq)):
            for one, other in ((node.left, node.right), (node.right, node.left)):
                if isinstance(one, Lit) and type(one.value) is int and one.value > 1:
                    found.add(other.kind)
    return frozenset(found)


@cache
def literals(protocol: Protocol) -> Mapping[str, frozenset[Any]]:
    """Return the entities that the terms of a protocol name, by the names of their sorts."""
    found: dict[str, frozenset[Any]] = {}
    for node in nodes(*_spoken(protocol)):
        if isinstance(node, Lit):
            inside = node.value if isinstance(node.value, (tuple, frozenset)) else (node.value,)
            for one in sorts_of(node.kind):
                found[one.name] = found.get(one.name, frozenset()).union(inside)
    return found
