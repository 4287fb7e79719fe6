"""A log abridged: its files are read once, by ranges of bytes that several tasks can read at the same time.

A range keeps what the other tasks need to know of the whole log: control records, those by which
releases are distinguished, the batches around a leader's change and the end of a snapshot. The rest stays in the files.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from fencepost.checkers.conformance.records.control_records import opens
from fencepost.traces import Batch, LogSource, Quarantined, Record, TraceError, TrailingZeros
from fencepost.traces.logs import leftover_notes, segment_of, snapshot_id
from fencepost.traces.names import without_gz
from fencepost.traces.record_types import (
    FEATURE_LEVEL_RECORD,
    REGISTER_BROKER_RECORD,
    REGISTER_CONTROLLER_RECORD,
    UNREGISTER_CONTROLLER_RECORD,
    ZK_MIGRATION_STATE_RECORD,
)
from fencepost.traces.segments import check_is_metadata
from fencepost.traces.storage import base_name, is_packed, size_of
from fencepost.traces.stretches import AbridgedLog, AbridgedSnapshot, Batches, Stretch, end_of, items_from

NOTED = frozenset(
    {
        FEATURE_LEVEL_RECORD,
        REGISTER_BROKER_RECORD,
        REGISTER_CONTROLLER_RECORD,
        UNREGISTER_CONTROLLER_RECORD,
        ZK_MIGRATION_STATE_RECORD,
    }
)
"""The types of records that `terms` looks for in a whole log; of brokers' registrations only those of a migration."""

WINDOW = 1 << 20
"""The bytes of a stretch: what is read of a log at once."""


@dataclass(frozen=True, slots=True)
class Range:
    """The bytes [start, end) of a file to read, None for its end; `ends` are those of the snapshots beside the log.

    `size` are the bytes of the file. It is of a snapshot where `is_snapshot`; with `counted` the metadata records below
    the snapshots' ends are counted. Where it is to be `searched`, what it holds begins with the first sound batch.
    """

    path: str
    start: int
    end: int | None
    size: int = 0
    ends: tuple[int, ...] = ()
    is_snapshot: bool = False
    counted: bool = False
    window: int = WINDOW
    searched: bool = False


@dataclass(slots=True)
class Abridged:
    """The kept part of a range: from its first boundary of a batch, `start`, to `end`, that of the range behind it.

    `stands` is true if it shows that the file is of a metadata log, `strays` that its first records are of another one.
    """

    path: str
    start: int
    end: int
    is_snapshot: bool
    stands: bool = False
    strays: bool = False
    stretches: list[Stretch] = field(default_factory=list)
    kept: list[Batch] = field(default_factory=list)
    noted: list[Record] = field(default_factory=list)
    quarantined: list[Quarantined] = field(default_factory=list)
    zeros: list[TrailingZeros] = field(default_factory=list)
    below: dict[int, int] = field(default_factory=dict)


def ranges_of(source: LogSource, size: int, window: int = WINDOW) -> list[Range]:
    """Return the ranges of so many bytes in which the files of a log are read; a packed file, and a snapshot, is one.

    Raises `TraceError` for a file that cannot be opened.
    """
    ends = tuple(sorted({snapshot_id(one).end_offset for one in source.snapshots}))
    counted = bool(source.segments) and segment_of(source.segments[0], 0).base_offset > 0
    found = []
    for path in source.segments:
        whole = size_of(path)
        cuts = [0] if is_packed(path) else list(range(0, max(1, whole), max(1, size)))
        for start, end in zip(cuts, [*cuts[1:], None], strict=True):
            found.append(Range(path, start, end, whole, ends, counted=counted, window=window, searched=start > 0))
    return [*found, *(Range(path, 0, None, is_snapshot=True, window=window) for path in source.snapshots)]


def abridged(asked: Range) -> Abridged:
    """Read a range, and return what is kept of it.

    Raises `TraceError` as `read_log` does, also for what no log holds in one file alone.
    """
    return _Abridging(asked).all()


