"""The results of lock step of data: steps by row, adopted states, where the theorem was not evaluated, differences."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from fencepost.checkers.conformance.lockstep.slices import SliceDivergence, SliceResult
from fencepost.model.kraft_data.protocol import KRAFT_DATA

REASONS: Mapping[str, str] = {
    "DC13": "a proposed member must be fenced or have restarted while its proposal is under way",
    "DC14": "a leader must be alone in the ISR beside one that is eligible and runs, and be fenced",
    "DC15": "a leader must be alone in the ISR beside one that is eligible and runs, and register before it is fenced",
    "DC16": "the reference elects in the result of a proposal only where a reassignment ends with it, or in a shutdown",
    "DC20": "the last broker that may lead must register where unclean elections are enabled and another runs",
    "DL4": "a follower must lag for replica.lag.time.max.ms, 30 s, and not be fenced",
    "DL5": "a proposed member must be fenced or have restarted while its proposal is under way",
    "DF1": "an election must find a follower with records that the new leader has not",
}
"""Why a row may stay out of a run, by its id."""


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
