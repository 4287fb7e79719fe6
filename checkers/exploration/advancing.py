"""Compiled lanes: chunks of states that compiled loops expand, pack and fold without Python in between, on threads.

A lane gives the roots of the successors of a chunk, in the order of rows, states and bindings; the store then enters
those of several chunks, in the order of the chunks. So what is found does not depend on the number of threads.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fencepost.checkers.written_once import WRITTEN_ONCE

from . import lanes, loops
from .footprints import Columns
from .lanes import Lane
from .layout import Numbers
from .native import FULL
from .plan import Plan, RowPlan
from .store import FoldedStore, Made, Taken, pairs_of
from .traces import Found

if TYPE_CHECKING:
    from .compiled import CompiledEngine, Loops

SEEN_BITS = 20
"""The moments inside rows that are remembered as judged: 2**20 of them."""

RECENT = 1 << 15
"""Roots that a lane remembers as appended."""

AHEAD = 8
"""Chunks of each thread that are expanded before their successors are stored."""


class Room:
    """The room of a lane, which remembers which moments it has judged."""

    def __init__(self, store: FoldedStore) -> None:
        self.layout, self.loops = store.layout, store.loops
        self._room: Numbers = np.zeros((1, self.layout.words), np.int64)
        self._seen: Numbers = np.zeros((0, self.layout.words), np.int64)

    def unjudged(self, mids: Numbers, asked: Numbers) -> Numbers:
        """Return which of the moments asked for are to be judged: most of those judged before are left out."""
        layout = self.layout
        if len(self._seen) == 0:
            # No complement of a packed word is 0: what is not written yet, and takes no memory, is no state.
            self._seen = np.zeros((1 << SEEN_BITS, layout.words), np.int64)
        kept = np.zeros(len(asked), np.int64)
        count = self.loops.unjudged(
            mids, asked, layout.low, layout.top, layout.none, layout.shift, layout.first, self._seen, SEEN_BITS, kept,
            self._room,
        )  # fmt: skip
        return kept[:count]

    def changed(
        self, before: Numbers, before_at: Numbers, after: Numbers, after_at: Numbers, writes: Columns
    ) -> Numbers | None:
        """Return for each step the bits of the variables that it changes."""
        masks = np.zeros(len(before_at), np.int64)
        self.loops.changed(before, before_at, after, after_at, writes.positions, writes.bits, masks)
        return masks

    def pairs(self, mid_of: Numbers, mid_code: Numbers) -> tuple[Numbers, Numbers]:
        """Return the pairs of moments that are one record apart, as two arrays of positions."""
        return pairs_of(self.loops.pairs, mid_of, mid_code)


@dataclass
class Done:
    """What became of a chunk: its successors, the steps of each row inside and outside their ranges, what was found."""

    made: Made
    counts: Numbers
    found: dict[str, Found] = field(default_factory=dict)
    applied: dict[str, int] = field(default_factory=dict)


class CompiledLane(Lane):
    """A lane whose rows are expanded one after the other by a compiled loop; Python judges the steps of those rows of
    which some property is to be asked. `lanes` may be at work at once.
    """

    engine: CompiledEngine

    def __init__(
        self,
        plan: Plan,
        engine: CompiledEngine,
        store: FoldedStore,
        found: dict[str, Found],
        before: Mapping[str, Found],
        applied: dict[str, int],
        lanes: int = 1,
    ) -> None:
        super().__init__(plan, engine, Room(store), _nowhere, found, before, applied)
        self.store, self.lanes = store, lanes
        store.expanded = max(store.expanded, lanes * engine.successors)
        rows, layout = plan.rows, plan.layout
        some = [row.places for row in rows]
        nothing = np.zeros(0, np.int64)
        self._places, self._bits = (
            np.concatenate([nothing, *(getattr(one, name) for one in some)]) for name in ("positions", "bits")
        )
        first, kinds = 0, [nothing]
        begins = [nothing]
        for one in some:
            kinds.append(one.kind + sum(map(len, begins)))
            begins.append(one.begins + first)
            first += len(one.positions)
        self._kinds, self._begins = np.concatenate(kinds), np.concatenate(begins)
        ends = np.cumsum([0, *(len(one.kind) for one in some)])
        # A row with too many bindings has one list for all of them.
        self._bound = np.array(
            [(begin, len(one.kind) > 1) for begin, one in zip(ends.tolist(), some, strict=False)], np.int64
        ).reshape(-1, 2)
        self._functions, self._asked = np.zeros(len(rows), np.int64), np.zeros(len(rows), np.int64)
        self._asked_after = (-1, -1)
        self._span, self._given = np.zeros(7, np.int64), np.zeros(3, np.int64)
        self._values = np.zeros(len(store.tree.values), np.int64)
        self._recent = np.zeros(RECENT, np.int64)
        self._cells = np.zeros((0, layout.fault + 1), np.int64)
        self._roots, self._sources = np.zeros(0, np.int64), np.zeros(0, np.int32)

    def done(self, low: int, high: int, depth: int, expand: bool, deadlock: bool) -> Done:
        """Return what becomes of the states from `low` to `high`; its arrays of successors are valid until the next
        call.
        """
        if self._asked_after[0]:
            self._asked_after = (-1, -1)
        self._ends = np.zeros(len(self.plan.rows), np.int64)
        self._counts = np.zeros((len(self.plan.rows), 2), np.int64)
        with self.store.gate.reading():
            self._words, self._nodes = self.store.unfolded(self.store.roots[low:high])
            if len(self._cells) < high - low:
                self._cells = np.zeros((high - low, self.plan.layout.fault + 1), np.int64)
            cells = self._cells[: high - low]
            self.store.loops.registers(self.plan.layout, self._words, cells)
        before = dict(self.applied)
        self._count = 0
        self.chunk(cells, low, depth, expand, deadlock)
        made = Made(low, high, self._ends, self._roots[: self._count], self._sources[: self._count])
        return Done(made, self._counts, applied={id: count - before[id] for id, count in self.applied.items()})

    def expand(self, cells: Numbers, low: int, depth: int, alive: NDArray[np.uint8]) -> None:
        """Append the roots of the successors of states; marks in `alive` those in which some row's guard holds."""
        graded = [self.engine.row(number) for number in range(len(self.plan.rows))]
        span = self._span
        span[:] = 0
        while span[loops.ROW] < len(graded):
            number = int(span[loops.ROW])
            quick = [i for i in range(number, len(graded)) if graded[i].grade is not FULL]
            # Code that may earn a better one runs alone, so that its time is known.
            span[loops.LAST] = quick[0] if quick and quick[0] > number else number + 1 if quick else len(graded)
            for i in range(number, int(span[loops.LAST])):
                self._functions[i] = graded[i].address
            with self.store.gate.reading():
                started = time.thread_time()
                ended = self._advance(cells, alive)
                if quick and quick[0] == number:
                    graded[number].seconds += time.thread_time() - started
            number = int(span[loops.ROW])
            if ended == loops.ROOM:
                self._more_room()
            elif ended == loops.NODES:
                with self.store.gate.replacing():
                    self.store.reserve_nodes(self.store.expanded)
            elif ended == loops.BUFFERS:
                with self.store.gate.replacing():
                    self.engine.enlarge()
                    self.store.expanded = max(self.store.expanded, self.lanes * self.engine.successors)
            elif ended == loops.JUDGE:
                made, moments = int(span[loops.MADE]), int(span[loops.MOMENTS])
                e = self.engine.expansion(int(span[loops.AT]), made, moments)
                taken = Taken(self._good[:made].astype(np.bool_), self._masks[:made])
                self.judge_successors(number, self.plan.rows[number], e, taken, cells, low, depth)
        self._count = int(span[loops.COUNT])

    def _advance(self, cells: Numbers, alive: NDArray[np.uint8]) -> int:
        """Go on until something is to be done here."""
        store, layout, tree, engine = self.store, self.plan.layout, self.store.tree, self.engine
        if len(self._good) < engine.successors:
            self._good = np.zeros(engine.successors, np.uint8)
            self._masks = np.zeros(engine.successors, np.int64)
        self._ask()
        return int(
            store.loops.advance(
                self._functions, self._span, self._given, cells, alive, self._asked, *engine.buffers,
                self._words, self._nodes, self._bound, self._kinds, self._begins, self._places, self._bits,
                layout.low, layout.top, layout.none, layout.shift, layout.word, layout.mask,
                tree.covers, tree.lefts, tree.rights, tree.half, self._values, store.nodes, store.counter,
                store.node_table, store.expanded * len(tree.lefts), self._good, self._masks,
                self._roots, self._sources, self._ends, self._counts, self._recent,
            )
        )  # fmt: skip

    _good: NDArray[np.uint8] = np.zeros(0, np.uint8)
    _masks: Numbers = np.zeros(0, np.int64)

    def _more_room(self) -> None:
        """Make room for more successors of a chunk."""
        size = 2 * len(self._roots) + 4 * self.engine.successors
        count = int(self._span[loops.COUNT])
        for name in ("_roots", "_sources"):
            old = getattr(self, name)
            new = np.empty(size, old.dtype)
            new[:count] = old[:count]
            setattr(self, name, new)

    def _ask(self) -> None:
        """Find out anew of which rows something is to be judged, where something has been found meanwhile."""
        known = (len(self.found), len(self.before))
        if known != self._asked_after:
            self._asked_after = known
            self._asked[:] = [self.asks(row) for row in self.plan.rows]

    def asks(self, row: RowPlan) -> bool:
        """Return whether something is to be judged of a row's successors beside the states that they are."""
        return (
            (bool(row.conflicting) and self.open(WRITTEN_ONCE))
            or any(self.open(one.id) for one, _ in self.steps_of(row))
            or (row.has_moments and any(records and any(self.open(p.id) for p in some) for records, some in self.batches))
        )


class Chunks:
    """Chunks in work, on several threads where there are several lanes; compiled functions hold no lock of Python's."""

    def __init__(
        self, count: int, store: FoldedStore, pool: ThreadPoolExecutor | None, lane: Callable[[], CompiledLane]
    ) -> None:
        self.count, self.store, self._pool = count, store, pool
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
            ahead = AHEAD * self.count if self._pool is not None and self.count > 1 else 1
            begins = range(low, min(low + ahead * lanes.CHUNK, stop), lanes.CHUNK)
            if len(begins) > 1 and self._pool is not None:
                some = list(self._pool.map(done, begins))
            else:
                some = [done(begin) for begin in begins]
            counts = self.store.take([one.made for one in some]) if expand else [self.store.count] * len(some)
            yield from zip(some, counts, strict=True)
            low = begins[-1] + lanes.CHUNK

    def _done(self, low: int, high: int, depth: int, expand: bool, deadlock: bool) -> Done:
        lane = self._lanes.get()
        lane.found = found = {}
        try:
            one = lane.done(low, high, depth, expand, deadlock)
            one.found = found
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


def _nowhere(*_: Any) -> Taken:
    raise AssertionError("a compiled lane takes successors over by itself")
