"""Hygiene and proof of a mutant, warm: a prover of the base is forked, and only what a mutant touches is asked.

A mutant's rows are checked with few entities first, all properties in one query: a model is a counterexample, and the
interpreter replays it. Where there is none, each obligation is asked for any number, with short attempts only.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import z3

from fencepost.checkers.proof.attempts import FIRST, SLICE
from fencepost.checkers.proof.definitions import NOTHING, Leave
from fencepost.checkers.proof.hygiene import questions, unwritten_fields
from fencepost.checkers.proof.logic import Truth, conj, disj, expression
from fencepost.checkers.proof.models import read_back, trace_of
from fencepost.checkers.proof.prover import Prover, companions, excepted, hypotheses, obligations
from fencepost.checkers.proof.scope import Inexpressible
from fencepost.checkers.proof.session import Formula, Goal, parameters
from fencepost.checkers.proof.solvers import IncrementalSolver, direct, solved, solver_of, tell
from fencepost.checkers.verdicts import ReplayFailed
from fencepost.model.language import Always, EvaluationError, Protocol, Row, Step, Term, Var
from fencepost.model.language.walk import nary, negation

from .mutants import DROPPED, SWAPPED, Mutant, changed
from .results import Answer

CHECKER = "prove"
SIZES = (1, 2)
"""How many entities of each sort there are where a counterexample is looked for."""

LAST_SIZE = 3
"""How many there are where what short attempts did not prove is asked again."""

ASKED = (*SIZES, LAST_SIZE)
"""How many there are where hygiene is asked: of a gap it may need one more than of a counterexample."""

MOST_OPEN = 3
"""Obligations of a mutant that are asked with more than short attempts."""

LIMIT = 8_000_000
"""Resources for one question about few entities."""

MORE = 5 * LIMIT
"""Resources for a question about one claim and few entities that the solver gave up, asked with another seed."""

Claim = Always | Step


class _Prover(Prover):
    """The prover of a base that turns to a mutant: what was made of the base's invariants is kept."""

    def turn_to(self, protocol: Protocol) -> None:
        """Be about another protocol from now on; its rows are made when they are asked about."""
        self.protocol = protocol
        self._rows = {}
        for session in self._sessions.values():
            session.protocol = protocol

    @property
    def counts(self) -> bool:
        """Whether the finite range of a counter may make a counterexample of its own."""
        return self._counts

    def patiently(self, row: Row, claim: Claim) -> bool:
        """Return whether the attempts with which a proof begins prove an obligation for any number of entities."""
        try:
            count = len(self.goals_once(0, row, claim))
            return all(self._prove(row, claim, i, 1, FIRST)[0] == "unsat" for i in range(count))
        except Inexpressible:
            return False


class _Few(IncrementalSolver):
    """The solver that knows what holds before every row, for few entities; it can show a model."""

    def reached(self, kept: Sequence[Formula], goals: Sequence[Goal]) -> tuple[int, Any] | str | None:
        """Return which of some goals can be, with the model, a word where the solver gives up, None where none can."""
        ways = [conj(goal.formula.facts) for goal in goals]
        needs = frozenset[int]().union(*(goal.formula.needs for goal in goals))
        self._solver.push()
        try:
            formulas = [*kept, Formula((disj(ways),), needs)]
            tell(self._solver, self.session.expressions(formulas, set(self._known), self.leave))
            result = solved(self._solver)
            if result != z3.sat:
                return None if result == z3.unsat else "unknown"
            model = self._solver.model()
            return next(i for i, way in enumerate(ways) if _true(model, way)), model
        finally:
            self._solver.pop()


class _Killed(Exception):
    """The mutant is noticed; the message says by what."""


