"""Record batches of format 2, as they lie in a segment or a snapshot: one batch read from bytes, or written to them.

Layout (big-endian): baseOffset i64, length i32 (of all that follows it), partitionLeaderEpoch i32, magic i8, CRC-32C
u32 (of all that follows it), attributes i16 (bits 0-2 compression, 3 timestamp type, 4 transactional, 5 control, 6
delete horizon), lastOffsetDelta i32, baseTimestamp i64, maxTimestamp i64, producerId i64, producerEpoch i16,
baseSequence i32, record count i32; then the records, each with a variable-length length in front.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, TypeAlias

from .codec import decode_control, decode_value, encode_control, encode_value
from .crc32c import crc32c
from .errors import CodecError, CompressedBatchError, TraceError
from .primitives import read_varlong, write_varlong
from .records import AnyRecord, Batch, ControlRecord, Header, Record, Undecodable

HEADER = struct.Struct(">qiibIhiqqqhii")
HEADER_SIZE = HEADER.size
OVERHEAD = 12  # baseOffset and length, which the length does not count
MINIMUM_LENGTH = HEADER_SIZE - OVERHEAD
MAGIC = 2
COMPRESSION = 0x07
CONTROL_BIT = 0x20
TRANSACTIONAL_BIT = 0x10
DELETE_HORIZON_BIT = 0x40
LOG_APPEND_TIME_BIT = 0x08
CODECS = {0: "none", 1: "gzip", 2: "snappy", 3: "lz4", 4: "zstd"}
CHECKED_FROM = 21  # the checksum begins after itself
_NO_OP = bytes([20, 0, 0, 0, 1, 8, 1, 20, 0, 0, 0])
"""A NoOpRecord behind the header of its batch. An idle controller writes two a second, so that most batches end so."""
_LARGE = 128
"""Records from which a batch is read into columns: decoding fewer takes less than their columns do."""


class BatchHeader(NamedTuple):
    """The fixed part of a batch, as it is in the bytes."""

    base_offset: int
    length: int
    epoch: int
    magic: int
    crc: int
    attributes: int
    last_offset_delta: int
    base_timestamp: int
    max_timestamp: int
    producer_id: int
    producer_epoch: int
    base_sequence: int
    record_count: int

    @property
    def size(self) -> int:
        """Bytes of the whole batch."""
        return self.length + OVERHEAD

    @property
    def last_offset(self) -> int:
        """Offset of the last record."""
        return self.base_offset + self.last_offset_delta


def read_header(data: bytes) -> BatchHeader:
    """The header of the batch that begins the bytes, unchecked; raises struct.error if they are too few."""
    return BatchHeader._make(HEADER.unpack_from(data))


def has_matching_crc(data: bytes, header: BatchHeader) -> bool:
    """Whether the checksum in the header is that of the batch's bytes."""
    return crc32c(data[CHECKED_FROM : header.size]) == header.crc


def decode_batch(data: bytes, segment: str, position: int) -> Batch:
    """Decode one whole batch of a metadata log whose length and checksum have been checked.

    `segment` and `position` say where it came from. A record whose content is unknown becomes `Undecodable`. The
    records of a large batch are decoded when they are asked for. Raises CodecError where the records do not fill the
    batch, CompressedBatchError for a compressed one.
    """
    header = read_header(data)
    if header.record_count == 1 < _LARGE and not header.attributes and data[HEADER_SIZE:] == _NO_OP:
        record = Record(header.base_offset, header.base_timestamp, "NO_OP_RECORD", 0, {})
        return _batch(header, segment, position, (record,), None)
    codec = header.attributes & COMPRESSION
    if codec:
        raise CompressedBatchError(
            f"{segment}: the batch at offset {header.base_offset} (byte {position}) is compressed with "
            f"{CODECS.get(codec, f'codec {codec}')}, and a controller writes its metadata log uncompressed: "
            "give the file as the controller wrote it, or its kafka-dump-log text"
        )
    if header.record_count >= _LARGE and not header.attributes & (CONTROL_BIT | LOG_APPEND_TIME_BIT):
        from .lazy_records import lazy_records

        records = lazy_records(data, HEADER_SIZE, header.record_count, header.base_offset, header.base_timestamp)
        if records is not None:
            return _batch(header, segment, position, records, None)
    return _decoded(data, header, segment, position, interpret)


def decode_data_batch(data: bytes, segment: str, position: int) -> Batch:
    """Decode one whole batch of a broker's log of users' data, as `decode_batch` does; its records are `Undecodable`.

    A compressed batch is not unpacked: it has no records, and its bytes in `raw`. Raises CodecError where the records
    do not fill the batch.
    """
    header = read_header(data)
    if header.attributes & COMPRESSION:
        return _batch(header, segment, position, (), data)
    return _decoded(data, header, segment, position, _as_bytes)


