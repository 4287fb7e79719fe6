"""Candidate lemmas: the fewest facts of a state, whatever its entities are called, that no reached state shows."""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from fencepost.model.language import Kind, State, Term, Valuation, Var, World
from fencepost.model.language.interpreter import CellKey
from fencepost.model.language.kinds import (
    BoolKind,
    EntityKind,
    EnumKind,
    IntKind,
    ListKind,
    OptionKind,
    SetKind,
    ThresholdKind,
)
from fencepost.model.language.render import text
from fencepost.model.language.terms import Compare, Elems, Eq, Get, Implies, Lit, Member, Not, SetOf
from fencepost.model.language.walk import free, nary, negation, quantified, substitute

from .searched import Candidate

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from fencepost.checkers.exploration.layout import Layout, Numbers

    Truths: TypeAlias = NDArray[np.bool_]

Entity: TypeAlias = tuple[str, Any]
"""An entity of a state: its sort and itself."""

MOST_FACTS = 400
MOST_NAMINGS = 120
SAMPLE = 1500
"""States of which every fact is asked at first; where what is chosen of them is shown by others, these are added."""
CHUNK = 8192


@dataclass(frozen=True)
class Facts:
    """What a state shows: conditions over variables for its entities, those near the failure first."""

    variables: Mapping[Entity, Var[Any]]
    terms: tuple[Term[bool], ...]
    near: int


def facts_of(
    states: Sequence[State[Any]],
    start: Valuation,
    world: World,
    near: frozenset[CellKey],
    entities: Mapping[Entity, str],
    sorts: Mapping[str, tuple[EntityKind[Any], int]],
) -> Facts:
    """Return what a state shows of some variables.

    `near` are the cells that the failure and the row's guard read. `entities` are those that the failure names, with
    their names there; they come first where a sort has more of them than a bound has: `sorts` says how many that are.
    """
    named = _named(world, entities, sorts)
    close: dict[Term[bool], None] = {}
    far: dict[Term[bool], None] = {}
    counters: list[tuple[Get[Any], int, bool]] = []
    for state in states:
        for keys in itertools.product(*(world.values(kind) for kind in state.keys)):
            terms = [_key(kind, key, named) for kind, key in zip(state.keys, keys, strict=True)]
            if any(term is None for term in terms):
                continue
            cell = Get(state, tuple(term for term in terms if term is not None))
            value, is_near = start.read(state, keys), (state, keys) in near
            (close if is_near else far).update(dict.fromkeys(_shown(cell, value, state, named)))
            if isinstance(state.kind, IntKind):
                counters.append((cell, value, is_near))
    for (one, x, a), (other, y, b) in itertools.combinations(counters, 2):
        if a and b:
            close[_compared(one, x, other, y)] = None
        elif one.kind == other.kind:
            far[_compared(one, x, other, y)] = None
    listed = [*close, *(one for one in far if one not in close)][:MOST_FACTS]
    return Facts(named, tuple(listed), min(len(close), len(listed)))


def _named(
    world: World, entities: Mapping[Entity, str], sorts: Mapping[str, tuple[EntityKind[Any], int]]
) -> dict[Entity, Var[Any]]:
    """Return a variable for every entity that is spoken of, as many of each sort as a bound has."""
    taken: set[str] = set()
    found: dict[Entity, Var[Any]] = {}
    for sort, (kind, most) in sorts.items():
        values = world.entities.get(sort, ())
        first = [value for value in values if (sort, value) in entities]
        rest = [value for value in values if (sort, value) not in entities]
        for value in [*first, *rest][:most]:
            wanted = entities.get((sort, value), sort[0].lower())
            further = (f"{wanted}{i}" for i in itertools.count(2))
            name = next(n for n in itertools.chain([wanted], further) if n not in taken)
            taken.add(name)
            found[sort, value] = Var(name, kind)
    return found


def _key(kind: Kind[Any], key: Any, named: Mapping[Entity, Var[Any]]) -> Term[Any] | None:
    if isinstance(kind, EntityKind):
        return named.get((kind.name, key))
    return Lit(key, kind)


def _shown(cell: Get[Any], value: Any, state: State[Any], named: Mapping[Entity, Var[Any]]) -> Iterator[Term[bool]]:
    """Yield what a cell's value shows, without the names of entities and the numbers of counters."""
    kind = state.kind
    inside = kind.of if isinstance(kind, OptionKind) else kind
    if isinstance(kind, OptionKind):
        nothing: Term[bool] = Eq(cell, Lit(None, kind))
        yield nothing if value is None else Not(nothing)
        if value is None:
            return
    if isinstance(inside, BoolKind):
        if inside is kind:
            yield cell if value else negation(cell)
        else:
            yield Eq(cell, Lit(value, inside))
    elif isinstance(inside, (EnumKind, ThresholdKind)):
        yield Eq(cell, Lit(value, inside))
    elif isinstance(inside, EntityKind):
        for (sort, entity), var in named.items():
            if sort == inside.name:
                yield Eq(cell, var) if entity == value else Not(Eq(cell, var))
    elif isinstance(inside, IntKind) and inside is kind:
        if isinstance(state.initial, Lit):
            first: Term[bool] = Eq(cell, state.initial)
            yield first if value == state.initial.value else Not(first)
    elif isinstance(kind, (SetKind, ListKind)) and isinstance(kind.of, EntityKind):
        members: Term[Any] = Elems(cell) if isinstance(kind, ListKind) else cell
        for (sort, entity), var in named.items():
            if sort == kind.of.name:
                member = Member(var, members)
                yield member if entity in value else Not(member)
        nobody = Eq(members, SetOf(kind.of, ()))
        yield nobody if not value else Not(nobody)


