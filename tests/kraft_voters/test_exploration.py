"""`kraft-voters` at its bounds: counts, rows that fire, and majorities that are counted, not assumed."""

from itertools import combinations

import pytest

from fencepost.checkers.proof import hygiene, prove
from fencepost.checkers.verdicts import Verdict
from fencepost.model.kraft_voters import KRAFT_VOTERS
from fencepost.model.kraft_voters.raft import ASSUMED
from fencepost.model.museum import MUSEUM, Entry
from tests import edited_rows
from tests.pinned import Pinned

PINNED = Pinned("kraft-voters")
NIGHTLY = {"three": "two-of-three"}
EACH = PINNED.each(nightly=NIGHTLY)


@pytest.mark.representative("tiny", "two-of-three", "knowing")
@EACH
def test_a_bound_has_its_pinned_counts(bound: str) -> None:
    """Every state is reached and keeps what is claimed; there are as many as when last looked at."""
    PINNED.check(bound)


def test_what_the_proof_assumes_is_kept_where_majorities_are_counted() -> None:
    """At a bound nothing is assumed of an election: the assumptions of the proof are claims there, and hold."""
    assert all(not one.inputs for one in PINNED.bounds.values())
    assert {one.id for one in KRAFT_VOTERS.inputs} == {one.id for one in ASSUMED} == {"VI1", "VI2", "VI3"}
    found = {one.id: (one.verdict, one.vacuity) for one in PINNED.explored("two-of-three").properties}
    assert {found[id] for id in ("VB1", "VB2", "VB3", "VB4")} == {(Verdict.CLOSED, None)}


def test_majorities_of_voters_that_differ_in_one_intersect() -> None:
    """VP3 is enough: of up to six voters, and of these with one more, any two majorities have a voter in common."""

    def majorities(voters: range) -> list[set[int]]:
        return [set(some) for some in combinations(voters, len(voters) // 2 + 1)]

    for size in range(1, 7):
        apart = [(a, b) for a in majorities(range(size)) for b in majorities(range(size + 1)) if not a & b]
        assert apart == []
    assert any(not a & b for a in majorities(range(2)) for b in majorities(range(2, 4))), "others need not"


def test_a_removed_voter_comes_back() -> None:
    """At `tiny` VP16 is false, as a controller is added, removed, and joins again by itself, and VB6; no other is."""
    found = {one.id: one for one in PINNED.explored("tiny").properties}
    assert [one.id for one in found.values() if one.verdict is Verdict.VIOLATED] == ["VP16", "VB6"]
    trace = found["VP16"].trace
    assert trace is not None
    assert [one.row.id for one in trace.steps if one.row.id[:2] in ("VA", "VR")] == ["VA8", "VR6", "VA8"]


# What `kraft-voters` promises: proved of every row for any number of controllers, majorities assumed to intersect.
ENTRIES = [one for one in MUSEUM if one.base == "kraft-voters" and one.name != "trusts-earlier-commits"]
"""Those of one row; the other one is found by counting majorities alone."""


@pytest.mark.nightly("fencepost check kraft-voters")
def test_every_claim_is_proved() -> None:
    """Every row keeps every claim and every lemma but VP16, which VA8 breaks as declared; none is vacuous."""
    proof = prove(KRAFT_VOTERS, assumptions=False)
    assert [(one.row, one.property, one.declared) for one in proof.failed] == [("VA8", "VP16", True)]
    assert proof.vacuous == ()
    assert proof.expected == 1


@pytest.mark.nightly("fencepost check kraft-voters")
def test_tables_are_tidy() -> None:
    """No two rows of one event overlap, each total table leaves nothing open, and every row applies in some state."""
    assert hygiene(KRAFT_VOTERS).findings == ()


@pytest.mark.representative("two-at-once", "upgrades-unasked", "adds-who-lags")
@pytest.mark.parametrize("entry", ENTRIES, ids=lambda one: one.name)
def test_an_edited_row_breaks_its_claim(entry: Entry) -> None:
    """The row that the entry names breaks the claim that it names."""
    [expected] = entry.expected
    edited = entry.edited(KRAFT_VOTERS)
    [obligation] = edited_rows.failed(edited, expected.row, [expected.property], expected.property)
    assert obligation.row == expected.row
