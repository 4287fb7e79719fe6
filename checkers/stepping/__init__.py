"""Runs walked by hand: a state, the rows enabled there, why another is not, and runs written down that replay."""

from __future__ import annotations

from .reading import condition, value_of
from .runs import Differs, replay_run, written_run
from .stepper import Enabled, Stepper

__all__ = ["Differs", "Enabled", "Stepper", "condition", "replay_run", "value_of", "written_run"]
