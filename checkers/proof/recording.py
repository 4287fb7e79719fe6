"""Recording cores: which few hypotheses suffice for each obligation that is not proved at once.

What some attempt proves is asked again with fewer hypotheses until none can be left out; what is left must then prove
it under each of several seeds, and is what `cores` reads. A core that is recorded and still suffices is kept, so that a
change of some rows changes some lines. `python -m fencepost.checkers.proof.recording PROTOCOL ...` writes the files;
with `--violations` in front of the names it writes the recorded states instead (twice a proof), with `--ways` the ways
beside the cores that are there (as long as a proof takes), with `--slices` the slices (some times as long).
"""

from __future__ import annotations

import math
import sys
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

import z3

from fencepost.checkers.verdicts import Verdict
from fencepost.files import write_whole
from fencepost.model.language import Always, EvaluationError, Protocol, Row, Step, Var, satisfying
from fencepost.model.registry import find

from . import violations
from .asked import cases_of
from .assumptions import Reliance, without
from .attempts import AT_ONCE, CORES, FEW, FIRST, LAST, SECOND, SLICE, Attempt, Near
from .cores import ROOT, Core, Pair, Slice, path_of, recorded, text
from .cores import with_groups as recorded_with_groups
from .definitions import Leave, Need, Place
from .finite import Finite
from .logic import expression
from .lowering import Lowering
from .models import Found, Reader, minimised, native, read_cells, state_of, world_of
from .obligations import claim_id, claim_of, condition, excepted, hypotheses, obligations
from .processes import shared, workers
from .prove import pairs_without, prove, ways_of
from .prover import FINITE_LIMIT, STUTTER, Prover, range_name
from .row_groups import row_groups, with_groups
from .row_session import RowSession
from .scope import Inexpressible
from .session import Formula, Goal, parameters
from .solvers import direct, solved, solver_name, solver_of, tell
from .unbounded import Unbounded
from .witnesses import condition_of, shown

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
        return Recorder(protocol, hypotheses(protocol), cores={}).record

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


class Recorder(Prover):
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
            found = [self.shrunk(row, claim, goal, job[2]) for goal in goals]
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

    def shrunk(self, row: Row | None, claim: Always | Step, goal: Goal, related: Core) -> Core | None:
        """Return hypotheses that suffice, none of which can be left out; None where none are found that do."""
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


SLICED_FROM = 4
"""Facts of definitions from which an obligation gets a slice. Definitions take longer to be made than most questions
take the solver, and are made for all of a row's obligations as soon as one of them is asked with all that it reaches.
"""


def slices_of(protocol: Protocol) -> dict[Pair, Slice]:
    """Return slices of a protocol's obligations. Rows that are asked once for several have theirs under the first's id,
    and what is not proved of all of them together has one for each.
    """
    claims = [one for one in protocol.properties if isinstance(one, (Always, Step))]
    asked = list(obligations(protocol, protocol.rows, claims))
    groups = row_groups(protocol, protocol.rows)
    spoken = [(group, claim) for group in groups for claim in claims if group.speak_for(claim)]
    together = {(one.id, claim.id): group.row.id for group, claim in spoken for one in group.members}
    first = {group.row.id: group.members[0].id for group in groups}
    members = {group.row.id: [one.id for one in group.members] for group in groups}
    pairs = [(row.id, claim.id) for row, claim, frame in asked if not frame and not excepted(row, claim)]
    pairs += dict.fromkeys((STUTTER, claim.id) for _, claim, frame in asked if frame and isinstance(claim, Step))
    jobs = list(dict.fromkeys((together.get(pair, pair[0]), pair[1]) for pair in pairs))
    known = recorded(protocol)
    cores = recorded_with_groups(known.cores, groups)
    slicer = _Slicer(with_groups(protocol, groups), hypotheses(protocol), cores=cores)
    slicer.known = recorded_with_groups(known.slices, groups)
    slicer.session(0)
    found: dict[Pair, Slice] = {}
    rows = dict.fromkeys((*(one.id for one in protocol.rows), *members))
    for (name,), ranges, _ in shared(lambda: slicer.ranges_of, [[(name,)] for name in rows], PATIENCE, workers(), True):
        found |= {(first.get(name) or name, range_name(number)): one for number, one in (ranges or {}).items()}
    while jobs:
        plan = [[job for job in jobs if job[0] == id] for id in dict.fromkeys(id for id, _ in jobs)]
        jobs = []
        for (name, id), answer, _ in shared(lambda: slicer.slice_of, plan, PATIENCE, workers(), afresh=True):
            proved, one = answer or (False, None)
            if one is not None:
                found[first.get(name) or name, id] = one
            elif not proved:
                jobs += [(member, id) for member in members.get(name, ()) if (member, id) in pairs]
    return found


