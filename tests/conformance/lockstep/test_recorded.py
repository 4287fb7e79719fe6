"""A real controller in lock step: three and a half thousand requests, right and wrong, and what it did by itself."""

import pytest

from fencepost.checkers.conformance.lockstep import Given
from fencepost.traces.steps import Step

from .recorded_steps import recorded_steps
from .watched import judged

PREFIX = 420
"""So many requests are the beginning."""
FORMATTED = Given(None)
"""What the recorded cluster was formatted with is read off its log."""


def test_a_real_controller_is_in_lock_step_at_the_beginning() -> None:
    """The first requests, the fences and what is idle between them are rows, and no soft state differs."""
    judge, divergences = judged(recorded_steps(PREFIX), session_timeout_ms=None, given=FORMATTED)
    assert [one.text() for one in divergences] == []
    assert {name for name, _ in judge.out.not_judged} == {"contact", "registerController"}
    rows = judge.out.rows
    assert (rows["AC1"], rows["F1"] + rows["F2"] > 0, rows["NO1"] > 0) == (1, True, True)
    assert len(rows) > 30


@pytest.mark.nightly("test_a_real_controller_is_in_lock_step_at_the_beginning")
def test_a_real_controller_is_in_lock_step() -> None:
    """Every request, every fence and every idle record of the recording is a row, and no soft state differs."""
    steps = recorded_steps()
    judge, divergences = judged(steps, session_timeout_ms=None, given=FORMATTED)
    assert [one.text() for one in divergences] == []
    assert {name for name, _ in judge.out.not_judged} == {"contact", "registerController"}
    rows = judge.out.rows
    assert (rows["F1"] + rows["F2"], rows["NO1"], rows["FO1"], rows["AC1"]) == (28, 36, 3, 1)
    assert len(rows) >= 65
    assert {"OD2", "RG8", "AD3", "CF14"} <= set(judge.out.finding_counts)


def told(steps: tuple[Step, ...], plain: bool) -> object:
    """Return all that lock step says of steps."""
    judge, divergences = judged(steps, session_timeout_ms=None, given=FORMATTED, plain=plain)
    return judge.out.as_json(), [one.text() for one in divergences]


def test_plain_and_compiled_rows_agree_on_the_beginning() -> None:
    """The interpreter evaluates the first steps of the recording as the compiled rows do."""
    steps = recorded_steps(PREFIX)
    assert told(steps, plain=False) == told(steps, plain=True)


@pytest.mark.nightly("test_plain_and_compiled_rows_agree_on_the_beginning")
def test_plain_and_compiled_rows_agree() -> None:
    """So it is for the whole recording."""
    steps = recorded_steps()
    assert told(steps, plain=False) == told(steps, plain=True)
