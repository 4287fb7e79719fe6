"""Every row that can fire fires beside a running controller: over these seeds and stories, checked step by step."""

from collections import Counter
from functools import cache

import pytest

from fencepost.checkers.cli.simulated import judged_alone
from fencepost.model.kraft.protocol import KRAFT
from fencepost.model.kraft.security import SECURITY
from fencepost.reference.kraft.levels import LEVELS
from fencepost.reference.kraft.settings import Settings
from fencepost.reference.kraft.simulation.plan import Plan

from .corners import CORNERS
from .two_parts import TWO_PARTS
from .watched import judged, story

pytestmark = pytest.mark.slow

SOON = Settings(leader_imbalance_check_interval_seconds=20, unclean_leader_election_interval_ms=10_000)
"""The tasks that look after leaders come often enough to have something to do in five minutes."""

PLANS = {
    "odd requests, three minutes": Plan(seed=1, seconds=180, odd=True, settings=SOON),
    "odd requests 1": Plan(seed=1, seconds=300, odd=True, settings=SOON),
    "odd requests 2": Plan(seed=2, seconds=300, odd=True, settings=SOON),
    "odd requests 4": Plan(seed=4, seconds=300, odd=True, settings=SOON),
    "odd requests 5": Plan(seed=5, seconds=300, odd=True, settings=SOON),
    "odd requests 9": Plan(seed=9, seconds=300, odd=True, settings=SOON),
    "3.7-IV2": Plan(seed=1, seconds=300, level=LEVELS["3.7-IV2"]),
}

_POLICY = "no simulated controller has a policy, and an event trace does not tell what one said"
CANNOT = {
    "CF3": _POLICY,
    "CF8": _POLICY,
    "CF12": _POLICY,
    "CF17": _POLICY,
    "CF22": _POLICY,
    "CF26": _POLICY,
    "CM2": "a whole resource that is answered INVALID_CONFIG is taken out before the rows are asked",
    "LP1": "what a leader sends is no step of a controller",
    "PI2": "2^63 producer ids are more than a run can ask for",
    "AC3": "a bootstrap is one write, so that no transaction is left open",
    "AC4": "the same: nothing of a bootstrap is committed without the rest",
    "HB9": "no row elects a broker that is in controlled shutdown, so that it leads nothing",
}
"""Rows that fire beside no controller of the reference, each with the reason.

The policies, CM2, PI2 and HB9 are held by the recorded answers of Kafka's own classes.
"""

RARE = {"HB2t": "it takes a last known leader that is no replica any more (D9) while no other replica is to be had"}
"""Rows that no run here fires, though one could: what they need is a defect of Kafka and several coincidences."""


@cache
def fired(name: str) -> Counter[str]:
    """The rows of a plan's run, all of whose steps are rows."""
    found = judged_alone(PLANS[name])
    assert [one.text() for one in found.divergences] == []
    assert [one.message for one in found.outcome.violations] == []
    return found.rows


@pytest.mark.representative("odd requests, three minutes")
@pytest.mark.parametrize("name", PLANS)
def test_every_step_is_a_row(name: str) -> None:
    """Requests that are refused, dry, late or contradictory are answered as the rows say, and no promise is broken."""
    assert len(fired(name)) > 40


@cache
def told() -> Counter[str]:
    """The rows of the stories, all of whose steps are rows."""
    found: Counter[str] = Counter()
    for one in (story, *CORNERS, *TWO_PARTS):
        judge, divergences = judged(one().steps)
        assert [divergence.text() for divergence in divergences] == []
        found += judge.out.rows
    return found


SECURED = frozenset(row.id for table in SECURITY for row in table.rows)
"""Rows of requests that no run here sends; `test_security` has stories of them."""


ROWS = frozenset(row.id for row in KRAFT.rows) - SECURED


def test_most_rows_fire_and_none_that_cannot() -> None:
    """In the stories and in one run most rows fire already, and none of those that cannot."""
    found = set(told()) | set(fired("odd requests, three minutes"))
    assert found & set(CANNOT) == set()
    assert len(ROWS - found) < 40


@pytest.mark.nightly("test_most_rows_fire_and_none_that_cannot")
def test_every_row_that_can_fire_fires() -> None:
    """Over these runs every row fires, but for those that cannot, which do not, and the few that are rare."""
    found = sum((fired(name) for name in PLANS), told())
    assert ROWS - set(found) - set(RARE) == set(CANNOT)
    assert set(CANNOT) | set(RARE) <= ROWS


def test_the_command_that_repeats_a_run_says_that_requests_are_odd() -> None:
    """A run with odd requests is another run, and its command says so."""
    assert "--odd-requests" in PLANS["odd requests 1"].command().split()
    assert "--odd-requests" not in Plan(seed=1).command().split()
