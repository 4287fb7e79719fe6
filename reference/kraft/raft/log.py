"""The durable state of a node: its log with snapshots, and its vote; and the queries of a log."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import NamedTuple

from fencepost.traces.record_types import KRAFT_VERSION, KRAFT_VOTERS

from .client import CommittedBatch, LoadedSnapshot


class OffsetAndEpoch(NamedTuple):
    """An offset with the epoch of the record before it."""

    offset: int
    epoch: int


class ReplicatedLog:
    """Batches from `start_offset` to `end_offset`, and snapshots, the newest of which reaches at least to the start.

    `size` is that of the batches in bytes, `control` are those of Raft itself. The level of kraft.version is in the log
    as a control record, and behind a snapshot in that.

    Epochs never fall along a log, and each begins with a batch of its own, so an epoch's end is the next one's start.
    """

    def __init__(self) -> None:
        self.batches: list[CommittedBatch] = []
        self.start_offset = 0
        self.end_offset = 0
        self.snapshots: list[LoadedSnapshot] = []
        self.size = 0
        self._bases: list[int] = []
        self._epochs: list[OffsetAndEpoch] = []
        self._levels: list[tuple[int, int]] = []
        self._voters: list[tuple[int, tuple[int, ...]]] = []
        self.control: list[CommittedBatch] = []

    @property
    def latest_snapshot(self) -> LoadedSnapshot | None:
        """The snapshot that reaches furthest."""
        return self.snapshots[-1] if self.snapshots else None

    @property
    def last_epoch(self) -> int:
        """The epoch of the last record, 0 for a log that never had one."""
        return self._epochs[-1].epoch if self._epochs else 0

    def kraft_version(self, below: int | None = None) -> int:
        """Return the level of kraft.version below an offset, or at the end: 0 where no record says one."""
        if below is None:
            return self._levels[-1][1] if self._levels else 0
        return next((level for offset, level in reversed(self._levels) if offset < below), 0)

    def voters(self, below: int | None = None) -> tuple[int, tuple[int, ...]] | None:
        """Return the last voters below an offset, or at the end: the offset of their batch, and their ids."""
        if below is None:
            return self._voters[-1] if self._voters else None
        return next((one for one in reversed(self._voters) if one[0] < below), None)

    def append(self, batch: CommittedBatch) -> None:
        """Append a batch; raises ValueError for one that leaves a gap or whose epoch is lower than the last."""
        if batch.base_offset != self.end_offset or batch.epoch < self.last_epoch:
            raise ValueError(
                f"a batch at {batch.base_offset} of epoch {batch.epoch} does not continue a log that ends at "
                f"{self.end_offset} in epoch {self.last_epoch}"
            )
        if not self._epochs or batch.epoch > self._epochs[-1].epoch:
            self._epochs.append(OffsetAndEpoch(batch.base_offset, batch.epoch))
        for type_, data in batch.control:
            if type_ == KRAFT_VERSION:
                self._levels.append((batch.base_offset, data["kRaftVersion"]))
            elif type_ == KRAFT_VOTERS:
                self._voters.append((batch.base_offset, tuple(voter["voterId"] for voter in data["voters"])))
        if batch.control:
            self.control.append(batch)
        self.batches.append(batch)
        self._bases.append(batch.base_offset)
        self.end_offset = batch.last_offset + 1
        self.size += batch.size

    def read(self, offset: int, end_offset: int, limit: int = 1000) -> tuple[CommittedBatch, ...]:
        """Return the batches from one that begins at an offset, or holds it, up to an end, at most `limit` of them."""
        first = bisect_right(self._bases, offset) - 1 if offset < self.end_offset else len(self.batches)
        last = bisect_left(self._bases, end_offset)
        return tuple(self.batches[max(first, 0) : min(last, first + limit)])

    def end_of_epoch(self, epoch: int) -> OffsetAndEpoch:
        """Return the end of the greatest epoch in the log that is not above `epoch`, with that epoch.

        Where all are above, the log shares nothing with one that ends in `epoch` but its start.
        """
        found = [index for index, one in enumerate(self._epochs) if one.epoch <= epoch]
        if not found:
            return OffsetAndEpoch(self.start_offset, epoch)
        index = found[-1]
        after = self._epochs[index + 1].offset if index + 1 < len(self._epochs) else self.end_offset
        return OffsetAndEpoch(after, self._epochs[index].epoch)

    def epoch_before(self, offset: int) -> int:
        """Return the epoch of the record before an offset, which the log or its newest snapshot must reach."""
        return next((one.epoch for one in reversed(self._epochs) if one.offset < offset), self.start_epoch)

    @property
    def start_epoch(self) -> int:
        """The epoch of the record before the start, 0 where there is none."""
        return self._epochs[0].epoch if self.start_offset else 0

    def covers(self, offset: int, epoch: int) -> bool:
        """Whether a log that ends at an offset, its last record of that epoch, is a part of this one."""
        if epoch == self.last_epoch:
            return offset <= self.end_offset
        end = self.end_of_epoch(epoch)
        return (end.epoch == epoch and end.offset >= offset) or (offset == 0 and epoch == 0 and self.start_offset == 0)

    def truncate_to(self, offset: int) -> None:
        """Forget all from an offset on, and with it the batch that the offset lies in."""
        keep = bisect_left(self._bases, offset)
        if keep and self.batches[keep - 1].last_offset >= offset:
            keep -= 1
        if keep < len(self.batches):
            self.end_offset = self._bases[keep]
            self.size -= sum(batch.size for batch in self.batches[keep:])
            del self.batches[keep:], self._bases[keep:]
            self._levels = [one for one in self._levels if one[0] < self.end_offset]
            self._voters = [one for one in self._voters if one[0] < self.end_offset]
            self.control = [one for one in self.control if one.base_offset < self.end_offset]
            base = self._epochs[:1] if self.start_offset else []
            self._epochs = [*base, *(one for one in self._epochs[len(base) :] if one.offset < self.end_offset)]

    def add_snapshot(self, snapshot: LoadedSnapshot) -> None:
        """Keep a snapshot that reaches further than the newest; raises ValueError unless it ends where a batch does."""
        end = snapshot.end_offset
        index = bisect_left(self._bases, end)
        if end != self.end_offset and (index == len(self._bases) or self._bases[index] != end):
            raise ValueError(f"no batch ends before {end}, so no snapshot can")
        self.snapshots.append(snapshot)

    def start_at(self, snapshot: LoadedSnapshot) -> None:
        """Begin at the end of a snapshot, forgetting all batches: what a follower does that fetched it."""
        self.batches, self._bases, self.control, self.snapshots, self.size = [], [], [], [snapshot], 0
        self.start_offset = self.end_offset = snapshot.end_offset
        self._epochs = [OffsetAndEpoch(snapshot.end_offset, snapshot.epoch)]
        self._levels = [(snapshot.end_offset - 1, snapshot.kraft_version or 0)]
        self._voters = [(snapshot.end_offset - 1, snapshot.voters)] if snapshot.voters else []

    def clean(self, retention_bytes: int) -> None:
        """Forget the oldest snapshots, and the batches below the oldest kept, while all is more than so many bytes."""
        while len(self.snapshots) > 1 and self.size > retention_bytes:
            del self.snapshots[0]
            self._delete_below(self.snapshots[0])

    def _delete_below(self, snapshot: LoadedSnapshot) -> None:
        keep = bisect_left(self._bases, snapshot.end_offset)
        self.size -= sum(batch.size for batch in self.batches[:keep])
        del self.batches[:keep], self._bases[:keep]
        self.control = [one for one in self.control if one.base_offset >= snapshot.end_offset]
        self.start_offset = snapshot.end_offset
        later = [one for one in self._epochs if one.epoch > snapshot.epoch]
        self._epochs = [OffsetAndEpoch(self.start_offset, snapshot.epoch), *later]


class RaftDisk:
    """Everything that a node has on disk: `quorum-state` (epoch, vote, leader; −1 for none), log and snapshots.

    `state_version` is the level of kraft.version at which quorum-state was last written, which decides its format: a
    higher level in the log does not rewrite it (Kafka 4.4.0: format 0 until the next election).
    """

    def __init__(self) -> None:
        self.log = ReplicatedLog()
        self.epoch = 0
        self.voted_for = -1
        self.leader = -1
        self.state_version = 0

    def wipe(self) -> None:
        """Lose it all. A voter that did may vote twice in an epoch and forget what it acknowledged."""
        self.__init__()  # type: ignore[misc]
