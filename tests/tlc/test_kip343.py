"""TLC and exploration on KIP-343: the same counts, and the same of what comes to pass."""

from __future__ import annotations

import pytest

from fencepost.checkers.tlc import run_tlc
from fencepost.checkers.verdicts import Verdict
from fencepost.model.registry import find
from tests.examples.kip343_counts import FIRST, LARGER

BOUNDS = find("kip343").bounds
COUNTS = {**FIRST, **LARGER}


@pytest.mark.tlc
@pytest.mark.parametrize(
    "bound", ["tiny", *(pytest.param(one, marks=pytest.mark.exhaustive) for one in ("roll", *LARGER) if one != "small")]
)
def test_tlc_counts_what_exploration_counts(bound: str) -> None:
    """TLC counts what exploration counts, and finds no violation that is not declared."""
    found = run_tlc(BOUNDS[bound], bound)
    assert (found.verdict, found.violated) == (Verdict.CLOSED, None)
    assert (found.distinct, found.generated, found.depth) == COUNTS[bound]


@pytest.mark.nightly("tests/tlc/test_kip46.py::test_tlc_judges_what_comes_to_pass_as_exploration_does[steady-True]")
@pytest.mark.tlc
@pytest.mark.parametrize(("bound", "id"), [("tiny", "HI9"), pytest.param("roll", "M8", marks=pytest.mark.exhaustive)])
def test_tlc_judges_what_comes_to_pass_as_exploration_does(bound: str, id: str) -> None:
    """Asked of the specification with WF of the same events, TLC says the same."""
    found = run_tlc(BOUNDS[bound], bound, properties=(id,))
    assert (found.verdict, found.violated) == (Verdict.CLOSED, None)
