"""Event traces of the designs (KIP-343, KIP-46, KIP-631) checked against their tables, step by step.

A trace has every cell that a step of a run changed: each step must be a row with exactly that answer and these changes.
The reference controllers write such traces; `conform` checks them from files, on Spark too.

A step has the name and the parameters of an event, a cell those of a variable, so that no adapter is needed (ADR 8).
`judge.py` runs the row, `telling.py` has what a trace must contain.
"""

from fencepost.checkers.conformance.lockstep.firing import StepDivergence

from .conform import conform_traces
from .judge import DesignJudge, DesignTally

__all__ = ["DesignJudge", "DesignTally", "StepDivergence", "conform_traces"]
