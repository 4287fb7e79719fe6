"""The offset at which the check of a log begins: 0, or the end of the snapshot that holds the state before."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from fencepost.traces import Batch, MetadataLog, Snapshot
from fencepost.traces.names import parse_snapshot_name

from .snapshots import unreadable

REASONS = 3
"""The most snapshots of which it is said why the log cannot begin with them."""


@dataclass(frozen=True, slots=True)
class Beginning:
    """The beginning of a check: `offset` is None where there is none, and `doubt` is the sentence that says why.

    `snapshot` holds the state there, None for the empty state in front of offset 0. `skipped` counts the metadata
    records in front of it, `first` is the first offset that the log holds.
    """

    first: int
    offset: int | None
    snapshot: Snapshot | None = None
    skipped: int = 0
    doubt: str = ""

    @property
    def note(self) -> str:
        """The note beside the verdict, empty where the log is checked from offset 0."""
        if self.snapshot is None or self.offset is None:
            return ""
        skipped = ""
        if self.offset > self.first:
            records = "1 record" if self.skipped == 1 else f"{self.skipped} records"
            skipped = f"; offsets {self.first} to {self.offset - 1} before its end, {records}, were skipped"
        name = self.snapshot.segment
        return f"The log begins at offset {self.first}: the state is that of the snapshot {name}{skipped}."


def beginning(log: MetadataLog, damaged: Mapping[str, str]) -> Beginning:
    """Return where to begin with a log that holds a batch; `damaged` are snapshots' names with what is wrong of them.

    A log from offset 0 needs no snapshot. Any other begins at the end of the first snapshot that ends within it, in
    front of a batch, and can be read; of several with one end, at that of the leader epoch which the log has there.
    """
    full = {batch.segment for batch in log.batches} | {one.segment for one in log.quarantined}
    promised = [segment.base_offset for segment in log.segments if segment.name in full]
    # Where records differ there is something, though not known which of them: the log does not begin behind them.
    promised += [
        one.first_offset
        for one in log.quarantined
        if one.kind == "conflict" and one.first_offset is not None and parse_snapshot_name(one.segment) is None
    ]
    first, end = min([log.batches[0].base_offset, *promised]), log.batches[-1].last_offset + 1
    if first <= 0:
        return Beginning(first, 0)
    reasons: list[str] = []
    usable: list[Snapshot] = []
    for snapshot in sorted((one for one in log.snapshots if one.end_offset > 0), key=lambda one: one.end_offset):
        if usable and snapshot.end_offset > usable[0].end_offset:
            # To know whether it can be read all of it would have to be.
            break
        reason = damaged.get(snapshot.segment) or _unfit(snapshot, log.batches, first, end)
        if reason:
            reasons.append(f"{snapshot.segment} {reason}")
        else:
            usable.append(snapshot)
    if not usable:
        return Beginning(first, None, doubt=_told(first, reasons))
    start, chosen = usable[0].end_offset, best_first(usable, log.batches)[0]
    return Beginning(first, start, chosen, log.metadata_records_below(start))


def best_first(snapshots: Sequence[Snapshot], batches: Sequence[Batch]) -> list[Snapshot]:
    """Sort snapshots of one end: first that of the epoch before it, then the newest that the log can follow."""

    def order(snapshot: Snapshot) -> tuple[bool, bool, int]:
        before = epoch_before(batches, snapshot.end_offset)
        after = next((batch.epoch for batch in batches if batch.base_offset >= snapshot.end_offset), None)
        return snapshot.epoch == before, after is None or snapshot.epoch <= after, snapshot.epoch

    return sorted(snapshots, key=order, reverse=True) if len(snapshots) > 1 else list(snapshots)


def empty_segments(log: MetadataLog) -> list[str]:
    """Return a sentence about every segment without a batch that is not the last: what it held is not there."""
    full = {batch.segment for batch in log.batches} | {one.segment for one in log.quarantined}
    return [
        f"The segment {segment.name} is empty, and others follow it."
        for segment in log.segments[:-1]
        if segment.name not in full
    ]


def epoch_before(batches: Sequence[Batch], offset: int) -> int | None:
    """Return the leader epoch of the record in front of an offset, None where the log does not have it."""
    for batch in batches:
        if batch.base_offset < offset <= batch.last_offset + 1:
            return batch.epoch if batch.epoch >= 0 else None
    return None


def inside_a_batch(batches: Sequence[Batch], offset: int) -> bool:
    """Whether an offset lies behind the first record of a batch."""
    return any(batch.base_offset < offset <= batch.last_offset for batch in batches)


def _unfit(snapshot: Snapshot, batches: Sequence[Batch], first: int, end: int) -> str:
    ends = snapshot.end_offset
    if ends < first:
        missing = f"offset {ends} is" if ends == first - 1 else f"offsets {ends} to {first - 1} are"
        return f"ends in front of it, and {missing} missing"
    if ends > end:
        return f"ends at offset {ends}, beyond the log's end {end}"
    if inside_a_batch(batches, ends):
        return f"ends at offset {ends}, inside a batch"
    return unreadable(snapshot)


def _told(first: int, reasons: Sequence[str]) -> str:
    advice = f"Give the snapshot that ends at {first} or later, or the segments from offset 0."
    if not reasons:
        return (
            f"The log begins at offset {first} and no snapshot of what came before is beside it: the state there is "
            f"unknown. {advice}"
        )
    newest = list(reversed(reasons))[:REASONS]
    more = f"; and {len(reasons) - REASONS} more" if len(reasons) > REASONS else ""
    return (
        f"The log begins at offset {first}, and no snapshot beside it says what the state is there: "
        f"{'; '.join(newest)}{more}. {advice}"
    )