_Interpret: TypeAlias = Callable[[int, int, bool, bytes | None, bytes | None, tuple[Header, ...]], AnyRecord]


def _decoded(data: bytes, header: BatchHeader, segment: str, position: int, interpret: _Interpret) -> Batch:
    oddities: list[str] = []
    records: list[AnyRecord] = []
    at = HEADER_SIZE
    try:
        for _ in range(header.record_count):
            record, at = _read_record(data, at, header, interpret, oddities)
            records.append(record)
    except (IndexError, UnicodeDecodeError):
        raise CodecError("the records run past the end of their batch", "bytes") from None
    if at != len(data):
        raise CodecError(
            f"{len(data) - at} bytes are left over after the {header.record_count} records of the batch", "trailing"
        )
    if header.attributes & LOG_APPEND_TIME_BIT:
        oddities.append("the timestamps of the records are not those of the writer")
    return _batch(header, segment, position, tuple(records), data if oddities else None)


def _batch(header: BatchHeader, segment: str, position: int, records: Sequence[AnyRecord], raw: bytes | None) -> Batch:
    return Batch(
        base_offset=header.base_offset,
        last_offset=header.last_offset,
        epoch=header.epoch,
        is_control=bool(header.attributes & CONTROL_BIT),
        position=position,
        size=header.size,
        segment=segment,
        records=records,
        max_timestamp=header.max_timestamp,
        base_timestamp=header.base_timestamp,
        crc=header.crc,
        attributes=header.attributes,
        producer_id=header.producer_id,
        producer_epoch=header.producer_epoch,
        base_sequence=header.base_sequence,
        count=header.record_count,
        raw=raw,
    )


def _read_record(
    data: bytes, at: int, header: BatchHeader, interpret: _Interpret, oddities: list[str]
) -> tuple[AnyRecord, int]:
    length, at = read_varlong(data, at, oddities)
    end = at + length
    if length < 0 or end > len(data):
        raise IndexError
    if data[at]:
        oddities.append("a record has attributes")
    timestamp_delta, at = read_varlong(data, at + 1, oddities)
    offset_delta, at = read_varlong(data, at, oddities)
    key, at = _read_nullable_bytes(data, at, oddities)
    value, at = _read_nullable_bytes(data, at, oddities)
    header_count, at = read_varlong(data, at, oddities)
    headers: tuple[Header, ...] = ()
    if header_count:
        headers, at = _read_headers(data, at, header_count, oddities)
    if at != end:
        raise CodecError("a record takes another number of bytes than its length says", "bytes")
    offset = header.base_offset + offset_delta
    if header.attributes & LOG_APPEND_TIME_BIT:
        timestamp = header.max_timestamp
    else:
        timestamp = header.base_timestamp + timestamp_delta
    return interpret(offset, timestamp, bool(header.attributes & CONTROL_BIT), key, value, headers), end


def _as_bytes(
    offset: int, timestamp: int, is_control: bool, key: bytes | None, value: bytes | None, headers: tuple[Header, ...]
) -> AnyRecord:
    return Undecodable(offset, timestamp, "a record of users' data", key, value, headers)


def interpret(
    offset: int, timestamp: int, is_control: bool, key: bytes | None, value: bytes | None, headers: tuple[Header, ...]
) -> AnyRecord:
    """Return a record of a metadata log, `Undecodable` where its content is unknown."""
    try:
        if value is None:
            raise CodecError("the record has no value: this is no metadata record", "frame")
        if is_control:
            if key is None:
                raise CodecError("a control record has no key", "frame")
            decoded = decode_control(key, value)
            exact = None if decoded.canonical else (key, value)
            return ControlRecord(offset, timestamp, decoded.type, decoded.data, headers, exact)
        if key is not None:
            raise CodecError("the record has a key: this is no metadata record", "frame")
        decoded = decode_value(value)
    except CodecError as error:
        return Undecodable(offset, timestamp, str(error), key, value, headers)
    return Record(
        offset, timestamp, decoded.type, decoded.version, decoded.data, headers, None if decoded.canonical else value
    )


def _read_nullable_bytes(data: bytes, at: int, oddities: list[str]) -> tuple[bytes | None, int]:
    length, at = read_varlong(data, at, oddities)
    if length < 0:
        if length != -1:
            oddities.append("null is written as another number than -1")
        return None, at
    end = at + length
    if end > len(data):
        raise IndexError
    return data[at:end], end


