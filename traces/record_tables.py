"""Records without their logs: a stored table of records, made of a log, and a log put together of one.

A table has a row a record: the columns of `COLUMNS`, of which those in `NEEDED` must be there. What a table does not
say is unknown in the log: checksums always, and without the columns epochs, batches, and places in files.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from .batches import CONTROL_BIT, interpret, key_and_value
from .codec import FRAME_VERSION
from .framing import Framing
from .lazy_records import LazyRecords
from .names import parse_segment_name, parse_snapshot_name
from .prefixes import FRAME_SIZE
from .record_types import LEADER_CHANGE
from .records import AnyRecord, Batch, ControlRecord, MetadataLog, Quarantined, QuarantineKind, Segment, Snapshot
from .segments import check_is_metadata

COLUMNS: Mapping[str, str] = {
    "log": "string",
    "offset": "int64",
    "timestamp": "int64",
    "epoch": "int64",
    "batch": "int64",
    "control": "bool",
    "file": "string",
    "position": "int64",
    "key": "binary",
    "value": "binary",
}
"""The columns of a table of records, with Arrow's types. `batch` is the first offset of the batch that a record is in,
`file` the segment or snapshot and `position` the byte in it at which the batch begins; offsets of a snapshot's records
are its own."""

NEEDED = ("log", "offset", "key", "value")
"""The columns without which a log cannot be checked."""

NUMBERS = ("offset", "timestamp", "epoch", "batch", "control", "position")
"""The columns that are numbers in `RecordColumns`, -1 where a table does not say them."""

_LARGE = 256
"""Records from which a batch is kept as columns, as of a log that is read from bytes."""

_LATEST = 1 << 62
SEEN = "Checked from a table of records: checksums, and the order of the records in the files, are not seen."
"""The note on every log that was assembled from a table."""

_NO_BATCHES = (
    "The table does not say which records were one batch: a result that was torn between two batches is not seen."
)
_NO_EPOCHS = "The table does not say the leader epochs: a term without its leader change is not seen."


@dataclass(frozen=True, slots=True, eq=False)
class RecordColumns:
    """Records of one log in any order, a column each; `file` are places in `files`, -1 for none."""

    numbers: Mapping[str, NDArray[np.int64]]
    file: NDArray[np.int64]
    files: Sequence[str]
    keys: pa.LargeBinaryArray
    values: pa.LargeBinaryArray

    def taken(self, which: NDArray[Any]) -> RecordColumns:
        """Return the records at some places, in that order."""
        places = pa.array(which)
        return RecordColumns(
            {name: one[which] for name, one in self.numbers.items()},
            self.file[which],
            self.files,
            self.keys.take(places),
            self.values.take(places),
        )

    def __len__(self) -> int:
        return len(self.file)


# -- a table of a log --------------------------------------------------------------------------------------------------
def record_table(log: MetadataLog, name: str | None = None) -> pa.Table:
    """Return the records of a log, and of the snapshots beside it, as a table; `name` is the log's id, else its path.

    What is unreadable is left out. Raises CodecError where a record's data does not fit its schema.
    """
    columns: dict[str, list[Any]] = {column: [] for column in COLUMNS}
    for batch in (*log.batches, *(batch for snapshot in log.snapshots for batch in snapshot.batches)):
        for record in batch.records:
            key, value = key_and_value(record)
            row = {
                "log": log.path if name is None else name,
                "offset": record.offset,
                "timestamp": record.timestamp,
                "epoch": batch.epoch if batch.epoch >= 0 else None,
                "batch": batch.base_offset if batch.epoch >= 0 else None,
                "control": batch.is_control or isinstance(record, ControlRecord),
                "file": batch.segment or None,
                "position": batch.position if batch.segment else None,
                "key": key,
                "value": value,
            }
            for column, cell in row.items():
                columns[column].append(cell)
    schema = pa.schema([(column, pa.type_for_alias(kind)) for column, kind in COLUMNS.items()])
    return pa.table(columns, schema=schema)


def columns_of(table: pa.Table) -> RecordColumns:
    """Return the records of a table, which are those of one log, as columns; ones that it does not have are unknown."""
    found = {name: _whole(table[name]) for name in COLUMNS if name in table.column_names}
    unknown = np.full(table.num_rows, -1)
    numbers = {
        name: np.array(pc.fill_null(found[name].cast(pa.int64()), -1), np.int64) if name in found else unknown
        for name in NUMBERS
    }
    file = found["file"].dictionary_encode() if "file" in found else None
    return RecordColumns(
        numbers,
        unknown if file is None else np.array(pc.fill_null(file.indices, -1), np.int64),
        () if file is None else file.dictionary.to_pylist(),
        found["key"].cast(pa.large_binary()),
        found["value"].cast(pa.large_binary()),
    )


def _whole(column: pa.ChunkedArray) -> pa.Array:
    found = column.combine_chunks()
    return pa.concat_arrays(found.chunks) if isinstance(found, pa.ChunkedArray) else found


# -- a log of a table --------------------------------------------------------------------------------------------------
def log_of_records(path: str, columns: RecordColumns) -> MetadataLog:
    """Put a log together of its records, with the snapshots whose records are among them.

    Records of one offset that are equal are one. Where they differ, and where an offset is missing, there is an
    unreadable range; but one missing offset in front of which the epoch is another than behind it is a leader change.
    Raises TraceError where the records are those of another topic.
    """
    named = [parse_snapshot_name(file) for file in columns.files]
    of_snapshot = np.array([*(one is not None for one in named), False])[columns.file]
    log = _Part(columns.taken(np.flatnonzero(~of_snapshot)), True)
    quarantined = list(log.quarantined)
    snapshots = []
    for at, id in enumerate(named):
        if id is None or not (columns.file == at).any():
            continue
        part = _Part(columns.taken(np.flatnonzero(columns.file == at)), False)
        snapshots.append(Snapshot(id.end_offset, id.epoch, columns.files[at], tuple(part.batches)))
        quarantined += part.quarantined
    first = dict[str, int]()
    for batch in log.batches:
        first.setdefault(batch.segment, batch.base_offset)
    seen = False
    for batch in log.batches:
        seen = seen or check_is_metadata(batch, path)
    return MetadataLog(
        path=path,
        source="records",
        segments=tuple(Segment(name, base) for name, base in first.items() if parse_segment_name(name) is not None),
        batches=tuple(log.batches),
        snapshots=tuple(sorted(snapshots, key=lambda one: (one.end_offset, one.epoch, one.segment))),
        quarantined=tuple(quarantined),
        notes=(SEEN, *log.notes()),
    )


class _Part:
    """The batches of a log, or of one snapshot, in the order of their offsets."""

    def __init__(self, columns: RecordColumns, is_log: bool) -> None:
        self.is_log, self.last = is_log, ("", -1)
        self.batches: list[Batch] = []
        self.quarantined: list[Quarantined] = []
        self.inferred: list[int] = []
        names = np.argsort(np.argsort(np.array([*columns.files, ""])))
        order = np.lexsort((columns.numbers["position"], names[columns.file], columns.numbers["offset"]))
        self.columns = columns.taken(order)
        self.number = self.columns.numbers
        control = self.number["control"]
        keyed = np.array(self.columns.keys.is_valid())
        self.is_control = np.where(control >= 0, control > 0, keyed)
        self._at = np.frombuffer(self.columns.values.buffers()[1] or b"\0" * 8, np.int64)
        self._bytes = self.columns.values.buffers()[2]
        self.placed = bool(((columns.file >= 0) & (columns.numbers["position"] >= 0)).all())
        if len(columns):
            self._read()

    def notes(self) -> Iterator[str]:
        """Yield notes on data that the table lacks."""
        if (self.number["batch"] < 0).any():
            yield _NO_BATCHES
        if (self.number["epoch"] < 0).any():
            yield _NO_EPOCHS
        if self.inferred:
            shown = ", ".join(map(str, self.inferred[:5])) + (", ..." if len(self.inferred) > 5 else "")
            yield (
                f"{len(self.inferred)} missing offsets ({shown}) are taken for the leader changes with which epochs "
                "begin; who led is not known there."
            )

    def _read(self) -> None:
        offset = self.number["offset"]
        # Where another offset begins: records in between are at the same one.
        fresh = np.flatnonzero(np.concatenate(([True], offset[1:] != offset[:-1])))
        again = np.diff(np.append(fresh, len(offset)))
        clashes = {int(at) for at in fresh[again > 1] if self._differ(int(at), int(at) + self._count(int(at)))}
        kept = fresh
        if len(kept) < len(offset):
            self.columns = self.columns.taken(kept)
            self.number, self.is_control = self.columns.numbers, self.is_control[kept]
            self._at = np.frombuffer(self.columns.values.buffers()[1], np.int64)
            self._bytes = self.columns.values.buffers()[2]
        clash = np.isin(kept, list(clashes))
        offset = self.number["offset"]
        bounds = [*np.flatnonzero(self._cuts(clash)).tolist(), len(kept)]
        self._gap(None, 0)
        for start, end in pairwise(bounds):
            if start:
                self._gap(start - 1, start)
            if clash[start]:
                self._conflict(int(offset[start]), start)
            else:
                self.batches.append(self._batch(start, end))

    def _count(self, at: int) -> int:
        offset = self.number["offset"]
        return int(np.searchsorted(offset, offset[at], "right")) - at

    def _differ(self, start: int, end: int) -> bool:
        said = ("timestamp", "epoch", "batch", "control")
        rows = {
            (
                self.columns.keys[at].as_py(),
                self.columns.values[at].as_py(),
                *(int(self.number[name][at]) for name in said),
            )
            for at in range(start, end)
        }
        return len(rows) > 1

    def _cuts(self, clash: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Whether a batch begins at each record."""
        number, control = self.number, self.is_control
        cuts = np.ones(len(clash), bool)
        batch, epoch, offset = number["batch"], number["epoch"], number["offset"]
        told = (batch[1:] >= 0) & (batch[:-1] >= 0)
        other = (epoch[1:] != epoch[:-1]) | (self.columns.file[1:] != self.columns.file[:-1]) | control[1:]
        cuts[1:] = np.where(told, batch[1:] != batch[:-1], other)
        cuts[1:] |= (offset[1:] != offset[:-1] + 1) | (control[1:] != control[:-1]) | clash[1:] | clash[:-1]
        return cuts

    # -- what is missing -------------------------------------------------------------------------------------------
    def _gap(self, before: int | None, after: int) -> None:
        """Say what is missing between two neighbouring records, or in front of the first."""
        offset, epoch = self.number["offset"], self.number["epoch"]
        first = 0 if before is None else int(offset[before]) + 1
        last = int(offset[after]) - 1
        if last < first:
            return
        rises = int(epoch[after]) > (-1 if before is None else int(epoch[before])) and (
            before is None or int(epoch[before]) >= 0
        )
        if self.is_log and first == last and rises and not self.is_control[after]:
            self.inferred.append(first)
            record = ControlRecord(first, int(self.number["timestamp"][after]), LEADER_CHANGE, {})
            place = self._between(after, first)
            self.batches.append(self._made(after, after + 1, (record,), first, first, True, place))
        elif before is not None or not self.is_log:
            self._missing(first, last, "missing", "the table has no record there", after)

    def _conflict(self, offset: int, at: int) -> None:
        """Note an offset with records that differ, in one range with those in front of it."""
        last = self.quarantined[-1] if self.quarantined else None
        if last is not None and last.kind == "conflict" and last.last_offset == offset - 1:
            self.quarantined[-1] = replace(last, last_offset=offset)
        else:
            self._missing(
                offset,
                offset,
                "conflict",
                "the table has two or more records at an offset that differ, as of two logs",
                at,
            )

    def _missing(self, first: int, last: int, kind: QuarantineKind, reason: str, after: int) -> None:
        segment, start = self._between(after, first)
        epoch = max(0, int(self.number["epoch"][after]))
        self.quarantined.append(Quarantined(segment, start, start, kind, reason, first, last, epoch))

    # -- batches ---------------------------------------------------------------------------------------------------
    def _place(self, at: int, offset: int) -> tuple[str, int]:
        """The file and the byte of a record's batch; without them a name that sorts as offsets do, and -1."""
        if not self.placed:
            file = int(self.columns.file[at])
            return (f"records from {offset:020}", -1) if self.is_log else self._behind(self.columns.files[file], -1)
        return self._behind(self.columns.files[int(self.columns.file[at])], int(self.number["position"][at]))

    def _between(self, after: int, offset: int) -> tuple[str, int]:
        """A place in front of a record's batch, and behind what is in front of it."""
        if not self.last[0] or not self.placed:
            segment, position = self._place(after, offset)
            return segment, max(-1, position - 1)
        return self._behind(*self.last)

    def _behind(self, segment: str, position: int) -> tuple[str, int]:
        """A place, moved behind the last one: parts of what was one batch have places of their own."""
        if segment == self.last[0]:
            position = max(position, self.last[1] + 1)
        self.last = (segment, position)
        return self.last

    def _batch(self, start: int, end: int) -> Batch:
        offset = self.number["offset"]
        control = bool(self.is_control[start])
        records = self._columnar(start, end) if end - start >= _LARGE and not control else None
        if records is None:
            records = tuple(
                interpret(
                    int(offset[at]),
                    int(self.number["timestamp"][at]),
                    control,
                    self.columns.keys[at].as_py(),
                    self.columns.values[at].as_py(),
                    (),
                )
                for at in range(start, end)
            )
        first, last = int(offset[start]), int(offset[end - 1])
        return self._made(start, end, records, first, last, control, self._place(start, first))

    def _made(
        self,
        start: int,
        end: int,
        records: Sequence[AnyRecord],
        first: int,
        last: int,
        control: bool,
        place: tuple[str, int],
    ) -> Batch:
        times = self.number["timestamp"][start:end]
        return Batch(
            base_offset=first,
            last_offset=last,
            epoch=int(self.number["epoch"][start]),
            is_control=control,
            position=place[1],
            size=0,
            segment=place[0],
            records=records,
            max_timestamp=int(times.max()),
            base_timestamp=int(times[0]),
            crc=0,
            attributes=CONTROL_BIT if control else 0,
            count=len(records),
        )

    def _columnar(self, start: int, end: int) -> Sequence[AnyRecord] | None:
        """The records as columns of their bytes, None where anything in their form is unusual."""
        keys, values = self.columns.keys[start:end], self.columns.values[start:end]
        if keys.null_count < len(keys) or values.null_count:
            return None
        # Arrays that were taken begin with the first of their buffers.
        at = self._at[start : end + 1]
        data = self._bytes[int(at[0]) : int(at[-1])].to_pybytes()
        places, sizes = at[:-1] - at[0], np.diff(at)
        buffer = np.frombuffer(data, np.uint8)
        times = self.number["timestamp"][start:end]
        if (sizes < FRAME_SIZE).any() or np.abs(times).max() >= _LATEST:
            return None
        if (buffer[places] != FRAME_VERSION).any() or (buffer[places + 1] | buffer[places + 2] >= 0x80).any():
            return None
        deltas = times - times[0]
        framing = Framing(places.astype(np.int32), sizes.astype(np.int32), deltas if deltas.any() else None)
        return LazyRecords(data, int(self.number["offset"][start]), int(times[0]), framing)