class _Slicer(Prover):
    """Looks for slices; `known` are those that were recorded before."""

    known: Mapping[Pair, Slice] = {}

    def slice_of(self, job: Pair) -> tuple[bool, Slice | None]:
        """Return whether an obligation is proved, and its slice; none where it needs none, or none was found."""
        row = self.protocol.row(job[0]) if job[0] != STUTTER else None
        claim = claim_of(self.protocol, *job)
        before = self.known.get((job[0], claim.id))
        try:
            goals = self.goals_once(0, row, claim)
            if before is not None and self._holds(row, claim, before):
                return True, before
            won = [one for index in range(len(goals)) if (one := self._won(row, claim, index)) is not None]
            if len(won) < len(goals):
                return False, None
            asked = [
                ([*self._given(0, row, claim, one.near), case.formula], one)
                for goal, one in zip(goals, won, strict=True)
                for case in (cases_of(goal) if one.cases else [goal])
            ]
            if all(self._relied_on(formulas, one.leave) < SLICED_FROM for formulas, one in asked):
                return True, None
            for plain in (False, True):
                for seed in SEEDS[:3]:
                    parts = [
                        self._sliced_by(formulas, one.leave, () if plain else one.options, seed)
                        for formulas, one in asked
                    ]
                    used = [one for one in parts if one is not None]
                    found = self._together(used)
                    if len(used) == len(parts) and self._holds(row, claim, found):
                        return True, found
        except Inexpressible:
            return False, None
        return True, None

    def ranges_of(self, job: tuple[str]) -> dict[int, Slice]:
        """Return slices of the questions whether writes of a row leave a range, by their numbers."""
        [name] = job
        row, found = self.protocol.row(name), dict[int, Slice]()

        def stays(here: RowSession, number: int, leaves: Callable[[], Formula]) -> bool:
            self.slices = {}
            if not self._stays(here, number, leaves):
                return False
            before = self.known.get((name, range_name(number)))
            asked = [*here.session.everything(), here.own_guard, leaves()]
            parts = (self._sliced_by(asked, Leave(None, True), (), seed) for seed in SEEDS[:3])
            for one in (before, *parts):
                if one is not None and self._in_range(here, number, leaves(), one):
                    found[number] = one
                    break
            return True

        with suppress(Inexpressible):
            RowSession(self.session(0), row, self._never, stays)
        return found

    def _in_range(self, here: RowSession, number: int, leaves: Formula, one: Slice) -> bool:
        """Return whether a slice shows under each of some seeds that a write leaves no range."""
        self.slices = {(here.row.id, range_name(number)): one}
        formulas, leave, [(limit, options)] = next(self._range_questions(here, number, leaves))
        for seed in SEEDS:
            solver = solver_of(here.session, formulas, leave)
            direct(solver, (*options, ("rlimit", limit), ("random_seed", seed)))
            if solved(solver) != z3.unsat:
                return False
        return True

    def _together(self, some: Iterable[Slice]) -> Slice:
        """Return a slice that has what each of some has."""
        names = {id for one in some for id in one.hypotheses}
        marks = frozenset[str]().union(*(one.marks for one in some))
        return Slice(tuple(id for id in self.session(0).hypotheses if id in names), marks)

    def _relied_on(self, formulas: Iterable[Formula], leave: Leave) -> int:
        """Return how many facts of definitions are given with formulas."""
        known: set[Need] = set()
        lowering = self.session(0).lowering
        stated = (place for one in formulas for place, _ in lowering.axioms(sorted(one.needs), known, leave))
        return sum(lowering.names(need) for need, _ in stated)

    def _holds(self, row: Row | None, claim: Always | Step, one: Slice) -> bool:
        """Return whether a slice proves every goal under each of some seeds."""
        self.slices: Mapping[Pair, Slice] = {(_name(row), claim.id): one}
        goals = self.goals_once(0, row, claim)
        try:
            return all(self._sliced(row, claim, goal, seed) for goal in goals for seed in SEEDS)
        finally:
            self.slices = {}

    def _won(self, row: Row | None, claim: Always | Step, index: int) -> Attempt | None:
        """Return the attempt that proves a goal, None where none does."""
        self._begin()
        if self._prove(row, claim, index, 1, FIRST)[0] == "unsat":
            return FIRST[self._ways[-1]]
        for attempts in (SECOND, LAST):
            proved, tried = self._prove(row, claim, index, 1, attempts)
            if proved == "unsat":
                return attempts[tried - 1]
        return None

    def _sliced_by(
        self, formulas: Sequence[Formula], leave: Leave, options: tuple[tuple[str, Any], ...], seed: int
    ) -> Slice | None:
        """Return what the solver says that it used of what it is given, asked again until it uses all, and that through
        which definitions are reached.
        """
        session, lowering = self.session(0), self.session(0).lowering
        names = {formula: id for id, formula in session.hypotheses.items()}
        given: list[tuple[str | Place, Any]] = []
        known: set[Need] = set()
        for formula in formulas:
            stated = lowering.axioms(sorted(formula.needs), known, leave)
            given += [((need, at), expression(fact)) for (need, at), fact in stated]
            given += [(names.get(formula, ""), expression(fact)) for fact in formula.facts if fact is not True]
        while True:
            solver = z3.SimpleSolver()
            switches = [z3.Bool(f"uses {number}") for number in range(len(given))]
            tell(solver, [z3.Implies(switch, fact) for switch, (_, fact) in zip(switches, given, strict=True)])
            if isinstance(session.scope, Unbounded):
                tell(solver, map(expression, session.scope.background))
            direct(solver, (*options, ("rlimit", LONG * SLICE), ("random_seed", seed)))
            if solved(solver, *switches) != z3.unsat:
                return None
            used = {str(one) for one in solver.unsat_core()}
            left = [one for switch, one in zip(switches, given, strict=True) if str(switch) in used]
            if len(left) == len(given):
                break
            given = left
        ids = {what for what, _ in given if isinstance(what, str)}
        places = {what for what, _ in given if isinstance(what, tuple)}
        needs = {need for need, _ in places}
        through = _through(lowering, frozenset[Need]().union(*(one.needs for one in formulas)), needs) - needs
        marks = {lowering.marks(need)[at] for need, at in (*places, *((need, 0) for need in through))}
        return Slice(tuple(id for id in session.hypotheses if id in ids), frozenset(marks))