class Proving:
    """A prover of the base, made ready once; `judge` is called in a process of its own and leaves it changed."""

    def __init__(self, base: Protocol) -> None:
        self.base = base
        self.claims = tuple(p for p in base.properties if isinstance(p, (Always, Step)))
        self._rows_before = {one.id: one.rows for one in self.claims if isinstance(one, Step)}
        self.assumed = hypotheses(base)
        self.unwritten = {one.message for one in unwritten_fields(base)}
        self.prover = _Prover(base, self.assumed)
        self.few: dict[tuple[int, int], _Few] = {}
        with suppress(Inexpressible):
            self.prover.session(0)
        for size in SIZES:
            self._standing(size).check([])  # what the solver makes of it is made once, for all forks

    def judge(self, mutant: Mutant, earlier: Sequence[Answer] = ()) -> Answer:
        """Ask what a mutant touches."""
        made = mutant.of(self.base)
        rows = changed(self.base, made)
        self.prover.turn_to(made)
        asked = _Asked()
        if self._same(made, rows):
            return Answer(CHECKER, "equivalent", "", SAME)
        if mutant.kind == SWAPPED and _does_the_same(self.base.row(mutant.path), self.base.row(mutant.row)):
            return Answer(CHECKER, "equivalent", "", ALIKE)
        try:
            self._declared_of_rows_gone(mutant)
            self._hygiene(made, rows, asked)
            for row in sorted(rows, key=lambda r: r.id != mutant.row):
                self._row(made, row, asked)
        except _Killed as killed:
            return Answer(CHECKER, "killed", str(killed), asked.told())
        if asked.open:
            return Answer(CHECKER, "not decided", "", f"{asked.told()}; open: {', '.join(asked.open[:6])}")
        return Answer(CHECKER, "passed", "", asked.told())

    # -- one row ---------------------------------------------------------------------------------------------------
    def _row(self, made: Protocol, row: Row, asked: _Asked) -> None:
        properties = tuple(p for p in made.properties if isinstance(p, (Always, Step)))
        claims = [one[1] for one in obligations(made, [row], properties) if not one[2]]
        kept = [claim for claim in claims if not excepted(row, claim)]
        inherited = [claim for claim in kept if self._asked_before(row.id, claim)]
        if inherited and self._adds_nothing(row):
            asked.inherited += len(inherited)
            kept = [claim for claim in kept if claim not in inherited]
        if kept:
            for size in SIZES:
                self._of_few(row, size, kept, asked)
            hard = [claim for claim in kept if not self._quickly(row, claim)]
            asked.proved += len(kept) - len(hard)
            if hard:
                self._of_few(row, LAST_SIZE, hard, asked)
            for claim in hard:
                self._any_number(row, claim, asked)
        for claim in claims:
            if excepted(row, claim) and claim.by:
                self._exception(row, claim, asked)

    def _asked_before(self, id: str, claim: Claim) -> bool:
        """Return whether the base has a claim of a row: an altered answer makes the row one of other claims."""
        return not isinstance(claim, Step) or claim.answering is None or id in self._rows_before.get(claim.id, ())

    def _adds_nothing(self, row: Row) -> bool:
        """Return whether a row does what it did, and applies nowhere where it did not: it keeps what it kept."""
        before = self._before(row.id)
        if before is None or before.effects_ is not row.effects_ or before.params != row.params:
            return False
        try:
            session = self.prover.session(0)
            environment, facts = parameters(session, row.params)
            now = session.held(self.prover.protocol.assumed_guard(row), session.base, environment)
            then = session.denied(self.base.assumed_guard(before), session.base, environment)
            solver = solver_of(session, [Formula(facts, frozenset()), now, then], Leave(None, True))
            direct(solver, (("rlimit", SLICE // 8),))
            return bool(solved(solver) == z3.unsat)
        except Inexpressible:
            return False

    def _same(self, made: Protocol, rows: Sequence[Row]) -> bool:
        """Return whether the mutant's rows do what they did, just where they did it: the tables say the same."""
        if len(made.rows) != len(self.base.rows):
            return False
        pairs = [(row, self._before(row.id)) for row in rows]
        if any(old is None or not _does_the_same(row, old) for row, old in pairs):
            return False
        return all(
            self._within(row.params, made.guard(row), self.base.guard(self.base.row(row.id)))
            and self._within(row.params, self.base.guard(self.base.row(row.id)), made.guard(row))
            for row in rows
        )

    def _within(self, params: Sequence[Var[Any]], one: Term[bool], other: Term[bool]) -> bool:
        """Return whether a condition holds wherever another does, in every state that satisfies the invariants."""
        try:
            session = self.prover.session(0)
            environment, facts = parameters(session, params)
            held = session.held(one, session.base, environment)
            denied = session.denied(other, session.base, environment)
            for leave in (Leave(None, True), NOTHING):
                solver = solver_of(session, [*session.everything(), Formula(facts, frozenset()), held, denied], leave)
                direct(solver, (("rlimit", SLICE // 4),))
                if solved(solver) == z3.unsat:
                    return True
        except Inexpressible:
            pass
        return False

    def _before(self, id: str) -> Row | None:
        return next((row for row in self.base.rows if row.id == id), None)

    def _of_few(self, row: Row, size: int, claims: Sequence[Claim], asked: _Asked, seed: int = 0) -> None:
        """Look for a counterexample among few entities; raises `_Killed` for one that the base has not.

        Where the solver gives up with the last size, each claim is asked by itself, and then with more resources.
        """
        together: dict[tuple[Always, ...], list[Claim]] = {}
        for claim in claims:
            together.setdefault(companions(self.prover.protocol, claim, row), []).append(claim)
        for beside, left in together.items():
            while left:
                goals = [(claim, goal) for claim in left for goal in self.prover.goals(size, row, claim)]
                found = self._reached(size, row, beside, [goal for _, goal in goals], seed) if goals else None
                if found is None:
                    asked.few += len(left)
                    break
                if isinstance(found, str):
                    if size == LAST_SIZE and (len(left) > 1 or seed == 0):
                        for claim in left:
                            self._of_few(row, size, [claim], asked, seed + (len(left) == 1))
                    break  # the solver gave up: what is asked for any number decides
                claim, goal = goals[found[0]]
                if self._really(row, size, claim, goal, found[1], seed):
                    raise _Killed(f"{row.id} breaks {claim.id} (up to {size} of each sort, replayed)")
                left.remove(claim)

    def _reached(
        self, size: int, row: Row, beside: Sequence[Always], goals: Sequence[Goal], seed: int = 0
    ) -> tuple[int, Any] | str | None:
        session = self.prover.session(size)
        known = [session.formula([(one.term, session.base)]) for one in beside]
        return self._standing(size, seed).reached([*known, self.prover.row_session(size, row).guard], goals)

    def _really(self, row: Row, size: int, claim: Claim, goal: Goal, model: Any, seed: int) -> bool:
        """Return whether the interpreter agrees, the base's row has no such counterexample, and no range made it."""
        session = self.prover.session(size)
        found = read_back(session, model, goal, self.prover.row_session(size, row), session.base)
        try:
            trace_of(self.prover.protocol, found, row, claim, self.assumed)
        except EvaluationError:
            return True  # the row cannot run where it applies
        except ReplayFailed:
            return False
        if self._base_fails(size, row.id, claim, seed):
            return False
        return not (self.prover.counts and self._quickly(row, claim))

    def _base_fails(self, size: int, id: str, claim: Claim, seed: int) -> bool:
        """Return whether the base's row breaks the property at this size too: then it was never proved."""
        before = self._before(id)
        if before is None or not self._asked_before(id, claim):
            return False
        made = self.prover.protocol
        self.prover.turn_to(self.base)
        try:
            goals = self.prover.goals(size, before, claim)
            beside = companions(self.base, claim, before)
            return bool(goals) and self._reached(size, before, beside, goals, seed) is not None
        finally:
            self.prover.turn_to(made)

    def _any_number(self, row: Row, claim: Claim, asked: _Asked) -> None:
        """Ask what short attempts did not prove with those that a proof begins with, for the first few such only."""
        if len(asked.open) < MOST_OPEN and self.prover.patiently(row, claim):
            asked.proved += 1
        else:
            asked.open.append(f"{row.id} × {claim.id}")

    def _quickly(self, row: Row, claim: Claim) -> bool:
        """Return whether short attempts prove an obligation for any number of entities."""
        return self.prover.attempt(row, claim, 1).answer == "proved"

    def _exception(self, row: Row, claim: Claim, asked: _Asked) -> None:
        """A declared exception that stops failing is noticed, since it is no exception any more."""
        for size in SIZES:
            goals = self.prover.goals(size, row, claim)
            if goals and self._reached(size, row, companions(self.prover.protocol, claim, row), goals) is not None:
                asked.exceptions += 1
                return
        if self._quickly(row, claim):
            raise _Killed(f"{row.id} keeps {claim.id}, which it is declared to break")

    def _declared_of_rows_gone(self, mutant: Mutant) -> None:
        if mutant.kind != DROPPED:
            return
        for claim in self.claims:
            if claim.expected == "violated" and claim.by == (mutant.row,):
                raise _Killed(f"{claim.id} is declared violated by {mutant.row} alone, which is gone")
            if isinstance(claim, Step) and claim.rows == (mutant.row,):
                raise _Killed(f"{claim.id} is about {mutant.row} alone and vacuous without it")

    # -- hygiene ---------------------------------------------------------------------------------------------------
    def _hygiene(self, made: Protocol, rows: Sequence[Row], asked: _Asked) -> None:
        """Ask of few entities what hygiene asks of a row: whether it applies, alone, and whether some row does."""
        touched = {row.id for row in rows}
        before = {row.id: row for row in self.base.rows}
        gone = {row.event.name for id, row in before.items() if id not in {r.id for r in made.rows}}
        same = {
            id
            for id in touched
            if before[id].when is made.row(id).when and made.guard(made.row(id)) is self.base.guard(before[id])
        }
        old = set(questions(self.base))
        for question in questions(made):
            what, _, ids, event = question
            if what == "gap":
                concerned = event in gone or any(id in touched - same for id in ids)
            else:
                concerned = any(id in touched - same for id in ids)
            if not concerned or (what != "gap" and question not in old):
                continue
            asked.questions += 1
            if self._untidy(made, what, ids) and not self._untidy_before(what, ids, event):
                raise _Killed(_UNTIDY[what].format(ids=" and ".join(ids), event=event))
        for found in unwritten_fields(made):
            if found.message not in self.unwritten:
                raise _Killed(found.message.partition(";")[0])

    def _untidy_before(self, what: str, ids: tuple[str, ...], event: str) -> bool:
        if what == "gap":
            ids = tuple(row.id for row in self.base.rows if row.event.name == event)
        return self._untidy(self.base, what, ids)

    def _untidy(self, protocol: Protocol, what: str, ids: tuple[str, ...]) -> bool:
        rows = [protocol.row(id) for id in ids]
        event = rows[0].event
        inputs = [a.term for a in protocol.inputs if a.event == event.name]
        if what == "dead":
            return not any(self._possible(size, rows[0].params, protocol.assumed_guard(rows[0])) for size in ASKED)
        if what == "overlap":
            params = tuple(dict.fromkeys(v for row in rows for v in row.params))
            both = nary("and", (event.given, *inputs, *(row.when for row in rows)))
            return any(self._possible(size, params, both) for size in ASKED)
        if any(row.params != event.params for row in rows):
            return False  # a row that chooses applies if some choice does: asked by the full proof only
        none = nary("and", (event.given, *inputs, *(negation(row.when) for row in rows)))
        return any(self._possible(size, event.params, none) for size in ASKED)

    def _possible(self, size: int, params: Any, term: Any) -> bool:
        session = self.prover.session(size)
        environment, facts = parameters(session, params)
        held = session.held(term, session.base, environment)
        return bool(self._standing(size).check([Formula(facts, frozenset()), held]) == z3.sat)

    def _standing(self, size: int, seed: int = 0) -> _Few:
        """Return the solver that knows what holds before every row, for so many of each sort."""
        if (size, seed) not in self.few:
            session = self.prover.session(size)
            options = (("rlimit", MORE if seed else LIMIT), ("random_seed", seed))
            self.few[size, seed] = _Few(session, session.everything(), NOTHING, options)
        return self.few[size, seed]


_UNTIDY = {"dead": "{ids} never applies", "overlap": "{ids} both apply", "gap": "an input of {event} that no row takes"}


SAME = "the rows do what they did, just where they did it, in every state that satisfies the invariants: proved"
"""Why a mutant is equivalent that is shown to be."""


ALIKE = "the two rows answer the same and do the same, so that their order says nothing"
"""Why it is equivalent to swap two rows of a table of which the first that fits applies."""


def _does_the_same(row: Row, old: Row) -> bool:
    return (row.params, row.effects, row.say, row.throws) == (old.params, old.effects, old.say, old.throws)


class _Asked:
    """The queries so far."""

    def __init__(self) -> None:
        self.questions = self.few = self.proved = self.inherited = self.exceptions = 0
        self.open: list[str] = []

    def told(self) -> str:
        """Return it in words."""
        said = [f"{self.questions} questions of hygiene"]
        if self.proved or self.open:
            said.append(f"{self.proved} of {self.proved + len(self.open)} obligations proved")
        if self.inherited:
            said.append(f"{self.inherited} kept, as the row applies nowhere else and does the same")
        if self.exceptions:
            said.append(f"{self.exceptions} declared exceptions fail still")
        if not (self.proved or self.open or self.inherited or self.exceptions):
            said.append("no property reads what the row writes")
        return ", ".join(said)


def _true(model: Any, fact: Truth) -> bool:
    return fact if isinstance(fact, bool) else z3.is_true(model.eval(expression(fact), model_completion=True))


__all__ = ["Proving"]
