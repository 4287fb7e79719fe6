"""The items of a metadata log as values: records, batches, snapshots, unreadable byte ranges, the log."""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from itertools import chain
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from fencepost.notebook import grid, headed

from .sequences import Joined, MadeOnDemand

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Header:
    """A header of a record (controllers write none): a name and a value that may be null."""

    key: str
    value: bytes | None


@dataclass(frozen=True, slots=True)
class Record:
    """A metadata record at its offset.

    `timestamp` is in milliseconds since 1970, `type` the name that a dump prints ("PARTITION_CHANGE_RECORD"), `data`
    the JSON object that it prints. `raw` holds the value's bytes only where encoding `data` would not give them back
    (a tag that the schema does not know, a default written out); it is then what is written.
    """

    offset: int
    timestamp: int
    type: str
    version: int
    data: dict[str, Any]
    headers: tuple[Header, ...] = ()
    raw: bytes | None = None


HIDDEN = ""
"""The type of a control record that a dump text does not show."""


@dataclass(frozen=True, slots=True)
class ControlRecord:
    """A record that Raft writes for itself ("LeaderChange", "SnapshotHeader", ...); it uses up an offset.

    The type is `HIDDEN` where the record was read from a text that does not show it (`--skip-record-metadata`).
    `raw` is key and value, kept only where encoding `data` would not give them back.
    """

    offset: int
    timestamp: int
    type: str
    data: dict[str, Any]
    headers: tuple[Header, ...] = ()
    raw: tuple[bytes, bytes] | None = None


@dataclass(frozen=True, slots=True)
class Undecodable:
    """A record in a sound batch whose content is unknown here; a controller that met it would stop.

    In a broker's log of users' data every record is one: what it holds is theirs.

    `key` and `value` are null where the record has none, and also where it was read from a text that does not show
    them.
    """

    offset: int
    timestamp: int
    reason: str
    key: bytes | None = None
    value: bytes | None = None
    headers: tuple[Header, ...] = ()


AnyRecord: TypeAlias = Record | ControlRecord | Undecodable


def type_of(record: AnyRecord) -> str:
    """The type of a record, empty where it is unknown."""
    return "" if isinstance(record, Undecodable) else record.type


class DecodedOnDemand(MadeOnDemand[AnyRecord]):
    """Records of a batch, none of them a control record, that are decoded when they are asked for (`lazy_records`)."""

    __slots__ = ()

    @abstractmethod
    def offsets(self) -> range:
        """The offsets of the records."""

    @abstractmethod
    def times(self) -> frozenset[int]:
        """The times of the records, each once."""

    @abstractmethod
    def timestamps(self) -> NDArray[np.int64]:
        """The time of each record in milliseconds since 1970."""

    @abstractmethod
    def types(self) -> Counter[str]:
        """How many records there are of each type, those that are `Undecodable` under the empty name."""

    @abstractmethod
    def undecodable(self) -> Iterator[Undecodable]:
        """The records whose content is unknown."""

    @abstractmethod
    def kept_raw(self) -> Iterator[Record]:
        """The metadata records whose bytes are kept: encoding what they say would not give them back."""

    @abstractmethod
    def metadata_records(self) -> Sequence[Record]:
        """The metadata records, without those that are `Undecodable`."""

    @abstractmethod
    def of_types(self, types: Collection[str]) -> Iterator[Record]:
        """The metadata records of some types, in their order; others are not decoded."""


