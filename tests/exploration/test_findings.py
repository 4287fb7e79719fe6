"""What an exploration finds: shortest runs, deadlock, rows at the end of their range, moments inside rows, vacuity."""

from typing import Any

import numpy as np
import pytest

from fencepost.checkers.exploration import DEADLOCK, explore
from fencepost.checkers.exploration.columns import ColumnEngine
from fencepost.checkers.exploration.expansion import Expansion
from fencepost.checkers.verdicts import ReplayFailed, Verdict
from fencepost.model.language.vocabulary import *

ENGINES = ("numpy", "llvm")


class Node(Entity):
    """A node."""


NODE, COUNT = sort(Node), counter("count")
n, m, k = NODE.var("n"), NODE.var("m"), COUNT.var("k")
total = cell("total", COUNT, initial=0)
level = per(NODE, "level", COUNT, initial=0)
on = per(NODE, "on", BOOL)
slot = per(COUNT, "slot", BOOL)
NUMBER = required("node", NODE)
SWITCH = record("Switch", NUMBER, replay=on[NUMBER.value].becomes(~on[NUMBER.value]))
COUNTED = record("Counted", NUMBER, replay=total.becomes(total + 1))


def climbing() -> Protocol:
    """A counter that climbs by one or by two up to its bound."""
    by = event("Climb", source="test")
    return protocol(
        "climbing",
        table(
            "rows",
            by("C1", total < 9, total.becomes(total + 1)),
            event("Leap", source="test")("C2", TRUE, total.becomes(total + 2)),
        ),
        properties=[
            always("BelowFour", total < 4, expected="violated"),
            always("BelowSix", total < 6),
            sometimes("Five", total.is_(5)),
            sometimes("Never", total > 7),
            step("NoLeap", next_(total) <= total + 1, rows=("C1",)),
            step("Slow", next_(total) <= total + 1),
            leads_to("Arrives", total.is_(0), total.is_(7), ("Climb",)),
        ],
        bounds={"seven": Bound({"count": 7})},
    )


@pytest.mark.parametrize("engine", ENGINES)
def test_traces_are_shortest(engine: Any) -> None:
    """Each failing property has the shortest run of its own, though another fails before it."""
    result = explore(climbing(), "seven", engine=engine)
    four, six, five = (result.property(id) for id in ("BelowFour", "BelowSix", "Five"))
    assert (four.depth, six.depth, five.depth) == (3, 4, 4)
    for one in (four, six, five):
        assert one.trace is not None
        assert len(one.trace.steps) == one.depth - 1  # type: ignore[operator]
    assert [s.row.id for s in four.trace.steps] == ["C2", "C2"]  # type: ignore[union-attr]
    assert result.verdict is Verdict.VIOLATED
    assert four.as_declared
    assert not six.as_declared


@pytest.mark.parametrize("engine", ENGINES)
def test_a_row_that_leaves_its_range_is_disabled_and_counted(engine: Any) -> None:
    """At the bound climbing is disabled by its range: one such climb, two such leaps, counted, and no deadlock."""
    result = explore(climbing(), "seven", engine=engine)
    assert result.distinct == 8
    assert dict(result.out_of_range) == {"C1": 1, "C2": 2}
    assert result.rows_fired == {"C1": 7, "C2": 6}
    assert result.transitions == 1 + 7 + 6
    assert result.property(DEADLOCK).verdict is Verdict.CLOSED


def test_a_step_may_be_one_rows_only() -> None:
    """A step property with rows is checked for those rows alone."""
    result = explore(climbing(), "seven")
    assert result.property("NoLeap").verdict is Verdict.CLOSED
    slow = result.property("Slow")
    assert slow.verdict is Verdict.VIOLATED
    assert [s.row.id for s in slow.trace.steps] == ["C2"]  # type: ignore[union-attr]


def test_a_claim_without_a_witness_is_vacuous() -> None:
    """A `sometimes` that no state shows is vacuous; a run that may leap over the goal and out of its range is open."""
    result = explore(climbing(), "seven")
    assert result.property("Five").verdict is Verdict.WITNESSED
    assert result.property("Never").verdict is Verdict.VACUOUS
    arrives = result.property("Arrives")
    assert arrives.verdict is Verdict.INCONCLUSIVE
    assert "alone disables C2" in arrives.message
    assert "weak fairness of Climb" in arrives.message


@pytest.mark.parametrize("engine", ENGINES)
def test_deadlock_is_found_unless_the_protocol_ends(engine: Any) -> None:
    """A state without an enabled row with effects is a deadlock, at its depth, unless the protocol declares an end."""

    def counting(ends: bool) -> Protocol:
        up = event("Up", source="test")
        ask = event("Ask", source="test")
        rows = table("rows", up("U1", total < 3, total.becomes(total + 1)), ask("Q1", TRUE))
        return protocol("counting", rows, bounds={"b": Bound({"count": 5})}, ends=ends)

    found = explore(counting(False), "b", engine=engine).property(DEADLOCK)
    assert (found.verdict, found.depth) == (Verdict.VIOLATED, 4)
    assert len(found.trace.steps) == 3  # type: ignore[union-attr]
    with pytest.raises(KeyError):
        explore(counting(True), "b", engine=engine).property(DEADLOCK)


