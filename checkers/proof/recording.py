"""Recording cores: which few hypotheses suffice for each obligation that is not proved at once.

What some attempt proves is asked again with fewer hypotheses until none can be left out; what is left must then prove
it under each of several seeds, and is what `cores` reads. A core that is recorded and still suffices is kept, so that a
change of some rows changes some lines. `python -m fencepost.checkers.proof.recording PROTOCOL ...` writes the files;
with `--violations` in front of the names it writes the recorded violations instead (seconds), with `--ways` the ways
beside the cores that are there (as long as a proof takes).
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import z3

from fencepost.files import write_whole
from fencepost.model.language import Always, Protocol, Row, Step
from fencepost.model.registry import find

from . import violations
from .assumptions import Reliance, without
from .attempts import AT_ONCE, CORES, SLICE, Attempt, Near
from .cores import ROOT, Core, Pair, path_of, recorded, text
from .models import Found
from .obligations import claim_id, claim_of, excepted, hypotheses, obligations
from .processes import shared, workers
from .prove import pairs_without, prove, ways_of
from .prover import STUTTER, Prover
from .session import Formula, Goal
from .solvers import direct, solver_name, solver_of

SEEDS = range(1, 9)
"""Seeds under which a core must suffice, and under one of which what has no core was not proved at once."""
PATIENCE = 600.0
BRIEF, LONG = 4, 20
"""Slices for the solver's own account of what it used, in the first round and in the second."""
_NEARS: tuple[Near, ...] = ("property", "row", "")


@dataclass(frozen=True)
class Recording:
    """Cores of a protocol; for `missing` obligations none was found, those of `unstable` ones fail under some seed."""

    cores: dict[Pair, Core]
    missing: tuple[Pair, ...]
    unstable: tuple[Pair, ...]


def record(protocol: Protocol, progress: Callable[[int, int, str], None] | None = None) -> Recording:
    """Return the cores of a protocol's obligations that are not proved at once; minutes for some hundreds.

    Where none is found, it is looked for among the names in the cores of the same row, and of the same property.
    """
    claims = [one for one in protocol.properties if isinstance(one, (Always, Step))]
    asked = list(obligations(protocol, protocol.rows, claims))
    listed = [(row.id, claim.id) for row, claim, frame in asked if not frame and not excepted(row, claim)]
    listed += dict.fromkeys((STUTTER, claim.id) for _, claim, frame in asked if frame and isinstance(claim, Step))

    def make() -> Callable[[Any], Any]:
        return _Recorder(protocol, hypotheses(protocol), cores={}).record

    found: dict[Pair, tuple[Core | None, bool]] = {}
    jobs: list[tuple[str, str, Core]] = [(*pair, ()) for pair in listed]
    for _ in range(2):
        plan = [[job for job in jobs if job[0] == id] for id in (*(row.id for row in protocol.rows), STUTTER)]
        for done, (job, answer, _) in enumerate(shared(make, plan, PATIENCE, workers()), 1):
            found[job[0], job[1]] = answer or (None, False)
            if progress is not None:
                progress(done, len(jobs), " × ".join(job[:2]))
        jobs = [(*pair, _related(pair, found)) for pair, answer in found.items() if answer == (None, False)]
    return Recording(
        {pair: core for pair, (core, _) in found.items() if core is not None},
        tuple(pair for pair, (core, stable) in found.items() if core is None and not stable),
        tuple(pair for pair, (core, stable) in found.items() if core is not None and not stable),
    )


def _related(pair: Pair, found: Mapping[Pair, tuple[Core | None, bool]]) -> Core:
    """Return the names in the cores of the same row or of the same property, with the property itself."""
    cores = [core for (row, id), (core, _) in found.items() if core and (row == pair[0] or id == pair[1])]
    return tuple(dict.fromkeys((pair[1], *(id for core in cores for id in core))))