@dataclass(frozen=True, slots=True)
class Batch:
    """A record batch: what reached the disk as one piece.

    `epoch` is the leader epoch of Raft (partitionLeaderEpoch), `position` and `size` are bytes in the file `segment`,
    timestamps are milliseconds since 1970. `count` is how many records the header says. `records` is a tuple; that of a
    large batch read from bytes equals one, and makes each record when it is asked for; it is empty where a batch of
    users' data is compressed. `raw` holds the batch's bytes only where writing the fields would not give them back.
    """

    base_offset: int
    last_offset: int
    epoch: int
    is_control: bool
    position: int
    size: int
    segment: str
    records: Sequence[AnyRecord]
    max_timestamp: int
    base_timestamp: int
    crc: int
    attributes: int = 0
    producer_id: int = -1
    producer_epoch: int = -1
    base_sequence: int = -1
    count: int = 0
    raw: bytes | None = None

    @property
    def is_transactional(self) -> bool:
        """Whether the batch bears the transactional bit (controllers never set it)."""
        return bool(self.attributes & 0x10)

    @property
    def metadata_records(self) -> Sequence[Record]:
        """The decoded metadata records of the batch, in offset order."""
        if isinstance(self.records, DecodedOnDemand):
            return self.records.metadata_records()
        return tuple(record for record in self.records if isinstance(record, Record))

    @property
    def offsets(self) -> Sequence[int]:
        """The offset of each record, none of them decoded for it."""
        if isinstance(self.records, DecodedOnDemand):
            return self.records.offsets()
        return tuple(record.offset for record in self.records)

    @property
    def times(self) -> frozenset[int]:
        """The times of the records in milliseconds since 1970, each once."""
        if isinstance(self.records, DecodedOnDemand):
            return self.records.times()
        return frozenset(record.timestamp for record in self.records)

    @property
    def types(self) -> Counter[str]:
        """How many records there are of each type but control records, in the order of the first of each.

        Those that are `Undecodable` are under the empty name.
        """
        if isinstance(self.records, DecodedOnDemand):
            return self.records.types()
        return Counter(type_of(record) for record in self.records if not isinstance(record, ControlRecord))

    @property
    def undecodable(self) -> tuple[Undecodable, ...]:
        """The records whose content is unknown, in offset order."""
        if isinstance(self.records, DecodedOnDemand):
            return tuple(self.records.undecodable())
        return tuple(record for record in self.records if isinstance(record, Undecodable))

    @property
    def kept_raw(self) -> tuple[Record, ...]:
        """The metadata records whose bytes are kept, in offset order: encoding their data would not give them back."""
        if isinstance(self.records, DecodedOnDemand):
            return tuple(self.records.kept_raw())
        return tuple([one for one in self.records if isinstance(one, Record) and one.raw is not None])

    @property
    def control_records(self) -> tuple[ControlRecord, ...]:
        """The decoded control records of the batch, in offset order."""
        if isinstance(self.records, DecodedOnDemand):
            return ()
        return tuple(record for record in self.records if isinstance(record, ControlRecord))

    def records_of(self, types: Collection[str]) -> Iterator[Record]:
        """The metadata records of some types, in offset order: quick where a large batch has few of them."""
        if isinstance(self.records, DecodedOnDemand):
            return self.records.of_types(types)
        return (record for record in self.records if isinstance(record, Record) and record.type in types)


QuarantineKind: TypeAlias = Literal["crc", "torn", "length", "magic", "framing", "missing", "conflict", "text"]


@dataclass(frozen=True, slots=True)
class Quarantined:
    """A byte range [start, end) of a file that could not be read.

    `kind`: `crc` (checksum differs), `torn` (the file ends inside a batch), `length` (an impossible length), `magic`
    (no batch of format 2), `framing` (a sound checksum over records that do not parse); of a table of records, which
    has no bytes, `missing` (offsets without a record) and `conflict` (records at one offset that differ); of a dump
    text `text` (lines that are lost, cut or changed).
    `first_offset`, `last_offset` and `epoch` are what the damaged header says, null where it cannot be believed.
    """

    segment: str
    start: int
    end: int
    kind: QuarantineKind
    reason: str
    first_offset: int | None = None
    last_offset: int | None = None
    epoch: int | None = None


@dataclass(frozen=True, slots=True)
class TrailingZeros:
    """The zero bytes [start, end) after the last batch of a preallocated file: unused space, not damage."""

    segment: str
    start: int
    end: int


Item: TypeAlias = Batch | Quarantined | TrailingZeros


