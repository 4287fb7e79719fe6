"""What the loop assumes of the rows of `kraft`, and what these assume of the loop."""

from collections.abc import Callable

import pytest

from fencepost.checkers.proof import Proof, hypotheses, prove
from fencepost.checkers.proof.cores import recorded
from fencepost.checkers.proof.prover import Prover
from fencepost.model.kraft.protocol import KRAFT
from fencepost.model.kraft.records import FENCE, PARTITION_CHANGE
from fencepost.model.kraft.state import Contact, b, contact, fenced, leader, x
from fencepost.model.kraft_loop import KRAFT_LOOP
from fencepost.model.kraft_whole.interface import (
    APART,
    BEGINS,
    CLAIM,
    KRAFT_CUT,
    OF_THE_LOOP,
    PROMISED,
    WHOLE,
    cut_everywhere,
)
from fencepost.model.language.cuts import CUT_RESULTS, with_cuts
from fencepost.model.language.vocabulary import *
from tests.kraft_whole.departures import Departure, departures


def cut_rows(protocol: Protocol) -> tuple[str, ...]:
    """Return the ids of the rows of a protocol that are cut results."""
    return tuple(row.id for table in protocol.tables if table.name == CUT_RESULTS for row in table.rows)


def undeclared(proof: Proof) -> list[tuple[str, str]]:
    """Return what is not proved and not declared broken, as rows with claims."""
    return [(one.row, one.property) for one in proof.failed if not one.declared]


def test_every_row_keeps_to_the_interface() -> None:
    """No row departs from what the loop assumes but where a reason is given, and no reason is left over."""
    assert {one.key for one in departures(KRAFT, CLAIM)} == set(APART)


def _replay_reads_soft_state(base: Protocol) -> Protocol:
    who = FENCE.about[0].value
    return base.replaying(
        "Fence", fenced[who].becomes(contact[who].is_(Contact.EXPIRED)), why="the replay looks at the session"
    )


def _replay_writes_soft_state(base: Protocol) -> Protocol:
    who = FENCE.about[0].value
    return base.replaying(
        "Fence",
        fenced[who].becomes(TRUE),
        contact[who].becomes(literal(Contact.NOTHING)),
        why="the replay ends the session",
    )


def _writes_beside_records(base: Protocol) -> Protocol:
    return base.but("SI1", effects=fenced[b].becomes(TRUE), why="who is silent counts as fenced at once")


def _records_meet(base: Protocol) -> Protocol:
    who = PARTITION_CHANGE.about[0].value
    return base.replaying(
        "PartitionChange", every(x, present(leader[who]), fenced[x].becomes(TRUE)), why="a change fences everybody"
    )


def _claim_keeps_contacts(base: Protocol) -> Protocol:
    return base.but(CLAIM, effects=(), why="a new controller makes nothing")


@pytest.mark.parametrize(
    ("edit", "seen"),
    [
        (_replay_reads_soft_state, Departure("replay", "F1", "contact")),
        (_replay_writes_soft_state, Departure("replay", "HB5", "contact")),
        (_writes_beside_records, Departure("records", "SI1", "fenced")),
        (_records_meet, Departure("alone", "F1", "fenced")),
        (_claim_keeps_contacts, Departure("claim", CLAIM, "contact")),
    ],
)
def test_a_row_that_departs_is_seen(edit: Callable[[Protocol], Protocol], seen: Departure) -> None:
    """A row that breaks a rule of the interface is found by rule, row and variable, and no reason excuses it."""
    assert seen in departures(edit(KRAFT), CLAIM)
    assert seen.key not in APART


@pytest.mark.parametrize("name", OF_THE_LOOP)
def test_what_a_row_assumes_is_claimed_by_the_loop(name: str) -> None:
    """Each clause names claims of `kraft-loop` that are expected to hold and no lemmas."""
    clause = OF_THE_LOOP[name]
    assert clause.claims
    for id in clause.claims:
        claim = KRAFT_LOOP.property(id)
        assert isinstance(claim, (Always, Step))
        assert claim.expected == "holds"
        assert not (isinstance(claim, Always) and claim.lemma)


