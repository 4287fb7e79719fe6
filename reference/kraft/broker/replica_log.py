"""The log of one replica: entries, the epochs in which they were written, and what of it survives which fault.

An entry is a whole number that a producer made unique. The epoch of an entry follows from the list of epochs with
their start offsets, as in Kafka's leader epoch checkpoint (KIP-101), which may name an epoch without entries.
"""

from __future__ import annotations

import random
from bisect import bisect_right
from collections.abc import Sequence

from fencepost.reference.simulator import SECOND

CHECKPOINT_INTERVAL_NS = 5 * SECOND
"""How often high watermarks are written to the disk (`replica.high.watermark.checkpoint.interval.ms`)."""

WRITE_BACK_NS = 30 * SECOND
"""How long an operating system keeps what was written in memory before it is on the disk."""

PRODUCERS = 64
"""How many producers there may be in a run, by `number` from 0 on, so that no two write the same value."""

EpochStart = tuple[int, int]
"""An epoch and the offset of its first entry."""


class LaggingMark:
    """A number as a periodic task would have saved it last, without the task.

    >>> mark = LaggingMark(10, 0)
    >>> mark.move(3, 100)
    >>> mark.saved(9), mark.saved(10)
    (0, 100)
    """

    __slots__ = ("_current", "_period", "_saved", "_slot")

    def __init__(self, period_ns: int, value: int) -> None:
        self._period, self._saved, self._current, self._slot = period_ns, value, value, 0

    def move(self, now_ns: int, value: int) -> None:
        """Say what the number is from now on."""
        slot = now_ns // self._period
        if slot != self._slot:
            self._saved, self._slot = self._current, slot
        self._current = value

    def saved(self, now_ns: int) -> int:
        """Return what was saved at the last multiple of the period."""
        return self._saved if now_ns // self._period == self._slot else self._current

    def save(self, value: int) -> None:
        """Save a number at once."""
        self._saved = self._current = value

    def limit(self, value: int) -> None:
        """Let neither what was saved nor what will be exceed a number, as after a truncation."""
        self._saved, self._current = min(self._saved, value), min(self._current, value)


