"""Bounded symbolic search: runs of a bound, unrolled step by step, that Z3 is asked for as a whole.

Each state of a run is a session of its own in one finite scope, whose counters have the ranges of the bound; one row
leads from each to the next. What a row has to keep is said as in a proof, of the last step. No state is stored: what is
asked costs with the length of the run, and not with the number of states, so that deep, narrow questions end which no
search through every state does.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Literal

import z3

from fencepost.checkers.asked import AskedOf, scopes_of
from fencepost.checkers.counterexample import RANGE_DECIDES, Trace, decided_by_range, holds, replay, twice_in_last_state
from fencepost.checkers.document import Document
from fencepost.checkers.verdicts import Refusal, ReplayFailed, Verdict
from fencepost.checkers.written_once import WRITTEN_ONCE, written_once
from fencepost.model.language import (
    TRUE,
    Always,
    Bound,
    EvaluationError,
    Protocol,
    Row,
    Sometimes,
    Step,
    Var,
    World,
    WrittenTwice,
)
from fencepost.model.language.footprint import touched, variables
from fencepost.model.language.kinds import EntityKind, IntKind, ThresholdKind

from .definitions import Need
from .finite import Finite
from .literals import literal_value
from .logic import Truth, Value, conj, expression
from .lowering import Environment
from .models import Found, Reader, broken, cells, native, read_back, read_cells, state_of
from .moments import Stepping
from .row_session import RowSession
from .scope import Inexpressible
from .session import Formula, Goal, Session
from .solvers import solved

Claim = Always | Step | Sometimes
Progress = Callable[[int, float], None]
"""Called with the length of the runs that are asked for next, and the seconds so far."""


class Bounded(Finite):
    """The finite scope of a bound: as many entities, and the same ranges, as exploration has."""

    limited = True

    def __init__(self, protocol: Protocol, bound: Bound) -> None:
        world = World.of(bound.sizes, tuple(protocol.kinds))
        super().__init__(protocol, {k.name: bound.sizes[k.name] for k in protocol.kinds if isinstance(k, EntityKind)})
        self.world = world
        for name, most in protocol.individuals.items():
            if most > bound.sizes.get(name, most):
                raise Refusal(
                    f"{name} {most - 1} is named by a row, a property or the bound's start, and at these sizes there "
                    f"are {bound.sizes[name]}; take a larger size"
                )
        ranges = {world.ranges[k.name] for k in protocol.kinds if isinstance(k, ThresholdKind)}
        if len(ranges) > 1:
            raise Refusal(f"{protocol.name}: thresholds of several ranges cannot be searched symbolically; explore it")
        self._threshold = next(iter(ranges), (1, 1))

    def stays(self, value: Value, kind: IntKind | ThresholdKind) -> Truth:
        """Return the condition under which a counter that a row writes is in the range of the bound."""
        low, high = self.world.ranges[kind.name]
        return conj((value >= low, value <= high))

    def threshold_range(self, value: Value) -> Iterator[Truth]:
        """Yield that a threshold is in its range."""
        yield value >= self._threshold[0]
        yield value <= self._threshold[1]


@dataclass(frozen=True)
class Unrolled(Document):
    """What a bounded symbolic search found of one property.

    `length` is that of the longest runs that were asked for, all shorter ones too; -1 for none. `trace` is a shortest
    run that breaks the property, or a witness of one that is to be seen, replayed by the interpreter. A run to a row
    that writes a cell twice in one stage is asked for too: `property` is "written once" then, and the run ends in front
    of that row. Where none is found the verdict is inconclusive, whatever the length; `ended` says that no run is
    longer.
    """

    DOCUMENT = "mode protocol bound sizes property verdict length ended trace message seconds asked_of=scopes"

    mode: ClassVar[Literal["symbolic"]] = "symbolic"
    protocol: str
    bound: str
    property: str
    verdict: Verdict
    length: int
    trace: Trace | None
    ended: bool
    message: str
    seconds: float
    sizes: dict[str, int] = field(default_factory=dict)
    scopes: tuple[AskedOf, ...] = ()


def unrolled(
    protocol: Protocol,
    name: str,
    bound: Bound,
    claim: Claim,
    steps: int,
    seconds: float | None = None,
    progress: Progress | None = None,
) -> Unrolled:
    """Ask for a run of at most so many steps that breaks a property, or shows one that is to be seen; shortest first.

    Raises `Refusal` where a construct has no form in the solver or there is no first state, and `ReplayFailed` where
    the interpreter does not replay what the solver found.
    """
    started = time.perf_counter()
    trace, length, ended, message = None, -1, False, ""
    try:
        runs = _Runs(protocol, bound, claim)
        if runs.begin(seconds) == "unsat":
            raise Refusal(f"{protocol.name}: no state satisfies the start conditions at this bound; weaken its `start`")
        for length in range(steps + 1):
            if progress is not None:
                progress(length, time.perf_counter() - started)
            left = None if seconds is None else seconds - (time.perf_counter() - started)
            answer = runs.ask(length, left)
            if answer == "sat":
                with suppress(WrittenTwice):  # the solver takes one of two values, the interpreter neither
                    trace = runs.trace()
                    break
            if not (answer == "unknown" or runs.is_over):
                left = None if seconds is None else seconds - (time.perf_counter() - started)
                answer = runs.ask_twice(left)
                if answer == "sat":
                    trace, message = runs.in_front()
                    break
            if answer == "unknown":
                length, message = length - 1, f"the solver's time was spent at runs of {_steps(length)}"
                break
            if runs.is_over:
                length, ended = length - 1, True
                break
    except Inexpressible as error:
        raise Refusal(f"{protocol.name}: {claim.id} cannot be searched symbolically: {error}; explore it") from error
    except EvaluationError as error:
        raise Refusal(f"{protocol.name}: a row on the way to {claim.id} cannot run: {error}; explore it") from error
    sought = "shows" if isinstance(claim, Sometimes) else "breaks"
    id = claim.id
    if trace is not None and message:
        verdict, id = Verdict.VIOLATED, WRITTEN_ONCE
    elif trace is not None:
        verdict = Verdict.WITNESSED if isinstance(claim, Sometimes) else Verdict.VIOLATED
        message = f"a run of {_steps(len(trace.steps))} {sought} {claim.id}, and no shorter one does"
        if not isinstance(claim, Sometimes) and decided_by_range(trace, claim):
            verdict, message = Verdict.INCONCLUSIVE, f"{message}, {RANGE_DECIDES}"
    else:
        verdict = Verdict.INCONCLUSIVE
        rest = f"none is longer than {_steps(length)}: explore it" if ended else "longer ones were not asked for"
        asked = f"no run of at most {_steps(length)} {sought} {claim.id}; {rest}"
        message = f"{asked}: {message}" if message else asked
    took = time.perf_counter() - started
    scopes = scopes_of(protocol, (claim,))
    return Unrolled(protocol.name, name, id, verdict, length, trace, ended, message, took, dict(bound.sizes), scopes)


def _steps(count: int) -> str:
    return f"{count} step{'s' * (count != 1)}"


class _Runs:
    """All runs of a length: a solver that knows how the last state came about, and a session in that state."""

    def __init__(self, protocol: Protocol, bound: Bound, claim: Claim) -> None:
        self.protocol, self.bound, self.claim = protocol, bound, claim
        self.scope = Bounded(protocol, bound)
        self.solver = z3.Solver()
        self.known: set[Need] = set()
        self.sessions: list[Session] = []
        self.chosen: list[dict[str, tuple[Truth, RowSession]]] = []
        self.model: Any = None
        self.is_over = False
        self.conflicting = any(written_once(row) is not None for row in protocol.rows)
        self.goals: list[tuple[Truth, RowSession, Goal]] = []
        self._state()
        first = self.sessions[0]
        begins = [
            self.scope.equal(first.base.read(state, keys), literal_value(self.scope, state.initial), state.kind)
            for state, keys in self._cells()
            if state.initial is not None
        ]
        self._tell(Formula((conj(begins),), frozenset()), first)
        self._tell(first.formula([(protocol.begin, first.base), (bound.start, first.base)]), first)

    # -- states and steps ------------------------------------------------------------------------------------------
    def _cells(self) -> Iterator[tuple[Any, tuple[Value, ...]]]:
        for position, _, keys in cells(self.scope, self.protocol):
            yield self.protocol.states[position], keys

    def _state(self) -> Session:
        """Add a state of which nothing is known but the ranges of its cells."""
        session = Session(self.protocol, self.scope, ())
        self.sessions.append(session)
        self._tell(session.ranges, session)
        return session

    def _tell(self, formula: Formula, session: Session, where: Truth = True) -> None:
        """Tell the solver a formula, or that it holds where something else does."""
        alone = Formula((), formula.needs)
        for one in session.expressions([alone], self.known):
            self.solver.add(one)
        fact = conj(formula.facts)
        if fact is not True:
            self.solver.add(expression(fact) if where is True else z3.Implies(where, expression(fact)))

    def _enabled(self, session: Session, row: Row) -> tuple[Truth, RowSession]:
        """Return a truth that stands for the row being next in the last state, whose guard it implies."""
        here = RowSession(session, row)
        is_next = z3.Bool(self.scope.name(f"next {row.id}"))
        self._tell(here.guard, session, is_next)
        self._tell(self._given(here), session, is_next)
        return is_next, here

    def _given(self, here: RowSession) -> Formula:
        """Return what the bound assumes of a row's event."""
        given = self.bound.given.get(here.row.event.name, TRUE)
        return here.session.held(given, here.session.base, here.environment)

    def _rows(self) -> dict[str, tuple[Truth, RowSession]]:
        """Return the rows of the last state, each with what stands for its being next; made once."""
        if len(self.chosen) < len(self.sessions):
            session = self.sessions[-1]
            self.chosen.append({row.id: self._enabled(session, row) for row in self.protocol.rows})
            if self.chosen[-1]:
                self.solver.add(z3.AtMost(*(one for one, _ in self.chosen[-1].values()), 1))
        return self.chosen[-1]

    # -- asking ----------------------------------------------------------------------------------------------------
    def begin(self, seconds: float | None) -> str:
        """Return whether there is a first state: sat, unsat or unknown."""
        return self._check([], seconds)

    def has_runs_of(self, steps: int, seconds: float | None) -> str:
        """Say that a run makes so many steps, and return whether one may: sat, unsat or unknown."""
        while len(self.sessions) <= steps:
            self._step()
        return self._check([], seconds) if steps else "sat"

    def _step(self) -> None:
        """Add a state to which some row leads from the last one."""
        now, rows = self.sessions[-1], self._rows()
        changing = [(row, *rows[row.id]) for row in self.protocol.rows if row.changes]
        later = self._state()
        self.solver.add(z3.Or([z3.BoolVal(False), *(is_next for _, is_next, _ in changing)]))
        for state, keys in self._cells():
            value = later.base.read(state, keys)
            writers = []
            for row, is_next, here in changing:
                if state in touched(row):
                    writers.append(is_next)
                    with now.lowering.collecting() as needs:
                        becomes = self.scope.equal(value, here.moments[-1].read(state, keys), state.kind)
                    self._tell(Formula((becomes,), frozenset(needs)), now, is_next)
            stays = self.scope.equal(value, now.base.read(state, keys), state.kind)
            if stays is not True:
                self.solver.add(z3.Or([*writers, expression(stays)]))

    def ask(self, length: int, seconds: float | None) -> str:
        """Ask for a run of a length that breaks the property, or shows it: sat, unsat or unknown."""
        self.goals = []
        if isinstance(self.claim, Sometimes):
            found = self.has_runs_of(length, seconds)
            self.is_over = found == "unsat"
            session = self.sessions[-1]
            formula = session.held(self.claim.term, session.base, Environment())
            return found if found != "sat" else self._sought(formula, session, seconds)
        if length == 0:
            session = self.sessions[0]
            if isinstance(self.claim, Step):
                return "unsat"
            return self._sought(session.denied(self.claim.term, session.base, Environment()), session, seconds)
        found = self.has_runs_of(length - 1, seconds)
        self.is_over = found == "unsat"
        return found if found != "sat" else self._last(self.claim, seconds)

    def _sought(self, formula: Formula, session: Session, seconds: float | None) -> str:
        sought = z3.Bool(self.scope.name("sought"))
        self._tell(formula, session, sought)
        return self._check([sought], seconds)

    def _last(self, claim: Always | Step, seconds: float | None) -> str:
        """Ask whether a row that is next in the last state breaks the property."""
        session = self.sessions[-1]
        for id, (is_next, here) in self._rows().items():
            if isinstance(claim, Step) and claim.rows and id not in claim.rows:
                continue
            for goal in self._goals(here, claim):
                breaks = z3.Bool(self.scope.name(f"{id} breaks"))
                self.solver.add(z3.Implies(breaks, is_next))
                self._tell(goal.formula, session, breaks)
                self.goals.append((breaks, here, goal))
        if not self.goals:
            return "unsat"
        some = z3.Bool(self.scope.name("some"))
        self.solver.add(z3.Implies(some, z3.Or([breaks for breaks, _, _ in self.goals])))
        return self._check([some], seconds)

    @staticmethod
    def _goals(here: RowSession, claim: Always | Step) -> Iterator[Goal]:
        """Yield every way in which a row may break a property; a row that writes nothing that a claim of steps reads
        makes a step all the same.
        """
        yield from here.goals(claim)
        unnamed = isinstance(claim, Step) and not claim.rows and claim.is_of(here.row)
        if unnamed and touched(here.row).isdisjoint(variables(claim.term)):
            base = here.session.base
            yield here.goal(claim, Stepping(base, base), len(here.row.stages) - 1, None)

    def ask_twice(self, seconds: float | None) -> str:
        """Ask whether a row whose guard holds in the last state writes a cell twice, in whatever range: sat, unsat or
        unknown.
        """
        session = self.sessions[-1]
        self.goals = []
        for _, here in self._rows().values() if self.conflicting else ():
            for goal in here.conflicts():
                twice = z3.Bool(self.scope.name(f"{here.row.id} writes twice"))
                for formula in (here.own_guard, self._given(here), goal.formula):
                    self._tell(formula, session, twice)
                self.goals.append((twice, here, goal))
        if not self.goals:
            return "unsat"
        some = z3.Bool(self.scope.name("some"))
        self.solver.add(z3.Implies(some, z3.Or([twice for twice, _, _ in self.goals])))
        return self._check([some], seconds)

    def _check(self, assumptions: Sequence[Any], seconds: float | None) -> str:
        if seconds is not None:
            if seconds <= 0:
                return "unknown"
            self.solver.set("timeout", max(1, int(seconds * 1000)))
        result = str(solved(self.solver, *assumptions))
        self.model = self.solver.model() if result == "sat" else None
        return result

    # -- a run -----------------------------------------------------------------------------------------------------
    def in_front(self) -> tuple[Trace, str]:
        """Return the run to a row that writes a cell twice, and which it is; raises `ReplayFailed` where none does."""
        reader = Reader(self.scope, self.model)
        run = self._run(reader)
        here = next(here for twice, here, _ in self.goals if reader.truth(twice))
        return run, twice_in_last_state(run, here.row, self._binding(reader, here))

    def _binding(self, reader: Reader, here: RowSession) -> dict[Var[Any], Any]:
        return {v: native(reader.value(here.environment[v], v.kind), v.kind) for v in here.row.params}

    def _run(self, reader: Reader) -> Trace:
        """Return the rows of the model from a first state on, up to the last state."""
        protocol, world = self.protocol, self.scope.world
        first = self.sessions[0]
        free = [one for one in read_cells(first, reader, first.base) if protocol.states[one[0]].initial is None]
        start = state_of(protocol, Found(self.scope.sizes, self.scope.steps, tuple(free), (), None, None, None))
        moves = []
        for rows in self.chosen[: len(self.sessions) - 1]:
            here = next(here for is_next, here in rows.values() if reader.truth(is_next))
            moves.append((here.row, self._binding(reader, here)))
        return replay(protocol, world, start, moves)

    def trace(self) -> Trace:
        """Return the run of the model as the interpreter replays it; raises `ReplayFailed` where it does not."""
        reader, protocol, world = Reader(self.scope, self.model), self.protocol, self.scope.world
        run = self._run(reader)
        broken_by = next(((here, goal) for breaks, here, goal in self.goals if reader.truth(breaks)), None)
        if broken_by is None:
            return self._shown(run)
        assert isinstance(self.claim, (Always, Step))
        here, goal = broken_by
        session = self.sessions[-1]
        found = read_back(session, self.model, goal, here, session.base)
        last, _ = broken(protocol, world, run.end, found, here.row, self.claim)
        return replace(last, start=run.start, steps=(*run.steps, *last.steps), initial=True)

    def _shown(self, run: Trace) -> Trace:
        """Return a run whose last state is what is asked for; raises `ReplayFailed` where the interpreter differs."""
        assert isinstance(self.claim, (Always, Sometimes))
        if holds(self.claim.term, run.end, run.world) != isinstance(self.claim, Sometimes):
            raise ReplayFailed(
                f"{self.protocol.name}: {self.claim.id}: the interpreter does not find what was asked for"
            )
        return run if isinstance(self.claim, Sometimes) else run.because(self.claim)


__all__ = ["Bounded", "Unrolled", "unrolled"]
