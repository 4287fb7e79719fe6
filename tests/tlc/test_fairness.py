"""TLC and exploration on slices of several protocols: the same of what comes to pass."""

from dataclasses import replace

import pytest

from fencepost.checkers.exploration import explore
from fencepost.checkers.tlc import run_tlc
from fencepost.checkers.tlc.module import render
from fencepost.checkers.verdicts import Verdict
from fencepost.model.language import FALSE
from fencepost.model.registry import find

REPEATED = pytest.mark.nightly("tests/cli/test_tlc_runs.py::test_one_claim_of_what_comes_to_pass_is_asked_of_both")
MINUTES = pytest.mark.exhaustive


@pytest.mark.tlc
@pytest.mark.parametrize(
    ("name", "bound", "id", "kept"),
    [
        pytest.param("kip343", "tiny", "HI9", True, marks=REPEATED),
        pytest.param("kip343", "lossy", "HI44", True, marks=MINUTES),
        pytest.param("kip343", "roll", "M8", True, marks=MINUTES),
        pytest.param("kip46", "steady", "SI7", True, marks=REPEATED),
        pytest.param("kip46", "targets", "SI7", False, marks=MINUTES),
        pytest.param("kip631-v2", "tiny", "M4", False, marks=REPEATED),
        pytest.param("kip631-v2", "busy", "K11", True, marks=REPEATED),
        pytest.param("kip631-v2+log_end", "busy", "K11", False, marks=REPEATED),
        pytest.param("zk", "directories", "ZI12", True, marks=REPEATED),
        pytest.param("zk", "moving", "ZI14", True, marks=REPEATED),
        pytest.param("zk", "deposed", "ZI13", True, marks=MINUTES),
        pytest.param("zk", "cancelled", "ZI12", False, marks=MINUTES),
    ],
)
def test_tlc_judges_what_comes_to_pass_as_exploration_does(name: str, bound: str, id: str, kept: bool) -> None:
    """Asked of the specification with WF and SF of the same events, TLC says the same, kept or not."""
    tables = find(name).bounds[bound]
    found = run_tlc(tables, bound, properties=(id,))
    assert found.violated == (None if kept else id)
    assert found.verdict is explore(tables, bound, engine="numpy").property(id).verdict


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


def test_parameters_and_cells_are_within_their_kinds() -> None:
    """A broker taken from a leader is never absent, and a variable of three keys begins on all of them."""
    text = render(find("zk").bounds["moving"]).text
    assert "{leader[p]} \\intersect Broker" in text
    assert "replica_state = [k \\in Controller, k2 \\in Partition, k3 \\in Broker |->" in " ".join(text.split())