def _compared(one: Get[Any], x: int, other: Get[Any], y: int) -> Term[bool]:
    if x == y:
        return Eq(one, other)
    return Compare("<", one, other) if x < y else Compare("<", other, one)


class Chooser:
    """The fewest of some facts that no state of a store shows, for any choice of the bound's entities."""

    def __init__(self, facts: Facts, layout: Layout, states: Numbers, until: float) -> None:
        from fencepost.checkers.exploration.columns import condition_function

        self.facts, self.layout, self.states, self.until = facts, layout, states, until
        self._function = condition_function
        self._printed: dict[Term[bool], Any] = {}
        self.namings = list(itertools.islice(_namings(facts.variables, layout.world), MOST_NAMINGS))

    def _truth(self, fact: int, naming: Mapping[Var[Any], Term[Any]], columns: Numbers) -> Truths:
        import numpy as np

        term = substitute(self.facts.terms[fact], naming)
        if term not in self._printed:
            self._printed[term] = self._function(self.layout, term)
        return np.broadcast_to(np.asarray(self._printed[term](columns)) != 0, (columns.shape[1],))

    def _asked(self, columns: Numbers) -> Truths:
        """Return which facts the states show, a line for each state under each naming."""
        import numpy as np

        every = range(len(self.facts.terms))
        found = [np.stack([self._truth(f, naming, columns) for f in every], axis=1) for naming in self.namings]
        return np.unique(np.concatenate(found), axis=0)

    def _columns(self, rows: Numbers) -> Numbers:
        import numpy as np

        return np.ascontiguousarray(self.layout.unpack(rows).T)

    def chosen(self) -> tuple[int, ...] | None:
        """Return the facts, None where a reached state shows them all, or where time is up."""
        import numpy as np

        if not self.namings or not self.facts.terms:
            return None
        step = max(1, len(self.states) // SAMPLE)
        known = self._asked(self._columns(self.states[::step]))
        while time.process_time() < self.until:
            some = _hitting(known, self.facts.near)
            if some is None:
                return None
            others = self._showing(some)
            if others is None:
                return some
            known = np.unique(np.concatenate((known, self._asked(others))), axis=0)
        return None

    def _showing(self, some: Sequence[int]) -> Numbers | None:
        """Return some states that show these facts together, None where there are none."""
        import numpy as np

        for low in range(0, len(self.states), CHUNK):
            columns = self._columns(self.states[low : low + CHUNK])
            for naming in self.namings:
                here = np.ones(columns.shape[1], np.bool_)
                for fact in some:
                    here &= self._truth(fact, naming, columns)
                if here.any():
                    return np.ascontiguousarray(columns[:, np.flatnonzero(here)[:100]])
        return None


def _namings(variables: Mapping[Entity, Var[Any]], world: World) -> Iterator[dict[Var[Any], Term[Any]]]:
    by_sort: dict[str, list[Var[Any]]] = {}
    for (sort, _), var in variables.items():
        by_sort.setdefault(sort, []).append(var)
    choices = [itertools.permutations(world.entities.get(sort, ()), len(mine)) for sort, mine in by_sort.items()]
    flat = [var for mine in by_sort.values() for var in mine]
    for chosen in itertools.product(*choices):
        values = [value for one in chosen for value in one]
        yield {var: Lit(value, var.kind) for var, value in zip(flat, values, strict=True)}


def _hitting(shown: Truths, near: int) -> tuple[int, ...] | None:
    """Return few facts of which no line shows all, None where a line shows all there are; those near count double."""
    import numpy as np

    if len(shown) and shown.all(axis=1).any():
        return None
    weight = np.where(np.arange(shown.shape[1]) < near, 2.0, 1.0)
    left, chosen = np.ones(len(shown), np.bool_), []
    while left.any():
        best = int(np.argmax((~shown[left]).sum(axis=0) * weight))
        chosen.append(best)
        left &= shown[:, best]
    for one in list(chosen):
        rest = [other for other in chosen if other != one]
        if rest and not shown[:, rest].all(axis=1).any():
            chosen = rest
    return tuple(sorted(chosen))


def candidate(facts: Facts, some: Sequence[int]) -> Candidate:
    """Return the lemma that no state shows some facts together."""
    together = nary("and", [facts.terms[i] for i in some])
    spoken = [var for var in facts.variables.values() if var in free(together)]
    apart = [Not(Eq(one, other)) for one, other in itertools.combinations(spoken, 2) if one.kind == other.kind]
    body: Term[bool] = negation(together)
    if apart:
        body = Implies(nary("and", apart), body)
    different = f" (for different {', '.join(v.name for v in spoken)})" if apart else ""
    return Candidate(text(together) + different, quantified("every", spoken, body))


__all__ = ["Chooser", "Facts", "candidate", "facts_of"]