@pytest.mark.parametrize("engine", ENGINES)
def test_a_key_outside_its_range_reads_the_initial_value_and_is_not_written(engine: Any) -> None:
    """Reading a slot past the bound gives its initial value; a row that would write one is disabled and counted."""
    take = event("Take", source="test")
    rows = table("rows", take("T1", ~slot[total + 1], slot[total + 1].becomes(TRUE), total.becomes(total + 1)))
    taking = protocol("taking", rows, bounds={"b": Bound({"count": 2})})
    result = explore(taking, "b", engine=engine)
    assert result.distinct == 3
    assert dict(result.out_of_range) == {"T1": 1}


def switching(*properties: Any) -> Protocol:
    """All nodes switch at once: a record for each, in any order, and then one that counts."""
    switch = event("Switch", n, source="test")
    rows = table("rows", switch("S1", total < 2, every(m, TRUE, SWITCH(m)), COUNTED(n)))
    return protocol("switching", rows, properties=properties, bounds={"b": Bound({"Node": 3, "count": 2})}, ends=True)


ALIKE = forall(n, forall(m, on[n].is_(on[m])))


@pytest.mark.parametrize("engine", ENGINES)
def test_a_violation_between_two_records_is_found(engine: Any) -> None:
    """What fails only in the middle of a row is found after every record and invisible at result boundaries."""
    result = explore(
        switching(
            always("Inside", ALIKE, scope=AFTER_EVERY_RECORD), always("Between", ALIKE, scope=AT_RESULT_BOUNDARIES)
        ),
        "b",
        engine=engine,
    )
    inside = result.property("Inside")
    assert (inside.verdict, inside.depth) == (Verdict.VIOLATED, 2)
    assert inside.trace is not None
    assert inside.trace.middle is not None
    assert 0 < len(inside.trace.middle.chosen) < 3
    assert result.property("Between").verdict is Verdict.CLOSED
    assert result.distinct == 3


@pytest.mark.parametrize("engine", ENGINES)
def test_a_step_is_one_record_or_one_row(engine: Any) -> None:
    """After every record a step switches one node, or counts; at result boundaries it does all of that."""
    one = forall(n, forall(m, n.isnt(m).implies(on[n].is_(next_(on[n])) | on[m].is_(next_(on[m])))))
    apart = total.is_(next_(total)) | forall(n, on[n].is_(next_(on[n])))
    result = explore(
        switching(
            step("OneNode", one, scope=AFTER_EVERY_RECORD),
            step("Apart", apart, scope=AFTER_EVERY_RECORD),
            step("OneNodeARow", one, scope=AT_RESULT_BOUNDARIES),
            step("NoneOn", ~exists(n, next_(on[n]) & ~on[n]) | exists(n, on[n]), scope=AFTER_EVERY_RECORD),
            step("Counts", total.is_(next_(total)) | ~on[n], rows=("S1",), scope=AFTER_EVERY_RECORD),
        ),
        "b",
        engine=engine,
    )
    assert result.property("OneNode").verdict is Verdict.CLOSED
    assert result.property("Apart").verdict is Verdict.CLOSED
    assert result.property("OneNodeARow").verdict is Verdict.VIOLATED
    first_switch = result.property("NoneOn")
    assert first_switch.verdict is Verdict.VIOLATED
    assert len(first_switch.trace.middle.chosen) == 1  # type: ignore[union-attr]
    counted = result.property("Counts")
    assert (counted.verdict, counted.trace.middle.stage) == (Verdict.VIOLATED, 1)  # type: ignore[union-attr]


def test_a_wrong_engine_is_caught_by_the_replay(monkeypatch: pytest.MonkeyPatch) -> None:
    """A run that the interpreter does not reproduce raises `ReplayFailed` instead of being shown."""
    honest = ColumnEngine.expand

    def wrong(self: ColumnEngine, number: int, cells: Any, start: int, alive: Any) -> Expansion:
        expansion = honest(self, number, cells, start, alive)
        expansion.rows[:, 0] = np.minimum(expansion.rows[:, 0] + 1, 7)
        return expansion

    monkeypatch.setattr(ColumnEngine, "expand", wrong)
    with pytest.raises(ReplayFailed):
        explore(climbing(), "seven", engine="numpy")


def test_the_search_can_stop_at_the_first_violation() -> None:
    """With `stop_at_first` the search ends after the level of the first violation and calls the rest inconclusive."""
    result = explore(climbing(), "seven", stop_at_first=True)
    assert result.property("Slow").verdict is Verdict.VIOLATED
    assert result.property("BelowSix").verdict is Verdict.INCONCLUSIVE
    assert result.depth < 8


def test_unused_literals_do_not_matter() -> None:
    """A guard that is false is never enabled, and its row is reported as never fired."""
    rows = table(
        "rows",
        event("Up", source="test")("U1", total < 1, total.becomes(total + 1)),
        event("Off", n, source="test")("O1", on[n], on[n].becomes(FALSE)),
    )
    result = explore(protocol("off", rows, bounds={"b": Bound({"count": 1, "Node": 2})}, ends=True), "b")
    assert result.rows_never_fired == ("O1",)
