"""TLC and exploration on KIP-46: the same of what comes to pass."""

from __future__ import annotations

import pytest

from fencepost.checkers.exploration import explore
from fencepost.checkers.tlc import run_tlc
from fencepost.model.registry import find

BOUNDS = find("kip46").bounds


@pytest.mark.nightly("tests/cli/test_tlc_runs.py::test_one_claim_of_what_comes_to_pass_is_asked_of_both")
@pytest.mark.tlc
@pytest.mark.parametrize(
    ("bound", "kept"), [("steady", True), pytest.param("targets", False, marks=pytest.mark.exhaustive)]
)
def test_tlc_judges_what_comes_to_pass_as_exploration_does(bound: str, kept: bool) -> None:
    """With WF of the same events TLC says that the dead are healed under one controller, and not if a target fails."""
    found = run_tlc(BOUNDS[bound], bound, properties=("SI7",))
    assert found.verdict is explore(BOUNDS[bound], bound, engine="numpy").property("SI7").verdict
    assert (found.violated is None) == kept
