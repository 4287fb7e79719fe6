"""Compiled lanes: chunks of states that compiled loops expand, pack and fold without Python in between, on threads.

A lane gives the roots of the successors of a chunk, in the order of rows, states and bindings; the store then enters
those of several chunks, in the order of the chunks. So what is found does not depend on the number of threads.
"""

from __future__ import annotations

import ctypes
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fencepost.checkers.written_once import WRITTEN_ONCE
from fencepost.model.language import Always, Sometimes, Step
from fencepost.model.language.properties import AFTER_EVERY_RECORD

from . import driving, lanes
from .expansion import Expansion
from .footprints import kept
from .lanes import BATCH, Lane, batches
from .layout import Numbers
from .plan import Plan, RowPlan
from .store import FoldedStore, Made
from .traces import Found

if TYPE_CHECKING:
    from .compiled import CompiledEngine, Graded


def _clock() -> tuple[int, int]:
    """Return where the system's function is that says what time of the processor a thread has taken, and the number of
    that clock; zeros where there is none, as on Windows: functions then stay as they began.
    """
    try:
        return ctypes.cast(ctypes.CDLL(None).clock_gettime, ctypes.c_void_p).value or 0, time.CLOCK_THREAD_CPUTIME_ID
    except (AttributeError, OSError, TypeError):
        return 0, 0


CLOCK = _clock()

SEEN_BITS = 16
"""The moments inside rows that are remembered as checked: 2**16 of them, which the processor's second cache holds."""

RECENT = 1 << 15
"""Roots that a lane remembers as appended."""

AHEAD = 8
"""Chunks of each thread, at most, that are expanded before their successors are stored."""

PATIENCE = 0.25
"""Seconds that this may take: budgets are looked at, and progress shown, when they are stored."""


@dataclass
class Done:
    """What became of a chunk: its successors, the steps of each row inside and outside their ranges, what was found."""

    made: Made
    counts: Numbers
    found: dict[str, Found] = field(default_factory=dict)
    applied: dict[str, int] = field(default_factory=dict)


class Tables:
    """What the loop over rows has of a plan, the same for all lanes: the places that each firing may write, which
    steps of each row are asked about, and which functions there are, those of the rows first.

    `hands`: successors are handed over, row by row, and nothing is asked about them.
    """

    def __init__(self, plan: Plan, hands: bool = False) -> None:
        self.plan = plan
        self.makers: list[Callable[[CompiledEngine], Graded]] = [
            partial(_row, number) for number in range(len(plan.rows))
        ]
        self.ids: list[str] = []
        self._slots: dict[Any, int] = {}
        self._numbers: dict[str, int] = {}
        self._place()
        moments = [batch for records, batch in batches(plan) if records]
        checks: list[tuple[int, int, int]] = []
        asked: list[int] = []
        for batch in moments:
            begin = len(asked)
            asked += [self._number(one.id) for one in batch]
            checks.append((self._slot(tuple(one.id for one in batch), partial(_check, batch)), begin, len(asked)))
        self.checks = np.array(checks, np.int64).reshape(-1, 3)
        self.asked = np.array(asked, np.int64)
        steps: list[tuple[int, int, int, int]] = []
        about = []
        for row in plan.rows:
            own = sorted((self._step(row, one, only) for one, only in plan.steps_of(row)), key=lambda one: one[:1:-1])
            about.append(
                (hands, bool(row.conflicting), len(row.stages) - 1, row.has_moments, len(steps), len(steps) + len(own))
            )
            steps += own
        self.steps = np.array(steps, np.int64).reshape(-1, 4)
        self.about = np.array(about, np.int64).reshape(-1, 6)
        self._number(WRITTEN_ONCE)

    def _place(self) -> None:
        nothing = np.zeros(0, np.int64)
        some = [row.places for row in self.plan.rows]
        kinds, begins, bound = [nothing], [nothing], []
        many, listed, bindings = 0, 0, 0
        for one in some:
            kinds.append(one.kind + listed)
            begins.append(one.begins + many)
            bound.append((bindings, len(one.kind) > 1))  # a row with too many bindings has one list for all of them
            many, listed = many + len(one.positions), listed + len(one.begins)
            bindings += len(one.kind)
        self.bound = np.array(bound, np.int64).reshape(-1, 2)
        self.kinds, self.begins = np.concatenate(kinds), np.concatenate(begins)
        self.places, self.bits = (
            np.concatenate([nothing, *(getattr(one, name) for one in some)]) for name in ("positions", "bits")
        )

    def _number(self, id: str) -> int:
        if id not in self._numbers:
            self._numbers[id] = len(self.ids)
            self.ids.append(id)
        return self._numbers[id]

    def _slot(self, key: Any, maker: Callable[[CompiledEngine], Graded]) -> int:
        if key not in self._slots:
            self._slots[key] = len(self.makers)
            self.makers.append(maker)
        return self._slots[key]

    def _step(self, row: RowPlan, one: Step, only: RowPlan | None) -> tuple[int, int, int, int]:
        slot = self._slot((one.id, only.row.id if only else ""), partial(_step, one, only))
        mask = row.columns.mask(one.term) if kept(one.term, frozenset()) else -1
        return slot, self._number(one.id), mask, int(one.scope == AFTER_EVERY_RECORD)


