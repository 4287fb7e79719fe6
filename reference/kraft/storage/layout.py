"""The disk of a controller, laid out as Kafka's own tools expect it, and read back.

A log directory holds meta.properties and `__cluster_metadata-0`; there lie segments with their indexes, checkpoints,
quorum-state, leader-epoch-checkpoint and partition.metadata. Source: spec/storage.md, what a controller of Kafka
4.4.0 left in its directory.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from fencepost.reference.kraft.inkless import SEAL, split
from fencepost.reference.kraft.raft.client import CommittedBatch, LoadedSnapshot
from fencepost.reference.kraft.records import Message
from fencepost.traces import (
    Batch,
    ControlRecord,
    Record,
    Snapshot,
    TraceError,
    Undecodable,
    build_batch,
    build_control_batch,
    build_snapshot,
    encode_value,
    placed,
    read_log,
)
from fencepost.traces.log_writer import file_bytes
from fencepost.traces.names import METADATA_DIRECTORY

from .errors import StorageError
from .files import cause, write_whole
from .meta_properties import MetaProperties, read_meta_properties, write_meta_properties
from .quorum_state import QuorumState, read_quorum_state, write_quorum_state
from .segment_writer import SEGMENT_BYTES, SegmentWriter

_OF_SNAPSHOTS = ("SnapshotHeader", "SnapshotFooter")


@dataclass(frozen=True)
class ControllerDisk:
    """The disk of a controller.

    `batches` are the log from `start` on (the first batch's offset, or the end of the snapshot that the log begins
    after), uncommitted ones too; `snapshots` in the order of their ends, the bootstrap checkpoint (offset 0, epoch 0)
    among them; `kraft_version` and `voters` (the data of a KRaftVoters record, null for a static quorum) are what the
    snapshots' headers say: of the voters those that the snapshot names, all where it names none.
    """

    properties: MetaProperties
    quorum_state: QuorumState | None
    batches: Sequence[CommittedBatch]
    snapshots: Sequence[LoadedSnapshot] = ()
    kraft_version: int = 0
    voters: Mapping[str, Any] | None = None

    @property
    def start(self) -> int:
        """The offset at which the log begins."""
        if self.batches:
            return self.batches[0].base_offset
        return max((snapshot.end_offset for snapshot in self.snapshots), default=0)


def write_controller(
    disk: ControllerDisk, directory: Path, *, written_ms: int, segment_bytes: int = SEGMENT_BYTES
) -> Path:
    """Write a controller's disk into a log directory, which is made, and return the path of its metadata log.

    Segments roll at `segment_bytes` (metadata.log.segment.bytes), `written_ms` (milliseconds since 1970) is the time
    in meta.properties. Raises StorageError where a log lies there already, so that none is mixed with another, and
    CodecError where a record's data does not fit its schema.
    """
    log_directory = directory / METADATA_DIRECTORY
    try:
        log_directory.mkdir(parents=True, exist_ok=True)
        held = sorted(path.name for path in log_directory.iterdir())
    except OSError as error:
        raise StorageError(f"{log_directory}: the directory cannot be made ({cause(error)})") from error
    if held:
        raise StorageError(f"{log_directory}: a log lies here already ({held[0]}): name another directory")
    with SegmentWriter(log_directory, disk.start, segment_bytes=segment_bytes) as writer:
        for batch in disk.batches:
            writer.append(traced_batch(batch))
    for snapshot in disk.snapshots:
        level = disk.kraft_version if snapshot.kraft_version is None else snapshot.kraft_version
        voters = _named(disk.voters, snapshot) if level or snapshot.kraft_version is None else None
        built = traced_snapshot(snapshot, level, voters)
        write_whole(log_directory / built.segment, file_bytes(built.batches))
    if disk.quorum_state is not None:
        write_quorum_state(log_directory, disk.quorum_state)
    write_meta_properties(directory, disk.properties, written_ms)
    return log_directory


def _named(voters: Mapping[str, Any] | None, snapshot: LoadedSnapshot) -> Mapping[str, Any] | None:
    """Return the data of a KRaftVoters record of the voters that a snapshot names."""
    if voters is None or not snapshot.voters:
        return voters
    return {**voters, "voters": [one for one in voters["voters"] if one["voterId"] in snapshot.voters]}


def read_controller(directory: Path) -> ControllerDisk:
    """Read back what `write_controller` wrote, or a real controller's log directory.

    Raises StorageError where there is none, or where a part of it cannot be read.
    """
    properties = read_meta_properties(directory)
    if properties is None:
        raise StorageError(f"{directory}: not formatted: there is no meta.properties")
    log_directory = directory / METADATA_DIRECTORY
    try:
        log = read_log(log_directory)
    except TraceError as error:
        raise StorageError(str(error)) from error
    for damage in log.quarantined:
        raise StorageError(f"{log_directory / damage.segment}: bytes {damage.start} to {damage.end} are unreadable")
    version, voters = 0, None
    for record in _snapshot_controls(log.snapshots):
        version = record.data["kRaftVersion"] if record.type == "KRaftVersion" else version
        voters = record.data if record.type == "KRaftVoters" else voters
    return ControllerDisk(
        properties=properties,
        quorum_state=read_quorum_state(log_directory),
        batches=tuple(light_batch(batch) for batch in log.batches),
        snapshots=tuple(light_snapshot(snapshot) for snapshot in log.snapshots),
        kraft_version=version,
        voters=voters,
    )


def traced_batch(batch: CommittedBatch) -> Batch:
    """Return a batch of the simulated log as `traces` has it, with size and checksum."""
    if batch.control:
        return build_control_batch(
            batch.control, base_offset=batch.base_offset, epoch=batch.epoch, timestamp=batch.timestamp_ms
        )
    made = build_batch(
        _plain(batch.records), base_offset=batch.base_offset, epoch=batch.epoch, timestamp=batch.timestamp_ms
    )
    return _tagged((made,), batch.records, made.segment)[0]


def _plain(messages: Iterable[Message]) -> list[Message]:
    """Return records without what a fork says in tags."""
    return [Message(one.type, one.version, split(one.data)[0]) for one in messages]


def _tagged(batches: Sequence[Batch], messages: Sequence[Message], segment: str) -> Sequence[Batch]:
    """Return batches of records with the tags that a fork's records have; the very batches where none has any."""
    if not any(SEAL in one.data for one in messages):
        return batches
    left = iter(messages)

    def other(batch: Batch) -> Batch:
        if any(isinstance(record, ControlRecord) for record in batch.records):
            return batch
        records = []
        for record, message in zip(batch.records, left, strict=False):
            data, tags = split(message.data)
            raw = encode_value(message.type, message.version, data, tags) if tags else None
            records.append(replace(record, raw=raw) if isinstance(record, Record) and raw is not None else record)
        return replace(batch, records=tuple(records))

    return placed([other(one) for one in batches], segment)


