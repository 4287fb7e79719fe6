"""A search that ends when its time is up: level by level first, then from random states that it has come to."""

from __future__ import annotations

import random
import time
from collections.abc import Collection
from typing import Any

import numpy as np

from fencepost.checkers.exploration.columns import ColumnEngine
from fencepost.checkers.exploration.engine import EngineName, Search
from fencepost.checkers.exploration.expansion import Expansion
from fencepost.checkers.exploration.initial import initial_rows
from fencepost.checkers.exploration.lanes import CHUNK, located
from fencepost.checkers.exploration.layout import Numbers
from fencepost.checkers.exploration.plan import Plan, RowPlan
from fencepost.checkers.exploration.store import PlainStore
from fencepost.checkers.exploration.traces import Tracer
from fencepost.checkers.verdicts import Refusal


class _Over(Exception):
    """Time is up, or everything that was looked for is found."""


class _Codes(Tracer):
    """A tracer that returns the codes of bindings instead of the bindings."""

    def _binding(self, row: RowPlan, code: int) -> Any:
        return code


class ShortSearch(Search):
    """A search for the failures of some properties.

    `depth` counts the levels that were checked and expanded whole; `closed` says that nothing new came of the last.
    `by_levels` are the properties whose failure was found level by level, so that no shorter run shows it.
    """

    def __init__(self, plan: Plan, wanted: Collection[str], until: float) -> None:
        columns = ColumnEngine(plan)
        # Most searches are over before anything is worth compiling; some rows NumPy cannot take.
        engine: EngineName = "numpy" if all(columns.takes(row) for row in plan.rows) else "auto"
        super().__init__(plan, engine, False, False, None)
        if engine != "numpy":
            self.keep_in(PlainStore(plan.layout))  # states are added row by row, in no order of chunks
        self.wanted, self.until, self.limit = set(wanted), until, until
        self.depth, self.closed = 0, False
        self.by_levels: frozenset[str] = frozenset()

    def run_short(self, levels: float, expanded: int, deep: int, lots: random.Random) -> None:
        """Search: for a part of the time level by level, `expanded` states at once, then runs of at most `deep`."""
        self.limit = time.process_time() + levels * (self.until - time.process_time())
        try:
            self._by_levels(expanded)
            self.closed = True
        except _Over:
            pass
        self.by_levels = frozenset(self.found)
        self.limit = self.until
        try:
            self._spend()
            if not self.closed:
                self._judge_new(0)
                while self.store.count:
                    self._spend()
                    self._deeper(lots, expanded, deep)
        except _Over:
            pass

    def _spend(self) -> None:
        if self.wanted <= self.found.keys() or time.process_time() > self.limit:
            raise _Over

    def _by_levels(self, expanded: int) -> None:
        rows = initial_rows(self.plan.protocol, self.plan.bound, self.layout)
        good = self.store.add(rows, np.zeros(len(rows), np.int64), 0, -1)
        if not good.all():
            raise Refusal("an initial value is outside its range at these sizes")
        start = 0
        while start < self.store.count:
            stop = self.store.count
            self.levels.append(stop - start)
            self._judge_new(start)
            for low in range(start, stop, expanded):
                self._expand(low, min(low + expanded, stop), len(self.levels))
            start = stop
            self.depth += 1

    def _judge_new(self, start: int) -> None:
        """Check the states from a number on by the properties of one state."""
        for low in range(start, self.store.count, CHUNK):
            self._judge(
                self.store.unpacked(low, min(low + CHUNK, self.store.count)),
                True,
                False,
                located(len(self.levels), low),
            )
            self._spend()

    def _expand(self, low: int, high: int, depth: int) -> None:
        cells = self.store.unpacked(low, high)
        alive = np.zeros(high - low, np.uint8)
        for number, row in enumerate(self.plan.rows):
            at = 0
            while at < high - low:
                expansion: Expansion = self.engine.expand(number, cells, at, alive)
                at = expansion.stop
                if len(expansion.rows):
                    self._take(number, row, expansion, cells, low, depth)
            self._spend()

    def _deeper(self, lots: random.Random, expanded: int, deep: int) -> None:
        """Begin at some states of the store, and go on from some of those that are new each time."""
        low = lots.randrange(self.store.count)
        for _ in range(deep):
            before = self.store.count
            self._expand(low, min(low + expanded, before), len(self.levels))
            if self.store.count == before:
                return
            self._judge_new(before)
            low = lots.randrange(before, self.store.count)

    def run_to(self, id: str) -> tuple[tuple[int, ...], tuple[tuple[str, int], ...], int | None, int | None]:
        """Return the run to a failure: the registers of its first state, its rows with the codes of their bindings, and
        the moments inside the last of them.
        """
        found = self.found[id]
        start, moves = _Codes(self.plan, self.store).path(found.state)
        layout = self.layout
        registers = tuple(
            layout.coding.encode(kind, start.read(*cell)) for cell, kind in zip(layout.cells, layout.kinds, strict=True)
        )
        listed: list[tuple[str, Any]] = [(row.id, code) for row, code in moves]
        if found.row is not None:
            listed.append((self.plan.rows[found.row].row.id, found.code))
        return registers, tuple(listed), found.moment, found.earlier


__all__ = ["Numbers", "ShortSearch"]
