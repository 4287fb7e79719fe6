"""The segments of a metadata log on disk, with the indexes and marks that Kafka keeps beside each.

Beside `N.log` lie `N.index` (offset to byte position), `N.timeindex` (time to offset), and, where a segment ended,
`N.snapshot` (the producers' state, of which a metadata log has none). Integers are big-endian; offsets in an index
are relative to N. Source: LogSegment, OffsetIndex, TimeIndex, ProducerStateManager; what a controller of 4.4.0 left.
"""

from __future__ import annotations

import struct
from pathlib import Path
from types import TracebackType
from typing import BinaryIO

from fencepost.traces import Batch, encode_batch, segment_name
from fencepost.traces.crc32c import crc32c

INDEX_INTERVAL_BYTES = 4096
"""A segment's indexes get an entry once more than this many bytes have come since the last one."""

SEGMENT_BYTES = 1024 * 1024 * 1024
SEGMENT_MS = 7 * 24 * 60 * 60 * 1000

METADATA_TOPIC_ID = "AAAAAAAAAAAAAAAAAAAAAQ"
"""The topic id of __cluster_metadata in every cluster."""

_OFFSET_ENTRY = struct.Struct(">ii")
_TIME_ENTRY = struct.Struct(">qi")
_NO_PRODUCERS = struct.pack(">i", 0)
_PRODUCER_STATE_VERSION = 1
_NEVER = -1


class _Segment:
    """A segment that is being written: its file, its indexes so far, the time of its latest record."""

    def __init__(self, directory: Path, base_offset: int) -> None:
        self.base_offset = base_offset
        self.size = 0
        self.first_timestamp: int | None = None
        self._path = directory / segment_name(base_offset)
        self._stream: BinaryIO = self._path.open("wb")
        self._offsets: list[tuple[int, int]] = []
        self._times: list[tuple[int, int]] = []
        self._latest = (_NEVER, 0)
        self._since_entry = 0

    def append(self, batch: Batch, encoded: bytes) -> None:
        """Write a batch, and index entries before it is counted, as Kafka does."""
        if self.first_timestamp is None:
            self.first_timestamp = batch.max_timestamp
        self._stream.write(encoded)
        if batch.max_timestamp > self._latest[0]:
            self._latest = (batch.max_timestamp, batch.last_offset)
        if self._since_entry > INDEX_INTERVAL_BYTES:
            self._offsets.append((batch.last_offset, self.size))
            self._note_time()
            self._since_entry = 0
        self._since_entry += len(encoded)
        self.size += len(encoded)

    def _note_time(self) -> None:
        if self._latest[0] > (self._times[-1][0] if self._times else _NEVER):
            self._times.append(self._latest)

    def close(self) -> None:
        """Close the file and write its indexes."""
        self._stream.close()
        self._note_time()
        base = self.base_offset
        offsets = b"".join(_OFFSET_ENTRY.pack(offset - base, position) for offset, position in self._offsets)
        times = b"".join(_TIME_ENTRY.pack(timestamp, offset - base) for timestamp, offset in self._times)
        self._path.with_suffix(".index").write_bytes(offsets)
        self._path.with_suffix(".timeindex").write_bytes(times)


class SegmentWriter:
    """Writes batches of a log in the order of their offsets, in segments; to be closed, or used in a `with`.

    A segment ends where the next batch would make it larger than `segment_bytes`, or would be `segment_ms` younger
    than its first one. The log begins at the offset `start`, which names its first segment. The directory must exist.
    """

    def __init__(
        self, directory: Path, start: int, *, segment_bytes: int = SEGMENT_BYTES, segment_ms: int = SEGMENT_MS
    ) -> None:
        self.end_offset = start
        self.epochs: list[tuple[int, int]] = []
        self._directory = directory
        self._segment_bytes = segment_bytes
        self._segment_ms = segment_ms
        self._segment = _Segment(directory, start)

    def append(self, batch: Batch) -> None:
        """Write a batch, in a new segment if the present one is full."""
        encoded = encode_batch(batch)
        if self._is_full_for(batch, len(encoded)):
            self._segment.close()
            _write_producer_state(self._directory, batch.base_offset)
            self._segment = _Segment(self._directory, batch.base_offset)
        self._segment.append(batch, encoded)
        if not self.epochs or batch.epoch > self.epochs[-1][0]:
            self.epochs.append((batch.epoch, batch.base_offset))
        self.end_offset = batch.last_offset + 1

    def _is_full_for(self, batch: Batch, size: int) -> bool:
        segment = self._segment
        if segment.first_timestamp is None:
            return False
        return (
            segment.size > self._segment_bytes - size
            or batch.max_timestamp - segment.first_timestamp > self._segment_ms
        )

    def close(self) -> None:
        """End the last segment, and write what lies beside the segments: epochs, the partition's topic id."""
        self._segment.close()
        if self.end_offset > 0:
            _write_producer_state(self._directory, self.end_offset)
        _write_epochs(self._directory, self.epochs)
        _write_partition_metadata(self._directory)

    def __enter__(self) -> SegmentWriter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _write_producer_state(directory: Path, offset: int) -> None:
    state = struct.pack(">hI", _PRODUCER_STATE_VERSION, crc32c(_NO_PRODUCERS)) + _NO_PRODUCERS
    (directory / segment_name(offset)).with_suffix(".snapshot").write_bytes(state)


def _write_epochs(directory: Path, epochs: list[tuple[int, int]]) -> None:
    lines = ["0", str(len(epochs)), *(f"{epoch} {offset}" for epoch, offset in epochs)]
    (directory / "leader-epoch-checkpoint").write_text("".join(f"{line}\n" for line in lines), encoding="ascii")


def _write_partition_metadata(directory: Path) -> None:
    text = f"version: 0\ntopic_id: {METADATA_TOPIC_ID}"
    (directory / "partition.metadata").write_text(text, encoding="ascii")
