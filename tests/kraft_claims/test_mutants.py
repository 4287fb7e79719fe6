"""Each claim on leaders, brokers and requests refutes an edit of a row, which the claims before it let pass."""

from functools import cache

import pytest

from fencepost.checkers.proof import Obligation
from fencepost.model.kraft import KRAFT
from fencepost.model.kraft.leadership_properties import PROPERTIES as LEADERSHIP
from fencepost.model.kraft.membership_properties import PROPERTIES as MEMBERSHIP
from fencepost.model.kraft.outdated import BROKEN
from fencepost.model.kraft.reach_properties import PROPERTIES as REACH
from fencepost.model.kraft.request_properties import PROPERTIES as REQUESTS
from fencepost.model.kraft.security_properties import PROPERTIES as SECURED
from fencepost.model.language import Always, Step
from tests import edited_rows

from .mutants import MUTANTS, Mutant

NEW = {one.id for one in (*LEADERSHIP, *MEMBERSHIP, *REQUESTS, *REACH, *SECURED)}
WEAKENED = {f"{id}{letter}" for id in BROKEN for letter in "wv"}
"""What the outdated changes of D26 and D34 leave of a claim; they are no older than the others."""
OLD = [
    one.id
    for one in KRAFT.properties
    if isinstance(one, (Always, Step)) and one.id not in NEW | WEAKENED and one.expected == "holds"
]
CASES = [pytest.param(one, id=f"{one.claim}-{one.row}-{number}") for number, one in enumerate(MUTANTS)]
SOME = pytest.mark.representative(
    "B12-HB8-20", "B6f-RG8-97", "C3-CF28-32", "C7-CF19-31", "G11-TK18-67", "G18-CQ4-73", "G22-SC12-78",
    "G31-SC10-87", "L22n-NO1-95", "L24-CR1-49", "L29-AC3-56", "P36-OD4-0", "P41-LP1-51",
)  # fmt: skip


@cache
def failed(mutant: Mutant) -> tuple[Obligation, ...]:
    """Return what is not proved of the edited row, of its claim and of what is older: asked once for both tests."""
    return edited_rows.failed(mutant.make(), mutant.row, [mutant.claim, *OLD], mutant.claim)


@SOME
@pytest.mark.slow
@pytest.mark.parametrize("mutant", CASES)
def test_the_claim_refutes_the_mutant(mutant: Mutant) -> None:
    """The edited row gets a counterexample to the claim, replayed by the interpreter."""
    [obligation] = [one for one in failed(mutant) if one.property == mutant.claim]
    assert obligation.refuted, obligation.message
    assert obligation.counterexample is not None


@SOME
@pytest.mark.slow
@pytest.mark.parametrize("mutant", CASES)
def test_no_claim_before_it_did(mutant: Mutant) -> None:
    """What was claimed before does not refute the edited row."""
    assert {one.property for one in failed(mutant) if one.refuted} - {mutant.claim} == set()


def test_every_claim_has_a_mutant_or_a_reason() -> None:
    """Claims without an edit of their own are few, and named here."""
    without = {
        "P31": "its edit is refuted by P10 too",
        "B3": "B1 refutes every edit of an offset too",
        "B6": "its edit writes no record",
        "B11": "B7 refutes every edit that unfences too",
        "B16": "K8 refutes the same edits of HB10; it says it of the registrations",
        "C2": "declared violated (D30)",
        "C9": "many values at once, each as in C4 to C8",
        "C10": "about replays, which no edit of a row changes",
        "C13": "many values at once, each as in C4 to C8",
        "C14": "about replays, which no edit of a row changes",
        "L17": "its edit gives a record another level",
        "L22": "N1 and N9 refute every edit that shortens the log too",
        "L25": "its edit leaves out the guard of CU3",
    }
    assert NEW - {one.claim for one in MUTANTS} == without.keys()
