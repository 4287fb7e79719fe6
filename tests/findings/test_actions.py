"""The advice to an operator about a finding that a log shows."""

import pytest

from fencepost.checkers.findings_pages import action, page
from fencepost.model.findings.advice import ACTIONS
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


def test_what_is_no_finding_has_no_action() -> None:
    """A finding that has no page has no action either."""
    assert action("D999") == "none is known"
