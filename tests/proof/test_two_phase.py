"""Two-phase commit is proved for any number of resource managers, and refuted with the smallest example where it is
wrong.
"""

import pytest

from fencepost.checkers.proof import INITIAL, prove
from fencepost.checkers.verdicts import Refusal, Verdict
from fencepost.model.language import Protocol, always, forall, lemma, next_, step
from tests.examples.two_phase import (
    TWO_PHASE,
    Decision,
    Progress,
    abort_sent,
    commit_sent,
    counted,
    decision,
    progress,
    says_prepared,
    undecided,
    x,
)

LEMMAS = (
    lemma("L1", (abort_sent | commit_sent).implies(decision.is_(Decision.DONE))),
    lemma("L2", ~(abort_sent & commit_sent)),
    lemma("L3", forall(x, progress[x].is_(Progress.COMMITTED).implies(commit_sent))),
    lemma("L4", commit_sent.implies(forall(x, counted[x]))),
    lemma("L5", forall(x, counted[x].implies(says_prepared[x]))),
    lemma("L6", forall(x, says_prepared[x].implies(progress[x].isnt(Progress.WORKING)))),
    lemma("L7", forall(x, (progress[x].is_(Progress.ABORTED) & says_prepared[x]).implies(abort_sent))),
)
INDUCTIVE: Protocol = TWO_PHASE.claiming(*LEMMAS)


def test_it_is_proved_for_any_number() -> None:
    """With seven lemmas every row keeps every property, under each of five seeds, and none is vacuous."""
    proof = prove(INDUCTIVE, seeds=5)
    assert proof.verdict is Verdict.PROVED, proof.lines()
    assert (proof.row_count, proof.property_count) == (7, 8)
    assert proof.obligations + proof.frame_obligations == 7 * 8 + 8
    assert (proof.refuted, proof.unknown, proof.vacuous, proof.seeds) == (0, 0, (), (1, 2, 3, 4, 5))


def test_without_lemmas_it_is_not_inductive() -> None:
    """Consistency alone is refuted by a state that the rows keep going from, and that is no first state."""
    proof = prove(TWO_PHASE)
    assert proof.verdict is Verdict.NOT_INDUCTIVE
    for one in proof.failed:
        assert one.counterexample is not None
        assert not one.counterexample.initial


def test_a_dropped_guard_is_refuted_by_the_smallest_state() -> None:
    """A manager that commits whatever was counted breaks one lemma, from the first state with one resource manager."""
    proof = prove(INDUCTIVE.but("T2", when=undecided(), why="forgets to count"))
    assert [(one.row, one.property) for one in proof.failed] == [("T2", "L4")]
    trace = proof.failed[0].counterexample
    assert trace is not None
    assert (dict(trace.start), len(trace.steps)) == ({}, 1)
    assert (proof.verdict, proof.not_inductive) == (Verdict.VIOLATED, 0), "this is a run from the first state"
    assert trace.world.entities == {"ResourceManager": (0,)}


def test_a_property_that_is_declared_violated_is_expected() -> None:
    """A property declared violated and refuted counts as expected and is not assumed; one that is kept is reported."""
    claims = (
        always("NEVER", ~commit_sent, expected="violated", finding="F"),
        always("FINE", forall(x, counted[x].implies(says_prepared[x])), expected="violated", finding="F"),
    )
    proof = prove(INDUCTIVE.claiming(*claims))
    assert proof.verdict is Verdict.PROVED
    assert (proof.expected, proof.refuted, proof.undeclared) == (1, 0, ("FINE",))
    assert [(one.row, one.property, one.declared) for one in proof.failed] == [("T2", "NEVER", True)]


def test_the_first_state_is_an_obligation() -> None:
    """A property that the first state lacks is refuted there, with a trace of no steps."""
    proof = prove(TWO_PHASE.claiming(always("LATE", decision.is_(Decision.DONE))), properties=["LATE"])
    first = proof.failed[0]
    assert (first.row, first.property) == (INITIAL, "LATE")
    assert first.counterexample is not None
    assert first.counterexample.initial
    assert first.counterexample.steps == ()


def test_a_vacuous_property_is_found() -> None:
    """A property whose condition no state meets is proved and called vacuous, so that the proof is not green."""
    idle = always("IDLE", (abort_sent & commit_sent).implies(decision.is_(Decision.OPEN)))
    proof = prove(INDUCTIVE.claiming(idle), properties=["IDLE"])
    assert (proof.verdict, proof.vacuous) == (Verdict.VACUOUS, ("IDLE",))


def test_a_step_property_sees_before_and_after() -> None:
    """Decisions are never taken back: proved; that every step decides: refuted, and by the step that changes nothing
    too.
    """
    final = step("FINAL", decision.is_(Decision.DONE).implies(next_(decision).is_(Decision.DONE)))
    hasty = step("HASTY", next_(decision).is_(Decision.DONE))
    proof = prove(INDUCTIVE.claiming(final, hasty), properties=["FINAL", "HASTY"])
    broken = {(one.row, one.property) for one in proof.failed}
    assert broken == {(row, "HASTY") for row in ("T1", "R1", "R2", "R3", "R4")}
    assert {one.frame for one in proof.failed} == {True}


def test_an_unknown_name_is_refused() -> None:
    """A row or a property that the protocol has not is named in the refusal."""
    with pytest.raises(Refusal, match="ROW9"):
        prove(INDUCTIVE, rows=["ROW9"])
