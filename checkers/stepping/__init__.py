"""Runs walked by hand: a state, the rows enabled there, why another is not, and runs written down that replay.

`stepper.py` walks a bound row by row and says why a row is not enabled, `reading.py` reads values and conditions from
text, `runs.py` writes and replays runs, `written.py` reads them without a protocol, `as_tests.py` writes pytest
files.
"""

from __future__ import annotations

from .reading import condition, value_of
from .runs import replay_run, written_run
from .stepper import Enabled, Stepper
from .written import Differs, WrittenRun, WrittenStep, written

__all__ = [
    "Differs", "Enabled", "Stepper", "WrittenRun", "WrittenStep", "condition", "replay_run", "value_of", "written",
    "written_run",
]  # fmt: skip
