"""`kraft-whole` at its bounds: counts, what each bound shows, and rows that fire."""

import pytest

from fencepost.checkers.verdicts import Verdict
from fencepost.model.kraft_whole.protocol import KRAFT_WHOLE
from tests.pinned import Pinned

PINNED = Pinned("kraft-whole")
NIGHTLY = {"cut-again": "cut-fence"}
"""The largest bound, and the one that makes its claim in every run."""
CHEAP = [bound for bound in PINNED.counts if bound not in NIGHTLY]
EACH = PINNED.each(CHEAP, nightly=NIGHTLY)


@pytest.mark.representative("cut-fence", "cut-unfence")
@EACH
def test_a_bound_has_its_pinned_counts(bound: str) -> None:
    """Every state is reached and keeps what is claimed; there are as many as when last looked at."""
    PINNED.check(bound)


def test_every_bound_is_pinned() -> None:
    """No bound is left without counts."""
    assert set(PINNED.bounds) == set(PINNED.counts)


@pytest.mark.nightly(
    "tests/exploration/test_manifest.py::test_nothing_is_left_without_a_bound_or_a_reason[kraft-whole]"
)
def test_every_row_fires_at_some_bound() -> None:
    """Each row fires at a bound: every record is appended and replayed, and every row of the loop is run."""
    fired = PINNED.fired(*CHEAP)
    assert {row.id for row in KRAFT_WHOLE.rows} - fired == set()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("bound", "seen"),
    [
        ("cut-fence", ("DX1", "DX2", "DX5")),
        ("cut-unfence", ("DX3", "DX4")),
        pytest.param(
            "cut-again",
            ("DX2",),
            marks=pytest.mark.nightly("test_half_a_result_is_seen_and_made_whole[cut-fence-seen0]"),
        ),
    ],
)
def test_half_a_result_is_seen_and_made_whole(bound: str, seen: tuple[str, ...]) -> None:
    """A result is cut in its middle, and the next controller makes up for it: by a fence, by the balance of leaders."""
    for id in seen:
        assert PINNED.explored(bound).property(id).verdict is Verdict.WITNESSED