def traced_snapshot(snapshot: LoadedSnapshot, kraft_version: int, voters: Mapping[str, Any] | None) -> Snapshot:
    """Return a snapshot as `traces` has it; at kraft.version 1 its header names the voters."""
    made = build_snapshot(
        _plain(snapshot.records),
        end_offset=snapshot.end_offset,
        epoch=snapshot.epoch,
        timestamp=snapshot.timestamp_ms,
        last_contained_timestamp=snapshot.last_contained_timestamp_ms,
        kraft_version=kraft_version,
        voters=voters,
    )
    return replace(made, batches=tuple(_tagged(made.batches, snapshot.records, made.segment)))


def light_batch(batch: Batch) -> CommittedBatch:
    """Return a batch that was read as the simulated log has it; raises StorageError for a record of unknown content."""
    control = tuple((record.type, record.data) for record in batch.records if isinstance(record, ControlRecord))
    for record in batch.records:
        if isinstance(record, Undecodable):
            raise StorageError(f"{batch.segment}: the record at offset {record.offset} is unknown: {record.reason}")
    return CommittedBatch(
        base_offset=batch.base_offset,
        last_offset=batch.last_offset,
        epoch=batch.epoch,
        timestamp_ms=batch.max_timestamp,
        records=tuple(Message(record.type, record.version, record.data) for record in batch.metadata_records),
        control=control,
        size=batch.size,
    )


def light_snapshot(snapshot: Snapshot) -> LoadedSnapshot:
    """Return a snapshot that was read as the simulated controllers have it."""
    header = next(_snapshot_controls([snapshot], wanted=_OF_SNAPSHOTS[:1]), None)
    return LoadedSnapshot(
        end_offset=snapshot.end_offset,
        epoch=snapshot.epoch,
        records=tuple(Message(record.type, record.version, record.data) for record in snapshot.records),
        timestamp_ms=snapshot.batches[0].max_timestamp if snapshot.batches else 0,
        last_contained_timestamp_ms=0 if header is None else header.data["lastContainedLogTimestamp"],
    )


def _snapshot_controls(
    snapshots: Iterable[Snapshot], wanted: Sequence[str] = ("KRaftVersion", "KRaftVoters")
) -> Iterator[ControlRecord]:
    for snapshot in snapshots:
        for batch in snapshot.batches:
            for record in batch.records:
                if isinstance(record, ControlRecord) and record.type in wanted:
                    yield record
