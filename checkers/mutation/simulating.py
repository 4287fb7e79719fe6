"""Runs of the reference and a mutant: the steps of a few seeds, where its row fires, in lock step with its tables.

The steps are values that the command line hands over: no engine knows the reference.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from fencepost.checkers.conformance.data_lockstep import DataLockStep
from fencepost.checkers.conformance.designs import DesignJudge
from fencepost.checkers.conformance.lockstep import Given, LockStep
from fencepost.checkers.conformance.loop_lockstep import LoopLockStep
from fencepost.checkers.conformance.voters_lockstep import VotersLockStep
from fencepost.checkers.conformance.zk_lockstep import ZkLockStep
from fencepost.model.language import EvaluationError, Protocol

from .mutants import Mutant, changed
from .results import Answer

SECONDS = 20.0
"""CPU seconds after which no further seed of a mutant is begun."""

SEEDS = 3
"""Seeds of a mutant that are asked where nothing else is said."""


@dataclass(frozen=True)
class Recorded:
    """The steps of one seed.

    `begin` returns a checker of them under a protocol: a function of a step that says what is wrong with it, None where
    nothing is, and its tally of the rows that were run and the steps that no row is about.
    """

    seed: int
    steps: Sequence[Any]
    begin: Callable[[Protocol], tuple[Callable[[Any], Any], Any]]


def kraft(seed: int, steps: Sequence[Any], timeout_ms: int, given: Given) -> Recorded:
    """Return a run of the KRaft reference, whose static settings and controllers are given."""

    def begin(protocol: Protocol) -> tuple[Callable[[Any], Any], Any]:
        judge = LockStep(protocol, session_timeout_ms=timeout_ms, given=given)
        return judge.step, judge.out

    return Recorded(seed, steps, begin)


def kraft_data(seed: int, steps: Sequence[Any], static_min: int) -> Recorded:
    """Return a run of the KRaft reference with the steps of its brokers, whose own min.insync.replicas is given."""

    def begin(protocol: Protocol) -> tuple[Callable[[Any], Any], Any]:
        judge = DataLockStep(static_min, protocol)

        def step(one: Any) -> str | None:
            found = judge.step(one)
            return found[0].text() if found else None

        return step, judge.out

    return Recorded(seed, steps, begin)


def kraft_loop(seed: int, steps: Sequence[Any], repaired: frozenset[str]) -> Recorded:
    """Return a run of the KRaft reference with the steps of its controllers' loops, which repairs these defects."""

    def begin(protocol: Protocol) -> tuple[Callable[[Any], Any], Any]:
        judge = LoopLockStep(repaired, protocol)

        def step(one: Any) -> str | None:
            found = judge.step(one)
            return None if found is None else found.text()

        return step, judge.out

    return Recorded(seed, steps, begin)


def kraft_voters(seed: int, steps: Sequence[Any]) -> Recorded:
    """Return a run of the KRaft reference with the steps of its quorum, whose voters change."""

    def begin(protocol: Protocol) -> tuple[Callable[[Any], Any], Any]:
        judge = VotersLockStep(protocol)

        def step(one: Any) -> str | None:
            found = judge.step(one)
            return None if found is None else found.text()

        return step, judge.out

    return Recorded(seed, steps, begin)


def zk(seed: int, steps: Sequence[Any]) -> Recorded:
    """Return a run of the reference of the ZooKeeper era."""

    def begin(protocol: Protocol) -> tuple[Callable[[Any], Any], Any]:
        judge = ZkLockStep(protocol)
        return judge.step, judge.tally

    return Recorded(seed, steps, begin)


def design(seed: int, header: Any, steps: Sequence[Any]) -> Recorded:
    """Return a run of a design's reference."""

    def begin(protocol: Protocol) -> tuple[Callable[[Any], Any], Any]:
        judge = DesignJudge(protocol, header)
        return judge.step, judge.tally

    return Recorded(seed, steps, begin)


class Explained(NamedTuple):
    """A seed that the base explains: the rows that it runs, the steps that no row is about, and its CPU seconds."""

    run: Recorded
    rows: frozenset[str]
    without_row: frozenset[str]
    seconds: float


class Simulating:
    """Recorded seeds, each with the rows that the base runs of it; `judge` runs a mutant's beside the same steps.

    `seeds` is how many seeds in which its row fires are run for a mutant.
    """

    def __init__(self, base: Protocol, runs: Sequence[Recorded], seeds: int = SEEDS) -> None:
        self.base, self.seeds = base, seeds
        self.runs: list[Explained] = []
        for run in runs:
            began = time.process_time()
            step, tally = run.begin(base)
            if not any(step(one) is not None for one in run.steps):
                seconds = time.process_time() - began
                self.runs.append(Explained(run, frozenset(tally.rows), frozenset(_names(tally)), seconds))

    def judge(self, mutant: Mutant, earlier: Sequence[Answer] = ()) -> Answer:
        """Run the seeds in which a row of the mutant's fires."""
        made = mutant.of(self.base)
        rows = {row.id for row in changed(self.base, made)} | {mutant.row}
        chosen = sorted(
            (one for one in self.runs if not rows.isdisjoint(one.rows)),
            key=lambda one: (mutant.row not in one.rows, one.seconds),
        )[: self.seeds]
        if not chosen:
            return Answer("simulate", "not asked", "", "the row fires in no recorded seed")
        began, asked = time.process_time(), list[str]()
        for run, _, without_row, _ in chosen:
            if time.process_time() - began > SECONDS:
                return Answer("simulate", "not decided", "", f"{', '.join(asked)}; out of time for seed {run.seed}")
            wrong = _wrong(run, made, without_row)
            if wrong:
                return Answer("simulate", "killed", f"seed {run.seed}, {wrong}"[:240], ", ".join(asked))
            asked.append(f"seed {run.seed} ({len(run.steps):,} steps)")
        return Answer("simulate", "passed", "", ", ".join(asked))


def _wrong(run: Recorded, made: Protocol, without_row: frozenset[str]) -> str:
    try:
        step, tally = run.begin(made)
        for number, one in enumerate(run.steps, 1):
            found = step(one)
            if found is not None:
                return f"step {number}: {' '.join(str(found).split())}"
    except (EvaluationError, KeyError, ValueError, TypeError, IndexError) as error:
        return f"the rows cannot run: {type(error).__name__}: {error}"
    # Lock step counts a step of an event that the tables do not have; where they had it, that is noticed.
    lost = sorted(set(_names(tally)) - without_row)
    return f"no row is about {lost[0]} any more" if lost else ""


def _names(tally: Any) -> list[str]:
    """The steps that a tally counts as such that no row is about, by name, with the reason where it gives one."""
    found = getattr(tally, "unjudged", getattr(tally, "not_judged", ()))
    return [f"{key[0]} ({key[1]})" if isinstance(key, tuple) else str(key) for key in found]


__all__ = ["Recorded", "Simulating", "design", "kraft", "kraft_data", "kraft_loop", "kraft_voters", "zk"]
