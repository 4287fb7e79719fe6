"""Each claim on leaders, brokers and requests refutes an edit of a row, which the claims before it let pass."""

from __future__ import annotations

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


@cache
def failed(mutant: Mutant) -> tuple[Obligation, ...]:
    """Return what is not proved of the edited row, of its claim and of what is older: asked once for both tests."""
    return edited_rows.failed(mutant.make(), mutant.row, [mutant.claim, *OLD], mutant.claim)


@pytest.mark.representative(
    "P36-OD4-0", "P33-CP6-5", "P34-HB2-6", "B1-R3-11", "B10-F1-19", "B12-HB8-20", "B13-HB8-21", "C3-CF19-24",
    "C3-CF10-25", "C3-CF19-26", "C3-CF24-27", "C4-CF5-28", "C5-CF10-29", "C6-CF15-30", "C7-CF19-31", "C3-CF28-32",
    "C18-CF28-33", "C8-CF24-34", "C12-CF5-36", "B17-HX1-43", "L26-CU3-44", "L19-FE5-46", "L24-CR1-49", "P41-LP1-51",
    "B20-HB3-52", "C22-FE7-54", "C23-CM1-55", "L29-AC3-56", "G1-AL8-57", "G2-AL6-58", "G3-AL6-59", "G4-AL6-60",
    "G5-AL8-61", "G6-SC6-62", "G7-SC12-63", "G8-TK10-64", "G9-TK10-65", "G10-TK18-66", "G11-TK18-67", "G12-TK15-68",
    "G13-TK10-69", "G14-TK4-70", "G15-CQ9-71", "G16-CQ9-72", "G18-CQ4-73", "G17-SC11-74", "G19-AL6-75", "G20-AL6-76",
    "G21-SC12-77", "G22-SC12-78", "G23-TK10-79", "G24-TK17-80", "G25-TK17-81", "G26-TK10-82", "G27-TK4-83",
    "G28-CQ9-84", "G29-CQ9-85", "G31-SC10-87", "G36-CQ8-92", "L22n-NO1-95", "B6f-RG8-97",
)  # fmt: skip
@pytest.mark.slow
@pytest.mark.parametrize("mutant", CASES)
def test_the_claim_refutes_the_mutant(mutant: Mutant) -> None:
    """The edited row gets a counterexample to the claim, replayed by the interpreter."""
    [obligation] = [one for one in failed(mutant) if one.property == mutant.claim]
    assert obligation.refuted, obligation.message
    assert obligation.counterexample is not None


@pytest.mark.representative(
    "P36-OD4-0", "P33-CP6-5", "P34-HB2-6", "B1-R3-11", "B10-F1-19", "B12-HB8-20", "B13-HB8-21", "C3-CF19-24",
    "C3-CF10-25", "C3-CF19-26", "C3-CF24-27", "C4-CF5-28", "C5-CF10-29", "C6-CF15-30", "C7-CF19-31", "C3-CF28-32",
    "C18-CF28-33", "C8-CF24-34", "C12-CF5-36", "B17-HX1-43", "L26-CU3-44", "L19-FE5-46", "L24-CR1-49", "P41-LP1-51",
    "B20-HB3-52", "C22-FE7-54", "C23-CM1-55", "L29-AC3-56", "G1-AL8-57", "G2-AL6-58", "G3-AL6-59", "G4-AL6-60",
    "G5-AL8-61", "G6-SC6-62", "G7-SC12-63", "G8-TK10-64", "G9-TK10-65", "G10-TK18-66", "G11-TK18-67", "G12-TK15-68",
    "G13-TK10-69", "G14-TK4-70", "G15-CQ9-71", "G16-CQ9-72", "G18-CQ4-73", "G17-SC11-74", "G19-AL6-75", "G20-AL6-76",
    "G21-SC12-77", "G22-SC12-78", "G23-TK10-79", "G24-TK17-80", "G25-TK17-81", "G26-TK10-82", "G27-TK4-83",
    "G28-CQ9-84", "G29-CQ9-85", "G31-SC10-87", "G36-CQ8-92", "L22n-NO1-95", "B6f-RG8-97",
)  # fmt: skip
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