def test_a_claim_that_the_loop_does_not_keep_would_be_missed() -> None:
    """The proof that clauses rest on has cores for their claims, and none for what the loop does not claim."""
    asked = {property for _, property in recorded(KRAFT_LOOP).cores}
    assert {"QL4", "QL6", "QL8"} <= asked
    assert "P7" not in asked


def test_results_are_cut_where_they_are_no_single_batch() -> None:
    """Each fan-out of a heartbeat, a session's end, a registration and directories is cut; no atomic result is."""
    cut = {id.partition("_")[0] for id in cut_rows(KRAFT_CUT)}
    assert {"F1", "HB2", "HB5", "UR3", "R1", "AD4", "OD3"} <= cut
    assert cut.isdisjoint(WHOLE)
    assert {"CT3", "CM1", "RA3", "AC1"} <= set(WHOLE)


def test_claims_at_result_boundaries_are_claims_of_committed_state_where_results_are_cut() -> None:
    """What is claimed at result boundaries is asked at every cut, what is claimed after every record is so still."""
    for one in KRAFT.properties:
        if isinstance(one, Always):
            there = KRAFT_CUT.property(one.id)
            assert isinstance(there, Always)
            assert there.scope == (COMMITTED if one.scope == AT_RESULT_BOUNDARIES else one.scope)
            assert (there.term, there.expected) == (one.term, one.expected)


@pytest.mark.representative("some")
@pytest.mark.slow
@pytest.mark.parametrize("of", [{"OD3"}, None], ids=["some", "all"])
def test_what_holds_at_result_boundaries_holds_of_committed_state(of: set[str] | None) -> None:
    """Every claim of states is proved of every cut result: none rests on results being whole."""
    states = [one.id for one in KRAFT_CUT.properties if isinstance(one, Always)]
    rows = [id for id in cut_rows(KRAFT_CUT) if of is None or id.partition("_")[0] in of]
    assert rows
    proof = prove(KRAFT_CUT, rows=rows, properties=states, assumptions=False)
    assert undeclared(proof) == []
    assert set(proof.applying) == set(rows)


@pytest.mark.slow
def test_a_new_controller_that_makes_nothing_breaks_what_soft_state_is_for() -> None:
    """Half a result with the soft state of the old controller breaks B14: it is kept by what a claim makes."""
    bare = with_cuts(KRAFT, (), name="kraft-cut", why="a new controller begins with nothing", whole=WHOLE)
    prover = Prover(bare, hypotheses(bare))
    claim = bare.property("B14")
    assert isinstance(claim, Always)
    assert BEGINS
    assert any(not prover.keeps(bare.row(id), claim, 1) for id in cut_rows(bare))


@pytest.mark.exhaustive
def test_what_half_a_result_does_not_keep_is_declared() -> None:
    """Every other claim of steps is proved of cut results, too; P34 is broken by half a fence and half an unfence."""
    proof = prove(KRAFT_CUT, rows=cut_rows(KRAFT_CUT), assumptions=False)
    assert undeclared(proof) == []


@pytest.mark.exhaustive
@pytest.mark.parametrize("id", PROMISED)
def test_what_is_promised_of_whole_results_is_broken_by_half_of_one(id: str) -> None:
    """Of the rows that a promise is about, one that is cut is not proved to keep it: none is declared without need."""
    cut = cut_everywhere(())
    claim = cut.property(id)
    assert isinstance(claim, Step)
    prover = Prover(cut, hypotheses(cut))
    rows = [row for row in cut_rows(cut) if not claim.rows or row in claim.rows]
    assert any(not prover.keeps(cut.row(row), claim, 1) for row in rows)
