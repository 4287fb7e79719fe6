"""Recorded logs altered for tests: batches dropped or repeated, fields changed under a right checksum, bytes hurt."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from fencepost.traces import Batch, MetadataLog, Record, build_batch, placed, write_log

Message = tuple[str, int, dict[str, Any]]
"""A record to write: its type, its version and its data."""


def _written(log: MetadataLog, batches: Iterable[Batch], directory: Path) -> Path:
    by_segment: dict[str, list[Batch]] = {}
    for batch in batches:
        by_segment.setdefault(batch.segment, []).append(batch)
    changed = tuple(
        batch for segment in log.segments for batch in placed(by_segment.get(segment.name, []), segment.name)
    )
    write_log(replace(log, batches=changed, trailing_zeros=()), directory)
    return directory


def batch_at(log: MetadataLog, offset: int) -> Batch:
    """Return the batch with an offset."""
    return next(batch for batch in log.batches if batch.base_offset <= offset <= batch.last_offset)


def without_batch(log: MetadataLog, offset: int, directory: Path) -> Path:
    """Write the log without the batch with an offset."""
    gone = batch_at(log, offset)
    return _written(log, (batch for batch in log.batches if batch is not gone), directory)


def renumbered(log: MetadataLog, batches: Iterable[Batch], directory: Path) -> Path:
    """Write some batches of a log one behind the other, each at the offset at which the one before it ends."""
    found: list[Batch] = []
    at = 0
    for batch in batches:
        if batch.is_control:
            records = tuple(replace(one, offset=at + number) for number, one in enumerate(batch.records))
            found.append(replace(batch, base_offset=at, records=records))
        else:
            found.append(_like(batch, [(r.type, r.version, r.data) for r in batch.metadata_records], at))
        at += len(batch.records)
    return _written(log, found, directory)


def with_batch_twice(log: MetadataLog, offset: int, directory: Path) -> Path:
    """Write the log with the batch with an offset repeated at once."""
    again = batch_at(log, offset)
    twice = (one for batch in log.batches for one in ([batch, batch] if batch is again else [batch]))
    return _written(log, twice, directory)


def with_record(
    log: MetadataLog, offset: int, change: Callable[[dict[str, Any]], dict[str, Any]], directory: Path
) -> Path:
    """Write the log with the data of one record changed; the batch is encoded again, so its checksum is right."""
    old = batch_at(log, offset)
    messages = [
        (r.type, r.version, change(dict(r.data)) if r.offset == offset else r.data)
        for r in old.records
        if isinstance(r, Record)
    ]
    return rebuilt(log, old, messages, directory)


def without_record(log: MetadataLog, offset: int, directory: Path) -> Path:
    """Write the log without one record of a batch; all later offsets move down by one, so that there is no gap."""
    old = batch_at(log, offset)
    batches: list[Batch] = []
    for batch in log.batches:
        if batch.base_offset < old.base_offset:
            batches.append(batch)
        elif batch is old:
            messages = [(r.type, r.version, r.data) for r in batch.metadata_records if r.offset != offset]
            batches.append(_like(batch, messages, batch.base_offset))
        elif batch.is_control:
            raise ValueError("choose a record with no control batch after it")
        else:
            messages = [(r.type, r.version, r.data) for r in batch.metadata_records]
            batches.append(_like(batch, messages, batch.base_offset - 1))
    return _written(log, batches, directory)


def with_epoch(log: MetadataLog, offset: int, epoch: int, directory: Path) -> Path:
    """Write the log with another leader epoch on the batch with an offset."""
    old = batch_at(log, offset)
    messages = [(r.type, r.version, r.data) for r in old.metadata_records]
    start, time = old.base_offset, old.base_timestamp
    new = build_batch(messages, base_offset=start, epoch=epoch, timestamp=time, segment=old.segment)
    return _written(log, (new if batch is old else batch for batch in log.batches), directory)


def with_byte_flipped(log: MetadataLog, offset: int, directory: Path) -> Path:
    """Write the log with the last byte of the batch with an offset flipped."""
    batch = batch_at(log, offset)
    _written(log, log.batches, directory)
    path = directory / batch.segment
    content = bytearray(path.read_bytes())
    content[batch.position + batch.size - 1] ^= 0xFF
    path.write_bytes(bytes(content))
    return directory


def ending_with(
    log: MetadataLog, offset: int, change: Callable[[list[Message]], list[Message]], directory: Path
) -> Path:
    """Write the log up to the batch with an offset, with other messages in that batch."""
    last = batch_at(log, offset)
    messages = change([(r.type, r.version, r.data) for r in last.metadata_records])
    kept = [batch for batch in log.batches if batch.base_offset < last.base_offset]
    return _written(log, [*kept, _like(last, messages, last.base_offset)], directory)


def rewritten(log: MetadataLog, change: Callable[[Message], Message], directory: Path) -> Path:
    """Write the log with every record that is no control record changed; each stays at its offset."""
    batches = [
        batch
        if batch.is_control
        else _like(
            batch, [change((r.type, r.version, dict(r.data))) for r in batch.metadata_records], batch.base_offset
        )
        for batch in log.batches
    ]
    return _written(log, batches, directory)


def with_messages(log: MetadataLog, messages: Mapping[int, Message], directory: Path) -> Path:
    """Write the log with other records at some offsets; all others stay as they are."""
    batches = [
        _like(
            batch,
            [messages.get(r.offset, (r.type, r.version, r.data)) for r in batch.metadata_records],
            batch.base_offset,
        )
        if any(batch.base_offset <= offset <= batch.last_offset for offset in messages)
        else batch
        for batch in log.batches
    ]
    return _written(log, batches, directory)


def continued(log: MetadataLog, offset: int, batches: Iterable[list[Message]], directory: Path) -> Path:
    """Write the log up to the batch in front of an offset, and then other batches."""
    kept = [batch for batch in log.batches if batch.last_offset < offset]
    for messages in batches:
        kept.append(_like(kept[-1], messages, kept[-1].last_offset + 1))
    return _written(log, kept, directory)


def until(log: MetadataLog, last: int) -> MetadataLog:
    """Return a log up to the batch that ends at an offset, or in front of it."""
    return replace(log, batches=tuple(one for one in log.batches if one.last_offset <= last))


def torn(log: MetadataLog, bytes_: int, directory: Path) -> Path:
    """Write the log with the last bytes of its last segment cut off."""
    _written(log, log.batches, directory)
    path = directory / log.segments[-1].name
    path.write_bytes(path.read_bytes()[:-bytes_])
    return directory


def written(log: MetadataLog, directory: Path) -> Path:
    """Write the log as it is."""
    return _written(log, log.batches, directory)


def _like(batch: Batch, messages: list[tuple[str, int, dict[str, Any]]], base_offset: int) -> Batch:
    return build_batch(
        messages, base_offset=base_offset, epoch=batch.epoch, timestamp=batch.base_timestamp, segment=batch.segment
    )


def rebuilt(log: MetadataLog, old: Batch, messages: list[tuple[str, int, dict[str, Any]]], directory: Path) -> Path:
    """Write the log with other records in one batch."""
    new = _like(old, messages, old.base_offset)
    return _written(log, (new if batch is old else batch for batch in log.batches), directory)
