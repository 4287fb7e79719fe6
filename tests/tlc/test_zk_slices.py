"""TLC and exploration on the slices of the ZooKeeper era: the same of what comes to pass."""

from __future__ import annotations

import pytest

from fencepost.checkers.exploration import explore
from fencepost.checkers.tlc import run_tlc
from fencepost.checkers.tlc.module import render
from fencepost.model.registry import find

BOUNDS = find("zk").bounds
REPEATED = pytest.mark.nightly("tests/cli/test_tlc_runs.py::test_one_claim_of_what_comes_to_pass_is_asked_of_both")


@pytest.mark.tlc
@pytest.mark.parametrize(
    ("bound", "id"),
    [
        pytest.param("directories", "ZI12", marks=REPEATED),
        pytest.param("moving", "ZI14", marks=REPEATED),
        pytest.param("deposed", "ZI13", marks=pytest.mark.exhaustive),
        pytest.param("cancelled", "ZI12", marks=pytest.mark.exhaustive),
    ],
)
def test_tlc_judges_what_comes_to_pass_as_exploration_does(bound: str, id: str) -> None:
    """Asked of the specification with WF of the same events, TLC says the same, kept or not."""
    found = run_tlc(BOUNDS[bound], bound, properties=(id,))
    assert found.verdict is explore(BOUNDS[bound], bound, engine="numpy").property(id).verdict
    assert (found.violated == id) == (bound == "cancelled")


def test_parameters_and_cells_are_within_their_kinds() -> None:
    """A broker taken from a leader is never absent, and a variable of three keys begins on all of them."""
    text = render(BOUNDS["moving"]).text
    assert "{leader[p]} \\intersect Broker" in text
    assert "replica_state = [k \\in Controller, k2 \\in Partition, k3 \\in Broker |->" in " ".join(text.split())
