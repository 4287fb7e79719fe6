"""`kraft-loop` at its bounds: counts, rows that fire, and what each bound is for."""

import pytest

from fencepost.checkers.verdicts import Verdict
from fencepost.model.kraft_loop import KRAFT_LOOP
from tests.pinned import Pinned

PINNED = Pinned("kraft-loop")
NIGHTLY = {"pair": "tiny", "trio": "tiny", "abort": "tiny", "lasting-pair": "lasting"}
"""The largest bounds, with what makes the claim of each in every run."""
CHEAP = [bound for bound in PINNED.counts if bound not in NIGHTLY]
EACH = PINNED.each(nightly=NIGHTLY)


@pytest.mark.representative("tiny", "one-epoch", "failover", "lasting")
@EACH
def test_a_bound_has_its_pinned_counts(bound: str) -> None:
    """Every state is reached and keeps what is claimed; there are as many as when last looked at."""
    PINNED.check(bound)


def test_every_bound_is_pinned() -> None:
    """No bound is left without counts."""
    assert set(PINNED.bounds) == set(PINNED.counts)


@pytest.mark.nightly("tests/exploration/test_manifest.py::test_nothing_is_left_without_a_bound_or_a_reason[kraft-loop]")
def test_every_row_fires_at_some_bound() -> None:
    """Each row that changes anything fires at a bound; a read and a dropped callback make no transition."""
    fired = PINNED.fired(*CHEAP)
    assert {row.id for row in KRAFT_LOOP.rows if row.changes} - fired == set()
    assert {row.id for row in KRAFT_LOOP.rows if not row.changes} == {"QC6", "QW15"}


def test_the_largest_bound_has_three_controllers_and_a_million_states() -> None:
    """Of three controllers, each of which may lead, every state is reached: more than a million."""
    assert PINNED.bounds["trio"].bounds["trio"].sizes["Controller"] == 3
    assert max(PINNED.counts.values()) == PINNED.counts["trio"]
    assert PINNED.counts["trio"][0] > 1_000_000


@pytest.mark.nightly("tests/exploration/test_manifest.py::test_nothing_is_left_without_a_bound_or_a_reason[kraft-loop]")
def test_no_claim_is_vacuous_at_every_bound() -> None:
    """Each claim is put to the test at some bound; that of a second bootstrap where the log has room for it."""
    asked: dict[str, bool] = {}
    for bound in CHEAP:
        for one in PINNED.explored(bound).properties:
            asked[one.id] = asked.get(one.id, False) or one.vacuity is None
    assert [id for id, tested in asked.items() if not tested] == []


def test_a_second_bootstrap_is_put_to_the_test() -> None:
    """With room for six records a log may have two bootstraps, the first one aborted: QT5 and QL11 are asked there."""
    found = {one.id: one.vacuity for one in PINNED.explored("failover").properties}
    assert found["QT5"] is None
    assert found["QL11"] is None


def test_what_comes_to_pass_is_put_to_the_test() -> None:
    """Each wait is met at a small bound: queue and purgatory in one epoch, activation and open transaction in two."""
    met = {
        id: bound
        for bound in ("one-epoch", "failover")
        for id in ("QV1", "QV2", "QV3", "QV4")
        for one in PINNED.explored(bound).properties
        if one.id == id and one.vacuity is None and one.verdict is Verdict.CLOSED
    }
    assert met == {"QV1": "one-epoch", "QV2": "one-epoch", "QV3": "failover", "QV4": "failover"}
