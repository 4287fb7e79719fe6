"""Records that have their offsets and are not in the log yet: results wait for each other for a linger."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fencepost.reference.kraft.inkless import split
from fencepost.reference.kraft.records import Message
from fencepost.traces import encode_value

from .client import CommittedBatch

MAX_BATCH_BYTES = 8 * 1024 * 1024
"""A batch is not begun to be filled beyond this (KafkaRaftClient.MAX_BATCH_SIZE_BYTES)."""

BATCH_OVERHEAD = 61
"""Bytes of a batch before its first record."""


class BatchAccumulator:
    """Batches of one epoch on their way into the log, from `next_offset` on."""

    def __init__(self, epoch: int, next_offset: int) -> None:
        self.epoch = epoch
        self.next_offset = next_offset
        self._full: list[CommittedBatch] = []
        self._base = next_offset
        self._records: list[Message] = []
        self._size = BATCH_OVERHEAD
        self._timestamp_ms = 0

    @property
    def empty(self) -> bool:
        """Whether nothing waits."""
        return not self._records and not self._full

    def append(self, records: Sequence[Message], timestamp_ms: int) -> int:
        """Put records into one batch and return the offset of the last; of no records, the offset before the next.

        Raises CodecError for records that have no bytes.
        """
        first = self.next_offset - self._base
        size = sum(record_size(record, first + index) for index, record in enumerate(records))
        if self._records and self._size + size > MAX_BATCH_BYTES:
            self._close()
        if not self._records:
            self._timestamp_ms = timestamp_ms
        self._records += records
        self._size += size
        self.next_offset += len(records)
        return self.next_offset - 1

    def drain(self) -> list[CommittedBatch]:
        """Hand over all that waits."""
        if self._records:
            self._close()
        full, self._full = self._full, []
        return full

    def _close(self) -> None:
        self._full.append(CommittedBatch(
            self._base, self.next_offset - 1, self.epoch, self._timestamp_ms, tuple(self._records), (), self._size
        ))  # fmt: skip
        self._base, self._records, self._size = self.next_offset, [], BATCH_OVERHEAD


def control_batch(
    base_offset: int, epoch: int, timestamp_ms: int, control: Sequence[tuple[str, Mapping[str, Any]]]
) -> CommittedBatch:
    """Return a batch of control records; its size is only about right, as no limit depends on so few bytes."""
    last = base_offset + len(control) - 1
    return CommittedBatch(
        base_offset, last, epoch, timestamp_ms, (), tuple(control), BATCH_OVERHEAD + 40 * len(control)
    )


def record_size(record: Message, offset_delta: int) -> int:
    """Return the bytes that a record takes up in a batch of records of one time; raises CodecError for unfit data."""
    data, tags = split(record.data)
    value = len(encode_value(record.type, record.version, data, tags))
    # Attributes, time delta, the length of the key that is none, and the count of headers take a byte each.
    body = 4 + _varint_size(offset_delta) + _varint_size(value) + value
    return body + _varint_size(body)


def _varint_size(value: int) -> int:
    return 1 if value < 64 else 2 if value < 8192 else 3 if value < 1_048_576 else 4
