"""Swarms of random walks on the functions of exploration, for bounds that no exploration closes.

All walks of a round take a step together: every successor of the states in which they stand is asked every property,
and of the successors each walk takes one. It prefers rows that were taken seldom, and has preferences of its own, drawn
anew for every walk. Later rounds go on from states in which a row fired first, or in which a guard came further than
before. Nothing is drawn but from the seed. A walk shows what it meets and nothing else: no property is ever closed.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fencepost.checkers.asked import AskedOf, scopes_of
from fencepost.checkers.counterexample import (
    RANGE_DECIDES,
    RANGE_ENDS,
    Trace,
    deadlock_decided_by_range,
    holds,
    twice_in_last_state,
)
from fencepost.checkers.document import Document
from fencepost.checkers.verdicts import Verdict
from fencepost.checkers.written_once import WRITTEN_ONCE
from fencepost.model.language import Always, Bound, LeadsTo, Property, Protocol, Sometimes, Step
from fencepost.model.language.properties import AFTER_EVERY_RECORD, AT_RESULT_BOUNDARIES
from fencepost.model.language.walk import negation

from .assumed import Assumed, assumed
from .columns import ColumnEngine
from .coverage import CHUNK, Coverage, GuardCoverage
from .declaring import declared, not_tested, overall
from .engine import EngineName, bound_of
from .expansion import Expansion
from .initial import initial_rows
from .lanes import batches
from .layout import Layout, Numbers
from .plan import TWICE, Plan, RowPlan
from .result import DEADLOCK, PropertyVerdict
from .store import Store
from .traces import Found, Tracer
from .walks import Walker

ROUND = 256
"""Walks of one round at most; a round is a sixth of all walks where these are fewer."""

AGAIN = 0.5
"""How many walks go on from where an earlier one came to something new."""

TASTE = 1.5
"""The standard deviation of the logarithm of a walk's own preference for a row."""

Progress = Callable[[int, int, int, float], None]
"""Called with walks, steps, successors asked and seconds after every round."""


@dataclass(frozen=True)
class Swarm(Document):
    """What random walks saw of a protocol at a bound.

    `steps` are the rows that walks took, `states` the different states they passed, `asked` the successors of these,
    duplicates included, all of which were asked every property. `verdict` is VIOLATED where a property that is declared
    to hold does not, else INCONCLUSIVE; `rows_fired` counts successors by row, and `coverage` says how far every guard
    came in the states that walks passed.
    """

    DOCUMENT = (
        "protocol bound sizes walks depth seed steps states asked verdict message assumptions properties rows_fired "
        "rows_never_fired out_of_range coverage seconds engine asked_of=scopes"
    )

    protocol: str
    bound: str
    sizes: Mapping[str, int]
    walks: int
    depth: int
    seed: int
    steps: int
    states: int
    asked: int
    verdict: Verdict
    properties: tuple[PropertyVerdict, ...]
    rows_fired: Mapping[str, int]
    out_of_range: Mapping[str, int]
    coverage: tuple[GuardCoverage, ...]
    seconds: float
    engine: str
    message: str
    assumptions: tuple[Assumed, ...] = ()
    scopes: tuple[AskedOf, ...] = ()

    @property
    def rows_never_fired(self) -> tuple[str, ...]:
        """The rows with effects that fired in no state that a walk passed."""
        return tuple(id for id, count in self.rows_fired.items() if not count)


class WalkStore(Store):
    """The states that walks passed, as trees: each with the state before it and the row that was taken."""

    def take(self, words: Numbers, parents: Numbers, rows: Numbers) -> Numbers:
        """Add states that were stepped into, the same ones again too; return their numbers."""
        states = self.reserve(len(words))
        numbers = np.arange(self.count, self.count + len(words))
        states[numbers], self.parents[numbers], self.rows[numbers] = words, parents, rows
        self.count += len(words)
        return numbers


