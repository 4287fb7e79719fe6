"""`kraft-loop` at its bounds: counts, rows that fire, and what each bound is for."""

from __future__ import annotations

from functools import cache

import pytest

from fencepost.checkers.exploration import Exploration, explore
from fencepost.checkers.verdicts import Verdict
from fencepost.model.kraft_loop import KRAFT_LOOP
from fencepost.model.registry import find

BOUNDS = find("kraft-loop").bounds
COUNTS: dict[str, tuple[int, int, int]] = {
    "tiny": (4_567, 18_623, 20),
    "pair": (248_723, 1_574_196, 24),
    "abort": (234_407, 1_098_034, 29),
}
"""Distinct states, states generated, depth."""
CASES = [pytest.param(one, marks=() if one == "tiny" else pytest.mark.slow) for one in COUNTS]


@cache
def explored(bound: str) -> Exploration:
    """The protocol at a bound, explored once."""
    return explore(BOUNDS[bound], bound)


@pytest.mark.parametrize("bound", CASES)
def test_a_bound_has_its_pinned_counts(bound: str) -> None:
    """Every state is reached and keeps what is claimed; there are as many as when last looked at."""
    found = explored(bound)
    assert found.verdict is Verdict.CLOSED
    assert (found.distinct, found.generated, found.depth) == COUNTS[bound]
    assert all(one.as_declared for one in found.properties)


def test_every_bound_is_pinned() -> None:
    """No bound is left without counts."""
    assert set(BOUNDS) == set(COUNTS)


@pytest.mark.slow
def test_every_row_fires_at_some_bound() -> None:
    """Each row that changes anything fires at a bound; a read and a dropped callback make no transition."""
    fired = {id for bound in BOUNDS for id, times in explored(bound).rows_fired.items() if times}
    assert {row.id for row in KRAFT_LOOP.rows if row.changes} - fired == set()
    assert {row.id for row in KRAFT_LOOP.rows if not row.changes} == {"QC6", "QW15"}


@pytest.mark.slow
def test_no_claim_is_vacuous_at_every_bound() -> None:
    """Each claim is put to the test at some bound, but for QT5: a second bootstrap needs six offsets."""
    asked: dict[str, bool] = {}
    for bound in BOUNDS:
        for one in explored(bound).properties:
            asked[one.id] = asked.get(one.id, False) or one.vacuity is None
    assert [id for id, tested in asked.items() if not tested] == ["QT5"]
