"""The tables of `kraft-loop` beside running controllers: each step of a loop, or of Raft, must be rows.

One state represents the quorum, and a step sees a window of its offsets (`window.py`). `logs.py` has the logs of all
epochs in the numbers of the table, `judge.py` the rows of each step, `compare.py` what a node reports of itself;
`spec/loop-lockstep.md` has the mapping.
"""

from .judge import LoopLockStep
from .results import LoopDivergence, LoopResult

__all__ = ["LoopDivergence", "LoopLockStep", "LoopResult"]