def _row(number: int, engine: CompiledEngine) -> Graded:
    return engine.row(number)


def _check(batch: tuple[Always | Sometimes, ...], engine: CompiledEngine) -> Graded:
    return engine.checking(batch)


def _step(one: Step, only: RowPlan | None, engine: CompiledEngine) -> Graded:
    return engine.stepping(one, only)


class CompiledLane(Lane):
    """A lane whose rows are expanded, and whose steps are asked about, by a compiled loop (`driving.py`).

    `lanes` may be at work at once, on one store.
    """

    engine: CompiledEngine

    def __init__(
        self,
        plan: Plan,
        engine: CompiledEngine,
        store: FoldedStore,
        before: Mapping[str, Found],
        applied: dict[str, int],
        tables: Tables,
        lanes: int = 1,
    ) -> None:
        super().__init__(plan, engine, store, _nowhere, {}, before, applied)
        self.store, self.lanes, self.tables = store, lanes, tables
        width = plan.layout.fault + 1
        makers = len(self.tables.makers)
        self._graded: list[Graded | None] = [None] * makers
        self._functions, self._spent = np.zeros(makers, np.int64), np.full(makers, -1, np.int64)
        self._open = np.ones(len(self.tables.ids), np.int64)
        self._span, self._given, self._times = (np.zeros(size, np.int64) for size in (driving.SPAN, 3, 2))
        self._hits = np.zeros(BATCH, np.int64)
        self._apart: Sequence[Numbers] = [np.zeros(0, np.int64)] * 3
        self._for_words()
        self._cells = np.zeros((0, width), np.int64)
        self._roots, self._sources = np.zeros(0, np.int64), np.zeros(0, np.int32)
        self._for_buffers()

    def _for_words(self) -> None:
        """Take the arrays that are of the words that states are packed into."""
        self._cut = self.plan.layout.cut
        self._recent = np.zeros(RECENT, np.int64)
        words = self.plan.layout.words
        self._seen = np.zeros((1 << SEEN_BITS, words), np.int64)  # takes no memory where nothing is written

    def _for_buffers(self) -> None:
        """Take the arrays that are as long as the engine's buffers, one of them as wide as the tree of a state."""
        engine = self.engine
        size, moments = engine.successors, engine.moments
        self._good, self._masks = np.zeros(size, np.uint8), np.zeros(size, np.int64)
        self._differs = np.zeros(size, np.int64)
        self._values = np.zeros((size, len(self.store.tree.values)), np.int64)
        self._picked = [np.zeros(max(size, moments), np.int64) for _ in range(3)]
        self._checked = np.zeros((moments, self.plan.layout.fault + 1), np.int64)
        self.store.expanded = max(self.store.expanded, self.lanes * size)

    def done(self, low: int, high: int, depth: int, expand: bool, deadlock: bool) -> Done:
        """Return what becomes of the states from `low` to `high`; its arrays of successors are valid until the next
        call.
        """
        if self._cut != self.plan.layout.cut:
            self._for_words()
            self._for_buffers()
        found: dict[str, Found] = {}
        self.found = found
        self._ends = np.zeros(len(self.plan.rows), np.int64)
        self._counts = np.zeros((len(self.plan.rows), 2), np.int64)
        with self.store.gate.reading():
            self._words, self._nodes = self.store.unfolded(self.store.roots[low:high])
            if len(self._cells) < high - low:
                self._cells = np.zeros((high - low, self.plan.layout.fault + 1), np.int64)
            cells = self._cells[: high - low]
            self.store.loops.registers(self.plan.layout, self._words, cells)
        before = dict(self.applied)
        self._span[:] = 0
        self.chunk(cells, low, depth, expand, deadlock)
        count = int(self._span[driving.COUNT])
        made = Made(low, high, self._ends, self._roots[:count], self._sources[:count])
        return Done(made, self._counts, found, {id: more - before[id] for id, more in self.applied.items()})

    def expand(self, cells: Numbers, low: int, depth: int, alive: NDArray[np.uint8]) -> None:
        """Append the roots of the successors of states; marks in `alive` those in which some row's guard holds."""
        self._open[:] = [self.open(id) for id in self.tables.ids]
        self._earn()
        while (ended := self._advance(cells, alive)) != driving.DONE:
            where = int(self._span[driving.WHERE])
            if ended == driving.ROOM:
                self._more_room()
            elif ended == driving.NODES:
                with self.store.gate.replacing():
                    self.store.reserve_nodes(self.store.expanded)
            elif ended == driving.BUFFERS:
                with self.store.gate.replacing():
                    self.engine.enlarge()
                    self._for_buffers()
            elif ended == driving.NEEDED:
                self._make(where)
            elif ended == driving.PAIRS:
                self._apart = [np.zeros(where, np.int64) for _ in range(3)]
            elif ended == driving.HANDED:
                made = int(self._span[driving.MADE])
                number, e = int(self._span[driving.ROW]), self._expansion()
                self.handed(number, e, self._good[:made].astype(np.bool_), cells)
            else:
                self._note(ended, where, low, depth)

    def handed(self, number: int, e: Expansion, good: NDArray[np.bool_], cells: Numbers) -> None:
        """Take successors of a row, where they are handed over."""
        raise NotImplementedError

    def _advance(self, cells: Numbers, alive: NDArray[np.uint8]) -> int:
        """Go on until something is to be done here."""
        store, layout, tree, engine, tables = self.store, self.plan.layout, self.store.tree, self.engine, self.tables
        with store.gate.reading():
            return int(
                store.loops.advance(
                    self._functions, self._spent, *CLOCK, self._times, self._given, self._span, cells, alive,
                    *engine.buffers, self._words, self._nodes, tables.bound, tables.kinds, tables.begins, tables.places,
                    tables.bits, layout.low, layout.top, layout.none, layout.shift, layout.word, layout.mask,
                    layout.packed, layout.first, tree.covers, tree.lefts, tree.rights, tree.half, self._values,
                    store.nodes, store.counter, store.node_table, store.expanded * len(tree.lefts), self._good,
                    self._masks, self._differs,
                    self._roots, self._sources, self._ends, self._counts, self._recent, tables.about, tables.steps,
                    tables.checks, tables.asked, self._open, self._hits, *self._picked, *self._apart, self._checked,
                    self._seen,
                )
            )  # fmt: skip

    def _expansion(self) -> Expansion:
        """Return the successors that are in the buffers."""
        stop, made, moments = self._span[[driving.AT, driving.MADE, driving.MOMENTS]].tolist()
        return self.engine.expansion(stop, made, moments)

    def _make(self, slot: int) -> None:
        """Have a function made."""
        self._graded[slot] = graded = self.tables.makers[slot](self.engine)
        self._functions[slot] = graded.address
        self._spent[slot] = 0 if graded.is_timed and CLOCK[0] else -1

    def _earn(self) -> None:
        """Have functions made better that have run for so long."""
        for slot in (self._spent >= 0).nonzero()[0].tolist():
            graded = self._graded[slot]
            assert graded is not None
            graded.seconds += self._spent[slot] / 1e9
            self._functions[slot] = graded.address
            self._spent[slot] = 0 if graded.is_timed and CLOCK[0] else -1

    def _more_room(self) -> None:
        """Make room for more successors of a chunk."""
        size = 2 * len(self._roots) + 4 * self.engine.successors
        count = int(self._span[driving.COUNT])
        self._roots, self._sources = (
            np.concatenate([old[:count], np.empty(size - count, old.dtype)]) for old in (self._roots, self._sources)
        )

    def _note(self, ended: int, where: int, low: int, depth: int) -> None:
        """Note what was found."""
        number, tables, e = int(self._span[driving.ROW]), self.tables, self._expansion()
        task = int(self._span[driving.TASK]) - len(tables.checks) - 1
        step = int(tables.about[number, driving.BEGIN]) + task
        first, second, _ = self._picked

        def at(depth: int, k: int, *moments: int) -> Found:
            return Found(depth, low + int(e.source[k]), number, int(e.code[k]), *moments)

        if ended == driving.TWICE:
            self._keep(len(tables.ids) - 1, at(depth, where))
        elif ended == driving.MOMENT:
            _, begin, end = tables.checks[where].tolist()
            for one, hit in zip(tables.asked[begin:end].tolist(), self._hits.tolist(), strict=False):
                if self._open[one] and hit >= 0:
                    i = int(first[hit])
                    self._keep(one, at(depth + 1, int(e.mid_of[i]), int(e.mid_code[i])))
        elif ended == driving.STEP:
            self._keep(int(tables.steps[step, driving.PROPERTY]), at(depth + 1, int(second[where])))
        else:
            i, j = int(first[where]), int(second[where])
            moments = int(e.mid_code[j]), int(e.mid_code[i])
            self._keep(int(tables.steps[step, driving.PROPERTY]), at(depth + 1, int(e.mid_of[i]), *moments))

    def _keep(self, property: int, found: Found) -> None:
        """Keep where a property was found first, and ask about it no more."""
        self.found[self.tables.ids[property]] = found
        self._open[property] = 0


