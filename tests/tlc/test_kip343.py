"""TLC and exploration on KIP-343: the same of what comes to pass."""

from __future__ import annotations

from dataclasses import replace

import pytest

from fencepost.checkers.exploration import explore
from fencepost.checkers.tlc import run_tlc
from fencepost.checkers.verdicts import Verdict
from fencepost.model.language import FALSE
from fencepost.model.registry import find

BOUNDS = find("kip343").bounds


@pytest.mark.nightly("tests/cli/test_tlc_runs.py::test_one_claim_of_what_comes_to_pass_is_asked_of_both")
@pytest.mark.tlc
@pytest.mark.parametrize(
    ("bound", "id"),
    [
        ("tiny", "HI9"),
        *(pytest.param(bound, id, marks=pytest.mark.exhaustive) for bound, id in (("lossy", "HI44"), ("roll", "M8"))),
    ],
)
def test_tlc_judges_what_comes_to_pass_as_exploration_does(bound: str, id: str) -> None:
    """Asked of the specification with WF and SF of the same events, TLC says the same."""
    found = run_tlc(BOUNDS[bound], bound, properties=(id,))
    assert (found.verdict, found.violated) == (Verdict.CLOSED, None)


@pytest.mark.representative("kip343+two_answers_in_a_row-HI44")
@pytest.mark.tlc
@pytest.mark.parametrize(("name", "violated"), [("kip343", None), ("kip343+two_answers_in_a_row", "HI44")])
def test_tlc_judges_strong_fairness_as_exploration_does(name: str, violated: str | None) -> None:
    """Where messages are lost for ever TLC too finds HI44 kept, and not by who asks for two answers."""
    lossy = find(name).bounds["lossy"]
    bound, quiet = lossy.bounds["lossy"], dict.fromkeys(("StopBroker", "ControllerFails", "BeginShutdown"), FALSE)
    calm = replace(lossy, bounds={"calm": replace(bound, given={**bound.given, **quiet})})
    found = run_tlc(calm, "calm", properties=("HI44",))
    assert found.violated == violated
    assert (explore(calm, "calm").property("HI44").verdict is Verdict.VIOLATED) == (violated is not None)
