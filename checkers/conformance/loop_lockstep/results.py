"""The results of lock step of the loop: steps by row, what was taken over, differences."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from fencepost.checkers.conformance.lockstep.slices import SliceDivergence, SliceResult
from fencepost.model.kraft_loop import KRAFT_LOOP

_WHOLE = "a leader must end when a part of its bootstrap is in the log; the reference gives it to Raft in one batch"
_MIGRATION = "only the migration from ZooKeeper begins and ends transactions by itself, up to 3.9"
CANNOT: Mapping[str, str] = {
    "QK2": "a node that is elected again has been notified before that there is no leader, and has renounced",
    "QK4": "in the reference only a request can fail with an exception that costs the leadership (QW10)",
    "QW13": _MIGRATION,
    "QW14": _MIGRATION,
    "QW11": "a record that the controller wrote and cannot apply is a broken promise by itself",
    "QS2": "a leader has every record itself: its Raft node loads no snapshot",
}
"""Rows that no run of the reference shows, each with the reason."""

REASONS: Mapping[str, str] = {
    **CANNOT,
    "QA2": "the run must begin with a metadata.version below 3.6-IV1, which has no transactions",
    "QA3": _WHOLE,
    "QA4": _WHOLE,
    "QC5": _WHOLE,
    "QW2": "a request must wait in the queue beyond its deadline, as on a controller that is busy",
    "QW3": "a request must wait in the queue beyond its deadline, as on a controller that is busy",
    "QW6": "a request must be taken from the queue when Raft has a newer leader, and the loop has not heard of it",
    "QW10": "a request must run into a known defect that throws (D5, D6c, D9)",
    "QC6": "a process must end while commits wait in its queue",
    "QS1": "a snapshot must be made, and a node begin after it (metadata.log.max.snapshot.interval.ms)",
    "QW15": "a snapshot must be made of what is stable (metadata.log.max.snapshot.interval.ms)",
}
"""Why a row may stay out of a run, by its id."""


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
