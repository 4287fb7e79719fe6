"""Runs walked by hand: a state, the rows enabled there, why another is not, and runs written down that replay."""

from __future__ import annotations

from .reading import condition, value_of
from .runs import replay_run, written_run
from .stepper import Enabled, Stepper
from .written import Differs, WrittenRun, WrittenStep, written

__all__ = [
    "Differs", "Enabled", "Stepper", "WrittenRun", "WrittenStep", "condition", "replay_run", "value_of", "written",
    "written_run",
]  # fmt: skip
