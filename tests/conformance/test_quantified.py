"""Quantifiers asked of the classes that do not refute them say what those do that are asked of every entity."""

from typing import Any

import pytest

from fencepost.checkers.conformance.classes.changes import Change
from fencepost.checkers.conformance.classes.classes import Classes
from fencepost.checkers.conformance.classes.frames import UNKNOWN, values
from fencepost.checkers.conformance.classes.members import Members, joined
from fencepost.checkers.conformance.evaluation import quantified
from fencepost.checkers.conformance.matching.matching import Matcher
from fencepost.checkers.conformance.printed_rows.units import PrintedUnits
from fencepost.checkers.conformance.reading.monitor import Monitor
from fencepost.checkers.conformance.reading.options import Options
from fencepost.checkers.conformance.state.replay import HardState
from fencepost.model.kraft.protocol import KRAFT
from fencepost.traces import read_log

from . import RECORDED

pytestmark = pytest.mark.usefixtures("by_class")


@pytest.mark.parametrize("by_class", [True, False])
def test_values_of_which_the_first_record_cannot_be_are_not_tried(
    by_class: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A log with partitions that are not on all brokers says the same where every broker is tried for every row."""
    log = read_log(RECORDED / "reassignment")
    tried, left_out = Matcher._tried_of, list[Any]()

    def noted(self: Matcher, plan: Any, var: Any, *rest: Any) -> Any:
        kept, every = tried(self, plan, var, *rest), values(self.state.frame, var.kind) or (UNKNOWN,)
        left_out.extend(one for one in every if one not in kept)
        return kept

    monkeypatch.setattr(PrintedUnits, "parse", lambda self, records, offsets: None)
    monkeypatch.setattr(Matcher, "_tried_of", noted)
    found = repr(Monitor(KRAFT, Options(by_class=by_class)).judge(log))
    monkeypatch.setattr(
        Matcher, "_tried_of", lambda self, plan, var, *rest: values(self.state.frame, var.kind) or (UNKNOWN,)
    )
    assert left_out
    assert repr(Monitor(KRAFT, Options(by_class=by_class)).judge(log)) == found


def test_a_record_about_all_is_asked_of_those_that_it_may_change() -> None:
    """Of many partitions of which one has eligible leader replicas, a record that clears them tries that one alone."""
    layout = Monitor(KRAFT).layout
    state = HardState(layout)
    numbers = {one.name: number for number, one in enumerate(layout.states)}
    partitions = [("topic", number) for number in range(quantified.FEW + 2)]
    for one in partitions:
        state.see("Partition", one)
        state.apply([Change((numbers["exists"], (one,)), False, True)])
    state.apply([Change((numbers["elr"], (partitions[7],)), frozenset(), frozenset({3}))])
    clears = next(one for one in KRAFT.records if one.name == "ClearAllElr")
    tried = [update.selects[0](state.frame, {}) for update in layout.replay(clears) if update.selects[0] is not None]
    assert [list(one or partitions) for one in tried] == [[partitions[7]]] * 4


def test_what_either_of_two_conditions_may_hold_of_stays_whole_classes() -> None:
    """Entities of several classes are given by these, and listed with others only where those are no whole classes."""
    classes = Classes("Partition", (False,), (None,))
    for number in range(6):
        classes.move(("topic", number), classes.step(0, 0, (), number % 3))
    one, two = Members(classes, [1, 2]), Members(classes, [2, 3])
    both = joined((one, two))
    assert isinstance(both, Members)
    assert list(both.numbers) == [1, 2, 3]
    assert set(both) == set(classes.entities)
    assert set(joined((one, {("topic", 9): None}))) == {*one, ("topic", 9)}
    assert classes.present() == [1, 2, 3]
    for number in range(0, 6, 3):
        classes.move(("topic", number), 0)
    assert classes.present() == [0, 2, 3]
