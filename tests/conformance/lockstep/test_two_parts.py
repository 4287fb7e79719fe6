"""Heartbeats that change what their broker is and report failed directories; what is claimed of an exception."""

import pytest

from fencepost.checkers.conformance.lockstep import Divergence, LockStep
from fencepost.model.kraft.protocol import KRAFT
from fencepost.model.language import AT_RESULT_BOUNDARIES, FALSE, step
from fencepost.traces.steps import RENOUNCE

from .two_parts import ENDINGS, ONE, OTHER, ended, led, reported, thrown
from .watched import FORMATTED, Watched, judged


def last(node: Watched) -> tuple[LockStep, list[Divergence], set[str]]:
    """Return what lock step says of all steps, and the rows of the last."""
    before, _ = judged(node.steps[:-1])
    judge, found = judged(node.steps)
    return judge, found, set((judge.out.rows - before.out.rows).keys())


@pytest.mark.parametrize("row", ENDINGS)
def test_a_heartbeat_with_two_parts_is_one_row(row: str) -> None:
    """A heartbeat that changes its broker and reports failed directories is one row; one that only reports is OD3."""
    node = reported(row)
    judge, found, rows = last(node)
    assert [one.text() for one in found] == []
    assert row in rows
    assert not {"HB1", "HB2", "HB4", "HB5", "HB6", "HB7", "HB10"} & rows
    assert ("D34" in {one.finding for one in judge.out.findings}) is (row in ("HD2", "HD2n"))


def test_a_shutdown_may_end_with_a_failed_directory() -> None:
    """A broker that leads nothing any more is fenced by the heartbeat that reports the directory."""
    node = ended()
    _, found, rows = last(node)
    assert [one.text() for one in found] == []
    assert "HD10" in rows


def test_cordoned_directories_stand_behind_both_parts() -> None:
    """A third part of the heartbeat is a row of its own."""
    node = led()
    node.heartbeat(1, want_fence=True)
    node.heartbeat(1, offline_log_dirs=(ONE,), cordoned_log_dirs=(OTHER,))
    _, found, rows = last(node)
    assert [one.text() for one in found] == []
    assert {"HD2", "HC1"} <= rows


def test_nothing_is_asked_of_an_answer_that_an_exception_threw_away() -> None:
    """The shutdown of a heartbeat that ends with D5 takes no leadership away, and B15 is not evaluated for it."""
    node = thrown()
    assert node.steps.pop().name == RENOUNCE
    judge, found, rows = last(node)
    assert node.steps[-1].fault
    assert [one.text() for one in found] == []
    assert rows == {"HD0"}
    assert "D5" in {one.finding for one in judge.out.findings}


def test_a_claim_about_no_entity_names_none() -> None:
    """The sentence of a claim without variables has no "of" before nothing."""
    never = step("X1", FALSE, "It never happens.", scope=AT_RESULT_BOUNDARIES, rows=("HB8",))
    node = led()
    node.heartbeat(1)
    judge = LockStep(KRAFT.claiming(never, name="kraft"), given=FORMATTED)
    messages = [found.message for one in node.steps if (found := judge.step(one)) is not None]
    assert messages
    assert {one for one in messages if one.startswith("X1")} == {"X1 does not hold: It never happens."}