@dataclass(frozen=True)
class Positions:
    """Where walks stand: the numbers of their states, and how many steps led there."""

    numbers: Numbers
    steps: Numbers


class _Judge:
    """Asks every property of states, of moments inside rows and of steps, until something shows its failure or its
    witness."""

    def __init__(self, plan: Plan, engine: Any, store: Store) -> None:
        self.plan, self.engine, self.store = plan, engine, store
        self.found: dict[str, Found] = {}
        self.batches = batches(plan)

    def states(self, rows: Numbers, inside: bool, where: Callable[[int], Found]) -> None:
        """Ask rows of registers; inside a row only what is asked after every record."""
        for records, batch in self.batches:
            if not len(rows) or (inside and not records) or all(one.id in self.found for one in batch):
                continue
            found = np.array([0 if one.id in self.found else -1 for one in batch], np.int64)
            before = found.copy()
            self.engine.check(batch, rows, found)
            for j in np.flatnonzero((before < 0) & (found >= 0)):
                self.found[batch[j].id] = where(int(found[j]))

    def successors(self, e: Successors, cells: Numbers, at: Positions) -> None:
        """Ask the successors that leave no range, of the states in which walks stand."""

        def found(k: int, *moments: int) -> Found:
            walk = int(e.source[k])
            return Found(int(at.steps[walk]) + 2, int(at.numbers[walk]), int(e.number[k]), int(e.code[k]), *moments)

        every = np.flatnonzero(e.good & e.changes)
        self.states(np.ascontiguousarray(e.rows[every]), False, lambda i: found(int(every[i])))
        if len(e.inner):
            rows, of, code = e.mids[e.inner], e.mid_of[e.inner], e.mid_code[e.inner]
            self.states(rows, True, lambda i: found(int(of[i]), int(code[i])))
        good, single = np.flatnonzero(e.good), np.flatnonzero(e.good & (e.parts == 0))
        first, second = self.store.pairs(e.mid_of, e.mid_code) if len(e.mids) else (good[:0], good[:0])
        pairs = e.mid_of[first]
        by_row = {id(row): number for number, row in enumerate(self.plan.printed)}
        for one, only in self.plan.steps:
            if one.id in self.found:
                continue
            records = one.scope == AFTER_EVERY_RECORD
            whole, apart = single if records else good, np.flatnonzero(e.good[pairs]) if records else good[:0]
            if only is not None:
                number = by_row[id(only)]
                whole, apart = whole[e.number[whole] == number], apart[e.number[pairs[apart]] == number]
            k = self._step(one, only, cells, e.source[whole], e.rows, whole, e.code[whole])
            if k >= 0:
                self.found[one.id] = found(int(whole[k]))
                continue
            k = self._step(one, only, e.mids, first[apart], e.mids, second[apart], e.code[pairs[apart]])
            if k >= 0:
                i, j = int(first[apart[k]]), int(second[apart[k]])
                self.found[one.id] = found(int(e.mid_of[i]), int(e.mid_code[j]), int(e.mid_code[i]))

    def _step(
        self,
        one: Step,
        only: RowPlan | None,
        before: Numbers,
        before_at: Numbers,
        after: Numbers,
        after_at: Numbers,
        code: Numbers,
    ) -> int:
        return int(self.engine.step(one, only, before, before_at, after, after_at, code)) if len(code) else -1


