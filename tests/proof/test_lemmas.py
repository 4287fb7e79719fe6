"""Two-phase commit is proved once its lemmas are said, and refuted once one of them or a guard is dropped."""

from fencepost.checkers.proof import prove
from fencepost.checkers.verdicts import Verdict
from fencepost.model.language import TRUE, Protocol, forall, lemma
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

from .tiny import failures

LEMMAS = (
    lemma("L1", forall(x, progress[x].is_(Progress.WORKING).implies(~says_prepared[x]))),
    lemma("L2", forall(x, counted[x].implies(says_prepared[x]))),
    lemma("L3", commit_sent.implies(forall(x, counted[x]))),
    lemma("L4", (commit_sent | abort_sent).implies(decision.is_(Decision.DONE))),
    lemma("L5", ~(commit_sent & abort_sent)),
    lemma("L6", forall(x, progress[x].is_(Progress.COMMITTED).implies(commit_sent))),
    lemma("L7", forall(x, progress[x].is_(Progress.ABORTED).implies(abort_sent | ~says_prepared[x]))),
)


def with_lemmas() -> Protocol:
    """Return two-phase commit with what its consistency needs for induction."""
    return TWO_PHASE.claiming(*LEMMAS)


def test_consistency_is_proved_with_its_lemmas() -> None:
    """With seven lemmas every row keeps consistency for any number of managers, and nothing is approximated."""
    proof = prove(with_lemmas(), seeds=(1, 2))
    assert proof.verdict is Verdict.PROVED, proof.lines()
    assert (proof.refuted, proof.unknown, proof.expected) == (0, 0, 0)
    assert proof.proved == proof.obligations + proof.frame_obligations == 8 * (7 + 1)
    assert proof.row_count == 7
    assert proof.property_count == 8
    assert proof.abstractions == ()
    assert proof.vacuous == ()


def test_consistency_alone_is_not_inductive() -> None:
    """Without lemmas three rows break consistency, from a state of two managers that need not be reachable."""
    proof = prove(TWO_PHASE)
    found = failures(proof)
    assert proof.verdict is Verdict.NOT_INDUCTIVE
    assert set(found) == {("R2", "TC"), ("R3", "TC"), ("R4", "TC")}
    for (row, _), one in found.items():
        trace = one.counterexample
        assert one.verdict is Verdict.NOT_INDUCTIVE
        assert trace is not None
        assert not trace.initial
        assert [step.row.id for step in trace.steps] == [row]
        assert len(trace.world.entities["ResourceManager"]) <= 2
        changed = [key for key in trace.start if key[0].name == "progress"]
        assert len(changed) == 1, "only the other resource manager has moved"


def test_a_missing_lemma_is_missed() -> None:
    """Each of the seven lemmas is needed: without any one of them some obligation is not proved."""
    for left_out in LEMMAS:
        rest = TWO_PHASE.claiming(*(one for one in LEMMAS if one is not left_out))
        assert prove(rest).verdict is Verdict.NOT_INDUCTIVE, left_out.id


def test_a_commit_that_waits_for_nobody_is_refuted() -> None:
    """A manager that commits without having counted everybody breaks "a commit means that all are counted"."""
    variant = with_lemmas().but("T2", when=undecided(), why="the manager does not wait")
    proof = prove(variant)
    found = failures(proof)
    assert set(found) == {("T2", "L3")}
    trace = found["T2", "L3"].counterexample
    assert trace is not None
    assert len(trace.world.entities["ResourceManager"]) == 1
    assert [step.row.id for step in trace.steps] == ["T2"]


def test_an_abort_after_the_decision_is_refuted() -> None:
    """A manager that may abort after it has decided breaks "never both messages"."""
    variant = with_lemmas().but("T3", when=TRUE, why="the manager forgets that it has decided")
    assert set(failures(prove(variant))) == {("T3", "L5")}


def test_rows_and_properties_restrict_what_is_asked_not_what_is_assumed() -> None:
    """Asked of one row and one property only, the proof still assumes the lemmas."""
    proof = prove(with_lemmas(), rows=("R4",), properties=("TC",))
    assert proof.verdict is Verdict.PROVED
    assert proof.proved == 2
    assert set(failures(prove(TWO_PHASE, rows=("R4",), properties=("TC",)))) == {("R4", "TC")}
