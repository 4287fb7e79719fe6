"""The exploration: level by level over packed states, every property on every state, step and moment."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from fencepost.checkers.verdicts import Refusal, Verdict
from fencepost.model.language import Always, Bound, LeadsTo, Property, Protocol, Sometimes, Step
from fencepost.model.language.properties import AFTER_EVERY_RECORD

from .assumed import assumed
from .columns import ColumnEngine
from .coverage import CoverageOf, covered
from .expansion import Expansion
from .initial import initial_rows
from .layout import Layout, Numbers
from .liveness import judge
from .plan import Plan, RowPlan, kept_standing_still
from .result import DEADLOCK, Exploration, PropertyVerdict
from .store import PlainStore, Store, TableStore
from .symmetry import OrbitStore, OrbitTracer, symmetry
from .traces import Found, Tracer
from .vacuity import Vacuity

if TYPE_CHECKING:
    from .compiled import CompiledEngine

CHUNK = 4096
"""States that are expanded together."""

BATCH = 8
"""Properties that are printed into one function."""

Progress = Callable[[int, int, int, float], None]
"""Called with depth, distinct, generated and seconds after every level, and every second inside one."""

EngineName = Literal["auto", "numpy", "llvm"]


def bound_of(protocol: Protocol, bound: str | Bound, sizes: Mapping[str, int] | None) -> tuple[str, Bound]:
    """Return a bound and its name, with sizes replaced; raises `Refusal` for a bound or a size that there is not."""
    if isinstance(bound, str):
        if bound not in protocol.bounds:
            raise Refusal(f"{protocol.name}: has no bound {bound!r}; use one of {', '.join(protocol.bounds) or 'none'}")
        name, bound = bound, protocol.bounds[bound]
    else:
        name = next((n for n, b in protocol.bounds.items() if b is bound), "given")
    unknown = set(sizes or {}) - set(protocol.sized_kinds())
    if unknown:
        raise Refusal(
            f"{protocol.name}: nothing has the size {min(unknown)!r}; use one of {', '.join(protocol.sized_kinds())}"
        )
    merged = {**bound.sizes, **(sizes or {})}
    missing = set(protocol.sized_kinds()) - set(merged)
    if missing:
        raise Refusal(f"{protocol.name}, bound {name}: has no size for {min(missing)!r}; add one")
    return name, replace(bound, sizes=merged)


@dataclass
class _Ended:
    verdict: Verdict
    message: str


class Search:
    """One exploration while it runs."""

    def __init__(
        self, plan: Plan, engine: EngineName, deadlock: bool, stop_at_first: bool, progress: Progress | None
    ) -> None:
        self.plan, self.layout = plan, plan.layout
        self.started = time.perf_counter()
        self.columns = ColumnEngine(plan)
        self.engine: ColumnEngine | CompiledEngine = self.columns
        self.store: Store = PlainStore(plan.layout)
        self.compile_seconds = 0.0
        self.transitions = 0
        self.fired = {row.row.id: 0 for row in plan.rows}
        self.applied = {row.row.id: 0 for row in plan.still}
        self.out_of_range = {row.row.id: 0 for row in plan.rows}
        self.found: dict[str, Found] = {}
        self.levels: list[int] = []
        self.deadlock, self.stop_at_first, self.progress = deadlock, stop_at_first, progress
        self._said = self.started
        self.first: Numbers | None = None  # rows of registers to begin from, where not from the initial states
        self.batches = self._batches()
        if engine != "numpy":
            self._compile(at_once=engine == "llvm")

    def _batches(self) -> list[tuple[bool, tuple[Always | Sometimes, ...]]]:
        """Return the properties of one state by whether they are judged after every record, a few at a time."""
        result = []
        asked = tuple(p for p in self.plan.asked if isinstance(p, Always))  # apart: most of it is found at once
        for among in (self.plan.conditions, asked):
            for records in (True, False):
                chosen = [p for p in among if (isinstance(p, Always) and p.scope == AFTER_EVERY_RECORD) == records]
                result += [(records, tuple(chosen[i : i + BATCH])) for i in range(0, len(chosen), BATCH)]
        return result

    def _compile(self, at_once: bool) -> None:
        """Go on with compiled functions and their store; the states and what was counted stay."""
        started = time.perf_counter()
        from .compiled import CompiledEngine, Loops

        self.engine = CompiledEngine(self.plan, at_once)
        self.store = TableStore.taking_over(self.store, Loops())
        self.compile_seconds += time.perf_counter() - started

    # -- the search ------------------------------------------------------------------------------------------------
    def run(self, max_states: int | None, max_depth: int | None) -> _Ended:
        """Search level by level until nothing is new or a budget is spent."""
        plan = self.plan
        rows = initial_rows(plan.protocol, plan.bound, self.layout) if self.first is None else self.first
        self.transitions += len(rows)
        good = self.store.add(rows, np.zeros(len(rows), np.int64), 0, -1)
        if not good.all():
            raise Refusal(
                f"{self.plan.protocol.name}: an initial value is outside its range here; give the bound a larger size"
            )
        start = 0
        while start < self.store.count:
            stop, depth = self.store.count, len(self.levels) + 1
            self.levels.append(stop - start)
            last = depth == max_depth
            for low in range(start, stop, CHUNK):
                self._chunk(low, min(low + CHUNK, stop), depth, expand=not last)
                self._report(depth)
                if max_states is not None and self.store.count > max_states:
                    self._judge_rest(min(low + CHUNK, stop), stop, depth)
                    return _Ended(
                        Verdict.INCONCLUSIVE,
                        f"stopped at {self.store.count} states in level {depth}, the levels before it complete",
                    )
            if self.stop_at_first and self._unexpected():
                return _Ended(Verdict.INCONCLUSIVE, f"stopped at the first violation, in level {depth}")
            if last:
                return _Ended(Verdict.HOLDS_TO_DEPTH, f"every state of the first {depth} levels was seen")
            start = stop
        return _Ended(Verdict.CLOSED, "every reachable state at these sizes was seen")

    def _judge_rest(self, low: int, stop: int, depth: int) -> None:
        for start in range(low, self.store.count, CHUNK):
            level = depth if start < stop else depth + 1
            end = min(start + CHUNK, stop if start < stop else self.store.count)
            self._judge(self.store.unpacked(start, end), True, False, _at(level, start))

    def _unexpected(self) -> bool:
        expected = {p.id for p in (*(q for q in self.plan.conditions if isinstance(q, Sometimes)), *self.plan.asked)}
        return any(id not in expected for id in self.found)

    def _report(self, depth: int) -> None:
        now = time.perf_counter()
        if self.progress is not None and now - self._said > 1.0:
            self._said = now
            self.progress(depth, self.store.count, self.transitions + self.store.count, now - self.started)

    def _chunk(self, low: int, high: int, depth: int, expand: bool) -> None:
        cells = self.store.unpacked(low, high)
        self._judge(cells, True, False, _at(depth, low))
        if not expand:
            return
        alive = np.zeros(high - low, np.uint8)
        for number, row in enumerate(self.plan.rows):
            at = 0
            while at < high - low:
                expansion: Expansion = self.engine.expand(number, cells, at, alive)
                at = expansion.stop
                if len(expansion.rows):
                    self._take(number, row, expansion, cells, low, depth)
        if self.deadlock and DEADLOCK not in self.found and not alive.all():
            self.found[DEADLOCK] = Found(depth, low + int(np.argmin(alive)))
        for number, row in enumerate(self.plan.still, len(self.plan.rows)):
            if self._asks_still(row):
                self._stand_still(number, row, cells, low, depth)

    def _asks_still(self, row: RowPlan) -> bool:
        """Return whether a row without effects is to be expanded: until it applies once, and while it may break a
        claim."""
        return not self.applied[row.row.id] or any(
            one.id not in self.found and only is row and not kept_standing_still(one.term)
            for one, only in self.plan.steps
        )

    def _stand_still(self, number: int, row: RowPlan, cells: Numbers, low: int, depth: int) -> None:
        """Judge the steps of a row without effects, which are no transitions."""
        at, stays = 0, np.zeros(len(cells), np.uint8)
        while at < len(cells):
            e: Expansion = self.engine.expand(number, cells, at, stays)
            at = e.stop
            self.applied[row.row.id] += len(e.rows)
            if len(e.rows):
                self._judge_steps(number, row, e, np.ones(len(e.rows), np.bool_), cells, low, depth)

    def _judge(self, rows: Numbers, boundary: bool, moments: bool, where: Callable[[int], Found]) -> None:
        """Judge rows of registers by the properties of one state; at moments by those judged after every record."""
        for records, batch in self.batches:
            if (moments and not records) or all(p.id in self.found for p in batch):
                continue
            found = np.array([0 if p.id in self.found else -1 for p in batch], np.int64)
            before = found.copy()
            self.engine.check(batch, rows, found)
            for j in np.flatnonzero((before < 0) & (found >= 0)):
                self.found[batch[j].id] = where(int(found[j]))

    def _take(self, number: int, row: RowPlan, e: Expansion, cells: Numbers, low: int, depth: int) -> None:
        """Count, store and judge the successors of one row."""
        good = self.store.add(e.rows, e.source, low, number)
        fired = int(np.count_nonzero(good))
        self.transitions += fired
        self.fired[row.row.id] += fired
        self.out_of_range[row.row.id] += len(good) - fired
        kept = self.store.unjudged(e.mids, e.inner(len(row.stages) - 1, good)) if len(e.mids) else ()
        if len(kept):
            mids, of, code = e.mids[kept], e.mid_of[kept], e.mid_code[kept]

            def moment(i: int) -> Found:
                k = int(of[i])
                return Found(depth + 1, low + int(e.source[k]), number, int(e.code[k]), int(code[i]))

            self._judge(mids, False, True, moment)
        self._judge_steps(number, row, e, good, cells, low, depth)

    def _judge_steps(
        self, number: int, row: RowPlan, e: Expansion, good: Any, cells: Numbers, low: int, depth: int
    ) -> None:
        asked = [
            (one, only) for one, only in self.plan.steps if one.id not in self.found and (only is None or only is row)
        ]
        if not asked:
            return
        every = np.flatnonzero(good)
        single = np.flatnonzero(good & (e.parts == 0)) if len(e.mids) else every
        first, second = (
            self._pairs(e, good) if any(one.scope == AFTER_EVERY_RECORD for one, _ in asked) else (every, every)
        )
        for one, only in asked:
            records = one.scope == AFTER_EVERY_RECORD
            whole = single if records else every
            at = self.engine.step(one, only, cells, e.source[whole], e.rows, whole, e.code[whole])
            if at >= 0:
                k = int(whole[at])
                self.found[one.id] = Found(depth + 1, low + int(e.source[k]), number, int(e.code[k]))
            elif records and len(e.mids):
                at = self.engine.step(one, only, e.mids, first, e.mids, second, e.code[e.mid_of[first]])
                if at >= 0:
                    i, j = int(first[at]), int(second[at])
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
        first, second = self.store.pairs(e.mid_of, e.mid_code)
        if good.all():
            return first, second
        kept = good[e.mid_of[first]]
        return first[kept], second[kept]


def _at(depth: int, start: int) -> Callable[[int], Found]:
    """Return what tells where the i-th state of a chunk was found."""
    return lambda i: Found(depth, start + i)


def explore(
    protocol: Protocol,
    bound: str | Bound,
    *,
    sizes: Mapping[str, int] | None = None,
    max_states: int | None = None,
    max_depth: int | None = None,
    deadlock: bool = True,
    stop_at_first: bool = False,
    engine: EngineName = "auto",
    progress: Progress | None = None,
    coverage: CoverageOf = "none",
    orbits: bool = False,
) -> Exploration:
    """Explore a protocol at a bound: count its states and judge its properties on all of them.

    `sizes` replaces sizes of the bound. `max_depth` ends after so many levels, `max_states` once more states are
    stored, `stop_at_first` after the level of the first violation. `deadlock` judges whether some row with effects is
    enabled in every state, unless the protocol ends; a row that only the bound's ranges disable counts as enabled.
    "auto" runs machine code that is quick to make, and gives a function better code once it has run for long; "llvm"
    makes the better code from the start, "numpy" compiles nothing. `coverage` says of which rows it is counted how far
    their guards come. `orbits` keeps one state of each orbit of the symmetry that is found: counts are of these.

    Raises `Refusal` for a bound that cannot be explored, and `ReplayFailed` where the interpreter does not reproduce
    what was found.
    """
    started = time.perf_counter()
    name, bound = bound_of(protocol, bound, sizes)
    plan = Plan(protocol, bound, Layout(protocol, bound.sizes))
    search = Search(plan, engine, deadlock and not protocol.ends, stop_at_first, progress)
    if orbits:
        search.store = OrbitStore(plan.layout, symmetry(plan))
    ended = search.run(max_states, max_depth)
    tracing = OrbitTracer if orbits else Tracer
    tracer = tracing(plan, search.store, None if search.engine is search.columns else search.engine)
    judged = tuple(_verdict(one, search, ended, tracer) for one in protocol.properties)
    if search.deadlock:
        judged = (*judged, _deadlock(search, ended, tracer))
    distinct = search.store.count
    return Exploration(
        protocol=protocol.name,
        bound=name,
        sizes=dict(bound.sizes),
        distinct=distinct,
        generated=search.transitions + distinct,
        transitions=search.transitions,
        depth=len(search.levels),
        verdict=overall(judged, ended.verdict),
        properties=judged,
        rows_fired=search.fired,
        rows_never_fired=tuple(id for id, count in search.fired.items() if count == 0),
        out_of_range={id: count for id, count in search.out_of_range.items() if count},
        seconds=time.perf_counter() - started,
        engine=search.engine.name,
        compile_seconds=search.compile_seconds + search.engine.compile_seconds,
        message=ended.message,
        levels=tuple(search.levels),
        assumptions=assumed(protocol, bound, judged),
        coverage=covered(plan, search.store, search.fired, coverage),
        orbits=search.store.orbits() if isinstance(search.store, OrbitStore) else None,
    )


def overall(properties: tuple[PropertyVerdict, ...], otherwise: Verdict) -> Verdict:
    """Return the verdict of a whole exploration: what deviates from its declaration, else how the search ended."""
    if any(p.verdict is Verdict.VIOLATED and p.expected == "holds" for p in properties):
        return Verdict.VIOLATED
    if any(p.verdict is Verdict.VACUOUS and not p.not_for for p in properties):
        return Verdict.VACUOUS
    return otherwise


def _verdict(one: Property, search: Search, ended: _Ended, tracer: Tracer) -> PropertyVerdict:
    judged = _liveness(one, search, ended, tracer) if isinstance(one, LeadsTo) else _safety(one, search, ended, tracer)
    return declared(judged, one, search.plan.bound)


def declared(judged: PropertyVerdict, one: Property | None, bound: Bound) -> PropertyVerdict:
    """Return a verdict with the reason why the bound is not for the property, where there is one.

    No bound is for a lemma that nothing meets there: it is there for induction, and claims nothing about Kafka.
    """
    lemma = isinstance(one, Always) and one.lemma and judged.verdict is Verdict.VACUOUS
    return replace(judged, not_for=bound.not_for.get(judged.id, "lemmas that nothing here meets" if lemma else ""))


def not_tested(one: Always | Step, why: Vacuity, ended: Verdict, message: str) -> PropertyVerdict:
    """Return the verdict on a property that nothing broke and nothing put to the test, so far as the search came."""
    if ended is Verdict.CLOSED:
        return PropertyVerdict(one.id, Verdict.VACUOUS, one.expected, None, None, why.message, vacuity=why)
    told = f"not put to the test yet: {why.message}" + (f" ({message})" if message else "")
    return PropertyVerdict(one.id, Verdict.INCONCLUSIVE, one.expected, None, None, told, vacuity=why)


def _safety(one: Always | Step | Sometimes, search: Search, ended: _Ended, tracer: Tracer) -> PropertyVerdict:
    found = search.found.get(one.id)
    expected = "holds" if isinstance(one, Sometimes) else one.expected
    if found is not None:
        trace = tracer.confirmed(one, found)
        verdict = Verdict.WITNESSED if isinstance(one, Sometimes) else Verdict.VIOLATED
        return PropertyVerdict(one.id, verdict, expected, found.depth, trace, f"first in level {found.depth}")
    if isinstance(one, Sometimes):
        if ended.verdict is Verdict.CLOSED:
            return PropertyVerdict(
                one.id, Verdict.VACUOUS, expected, None, None, "no reachable state at these sizes shows it"
            )
        return PropertyVerdict(one.id, Verdict.INCONCLUSIVE, expected, None, None, f"no witness yet: {ended.message}")
    vacuity = search.plan.challenges[one.id].unmet(
        search.plan.protocol, search.found, {**search.fired, **search.applied}
    )
    if vacuity is not None:
        return not_tested(one, vacuity, ended.verdict, ended.message)
    return PropertyVerdict(one.id, ended.verdict, expected, None, None, ended.message)


def _liveness(one: LeadsTo, search: Search, ended: _Ended, tracer: Tracer) -> PropertyVerdict:
    if ended.verdict is not Verdict.CLOSED:
        message = f"liveness needs every reachable state: {ended.message}"
        return PropertyVerdict(one.id, Verdict.INCONCLUSIVE, one.expected, None, None, message)
    if isinstance(search.store, OrbitStore):
        message = "liveness is asked of every state, and of each orbit one was kept; leave out the symmetry"
        return PropertyVerdict(one.id, Verdict.INCONCLUSIVE, one.expected, None, None, message)
    found = judge(
        search.plan, search.store, search.engine, tracer, search.levels, one, search.engine is not search.columns
    )
    if not found.triggered:
        message = "no reachable state at these sizes shows the trigger"
        return PropertyVerdict(one.id, Verdict.VACUOUS, one.expected, None, None, message)
    scope = f"under weak fairness of {', '.join(one.fair) or 'nothing'}"
    held = [
        row.row.id for row in search.plan.rows if row.row.event.name in one.fair and search.out_of_range[row.row.id]
    ]
    if held:
        scope += f"; a counter's range disables {', '.join(held)} in some states"
    if found.lasso is None:
        return PropertyVerdict(one.id, ended.verdict, one.expected, None, None, f"{ended.message}, {scope}")
    loop = found.lasso.loop
    message = f"{scope}; from level {found.lasso.depth} on the run " + (
        f"repeats {len(loop.steps)} rows for ever" if loop.steps else "stands still"
    )
    return PropertyVerdict(one.id, Verdict.VIOLATED, one.expected, found.lasso.depth, found.lasso.stem, message, loop)


def _deadlock(search: Search, ended: _Ended, tracer: Tracer) -> PropertyVerdict:
    found = search.found.get(DEADLOCK)
    if found is None:
        return PropertyVerdict(DEADLOCK, ended.verdict, "holds", None, None, ended.message)
    trace = tracer.confirmed(None, found)
    return PropertyVerdict(
        DEADLOCK, Verdict.VIOLATED, "holds", found.depth, trace, f"no row is enabled, first in level {found.depth}"
    )
