"""Recording cores: which few hypotheses suffice for each obligation that is not proved at once.

What some attempt proves is asked again with fewer hypotheses until none can be left out; what is left must then prove
it under each of several seeds, and is what `cores` reads. A core that is recorded and still suffices is kept, so that a
change of some rows changes some lines. `python -m fencepost.checkers.proof.recording PROTOCOL ...` writes the files.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import z3

from fencepost.model.language import Always, Protocol, Row, Step

from .attempts import AT_ONCE, CORES, FIRST, LAST, SECOND, SLICE, Attempt, Near
from .cores import ROOT, Core, Pair, path_of, recorded, text
from .obligations import excepted, hypotheses, obligations
from .processes import shared, workers
from .prover import Prover
from .session import Formula, Goal
from .solvers import direct, solver_of

SEEDS = range(1, 9)
"""Seeds under which a core must suffice, and under one of which what has no core was not proved at once."""
PATIENCE = 600.0
LONG = 20
"""Slices for the solver's own account of what it used."""


@dataclass(frozen=True)
class Recording:
    """Cores of a protocol; `unproved` are the obligations that no attempt proved, `unstable` those whose core failed
    under some seed.
    """

    cores: dict[Pair, Core]
    unproved: tuple[Pair, ...]
    unstable: tuple[Pair, ...]


def record(protocol: Protocol, progress: Callable[[int, int, str], None] | None = None) -> Recording:
    """Return the cores of a protocol's obligations that are not proved at once; minutes for some hundreds."""
    claims = [one for one in protocol.properties if isinstance(one, (Always, Step))]
    asked = obligations(protocol, protocol.rows, claims)
    listed = [(row.id, claim.id) for row, claim, frame in asked if not frame and not excepted(row, claim)]

    def make() -> Callable[[Any], Any]:
        return _Recorder(protocol, hypotheses(protocol), cores={}).record

    plan = [[pair for pair in listed if pair[0] == row.id] for row in protocol.rows]
    found: dict[Pair, tuple[Core | None, bool]] = {}
    for done, (job, answer, why) in enumerate(shared(make, plan, PATIENCE, workers()), 1):
        if answer is None:
            raise RuntimeError(f"{' × '.join(job)}: {why}")
        found[job[0], job[1]] = answer
        if progress is not None:
            progress(done, len(listed), " × ".join(job))
    return Recording(
        {pair: core for pair, (core, _) in found.items() if core is not None},
        tuple(pair for pair, (core, proved) in found.items() if core is None and not proved),
        tuple(pair for pair, (core, proved) in found.items() if core is not None and not proved),
    )


class _Recorder(Prover):
    """Looks for cores in one process; `seeds` are those under which a core must suffice."""

    seeds: Sequence[int] = SEEDS

    def record(self, pair: Pair) -> tuple[Core | None, bool]:
        """Return a core, and whether it suffices under every seed; none, and True, where it is not needed."""
        row, claim = self.protocol.row(pair[0]), self.protocol.property(pair[1])
        assert isinstance(claim, (Always, Step))
        goals = self.goals_once(0, row, claim)
        if all(
            self._prove(row, claim, index, seed, (AT_ONCE,))[0] == "unsat"
            for seed in SEEDS
            for index in range(len(goals))
        ):
            return None, True
        self.seeds, core = SEEDS, recorded(self.protocol).cores.get(pair)
        there = core is not None and self.session(0).hypotheses.keys() >= set(core)
        if core is not None and there and all(self._suffice(row, claim, goal, core) for goal in goals):
            return core, True
        for self.seeds in (SEEDS[:3], SEEDS):  # more seeds find larger cores, and take longer
            found = [self._shrunk(row, claim, index, goal) for index, goal in enumerate(goals)]
            if None in found:
                return None, False
            core = tuple(dict.fromkeys(id for one in found for id in one or ()))
            self.seeds = SEEDS
            if all(self._suffice(row, claim, goal, core) for goal in goals):
                return core, True
        return core, False

    def _suffice(self, row: Row, claim: Always | Step, goal: Goal, core: Core) -> bool:
        """Return whether one of the ways to ask a core proves a goal under each of the seeds."""
        self.cores = {(row.id, claim.id): core}
        return any(
            all(
                self._check(0, row, claim, goal, seed, int(way.slices * SLICE), way)[0] == z3.unsat
                for seed in self.seeds
            )
            for way in CORES
        )

    def _shrunk(self, row: Row, claim: Always | Step, index: int, goal: Goal) -> Core | None:
        left = self._enough(row, claim, index, goal)
        if left is None:
            return None
        width = max(1, len(left) // 2)
        while left:  # parts of half the size each time, as in delta debugging
            start = 0
            while start < len(left):
                fewer = (*left[:start], *left[start + width :])
                if self._suffice(row, claim, goal, fewer):
                    left = fewer
                else:
                    start += width
            if width == 1:
                break
            width //= 2
        return left

    def _enough(self, row: Row, claim: Always | Step, index: int, goal: Goal) -> Core | None:
        """Return hypotheses that suffice, as few as the solver finds by itself."""
        nears: tuple[Near, ...] = ("property", "row", "")
        for near in nears:
            for way in CORES:
                attempt = replace(way, slices=4 if near else LONG, near=near)
                used = self._used(row, claim, goal, attempt)
                if used is not None:
                    return used
        self._begin()
        self.cores = {}
        if self._prove(row, claim, index, 1, (*FIRST, *SECOND, *LAST))[0] != "unsat":
            return None
        return tuple(id for id in self.session(0).hypotheses if id in self._told)

    def _used(self, row: Row, claim: Always | Step, goal: Goal, attempt: Attempt) -> Core | None:
        """Return the hypotheses in the solver's own unsatisfiable core, None where it does not find one."""
        session = self.session(0)
        given = self._given(0, row, claim, attempt.near)
        names = {session.hypotheses[id]: id for id in session.named(given)}
        fixed = [one for one in given if one not in names]
        switches = {id: z3.Bool(f"uses {id}") for id in names.values()}
        guarded = [
            Formula(tuple(z3.Implies(switches[id], fact) for fact in one.facts if fact is not True), one.needs)
            for one, id in names.items()
        ]
        solver = solver_of(session, [*fixed, *guarded, goal.formula], attempt.leave)
        direct(solver, (*attempt.options, ("rlimit", int(attempt.slices * SLICE)), ("random_seed", 1)))
        if solver.check(*switches.values()) != z3.unsat:
            return None
        used = {str(one) for one in solver.unsat_core()}
        core = tuple(id for id, switch in switches.items() if str(switch) in used)
        return core if self._suffice(row, claim, goal, core) else None


def main(names: Sequence[str]) -> int:
    """Write the cores of protocols; return 1 where something was not proved, or not under every seed."""
    from fencepost.model.registry import find

    wrong = 0
    for name in names:
        whole = find(name).whole
        found = record(whole, lambda done, total, last: _tell(done, total, last) if done % 50 == 0 else None)
        path = ROOT / path_of(whole)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text(found.cores), encoding="utf-8")
        print(f"{path_of(whole)}: {len(found.cores)} cores, {sum(map(len, found.cores.values()))} names")
        for what, pairs in (("not proved", found.unproved), ("not under every seed", found.unstable)):
            for row, property_ in pairs:
                print(f"{row} × {property_}: {what}", file=sys.stderr)
                wrong = 1
    return wrong


def _tell(done: int, total: int, last: str) -> None:
    print(f"{done} of {total}, last {last}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
