"""What the pages of findings say of `conform`, and of an operator's data, is so."""

from pathlib import Path

import pytest

from fencepost.model.kraft.protocol import KRAFT

ROOT = Path(__file__).resolve().parents[2]
NOT_LISTED = ("D7", "D17", "D21", "D22")
"""Findings of a record that a row explains, and that the row does not tell from a record as it should be."""


def page(id: str) -> str:
    """Return the page of a finding, its lines as one."""
    return " ".join((ROOT / "spec" / "findings" / f"{id}.md").read_text(encoding="utf-8").split())


@pytest.mark.parametrize("id", NOT_LISTED)
def test_a_finding_that_conform_cannot_list_says_so(id: str) -> None:
    """No row carries the finding, so that `conform` never lists it, and its page and docs/conform.md say so."""
    assert id not in {row.finding for row in KRAFT.rows}
    assert "**Not listed** `fencepost conform` does not list it" in page(id)
    docs = " ".join((ROOT / "docs" / "conform.md").read_text(encoding="utf-8").split())
    named = docs.partition("Four of them it does not list, and their pages say so: ")[2].partition(", whose rows")[0]
    assert tuple(named.replace(" and", ",").split(", ")) == NOT_LISTED


def test_a_preferred_election_that_is_unclean_may_cost_data() -> None:
    """4.4.0's classes elect the last known leader by a preferred election, RECOVERING: D18's page says what is lost."""
    meant = page("D18").partition("## What it means for an operator ")[2]
    assert meant.startswith("An unclean leader, where the last known one is all that is left.")
    assert "records that were acknowledged may be lost" in meant
