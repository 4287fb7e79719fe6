"""Whether one condition implies another, asked of Z3 with limits: what it does not decide is unknown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import z3

from fencepost.checkers.counterexample import cells_text, holds
from fencepost.checkers.document import Document
from fencepost.checkers.failures import cell_text, reads_of
from fencepost.checkers.proof.attempts import SLICE
from fencepost.checkers.proof.definitions import NOTHING, Leave
from fencepost.checkers.proof.models import Found, Reader, minimised, native, read_cells, state_of, world_of
from fencepost.checkers.proof.moments import Base, Moment, Stepping
from fencepost.checkers.proof.prover import Prover
from fencepost.checkers.proof.scope import Inexpressible
from fencepost.checkers.proof.session import Formula, Session, parameters
from fencepost.checkers.proof.solvers import direct, solved, solver_of
from fencepost.checkers.verdicts import ReplayFailed
from fencepost.model.language import Always, LeadsTo, Protocol, Step, Term, Var
from fencepost.model.language.render import value_text
from fencepost.model.language.terms import Quant
from fencepost.model.language.walk import free

Relation = Literal["same", "equivalent", "stronger", "weaker", "incomparable", "unknown"]
"""How a condition compares with what it was: stronger holds in fewer states."""
SIZES = (1, 2)
"""How many entities of each sort there are where an example is looked for."""


@dataclass(frozen=True)
class Compared(Document):
    """How two conditions compare, and where.

    `given` says that it is so in every state that satisfies what both protocols claim of states, and perhaps not
    elsewhere. `more` is a state in which the new condition holds and the old one does not, `less` the other way round,
    as text; `why` says why it is unknown.
    """

    DOCUMENT = "relation given_the_properties=given more less why"

    relation: Relation
    given: bool = False
    more: str = ""
    less: str = ""
    why: str = ""


SAME = Compared("same")


def by_fairness(old: LeadsTo, new: LeadsTo) -> Compared:
    """Compare claims by the runs that they are made of: the more is fair, the fewer runs, and the less is claimed."""
    if _fairer(new, old):
        return Compared("weaker")
    if _fairer(old, new):
        return Compared("stronger")
    return Compared("unknown", why="each is made of runs that are not fair to what the other names")


def _fairer(one: LeadsTo, other: LeadsTo) -> bool:
    """Return whether every run that is fair to what the first names is so to what the second names."""
    if set(one.fair_by) != set(other.fair_by):
        return False
    more = set(other.finitely) <= set(one.finitely)
    return more and set(other.strongly_fair) <= set(one.strongly_fair) and set(other.fair) <= set(one.fair_events)


@dataclass(frozen=True)
class Question:
    """Two conditions over the same parameters: as it was, as it is."""

    params: tuple[Var[Any], ...]
    old: Term[bool]
    new: Term[bool]
    step: bool = False


class Judge:
    """Compares conditions over the variables of a protocol; some claims and assumptions may be taken for granted."""

    def __init__(
        self,
        base: Protocol,
        claims: Sequence[Always],
        assumed: Iterable[str],
        terms: Sequence[Term[bool]],
        limit: float,
    ) -> None:
        # The conditions stand in properties that are never asked, so that their variables are those of the protocol.
        kept = frozenset(assumed)
        spoken = tuple(
            Step(f"compared-{n}", _closed(term), "at result boundaries", (), "", "", "holds", "", base.place)
            for n, term in enumerate(terms)
        )
        self.protocol = replace(
            base, properties=(*claims, *spoken), assumptions=tuple(a for a in base.assumptions if a.id in kept)
        )
        self._prover = Prover(self.protocol, claims, cores={})
        self._limit = limit
        self._later: dict[int, Base] = {}

    def compare(self, asked: Question) -> Compared:
        """Return how the new condition compares with the old one."""
        try:
            forth = self._implies(asked, asked.old, asked.new)
            back = self._implies(asked, asked.new, asked.old)
        except (Inexpressible, z3.Z3Exception) as error:
            return Compared("unknown", why=f"cannot be asked: {error}")
        given = "given" in (forth[0], back[0])
        less, more = forth[1], back[1]
        yes = ("yes", "given")
        if forth[0] in yes and back[0] in yes:
            return Compared("equivalent", given)
        if "unknown" in (forth[0], back[0]):
            part = (
                "it holds wherever it held; "
                if forth[0] in yes
                else "it holds nowhere else; "
                if back[0] in yes
                else ""
            )
            why = f"{part}the solver does not decide the rest within {self._limit:.0f} s"
            return Compared("unknown", given, more, less, why)
        if forth[0] in yes:
            return Compared("weaker", given, more, less)
        if back[0] in yes:
            return Compared("stronger", given, more, less)
        return Compared("incomparable", given, more, less)

    def _implies(self, asked: Question, left: Term[bool], right: Term[bool]) -> tuple[str, str]:
        """Return whether a condition implies another: yes, given the properties, no with a state, or unknown."""
        session = self._prover.session(0)
        facts = self._facts(session, 0, asked, left, right)[0]
        plain = [session.ranges, *facts]
        if self._check(session, plain, Leave(None, True))[0] == z3.unsat:
            return "yes", ""
        given = not asked.step and bool(self._prover.assumed or self.protocol.assumptions)
        if given and self._check(session, [*session.everything(), *facts], Leave(None, True))[0] == z3.unsat:
            return "given", ""
        answer = self._example(asked, left, right)
        if answer[0] == "unknown" and self._check(session, plain, NOTHING)[0] == z3.unsat:
            return "yes", ""
        return answer

    def _example(self, asked: Question, left: Term[bool], right: Term[bool]) -> tuple[str, str]:
        """Look for few entities of which the first holds and the second does not; the interpreter confirms it."""
        for size in SIZES:
            session = self._prover.session(size)
            facts, environment = self._facts(session, size, asked, left, right)
            known = [session.ranges] if asked.step else session.everything()
            result, solver = self._check(session, [*known, *facts], NOTHING)
            if result != z3.sat:
                continue
            if asked.step:
                return "no", ""
            scope: Any = session.scope
            reader = Reader(scope, minimised(session, solver, session.base, 40))
            binding = tuple(reader.value(environment[v], v.kind) for v in asked.params)
            cells = read_cells(session, reader, session.base)
            found = Found(scope.sizes, scope.steps, cells, binding, None, None, None)
            return "no", self._told(asked, found, left, right)
        return "unknown", ""

    def _facts(
        self, session: Session, size: int, asked: Question, left: Term[bool], right: Term[bool]
    ) -> tuple[list[Formula], Any]:
        environment, facts = parameters(session, asked.params)
        moment: Moment = session.base
        more: tuple[Any, ...] = ()
        if asked.step:
            later = self._later.setdefault(size, Base(session.scope))
            moment = Stepping(session.base, later)
            more = tuple(session._background(later, self.protocol.states))
        held = session.held(left, moment, environment)
        denied = session.denied(right, moment, environment)
        return [Formula((*facts, *more), frozenset()), held, denied], environment

    def _check(self, session: Session, formulas: Sequence[Formula], leave: Leave) -> tuple[Any, Any]:
        solver = solver_of(session, formulas, leave)
        direct(solver, (("rlimit", 4 * SLICE), ("timeout", int(1000 * self._limit))))
        return solved(solver), solver

    def _told(self, asked: Question, found: Found, left: Term[bool], right: Term[bool]) -> str:
        state, world = state_of(self.protocol, found), world_of(self.protocol, found)
        binding = {v: native(x, v.kind) for v, x in zip(asked.params, found.binding, strict=True)}
        if not holds(left, state, world, binding=binding) or holds(right, state, world, binding=binding):
            raise ReplayFailed(
                f"{self.protocol.name}: the interpreter finds two conditions equal that the solver distinguishes"
            )
        read = reads_of(left, state, world, binding) | reads_of(right, state, world, binding)
        given = ", ".join(f"{var.name}={value_text(value)}" for var, value in binding.items())
        cells = cells_text(state, sorted(read, key=cell_text))
        return " in ".join(one for one in (given, cells) if one) or "any state"


def _closed(term: Term[bool]) -> Term[bool]:
    """Return the condition for all values of what is free in it."""
    for var in sorted(free(term), key=lambda v: v.name):
        term = Quant("every", var, term)
    return term


__all__ = ["SAME", "Compared", "Judge", "Question", "Relation", "by_fairness"]