def _name(row: Row | None) -> str:
    """Return what stands for a row in the name of a core, also for a step that changes nothing."""
    return row.id if row is not None else STUTTER


class _Recorder(Prover):
    """Looks for cores in one process; `seeds` are those under which a core must suffice."""

    seeds: Sequence[int] = SEEDS

    def record(self, job: tuple[str, str, Core]) -> tuple[Core | None, bool]:
        """Return a core, and whether it suffices under every seed; none, and True, where it is not needed."""
        row = self.protocol.row(job[0]) if job[0] != STUTTER else None
        claim = claim_of(self.protocol, job[0], job[1])
        goals = self.goals_once(0, row, claim)
        every = range(len(goals))
        once = AT_ONCE if row is not None else replace(AT_ONCE, near="")
        if all(self._prove(row, claim, index, seed, (once,))[0] == "unsat" for seed in SEEDS for index in every):
            return None, True
        self.seeds, core = SEEDS, recorded(self.protocol).cores.get((job[0], claim.id))
        there = core is not None and self.session(0).hypotheses.keys() >= set(core)
        if core is not None and there and all(self._suffice(row, claim, goal, core) for goal in goals):
            return core, True
        for self.seeds in (SEEDS[:3], SEEDS):  # more seeds find larger cores, and take longer
            found = [self._shrunk(row, claim, goal, job[2]) for goal in goals]
            if None in found:
                return None, False
            core = tuple(dict.fromkeys(id for one in found for id in one or ()))
            self.seeds = SEEDS
            if all(self._suffice(row, claim, goal, core) for goal in goals):
                return core, True
        return core, False

    def _suffice(self, row: Row | None, claim: Always | Step, goal: Goal, core: Core) -> bool:
        """Return whether one of the ways to ask a core proves a goal under each of the seeds."""
        self.cores = {(_name(row), claim.id): core}
        return any(
            all(
                self._check(0, row, claim, goal, seed, int(way.slices * SLICE), way)[0] == z3.unsat
                for seed in self.seeds
            )
            for way in CORES
        )

    def _shrunk(self, row: Row | None, claim: Always | Step, goal: Goal, related: Core) -> Core | None:
        left = self._enough(row, claim, goal, related)
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

    def _enough(self, row: Row | None, claim: Always | Step, goal: Goal, related: Core) -> Core | None:
        """Return hypotheses that suffice: what the solver says that it used, asked again until it uses all."""
        for few in ((), (claim.id,)):  # what the row does is often enough, and asking that takes no time
            if self._suffice(row, claim, goal, few):
                return few
        session = self.session(0)
        everything = [tuple(session.named(self._given(0, row, claim, near))) for near in _NEARS]
        pools = [related, everything[-1]] if related else everything
        for pool in pools:
            slices = LONG if related else BRIEF
            for way in (*CORES, replace(AT_ONCE, near="core", incremental=False)):
                used = self._used(row, claim, goal, pool, replace(way, slices=slices))
                while used is not None:
                    if self._suffice(row, claim, goal, used):
                        return used
                    fewer = self._used(row, claim, goal, used, replace(way, slices=slices))
                    used = fewer if fewer is not None and len(fewer) < len(used) else None
        return None

    def _used(self, row: Row | None, claim: Always | Step, goal: Goal, pool: Core, way: Attempt) -> Core | None:
        """Return the hypotheses in the solver's own unsatisfiable core, None where it does not find one."""
        session = self.session(0)
        self.cores = {(_name(row), claim.id): pool}
        given = self._given(0, row, claim, "core")
        names = {session.hypotheses[id]: id for id in pool}
        switches = {id: z3.Bool(f"uses {id}") for id in pool}
        guarded = [
            Formula(tuple(z3.Implies(switches[id], fact) for fact in one.facts if fact is not True), one.needs)
            for one, id in names.items()
        ]
        fixed = [one for one in given if one not in names]
        solver = solver_of(session, [*fixed, *guarded, goal.formula], way.leave)
        direct(solver, (*way.options, ("rlimit", int(way.slices * SLICE)), ("random_seed", 1)))
        if solver.check(*switches.values()) != z3.unsat:
            return None
        used = {str(one) for one in solver.unsat_core()}
        return tuple(id for id, switch in switches.items() if str(switch) in used)


