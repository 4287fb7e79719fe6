"""What lock step of data finds: steps by row, what was taken over, where the theorem was not asked, differences."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from fencepost.checkers.conformance.lockstep.slices import SliceDivergence, SliceResult
from fencepost.model.kraft_data.protocol import KRAFT_DATA

from .coverage import REASONS

FIRST_CONTROLLER = 3000
"""Nodes from this id on are controllers, in the reference."""


@dataclass(frozen=True, slots=True)
class DataDivergence(SliceDivergence):
    """A step of a broker, or a decision about a partition, that the tables do not have, or have otherwise."""

    what = "data"
    partition: tuple[str, int]

    def heading(self) -> str:
        """Return the line that says which step it is."""
        who = f"{'broker' if self.node < FIRST_CONTROLLER else 'controller'} {self.node}"
        topic, index = self.partition
        return f"step {self.number}: {self.name} of {who} at {self.time_ns / 1e9:.6f} s, partition {topic}-{index}"

    def where(self) -> dict[str, Any]:
        """Return the partition, as JSON values."""
        return {"partition": list(self.partition)}


@dataclass(slots=True)
class DataResult(SliceResult):
    """The judgement of what the brokers of a run did with data.

    `steps` were told by brokers (a step of several records is explained by several rows). `decisions` are the
    controllers' about partitions, `decisions_judged` those that are a row. `left` counts partitions of which the
    theorem was no longer asked, `asked` how often a claim of the theorem was asked.
    """

    protocol = KRAFT_DATA
    reasons = REASONS

    decisions: int = 0
    decisions_judged: int = 0
    partitions: int = 0
    records: int = 0
    asked: int = 0

    def counted(self) -> dict[str, int]:
        """Return the counts of decisions, partitions, records and claims, as JSON values."""
        return {
            "decisions": self.decisions,
            "decisions_judged": self.decisions_judged,
            "partitions": self.partitions,
            "records": self.records,
            "claims_asked": self.asked,
        }

    def as_json(self) -> dict[str, Any]:
        """Return the result as JSON values."""
        return {**SliceResult.as_json(self), "theorem_not_asked": dict(sorted(self.left.items()))}
