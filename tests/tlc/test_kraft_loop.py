"""TLC and exploration on `kraft-loop`: the same counts."""

from __future__ import annotations

import pytest

from fencepost.checkers.exploration import explore
from fencepost.checkers.tlc import run_tlc
from fencepost.checkers.verdicts import Verdict
from fencepost.model.registry import find

BOUNDS = find("kraft-loop").bounds


@pytest.mark.tlc
@pytest.mark.parametrize("bound", ["tiny", pytest.param("pair", marks=pytest.mark.exhaustive)])
def test_tlc_counts_what_exploration_counts(bound: str) -> None:
    """TLC counts what exploration counts, and finds nothing violated; at `pair` of 248,723 states."""
    ours = explore(BOUNDS[bound], bound)
    found = run_tlc(BOUNDS[bound], bound)
    assert (found.verdict, found.violated) == (Verdict.CLOSED, None)
    assert (found.distinct, found.generated, found.depth) == (ours.distinct, ours.generated, ours.depth)
