"""What a worker does: asks the solver about one row after another, first for any number of entities, then for few."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import z3

from fencepost.checkers.written_once import WRITTEN_ONCE
from fencepost.model.language import AFTER_EVERY_RECORD, Always, Protocol, Row, State, Step, Term, Var
from fencepost.model.language.footprint import touched, variables
from fencepost.model.language.kinds import EntityKind, IntKind, ThresholdKind
from fencepost.model.language.nodes import AtLeast, MaxOf, Quant, SizeOf
from fencepost.model.language.walk import nodes

from .asked import Answer, Asked, cases_of
from .attempts import (
    AT_ONCE,
    CORES,
    FEW,
    FIRST,
    LAST,
    NEAR,
    PLAIN,
    QUICK,
    SECOND,
    SHARED,
    SLICE,
    SLICED,
    After,
    Attempt,
    Near,
)
from .cores import Core, Pair, Slice, recorded
from .definitions import NOTHING, Leave
from .finite import Finite
from .models import Found, minimised, read_back
from .obligations import companions, condition, excepted, hypotheses, obligations
from .questions import Folder, Kept, Kind, Question, question
from .ranges import may_leave
from .rankings import RankingStep
from .results import INITIAL
from .row_session import RowSession
from .scope import Inexpressible, Scope
from .session import Formula, Goal, Session, parameters, spoken_of
from .solvers import IncrementalSolver, Options, direct, solved, solver_of
from .unbounded import Unbounded
from .variation import PLAIN as PLAINLY
from .variation import Variation
from .violations import replayed
from .witnesses import Witnesses

NEVER = SLICE // 4
"""Resources for the question whether an update is ever carried out: a "no" spares much, but a quick try is enough."""

RANGE_ATTEMPTS: tuple[tuple[int, Options], ...] = ((NEVER, ()), (SLICE, (("mbqi", False),)), (SLICE, ()))
"""Resources and options of the attempts to show that a row leaves no range: most need the first."""

FINITE_LIMIT = 40_000_000
"""Resources for a question about few entities."""

STUTTER = "nothing"
"""What stands for a row in the question whether a step property allows that nothing changes."""


class Prover:
    """The obligations of a protocol, asked one at a time. Sessions are made when first needed and kept.

    `cores` and `slices` are those that are recorded where neither is given. `folder` is where what is found
    unsatisfiable for any number of entities is written, if anywhere.
    """

    def __init__(
        self,
        protocol: Protocol,
        assumed: Sequence[Always],
        variation: Variation = PLAINLY,
        cores: Mapping[Pair, Core] | None = None,
        slices: Mapping[Pair, Slice] | None = None,
        folder: Folder | None = None,
    ) -> None:
        self.protocol, self.assumed, self.variation = protocol, tuple(assumed), variation
        known = recorded(protocol)
        self.cores = known.cores if cores is None else cores
        self.ways = known.ways if cores is None or cores else {}
        self.slices = known.slices if cores is None and slices is None else slices or {}
        self.folder, self.witnesses = folder, Witnesses(protocol, self.assumed)
        self._goals: list[Question] = []
        self._sides: dict[str, list[Question]] = {}
        self._told: set[str] = set()
        self._with_core: list[bool] = []
        self._ways: list[int] = []
        self._sessions: dict[int, Session] = {}
        self._rows: dict[tuple[int, str], RowSession] = {}
        self._still: dict[Step, bool] = {}
        self._last: dict[Any, list[Goal]] = {}
        self._before: tuple[Any, dict[tuple[int, Near], list[Formula]]] = (None, {})
        self._spoken: tuple[tuple[str, str], frozenset[State[Any]]] | None = None
        self._weak: set[str] = set()
        self._few: dict[int, IncrementalSolver] = {}
        self._ended: After = ""
        self._stands: tuple[Any, IncrementalSolver] | None = None
        self._counts = any(
            isinstance(n, MaxOf) or (isinstance(n, Quant) and isinstance(n.var.kind, IntKind)) for n in protocol.nodes
        ) or any(isinstance(kind, IntKind) for state in protocol.states for kind in state.keys)

    # -- sessions --------------------------------------------------------------------------------------------------
    def session(self, size: int) -> Session:
        """Return the session with so many entities of each sort, 0 for any number."""
        if size not in self._sessions:
            self._sessions[size] = Session(self.protocol, self.scope(size), self.assumed)
        return self._sessions[size]

    def scope(self, size: int) -> Scope:
        """Return the scope with so many entities of each sort, 0 for any number."""
        if not size:
            return Unbounded(self.protocol, self.variation)
        return Finite(self.protocol, {k.name: size for k in self.protocol.kinds if isinstance(k, EntityKind)})

    def row_session(self, size: int, row: Row) -> RowSession:
        """Return a row in a session."""
        if (size, row.id) not in self._rows:
            never = None if size else self._never
            stays = (lambda *_: self.stays_in_range(row)) if size else self._stays
            self._rows[size, row.id] = RowSession(self.session(size), row, never, stays)
        return self._rows[size, row.id]

    def _never(self, row: RowSession, fact: Formula) -> bool:
        formulas = [*row.session.everything(), row.guard, fact]
        solver = solver_of(row.session, formulas, Leave(None, True))
        direct(solver, (("rlimit", NEVER),))
        never = bool(solved(solver) == z3.unsat)
        if never:
            self._keep_side("never carried out", row.row.id, formulas, Leave(None, True))
        return never

    def _stays(self, row: RowSession, number: int, leaves: Callable[[], Formula]) -> bool:
        """Return whether a write is proved to leave no range where the row is enabled."""
        for formulas, leave, attempts in self._range_questions(row, number, leaves()):
            for limit, options in attempts:
                solver = solver_of(row.session, formulas, leave)
                direct(solver, (*options, ("rlimit", limit)))
                if solved(solver) == z3.unsat:
                    self._keep_side("stays in range", row.row.id, formulas, leave)
                    return True
        return False

    def _range_questions(
        self, row: RowSession, number: int, leaves: Formula
    ) -> Iterator[tuple[list[Formula], Leave, tuple[tuple[int, Options], ...]]]:
        """Yield what to ask to show that a write leaves no range, with resources and options: by the recorded slice,
        and with all that is known.
        """
        found = self.slices.get((row.row.id, range_name(number)))
        if found is not None and row.session.hypotheses.keys() >= set(found.hypotheses):
            known = row.session.chosen(found.hypotheses)
            yield [*known, row.own_guard, leaves], Leave(marks=found.marks), RANGE_ATTEMPTS[-1:]
        yield [*row.session.everything(), row.own_guard, leaves], Leave(None, True), RANGE_ATTEMPTS

    def stays_in_range(self, row: Row) -> bool:
        """Return whether the row's writes are proved to leave no range for any number of entities."""
        if not any(may_leave(update) for stage in row.stages for update in stage.updates):
            return True
        try:
            return not self.row_session(0, row).leaving
        except Inexpressible:
            return False

    def abstractions(self) -> tuple[str, ...]:
        """Return what the unbounded encoding has only approximated so far."""
        scope = self._sessions[0].scope if 0 in self._sessions else None
        return tuple(sorted(scope.abstractions)) if isinstance(scope, Unbounded) else ()

    def _given(self, size: int, row: Row | None, claim: Always | Step, near: Near = "") -> list[Formula]:
        """Return what holds before a goal: of the first state, or of a state that satisfies what is assumed and enables
        the row. What was returned for the obligation that is being asked is kept, but what is recorded of it.
        """
        if near in ("core", "slice"):
            return self._made_given(size, row, claim, near)
        key = row.id if row is not None else None, claim.id
        if self._before[0] != key:
            self._before = key, {}
        kept = self._before[1]
        if (size, near) not in kept:
            kept[size, near] = self._made_given(size, row, claim, near)
        return kept[size, near]

    def _made_given(self, size: int, row: Row | None, claim: Always | Step, near: Near) -> list[Formula]:
        session = self.session(size)
        if row is None and near in ("core", "slice"):
            return session.chosen(self._chosen(row, claim, near))
        if row is None:
            return [session.start()] if isinstance(claim, Always) else session.everything()
        known = self._speaks(row, claim)
        if near in ("core", "slice"):
            before = session.chosen(self._chosen(row, claim, near))
        elif near:
            known = known if near == "row" else variables(claim.term)
            before = session.near(known)
        else:
            before = session.everything() if size else session.before(known)
        for one in companions(self.protocol, claim, row):
            if one is claim or not near or variables(one.term) <= known:
                before = [*before, session.formula([(one.term, session.base)])]  # a row breaks only what held before it
        return [*before, self._enabled(size, row, claim)]

    def _enabled(self, size: int, row: Row, claim: Always | Step) -> Formula:
        """Return that a row is enabled: also out of a range where what is asked is whether it writes a cell twice."""
        here = self.row_session(size, row)
        return here.own_guard if claim.id == WRITTEN_ONCE else here.guard

    def _core(self, row: Row | None, claim: Always | Step) -> Core | None:
        """Return the recorded core of an obligation; None if there is none, or it names what is no hypothesis here."""
        first = row is None and isinstance(claim, Always)
        core = None if first else self.cores.get((row.id if row is not None else STUTTER, claim.id))
        return core if core is not None and self.session(0).hypotheses.keys() >= set(core) else None

    def _slice(self, row: Row | None, claim: Always | Step) -> Slice | None:
        """Return the recorded slice of an obligation; None if there is none, or it names what is no hypothesis here."""
        found = self.slices.get((_name(row, claim), claim.id))
        return found if found is not None and self.session(0).hypotheses.keys() >= set(found.hypotheses) else None

    def _chosen(self, row: Row | None, claim: Always | Step, near: Near) -> Core:
        """Return the hypotheses of an obligation's recorded core or slice, none where it has none."""
        if near == "core":
            return self._core(row, claim) or ()
        found = self._slice(row, claim)
        return found.hypotheses if found is not None else ()

    def _speaks(self, row: Row, claim: Always | Step) -> frozenset[State[Any]]:
        """Return the variables that an obligation and the assumptions speak of; the last answer is kept."""
        key = row.id, claim.id
        if self._spoken is None or self._spoken[0] != key:
            known = spoken_of(row, self.protocol.assumed_guard(row), claim.term)
            self._spoken = key, known.union(*(variables(a.term) for a in self.protocol.assumptions))
        return self._spoken[1]

    def _incremental(self, row: Row, enabled: Formula, attempt: Attempt, options: Options) -> IncrementalSolver:
        """Return the solver that knows that the row is enabled; there is one at a time."""
        key = (row.id, enabled, attempt, options)
        if self._stands is None or self._stands[0] != key:
            self._stands = None  # two solvers need the space of two
            kept = [enabled]
            self._stands = key, IncrementalSolver(self.session(0), kept, attempt.leave, options)
        return self._stands[1]

    # -- asking ----------------------------------------------------------------------------------------------------
    def goals(self, size: int, row: Row | None, claim: Always | Step) -> list[Goal]:
        """Return the goals of an obligation in a session."""
        session = self.session(size)
        if row is None:
            return [session.initially(claim) if isinstance(claim, Always) else session.stuttering(claim)]
        by_records = claim.scope == AFTER_EVERY_RECORD and bool(row.stages)
        still = by_records and isinstance(claim, Step) and self._allows_standing_still(claim)
        return list(self.row_session(size, row).goals(claim, still))

    def _allows_standing_still(self, claim: Step) -> bool:
        """Return whether a step property holds of a step that changes nothing, whatever the state and the row."""
        if claim not in self._still:
            params = {v: None for row in self.protocol.rows if row.id in claim.rows for v in row.params}
            formulas = [self.session(0).stuttering(claim, params).formula]
            solver = solver_of(self.session(0), formulas)
            direct(solver, (("rlimit", SLICE),))
            self._still[claim] = bool(solved(solver) == z3.unsat)
            if self._still[claim]:
                self._keep_side("allows standing still", claim.id, formulas)
        return self._still[claim]

    def _check(
        self,
        size: int,
        row: Row | None,
        claim: Always | Step,
        goal: Goal,
        seed: int,
        limit: int,
        attempt: Attempt = PLAIN,
    ) -> Any:
        given = self._given(size, row, claim, attempt.near)
        options = (*attempt.options, ("rlimit", limit), ("random_seed", seed))
        if attempt.incremental and row is not None:
            *before, enabled = given  # the solver has the last already
            incremental = self._incremental(row, enabled, attempt, options)
            result = incremental.check([*before, goal.formula])
            self._ended = "exhausted" if incremental.exhausted else "saturated"
            return result, None
        solver = solver_of(self.session(size), [*given, goal.formula], attempt.leave)
        direct(solver, options)
        return solved(solver), solver

    def ask(self, row: Row | None, claim: Always | Step, seed: int) -> Asked:
        """Ask whether a row, or the first state, keeps a property."""
        started = self._begin()
        name = _name(row, claim)
        try:
            answer, retries, message, found = self._ask(row, claim, seed)
        except Inexpressible as error:
            answer, retries, message, found = "unknown", 0, f"cannot be said for any number of entities: {error}", None
        seconds, told = time.perf_counter() - started, frozenset(self._told)
        kept = self._kept(name, claim) if answer == "proved" else ()
        ways = self._found_ways(row, claim) if answer == "proved" else ()
        return Asked(name, claim.id, seed, answer, seconds, retries, message, found, told, self._by_core(), ways, kept)

    def _by_core(self) -> bool:
        """Return whether recorded cores proved every goal of the obligation."""
        return bool(self._with_core) and all(self._with_core)

    def _found_ways(self, row: Row | None, claim: Always | Step) -> tuple[int, ...]:
        """Return the attempt of `FIRST` that proved each goal; nothing where it is the first that is tried anyway."""
        first = 0 if self._core(row, claim) is not None else FIRST.index(AT_ONCE)
        found = tuple(self._ways)
        return found if min(found, default=-1) >= 0 and set(found) != {first} else ()

    def _begin(self) -> float:
        """Forget how the last obligation was proved; return the time."""
        self._told, self._with_core, self._goals, self._ways = set(), [], [], []
        return time.perf_counter()

    def _keep_side(self, kind: Kind, about: str, formulas: Sequence[Formula], leave: Leave = NOTHING) -> None:
        """Keep a question whose answer leaves something out of goals: all obligations about the row, or of the
        property, rest on it.
        """
        if self.folder is not None:
            mine = self._sides.setdefault(about, [])
            mine.append(question(kind, about, len(mine) + 1, self.session(0), formulas, leave))

    def _kept(self, name: str, claim: Always | Step) -> tuple[Kept, ...]:
        """Return the questions on which a proved obligation rests, written where they are kept."""
        if self.folder is None:
            return ()
        sides = (*self._sides.get(name, ()), *self._sides.get(claim.id, ()))
        return tuple(self.folder.keep(one) for one in (*self._goals, *sides))

    def attempt(self, row: Row | None, claim: Always | Step, seed: int) -> Asked:
        """Ask with short attempts only, and answer "unknown" where they do not prove it.

        A row whose guard proved too weak for one property is asked of the others with the shortest only.
        """
        assert row is not None
        started = self._begin()
        proved = True
        hard = any(state.what == "hard" for state in touched(row)) and row.id not in self._weak
        attempts = SHARED if hard else NEAR[: NEAR.index(AT_ONCE) + 2]
        try:
            for index in range(len(self.goals_once(0, row, claim))):
                proved = proved and self._prove(row, claim, index, seed, attempts)[0] == "unsat"
        except Inexpressible:
            proved = False
        if not proved:
            self._weak.add(row.id)
        answer: Answer = "proved" if proved else "unknown"
        seconds, told = time.perf_counter() - started, frozenset(self._told)
        kept = self._kept(row.id, claim) if proved else ()
        ways = self._found_ways(row, claim) if proved else ()
        by_core = self._by_core()
        return Asked(row.id, claim.id, seed, answer, seconds, told=told, by_core=by_core, ways=ways, questions=kept)

    def keeps(self, row: Row, claim: Always | Step, seed: int) -> bool:
        """Return whether a row is proved to keep a property."""
        return self.kept(row, claim, seed) == "proved"

    def kept(self, row: Row, claim: Always | Step, seed: int) -> Answer:
        """Ask whether a row keeps a property; a state of two entities a sort that breaks it is answer enough."""
        answer = self.quickly(row, claim, seed)
        return self.ask(row, claim, seed).answer if answer == "unknown" else answer

    def broken(self, row: Row | None, claim: Always | Step, seed: int) -> Asked | None:
        """Ask how a row breaks a property where that is expected: no proof is tried, few entities are looked at.

        Returns nothing where they keep it, which says nothing of more.
        """
        started = self._begin()
        try:
            found = self._break(row, claim, FEW)
        except Inexpressible:
            return None
        if found is None:
            return None
        return Asked(_name(row, claim), claim.id, seed, "refuted", time.perf_counter() - started, 0, "", found)

    def quickly(self, row: Row | None, claim: Always | Step, seed: int) -> Answer:
        """Answer by short attempts, or by a state of two entities a sort, and "unknown" where neither does."""
        try:
            for index in range(len(self.goals_once(0, row, claim))):
                if not self._quickly_proved(row, claim, index, seed):
                    found = self._refute(row, claim, index, (2,), small=False, attempt=FEW)
                    return "unknown" if found is None else "refuted"
        except Inexpressible:
            return "unknown"
        return "proved"

    def _ask(self, row: Row | None, claim: Always | Step, seed: int) -> tuple[Answer, int, str, Found | None]:
        retries = 0
        for id in claim.firm if isinstance(claim, RankingStep) else ():
            if self.row_session(0, self.protocol.row(id)).leaving:
                return "unknown", retries, f"the range of a counter may disable {id}, which counts as enabled", None
        declared = row is not None and excepted(row, claim)
        if row is not None:
            found = replayed(self.protocol, row, claim, self.assumed)
            if found is None and declared and claim.by:
                found = self._break(row, claim)
            if found is not None:
                return "refuted", retries, "", found
        for index in range(len(self.goals_once(2 if declared else 0, row, claim))):
            if declared:
                if self._quickly_proved(row, claim, index, seed):
                    continue
                found = self._refute(row, claim, index, (1, 2, 3))
                if found is not None:
                    return "refuted", retries, "", found
            proved, tried = self._prove(row, claim, index, seed, FIRST)
            retries += max(0, tried - 1)
            if proved == "unsat":
                continue
            found = self._refute(row, claim, index, (1, 2))
            if found is None and not declared:
                again, tried = self._prove(row, claim, index, seed + 100, SECOND)
                retries += tried
                if again == "unsat":
                    continue
                found = self._refute(row, claim, index, (3,))
                if found is None:
                    again, tried = self._prove(row, claim, index, seed + 200, LAST)
                    retries += tried
                    if again == "unsat":
                        continue
                    proved = "sat" if "sat" in (proved, again) else "unknown"
            elif found is not None and self._counts and self._prove(row, claim, index, seed, SECOND)[0] == "unsat":
                continue  # the finite range of counters alone made the counterexample
            if found is not None:
                return "refuted", retries, "", found
            return self._undecided(proved == "sat", row, claim), retries, "", None
        return "proved", retries, "", None

    def plainest(self, row: Row, claim: Always | Step) -> Found | None:
        """Return how a row breaks a property from a state that differs from the first one in few cells, for a record
        of it; None if few entities keep the property.
        """
        kept = replayed(self.protocol, row, claim, self.assumed)
        return kept or self._break(row, claim, small=True)

    def _break(
        self, row: Row | None, claim: Always | Step, attempt: Attempt = PLAIN, small: bool = False
    ) -> Found | None:
        """Return how a row breaks what it is declared to break; None if few entities keep it."""
        goals = range(len(self.goals_once(1, row, claim)))
        # Two of each sort first: what one entity breaks, two break too, and most of what is declared takes two.
        sizes = (1, 2, 3) if small else (2, 3, 1)
        tried = ((size, index) for size in sizes for index in goals)
        asked = (self._refute(row, claim, index, (size,), small, attempt) for size, index in tried)
        return next((found for found in asked if found is not None), None)

    def _spares_much(self, row: Row | None, claim: Always | Step, near: Near) -> bool:
        """Return whether less than half of what is known is left of what is near."""
        everything, some = self._given(0, row, claim), self._given(0, row, claim, near)
        return 2 * len(some) < len(everything)

    def _quickly_proved(self, row: Row | None, claim: Always | Step, index: int, seed: int) -> bool:
        """Return whether a row is easily seen to keep what is declared violated: some other row breaks it."""
        try:
            return self._prove(row, claim, index, seed, QUICK)[0] == "unsat"
        except Inexpressible:
            return False

    def _undecided(self, sat: bool, row: Row | None, claim: Always | Step) -> Answer:
        terms = [claim.term, *((self.protocol.assumed_guard(row),) if row is not None else ())]
        counts = any(isinstance(n, (AtLeast, SizeOf)) for t in terms for n in nodes(t))
        thresholds = any(isinstance(s.kind, ThresholdKind) for s in variables(claim.term))
        return "abstraction" if sat and (counts or thresholds) else "unknown"

    def _prove(
        self, row: Row | None, claim: Always | Step, index: int, seed: int, attempts: Sequence[Attempt]
    ) -> tuple[str, int]:
        goal = self.goals_once(0, row, claim)[index]
        if attempts[0] is CORES[0] and self._sliced(row, claim, goal, seed):
            return "unsat", 0
        self._ended = ""
        tried, first = 0, 1 - len(CORES) if attempts[0] is CORES[0] else 1
        core_may_suffice = self._core(row, claim) is not None
        known = self._known_way(row, claim, index, attempts)
        order = sorted(range(len(attempts)), key=lambda position: position != known)  # the known way, then as they are
        for position in order:
            attempt, tried = attempts[position], position + first
            cases = cases_of(goal) if attempt.cases else [goal]
            if attempt.near == "core" and not core_may_suffice:
                continue
            if position != known:
                if attempt.cases and len(cases) == 1 and attempt.leave.depth is not None:
                    continue  # the same was asked already
                if attempt.near not in ("", "core") and not self._spares_much(row, claim, attempt.near):
                    continue
                if attempt.after not in ("", self._ended):
                    continue
            results: set[str] = set()
            for case in cases:
                asked_with = seed + tried - (first if attempt.near == "core" else 1)
                result, _ = self._check(0, row, claim, case, asked_with, int(attempt.slices * SLICE), attempt)
                results.add(str(result))
                if result != z3.unsat:
                    break
            if attempt.near == "core" and "sat" in results:
                core_may_suffice = False  # every way leaves out the same, so the others would find a state too
            if results == {"unsat"}:
                self._note(row, claim, attempt, cases)
                self._ways.append(position if FIRST[position : position + 1] == (attempt,) else -1)
            if results == {"unsat"} or ("sat" in results and attempt.leave == NOTHING):
                return ("unsat" if results == {"unsat"} else "sat"), tried
        return "unknown", tried

    def _sliced(self, row: Row | None, claim: Always | Step, goal: Goal, seed: int) -> bool:
        """Return whether the recorded slice of an obligation proves a goal."""
        found = self._slice(row, claim)
        if found is None:
            return False
        attempt = replace(SLICED, leave=Leave(marks=found.marks))
        if self._check(0, row, claim, goal, seed, int(attempt.slices * SLICE), attempt)[0] != z3.unsat:
            return False
        self._note(row, claim, attempt, [goal])
        self._ways.append(-1)
        return True

    def _known_way(self, row: Row | None, claim: Always | Step, index: int, attempts: Sequence[Attempt]) -> int | None:
        """Return which of the attempts is recorded to prove a goal, if one of these is."""
        ways = self.ways.get((_name(row, claim), claim.id), ())
        way = ways[index] if index < len(ways) else -1
        return way if 0 <= way < len(attempts) and attempts[way] == FIRST[way] else None

    def _note(self, row: Row | None, claim: Always | Step, attempt: Attempt, cases: Sequence[Goal]) -> None:
        """Note which hypotheses a proof was told, those too without which an update of the row might be carried out,
        and the questions that it answers.
        """
        self._with_core.append(attempt.near in ("core", "slice"))
        session = self.session(0)
        given = self._given(0, row, claim, attempt.near)
        self._told.update(session.named(given))
        if self.folder is not None:
            about = f"{_name(row, claim)} × {claim.id}"
            for case in cases:
                number = len(self._goals) + 1
                self._goals.append(question("goal", about, number, session, [*given, case.formula], attempt.leave))
        if row is not None and any(self.row_session(0, row).idle):
            self._told.update(session.hypotheses)

    def _refute(
        self,
        row: Row | None,
        claim: Always | Step,
        index: int,
        sizes: Sequence[int],
        small: bool = True,
        attempt: Attempt = PLAIN,
    ) -> Found | None:
        for size in sizes:
            goal = self.goals_once(size, row, claim)[index]
            result, solver = self._check(size, row, claim, goal, 0, FINITE_LIMIT, attempt)
            if result == z3.sat:
                session = self.session(size)
                base = session.initial if row is None and isinstance(claim, Always) else session.base
                model = minimised(session, solver, base) if small else solver.model()
                return read_back(session, model, goal, None if row is None else self.row_session(size, row), base)
        return None

    def goals_once(self, size: int, row: Row | None, claim: Always | Step) -> list[Goal]:
        """Return the goals of the obligation that is being asked, made once a session."""
        key = (size, row.id if row is not None else None, claim.id)
        if key not in self._last:
            mine = {k: v for k, v in self._last.items() if k[1:] == key[1:]}
            self._last = {**mine, key: self.goals(size, row, claim)}
        return self._last[key]

    # -- vacuity ---------------------------------------------------------------------------------------------------
    def condition_met(self, claim: Always) -> bool:
        """Return whether some state of few entities meets the condition of a property, True if it has none."""
        parts = condition(claim.term)
        return parts is None or self.witnesses.show(claim) or self.possible(parts[0], parts[1])

    def enabled(self, row: Row) -> bool:
        """Return whether some state of few entities enables a row."""
        if self.witnesses.show(row):
            return True
        if self.stays_in_range(row):
            return self.possible(row.params, self.protocol.assumed_guard(row))
        return any(self.few_of(size).check([self.row_session(size, row).guard]) != z3.unsat for size in (1, 2, 3))

    def shows(self, row: Row, claim: Step, size: int) -> bool:
        """Return whether a row breaks a property in some state of so many entities of each sort."""
        goals = range(len(self.goals_once(size, row, claim)))
        return any(self._refute(row, claim, index, (size,), small=False, attempt=FEW) is not None for index in goals)

    def possible(self, params: Iterable[Var[Any]], term: Term[bool]) -> bool:
        """Return whether a condition holds of some values in some state of few entities that satisfies what is
        assumed.
        """
        for size in (1, 2, 3):
            session = self.session(size)
            environment, facts = parameters(session, params)
            met = session.held(term, session.base, environment)
            if self.few_of(size).check([Formula(facts, frozenset()), met]) != z3.unsat:
                return True
        return False

    def few_of(self, size: int) -> IncrementalSolver:
        """Return the solver that knows what holds of every state of so many entities of each sort; made once."""
        if size not in self._few:
            options = (*FEW.options, ("rlimit", FINITE_LIMIT))
            session = self.session(size)
            self._few[size] = IncrementalSolver(session, session.everything(), NOTHING, options)
        return self._few[size]


def range_name(number: int) -> str:
    """Return under which name the slice of a row is recorded that shows that a write of it leaves no range."""
    return f"in range {number}"


def _name(row: Row | None, claim: Always | Step) -> str:
    """Return what an obligation is of: a row, the first state, or a step that changes nothing."""
    return row.id if row is not None else INITIAL if isinstance(claim, Always) else STUTTER


__all__ = [
    "SLICE",
    "STUTTER",
    "Answer",
    "Asked",
    "Prover",
    "companions",
    "condition",
    "excepted",
    "hypotheses",
    "obligations",
]
