"""Partial order reduction: in each state the steps of a stubborn set alone, so that independent steps are taken in one
order and not in all.

What a search of every state finds of properties of states and of steps, of deadlock and of the rows that fire, this
one finds too. Steps are put off only where one of those taken leads to a state that is still to be expanded, so that
none is put off for ever. A run that is found need not be the shortest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fencepost.checkers.document import Document

from . import stubborn
from .columns import ColumnEngine, condition_function
from .expansion import Expansion
from .independence import Independence
from .lanes import Lane
from .layout import Numbers
from .store import PlainStore

if TYPE_CHECKING:
    from .engine import Search

Flags = NDArray[np.uint8]
Bools = NDArray[np.bool_]

MOST_NAMED = 4
"""Variables that are named as what steps share."""

SEEN = "every reachable state at these sizes was seen, but for other orders of independent steps"


@dataclass(frozen=True)
class Reduced(Document):
    """What was put off: in how many of the states some steps were, and which steps are independent at all.

    `kinds` counts the kinds of steps that were distinguished, `pairs` the pairs of them, `independent` those among them
    that share no variable; `shared` has by variable how many of the other pairs share it. `visible` counts the kinds
    that a property may see.
    """

    states: int
    put_off: int
    kinds: int
    visible: int
    pairs: int
    independent: int
    shared: Mapping[str, int]

    def lines(self) -> list[str]:
        """Return it as text: what was put off, and what keeps steps in order."""
        first = (
            f"some steps were put off in {self.put_off:,} of {self.states:,} states"
            if self.put_off
            else "no step could be put off: every state was seen"
        )
        shared = ", ".join(f"{name} ({count:,})" for name, count in list(self.shared.items())[:MOST_NAMED])
        second = f"of {self.pairs:,} pairs of kinds of steps {self.independent:,} are independent"
        return [
            first,
            second + (f"; the others share {shared}" if shared else ""),
            f"{self.visible:,} of {self.kinds:,} kinds are seen by a property; fewer properties put more off",
        ]


class ReducingLane(Lane):
    """A lane that takes the steps of a stubborn set of each state, and all where these lead nowhere new."""

    def __init__(self, search: Search, store: PlainStore) -> None:
        super().__init__(search.plan, search.engine, store, self._placed, search.found, {}, search.applied)
        self.search, self.store = search, store
        self.independence = Independence(search.plan)
        self.sets = StubbornSets(self.independence, compiled=not isinstance(search.engine, ColumnEngine))
        self.put_off = 0
        self._opened: Bools = np.zeros(0, np.bool_)

    def reduced(self) -> Reduced:
        """Return what was put off."""
        found = self.independence
        pairs, independent, shared = found.pairs
        return Reduced(self.store.count, self.put_off, len(found.parts), len(found.visible), pairs, independent, shared)

    def _placed(self, number: int, e: Expansion, low: int, cells: Numbers) -> Bools:
        numbers = self.store.numbered(e.rows, e.source, low, number)
        self._opened[e.source[numbers >= self.search.stop]] = True
        good = numbers >= 0
        inside = int(np.count_nonzero(good))
        self.search.counted(self.search.plan.rows[number].row.id, inside, len(good) - inside)
        return good

    def expand(self, cells: Numbers, low: int, depth: int, alive: Flags) -> None:
        """Take the steps of stubborn sets, then the others of states from which these led to nothing new."""
        made = [(number, self._whole(number, cells, alive)) for number in range(len(self.plan.rows))]
        parts = [self.independence.part(number, e.code) for number, e in made]
        possible = np.zeros((len(cells), len(self.independence.parts)), np.uint8)
        for (number, e), part in zip(made, parts, strict=True):
            step = self._steps(number, e, part, cells)
            possible[e.source[step], part[step]] = 1
        chosen = self.sets.chosen(possible, cells)
        some_left: Bools = (chosen != possible).any(axis=1)
        self._opened = np.zeros(len(cells), np.bool_)
        now = [~some_left[e.source] | (chosen[e.source, part] != 0) for (_, e), part in zip(made, parts, strict=True)]
        self._take_all(((number, e, taken) for (number, e), taken in zip(made, now, strict=True)), cells, low, depth)
        opened = self._opened.copy()
        self.put_off += int(np.count_nonzero(some_left & opened))
        rest = ((number, e, ~(taken | opened[e.source])) for (number, e), taken in zip(made, now, strict=True))
        self._take_all(rest, cells, low, depth)

    def _whole(self, number: int, cells: Numbers, alive: Flags) -> Expansion:
        """Return every successor by a row, in arrays of its own."""
        made, at = [], 0
        while at < len(cells):
            e: Expansion = self.engine.expand(number, cells, at, alive)
            at = e.stop
            made.append(e.only(np.ones(len(e.rows), np.bool_)))
        return Expansion.joined(made)

    def _steps(self, number: int, e: Expansion, part: Numbers, cells: Numbers) -> Bools:
        """Return which successors are steps of their own: inside the ranges, and changing something.

        What changes nothing is one too while its row has made none, and where a property may see it.
        """
        _, good = self.plan.layout.pack(e.rows)
        if not self.search.fired[self.plan.rows[number].row.id]:
            return good
        steps: Bools = good & ((e.rows != cells[e.source]).any(axis=1) | self.sets.watched[part])
        return steps

    def _take_all(self, some: Iterable[tuple[int, Expansion, Bools]], cells: Numbers, low: int, depth: int) -> None:
        for number, e, taken in some:
            if taken.any():
                self.take(number, self.plan.rows[number], e.only(taken), cells, low, depth)


class StubbornSets:
    """Chooses stubborn sets of whole chunks of states."""

    def __init__(self, found: Independence, compiled: bool) -> None:
        layout, parts = found.plan.layout, len(found.parts)
        self._conditions = [condition_function(layout, one) for one in found.conditions]
        # A guard of which no conjunct is known to be false may become true by whatever changes a cell of its part.
        changing = [found.enabling(found.cells_of(one)) for one in found.conditions]
        changing += [found.enabling(one.cells) for one in found.parts]
        known = len(self._conditions)
        asked = [[*sorted(one.asked, key=lambda c: len(changing[c])), known + at] for at, one in enumerate(found.parts)]
        self._arrays = [
            array
            for listed in (
                [sorted(found.dependent(at)) for at in range(parts)],
                asked,
                [sorted(one) for one in changing],
            )
            for array in _flat(listed)
        ]
        self.watched = _flags(found.watched, parts) != 0
        self._visible = _flags(found.visible, parts)
        self._visible_parts = np.array(sorted(found.visible), np.int64)
        self._room = [np.zeros(parts, np.int64) for _ in range(3)]
        self._true = known + parts
        self._choose: Callable[..., Any] = stubborn.choose
        if compiled:
            from .compiled import standing

            self._choose = standing(stubborn, "choose")

    def chosen(self, possible: Flags, cells: Numbers) -> Flags:
        """Return which parts with a step are in a stubborn set of each state, shape (states, parts)."""
        true = np.zeros((len(cells), self._true), np.uint8)
        columns = np.ascontiguousarray(cells.T)
        for at, condition in enumerate(self._conditions):
            true[:, at] = np.broadcast_to(condition(columns), (len(cells),)) != 0
        chosen = np.zeros_like(possible)
        self._choose(possible, true, *self._arrays, self._visible, self._visible_parts, chosen, *self._room)
        return chosen


def _flags(some: Iterable[int], count: int) -> Flags:
    flags = np.zeros(count, np.uint8)
    flags[list(some)] = 1
    return flags


def _flat(listed: list[list[int]]) -> tuple[Numbers, Numbers]:
    """Return lists one after the other, and where each begins, with the end."""
    begins = np.cumsum([0, *map(len, listed)])
    return np.array([one for some in listed for one in some], np.int64), begins.astype(np.int64)
