"""Symmetry: permutations of entities under which the tables, a bound and its properties are what they were.

It is found, never promised. A sort takes part unless something puts its entities in an order. A permutation, of one
sort or of several at once, is one of the bound if it maps every condition in which an entity is named to itself,
conjunct by conjunct: so an entity that is named stays where it is, unless what is said of it is said of another too.
Then a state and its images behave alike, and one of each orbit is enough.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from fencepost.checkers.conjuncts import conjuncts
from fencepost.checkers.document import Document
from fencepost.checkers.verdicts import ReplayFailed
from fencepost.model.language import Valuation, Var
from fencepost.model.language.kinds import EntityKind, Kind, ListKind, OptionKind, SetKind
from fencepost.model.language.nodes import Ascending, Lit, Term
from fencepost.model.language.properties import LeadsTo
from fencepost.model.language.walk import nodes, rewrite, stage_terms

from .layout import FAR, Layout, Numbers
from .plan import Plan
from .store import PlainStore
from .traces import Move, Tracer

MOST = 5_000
"""Permutations of several sorts together up to which all are tried; of more, those of one sort at a time."""

Permutation = Mapping[str, tuple[int, ...]]
"""By sort the image of each entity, by number."""


@dataclass(frozen=True)
class Symmetry:
    """The permutations of a bound, the identity among them, closed under composition.

    `moved` has the sorts that some permutation moves, with the entities that it moves, `refused` why others stay as
    they are, by sort.
    """

    group: tuple[Permutation, ...]
    moved: Mapping[str, tuple[int, ...]]
    refused: Mapping[str, str]


@dataclass(frozen=True)
class Orbits(Document):
    """An exploration of one state of each orbit: how many `states` all orbits have together, under how many
    permutations."""

    orbits: int
    states: int
    permutations: int
    moved: Mapping[str, tuple[int, ...]]
    refused: Mapping[str, str]

    def lines(self) -> list[str]:
        """Return it as text: what was reduced, and why the other sorts were not."""
        moved = "; ".join(f"{sort} {', '.join(map(str, entities))}" for sort, entities in self.moved.items())
        lines = [
            f"one state of each of {self.orbits:,} orbits, which have {self.states:,} states together, under "
            f"{self.permutations} permutations of {moved}"
            if moved
            else "no symmetry: every state was seen"
        ]
        return [*lines, *(f"{sort} is not reduced: {reason}" for sort, reason in self.refused.items())]


def symmetry(plan: Plan) -> Symmetry:
    """Return the symmetry of a protocol at a bound, the trivial one where there is none."""
    spoken = list(_spoken(plan))
    sorts = [kind for kind in plan.protocol.kinds if isinstance(kind, EntityKind) and len(_all(plan, kind)) > 1]
    refused = {}
    for kind in sorts:
        where = next((who for who, terms in spoken if any(_orders(term, kind) for term in terms)), None)
        if where is not None:
            refused[kind.name] = f"{where} puts its entities in the order of their ids"
    free = [kind for kind in sorts if kind.name not in refused]
    named = {kind: [(who, terms) for who, terms in spoken if _names(terms, kind)] for kind in free}
    asked = {terms: _moved(terms, {}) for some in named.values() for _, terms in some}
    group = [one for one in _candidates(plan, free) if all(_moved(t, one) == same for t, same in asked.items())]
    moved = {}
    for kind in free:
        entities = tuple(
            e for e in _all(plan, kind) if any(one.get(kind.name, _same(plan, kind))[e] != e for one in group)
        )
        if entities:
            moved[kind.name] = entities
        else:
            whose = ", ".join(dict.fromkeys(who for who, _ in named[kind]))
            refused[kind.name] = f"its entities are named by {whose}"
    return Symmetry(tuple(group), moved, refused)


def _all(plan: Plan, kind: EntityKind[Any]) -> tuple[int, ...]:
    return plan.layout.world.entities[kind.name]


def _same(plan: Plan, kind: EntityKind[Any]) -> tuple[int, ...]:
    return tuple(range(len(_all(plan, kind))))


def _spoken(plan: Plan) -> Iterator[tuple[str, tuple[Term[Any], ...]]]:
    """Yield who speaks, and the terms that have to stay as they are, the conjuncts of one condition together."""
    protocol, bound = plan.protocol, plan.bound
    yield "the protocol's start", conjuncts(protocol.start)
    yield "the bound's start", conjuncts(bound.start)
    for one in protocol.inputs:
        yield f"the assumption {one.id}", conjuncts(one.term)
    for row in protocol.rows:
        given = bound.given.get(row.event.name)
        if given is not None:
            yield f"what the bound assumes of {row.event.name}", conjuncts(given)
        yield f"the guard of {row.id}", conjuncts(protocol.guard(row))
        for term in stage_terms(row.stages):
            yield f"the effects of {row.id}", (term,)
    for claim in protocol.properties:
        for term in (claim.trigger, claim.goal) if isinstance(claim, LeadsTo) else (claim.term,):
            yield f"property {claim.id}", (term,)
    for state in protocol.states:
        if state.initial is not None:
            yield f"how {state.name} begins", (state.initial,)


def _orders(term: Term[Any], kind: EntityKind[Any]) -> bool:
    return any(isinstance(node, Ascending) and node.kind == ListKind(kind) for node in nodes(term))


def _about(kind: Kind[Any], sort: EntityKind[Any]) -> bool:
    return kind == sort or (isinstance(kind, (OptionKind, SetKind, ListKind)) and _about(kind.of, sort))


def _names(terms: tuple[Term[Any], ...], sort: EntityKind[Any]) -> bool:
    """Return whether a literal in a term names an entity of a sort."""
    return any(
        isinstance(node, Lit) and node.value not in (None, (), frozenset()) and _about(node.kind, sort)
        for node in nodes(*terms)
    )


def _candidates(plan: Plan, sorts: list[EntityKind[Any]]) -> Iterator[Permutation]:
    """Yield permutations of the sorts, of all at once where these are few enough; the identity is the first."""
    each = [list(itertools.permutations(range(len(_all(plan, kind))))) for kind in sorts]
    names = [kind.name for kind in sorts]
    if np.prod([float(len(one)) for one in each]) <= MOST:
        for images in itertools.product(*each):
            yield dict(zip(names, images, strict=True))
        return
    largest = max(range(len(each)), key=lambda i: len(each[i]) if len(each[i]) <= MOST else 0)
    for image in each[largest]:
        yield {names[largest]: image}


def _image(value: Any, kind: Kind[Any], permutation: Permutation) -> Any:
    """Return the image of a value under a permutation."""
    if value is None:
        return None
    match kind:
        case EntityKind():
            return permutation[kind.name][value] if kind.name in permutation else value
        case OptionKind():
            return _image(value, kind.of, permutation)
        case SetKind():
            return frozenset(_image(one, kind.of, permutation) for one in value)
        case ListKind():
            return tuple(_image(one, kind.of, permutation) for one in value)
    return value


def _moved(terms: tuple[Term[Any], ...], permutation: Permutation) -> frozenset[Term[Any]]:
    """Return the images of the conjuncts of a condition."""

    def image(node: Term[Any]) -> Term[Any] | None:
        return Lit(_image(node.value, node.kind, permutation), node.kind) if isinstance(node, Lit) else None

    return frozenset(rewrite(term, image) for term in terms)


class Images:
    """Rows of registers under the permutations of a symmetry."""

    def __init__(self, layout: Layout, group: tuple[Permutation, ...]) -> None:
        self.layout, self.group = layout, group
        self._tables: dict[tuple[int, Kind[Any]], Numbers] = {}

    @cached_property
    def _places(self) -> list[Numbers]:
        """For each permutation, the cell whose image each cell takes."""
        index, places = self.layout.index, []
        for one in self.group:
            place = np.arange(self.layout.fault + 1)
            for (state, keys), at in index.items():
                image = tuple(_image(key, kind, one) for key, kind in zip(keys, state.keys, strict=True))
                place[index[(state, image)]] = at
            places.append(place)
        return places

    def _table(self, number: int, kind: Kind[Any]) -> Numbers | None:
        """Return the image of each register of a kind; None where all stay as they are."""
        key = (number, kind)
        if key not in self._tables:
            code, one = self.layout.coding, self.group[number]
            registers = [r for r in code.registers(kind) if r != FAR]
            table = np.arange(max(registers) + 1)
            for register in registers:
                if register >= 0:
                    table[register] = code.encode(kind, _image(code.decode(kind, register), kind, one))
            self._tables[key] = table
        table = self._tables[key]
        return None if np.array_equal(table, np.arange(len(table))) else table

    def of(self, rows: Numbers, number: int) -> Numbers:
        """Return the images of rows of registers under one permutation."""
        moved = rows[:, self._places[number]]
        for at, kind in enumerate(self.layout.kinds):
            table = self._table(number, kind) if _entities(kind) else None
            if table is not None:
                inside = (moved[:, at] >= 0) & (moved[:, at] < len(table))
                moved[inside, at] = table[moved[inside, at]]
        return moved

    def canonical(self, rows: Numbers) -> tuple[Numbers, Numbers, Numbers]:
        """Return the least image of each row of registers, by which permutation it is one, and how many images there
        are."""
        least, by, fixed = rows.copy(), np.zeros(len(rows), np.int64), np.zeros(len(rows), np.int64)
        for number in range(len(self.group)):
            images = self.of(rows, number)
            fixed += (images == rows).all(axis=1)
            differ = images != least
            first = differ.argmax(axis=1)
            at = np.arange(len(rows))
            less = differ.any(axis=1) & (images[at, first] < least[at, first])
            least[less], by[less] = images[less], number
        return least, by, len(self.group) // np.maximum(fixed, 1)


def _entities(kind: Kind[Any]) -> bool:
    return isinstance(kind, EntityKind) or (isinstance(kind, (OptionKind, SetKind, ListKind)) and _entities(kind.of))


class OrbitStore(PlainStore):
    """A store of one state of each orbit, the least, which counts the states of all orbits."""

    def __init__(self, layout: Layout, found: Symmetry) -> None:
        super().__init__(layout)
        self.found, self.images = found, Images(layout, found.group)
        self.sizes = 0

    def numbered(self, rows: Numbers, source: Numbers, base: int, row: int) -> Numbers:
        """Add the least images that are new; return the numbers of all, -1 of one outside its ranges."""
        least, _, sizes = self.images.canonical(rows)
        before = self.count
        numbers = super().numbered(least, source, base, row)
        if self.count > before:
            _, _, sizes = self.images.canonical(self.layout.unpack(self.states[before : self.count]))
            self.sizes += int(sizes.sum())
        return numbers

    def orbits(self) -> Orbits:
        """Return what was reduced."""
        return Orbits(self.count, self.sizes, len(self.found.group), self.found.moved, self.found.refused)


def orbits_of(store: object, count: int, found: Symmetry) -> Orbits:
    """Return what a search has reduced: nothing, each state an orbit of its own, where there is no symmetry."""
    if isinstance(store, OrbitStore):
        return store.orbits()
    return Orbits(count, count, len(found.group), found.moved, found.refused)


class OrbitTracer(Tracer):
    """Rebuilds runs from a store of orbits: runs of the protocol, whose last state is the one that is stored."""

    store: OrbitStore

    def path(self, state: int) -> tuple[Valuation, list[Move]]:
        """Return an initial state and the moves that lead from it to a state of the store."""
        numbers = [state]
        while self.store.rows[numbers[-1]] >= 0:
            numbers.append(int(self.store.parents[numbers[-1]]))
        numbers.reverse()
        layout, images = self.plan.layout, self.store.images
        run = [layout.unpack(self.store.states[numbers[0] : numbers[0] + 1])]
        for number in numbers[1:]:
            found = self._engine.expand(int(self.store.rows[number]), run[-1], 0, np.zeros(1, np.uint8)).rows
            least, _, _ = images.canonical(found)
            words, good = layout.pack(least)
            same = np.flatnonzero(good & (words == self.store.states[number]).all(axis=1))
            if not len(same):
                raise ReplayFailed(f"{self.plan.protocol.name}: no step leads into the orbit of state {number}")
            run.append(found[same[:1]].copy())
        _, by, _ = images.canonical(run[-1])
        run = [images.of(one, int(by[0])) for one in run]
        moves = [
            self._move(before, after, int(self.store.rows[number]))
            for before, after, number in zip(run, run[1:], numbers[1:], strict=False)
        ]
        return layout.valuation(run[0][0]), moves

    def _move(self, before: Numbers, after: Numbers, number: int) -> Move:
        found = self._engine.expand(number, before, 0, np.zeros(1, np.uint8))
        same = np.flatnonzero((found.rows == after).all(axis=1))
        row = self.plan.printed[number]
        if not len(same):
            raise ReplayFailed(f"{self.plan.protocol.name}: the image of a step of {row.row.id} is no step")
        binding: dict[Var[Any], Any] = self._binding(row, int(found.code[same[0]]))
        return row.row, binding
