"""One log of a quorum: its batches by offset, its epochs, and what the small files beside it say."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from fencepost.checkers.conformance.records.control_records import leader_of, opens
from fencepost.checkers.conformance.records.voters import Voters
from fencepost.traces import Batch, MetadataLog
from fencepost.traces.node_files import NodeFiles

from .results import QuorumResult


@dataclass(frozen=True, slots=True)
class Term:
    """The batches that a log has of one epoch: [start, end) by offset, and its leader where its beginning is there.

    `data` is the offset of the first record that the controller wrote, None where only Raft wrote. `is_opened` is
    whether the term begins with a leader change.
    """

    epoch: int
    start: int
    end: int
    leader: int | None
    is_opened: bool
    data: int | None


@dataclass(eq=False)
class Member:
    """A log with a batch in it; `broken_at` is the offset from which on it is known to differ wrongly, None if nowhere.

    `is_damaged`: bytes in front of its end cannot be read, so that what is missing in it says nothing.
    """

    log: MetadataLog
    files: NodeFiles
    is_damaged: bool = False
    broken_at: int | None = None

    @property
    def name(self) -> str:
        """Its path."""
        return self.log.path

    @property
    def batches(self) -> Sequence[Batch]:
        """Its batches, in the log's order."""
        return self.log.batches

    @property
    def start(self) -> int:
        """The first offset that it has."""
        return self.batches[0].base_offset

    @cached_property
    def end(self) -> int:
        """The offset behind its last record."""
        return max(batch.last_offset for batch in self.batches) + 1

    @cached_property
    def by_offset(self) -> dict[int, Batch]:
        """Its batches by the first offset of each."""
        return {batch.base_offset: batch for batch in self.batches}

    @cached_property
    def _bases(self) -> list[int]:
        return sorted(self.by_offset)

    def batch_at(self, offset: int) -> Batch | None:
        """Return the batch that holds an offset."""
        at = bisect_right(self._bases, offset)
        batch = self.by_offset[self._bases[at - 1]] if at else None
        return batch if batch is not None and batch.last_offset >= offset else None

    def epoch_at(self, offset: int) -> int | None:
        """Return the epoch of the record at an offset, None where the log does not have it."""
        batch = self.batch_at(offset)
        return None if batch is None else batch.epoch

    @cached_property
    def voters(self) -> frozenset[int]:
        """The voters with which a leader counts whose log this is, by its end; empty where nothing names them.

        Source: KRaftControlRecordStateMachine, LeaderState of Kafka 4.4.0.
        """
        return frozenset(Voters.at_end(self.log, self.files.voters).ids)

    def is_sound_below(self, end: int) -> bool:
        """Whether nothing that was found wrong with it touches the offsets below an end."""
        return self.broken_at is None or end <= self.broken_at

    def violate(self, result: QuorumResult, rule: str, offset: int, message: str, against: Sequence[str] = ()) -> None:
        """Add a violation of this log, at the batch that holds an offset."""
        batch = self.batch_at(offset)
        segment, epoch = ("", None) if batch is None else (batch.segment, batch.epoch)
        result.violate(rule, self.name, segment, offset, epoch, message, against)

    def breaks(self, offset: int) -> None:
        """Note that it differs from an offset on: what follows from that is not reported again."""
        self.broken_at = offset if self.broken_at is None else min(self.broken_at, offset)

    @cached_property
    def terms(self) -> tuple[Term, ...]:
        """Its epochs in the log's order, each from its first batch to the first one of another epoch."""
        found: list[Term] = []
        run: list[Batch] = []
        for batch in (*self.batches, None):
            if run and (batch is None or batch.epoch != run[0].epoch):
                found.append(_term(run))
                run = []
            if batch is not None:
                run.append(batch)
        return tuple(found)


def _term(batches: list[Batch]) -> Term:
    first = batches[0]
    named = [node for node in map(leader_of, first.records) if node is not None] if opens(first) else []
    return Term(
        epoch=first.epoch,
        start=first.base_offset,
        end=batches[-1].last_offset + 1,
        leader=named[0] if named else None,
        is_opened=opens(first),
        data=next((batch.base_offset for batch in batches if not batch.is_control), None),
    )
