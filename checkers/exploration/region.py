"""Regions: the states that a run may stay in without ever reaching a goal, and the steps between them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fencepost.model.language import LeadsTo, Term
from fencepost.model.language.fairness import fairness

from .columns import condition_function
from .layout import Numbers

if TYPE_CHECKING:
    from .expansion import Expanding, Expansion
    from .plan import Plan
    from .store import Store

CHUNK = 4096
"""States that are judged or expanded together."""

Bools = NDArray[np.bool_]


@dataclass(frozen=True)
class Region:
    """The states reachable from a trigger through states without the goal; n of them, in the order of a shortest run.

    `states`, shape (n,): their numbers in the store. `depth`, shape (n,): the level of each on a shortest run that
    enters the region at a trigger. `via`, `row`, shape (n,): the position of the state before and the number of the row
    that leads from it, -1 where the run enters.
    `source`, `target`, `row_of`, `code`, `event`, shape (m,): the steps that stay in the region and change something,
    by positions, with the numbers of the row, of its binding, and of what a run must be fair to, or -1; without those
    that a run takes finitely often.
    `enabled`, shape (n, fair): whether that can change the state, if only to one outside the ranges.
    `cut`, shape (n,): the number of a row that a counter's range alone disables in the state, -1 where there is none.
    `strong`, shape (fair,): whether its fairness is strong.
    """

    states: Numbers
    depth: Numbers
    via: Numbers
    row: Numbers
    source: Numbers
    target: Numbers
    row_of: Numbers
    code: Numbers
    event: Numbers
    enabled: Bools
    cut: Numbers
    strong: Bools


class Finder:
    """Finds states of a store by their packed words."""

    def __init__(self, words: Numbers) -> None:
        self._salt = 0
        while True:
            hashes = self._hashes(words)
            order = np.argsort(hashes, kind="stable")
            self._sorted, self._order = hashes[order], order
            if len(words) < 2 or not (self._sorted[1:] == self._sorted[:-1]).any():
                return
            self._salt += 1

    def _hashes(self, words: Numbers) -> NDArray[np.uint64]:
        result = np.full(len(words), 0x9E3779B97F4A7C15 + 2 * self._salt, np.uint64)
        for w in range(words.shape[1]):
            result ^= words[:, w].astype(np.uint64)
            result *= np.uint64(0xFF51AFD7ED558CCD)
            result ^= result >> np.uint64(32)
        return result

    def find(self, words: Numbers) -> Numbers:
        """Return the numbers of packed states, all of which are in the store."""
        found: Numbers = self._order[np.searchsorted(self._sorted, self._hashes(words))]
        return found


def judged(plan: Plan, store: Store, term: Term[bool]) -> Bools:
    """Return in which states of a store a condition holds."""
    function = condition_function(plan.layout, term)
    result = np.zeros(store.count, np.bool_)
    for low in range(0, store.count, CHUNK):
        high = min(low + CHUNK, store.count)
        columns = np.ascontiguousarray(plan.layout.unpack(store.states[low:high]).T)
        holds: Any = function(columns)
        result[low:high] = np.broadcast_to(holds, (high - low,)) != 0
    return result


def region(
    plan: Plan, store: Store, engine: Expanding, levels: list[int], one: LeadsTo, triggers: Bools, goals: Bools
) -> Region:
    """Return the region of a leads-to property in a store that holds every reachable state.

    `levels` are the sizes of the store's levels; `triggers` and `goals` say in which states the conditions hold.
    """
    return _Growing(plan, store, engine, one, triggers & ~goals, ~goals).grow(levels)


class _Growing:
    def __init__(self, plan: Plan, store: Store, engine: Expanding, one: LeadsTo, seeds: Bools, inside: Bools) -> None:
        self.plan, self.store, self.engine, self.seeds, self.inside = plan, store, engine, seeds, inside
        self.finder = Finder(store.states[: store.count])
        self.fair = fairness(one, plan.protocol.rows, plan.layout.world)
        self.finitely = frozenset(one.finitely)
        self.strong = np.array([fair.strong for fair in self.fair], np.bool_)
        self.place = np.full(store.count, -1, np.int64)
        self.states: list[Numbers] = []
        self.depth: list[Numbers] = []
        self.via: list[Numbers] = []
        self.row: list[Numbers] = []
        self.steps: list[tuple[Numbers, Numbers, Numbers, Numbers, Numbers]] = []
        self.enabled: list[Bools] = []
        self.cut: list[Numbers] = []
        self.count = 0

    def grow(self, levels: list[int]) -> Region:
        """Add states level by level, each by the shortest run that enters the region at a trigger."""
        ends = np.cumsum([0, *levels])
        level, before = 0, 0
        while level < len(levels) or before < self.count:
            level += 1
            fresh = self.count
            self._expand(before, fresh, level)
            before = fresh
            if level <= len(levels):
                low, high = int(ends[level - 1]), int(ends[level])
                new = low + np.flatnonzero(self.seeds[low:high] & (self.place[low:high] < 0))
                self._add(new, np.full(len(new), -1), -1, level)
        self._expand(before, self.count, level)
        columns = zip(*self.steps, strict=True) if self.steps else [[]] * 5
        source, target, row_of, code, event = (np.concatenate([np.zeros(0, np.int64), *one]) for one in columns)
        nothing = np.zeros(0, np.int64)
        return Region(
            np.concatenate([nothing, *self.states]),
            np.concatenate([nothing, *self.depth]),
            np.concatenate([nothing, *self.via]),
            np.concatenate([nothing, *self.row]),
            self.place[source],
            self.place[target],
            row_of,
            code,
            event,
            np.concatenate([np.zeros((0, len(self.fair)), np.bool_), *self.enabled]),
            np.concatenate([nothing, *self.cut]),
            self.strong,
        )

    def _add(self, new: Numbers, via: Numbers, row: int, level: int) -> None:
        self.place[new] = self.count + np.arange(len(new))
        self.count += len(new)
        self.states.append(new)
        self.depth.append(np.full(len(new), level, np.int64))
        self.via.append(via)
        self.row.append(np.full(len(new), row, np.int64))

    def _expand(self, low: int, high: int, level: int) -> None:
        """Expand the states at some positions; what is new belongs to a level."""
        every = np.concatenate([np.zeros(0, np.int64), *self.states])[low:high]
        for at in range(0, len(every), CHUNK):
            states = every[at : at + CHUNK]
            cells = self.plan.layout.unpack(self.store.states[states])
            enabled = np.zeros((len(states), len(self.fair)), np.bool_)
            cut = np.full(len(states), -1, np.int64)
            alive = np.zeros(len(states), np.uint8)
            for number in range(len(self.plan.rows)):
                start = 0
                while start < len(states):
                    expansion = self.engine.expand(number, cells, start, alive)
                    start = expansion.stop
                    if len(expansion.rows):
                        self._take(number, expansion, states, low + at, enabled, cut, level)
            self.enabled.append(enabled)
            self.cut.append(cut)

    def _take(
        self, number: int, expansion: Expansion, states: Numbers, base: int, enabled: Bools, cut: Numbers, level: int
    ) -> None:
        words, good = self.plan.layout.pack(expansion.rows)
        event = self._events(number, expansion.code)
        outside = expansion.source[~good]
        cut[outside] = number
        self._enable(enabled, outside, event[~good])
        target = self.finder.find(words[good])
        source, event, code = expansion.source[good], event[good], expansion.code[good]
        changing = target != states[source]
        source, target, event, code = source[changing], target[changing], event[changing], code[changing]
        self._enable(enabled, source, event)
        staying = self.inside[target]
        source, target, event, code = source[staying], target[staying], event[staying], code[staying]
        new, first = np.unique(target, return_index=True)
        lasting = self.plan.rows[number].row.event.name not in self.finitely
        unseen = self.place[new] < 0
        self._add(new[unseen], base + source[first[unseen]], number, level)
        if lasting:
            self.steps.append((states[source], target, np.full(len(source), number, np.int64), code, event))

    def _events(self, number: int, codes: Numbers) -> Numbers:
        """Return the numbers of what runs must be fair to that some bindings of a row are of, -1 for none."""
        row = self.plan.rows[number]
        found = np.full(len(codes), -1, np.int64)
        for at, fair in enumerate(self.fair):
            if fair.event != row.row.event.name:
                continue
            mine = np.ones(len(codes), np.bool_)
            for variable, value in fair.values:
                which = row.row.params.index(variable)
                registers = self.plan.layout.coding.registers(variable.kind)
                place = registers.index(self.plan.layout.coding.encode(variable.kind, value))
                mine &= codes // row.radix.weights[which] % row.radix.sizes[which] == place
            found[mine] = at
        return found

    @staticmethod
    def _enable(enabled: Bools, states: Numbers, events: Numbers) -> None:
        some = events >= 0
        enabled[states[some], events[some]] = True
