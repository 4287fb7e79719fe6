"""A segment or snapshot file read batch by batch, damage and all: memory is one batch, never the file.

Unreadable bytes are reported as ranges and passed over. Where the damage hides the next batch's beginning, it is
searched for: a candidate counts only if its header is plausible and its checksum right.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Collection, Iterator
from io import BufferedIOBase
from typing import TypeAlias

from .batches import (
    CONTROL_BIT,
    HEADER_SIZE,
    MAGIC,
    MINIMUM_LENGTH,
    BatchHeader,
    decode_batch,
    decode_data_batch,
    has_matching_crc,
    read_header,
)
from .errors import CodecError, TraceError
from .primitives import read_varlong
from .records import Batch, Item, Quarantined, QuarantineKind, TrailingZeros, Undecodable

# Raft's own limit for a batch is 8 MiB; a length far beyond it is damage, and must not be read into memory.
LARGEST_BATCH = 64 << 20
_CHUNK = 1 << 20
_LOOKED_AT = 4096
_SHORTEST_RECORD = 6
"""The bytes of a record behind its length: attributes, two deltas, the lengths of key and value, and no header."""
_MAGIC_AT = 16
_ZERO_HEADER = bytes(HEADER_SIZE)
Joins: TypeAlias = Callable[[], Collection[str]]
"""Returns the types of records of which neighbouring batches of one record may be read together from here on."""
_Decode: TypeAlias = Callable[[bytes, str, int], Batch]


class _Window:
    """The bytes of a stream from a moving start on; positions are those in the file."""

    def __init__(self, stream: BufferedIOBase, start: int = 0) -> None:
        self._stream = stream
        self._buffer = b""
        self._start = start
        self._ended = False
        self.failure = ""

    def get(self, position: int, size: int) -> bytes:
        """The bytes [position, position + size), fewer at the end of the file; earlier ones are kept."""
        buffer, offset = self.around(position, size)
        return buffer[offset : offset + size]

    def around(self, position: int, size: int) -> tuple[bytes, int]:
        """The bytes in memory, which have those of `get`, and where among them these begin."""
        missing = position + size - self._start - len(self._buffer)
        if missing > 0 and not self._ended:
            parts = [self._buffer]
            while missing > 0:
                chunk = self._read(max(missing, _CHUNK))
                if not chunk:
                    self._ended = True
                    break
                parts.append(chunk)
                missing -= len(chunk)
            self._buffer = b"".join(parts)
        return self._buffer, position - self._start

    def _read(self, size: int) -> bytes:
        try:
            # One read at a time: where gzip data is cut, what came before the cut must not be lost with it.
            return self._stream.read1(size)
        except (EOFError, OSError, zlib.error) as error:
            self.failure = " ".join(str(error).split()) or type(error).__name__
            return b""

    def forget(self, position: int) -> None:
        """Drop the bytes before a position, when enough of them have gathered."""
        if position - self._start >= _CHUNK:
            self._buffer = self._buffer[position - self._start :]
            self._start = position


def scan(
    stream: BufferedIOBase, segment: str, start: int = 0, searched: bool = False, joins: Joins | None = None
) -> Iterator[Item]:
    """Read a file from a place on: its batches in order, and what could not be read, each in its place.

    `segment` is the file's name for reports, `start` the position of the stream: the first byte of a batch, or,
    where it is to be `searched`, any; then the first sound batch behind it begins. With `joins` batches of one record
    may be read together (`SingleBatches`). Raises CompressedBatchError for a
    compressed batch, and TraceError if the file's first records are sound and no metadata records.
    """
    seen_metadata = start > 0
    for item in _scan(stream, segment, decode_batch, start, searched, joins):
        if isinstance(item, Batch):
            seen_metadata = seen_metadata or check_is_metadata(item, segment)
        yield item


def scan_data(stream: BufferedIOBase, segment: str) -> Iterator[Item]:
    """Read a segment of a broker's log of users' data as `scan` does; compressed batches are not unpacked."""
    return _scan(stream, segment, decode_data_batch)


def _scan(
    stream: BufferedIOBase,
    segment: str,
    decode: _Decode,
    start: int = 0,
    searched: bool = False,
    joins: Joins | None = None,
) -> Iterator[Item]:
    window = _Window(stream, start)
    position = _find_batch(window, start, _begins_with_records)[0] if searched else start
    apart = position
    while True:
        window.forget(position)
        head = window.get(position, HEADER_SIZE)
        if not head:
            if window.failure:
                yield Quarantined(segment, position, position, "torn", f"the file cannot be read on: {window.failure}")
            return
        item: Item | int = position
        if joins is not None and position >= apart and len(head) == HEADER_SIZE and (types := joins()):
            item = _together(window, position, head, segment, types)
        if isinstance(item, int):
            apart = item
            item = _read_item(window, position, head, segment, decode)
        position = position + item.size if isinstance(item, Batch) else item.end
        yield item


def _together(window: _Window, position: int, head: bytes, segment: str, types: Collection[str]) -> Item | int:
    """Read the batches of one record that begin at a position, or return that up to which each is read by itself."""
    if read_header(head).record_count != 1:
        return position
    from .singles import read_singles

    return read_singles(*window.around(position, _CHUNK), segment, position, types)


def _read_item(window: _Window, position: int, head: bytes, segment: str, decode: _Decode) -> Item:
    """Read the item that begins at a position: a batch, an unreadable range, or the unused rest of the file."""
    if len(head) < HEADER_SIZE:
        if not any(head):
            return TrailingZeros(segment, position, position + len(head))
        if len(head) > _MAGIC_AT and head[_MAGIC_AT] != MAGIC:
            reason = f"the batch format here is {head[_MAGIC_AT]}, and only this is read: format {MAGIC}"
            return Quarantined(segment, position, position + len(head), "magic", reason)
        reason = "the file ends inside the header of a batch"
        return Quarantined(segment, position, position + len(head), "torn", reason)
    if head == _ZERO_HEADER:
        found, only_zeros = _find_batch(window, position + 1)
        if only_zeros:
            return TrailingZeros(segment, position, found)
        return Quarantined(segment, position, found, "magic", "zero bytes stand where a batch should begin")
    header = read_header(head)
    if header.magic != MAGIC:
        reason = f"the batch format here is {header.magic}, and only this is read: format {MAGIC}"
        return _until_next(window, position, segment, "magic", reason, None)
    if not MINIMUM_LENGTH <= header.length <= LARGEST_BATCH:
        reason = f"the batch length here is {header.length}, which cannot be"
        return _until_next(window, position, segment, "length", reason, None)
    data = window.get(position, header.size)
    if len(data) < header.size:
        found, _ = _find_batch(window, position + 1)
        if _is_end(window, found):
            reason = f"the file ends {header.size - len(data)} bytes before the batch does"
            return _damaged(segment, position, found, "torn", reason, header)
        reason = f"the batch length here is {header.length}, which runs past the end of the file"
        return Quarantined(segment, position, found, "length", reason)
    if not has_matching_crc(data, header):
        reason = f"the checksum of the batch is not {header.crc}, as its header says"
        if _may_begin_batch(window, position + header.size):
            return _damaged(segment, position, position + header.size, "crc", reason, header)
        return _until_next(window, position, segment, "crc", reason, header)
    try:
        return decode(data, segment, position)
    except CodecError as error:
        reason = f"the checksum is right but the records do not parse: {error}"
        return _damaged(segment, position, position + header.size, "framing", reason, header)


def _until_next(
    window: _Window, position: int, segment: str, kind: QuarantineKind, reason: str, header: BatchHeader | None
) -> Quarantined:
    found, _ = _find_batch(window, position + 1)
    if header is None:
        return Quarantined(segment, position, found, kind, reason)
    return _damaged(segment, position, found, kind, reason, header)


def _damaged(segment: str, start: int, end: int, kind: QuarantineKind, reason: str, header: BatchHeader) -> Quarantined:
    if not _is_plausible(header):
        return Quarantined(segment, start, end, kind, reason)
    return Quarantined(segment, start, end, kind, reason, header.base_offset, header.last_offset, header.epoch)


def _is_plausible(header: BatchHeader) -> bool:
    return (
        header.magic == MAGIC
        and header.base_offset >= 0
        and header.epoch >= 0
        and MINIMUM_LENGTH <= header.length <= LARGEST_BATCH
        and 0 < header.record_count <= header.length
        and header.last_offset_delta >= header.record_count - 1
    )


def _is_end(window: _Window, position: int) -> bool:
    return not window.get(position, 1)


def _may_begin_batch(window: _Window, position: int) -> bool:
    """Whether what follows a damaged batch looks like a batch, unused space, a torn batch or the end of the file."""
    head = window.get(position, HEADER_SIZE)
    if not any(head):
        return True
    if len(head) < HEADER_SIZE:
        return len(head) <= _MAGIC_AT or head[_MAGIC_AT] == MAGIC
    return _is_plausible(read_header(head))


def _find_batch(
    window: _Window, position: int, looks_right: Callable[[_Window, int, BatchHeader], bool] | None = None
) -> tuple[int, bool]:
    """Where the next sound batch begins, or the end of the file, and whether all was zero till there.

    Candidates that do not look right are passed over before their checksum is taken. What the search has passed is
    dropped from memory: it may not be read afterwards.
    """
    only_zeros = True
    while True:
        window.forget(position)
        chunk = window.get(position, _CHUNK)
        if not chunk:
            return position, only_zeros
        at = chunk.find(MAGIC, _MAGIC_AT)
        while at >= 0:
            start = position + at - _MAGIC_AT
            if _is_sound(window, start, looks_right):
                return start, False
            at = chunk.find(MAGIC, at + 1)
        only_zeros = only_zeros and not any(chunk)
        if len(chunk) < _CHUNK:
            return position + len(chunk), only_zeros
        # A batch may begin in the last bytes of the chunk, with its magic in the next one.
        position += _CHUNK - _MAGIC_AT


def _begins_with_records(window: _Window, position: int, header: BatchHeader) -> bool:
    """Whether what may be a batch has the attributes that Raft gives it, and its first records one behind the other.

    Within a large batch thousands of places have a plausible header of tens of megabytes, and each would cost as much
    to sum up. A sound batch that is passed over so is found by a reader that continues from the range in front.
    """
    if header.attributes not in (0, CONTROL_BIT) or header.last_offset_delta != header.record_count - 1:
        return False
    whole = header.size - HEADER_SIZE
    head = window.get(position + HEADER_SIZE, min(whole, _LOOKED_AT))
    at, oddities = 0, list[str]()
    try:
        for _ in range(header.record_count):
            length, at = read_varlong(head, at, oddities)
            at += length
            if length < _SHORTEST_RECORD or at > whole:
                return False
            if at >= len(head):
                return True
    except CodecError:
        return False
    except IndexError:
        # A length goes on behind what was looked at.
        return len(head) < whole
    return at == whole


def _is_sound(
    window: _Window, position: int, looks_right: Callable[[_Window, int, BatchHeader], bool] | None = None
) -> bool:
    head = window.get(position, HEADER_SIZE)
    if len(head) < HEADER_SIZE:
        return False
    header = read_header(head)
    if not _is_plausible(header) or (looks_right is not None and not looks_right(window, position, header)):
        return False
    data = window.get(position, header.size)
    return len(data) == header.size and has_matching_crc(data, header)


def check_is_metadata(batch: Batch, segment: str) -> bool:
    """Whether the batch holds a metadata record; raises TraceError if all its records are of another kind of topic."""
    unknown = []
    for record in batch.records:
        if not isinstance(record, Undecodable):
            return not batch.is_control
        unknown.append(record)
    if unknown and all(_is_of_another_topic(record, batch.is_control) for record in unknown):
        raise TraceError(
            f"{segment}: the batch at offset {batch.base_offset} holds records of another topic ({unknown[0].reason}): "
            "give the files of a __cluster_metadata-0 directory"
        )
    return True


def _is_of_another_topic(record: Undecodable, is_control: bool) -> bool:
    if is_control:
        # Control types 0 and 1 end a transaction of a producer; Raft writes neither.
        return record.key is not None and record.key[2:4] in (b"\0\0", b"\0\1")
    return record.key is not None or record.value is None or record.value[:1] != b"\1"
