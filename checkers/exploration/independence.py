"""Independence: which steps of rows read and write nothing in common, found in the tables.

A row's bindings are taken together as far as they read and write the same cells: those that agree on the parameters
that key a cell are one `Part` of the row. Two parts are independent where neither writes a cell that the other reads or
writes: then either order of two steps leads to the same state, and neither step makes the other possible or impossible.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from fencepost.checkers.verdicts import Refusal
from fencepost.model.language import Always, LeadsTo, Sometimes, Step
from fencepost.model.language.state import State
from fencepost.model.language.terms import Get, Lit, Term, Var
from fencepost.model.language.walk import bound, children, free, substitute

from .conditions import instances
from .footprints import kept
from .layout import Layout, Numbers
from .plan import Plan, RowPlan

MOST = 20_000
"""Parts that are distinguished at most: of more, the pairs alone take too long."""

Key = Lit[Any] | Var[Any] | None
Place = tuple[State[Any], tuple[Key, ...]]
"""A variable and its keys as far as they are literals or free variables; None for a key that the state decides."""


@dataclass(frozen=True)
class Part:
    """The bindings of a row with the same values of the parameters that key cells.

    `cells` are those that a step of it may read or write, `written` those among them that it may write; both are sets
    of positions. `asked` are the conjuncts of the guard that these values decide in a state, as numbers of
    `Independence.conditions`.
    """

    row: int
    cells: frozenset[int]
    written: frozenset[int]
    asked: tuple[int, ...]


class Independence:
    """The parts of a plan's rows, and which of them may be put off while others are taken.

    Raises `Refusal` where a bound has too many parts.
    """

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self._places = _Places(plan.layout)
        self.conditions: dict[Term[bool], int] = {}
        self.parts: list[Part] = []
        self._numbering = [self._parts_of(number, row) for number, row in enumerate(plan.rows)]
        self.writers: list[set[int]] = [set() for _ in plan.layout.cells]
        self.users: list[set[int]] = [set() for _ in plan.layout.cells]
        for at, part in enumerate(self.parts):
            for cell in part.cells:
                self.users[cell].add(at)
            for cell in part.written:
                self.writers[cell].add(at)

    def _parts_of(self, number: int, row: RowPlan) -> tuple[int, list[int]]:
        """Add the parts of a row; return the number of the first, and the positions of the parameters that count."""
        reads = set().union(*map(places, row.conditions))
        writes: set[Place] = set()
        for stage in row.stages:
            for update in stage.stage.updates:
                own = frozenset(update.binders)
                for term in (update.when, update.value, *update.target.keys):
                    reads |= places(term, own)
                writes.add(_place(update.target, own))
        keys = {key for _, of in reads | writes for key in of}
        counted = [at for at, one in enumerate(row.row.params) if one in keys]
        chosen = [row.row.params[at] for at in counted]
        first, world = len(self.parts), self.plan.layout.world
        for values in itertools.product(*(world.values(one.kind) for one in chosen)):
            if len(self.parts) >= MOST:
                raise Refusal(f"more than {MOST:,} kinds of steps to tell apart; leave out --partial-order")
            given = dict(zip(chosen, values, strict=True))
            literal = {one: Lit(value, one.kind) for one, value in given.items()}
            written = self._places.cells(writes, given)
            asked = [
                self.conditions.setdefault(instance, len(self.conditions))
                for condition in row.conditions
                if free(condition) <= given.keys()
                for instance in instances(substitute(condition, literal), world)
            ]
            self.parts.append(
                Part(number, self._places.cells(reads, given) | written, written, tuple(dict.fromkeys(asked)))
            )
        return first, counted

    def part(self, row: int, codes: Numbers) -> Numbers:
        """Return the numbers of the parts that bindings of a row, given by their numbers, belong to."""
        first, counted = self._numbering[row]
        radix = self.plan.rows[row].radix
        found = np.zeros(len(codes), np.int64)
        for at in counted:
            found = found * radix.sizes[at] + codes // radix.weights[at] % radix.sizes[at]
        return found + first

    def dependent(self, at: int) -> set[int]:
        """Return the parts that are not independent of a part, itself among them."""
        part = self.parts[at]
        found = {at}.union(*(self.users[cell] for cell in part.written))
        return found.union(*(self.writers[cell] for cell in part.cells))

    def enabling(self, cells: Iterable[int]) -> set[int]:
        """Return the parts that may change what is true of some cells."""
        return set[int]().union(*(self.writers[cell] for cell in cells))

    def cells_of(self, *terms: Term[Any]) -> frozenset[int]:
        """Return the cells that terms without free variables may read; those of free ones count with every value."""
        return self._places.cells(set().union(*map(places, terms)), {})

    @cached_property
    def watched(self) -> frozenset[int]:
        """The parts whose steps may break a property of steps though they change nothing which it reads."""
        asked = [one for one in self._properties if isinstance(one, Step)]
        rows = {id for one in asked for id in one.rows}
        every = any(not one.rows and not kept(one.term, frozenset()) for one in asked)
        return frozenset(at for at, one in enumerate(self.parts) if every or self.plan.rows[one.row].row.id in rows)

    @cached_property
    def visible(self) -> frozenset[int]:
        """The parts whose steps some property may see: those that write what it reads, and those that are watched."""
        terms = [one.term for one in self._properties]
        terms += [condition for row in self.plan.still for condition in row.conditions]
        return self.watched.union(*(self.writers[cell] for cell in self.cells_of(*terms)))

    @property
    def _properties(self) -> list[Always | Step | Sometimes]:
        """The properties of states and of steps, and what shows whether they are put to the test."""
        return [one for one in (*self.plan.protocol.properties, *self.plan.asked) if not isinstance(one, LeadsTo)]

    @cached_property
    def pairs(self) -> tuple[int, int, Mapping[str, int]]:
        """How many pairs of parts there are, how many are independent, and how many of the others each variable is
        shared by.
        """
        shared: Counter[str] = Counter()
        count = together = 0
        for at, one in enumerate(self.parts):
            for other in self.dependent(at) - {at}:
                if other < at:
                    two = self.parts[other]
                    common = (one.written & two.cells) | (two.written & one.cells)
                    shared.update({self.plan.layout.cells[cell][0].name for cell in common})
                    together += 1
            count += at
        return count, count - together, dict(shared.most_common())


class _Places:
    """The cells of a layout by what is known of their keys."""

    def __init__(self, layout: Layout) -> None:
        self._of: dict[State[Any], list[tuple[int, tuple[Any, ...]]]] = {}
        for at, (state, keys) in enumerate(layout.cells):
            self._of.setdefault(state, []).append((at, keys))

    def cells(self, found: Iterable[Place], given: Mapping[Var[Any], Any]) -> frozenset[int]:
        """Return the positions of the cells that places may mean, for some values of variables."""
        return frozenset(at for place in found for at in self._meant(place, given))

    def _meant(self, place: Place, given: Mapping[Var[Any], Any]) -> Iterator[int]:
        state, keys = place
        known = {
            i: key.value if isinstance(key, Lit) else given[key]
            for i, key in enumerate(keys)
            if isinstance(key, Lit) or (key is not None and key in given)
        }
        for at, values in self._of[state]:
            if all(values[i] == value for i, value in known.items()):
                yield at


def _place(node: Get[Any], own: frozenset[Var[Any]]) -> Place:
    return node.state, tuple(
        key if isinstance(key, Lit) or (isinstance(key, Var) and key not in own) else None for key in node.keys
    )


def places(term: Term[Any], own: frozenset[Var[Any]] = frozenset()) -> set[Place]:
    """Return what a term reads; variables of `own` are bound around it."""
    found, seen, waiting = set[Place](), set[tuple[Term[Any], frozenset[Var[Any]]]](), [(term, own)]
    while waiting:
        node, around = one = waiting.pop()
        if one in seen:
            continue
        seen.add(one)
        if isinstance(node, Get):
            found.add(_place(node, around))
        mine = bound(node)
        waiting += [(child, around if mine is None else around | {mine}) for child in children(node)]
    return found