@dataclass(frozen=True)
class Successors:
    """All successors of some states, by rows as they are expanded: an `Expansion` of all rows, each successor with the
    `number` of its row.

    `good` are those that leave no range, `changes` those of rows with effects, `inner` the moments that are states of
    their own.
    """

    rows: Numbers
    source: Numbers
    number: Numbers
    code: Numbers
    parts: Numbers
    good: NDArray[np.bool_]
    changes: NDArray[np.bool_]
    mids: Numbers
    mid_of: Numbers
    mid_code: Numbers
    inner: Numbers

    @staticmethod
    def of(plan: Plan, found: Sequence[tuple[int, Expansion]]) -> Successors:
        """Return expansions by rows of these numbers together."""
        each = [(0, Expansion.empty(0, plan.layout.fault + 1)), *found]
        sizes = [len(e.rows) for _, e in each]
        starts = np.concatenate(([0], np.cumsum(sizes))).tolist()
        number = np.repeat(np.array([n for n, _ in each]), sizes)
        rows = np.concatenate([e.rows for _, e in each])
        good = plan.layout.pack(rows)[1]
        inner, before = [np.zeros(0, np.int64)], 0
        for (n, e), start, size in zip(each, starts, sizes, strict=False):
            if len(e.mids):
                inner.append(e.inner(len(plan.printed[n].stages) - 1, good[start : start + size]) + before)
                before += len(e.mids)
        return Successors(
            rows=rows,
            source=np.concatenate([e.source for _, e in each]),
            number=number,
            code=np.concatenate([e.code for _, e in each]),
            parts=np.concatenate([e.parts for _, e in each]),
            good=good,
            changes=number < len(plan.rows),
            mids=np.concatenate([e.mids for _, e in each]),
            mid_of=np.concatenate([e.mid_of + start for (_, e), start in zip(each, starts, strict=False)]),
            mid_code=np.concatenate([e.mid_code for _, e in each]),
            inner=np.concatenate(inner),
        )