def _through(lowering: Lowering, first: Iterable[Need], wanted: Collection[Need]) -> set[Need]:
    """Return definitions by which all that are wanted are reached from the first, few besides themselves."""
    found: dict[Need, Need | None] = {}
    left: deque[tuple[Need, Need | None]] = deque((need, None) for need in sorted(first))
    while left:
        need, before = left.popleft()
        if need in found:
            continue
        found[need] = before
        further = [(one, need) for one in sorted(lowering.relied_on(need))]
        # What is given anyway costs nothing.
        (left.extendleft if need in wanted else left.extend)(further)
    reached: set[Need] = set()
    for need in wanted:
        at: Need | None = need
        while at is not None and at not in reached:
            reached.add(at)
            at = found[at]
    return reached


def main(names: Sequence[str]) -> int:
    """Write the cores of protocols; return 1 where something was not proved, or not under every seed."""
    other = (
        {"--violations": _record_violations, "--ways": _record_ways, "--slices": _record_slices}.get(names[0])
        if names
        else None
    )
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
        write_whole(path, text(found.cores, solver_name(), recorded(whole).ways, recorded(whole).slices))
        print(f"{path_of(whole)}: {len(found.cores)} cores, {sum(map(len, found.cores.values()))} names")
        for what, pairs in (("no core found", found.missing), ("not under every seed", found.unstable)):
            for row, property_ in pairs:
                print(f"{row} × {property_}: {what}", file=sys.stderr)
                wrong = 1
    return wrong


def _record_violations(protocol: Protocol) -> None:
    """Write how rows break what they break, and states in which they are enabled and conditions hold: what is recorded
    and still replays is kept.
    """
    claims = [one for one in protocol.properties if isinstance(one, (Always, Step))]
    asked = obligations(protocol, protocol.rows, claims)
    declared = [(row, claim) for row, claim, frame in asked if not frame and excepted(row, claim)]
    prover, proof = Prover(protocol, hypotheses(protocol)), prove(protocol)
    refuted = [one for one in proof.failed if one.verdict is Verdict.NOT_INDUCTIVE and not one.declared]
    pairs = [*declared, *((protocol.row(one.row), claim_of(protocol, one.row, one.property)) for one in refuted)]
    answers = [(row, claim, prover.plainest(row, claim)) for row, claim in pairs]
    found = [(row, claim, one) for row, claim, one in answers if one is not None]
    dropped: dict[Pair, list[Found]] = {}
    for used in proof.assumptions:
        for row, one in _without(protocol, used):
            dropped.setdefault((used.assumption.id, row), []).append(one)
    seen = list(_witnesses(prover))
    write_whole(ROOT / violations.file_of(protocol), violations.text(protocol, found, dropped, seen))
    print(f"{violations.file_of(protocol)}: {len(found)} violations of {len(pairs)} pairs, ", end="")
    print(f"{sum(map(len, dropped.values()))} states without an assumption, {len(seen)} witnesses")


MANY = 20_000
"""Combinations of values, above which a binding is not looked for in a state that was found for something else."""


