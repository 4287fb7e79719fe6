"""TLC and exploration on KIP-631 version 1: the same counts."""

from __future__ import annotations

import pytest

from fencepost.checkers.tlc import run_tlc
from fencepost.checkers.verdicts import Verdict
from fencepost.model.registry import find
from tests.examples.kip631_v1_counts import COUNTS


@pytest.mark.representative("tiny")
@pytest.mark.tlc
@pytest.mark.parametrize("bound", ["tiny", "moved"])
def test_tlc_counts_what_exploration_counts(bound: str) -> None:
    """TLC counts the states that exploration counts, and finds no violation that is not declared."""
    found = run_tlc(find("kip631-v1").bounds[bound], bound)
    assert (found.verdict, found.violated) == (Verdict.CLOSED, None)
    assert (found.distinct, found.generated, found.depth) == COUNTS[bound]