class _Walks:
    """The walks of one swarm while it runs."""

    def __init__(self, plan: Plan, engine: EngineName, deadlock: bool, seed: int) -> None:
        self.plan, self.deadlock = plan, deadlock
        self.random = np.random.default_rng(seed)
        self.engine: Any = self._engine(engine)
        self.store = WalkStore(plan.layout)
        self.judge = _Judge(plan, self.engine, self.store)
        self.coverage = Coverage(plan.layout, plan.rows)
        self.starts = initial_rows(plan.protocol, plan.bound, plan.layout)
        self.fresh: list[tuple[int, int]] = []
        self.taken = np.zeros(len(plan.rows), np.int64)
        self.fired = np.zeros(len(plan.printed), np.int64)
        self.outside = np.zeros(len(plan.printed), np.int64)
        self.asked = 0

    def _engine(self, engine: EngineName) -> Any:
        if engine == "numpy":
            return ColumnEngine(self.plan)
        from .compiled import CompiledEngine

        return CompiledEngine(self.plan, engine == "llvm")

    def round(self, walks: int, depth: int) -> None:
        """Walk so many walks together until each has so many steps behind it, those before its start counted."""
        low = self.store.count
        at = self._begin(walks, depth)
        taste = np.exp(TASTE * self.random.standard_normal((walks, len(self.plan.rows))))
        came = [np.stack((at.numbers, at.steps))]
        while True:
            going = np.flatnonzero(at.steps < depth)
            if not len(going):
                break
            at, taste = Positions(at.numbers[going], at.steps[going]), taste[going]
            kept, rows, chosen = self._step(self._cells(at.numbers), at, taste)
            words, _ = self.plan.layout.pack(chosen)
            at = Positions(self.store.take(words, at.numbers[kept], rows), at.steps[kept] + 1)
            taste = taste[kept]
            self.fresh += [(int(at.numbers[i]), int(at.steps[i])) for i in np.flatnonzero(self.taken[rows] == 0)]
            self.taken += np.bincount(rows, minlength=len(self.taken))
            came.append(np.stack((at.numbers, at.steps)))
        self._cover(low, dict(np.concatenate(came, axis=1).T.tolist()))

    def _begin(self, walks: int, depth: int) -> Positions:
        """Return where walks begin: at an initial state, or where an earlier walk came to something new."""
        numbers, steps = np.zeros(walks, np.int64), np.zeros(walks, np.int64)
        again = [one for one in self.fresh if one[1] < depth]
        anew = self.random.random(walks) >= AGAIN if again else np.ones(walks, np.bool_)
        for at in np.flatnonzero(~anew):
            # Of two entries the later one: what was hard to come to is gone on from more often.
            numbers[at], steps[at] = again[int(self.random.integers(len(again), size=2).max())]
        rows = self.starts[self.random.integers(len(self.starts), size=int(anew.sum()))]
        words, _ = self.plan.layout.pack(rows)
        nothing = np.full(len(rows), -1)
        numbers[anew] = self.store.take(words, nothing, nothing)
        begun = numbers[anew]
        self.judge.states(np.ascontiguousarray(rows), False, lambda i: Found(1, int(begun[i])))
        return Positions(numbers, steps)

    def _cells(self, numbers: Numbers) -> Numbers:
        return self.plan.layout.unpack(self.store.states[numbers])

    def _step(self, cells: Numbers, at: Positions, taste: NDArray[np.float64]) -> tuple[Numbers, Numbers, Numbers]:
        """Ask all successors of states; return which walks go on, by which row, and to which rows of registers."""
        alive = np.zeros(len(cells), np.uint8)
        found = []
        for number, row in enumerate(self.plan.printed):
            marks = alive if row.row.changes else np.zeros(len(cells), np.uint8)
            done = 0
            while done < len(cells):
                some: Expansion = self.engine.expand(number, cells, done, marks)
                done = some.stop
                if len(some.rows):
                    self._note_conflict(number, row, some, at)
                    found.append((number, copied(some)))
        if self.deadlock and DEADLOCK not in self.judge.found and not alive.all():
            stuck = int(np.argmin(alive))
            self.judge.found[DEADLOCK] = Found(int(at.steps[stuck]) + 1, int(at.numbers[stuck]))
        e = Successors.of(self.plan, found)
        self.fired += np.bincount(e.number[e.good], minlength=len(self.fired))
        left = ~e.good & (e.rows[:, self.plan.layout.fault] != TWICE)
        self.outside += np.bincount(e.number[left], minlength=len(self.outside))
        self.asked += int(np.count_nonzero(e.changes))
        self.judge.successors(e, cells, at)
        return self._chosen(e, cells, taste)

    def _note_conflict(self, number: int, row: RowPlan, some: Expansion, at: Positions) -> None:
        """Note the first successor in whose making a stage wrote a cell twice with different values."""
        if not row.conflicting or WRITTEN_ONCE in self.judge.found:
            return
        twice = np.flatnonzero(some.rows[:, self.plan.layout.fault] == TWICE)
        if len(twice):
            k = int(twice[0])
            walk = int(some.source[k])
            steps, state = int(at.steps[walk]), int(at.numbers[walk])
            self.judge.found[WRITTEN_ONCE] = Found(steps + 1, state, number, int(some.code[k]))

    def _chosen(self, e: Successors, cells: Numbers, taste: NDArray[np.float64]) -> tuple[Numbers, Numbers, Numbers]:
        """Let each walk take a row as the weights have it, and of its successors by that row any with the same
        chance."""
        moved = np.flatnonzero(e.good & e.changes)
        moved = moved[(e.rows[moved] != cells[e.source[moved]]).any(axis=1)]
        moved = moved[self.random.permutation(len(moved))]
        pairs, first = np.unique(e.source[moved] * len(self.plan.rows) + e.number[moved], return_index=True)
        moved = moved[first]
        walks, rows = np.divmod(pairs, len(self.plan.rows))
        weights = taste[walks, rows] / np.sqrt(1.0 + self.taken[rows])
        keys = self.random.exponential(size=len(pairs)) / weights
        order = np.lexsort((keys, walks))
        kept, least = np.unique(walks[order], return_index=True)
        chosen = order[least]
        return kept, rows[chosen], e.rows[moved[chosen]]

    def _cover(self, low: int, steps: Mapping[int, int]) -> None:
        """Count how far guards come in the states of a round, and note where one came further than ever."""
        numbers = range(low, self.store.count)
        for start in range(0, len(numbers), CHUNK):
            some = numbers[start : start + CHUNK]
            further = np.flatnonzero(self.coverage.add(self._cells(np.array(some))))
            self.fresh += [(some[at], steps[some[at]]) for at in further]


