"""TLC and exploration on `kraft-loop`: the same counts."""

from __future__ import annotations

import pytest

from fencepost.checkers.exploration import explore
from fencepost.checkers.tlc import run_tlc
from fencepost.checkers.verdicts import Verdict
from fencepost.model.registry import find

BOUNDS = find("kraft-loop").bounds


@pytest.mark.tlc
def test_tlc_counts_what_exploration_counts() -> None:
    """TLC counts what exploration counts, and finds nothing violated."""
    ours = explore(BOUNDS["tiny"], "tiny")
    found = run_tlc(BOUNDS["tiny"], "tiny")
    assert (found.verdict, found.violated) == (Verdict.CLOSED, None)
    assert (found.distinct, found.generated, found.depth) == (ours.distinct, ours.generated, ours.depth)
