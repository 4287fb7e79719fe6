"""Each claim of `kraft-data` besides the theorem refutes an altered row that the theorem and its lemmas let pass."""

from dataclasses import replace
from functools import cache

import pytest

from fencepost.checkers.exploration import explore
from fencepost.checkers.mutation import Population
from fencepost.checkers.proof import Obligation
from fencepost.checkers.verdicts import Verdict
from fencepost.model.kraft_data import KRAFT_DATA
from fencepost.model.kraft_data.any_controller import any_controller
from fencepost.model.kraft_data.more_properties import DECISIONS, MORE, SEEN
from fencepost.model.language import Always, Protocol, Step
from fencepost.model.museum import MUSEUM
from fencepost.model.registry import find
from tests import edited_rows

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
    "DP13": "DF5:conjunct-dropped:when/3",
    "DP14": "DF5:conjunct-dropped:when/4",
    "DP15": "DF5:conjunct-dropped:when/0",
    "DP16": "DM1:shifted-by-one:effects.10.value/up",
    "DP17": "DM1:effect-dropped:effects.11",
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


@cache
def failed(claim: str, id: str) -> tuple[Obligation, ...]:
    """Return what is not proved of an altered row, of its claim and of what is older: asked once for both tests."""
    row, edited = altered(id)
    return edited_rows.failed(edited, row, [claim, *OLD], claim)


@pytest.mark.representative(
    "DP14-DF5:conjunct-dropped:when/4", "DP1-DC17:conjunct-dropped:when/0", "DP10-DL5:effect-dropped:effects.1",
)  # fmt: skip
@pytest.mark.slow
@pytest.mark.parametrize(("claim", "id"), CASES)
def test_the_claim_refutes_the_altered_row(claim: str, id: str) -> None:
    """The altered row gets a counterexample to the claim, replayed by the interpreter."""
    [obligation] = [one for one in failed(claim, id) if one.property == claim]
    assert obligation.refuted, obligation.message
    assert obligation.counterexample is not None


@pytest.mark.representative(
    "DP1-DC17:conjunct-dropped:when/0", "DP6-DL5:conjunct-dropped:when/0", "DP9-DF3:conjunct-dropped:when/1",
    "DP10-DL5:effect-dropped:effects.1", "DP14-DF5:conjunct-dropped:when/4",
)  # fmt: skip
@pytest.mark.slow
@pytest.mark.parametrize(("claim", "id"), CASES)
def test_the_theorem_and_its_lemmas_do_not(claim: str, id: str) -> None:
    """Nothing else refutes the altered row: it loses no record."""
    assert {one.property for one in failed(claim, id) if one.refuted} - {claim} == set()


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


@pytest.mark.parametrize("claim", ["LeaderLogReachesAcknowledged", "ToldEndDoesNotGoBack"])
@pytest.mark.parametrize("edit", ["stays-eligible", "keeps-the-last"])
def test_where_a_record_is_lost_a_consumer_notices(claim: str, edit: str) -> None:
    """A consumer that has read a record that is lost is out of range, and receives an end before it."""
    tables = find(f"kraft-data+{edit}").explored
    [entry] = [one for one in MUSEUM if (one.base, one.name) == ("kraft-data", edit)]
    alone = replace(tables, properties=(tables.property(claim),))
    found = explore(alone, entry.expected[0].at(alone), deadlock=False).property(claim)
    assert found.verdict is Verdict.VIOLATED


@pytest.mark.parametrize(("claim", "length"), [("ReadIsKept", 6), ("OneRecordIsRead", 8), ("TruncationKeepsRead", 8)])
def test_a_follower_that_believes_anything_gives_out_what_is_lost(claim: str, length: int) -> None:
    """Where a follower lets consumers read all that it has, they read what no leader acknowledged and it cuts off."""
    [mutant] = [one for one in Population(KRAFT_DATA).all(["DF5"]) if one.id == "DF5:conjunct-dropped:when/5"]
    edited = mutant.of(find("kraft-data").bounds["replicas"])
    alone = replace(edited, properties=(edited.property(claim),))
    found = explore(alone, "replicas", max_depth=length + 1, deadlock=False).property(claim)
    assert found.verdict is Verdict.VIOLATED
    assert found.trace is not None
    assert len(found.trace.steps) == length


def test_the_end_that_a_new_leader_knows_goes_back() -> None:
    """What KIP-207 is for: that of a new leader is below what was acknowledged before a clean election."""
    found = explore(find("kraft-data").bounds["tiny"], "tiny")
    assert found.property("W12").as_declared


def test_any_controller_need_not_decide_as_kafkas_does() -> None:
    """Claims on what the controller of Kafka decides are not asked of any controller that keeps to the interface."""
    asked = {one.id for one in any_controller(KRAFT_DATA).properties}
    assert asked.isdisjoint(one.id for one in DECISIONS)
    assert asked >= {one.id for one in MORE if one not in DECISIONS}