def copied(e: Expansion) -> Expansion:
    """Return an expansion that stays as it is when the engine goes on."""
    arrays = (e.rows, e.source, e.code, e.parts, e.mids, e.mid_of, e.mid_code)
    return Expansion(e.stop, *(one.copy() for one in arrays))


def swarm(
    protocol: Protocol,
    bound: str | Bound,
    *,
    walks: int,
    depth: int = 60,
    seed: int = 0,
    sizes: Mapping[str, int] | None = None,
    deadlock: bool = True,
    engine: EngineName = "auto",
    progress: Progress | None = None,
) -> Swarm:
    """Walk a protocol at random at a bound: `walks` walks of up to `depth` steps each, all drawn from `seed`.

    A failure is shrunk to a run from which no row can be left out, and replayed by the interpreter; a witness of a
    `Sometimes` too. Raises `Refusal` for a bound that cannot be walked, and `ReplayFailed` where the interpreter does
    not reproduce what was found.
    """
    started = time.perf_counter()
    name, bound = bound_of(protocol, bound, sizes)
    plan = Plan(protocol, bound, Layout(protocol, bound.sizes))
    run = _Walks(plan, engine, deadlock and not protocol.ends, seed)
    size, left = min(ROUND, -(-walks // 6)), walks
    while left > 0:
        run.round(min(size, left), depth)
        left -= size
        if progress is not None:
            progress(walks - max(left, 0), int(run.taken.sum()), run.asked, time.perf_counter() - started)
    fired = {row.row.id: int(count) for row, count in zip(plan.printed, run.fired, strict=True)}
    with_effects = {row.row.id: fired[row.row.id] for row in plan.rows}
    guards = run.coverage.found()
    message = _scope(walks, depth, seed, with_effects, guards)
    tracer = Tracer(plan, run.store, None if run.engine.name == ColumnEngine.name else run.engine)
    judged = tuple(declared(_verdict(one, run, tracer, fired, message), one, bound) for one in protocol.properties)
    if run.deadlock:
        judged = (*judged, _deadlock(run, tracer, message))
    judged = (*judged, *_written_once(run, tracer))
    return Swarm(
        protocol=protocol.name,
        bound=name,
        sizes=dict(bound.sizes),
        walks=walks,
        depth=depth,
        seed=seed,
        steps=int(run.taken.sum()),
        states=len(np.unique(run.store.states[: run.store.count], axis=0)),
        asked=run.asked,
        verdict=overall(judged, Verdict.INCONCLUSIVE),
        properties=judged,
        rows_fired=with_effects,
        out_of_range={row.row.id: int(count) for row, count in zip(plan.printed, run.outside, strict=True) if count},
        coverage=guards,
        seconds=time.perf_counter() - started,
        engine=run.engine.name,
        message=message,
        assumptions=assumed(protocol, bound, judged),
        scopes=scopes_of(protocol, protocol.properties),
    )


def _scope(walks: int, depth: int, seed: int, fired: Mapping[str, int], guards: tuple[GuardCoverage, ...]) -> str:
    """Return what was walked, and how much of the rows and of their guards it covered."""
    rows = sum(1 for count in fired.values() if count)
    conjuncts, passed = sum(len(one.conjuncts) for one in guards), sum(one.passed for one in guards)
    return (
        f"{walks} walks of up to {depth} steps, seed {seed}; {rows} of {len(fired)} rows fired, "
        f"{passed} of {conjuncts} conjuncts of guards passed"
    )


def _verdict(one: Property, run: _Walks, tracer: Tracer, fired: Mapping[str, int], message: str) -> PropertyVerdict:
    expected = "holds" if isinstance(one, Sometimes) else one.expected
    if isinstance(one, LeadsTo):
        told = "liveness is about runs that never end, and walks do"
        return PropertyVerdict(one.id, Verdict.INCONCLUSIVE, expected, None, None, told)
    found = run.judge.found.get(one.id)
    if found is not None:
        whole = tracer.confirmed(one, found)
        trace = _shrunk(one, run.plan, whole)
        verdict = Verdict.WITNESSED if isinstance(one, Sometimes) else Verdict.VIOLATED
        told = f"found after {found.depth - 1} steps, shrunk to {len(trace.steps)}"
        if tracer.is_decided_by_range(one, found, whole):
            verdict, told = Verdict.INCONCLUSIVE, f"{told}, {RANGE_DECIDES}"
        return PropertyVerdict(one.id, verdict, expected, len(trace.steps) + 1, trace, told)
    if isinstance(one, Sometimes):
        return PropertyVerdict(one.id, Verdict.INCONCLUSIVE, expected, None, None, f"no witness: {message}")
    unmet = run.plan.challenges[one.id].unmet(run.plan.protocol, run.judge.found, fired)
    if unmet is not None:
        return not_tested(one, unmet, Verdict.INCONCLUSIVE, message)
    return PropertyVerdict(one.id, Verdict.INCONCLUSIVE, expected, None, None, f"not broken: {message}")


def _deadlock(run: _Walks, tracer: Tracer, message: str) -> PropertyVerdict:
    found = run.judge.found.get(DEADLOCK)
    if found is None:
        return PropertyVerdict(DEADLOCK, Verdict.INCONCLUSIVE, "holds", None, None, f"not met: {message}")
    trace = tracer.confirmed(None, found)
    verdict, told = Verdict.VIOLATED, f"no row is enabled after {found.depth - 1} steps"
    if deadlock_decided_by_range(trace, run.plan.bound):
        verdict, told = Verdict.INCONCLUSIVE, f"{told}, {RANGE_ENDS}"
    return PropertyVerdict(DEADLOCK, verdict, "holds", found.depth, trace, told)


def _written_once(run: _Walks, tracer: Tracer) -> tuple[PropertyVerdict, ...]:
    """Return the verdict that a stage writes a cell twice, behind a run from which no row can be left out; none where
    no walk met such a stage.
    """
    found = run.judge.found.get(WRITTEN_ONCE)
    if found is None:
        return ()
    trace, move = tracer.in_front_of(found)
    plan = run.plan
    walker = Walker(replace(plan.protocol, properties=()), plan.bound.sizes, plan.bound.start, plan.bound.given)
    shorter = walker.in_front_of(trace, move)
    message = twice_in_last_state(trace, *move)
    if shorter is not None:
        trace, message = replace(shorter.trace, protocol=plan.protocol), shorter.message
    depth = len(trace.steps) + 1
    return (PropertyVerdict(WRITTEN_ONCE, Verdict.VIOLATED, "holds", depth, trace, message),)


def _shrunk(one: Always | Sometimes | Step, plan: Plan, trace: Trace) -> Trace:
    """Return a run to the same failure or witness from which no row can be left out, replayed by the interpreter.

    Where a row writes so many records that the interpreter does not try their orders, the run stays as it is.
    """
    if isinstance(one, Sometimes):
        claim: Always | Step = Always(
            one.id, negation(one.term), AT_RESULT_BOUNDARIES, "", "", "holds", "", False, one.place
        )
    else:
        claim = replace(one, expected="holds")
    walker = Walker(replace(plan.protocol, properties=(claim,)), plan.bound.sizes, plan.bound.start, plan.bound.given)
    shorter = walker.shortest(one.id, trace)
    if shorter is None or len(shorter.steps) > len(trace.steps):
        return trace
    if isinstance(one, Sometimes):
        return shorter
    last = shorter.steps[-1] if shorter.steps else None
    if isinstance(one, Step) and (
        last is None or holds(one.term, last.before, plan.layout.world, shorter.end, last.binding)
    ):
        return shorter  # it fails between two records of the last row, which the run's end alone does not show
    return shorter.because(one)
