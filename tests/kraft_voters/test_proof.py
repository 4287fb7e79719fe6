"""What `kraft-voters` promises: proved of every row for any number of controllers, majorities assumed to intersect."""

from __future__ import annotations

import pytest

from fencepost.checkers.proof import hygiene, prove
from fencepost.model.kraft_voters import KRAFT_VOTERS
from fencepost.model.museum import MUSEUM, Entry
from tests import edited_rows

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
