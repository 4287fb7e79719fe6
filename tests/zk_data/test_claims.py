"""Each claim of `zk-data` besides the theorem refutes an altered row that the theorem and its lemmas let pass."""

from functools import cache

import pytest

from fencepost.checkers.exploration import explore
from fencepost.checkers.mutation import Mutant, Population
from fencepost.checkers.proof import Obligation
from fencepost.model.language import Always, Step
from fencepost.model.registry import find
from fencepost.model.zk_data import ZK_DATA
from fencepost.model.zk_data.more_properties import MORE, SEEN
from tests import edited_rows

MUTANTS = {
    "ZDP1": "ZDC1:effect-dropped:effects.0.write.1",
    "ZDP2": "ZDC2:conjunct-dropped:when/only",
    "ZDP3": "ZDC3:shifted-by-one:leader_epoch/up",
    "ZDP6": "DL2:conjunct-dropped:leads/2",
    "DP5": "ZDC4:literal-altered:effects.0.value/up",
    "DP7": "ZDL3:conjunct-dropped:when/1",
    "DP9": "DF3:conjunct-dropped:when/1",
    "DP11": "DF3:conjunct-dropped:when/2",
    "DP12": "ZDX1:effect-dropped:effects.2",
}
"""By claim on states or steps the altered row that it refutes."""
SHOWN = {
    "W4": ("ZDL1:row-dropped", "quiet"),
    "W5": ("ZDL2:row-dropped", "quiet"),
    "W6": ("ZDL3:comparison-shifted:isr_has/0/1/1/equal", "logs"),
    "W7": ("ZDF1:disjunct-dropped:when/6/1", "logs"),
    "W8": ("ZDC4:row-dropped", "back"),
    "W9": ("ZDL3:condition-dropped:isr_has/0/if", "quiet"),
    "W11": ("ZDL1:comparison-shifted:when/4/equal", "quiet"),
}
"""By claim on what comes about an altered row, and a bound at which it no longer does."""
OLD = [
    one.id
    for one in ZK_DATA.properties
    if isinstance(one, (Always, Step)) and one.id not in {claim.id for claim in MORE}
]
CASES = [pytest.param(claim, id, id=f"{claim}-{id}") for claim, id in MUTANTS.items()]


def mutant_of(id: str) -> Mutant:
    """Return a mutant of `zk-data` by its id."""
    [found] = [one for one in Population(ZK_DATA).all([id.split(":")[0]]) if one.id == id]
    return found


@cache
def failed(claim: str, id: str) -> tuple[Obligation, ...]:
    """Return what is not proved of an altered row, of its claim and of what is older: asked once for both tests."""
    mutant = mutant_of(id)
    return edited_rows.failed(mutant.of(ZK_DATA), mutant.row, [claim, *OLD], claim)


@pytest.mark.representative("DP12-ZDX1:effect-dropped:effects.2", "DP9-DF3:conjunct-dropped:when/1")
@pytest.mark.slow
@pytest.mark.parametrize(("claim", "id"), CASES)
def test_the_claim_refutes_the_altered_row(claim: str, id: str) -> None:
    """The altered row gets a counterexample to the claim, replayed by the interpreter."""
    [obligation] = [one for one in failed(claim, id) if one.property == claim]
    assert obligation.refuted, obligation.message
    assert obligation.counterexample is not None


@pytest.mark.representative(
    "ZDP3-ZDC3:shifted-by-one:leader_epoch/up", "DP5-ZDC4:literal-altered:effects.0.value/up",
    "DP9-DF3:conjunct-dropped:when/1", "DP12-ZDX1:effect-dropped:effects.2",
)  # fmt: skip
@pytest.mark.slow
@pytest.mark.parametrize(("claim", "id"), CASES)
def test_the_theorem_and_its_lemmas_do_not(claim: str, id: str) -> None:
    """Nothing else refutes the altered row: it loses no record."""
    assert {one.property for one in failed(claim, id) if one.refuted} - {claim} == set()


@pytest.mark.representative("W4", "W5", "W7", "W11")
@pytest.mark.parametrize("claim", SHOWN)
def test_what_comes_about_does_not_with_the_altered_row(claim: str) -> None:
    """Every state is seen, and none shows what the claim says."""
    id, bound = SHOWN[claim]
    found = explore(mutant_of(id).of(find("zk-data").bounds[bound]), bound)
    assert found.property(claim).as_declared is False


def test_every_claim_has_an_altered_row() -> None:
    """No claim is without one."""
    assert MUTANTS.keys() == {one.id for one in MORE}
    assert SHOWN.keys() == {one.id for one in SEEN}
