"""The tables of `kraft-loop` beside running controllers: each step of a loop, or of Raft, must be rows."""

from .judge import LoopLockStep
from .results import LoopDivergence, LoopResult

__all__ = ["LoopDivergence", "LoopLockStep", "LoopResult"]
