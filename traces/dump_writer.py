"""A metadata log as the text that kafka-dump-log prints with `--cluster-metadata-decoder`, line for line.

Source of the format: DumpLogSegments of Kafka 4.3 and 4.4. What no such text can show, a damaged range in the middle
of a file, is a line of its own that begins with `Unreadable`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from .batches import CODECS, DELETE_HORIZON_BIT, LOG_APPEND_TIME_BIT, MAGIC, key_and_value
from .json_text import json_text
from .names import SnapshotId, parse_segment_name, parse_snapshot_name
from .records import AnyRecord, Batch, ControlRecord, Item, MetadataLog, Quarantined, Record, TrailingZeros

# Kafka prints a colon after this one name only.
_LABELS = {"LeaderChange": "LeaderChange:"}


def dump_text(log: MetadataLog, directory: str | None = None) -> str:
    """The text for every file of a log, files in the order of their names.

    `directory` is the prefix of each file's name in the `Dumping` lines, the log's own path if not given. Raises
    CodecError where a record's data does not fit its schema (a text that an old release printed may hold such).
    """
    prefix = log.path if directory is None else directory
    return "".join(f"{line}\n" for line in dump_lines(log, prefix))


def dump_lines(log: MetadataLog, directory: str) -> Iterator[str]:
    """The lines of `dump_text`, one at a time and without line ends."""
    files: dict[str, list[Item]] = {segment.name: [] for segment in log.segments}
    files |= {snapshot.segment: [*snapshot.batches] for snapshot in log.snapshots}
    items: Iterable[Item] = (*log.batches, *log.quarantined, *log.trailing_zeros)
    for item in items:
        files.setdefault(item.segment, []).append(item)
    for name in sorted(files):
        yield f"Dumping {directory.rstrip('/')}/{name}" if directory else f"Dumping {name}"
        yield from _file_head(name)
        yield from dump_items(sorted(files[name], key=_position))


def dump_items(items: Iterable[Item]) -> Iterator[str]:
    """The lines for what one file holds, in file order."""
    for item in items:
        if isinstance(item, Batch):
            yield batch_line(item)
            for record in item.records:
                yield record_line(record, item)
        elif isinstance(item, TrailingZeros) or item.kind == "torn":
            yield f"Found {item.end - item.start} invalid bytes at the end of {item.segment}"
        else:
            yield f"Unreadable bytes {item.start} to {item.end} of {item.segment}: {item.reason}"


def batch_line(batch: Batch) -> str:
    """The line that shows a batch's header."""
    attributes = batch.attributes
    clock = "LogAppendTime" if attributes & LOG_APPEND_TIME_BIT else "CreateTime"
    horizon = f"OptionalLong[{batch.base_timestamp}]" if attributes & DELETE_HORIZON_BIT else "OptionalLong.empty"
    last_sequence = -1 if batch.base_sequence < 0 else batch.base_sequence + batch.last_offset - batch.base_offset
    return (
        f"baseOffset: {batch.base_offset} lastOffset: {batch.last_offset} count: {batch.count}"
        f" baseSequence: {batch.base_sequence} lastSequence: {last_sequence}"
        f" producerId: {batch.producer_id} producerEpoch: {batch.producer_epoch}"
        f" partitionLeaderEpoch: {batch.epoch} isTransactional: {json_text(batch.is_transactional)}"
        f" isControl: {json_text(batch.is_control)} deleteHorizonMs: {horizon}"
        f" position: {batch.position} {clock}: {batch.max_timestamp} size: {batch.size} magic: {MAGIC}"
        f" compresscodec: {CODECS[attributes & 7]} crc: {batch.crc} isvalid: true"
    )


def record_line(record: AnyRecord, batch: Batch) -> str:
    """The line that shows a record of a batch."""
    key, value = key_and_value(record)
    clock = "LogAppendTime" if batch.attributes & LOG_APPEND_TIME_BIT else "CreateTime"
    sequence = -1 if batch.base_sequence < 0 else batch.base_sequence + record.offset - batch.base_offset
    return (
        f"| offset: {record.offset} {clock}: {record.timestamp} keySize: {_size(key)} valueSize: {_size(value)}"
        f" sequence: {sequence} headerKeys: [{','.join(header.key for header in record.headers)}] {_content(record)}"
    )


def _content(record: AnyRecord) -> str:
    if isinstance(record, Record):
        return f"payload: {json_text({'type': record.type, 'version': record.version, 'data': record.data})}"
    if isinstance(record, ControlRecord):
        return f"{_LABELS.get(record.type, record.type)} {json_text(record.data)}"
    return f"payload: Error at {record.offset}, skipping. {record.reason}"


def _size(part: bytes | None) -> int:
    return -1 if part is None else len(part)


def _position(item: Item) -> int:
    return item.start if isinstance(item, (Quarantined, TrailingZeros)) else item.position


def _file_head(name: str) -> Iterator[str]:
    base_offset = parse_segment_name(name)
    snapshot = parse_snapshot_name(name)
    if base_offset is not None:
        yield f"Log starting offset: {base_offset}"
    elif name == "bootstrap.checkpoint":
        yield "KRaft bootstrap snapshot"
    elif isinstance(snapshot, SnapshotId):
        yield f"Snapshot end offset: {snapshot.end_offset}, epoch: {snapshot.epoch}"
