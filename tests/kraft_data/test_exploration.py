"""`kraft-data` at its bounds: counts, rows that fire, and what each bound is for."""

from __future__ import annotations

from functools import cache

import pytest

from fencepost.checkers.exploration import Exploration, explore
from fencepost.checkers.verdicts import Verdict
from fencepost.model.kraft_data import KRAFT_DATA
from fencepost.model.language import Always
from fencepost.model.registry import find

BOUNDS = find("kraft-data").bounds
COUNTS: dict[str, tuple[int, int, int]] = {
    "tiny": (103, 310, 10),
    "one": (115, 336, 10),
    "deep": (30_407, 145_240, 21),
    "pair": (360_568, 1_572_766, 26),
    "members": (464_434, 2_142_722, 29),
    "minimum": (1_961_492, 9_139_642, 36),
    "records": (652_451, 2_856_680, 29),
    "restarts": (7_535_931, 34_490_754, 42),
}
"""Distinct states, states generated, depth."""
SLOW, MINUTES = ("pair", "members"), ("minimum", "records", "restarts")
CASES = [
    pytest.param(one, marks=pytest.mark.exhaustive if one in MINUTES else pytest.mark.slow if one in SLOW else ())
    for one in COUNTS
]


@cache
def explored(bound: str) -> Exploration:
    """The slice that has a bound, explored once."""
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
def test_every_lemma_is_put_to_the_test() -> None:
    """No lemma is without a bound at which some state meets its condition."""
    lemmas = {one.id for one in KRAFT_DATA.properties if isinstance(one, Always)}
    met = {
        one.id
        for bound in ("one", "deep", "pair", "marked", "configured")
        for one in explored(bound).properties
        if one.vacuity is None and one.id in lemmas
    }
    assert lemmas - met == set()


@pytest.mark.exhaustive
def test_every_row_fires_at_some_bound() -> None:
    """Each row is taken at one of four bounds."""
    fired = {
        id
        for bound in ("tiny", "minimum", "unclean", "configurations")
        for id, times in explored(bound).rows_fired.items()
        if times
    }
    assert fired == {row.id for row in KRAFT_DATA.rows}
