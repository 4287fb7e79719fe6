"""Which rows a recording can show: those whose events have a line, or leave something in ZooKeeper."""

import ast
from pathlib import Path

import pytest

from fencepost.checkers.conformance.zk import facts
from fencepost.model.zk import ZK

from . import NAMES, judged

JUDGE = Path(facts.__file__).parent


@pytest.mark.parametrize("name", NAMES)
def test_rows_that_a_recording_exercises_are_told(name: str) -> None:
    """No row that explains something in a recording is among those that no recording could show."""
    result = judged(name)
    exercised = {*result.rows, *(row for rows in result.classes for row in rows)}
    assert exercised
    assert all(facts.is_told(row) for row in ZK.rows if row.id in exercised)
    assert exercised | set(result.rows_never_seen) == {row.id for row in ZK.rows}
    assert set(result.rows_untold) <= set(result.rows_never_seen)


def test_every_event_that_the_judge_asks_for_is_listed() -> None:
    """The events that the modules of the checker name are those in lines and those in znodes, and no other."""
    events = {event.name for event in ZK.events}
    asked = {
        node.value
        for file in JUDGE.glob("*.py")
        if file.name != "facts.py"
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and node.value in events
    }
    assert asked == facts.IN_LINES | facts.IN_ZNODES


def test_what_leads_from_call_to_call_is_not_told() -> None:
    """The row that ends a call of an operation, and a refusal that is only answered, leave nothing behind."""
    rows = {row.id: facts.is_told(row) for row in ZK.rows}
    assert not rows["ZC1a"]
    assert not rows["ZC10a"]
    assert rows["ZC10"]
    assert rows["ZP3n"]
