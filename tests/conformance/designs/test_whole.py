"""The compiled rows of the designs against the plain interpreter: the same row, changes and answer."""

import pytest

from fencepost.checkers.conformance.designs import judge

from .plain import AskedTwice
from .recorded import judged, recorded

ASKED = {"kip343": (2, 24), "kip46": (7, 12), "kip631-v1": (2, 25), "kip631-v2": (2, 25)}
"""By design: the seed that is run, and how many different rows it runs at least."""


@pytest.mark.parametrize("design", ASKED)
def test_a_run_is_the_same_for_both(design: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the states of a checked run the interpreter finds the same row, the same answer, and the same changes."""
    monkeypatch.setattr(judge, "WholeRows", AskedTwice)
    seed, least = ASKED[design]
    done = judged(*recorded(design, seed))
    rows = done.rows
    assert isinstance(rows, AskedTwice)
    assert rows.wrong == []
    assert set(done.tally.rows) <= set(rows.asked)
    assert len(done.tally.rows) >= least
