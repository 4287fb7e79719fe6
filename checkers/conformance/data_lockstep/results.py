"""The results of lock step of data: steps by row, adopted states, where the theorem was not evaluated, differences."""

from __future__ import annotations

from dataclasses import dataclass

from fencepost.checkers.conformance.lockstep.slices import SliceDivergence, SliceResult
from fencepost.model.kraft_data.protocol import KRAFT_DATA

from .coverage import REASONS

FIRST_CONTROLLER = 3000
"""Nodes from this id on are controllers, in the reference."""


@dataclass(frozen=True, slots=True)
class DataDivergence(SliceDivergence):
    """A step of a broker, or a decision about a partition, that the tables do not have, or have otherwise."""

    DOCUMENT = "step=number name node time_ns partition what message=reason told rows near"  # codespell:ignore

    what = "data"
    partition: tuple[str, int]

    def heading(self) -> str:
        """Return the line that says which step it is."""
        who = f"{'broker' if self.node < FIRST_CONTROLLER else 'controller'} {self.node}"
        topic, index = self.partition
        return f"step {self.number}: {self.name} of {who} at {self.time_ns / 1e9:.6f} s, partition {topic}-{index}"


@dataclass(slots=True)
class DataResult(SliceResult):
    """The judgement of what the brokers of a run did with data.

    `steps` were reported by brokers (a step of several records is explained by several rows). `decisions` are the
    controllers' about partitions, `decisions_judged` those that are a row. `left` counts partitions for which the
    theorem was no longer evaluated, `asked` how often a claim of the theorem was evaluated.
    """

    DOCUMENT = (
        "steps steps_judged decisions decisions_judged partitions records claims_asked=asked rows:sorted "
        "rows_never_fired not_judged=by_reason taken_over=adopted:sorted theorem_not_asked=left:sorted"
    )

    protocol = KRAFT_DATA
    reasons = REASONS

    decisions: int = 0
    decisions_judged: int = 0
    partitions: int = 0
    records: int = 0
    asked: int = 0
