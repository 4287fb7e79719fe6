"""`zk-data` at its bounds: counts, rows that fire, and what each bound is for."""

import pytest

from fencepost.model.language import Always
from fencepost.model.zk_data import ZK_DATA
from tests.pinned import Pinned

PINNED = Pinned("zk-data")
SLOW, MINUTES, NIGHTLY = ("members", "records", "pair"), ("restarts",), {"deep": "back"}
EACH = PINNED.each(SLOW, MINUTES, NIGHTLY)


@pytest.mark.representative("tiny", "back", "quiet", "logs")
@EACH
def test_a_bound_has_its_pinned_counts(bound: str) -> None:
    """Every state is reached and keeps what is claimed; there are as many as when last looked at."""
    PINNED.check(bound)


def test_every_bound_is_pinned() -> None:
    """No bound is left without counts."""
    assert set(PINNED.bounds) == set(PINNED.counts)


@pytest.mark.nightly("tests/exploration/test_manifest.py::test_nothing_is_left_without_a_bound_or_a_reason[zk-data]")
def test_every_lemma_is_put_to_the_test() -> None:
    """No lemma is without a bound at which some state meets its condition."""
    lemmas = {one.id for one in ZK_DATA.properties if isinstance(one, Always)}
    met = {one.id for one in PINNED.explored("deep").properties if one.vacuity is None and one.id in lemmas}
    assert lemmas - met == set()


@pytest.mark.exhaustive
def test_every_row_fires_at_some_bound() -> None:
    """Each row is taken at the bound of two brokers with their restarts."""
    fired = PINNED.fired("restarts")
    assert fired == {row.id for row in ZK_DATA.rows}