def _witnesses(prover: Prover) -> Iterator[dict[str, Any]]:
    """Yield states, each with the rows that are enabled and the conditions that hold in it and in none before, as
    `violations.text` takes them: recorded ones first, then the plainest of what is left.
    """
    protocol, known = prover.protocol, prover.witnesses
    left: dict[str, Row | Always] = {row.id: row for row in protocol.rows}
    left |= {one.id: one for one in protocol.properties if isinstance(one, Always) and condition(one.term) is not None}
    for entry in violations.witnesses(protocol):
        kept = {id: values for id, values in entry["shows"].items() if id in left and known.show(left[id])}
        if kept:
            left = {id: one for id, one in left.items() if id not in kept}
            more = _seen(protocol, left, violations.state_in(protocol, entry))
            left = {id: one for id, one in left.items() if id not in more}
            yield {**entry, "shows": {**kept, **more}}
    for id, one in list(left.items()):
        found = _plainest(prover, one) if id in left else None
        shows = _seen(protocol, left, *found) if found is not None else {}
        left = {id: one for id, one in left.items() if id not in shows}
        if found is not None and shows:
            yield {**violations.state_entry(protocol, found[0]), "shows": shows}


def _seen(
    protocol: Protocol, left: Mapping[str, Row | Always], found: Found, known: Mapping[str, Any] | None = None
) -> dict[str, list[Any]]:
    """Return what of some rows and conditions a state shows, with values of the variables; `known` has some already."""
    state, world = state_of(protocol, found), world_of(protocol, found)
    shows: dict[str, list[Any]] = {}
    for id, one in left.items():
        params, term = condition_of(protocol, one)
        if known is not None and id in known:
            tried: Iterable[Mapping[Var[Any], Any]] = (known[id],)
        elif math.prod(len(world.values(v.kind)) for v in params) <= MANY:
            tried = satisfying(term, tuple(params), state, world)
        else:
            continue
        with suppress(EvaluationError):
            binding = next((it for it in tried if shown(protocol, one, state, world, it)), None)
            if binding is not None:
                shows[id] = violations.values_entry({v: binding[v] for v in params})
    return shows


def _plainest(prover: Prover, asked: Row | Always) -> tuple[Found, dict[str, Any]] | None:
    """Return a state that enables a row or meets a condition, near the first one, with the values of the variables."""
    params, term = condition_of(prover.protocol, asked)
    for size in (1, 2, 3):
        session = prover.session(size)
        if isinstance(asked, Row):
            environment, facts = prover.row_session(size, asked).environment, [prover.row_session(size, asked).guard]
        else:
            environment, own = parameters(session, params)
            facts = [Formula(own, frozenset()), session.held(term, session.base, environment)]
        solver = solver_of(session, [*session.everything(), *facts])
        direct(solver, (*FEW.options, ("rlimit", FINITE_LIMIT)))
        if solved(solver) == z3.sat:
            scope = session.scope
            assert isinstance(scope, Finite)
            reader = Reader(scope, minimised(session, solver, session.base))
            binding = {v: native(reader.value(environment[v], v.kind), v.kind) for v in params}
            cells = read_cells(session, reader, session.base)
            return Found(scope.sizes, scope.steps, cells, (), None, None, None), {asked.id: binding}
    return None


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
            yield from ((row, replace(one, breaks=None)) for one in found)
        for row, claim in pairs:
            one = prover.plainest(bare.row(row), claim) if claim.id not in broken else None
            if one is not None:
                yield row, one

    for row, one in states():
        more = violations.fallen(bare, {(assumption, row): [one]}, pairs, hypotheses(bare)) - broken
        if more:
            broken |= more
            yield row, replace(one, breaks=frozenset(more))


def _record_ways(protocol: Protocol) -> None:
    """Write which attempt proved each obligation that the first one did not, beside the cores that are recorded."""
    known = recorded(protocol)
    ways = {pair: way for pair, way in ways_of(protocol).items() if way}
    write_whole(ROOT / path_of(protocol), text(known.cores, known.solver or solver_name(), ways, known.slices))
    print(f"{path_of(protocol)}: {len(ways)} ways")


def _record_slices(protocol: Protocol) -> None:
    """Write slices of the obligations that are not proved in a few milliseconds; what suffices is kept."""
    known, slices = recorded(protocol), slices_of(protocol)
    write_whole(ROOT / path_of(protocol), text(known.cores, known.solver or solver_name(), known.ways, slices))
    print(f"{path_of(protocol)}: {len(slices)} slices, {sum(len(one.marks) for one in slices.values())} definitions")


def _tell(done: int, total: int, last: str) -> None:
    print(f"{done} of {total}, last {last}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
