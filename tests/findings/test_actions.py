"""What an operator is told to do about a finding that a log shows."""

from __future__ import annotations

import pytest

from fencepost.checkers.findings_pages import ACTIONS, action, page
from fencepost.model.kraft import KRAFT

WRITES_NOTHING = {"D9"}
"""Findings of rows that end in an exception, and so in no log."""
SHOWN = sorted(
    {row.finding for row in KRAFT.rows if row.finding}
    | {getattr(one, "finding", "") for one in KRAFT.properties} - {""}
)


@pytest.mark.parametrize("finding", [one for one in SHOWN if one not in WRITES_NOTHING])
def test_a_finding_that_a_log_shows_says_what_to_do(finding: str) -> None:
    """Each finding that a row or a property of today's tables names has an action of its own, and a page."""
    assert finding in ACTIONS
    assert page(finding)


def test_of_any_other_the_page_tells() -> None:
    """A finding without an action of its own points to its page; one without a page has none."""
    assert action("D9") == "read fencepost show D9"
    assert action("D999") == "none is known"
