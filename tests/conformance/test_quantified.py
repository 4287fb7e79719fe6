"""Quantifiers asked of the classes that do not refute them say what those do that are asked of every entity."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from fencepost.checkers.conformance import quantified
from fencepost.checkers.conformance.classes import Classes, Members
from fencepost.checkers.conformance.frames import Env, Frame
from fencepost.checkers.conformance.monitor import Monitor
from fencepost.checkers.conformance.options import Options
from fencepost.checkers.conformance.quantified import Candidates
from fencepost.model.kraft.protocol import KRAFT
from fencepost.traces import read_log

from . import RECORDED

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
