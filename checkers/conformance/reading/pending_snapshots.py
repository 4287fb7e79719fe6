"""The snapshots that lie beside a log: which wait to be compared, which cannot be, and which opened the log."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from fencepost.traces import Batch, MetadataLog, Record, Snapshot

from .beginning import best_first


class PendingSnapshots:
    """The snapshots of a log in the order of their ends, each handed out once; none of end offset 0 is among them.

    `damaged` are the names of those that are unreadable in part, with the end of a sentence that says where and why.
    """

    def __init__(self, log: MetadataLog) -> None:
        self.damaged: dict[str, str] = {}
        names = {snapshot.segment for snapshot in log.snapshots}
        for one in log.quarantined:
            if one.segment in names:
                self.damaged.setdefault(one.segment, f"is damaged: bytes {one.start} to {one.end}: {one.reason}")
        self._all = log.snapshots
        self._waiting: list[Snapshot] = []
        for end in sorted({one.end_offset for one in log.snapshots if one.end_offset > 0}):
            self._waiting += best_first([one for one in log.snapshots if one.end_offset == end], log.batches)

    def begin(self, snapshot: Snapshot) -> int:
        """Take out the snapshot with which the log begins and all older ones; returns how many of these there were."""
        older = [one for one in self._waiting if one.end_offset < snapshot.end_offset]
        self._waiting = [one for one in self._waiting if one is not snapshot and one not in older]
        return len(older)

    @property
    def left(self) -> int:
        """The number of snapshots that wait."""
        return len(self._waiting)

    def leave(self, left: int) -> None:
        """Take out the first, so that so many wait."""
        self._waiting = self._waiting[len(self._waiting) - left :]

    def up_to(self, offset: int) -> list[Snapshot]:
        """Take out those that end at an offset or before it."""
        if not self._waiting or self._waiting[0].end_offset > offset:
            return []
        due = [one for one in self._waiting if one.end_offset <= offset]
        self._waiting = self._waiting[len(due) :]
        return due

    def between(self, first: int, last: int) -> list[int]:
        """Return the offsets behind the first and up to the last at which one that waits ends."""
        return [one.end_offset for one in self._waiting if first < one.end_offset <= last]

    def unread(self, start: int) -> Iterator[str]:
        """Yield a sentence about every damaged snapshot that ends at an offset or later."""
        for one in self._all:
            if one.segment in self.damaged and one.end_offset >= start:
                yield f"The snapshot {one.segment} {self.damaged[one.segment]}; it is not compared."

    def beyond(self, end: int) -> Iterator[str]:
        """Yield a sentence about every snapshot that is left: it sums up records which the log does not have."""
        for one in self._waiting:
            yield (
                f"The snapshot {one.segment} ends at offset {one.end_offset}, beyond the log's end {end}: it is not "
                "compared, and the records between are not checked. Give the segments up to its end."
            )


def bootstrap_difference(snapshot: Snapshot, batches: Sequence[Batch]) -> tuple[int, str] | None:
    """Return where the records that open a log differ from the snapshot of end offset 0, with a sentence, or None.

    The first batch of metadata records repeats the snapshot's, in their order; other types may be among them.
    None too where the snapshot holds no metadata record, or the log's opening is not there.
    """
    opening = _opening(batches)
    if not snapshot.records or opening is None:
        return None
    types = {record.type for record in snapshot.records}
    found = [record for record in opening.metadata_records if record.type in types]
    wanted = snapshot.records
    for at in range(max(len(found), len(wanted))):
        mine = wanted[at] if at < len(wanted) else None
        there = found[at] if at < len(found) else None
        if mine is None or there is None or (mine.type, mine.data) != (there.type, there.data):
            offset = opening.last_offset if there is None else there.offset
            return offset, (
                f"The snapshot {snapshot.segment} says what opens the log otherwise than the batch at offset "
                f"{opening.base_offset}: it has {_shown(mine)}, the log {_shown(there)}."
            )
    return None


def _opening(batches: Sequence[Batch]) -> Batch | None:
    expected = 0
    for batch in batches:
        if batch.base_offset != expected:
            return None
        if not batch.is_control:
            return batch
        expected = batch.last_offset + 1
    return None


def _shown(record: Record | None) -> str:
    return "nothing there" if record is None else f"{record.type} {json.dumps(record.data, sort_keys=True)}"
