"""Metadata logs and snapshots written in Kafka's own binary layout, so that Kafka's own tools read them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from fencepost.files import write_whole

from .batches import build_batch, build_control_batch, encode_batch, read_header
from .errors import TraceError
from .names import snapshot_name
from .record_types import KRAFT_VERSION, KRAFT_VOTERS, SNAPSHOT_FOOTER, SNAPSHOT_HEADER
from .records import Batch, MetadataLog, Snapshot


def file_bytes(batches: Iterable[Batch]) -> bytes:
    """The bytes of a segment or snapshot file that holds these batches; raises CodecError for unfit data."""
    return b"".join(encode_batch(batch) for batch in batches)


def placed(batches: Iterable[Batch], segment: str) -> tuple[Batch, ...]:
    """The batches as they lie in a file of that name one after another: segment, position, size and checksum set."""
    position = 0
    result = []
    for batch in batches:
        encoded = encode_batch(batch)
        header = read_header(encoded)
        result.append(replace(batch, segment=segment, position=position, size=len(encoded), crc=header.crc))
        position += len(encoded)
    return tuple(result)


def build_snapshot(
    messages: Sequence[tuple[str, int, Mapping[str, Any]]],
    *,
    end_offset: int,
    epoch: int,
    timestamp: int,
    last_contained_timestamp: int,
    kraft_version: int = 0,
    voters: Mapping[str, Any] | None = None,
    records_per_batch: int = 1024,
) -> Snapshot:
    """A snapshot: a control batch with the header, data batches of (type, version, data), a control batch as footer.

    `end_offset` is exclusive; `epoch` is that of the last record contained, and every batch bears it.
    `last_contained_timestamp` (milliseconds) is that of the log's last contained batch. With a `kraft_version` above 0,
    or with `voters` (the data of a KRaftVoters record), the header batch says kraft.version 1 too. Offsets are the
    snapshot's own, from 0.
    """
    if records_per_batch < 1:
        raise TraceError("a batch holds at least one record: set records_per_batch to 1 or more")
    head: list[tuple[str, Mapping[str, Any]]] = [
        (SNAPSHOT_HEADER, {"version": 0, "lastContainedLogTimestamp": last_contained_timestamp})
    ]
    if voters is not None or kraft_version > 0:
        head.append((KRAFT_VERSION, {"version": 0, "kRaftVersion": kraft_version or 1}))
    if voters is not None:
        head.append((KRAFT_VOTERS, voters))
    batches = [build_control_batch(head, base_offset=0, epoch=epoch, timestamp=timestamp)]
    for start in range(0, len(messages), records_per_batch):
        chunk = messages[start : start + records_per_batch]
        batches.append(build_batch(chunk, base_offset=len(head) + start, epoch=epoch, timestamp=timestamp))
    footer = [(SNAPSHOT_FOOTER, {"version": 0})]
    end = len(head) + len(messages)
    batches.append(build_control_batch(footer, base_offset=end, epoch=epoch, timestamp=timestamp))
    name = snapshot_name(end_offset, epoch)
    return Snapshot(end_offset, epoch, name, placed(batches, name))


def write_snapshot(snapshot: Snapshot, directory: Path) -> Path:
    """Write a snapshot under its proper name into an existing directory, and return the file's path."""
    path = directory / snapshot_name(snapshot.end_offset, snapshot.epoch)
    write_whole(path, file_bytes(snapshot.batches))
    return path


def write_log(log: MetadataLog, directory: Path) -> tuple[Path, ...]:
    """Write the segments and snapshots of a log into a directory, which is made if missing; returns the files' paths.

    Raises TraceError for a log that its bytes cannot be known of: one with unreadable ranges, or one read from a text
    without batch lines.
    """
    if log.quarantined:
        damage = log.quarantined[0]
        raise TraceError(
            f"{log.path}: bytes {damage.start} to {damage.end} of {damage.segment} were unreadable and cannot be "
            "written again: copy the file instead"
        )
    if any(batch.epoch < 0 for batch in log.batches):
        raise TraceError(f"{log.path}: a batch has no epoch, as in a text without batch lines: read the binary log")
    directory.mkdir(parents=True, exist_ok=True)
    paths = []
    for segment in log.segments:
        zeros = sum(zero.end - zero.start for zero in log.trailing_zeros if zero.segment == segment.name)
        path = directory / segment.name
        write_whole(path, file_bytes(one for one in log.batches if one.segment == segment.name) + bytes(zeros))
        paths.append(path)
    paths += [write_snapshot(snapshot, directory) for snapshot in log.snapshots]
    return tuple(paths)
