"""`kraft-data` at its bounds: counts, rows that fire, and what each bound is for."""

import pytest

from fencepost.model.kraft_data import KRAFT_DATA
from fencepost.model.language import Always
from tests.pinned import Pinned

PINNED = Pinned("kraft-data", {"configurations": (8_208_816, 40_434_210, 32), "restarts": (13_830_697, 65_645_886, 43)})
"""The counts of two bounds are here: distinct states, states generated, depth; they are too large to be recorded."""
MINUTES = ("unclean", "configurations", "minimum", "records", "restarts")
NIGHTLY = {"marked": "replicas", "pair": "replicas", "members": "replicas", "uncleanly": "replicas"}
"""Larger bounds, each with one that makes its claim in every run."""
EACH = PINNED.each(minutes=MINUTES, nightly=NIGHTLY)


@pytest.mark.representative("tiny", "joins", "alone", "replicas")
@EACH
def test_a_bound_has_its_pinned_counts(bound: str) -> None:
    """Every state is reached and keeps what is claimed; there are as many as when last looked at."""
    PINNED.check(bound)


def test_every_bound_is_pinned() -> None:
    """No bound is left without counts."""
    assert set(PINNED.bounds) == set(PINNED.counts)


@pytest.mark.nightly("tests/exploration/test_manifest.py::test_nothing_is_left_without_a_bound_or_a_reason[kraft-data]")
def test_every_lemma_is_put_to_the_test() -> None:
    """No lemma is without a bound at which some state meets its condition."""
    lemmas = {one.id for one in KRAFT_DATA.properties if isinstance(one, Always)}
    met = {
        one.id
        for bound in ("one", "deep", "pair", "marked", "configured", "replicas")
        for one in PINNED.explored(bound).properties
        if one.vacuity is None and one.id in lemmas
    }
    assert lemmas - met == set()


@pytest.mark.exhaustive
def test_every_row_fires_at_some_bound() -> None:
    """Each row is taken at one of five bounds."""
    fired = PINNED.fired("tiny", "minimum", "unclean", "configurations", "replicas")
    assert fired == {row.id for row in KRAFT_DATA.rows}
