"""KIP-343's flaws, open points and contradictions: found by their shortest traces, and not without the defect."""

from dataclasses import replace
from functools import cache

import pytest

from fencepost.checkers.exploration import Exploration, explore
from fencepost.checkers.proof import prove
from fencepost.checkers.verdicts import Verdict
from fencepost.model.kip343 import KIP343
from fencepost.model.kip343.slices import SLICES
from fencepost.model.kip343.state import controller_timeout
from fencepost.model.language import Always, Protocol, Step
from fencepost.model.museum import MUSEUM, Entry
from fencepost.model.museum.edits import Edit
from fencepost.model.museum.kip343_edits import (
    LEASE_LEMMAS,
    any_timeouts,
    lease,
    members_active,
    names_incarnation,
    never_fences,
)

ENTRIES = {entry.name: entry for entry in MUSEUM if entry.base == "kip343"}
HARMLESS = [entry for entry in ENTRIES.values() if not entry.expected]


def alone(protocol: Protocol, id: str) -> Protocol:
    """Return the protocol with one of its properties only."""
    return replace(protocol, properties=(protocol.property(id),))


@cache
def whole_of(entry: str) -> Exploration:
    """The first slice at `tiny` as a variant has it, or as it is, explored once."""
    return explore(ENTRIES[entry].edited(SLICES[0]) if entry else SLICES[0], "tiny", engine="numpy")


@pytest.mark.representative("heartbeat_not_controller")
@pytest.mark.parametrize("entry", HARMLESS, ids=lambda entry: entry.name)
def test_a_reading_of_what_the_text_leaves_open_keeps_every_claim(entry: Entry) -> None:
    """What is only a reading breaks nothing at `tiny` that the base keeps, and is not the base."""
    found = whole_of(entry.name)
    assert found.verdict is Verdict.CLOSED
    assert all(one.as_declared for one in found.properties)
    assert found.distinct != whole_of("").distinct


@pytest.mark.representative("other_targets_ignored")
@pytest.mark.parametrize("name", ["other_targets_taken", "other_targets_ignored"])
def test_only_other_targets_lead_to_an_answer_that_fences(name: str) -> None:
    """H8' never fires but where a broker asks for another target than Active or Stopping."""
    assert whole_of(name).rows_fired["H8'"]


def test_what_a_search_assumes_is_of_events_that_there_are() -> None:
    """Every assumption names an event of the tables: one that is renamed would go on as if nothing were assumed."""
    known = {event.name for event in KIP343.events}
    for entry in ENTRIES.values():
        for expected in entry.expected:
            assert set(expected.given or {}) <= known, entry.name


def test_a_dropped_demand_on_the_timeouts_is_missed_by_the_proof_too() -> None:
    """HI3 is refuted for any number of brokers where the broker's timeout need not be the longer one."""
    proof = prove(any_timeouts(KIP343), rows=("H7",), properties=("HI3",), assumptions=False)
    assert [(one.row, one.property) for one in proof.failed] == [("H7", "HI3")]


def test_a_broker_that_never_fences_itself_serves_for_ever() -> None:
    """HI10 is refuted by the passing of time alone where H7 is not there."""
    proof = prove(never_fences(KIP343), rows=("HT1",), properties=("HI10",), assumptions=False)
    assert [(one.row, one.property) for one in proof.failed] == [("HT1", "HI10")]


@pytest.mark.representative("two_answers_in_a_row-lossy")
@pytest.mark.parametrize("bound", ["tiny", "lossy"])
@pytest.mark.parametrize("name", ["two_heartbeats_in_a_row", "two_answers_in_a_row"])
def test_strong_fairness_alone_notices_what_a_loss_sets_back(name: str, bound: str) -> None:
    """Where a loss has messages counted anew, the claim under strong fairness falls, and nothing else anywhere."""
    [slice] = [one for one in SLICES if bound in one.bounds]
    found = explore(ENTRIES[name].edited(slice), bound)
    broken = {expected.property for expected in ENTRIES[name].expected}
    assert {one.id for one in found.properties if not one.as_declared} == (broken if bound == "lossy" else set())


def test_a_forged_incarnation_locks_the_real_broker_out() -> None:
    """S-b: one forged heartbeat, and the broker is refused for good; HI1 holds and HI9 does not."""
    found = explore(ENTRIES["forged_incarnation"].edited(SLICES[0]), "tiny", engine="numpy")
    assert found.property("HI1").verdict is Verdict.CLOSED
    broken = found.property("HI9")
    assert broken.verdict is Verdict.VIOLATED
    assert broken.trace is not None
    assert broken.loop is not None
    assert "H3f" in [step.row.id for step in broken.trace.steps]
    assert {step.row.id for step in broken.loop.steps} == {"HS1", "H2", "H8e"}


def test_the_opposite_demand_on_the_timeouts_breaks_what_the_text_wants() -> None:
    """A lease keeps M3t and breaks HI3: "fenced before replaced" and "Inactive before fenced" can't both be had."""
    tables = alone(lease(SLICES[0]), "HI3")
    bound = replace(tables.bounds["tiny"], start=controller_timeout.is_(1))
    found = explore(tables, bound, max_depth=5, stop_at_first=True, deadlock=False, engine="numpy").property("HI3")
    assert found.trace is not None
    assert [step.row.id for step in found.trace.steps] == ["HF1", "HT1", "H7"]


def test_the_lease_is_proved() -> None:
    """For any number of brokers and any times: whom the controller's timer made Inactive has fenced itself before."""
    variant = lease(KIP343)
    declared = variant.property("M3t")
    assert isinstance(declared, Always)
    claim = replace(declared, expected="holds", finding="", by=())
    proof = prove(replace(variant, properties=(claim, variant.property("HI8f"), *LEASE_LEMMAS)), assumptions=False)
    assert proof.verdict is Verdict.PROVED, proof.lines()
    assert proof.failed == ()


@pytest.mark.parametrize(("edit", "row", "claim"), [(names_incarnation, "H8", "HIu"), (members_active, "H11", "HIa")])
def test_a_repair_is_proved(edit: Edit, row: str, claim: str) -> None:
    """What the text breaks holds of the repaired row, for any number of brokers."""
    variant = edit(KIP343)
    declared = variant.property(claim)
    assert isinstance(declared, Step)
    kept = replace(declared, expected="holds", finding="")
    proof = prove(replace(variant, properties=(kept,)), rows=(row,), assumptions=False)
    assert (proof.failed, proof.proved) == ((), proof.obligations + proof.frame_obligations)
