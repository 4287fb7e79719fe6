"""TLC and exploration on every slice of KRaft: the same states, transitions and levels."""

from __future__ import annotations

import pytest

from fencepost.checkers.tlc import run_tlc
from fencepost.checkers.verdicts import Verdict
from fencepost.model.registry import find
from tests.examples.kraft_counts import FIRST, LARGER


@pytest.mark.representative("growth")
@pytest.mark.tlc
@pytest.mark.parametrize("bound", FIRST)
def test_tlc_counts_what_exploration_counts(bound: str) -> None:
    """At the first bound of a slice TLC counts what exploration counts, and finds no violation that is not declared."""
    found = run_tlc(find("kraft").bounds[bound], bound)
    assert (found.verdict, found.violated) == (Verdict.CLOSED, None)
    assert (found.distinct, found.generated, found.depth) == FIRST[bound]


@pytest.mark.tlc
@pytest.mark.exhaustive
def test_tlc_counts_the_same_at_a_larger_bound() -> None:
    """At the bound where unclean elections are allowed TLC counts what exploration counts there too."""
    found = run_tlc(find("kraft").bounds["unclean"], "unclean")
    assert (found.verdict, found.violated) == (Verdict.CLOSED, None)
    assert (found.distinct, found.generated, found.depth) == LARGER["unclean"]