@dataclass(frozen=True, slots=True)
class Segment:
    """A `.log` file: its name and the offset that the name promises."""

    name: str
    base_offset: int


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A `.checkpoint` file: the state of all records below `end_offset`, written in epoch `epoch`.

    Offsets of its records start at 0 and are its own. `segment` is the file's name.
    """

    end_offset: int
    epoch: int
    segment: str
    batches: Sequence[Batch]

    @property
    def records(self) -> Sequence[Record]:
        """The metadata records of the snapshot, in order; those of large batches are made when they are asked for."""
        parts = [batch.metadata_records for batch in self.batches]
        if all(isinstance(part, tuple) for part in parts):
            return tuple(chain.from_iterable(parts))
        return Joined(parts)

    def records_of(self, types: Collection[str]) -> Iterator[Record]:
        """The metadata records of some types, in order."""
        return (record for batch in self.batches for record in batch.records_of(types))

    @property
    def is_complete(self) -> bool:
        """Whether the snapshot begins with a header and ends with a footer, or what a dump text hides there."""
        parts = [batch.records for batch in self.batches if batch.records]
        if not parts:
            return False
        first, last = parts[0][0], parts[-1][-1]
        return (
            isinstance(first, ControlRecord)
            and first.type == "SnapshotHeader"
            and isinstance(last, ControlRecord)
            and last.type in ("SnapshotFooter", HIDDEN)
        )


@dataclass(frozen=True, slots=True)
class MetadataLog:
    """A whole metadata log in memory: its segments' batches in log order, its snapshots, and what was unreadable.

    `source` is `binary`, `dump` or `records`; `notes` are sentences about what the source could not show.
    """

    path: str
    source: Literal["binary", "dump", "records"]
    segments: tuple[Segment, ...]
    batches: Sequence[Batch]
    snapshots: tuple[Snapshot, ...] = ()
    quarantined: tuple[Quarantined, ...] = ()
    trailing_zeros: tuple[TrailingZeros, ...] = ()
    notes: tuple[str, ...] = field(default=())

    def __repr__(self) -> str:
        return f"<log {self.path}: {len(self.batches):,} batches, {len(self.snapshots)} snapshots>"

    def _repr_html_(self) -> str:
        names = ("offsets", "leader epoch", "time", "segment", "records")
        return headed(repr(self)[1:-1], grid(names, _batches_in_words(self), len(self.batches)))

    @property
    def whole(self) -> Sequence[Batch]:
        """All batches of the segments, also where `batches` are some of them (`AbridgedLog`)."""
        return self.batches

    def part(self, start: int, end: int) -> MetadataLog:
        """The log with the batches [start, end) alone."""
        return replace(self, batches=self.batches[start:end])

    def metadata_records_below(self, offset: int) -> int:
        """How many metadata records the log has below an offset."""
        return sum(
            record.offset < offset
            for batch in self.batches
            if batch.base_offset < offset
            for record in batch.metadata_records
        )

    def records(self) -> Iterator[AnyRecord]:
        """Every record of the segments (snapshots apart) in offset order, control records included."""
        for batch in self.batches:
            yield from batch.records

    @property
    def committed_end_offset(self) -> int:
        """The offset below which everything is known to be committed: the newest snapshot's end, else 0."""
        return max((snapshot.end_offset for snapshot in self.snapshots), default=0)


def _batches_in_words(log: MetadataLog) -> Iterator[tuple[object, ...]]:
    """Yield of each batch its offsets, leader epoch, time, segment, and how many records of which types it has."""
    for batch in log.batches:
        types = (
            batch.records.types()
            if isinstance(batch.records, DecodedOnDemand)
            else Counter(map(type_of, batch.records))
        )
        told = ", ".join(f"{count} {name or 'unknown'}" for name, count in types.items())
        try:
            time = datetime.fromtimestamp(batch.max_timestamp / 1000, UTC).isoformat(" ", "milliseconds")[:23]
        except (OverflowError, OSError, ValueError):
            time = str(batch.max_timestamp)
        yield f"{batch.base_offset}-{batch.last_offset}", batch.epoch, time, batch.segment, told