def _read_headers(data: bytes, at: int, count: int, oddities: list[str]) -> tuple[tuple[Header, ...], int]:
    if count < 0 or count > len(data) - at:
        raise IndexError
    headers = []
    for _ in range(count):
        key, at = _read_nullable_bytes(data, at, oddities)
        if key is None:
            raise CodecError("a header has no key", "bytes")
        value, at = _read_nullable_bytes(data, at, oddities)
        headers.append(Header(key.decode("utf-8"), value))
    return tuple(headers), at


def key_and_value(record: AnyRecord) -> tuple[bytes | None, bytes | None]:
    """The key and value bytes of a record; raises CodecError where its data does not fit its schema."""
    if isinstance(record, Record):
        return None, record.raw if record.raw is not None else encode_value(record.type, record.version, record.data)
    if isinstance(record, ControlRecord):
        return record.raw if record.raw is not None else encode_control(record.type, record.data)
    return record.key, record.value


def encode_batch(batch: Batch) -> bytes:
    """The bytes of a batch, checksum computed; `size` and `crc` of the batch are not consulted.

    Raises CodecError where a record's data does not fit its schema.
    """
    if batch.raw is not None:
        return batch.raw
    body = bytearray()
    for record in batch.records:
        _write_record(record, batch, body)
    checked = struct.pack(
        ">hiqqqhii",
        batch.attributes & ~CONTROL_BIT | (CONTROL_BIT if batch.is_control else 0),
        batch.last_offset - batch.base_offset,
        batch.base_timestamp,
        batch.max_timestamp,
        batch.producer_id,
        batch.producer_epoch,
        batch.base_sequence,
        len(batch.records),
    )
    checked += body
    length = MINIMUM_LENGTH + len(body)
    return struct.pack(">qiibI", batch.base_offset, length, batch.epoch, MAGIC, crc32c(checked)) + checked


def _write_record(record: AnyRecord, batch: Batch, out: bytearray) -> None:
    key, value = key_and_value(record)
    body = bytearray(b"\0")
    write_varlong(record.timestamp - batch.base_timestamp, body)
    write_varlong(record.offset - batch.base_offset, body)
    _write_nullable_bytes(key, body)
    _write_nullable_bytes(value, body)
    write_varlong(len(record.headers), body)
    for header in record.headers:
        _write_nullable_bytes(header.key.encode("utf-8"), body)
        _write_nullable_bytes(header.value, body)
    write_varlong(len(body), out)
    out += body


def _write_nullable_bytes(value: bytes | None, out: bytearray) -> None:
    if value is None:
        write_varlong(-1, out)
    else:
        write_varlong(len(value), out)
        out += value


def build_batch(
    messages: Iterable[tuple[str, int, Mapping[str, Any]]],
    *,
    base_offset: int,
    epoch: int,
    timestamp: int,
    segment: str = "",
    position: int = 0,
) -> Batch:
    """A data batch of metadata records, given as (type, version, data), with consecutive offsets from `base_offset`.

    `epoch` is the leader epoch, `timestamp` (milliseconds) that of every record. The batch has the size and checksum
    of its bytes. Raises CodecError where data does not fit its schema, TraceError for no record at all.
    """
    records = tuple(
        Record(base_offset + index, timestamp, record_type, version, dict(data))
        for index, (record_type, version, data) in enumerate(messages)
    )
    return _finished(records, False, epoch, timestamp, segment, position)


def build_control_batch(
    messages: Iterable[tuple[str, Mapping[str, Any]]],
    *,
    base_offset: int,
    epoch: int,
    timestamp: int,
    segment: str = "",
    position: int = 0,
) -> Batch:
    """A control batch of records given as (type, data), as `build_batch` does it for metadata records."""
    records = tuple(
        ControlRecord(base_offset + index, timestamp, record_type, dict(data))
        for index, (record_type, data) in enumerate(messages)
    )
    return _finished(records, True, epoch, timestamp, segment, position)


def _finished(
    records: tuple[AnyRecord, ...], is_control: bool, epoch: int, timestamp: int, segment: str, position: int
) -> Batch:
    if not records:
        raise TraceError("a record batch holds at least one record: give one, or write no batch")
    draft = Batch(
        base_offset=records[0].offset,
        last_offset=records[-1].offset,
        epoch=epoch,
        is_control=is_control,
        position=position,
        size=0,
        segment=segment,
        records=records,
        max_timestamp=timestamp,
        base_timestamp=timestamp,
        crc=0,
        attributes=CONTROL_BIT if is_control else 0,
        count=len(records),
    )
    encoded = encode_batch(draft)
    return replace(draft, size=len(encoded), crc=read_header(encoded).crc)
