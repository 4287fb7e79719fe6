"""What the loop promises those who ask it: each claim refutes an edit of its own."""

from dataclasses import replace
from functools import cache

import pytest

from fencepost.checkers.exploration import explore
from fencepost.checkers.proof.results import Obligation
from fencepost.checkers.verdicts import Verdict
from fencepost.model.kraft_loop import KRAFT_LOOP
from fencepost.model.kraft_loop.answers import CLAIMS
from fencepost.model.kraft_loop.liveness import LIVENESS
from fencepost.model.language import Protocol
from fencepost.model.registry import find
from tests import edited_rows
from tests.kraft_claims.edits import Mutant

from .edits import LASTING, MUTANTS

BOUNDS = find("kraft-loop").bounds
EACH = pytest.mark.parametrize("mutant", MUTANTS, ids=lambda one: one.claim)
EACH_LASTING = pytest.mark.parametrize(("bound", "mutant"), [pytest.param(*one, id=one[1].claim) for one in LASTING])


@cache
def failed(claim: str) -> tuple[Obligation, ...]:
    """Return what is not proved of the edited row of a claim, of all that is claimed: asked once for both tests."""
    [mutant] = [one for one in MUTANTS if one.claim == claim]
    return edited_rows.failed(mutant.make(), mutant.row, broken=mutant.claim)


@pytest.mark.representative("QL26")
@pytest.mark.slow
@EACH
def test_the_claim_refutes_the_mutant(mutant: Mutant) -> None:
    """The edited row gets a counterexample to the claim, replayed by the interpreter."""
    [obligation] = [one for one in failed(mutant.claim) if one.property == mutant.claim]
    assert obligation.refuted, obligation.message
    assert obligation.counterexample is not None


@pytest.mark.representative("QL7r")
@pytest.mark.slow
@EACH
def test_nothing_else_does(mutant: Mutant) -> None:
    """Every other claim and lemma is proved of the edited row."""
    assert {one.property for one in failed(mutant.claim)} - {mutant.claim} == set()


def test_every_claim_has_a_mutant() -> None:
    """No claim, and nothing that is to come to pass, is without an edit of its own."""
    assert {one.claim for one in MUTANTS} == {one.id for one in CLAIMS}
    assert {one.claim for _, one in LASTING} == {one.id for one in LIVENESS}


def _edited(bound: str, mutant: Mutant) -> Protocol:
    """Return the slice that has the bound, with the edited row and with everything that is claimed."""
    before, row = BOUNDS[bound], mutant.make().row(mutant.row)
    made = before.but(row.id, when=row.when, why=mutant.about)
    return replace(made, properties=KRAFT_LOOP.properties)


@pytest.mark.representative("QV1")
@pytest.mark.slow
@EACH_LASTING
def test_what_must_come_to_pass_refutes_the_mutant_alone(bound: str, mutant: Mutant) -> None:
    """The edited rows have a fair run at the bound in which one wait never ends; nothing else that is claimed falls."""
    found = {one.id: one for one in explore(_edited(bound, mutant), bound).properties}
    assert found[mutant.claim].verdict is Verdict.VIOLATED
    assert found[mutant.claim].loop is not None
    fallen = {id for id, one in found.items() if one.verdict is Verdict.VIOLATED}
    assert fallen - {mutant.claim} == set()
