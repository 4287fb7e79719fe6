"""The results of lock step of the loop: steps by row, what was taken over, differences."""

from __future__ import annotations

from dataclasses import dataclass

from fencepost.checkers.conformance.lockstep.slices import SliceDivergence, SliceResult
from fencepost.model.kraft_loop import KRAFT_LOOP

from .coverage import REASONS


@dataclass(frozen=True, slots=True)
class LoopDivergence(SliceDivergence):
    """A step of a loop that the tables do not have, or have otherwise."""

    what = "loop"

    def heading(self) -> str:
        """Return the line that says which step it is."""
        return f"step {self.number} of the loops: {self.name}, controller {self.node} at {self.time_ns / 1e9:.6f} s"


@dataclass(slots=True)
class LoopResult(SliceResult):
    """The judgement of the loops of a run; `left` counts runs that were checked no further from some step on."""

    DOCUMENT = f"{SliceResult.DOCUMENT} judged_no_further=left:sorted"

    protocol = KRAFT_LOOP
    reasons = REASONS
