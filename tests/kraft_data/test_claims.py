"""Each claim of `kraft-data` besides the theorem refutes an altered row that the theorem and its lemmas let pass."""

from __future__ import annotations

import pytest

from fencepost.checkers.exploration import explore
from fencepost.checkers.mutation import Population
from fencepost.checkers.proof import prove
from fencepost.model.kraft_data import KRAFT_DATA
from fencepost.model.kraft_data.any_controller import any_controller
from fencepost.model.kraft_data.more_properties import DECISIONS, MORE, SEEN
from fencepost.model.language import Always, Protocol, Step
from fencepost.model.registry import find

MUTANTS = {
    "DP1": "DC17:conjunct-dropped:when/0",
    "DP2": "DC6:value-altered:effects.0.to/none",
    "DP3": "DC19:conjunct-dropped:when/2",
    "DP4": "DC10:value-altered:effects.1.change.4.value/empty",
    "DP5": "DC11:conjunct-dropped:when/0",
    "DP6": "DL5:conjunct-dropped:when/0",
    "DP7": "DL6:conjunct-dropped:when/1",
    "DP8": "DM4:conjunct-dropped:when/2",
    "DP9": "DF3:conjunct-dropped:when/1",
    "DP10": "DL5:effect-dropped:effects.1",
    "DP11": "DF3:conjunct-dropped:when/2",
    "DP12": "DX1:effect-dropped:effects.2.0",
}
"""By claim the altered row that it refutes."""
SHOWN = {"W10": "DC16:condition-dropped:none_restarted/0/if"}
"""By claim on what comes about an altered row with which it no longer does at `joins`."""
OLD = [
    one.id
    for one in KRAFT_DATA.properties
    if isinstance(one, (Always, Step)) and one.id not in {claim.id for claim in MORE}
]
CASES = [pytest.param(claim, id, id=f"{claim}-{id}") for claim, id in MUTANTS.items()]


def altered(id: str) -> tuple[str, Protocol]:
    """Return the row of a mutant, and `kraft-data` with it."""
    [mutant] = [one for one in Population(KRAFT_DATA).all([id.split(":")[0]]) if one.id == id]
    return mutant.row, mutant.of(KRAFT_DATA)


@pytest.mark.parametrize(("claim", "id"), CASES)
def test_the_claim_refutes_the_altered_row(claim: str, id: str) -> None:
    """The altered row gets a counterexample to the claim, replayed by the interpreter."""
    row, edited = altered(id)
    proof = prove(edited, properties=[claim], rows=[row], assumptions=False)
    [obligation] = [one for one in proof.failed if one.row == row]
    assert obligation.refuted, obligation.message
    assert obligation.counterexample is not None


@pytest.mark.slow
@pytest.mark.parametrize(("claim", "id"), CASES)
def test_the_theorem_and_its_lemmas_do_not(claim: str, id: str) -> None:
    """Nothing else refutes the altered row: it loses no record."""
    row, edited = altered(id)
    proof = prove(edited, properties=OLD, rows=[row], assumptions=False)
    assert {one.property for one in proof.failed if one.row == row and one.refuted} == set()


def test_every_claim_has_an_altered_row() -> None:
    """No claim is without one."""
    assert MUTANTS.keys() == {one.id for one in MORE}
    assert SHOWN.keys() == {one.id for one in SEEN}


@pytest.mark.parametrize("claim", SHOWN)
def test_what_comes_about_does_not_with_the_altered_row(claim: str) -> None:
    """Every state is seen, and none shows what the claim says."""
    [mutant] = [one for one in Population(KRAFT_DATA).all(["DC16"]) if one.id == SHOWN[claim]]
    found = explore(mutant.of(find("kraft-data").bounds["joins"]), "joins")
    assert found.property(claim).as_declared is False


def test_any_controller_need_not_decide_as_kafkas_does() -> None:
    """Claims on what the controller of Kafka decides are not asked of any controller that keeps to the interface."""
    asked = {one.id for one in any_controller(KRAFT_DATA).properties}
    assert asked.isdisjoint(one.id for one in DECISIONS)
    assert asked >= {one.id for one in MORE if one not in DECISIONS}
