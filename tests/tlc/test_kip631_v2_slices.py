"""TLC and exploration on KIP-631's second version: the same of what comes to pass."""

from __future__ import annotations

import pytest

from fencepost.checkers.tlc import run_tlc
from fencepost.model.registry import find

BOUNDS = find("kip631-v2").bounds


@pytest.mark.nightly("tests/cli/test_tlc_runs.py::test_one_claim_of_what_comes_to_pass_is_asked_of_both")
@pytest.mark.tlc
def test_tlc_judges_a_broker_that_is_cut_off_as_exploration_does() -> None:
    """Asked of the specification with weak fairness of the same events, TLC finds that M4 is not kept."""
    assert run_tlc(BOUNDS["tiny"], "tiny", properties=("M4",)).violated == "M4"


@pytest.mark.nightly("tests/cli/test_tlc_runs.py::test_one_claim_of_what_comes_to_pass_is_asked_of_both")
@pytest.mark.tlc
def test_tlc_finds_the_broker_that_chases_the_log_as_exploration_does() -> None:
    """TLC too finds K11 kept on a log that grows for ever, and not where caught up is the log's end."""
    assert run_tlc(BOUNDS["busy"], "busy", properties=("K11",)).violated is None
    assert run_tlc(find("kip631-v2+log_end").bounds["busy"], "busy", properties=("K11",)).violated == "K11"