class Chunks:
    """Chunks in work, on several threads where there are several lanes; compiled functions hold no lock of Python's."""

    def __init__(
        self, count: int, store: FoldedStore, pool: ThreadPoolExecutor | None, lane: Callable[[], CompiledLane]
    ) -> None:
        self.count, self.store, self._pool = count, store, pool
        self._ahead = 1
        self._lanes: SimpleQueue[CompiledLane] = SimpleQueue()
        for _ in range(count):
            self._lanes.put(lane())

    def run(
        self, low: int, stop: int, depth: int, expand: bool, deadlock: bool
    ) -> Generator[tuple[Done, int], None, None]:
        """Yield what becomes of each chunk of a level, in order, with the number of states there are then."""

        def done(begin: int) -> Done:
            return self._done(begin, min(begin + lanes.CHUNK, stop), depth, expand, deadlock)

        while low < stop:
            ahead = self._ahead * self.count if self._pool is not None else 1
            begins = range(low, min(low + ahead * lanes.CHUNK, stop), lanes.CHUNK)
            started = time.monotonic()
            if len(begins) > 1 and self._pool is not None:
                some = list(self._pool.map(done, begins))
            else:
                some = [done(begin) for begin in begins]
            if len(begins) == ahead:
                is_soon = time.monotonic() - started < PATIENCE
                self._ahead = min(2 * self._ahead, AHEAD) if is_soon else max(self._ahead // 2, 1)
            counts = self.store.take([one.made for one in some]) if expand else [self.store.count] * len(some)
            yield from zip(some, counts, strict=True)
            low = begins[-1] + lanes.CHUNK

    def _done(self, low: int, high: int, depth: int, expand: bool, deadlock: bool) -> Done:
        lane = self._lanes.get()
        try:
            one = lane.done(low, high, depth, expand, deadlock)
            if self.count > 1:
                made = one.made
                one.made = Made(made.low, made.high, made.ends, made.roots.copy(), made.sources.copy())
        finally:
            self._lanes.put(lane)
        return one

    def close(self) -> None:
        """End the threads."""
        if self._pool is not None:
            self._pool.shutdown()


def _nowhere(*_: Any) -> NDArray[np.bool_]:
    raise AssertionError("a compiled lane takes successors over by itself")
