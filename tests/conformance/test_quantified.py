"""Quantifiers asked of the classes that do not refute them say what those do that are asked of every entity."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from fencepost.checkers.conformance import quantified
from fencepost.checkers.conformance.classes import Classes
from fencepost.checkers.conformance.frames import Env, Frame
from fencepost.checkers.conformance.members import Members, joined
from fencepost.checkers.conformance.monitor import Monitor
from fencepost.checkers.conformance.options import Options
from fencepost.checkers.conformance.quantified import Candidates
from fencepost.checkers.conformance.replay import Change, HardState
from fencepost.model.kraft.protocol import KRAFT
from fencepost.traces import read_log

from . import RECORDED

pytestmark = pytest.mark.usefixtures("by_class")

SCENARIOS = ("rolling-restart", "reassignment", "kill-nine-elr", "delete-recreate")


@pytest.mark.representative("reassignment")
@pytest.mark.parametrize("name", SCENARIOS)
def test_a_log_is_judged_as_where_every_entity_is_asked(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Verdict, rows, findings and the counts of every property are the same, though entities are left out."""
    log = read_log(RECORDED / name)
    plain = Monitor(KRAFT, Options(by_class=False)).judge(log)
    left = Candidates._left
    fewer: list[bool] = []

    def noted(
        self: Candidates, conditions: Sequence[Any], classes: Classes, found: Members | None, frame: Frame, env: Env
    ) -> Members:
        kept = left(self, conditions, classes, found, frame, env)
        fewer.append(len(kept) < len(classes.entities if found is None else found))
        return kept

    monkeypatch.setattr(quantified, "FEW", 0)
    monkeypatch.setattr(Candidates, "_left", noted)
    assert repr(Monitor(KRAFT).judge(log)) == repr(plain)
    assert any(fewer)


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
    """Entities of several classes are told by these, and listed with others only where those are no whole classes."""
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