def main(names: Sequence[str]) -> int:
    """Write the cores of protocols; return 1 where something was not proved, or not under every seed."""
    other = {"--violations": _record_violations, "--ways": _record_ways}.get(names[0]) if names else None
    if other is not None:
        for name in names[1:]:
            other(find(name).whole)
        return 0
    wrong = 0
    for name in names:
        whole = find(name).whole
        found = record(whole, lambda done, total, last: _tell(done, total, last) if done % 50 == 0 else None)
        path = ROOT / path_of(whole)
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, text(found.cores, solver_name(), recorded(whole).ways))
        print(f"{path_of(whole)}: {len(found.cores)} cores, {sum(map(len, found.cores.values()))} names")
        for what, pairs in (("no core found", found.missing), ("not under every seed", found.unstable)):
            for row, property_ in pairs:
                print(f"{row} × {property_}: {what}", file=sys.stderr)
                wrong = 1
    return wrong


def _record_violations(protocol: Protocol) -> None:
    """Write how rows break what they are declared to break: what is recorded and still replays is kept."""
    claims = [one for one in protocol.properties if isinstance(one, (Always, Step))]
    asked = obligations(protocol, protocol.rows, claims)
    declared = [(row, claim) for row, claim, frame in asked if not frame and excepted(row, claim)]
    prover = Prover(protocol, hypotheses(protocol))
    answers = [(row, claim, prover.plainest(row, claim)) for row, claim in declared]
    found = [(row, claim, one) for row, claim, one in answers if one is not None]
    dropped: dict[Pair, list[Found]] = {}
    for used in prove(protocol).assumptions:
        for row, one in _without(protocol, used):
            dropped.setdefault((used.assumption.id, row), []).append(one)
    write_whole(ROOT / violations.file_of(protocol), violations.text(protocol, found, dropped))
    states = sum(map(len, dropped.values()))
    print(f"{violations.file_of(protocol)}: {len(found)} violations of {len(declared)} declared pairs, {states} states")


def _without(protocol: Protocol, used: Reliance) -> Iterator[tuple[str, Found]]:
    """Yield rows with states from which they break what needs an assumption: recorded ones first, and only states that
    break something that those before do not.
    """
    bare, assumption = without(protocol, (used.assumption.id,)), used.assumption.id
    prover = Prover(bare, hypotheses(bare))
    claims = [one for one in bare.properties if isinstance(one, (Always, Step))]
    listed = pairs_without(bare, used.assumption, bare.rows, claims)
    pairs = [(row, claim) for row, claim in listed if claim_id(claim) in used.needed_by]
    broken: set[str] = set()

    def states() -> Iterator[tuple[str, Found]]:
        for (_, row), found in violations.without(bare, assumption).items():
            yield from ((row, one) for one in found)
        for row, claim in pairs:
            one = prover.plainest(bare.row(row), claim) if claim.id not in broken else None
            if one is not None:
                yield row, one

    for row, one in states():
        more = violations.fallen(bare, {(assumption, row): [one]}, pairs, hypotheses(bare)) - broken
        if more:
            broken |= more
            yield row, one


def _record_ways(protocol: Protocol) -> None:
    """Write which attempt proved each obligation that the first one did not, beside the cores that are recorded."""
    known = recorded(protocol)
    ways = {pair: way for pair, way in ways_of(protocol).items() if way}
    write_whole(ROOT / path_of(protocol), text(known.cores, known.solver or solver_name(), ways))
    print(f"{path_of(protocol)}: {len(ways)} ways")


def _tell(done: int, total: int, last: str) -> None:
    print(f"{done} of {total}, last {last}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
