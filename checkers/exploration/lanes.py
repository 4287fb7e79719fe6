"""Lanes: what is done to a chunk of states, with room of its own, so that several chunks may be in work at once.

What a chunk gives does not depend on the lane: successors in the order of rows, states and bindings, and the first
place where each property fails. The search takes chunks over in their order.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from fencepost.checkers.written_once import WRITTEN_ONCE
from fencepost.model.language import Always, Sometimes, Step
from fencepost.model.language.properties import AFTER_EVERY_RECORD

from .expansion import Expansion
from .layout import Numbers
from .plan import TWICE, Plan, RowPlan
from .result import DEADLOCK
from .traces import Found

if TYPE_CHECKING:
    from .columns import ColumnEngine
    from .compiled import CompiledEngine

CHUNK = 4096
"""States that are expanded together."""

BATCH = 8
"""Properties that are printed into one function."""

Batches = Sequence[tuple[bool, tuple[Always | Sometimes, ...]]]
Accept = Callable[[int, Expansion, int, Numbers], NDArray[np.bool_]]
"""Takes a row's number, its successors, the number of the chunk's first state and the chunk's registers; returns which
successors are inside their ranges."""


class Judging(Protocol):
    """What pairs the moments of successors."""

    def pairs(self, mid_of: Numbers, mid_code: Numbers) -> tuple[Numbers, Numbers]:
        """Return the pairs of moments that are one record apart."""
        ...


def located(depth: int, start: int) -> Callable[[int], Found]:
    """Return a function that says where the i-th state of a chunk was found."""
    return lambda i: Found(depth, start + i)


def batches(plan: Plan) -> Batches:
    """Return the properties of one state by whether they are checked after every record, a few at a time."""
    result = []
    asked = tuple(p for p in plan.asked if isinstance(p, Always))  # apart: most of it is found at once
    for among in (plan.conditions, asked):
        for records in (True, False):
            chosen = [p for p in among if (isinstance(p, Always) and p.scope == AFTER_EVERY_RECORD) == records]
            result += [(records, tuple(chosen[i : i + BATCH])) for i in range(0, len(chosen), BATCH)]
    return result


class Lane:
    """Expands and checks chunks of states.

    `found` gets what is found of properties, unless it is in `before`; `applied` counts rows without effects. `accept`
    takes successors over.
    """

    def __init__(
        self,
        plan: Plan,
        engine: ColumnEngine | CompiledEngine,
        judging: Judging,
        accept: Accept,
        found: dict[str, Found],
        before: Mapping[str, Found],
        applied: dict[str, int],
    ) -> None:
        self.plan, self.engine, self.judging, self.accept = plan, engine, judging, accept
        self.found, self.before, self.applied = found, before, applied
        self.batches = batches(plan)
        self._asked_of: dict[str, tuple[tuple[Step, RowPlan | None], ...]] = {}

    def open(self, id: str) -> bool:
        """Return whether a property is still to be found."""
        return id not in self.found and id not in self.before

    def chunk(self, cells: Numbers, low: int, depth: int, expand: bool, deadlock: bool) -> None:
        """Check the states from number `low` on, and expand them."""
        self.judge(cells, True, False, located(depth, low))
        if not expand:
            return
        alive = np.zeros(len(cells), np.uint8)
        self.expand(cells, low, depth, alive)
        if deadlock and self.open(DEADLOCK) and not alive.all():
            self.found[DEADLOCK] = Found(depth, low + int(np.argmin(alive)))
        for number, row in enumerate(self.plan.still, len(self.plan.rows)):
            if self._asks_still(row):
                self._stand_still(number, row, cells, low, depth)

    def expand(self, cells: Numbers, low: int, depth: int, alive: NDArray[np.uint8]) -> None:
        """Take the successors of states over; marks in `alive` those in which the guard of some row holds."""
        for number, row in enumerate(self.plan.rows):
            at = 0
            while at < len(cells):
                expansion: Expansion = self.engine.expand(number, cells, at, alive)
                at = expansion.stop
                if len(expansion.rows):
                    self.take(number, row, expansion, cells, low, depth)

    def steps_of(self, row: RowPlan) -> tuple[tuple[Step, RowPlan | None], ...]:
        """Return the properties of two states that are to be asked of a row's steps."""
        found = self._asked_of.get(row.row.id)
        if found is None:
            found = self._asked_of[row.row.id] = self.plan.steps_of(row)
        return found

    def _asks_still(self, row: RowPlan) -> bool:
        """Return whether a row without effects is to be expanded: until it applies once, and while it may break a
        claim."""
        return not self.applied[row.row.id] or any(
            self.open(one.id) and only is row for one, only in self.steps_of(row)
        )

    def _stand_still(self, number: int, row: RowPlan, cells: Numbers, low: int, depth: int) -> None:
        """Check the steps of a row without effects, which are no transitions."""
        at, stays = 0, np.zeros(len(cells), np.uint8)
        while at < len(cells):
            e: Expansion = self.engine.expand(number, cells, at, stays)
            at = e.stop
            self.applied[row.row.id] += len(e.rows)
            if len(e.rows):
                self._judge_steps(number, row, e, np.ones(len(e.rows), np.bool_), cells, low, depth)

    def judge(self, rows: Numbers, boundary: bool, moments: bool, where: Callable[[int], Found]) -> None:
        """Check the properties of one state on rows of registers; at moments those of scope "after every record"."""
        for records, batch in self.batches:
            wanted = [] if moments and not records else [self.open(p.id) for p in batch]
            if True not in wanted:
                continue
            found = np.array([-1 if is_open else 0 for is_open in wanted], np.int64)
            self.engine.check(batch, rows, found)
            for one, is_open, at in zip(batch, wanted, found.tolist(), strict=True):
                if is_open and at >= 0:
                    self.found[one.id] = where(at)

    def take(self, number: int, row: RowPlan, e: Expansion, cells: Numbers, low: int, depth: int) -> None:
        """Hand over and check the successors of one row."""
        if row.conflicting and self.open(WRITTEN_ONCE):
            twice = np.flatnonzero(e.rows[:, self.plan.layout.fault] == TWICE)
            if len(twice):
                k = int(twice[0])
                self.found[WRITTEN_ONCE] = Found(depth, low + int(e.source[k]), number, int(e.code[k]))
        good = self.accept(number, e, low, cells)
        kept = e.inner(len(row.stages) - 1, good) if len(e.mids) else ()
        if len(kept):
            mids, of, code = e.mids[kept], e.mid_of[kept], e.mid_code[kept]

            def moment(i: int) -> Found:
                k = int(of[i])
                return Found(depth + 1, low + int(e.source[k]), number, int(e.code[k]), int(code[i]))

            self.judge(mids, False, True, moment)
        self._judge_steps(number, row, e, good, cells, low, depth)

    def _judge_steps(
        self, number: int, row: RowPlan, e: Expansion, good: NDArray[np.bool_], cells: Numbers, low: int, depth: int
    ) -> None:
        asked = [(one, only) for one, only in self.steps_of(row) if self.open(one.id)]
        if not asked:
            return
        every = np.flatnonzero(good)
        single = np.flatnonzero(good & (e.parts == 0)) if len(e.mids) else every
        earlier, later = (
            self._pairs(e, good) if any(one.scope == AFTER_EVERY_RECORD for one, _ in asked) else (every, every)
        )
        for one, only in asked:
            records = one.scope == AFTER_EVERY_RECORD
            whole = single if records else every
            code = e.code[whole]
            at = self.engine.step(one, only, cells, e.source[whole], e.rows, whole, code) if len(whole) else -1
            if at >= 0:
                k = int(whole[at])
                self.found[one.id] = Found(depth + 1, low + int(e.source[k]), number, int(e.code[k]))
            elif records and len(e.mids):
                code = e.code[e.mid_of[earlier]]
                at = self.engine.step(one, only, e.mids, earlier, e.mids, later, code) if len(later) else -1
                if at >= 0:
                    i, j = int(earlier[at]), int(later[at])
                    k = int(e.mid_of[i])
                    self.found[one.id] = Found(
                        depth + 1,
                        low + int(e.source[k]),
                        number,
                        int(e.code[k]),
                        int(e.mid_code[j]),
                        int(e.mid_code[i]),
                    )

    def _pairs(self, e: Expansion, good: Any) -> tuple[Numbers, Numbers]:
        """Return the moments that are one record apart, in transitions that leave no range."""
        if not len(e.mids):
            return e.mid_of, e.mid_of
        first, second = self.judging.pairs(e.mid_of, e.mid_code)
        if good.all():
            return first, second
        kept = good[e.mid_of[first]]
        return first[kept], second[kept]
