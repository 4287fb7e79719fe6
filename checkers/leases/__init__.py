"""Leases in real time: which timers are safe, derived by elimination and proved with Z3, and what settings give.

`timing.py` has one exchange of messages as inequalities, `elimination.py` derives the condition, `regions.py` proves
it, `renewals.py` proves that one exchange is enough, `settings.py` evaluates it for an operator.
"""

from .regions import KEPT, SAFE, Region, Theorem, region, theorems
from .settings import Answer, Settings, answer, duration, share, written
from .timeline import Run, as_svg, as_text, worst_run
from .timing import Delay, Start

__all__ = [
    "KEPT", "SAFE", "Answer", "Delay", "Region", "Run", "Settings", "Start", "Theorem", "answer", "as_svg", "as_text",
    "duration", "region", "share", "theorems", "worst_run", "written",
]  # fmt: skip