class _Abridging:
    def __init__(self, asked: Range) -> None:
        self.asked = asked
        self.out = Abridged(asked.path, asked.start, asked.start, asked.is_snapshot)
        self.stretch: Stretch | None = None
        self.last: Batch | None = None
        self.last_is_kept = True
        self.passed = 0

    def all(self) -> Abridged:
        """Read on to the end of the range."""
        asked, out = self.asked, self.out
        begun = False
        for item in items_from(asked.path, asked.start, asked.searched):
            begins = item.position if isinstance(item, Batch) else item.start
            if not begun:
                begun, out.start = True, begins
                out.end = begins
            if asked.end is not None and begins >= asked.end:
                self._end()
                return out
            out.end = end_of(item)
            if isinstance(item, Batch):
                self._batch(item)
            elif isinstance(item, Quarantined):
                out.quarantined.append(item)
            else:
                out.zeros.append(item)
        if not begun and asked.searched:
            # No batch begins behind this place: what is there belongs to the range in front, up to the file's end.
            out.start = out.end = asked.size
        self._end()
        return out

    def _batch(self, batch: Batch) -> None:
        out = self.out
        if not out.stands and not out.strays:
            try:
                out.stands = check_is_metadata(batch, batch.segment)
            except TraceError:
                # Behind records of a metadata log they are records that cannot be read.
                out.strays = True
        found = self.stretch
        if found is not None and batch.position >= found.start + self.asked.window:
            self._end_stretch(batch.position)
            found = None
        if found is None:
            found = Stretch(out.path, batch.position, batch.position, 0, batch.base_offset)
        self.stretch = replace(found, end=batch.position + batch.size, count=found.count + 1)
        noted = tuple(batch.records_of(NOTED)) if not batch.is_control else ()
        noted = tuple(one for one in noted if one.type != REGISTER_BROKER_RECORD or one.data.get("isMigratingZkBroker"))
        if out.is_snapshot:
            out.noted += noted
            return
        if opens(batch):
            self._keep_last()
        is_kept = bool(noted) or batch.is_control or self.stretch.count == 1 or self._is_at_an_end(batch)
        self.last, self.last_is_kept = batch if batch.is_control else _without_records(batch, noted), is_kept
        if is_kept:
            out.kept.append(self.last)
        if self.asked.counted:
            self._count(batch)

    def _is_at_an_end(self, batch: Batch) -> bool:
        """Whether a snapshot ends in a batch or behind it, or the batch is the first behind one's end."""
        ends, before = self.asked.ends, self.passed
        while self.passed < len(ends) and batch.base_offset >= ends[self.passed]:
            self.passed += 1
        for at in (self.passed, bisect_right(ends, batch.base_offset)):
            if at < len(ends) and batch.last_offset + 1 >= ends[at]:
                return True
        return self.passed > before

    def _count(self, batch: Batch) -> None:
        for end in self.asked.ends:
            if batch.base_offset < end:
                offsets = [one.offset for one in batch.metadata_records]
                self.out.below[end] = self.out.below.get(end, 0) + sum(one < end for one in offsets)

    def _keep_last(self) -> None:
        if self.last is not None and not self.last_is_kept:
            self.out.kept.append(self.last)
            self.last_is_kept = True

    def _end_stretch(self, end: int) -> None:
        if self.stretch is not None:
            self.out.stretches.append(replace(self.stretch, end=end))
            self.stretch = None
            self._keep_last()

    def _end(self) -> None:
        self._end_stretch(self.out.end)


def _without_records(batch: Batch, noted: Sequence[Record]) -> Batch:
    return replace(batch, records=tuple(noted), raw=None)


def mended(asked: Sequence[Range], found: Sequence[Abridged]) -> list[Abridged]:
    """Return what is kept of ranges, in their order, where each begins as the one in front of it in its file ends.

    One that does not is read again from there: its first bytes were within a batch and looked like one, or are damaged.
    """
    fitting: list[Abridged] = []
    for one, kept in zip(asked, found, strict=True):
        before = fitting[-1] if fitting and fitting[-1].path == one.path else None
        if before is None or kept.start == before.end:
            fitting.append(kept)
        elif one.end is not None and before.end >= one.end:
            fitting.append(Abridged(one.path, before.end, before.end, one.is_snapshot))
        else:
            fitting.append(abridged(replace(one, start=before.end, searched=False)))
    return fitting


def log_of(source: LogSource, found: Sequence[Abridged]) -> AbridgedLog | None:
    """Return the log of what was kept of its ranges, in their order, each fitting to the one in front of it.

    None where a file's first records are of another topic, and where there is no batch: the task that reads such a log
    in one piece says what is wrong.
    """
    log = [one for one in found if not one.is_snapshot]
    for path in source.segments:
        shown = next((one for one in log if one.path == path and (one.stands or one.strays)), None)
        if shown is not None and shown.strays:
            return None
    if not any(one.kept for one in log):
        return None
    snapshots = []
    for path in source.snapshots:
        mine = [one for one in found if one.is_snapshot and one.path == path]
        id = snapshot_id(path)
        batches = Batches([each for one in mine for each in one.stretches])
        noted = tuple(record for one in mine for record in one.noted)
        snapshots.append(AbridgedSnapshot(id.end_offset, id.epoch, without_gz(base_name(path)), batches, noted, NOTED))
    first = {
        path: next((batch.base_offset for one in log if one.path == path for batch in one.kept), 0)
        for path in source.segments
    }
    below: dict[int, int] = {end: 0 for one in snapshots for end in (one.end_offset,)}
    for one in log:
        for end, count in one.below.items():
            below[end] += count
    return AbridgedLog(
        path=source.path,
        source="binary",
        segments=tuple(segment_of(path, first[path]) for path in source.segments),
        batches=tuple(batch for one in log for batch in one.kept),
        snapshots=tuple(snapshots),
        quarantined=tuple(each for one in found for each in one.quarantined),
        trailing_zeros=tuple(each for one in found for each in one.zeros),
        notes=leftover_notes(source),
        stretches=Batches([each for one in log for each in one.stretches]),
        below=below,
    )
