"""TLC and exploration on `zk-data`: the same counts."""

from __future__ import annotations

import pytest

from fencepost.checkers.exploration import explore
from fencepost.checkers.tlc import run_tlc
from fencepost.checkers.verdicts import Verdict
from fencepost.model.registry import find

BOUNDS = find("zk-data").bounds


@pytest.mark.representative("tiny")
@pytest.mark.tlc
@pytest.mark.parametrize("bound", ["tiny", "one", pytest.param("pair", marks=pytest.mark.exhaustive)])
def test_tlc_counts_what_exploration_counts(bound: str) -> None:
    """TLC counts what exploration counts, and finds nothing violated."""
    ours = explore(BOUNDS[bound], bound, engine="numpy")
    found = run_tlc(BOUNDS[bound], bound)
    assert (found.verdict, found.violated) == (Verdict.CLOSED, None)
    assert (found.distinct, found.generated, found.depth) == (ours.distinct, ours.generated, ours.depth)