class ReplicaLog:
    """The entries of one replica from `start_offset` to `end_offset` (exclusive), and its high watermark.

    `end_offset` is the offset that the next entry gets. It is kept, not counted: every fetch asks for it.
    """

    __slots__ = (
        "_checkpoint",
        "_flushed",
        "end_offset",
        "epochs",
        "high_watermark",
        "partition",
        "start_offset",
        "topic_id",
        "values",
    )

    def __init__(self, topic_id: str, partition: int) -> None:
        self.topic_id, self.partition = topic_id, partition
        self.start_offset = self.end_offset = 0
        self.values: list[int] = []
        self.epochs: list[EpochStart] = []
        self.high_watermark = 0
        self._checkpoint = LaggingMark(CHECKPOINT_INTERVAL_NS, 0)
        self._flushed = LaggingMark(WRITE_BACK_NS, 0)

    def __repr__(self) -> str:
        return f"ReplicaLog({self.topic_id}-{self.partition}, {self.entries()}, high_watermark={self.high_watermark})"

    @property
    def latest_epoch(self) -> int:
        """The last epoch that the log knows of, with or without entries; −1 for none."""
        return self.epochs[-1][0] if self.epochs else -1

    def entries(self) -> list[tuple[int, int]]:
        """Return all entries as (epoch, value)."""
        return [(self.epoch_at(offset), value) for offset, value in enumerate(self.values, self.start_offset)]

    def epoch_at(self, offset: int) -> int:
        """Return the epoch in which an entry was written; −1 where it is not known."""
        index = bisect_right(self.epochs, offset, key=_start_of)
        return self.epochs[index - 1][0] if index else -1

    # -- writing ---------------------------------------------------------------------------------------------------
    def assign_epoch(self, epoch: int, start: int) -> None:
        """Note that an epoch begins at an offset; entries of the list that contradict it go (KIP-101)."""
        known = self.epochs
        if known and known[-1][0] == epoch and known[-1][1] <= start:
            return
        while known and (known[-1][0] >= epoch or known[-1][1] >= start):
            known.pop()
        known.append((epoch, start))

    def append(self, epoch: int, values: Sequence[int], now_ns: int) -> int:
        """Append entries of one epoch; returns the offset of the first."""
        base = self.end_offset
        if values:
            self.assign_epoch(epoch, base)
            self.values.extend(values)
            self.end_offset += len(values)
            self._flushed.move(now_ns, self.end_offset)
        return base

    def append_fetched(self, epochs: Sequence[EpochStart], values: Sequence[int], now_ns: int) -> None:
        """Append what a leader sent: the epochs of these entries with the offset at which each begins."""
        base = self.end_offset
        for epoch, start in epochs:
            self.assign_epoch(epoch, max(start, base))
        self.values.extend(values)
        self.end_offset += len(values)
        self._flushed.move(now_ns, self.end_offset)

    def set_high_watermark(self, offset: int, now_ns: int) -> bool:
        """Raise the high watermark to an offset, at most to the end; returns whether it moved."""
        offset = min(offset, self.end_offset)
        if offset <= self.high_watermark:
            return False
        self.high_watermark = offset
        self._checkpoint.move(now_ns, offset)
        return True

    def follow_high_watermark(self, offset: int, now_ns: int) -> bool:
        """Take over the leader's high watermark, between the start and the end; returns whether it moved.

        That of a new leader may be below what this follower knows; Kafka goes back then, too
        (UnifiedLog.maybeUpdateHighWatermark).
        """
        offset = max(self.start_offset, min(offset, self.end_offset))
        if offset == self.high_watermark:
            return False
        self.high_watermark = offset
        self._checkpoint.move(now_ns, offset)
        return True

    def advance_start(self, offset: int) -> None:
        """Let go of the entries below an offset, as retention does."""
        gone = min(offset, self.end_offset) - self.start_offset
        if gone <= 0:
            return
        del self.values[:gone]
        self.start_offset += gone
        while len(self.epochs) > 1 and self.epochs[1][1] <= self.start_offset:
            self.epochs.pop(0)
        if self.epochs:
            self.epochs[0] = (self.epochs[0][0], max(self.epochs[0][1], self.start_offset))
        self.high_watermark = max(self.high_watermark, self.start_offset)

    def retain(self, entries: int) -> None:
        """Let go of the oldest entries below the high watermark when there are twice as many as are to be kept."""
        if len(self.values) > 2 * entries:
            self.advance_start(min(self.end_offset - entries, self.high_watermark))

    # -- truncating ------------------------------------------------------------------------------------------------
    def truncate_to(self, offset: int) -> None:
        """Take away the entries from an offset on, and the epochs that begin there or later.

        Where there are no such entries an epoch without entries at the end goes all the same: a leader that wrote
        nothing must not ask its successor about an epoch that only it knows.
        """
        if offset >= self.end_offset:
            self._forget_epochs_from(self.end_offset)
            return
        del self.values[max(0, offset - self.start_offset) :]
        self.end_offset = self.start_offset + len(self.values)
        self._forget_epochs_from(offset)
        self.high_watermark = min(self.high_watermark, offset)
        self._checkpoint.limit(offset)
        self._flushed.limit(offset)

    def restart_at(self, offset: int) -> None:
        """Take away everything; the next entry gets this offset."""
        self.values, self.epochs = [], []
        self.start_offset = self.end_offset = self.high_watermark = offset
        self._checkpoint.save(offset)
        self._flushed.save(offset)

    def _forget_epochs_from(self, offset: int) -> None:
        while self.epochs and self.epochs[-1][1] >= offset:
            self.epochs.pop()

    # -- reading ---------------------------------------------------------------------------------------------------
    def end_of_epoch(self, epoch: int) -> EpochStart | None:
        """Return the largest known epoch up to this one and the offset at which it ends; None where it is above all.

        An epoch below all that are known ends where they begin.
        """
        known = self.epochs
        if known and known[-1][0] == epoch:
            return epoch, self.end_offset
        index = bisect_right(known, epoch, key=_epoch_of)
        if index == len(known):
            return None
        return (known[index - 1][0] if index else epoch), known[index][1]

    def read(self, offset: int, limit: int) -> tuple[tuple[EpochStart, ...], tuple[int, ...]]:
        """Return the entries from an offset on, at most so many, and the epochs they belong to."""
        first = offset - self.start_offset
        values = tuple(self.values[first : first + limit])
        if not values:
            return (), ()
        index = max(0, bisect_right(self.epochs, offset, key=_start_of) - 1)
        end = offset + len(values)
        return tuple((epoch, start) for epoch, start in self.epochs[index:] if start < end), values

    # -- what survives ---------------------------------------------------------------------------------------------
    def flush(self) -> None:
        """Write everything to the disk, with the high watermark, as a clean shutdown does."""
        self._flushed.save(self.end_offset)
        self._checkpoint.save(self.high_watermark)

    def reload(self, now_ns: int) -> None:
        """Come back after the process was killed: all entries are there, of the high watermark what was saved."""
        self.high_watermark = max(self.start_offset, min(self._checkpoint.saved(now_ns), self.end_offset))
        self._checkpoint.save(self.high_watermark)
        self._forget_epochs_from(self.end_offset)

    def lose_power(self, now_ns: int, draw: random.Random) -> int:
        """Lose some of the entries that were not on the disk yet; returns how many."""
        flushed = max(self.start_offset, min(self._flushed.saved(now_ns), self.end_offset))
        end = self.end_offset
        keep = draw.randint(flushed, end) if flushed < end else end
        self.truncate_to(keep)
        self._flushed.save(keep)
        return end - keep


def _start_of(entry: EpochStart) -> int:
    return entry[1]


def _epoch_of(entry: EpochStart) -> int:
    return entry[0]
