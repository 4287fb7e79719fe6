"""A solver that keeps a row's guard answers as a fresh one does, and forgets every question."""

from typing import Any

import z3

from fencepost.checkers.proof import hygiene, prove
from fencepost.checkers.proof.attempts import NEAR
from fencepost.checkers.proof.prover import Prover, obligations
from fencepost.checkers.proof.session import Formula
from fencepost.checkers.proof.solvers import IncrementalSolver, solver_of
from fencepost.model.language import Always, Protocol
from tests.examples.two_phase import TWO_PHASE

from .test_lemmas import with_lemmas

LEAVE = NEAR[0].leave


def goals(protocol: Protocol) -> list[tuple[Any, Formula, list[Formula], Formula]]:
    """Return each row's session, its guard, what is assumed, and a way in which it may break a property."""
    assumed = [p for p in protocol.properties if isinstance(p, Always) and p.expected == "holds"]
    prover = Prover(protocol, assumed)
    session = prover.session(0)
    return [
        (session, prover.row_session(0, row).guard, session.everything(), goal.formula)
        for row, claim, frame in obligations(protocol, protocol.rows, assumed)
        if not frame
        for goal in prover.goals(0, row, claim)
    ]


def answers(protocol: Protocol) -> list[tuple[Any, Any]]:
    """Return the answers of solvers that keep guards, each asked all of its row's questions, and of fresh solvers."""
    incremental: dict[int, IncrementalSolver] = {}
    found = []
    for session, guard, assumed, goal in goals(protocol):
        one = incremental.setdefault(id(guard), IncrementalSolver(session, [guard], LEAVE, ()))
        found.append((one.check([*assumed, goal]), solver_of(session, [*assumed, guard, goal], LEAVE).check()))
    return found


def test_a_standing_solver_answers_as_a_fresh_one() -> None:
    """What is proved of a row before, and what is not, changes no later answer about the row."""
    kept, broken = answers(with_lemmas()), answers(TWO_PHASE)
    assert all(one == other == z3.unsat for one, other in kept)
    assert all(one == other for one, other in broken)
    assert {str(one) for one, _ in broken} == {"unsat", "sat"}, "without lemmas three rows break consistency"


def test_a_question_is_forgotten() -> None:
    """A contradiction that a question brings is gone with the question."""
    session, guard, assumed, _ = goals(with_lemmas())[0]
    one = IncrementalSolver(session, [guard, *assumed], LEAVE, ())
    never = z3.Bool("never")
    assert one.check([Formula((never, z3.Not(never)), frozenset())]) == z3.unsat
    assert one.check([Formula((never,), frozenset())]) == z3.sat
    assert not one.exhausted


def test_rows_that_a_proof_saw_apply_are_not_asked_again() -> None:
    """Hygiene finds the same, and asks as many questions, whether or not it is given which rows apply."""
    applying = prove(TWO_PHASE).applying
    assert set(applying) == {row.id for row in TWO_PHASE.rows}
    alone, told = hygiene(TWO_PHASE), hygiene(TWO_PHASE, applying=applying)
    assert (alone.asked, alone.proved) == (told.asked, told.proved)
    assert [(f.what, f.rows) for f in alone.findings] == [(f.what, f.rows) for f in told.findings]
