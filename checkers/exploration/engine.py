"""The exploration: level by level over packed states, every property on every state, step and moment."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from fencepost.checkers.asked import scopes_of
from fencepost.checkers.verdicts import Refusal, ReplayFailed, Verdict
from fencepost.checkers.written_once import WRITTEN_ONCE
from fencepost.model.language import Bound, Protocol, Sometimes
from fencepost.model.language.limits import overflow, size_refused

from .advancing import Chunks, CompiledLane, Done, Tables
from .assumed import assumed
from .budgets import Budget, Spent, Status, resident
from .certifying import certify, states_of
from .checkpoints import Checkpoint, Saved, read
from .columns import ColumnEngine
from .coverage import CoverageOf, covered
from .deciding import of_deadlock, of_property, of_written_once
from .declaring import overall
from .disk import Disk, DiskStore
from .expansion import Expansion
from .initial import initial_rows
from .lanes import CHUNK, Lane, located
from .layout import Layout, Numbers
from .plan import Plan, RowPlan
from .reduction import SEEN, ReducingLane
from .result import Exploration
from .store import PARTS, FoldedStore, PlainStore, Store, TableStore
from .symmetry import OrbitStore, OrbitTracer, orbits_of, symmetry
from .traces import Found, Tracer

if TYPE_CHECKING:
    from .compiled import CompiledEngine

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
    refused = size_refused(protocol, merged)
    if refused is not None:
        raise Refusal(f"{protocol.name}, bound {name}: {'; '.join(refused)}")
    large = overflow(protocol, merged)
    if large:
        raise Refusal(f"{protocol.name}, bound {name}: {large} may not fit 64 bits at these sizes; take smaller ones")
    return name, replace(bound, sizes=merged)


@dataclass
class Ended:
    """How a search ended: its verdict where nothing else was found, and why."""

    verdict: Verdict
    message: str


class Search:
    """One exploration while it runs."""

    def __init__(
        self,
        plan: Plan,
        engine: EngineName,
        deadlock: bool,
        stop_at_first: bool,
        progress: Progress | None,
        threads: int = 1,
        disk: Disk | None = None,
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
        self.start = self.low = self.stop = 0  # the level in work, and the first of its states that is not expanded
        self.deadlock, self.stop_at_first, self.progress = deadlock, stop_at_first, progress
        self.watch: Callable[[Status], None] | None = None
        self.checkpoint: Checkpoint | None = None
        self.identity: dict[str, Any] = {}
        self._said = self.started
        self.all_seen = "every reachable state at these sizes was seen"
        self.first: Numbers | None = None  # rows of registers to begin from, where not from the initial states
        self.chunks: Chunks | None = None
        if engine != "numpy":
            self._compile(engine == "llvm", threads, disk)
        self.lane = Lane(plan, self.engine, self.store, self._accept, self.found, {}, self.applied)

    def _compile(self, at_once: bool, threads: int, disk: Disk | None) -> None:
        """Go on with compiled functions and their store."""
        started = time.perf_counter()
        from .compiled import CompiledEngine, Loops

        loops = Loops()
        self.engine = engine = CompiledEngine(self.plan, at_once)
        threads = 1 if disk is not None else threads  # whose order is that of the roots, which depends on the time
        pool = ThreadPoolExecutor(threads, thread_name_prefix="explore") if threads > 1 else None
        parts = min(threads, PARTS)
        store = TableStore(self.layout, loops, pool, parts) if disk is None else DiskStore(self.layout, loops, disk)
        self.store = store
        make = self.lanes_of(store, threads)
        self.chunks = Chunks(threads, store, pool, lambda: make(engine if threads == 1 else engine.twin()))
        self.compile_seconds += time.perf_counter() - started

    def lanes_of(self, store: FoldedStore, lanes: int) -> Callable[[CompiledEngine], CompiledLane]:
        """Return what makes a compiled lane, one of several on a store."""
        tables = Tables(self.plan)
        return lambda engine: CompiledLane(
            self.plan, engine, store, self.found, dict.fromkeys(self.applied, 0), tables, lanes
        )

    def keep_in(self, store: PlainStore) -> None:
        """Have the states kept in another store, before the search begins."""
        self.store = self.lane.judging = store
        self.chunks = None

    def put_off(self) -> ReducingLane:
        """Have independent steps put off, before the search begins; the states are kept in a plain store."""
        if not isinstance(self.store, PlainStore):
            self.keep_in(PlainStore(self.layout))
        assert isinstance(self.store, PlainStore)
        self.lane = lane = ReducingLane(self, self.store)
        self.all_seen = SEEN
        return lane

    # -- the search ------------------------------------------------------------------------------------------------
    def run(self, max_states: int | None, max_depth: int | None, budget: Budget | None = None) -> Ended:
        """Search level by level until nothing is new or a budget is spent."""
        budget = replace(budget or Budget(), max_states=max_states)
        try:
            if not self.levels:
                self._begin()
            ended = self._levels(budget, max_depth)
        finally:
            if self.chunks is not None:
                self.chunks.close()
            if not isinstance(self.engine, ColumnEngine):
                self.engine.listing.keep()
        if self.checkpoint is not None and ended.verdict is not Verdict.INCONCLUSIVE:
            self._save()
        return ended

    def _begin(self) -> None:
        """Store the initial states, the first level."""
        plan = self.plan
        rows = initial_rows(plan.protocol, plan.bound, self.layout) if self.first is None else self.first
        self.transitions += len(rows)
        good = self.store.add(rows, np.zeros(len(rows), np.int64), 0, -1)
        if not good.all():
            raise Refusal(
                f"{self.plan.protocol.name}: an initial value is outside its range here; give the bound a larger size"
            )
        self.store.settle()
        self.stop = self.store.count
        if self.stop:
            self.levels.append(self.stop)

    def _levels(self, budget: Budget, max_depth: int | None) -> Ended:
        while self.start < self.store.count:
            depth = len(self.levels)
            last = depth == max_depth
            for _ in self._level(depth, expand=not last):
                if self.low == self.stop:
                    self.store.settle()
                self._report(depth)
                spent = budget.spent(self.store.known, time.perf_counter() - self.started)
                if spent is not None and self.store.known > self.store.count:
                    self.store.settle()
                    spent = budget.spent(self.store.count, time.perf_counter() - self.started)
                # A search that has seen every state is over, whatever it spent.
                if spent is not None and not (self.low == self.stop and self.stop == self.store.count):
                    return self._stopped(depth, spent)
                if self.checkpoint is not None and self.checkpoint.due:
                    self._save()
            if self.stop_at_first and self._unexpected():
                return Ended(Verdict.INCONCLUSIVE, f"stopped at the first violation, in level {depth}")
            if last:
                return Ended(Verdict.HOLDS_TO_DEPTH, f"every state of the first {depth} levels was seen")
            self.start = self.low = self.stop
            self.stop = self.store.count
            if self.start < self.stop:
                self.levels.append(self.stop - self.start)
        return Ended(Verdict.CLOSED, self.all_seen)

    def _stopped(self, depth: int, spent: Spent) -> Ended:
        """End for a budget: what is left is checked and not expanded."""
        if self.checkpoint is not None:
            self._save()
        self.store.settle()
        self._judge_rest(self.low, self.stop, depth)
        expanded = f"{self.low - self.start} of its {self.stop - self.start} states expanded"
        return Ended(
            Verdict.INCONCLUSIVE,
            f"stopped at {self.store.count} states in level {depth}, the levels before it complete and {expanded}: "
            f"{spent.what} spent, raise {spent.option}",
        )

    def _level(self, depth: int, expand: bool) -> Iterator[None]:
        """Check and expand what is left of a level; yields after each chunk."""
        if self.chunks is None:
            while self.low < self.stop:
                high = min(self.low + CHUNK, self.stop)
                self._chunk(self.low, high, depth, expand)
                self.low = high
                yield
            return
        done = self.chunks.run(self.low, self.stop, depth, expand, self.deadlock)
        try:
            for one, count in done:
                self._take_over(one, count)
                yield
        finally:
            done.close()

    def _take_over(self, done: Done, count: int) -> None:
        """Count what became of a chunk, behind which there are so many states."""
        self.store.count, self.low = count, done.made.high
        for row, (good, bad) in zip(self.plan.rows, done.counts.tolist(), strict=True):
            if good or bad:
                self.counted(row.row.id, good, bad)
        for id, found in done.found.items():
            self.found.setdefault(id, found)
        for id, applied in done.applied.items():
            self.applied[id] += applied

    def _judge_rest(self, low: int, stop: int, depth: int) -> None:
        for start in range(low, self.store.count, CHUNK):
            level = depth if start < stop else depth + 1
            end = min(start + CHUNK, stop if start < stop else self.store.count)
            self._judge(self.store.unpacked(start, end), True, False, located(level, start))

    def _unexpected(self) -> bool:
        expected = {p.id for p in (*(q for q in self.plan.conditions if isinstance(q, Sometimes)), *self.plan.asked)}
        return any(id not in expected for id in self.found)

    def _report(self, depth: int) -> None:
        now = time.perf_counter()
        if now - self._said <= 1.0:
            return
        self._said = now
        if self.progress is not None:
            self.progress(depth, self.store.count, self.transitions + self.store.count, now - self.started)
        if self.watch is not None:
            self.watch(self.status(depth))

    def status(self, depth: int) -> Status:
        """Return how far the search is."""
        return Status(
            depth=depth,
            expanded=self.low - self.start,
            frontier=self.stop - self.start,
            fresh=self.store.count - self.stop,
            undecided=self.store.known - self.store.count,
            distinct=self.store.count,
            generated=self.transitions + self.store.count,
            seconds=time.perf_counter() - self.started,
            bytes=self.store.bytes,
            memory=resident(),
        )

    # -- checkpoints -----------------------------------------------------------------------------------------------
    def _save(self) -> None:
        store = self.store
        assert isinstance(store, FoldedStore)
        assert self.checkpoint is not None
        arrays, kept = store.saved()
        self.checkpoint.write(
            Saved(
                identity=self.identity,
                start=self.start,
                low=self.low,
                stop=self.stop,
                levels=tuple(self.levels),
                transitions=self.transitions,
                fired=self.fired,
                applied=self.applied,
                out_of_range=self.out_of_range,
                found=self.found,
                arrays=arrays,
                kept=kept,
            )
        )
        store.written()

    def go_on(self, saved: Saved) -> None:
        """Go on where another search was saved."""
        store = self.store
        assert isinstance(store, FoldedStore)
        try:
            store.restore(saved.arrays, saved.kept)
        except (KeyError, ValueError, TypeError, IndexError) as error:
            raise Refusal(f"the checkpoint lacks states ({type(error).__name__}); begin again without it") from error
        self.start, self.low, self.stop, self.levels = saved.start, saved.low, saved.stop, list(saved.levels)
        self.transitions = saved.transitions
        for mine, other in (
            (self.fired, saved.fired),
            (self.applied, saved.applied),
            (self.out_of_range, saved.out_of_range),
        ):
            mine.update(other)
        self.found.update(saved.found)

    # -- a chunk ---------------------------------------------------------------------------------------------------
    def _chunk(self, low: int, high: int, depth: int, expand: bool) -> None:
        self.lane.chunk(self.store.unpacked(low, high), low, depth, expand, self.deadlock)

    def _judge(self, rows: Numbers, boundary: bool, moments: bool, where: Callable[[int], Found]) -> None:
        """Check the properties of one state on rows of registers; at moments those of scope "after every record"."""
        self.lane.judge(rows, boundary, moments, where)

    def _take(self, number: int, row: RowPlan, e: Expansion, cells: Numbers, low: int, depth: int) -> None:
        """Count, store and check the successors of one row."""
        self.lane.take(number, row, e, cells, low, depth)

    def _accept(self, number: int, e: Expansion, low: int, cells: Numbers) -> NDArray[np.bool_]:
        good = self.store.add(e.rows, e.source, low, number)
        inside = int(np.count_nonzero(good))
        self.counted(self.plan.rows[number].row.id, inside, len(good) - inside)
        return good

    def counted(self, id: str, good: int, bad: int) -> None:
        """Count steps of a row inside their ranges, and such outside."""
        self.transitions += good
        self.fired[id] += good
        self.out_of_range[id] += bad


def _vouched(path: Path, search: Search) -> None:
    """Reach states of a checkpoint again before its search goes on; raises `Refusal` where they are not reached."""
    try:
        if not search.stop <= search.store.count:
            raise ValueError(f"{search.stop} states are said to be stored")
        Tracer(search.plan, search.store).vouch(search.store.count)
    except (ReplayFailed, IndexError, KeyError, ValueError, OverflowError) as error:
        raise Refusal(f"{path}: has states that the rows do not lead to; begin again without it ({error})") from error


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
    partial_order: bool = False,
    threads: int | None = None,
    max_memory: int | None = None,
    max_seconds: float | None = None,
    checkpoint: Path | Checkpoint | None = None,
    resume: Path | None = None,
    disk: Path | Disk | None = None,
    watch: Callable[[Status], None] | None = None,
    certificate: Path | None = None,
) -> Exploration:
    """Explore a protocol at a bound: count its states and check its properties on all of them.

    `sizes` replaces sizes of the bound. `max_depth` ends after so many levels, `max_states` once more states are
    stored, `stop_at_first` after the level of the first violation. `deadlock` judges whether some row with effects is
    enabled in every state, unless the protocol ends; a row that only the bound's ranges disable counts as enabled.
    "auto" runs machine code that is quick to make, and gives a function better code once it has run for long; "llvm"
    makes the better code from the start, "numpy" compiles nothing. `coverage` says of which rows it is counted how far
    their guards come. `orbits` keeps one state of each orbit of the symmetry that is found: counts are of these.
    `partial_order` takes independent steps in one order where that is enough: counts are of the states that are left.

    `threads` of compiled code work beside each other, by default as many as there are processors and two at most; what
    is found does not depend on them. `max_memory`, bytes of the whole process, and `max_seconds` end a search as
    `max_states` does. `checkpoint` is a file that the search is written to again and again; with `resume`, a search
    goes on from such a file. `disk` is a folder, empty or new, that the states are kept in where they are more than
    fit into memory; one that has such a search already is gone on with. `watch` is called once a second with how far
    the search is.

    Raises `Refusal` for a bound that cannot be explored, and `ReplayFailed` where the interpreter does not reproduce
    what was found.
    """
    started = time.perf_counter()
    name, bound = bound_of(protocol, bound, sizes)
    plan = Plan(protocol, bound, Layout(protocol, bound.sizes))
    disk = Disk(disk) if isinstance(disk, Path) else disk
    if disk is not None and (checkpoint is not None or resume is not None):
        raise Refusal("--disk: its folder is a checkpoint; leave out --checkpoint and --resume")
    kept = checkpoint is not None or resume is not None or disk is not None
    if engine == "numpy" and kept:
        raise Refusal("checkpoints: are of the compiled engine's store; take the engine llvm or auto")
    if (orbits or partial_order) and kept:
        raise Refusal("checkpoints: have every state; leave them out where one of each orbit is kept, or steps put off")
    if certificate is not None and (orbits or partial_order or disk is not None):
        raise Refusal("--certificate: has every state, from memory; leave out --symmetry, --partial-order and --disk")
    if partial_order and max_depth is not None:
        raise Refusal("--max-depth: says nothing where steps are put off; leave it out with --partial-order")
    with nullcontext() if disk is None else disk.claim():
        if disk is not None:
            checkpoint, resume = Checkpoint(disk.search, disk.every), disk.search if disk.search.exists() else None
        count = min(2, os.cpu_count() or 1) if threads is None else threads
        count = 1 if orbits or partial_order else count
        search = Search(plan, engine, deadlock and not protocol.ends, stop_at_first, progress, count, disk)
        found = symmetry(plan) if orbits else None
        is_reduced = found is not None and bool(found.moved)
        if found is not None and is_reduced:
            search.keep_in(OrbitStore(plan.layout, found))
        reducing = search.put_off() if partial_order else None
        search.watch = watch
        search.checkpoint = Checkpoint(checkpoint) if isinstance(checkpoint, Path) else checkpoint
        search.identity = (
            {
                "protocol": f"{protocol.name} {protocol.hash}",
                "bound": name,
                "sizes": dict(bound.sizes),
                "properties": [one.id for one in protocol.properties],
                "--max-depth": max_depth,
                "--stop-at-first": stop_at_first,
                "deadlock": search.deadlock,
                "cells": [plan.layout.fault, plan.layout.bits],
            }
            if kept
            else {}
        )
        if resume is not None:
            search.go_on(read(resume, search.identity))
            _vouched(resume, search)
        ended = search.run(max_states, max_depth, Budget(None, max_memory, max_seconds))
        tracer = (OrbitTracer if is_reduced else Tracer)(
            plan, search.store, None if search.engine is search.columns else search.engine
        )
        judged = tuple(of_property(one, search, ended, tracer) for one in protocol.properties)
        if search.deadlock:
            judged = (*judged, of_deadlock(search, ended, tracer))
        judged = (*judged, *of_written_once(search.found.get(WRITTEN_ONCE), tracer))
        distinct = search.store.count
        twice = search.found.get(WRITTEN_ONCE)
        if twice is not None and twice.row is not None:
            search.out_of_range[plan.rows[twice.row].row.id] = 0  # which of these left a range nothing says
        result = Exploration(
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
            orbits=None if found is None else orbits_of(search.store, distinct, found),
            reduced=None if reducing is None else reducing.reduced(),
            scopes=scopes_of(protocol, protocol.properties),
        )
        if certificate is not None and ended.verdict is Verdict.CLOSED:
            certify(certificate, protocol, result, search.deadlock, states_of(search.store, plan.layout))
        return result
