"""Where the records of a large batch lie, as columns: the batch is walked once and no record is made.

The records of a controller's batch are all of one plain form: no attributes, key or headers, consecutive offsets, a
value with a frame. `frame` gives the columns of such a batch and None for any other, whatever is unusual in it: then
`batches` reads it record by record, which says exactly what.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from fencepost.arrays import np

from .codec import FRAME_VERSION
from .prefixes import FRAME_SIZE

if TYPE_CHECKING:
    from numpy.typing import NDArray

_NULL = 1  # -1 in zigzag form
_LONGEST = 5
"""Bytes of the longest variable-length number that is read here: timestamps 99 days apart, values of 16 GB."""

_IN_A_ROW, _GUESSED = 8, 256
"""Behind so many neighbours of one size, so many records are looked at together."""


class Framing(NamedTuple):
    """The records of one batch: the byte in the batch at which each value begins, its bytes, and its time.

    `timestamp_deltas` are milliseconds after the batch's base timestamp, None where they are all 0.
    """

    value_at: NDArray[np.int32]
    value_size: NDArray[np.int32]
    timestamp_deltas: NDArray[np.int64] | None

    def kinds(self, data: bytes) -> NDArray[np.uint16]:
        """The type of each record as one number: 256 times its api key, and its version."""
        buffer, at = np.frombuffer(data, np.uint8), self.value_at
        return buffer[at + 1].astype(np.uint16) << np.uint16(8) | buffer[at + 2].astype(np.uint16)


class _Unusual(Exception):
    """Something that the records of a controller's batch do not have."""


def frame(data: bytes, start: int, count: int) -> Framing | None:
    """The columns of the `count` records that fill a batch's bytes from `start` on, None where anything is unusual."""
    try:
        starts = _starts(data, start, count)
        return _columns(np.frombuffer(data, np.uint8), np.array(starts, np.int64), 1)
    except (IndexError, _Unusual):
        return None


def frame_singles(data: bytes, starts: NDArray[np.int64]) -> Framing | None:
    """The columns of records each of which is the only one of its batch, all at its time, None where anything is
    unusual; each begins where the one before it ends."""
    try:
        found = _columns(np.frombuffer(data, np.uint8), starts, 0)
    except (IndexError, _Unusual):
        return None
    return found if found.timestamp_deltas is None else None


def _starts(data: bytes, at: int, count: int) -> list[int]:
    """Where each record begins. That is the one thing that only the record before it says: the rest needs no loop."""
    starts = list[int]()
    size_before = in_a_row = 0
    while len(starts) < count:
        length, behind = data[at], at + 1
        if length >= 0x80:
            length &= 0x7F
            for shift in range(7, 7 * _LONGEST, 7):
                byte = data[behind]
                behind += 1
                length |= (byte & 0x7F) << shift
                if byte < 0x80:
                    break
        size = behind - at + (length >> 1)
        in_a_row = in_a_row + 1 if size == size_before else 0
        if in_a_row < _IN_A_ROW:
            starts.append(at)
            at += size
            size_before = size
            continue
        alike = min(_alike(data, at, size, behind - at), count - len(starts))
        starts.extend(range(at, at + alike * size, size))
        at += alike * size
    return starts


def _alike(data: bytes, at: int, size: int, width: int) -> int:
    """How many records from one on, no more than some, begin with the same length, which is so many bytes wide."""
    found = _GUESSED
    for place in range(at, at + width):
        there = data[place : place + found * size : size]
        found = len(there) - len(there.lstrip(there[:1]))
    return found


def _columns(data: NDArray[np.uint8], starts: NDArray[np.int64], step: int) -> Framing:
    """The columns of records that begin at some bytes, each of an offset so much higher than the one before."""
    lengths, at = _numbers(data, starts)
    ends = at + lengths
    _check(data[at] == 0)
    timestamp_deltas, at = _numbers(data, at + 1)
    offset_deltas, at = _numbers(data, at)
    _check(offset_deltas == step * np.arange(len(starts)))
    _check(data[at] == _NULL)
    sizes, at = _numbers(data, at + 1)
    _check(sizes >= FRAME_SIZE)
    _check(data[at] == FRAME_VERSION)
    _check(data[at + 1] < 0x80)
    _check(data[at + 2] < 0x80)
    # What follows the value is the number of headers, one byte: a zero.
    _check(at + sizes + 1 == ends)
    _check(data[ends - 1] == 0)
    _check(np.append(starts[1:], len(data)) == ends)
    return Framing(at.astype(np.int32), sizes.astype(np.int32), timestamp_deltas if timestamp_deltas.any() else None)


def _check(usual: NDArray[np.bool_]) -> None:
    if not usual.all():
        raise _Unusual


def _numbers(data: NDArray[np.uint8], at: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The signed variable-length numbers that begin at some bytes, and where each ends."""
    byte = data[at]
    value = (byte & 0x7F).astype(np.int64)
    end = at + 1
    longer = np.flatnonzero(byte >= 0x80)
    for index in range(1, _LONGEST):
        if not len(longer):
            break
        byte = data[end[longer]]
        # A last byte of 0 says nothing: the number is written longer than needed.
        _check(byte != 0)
        value[longer] |= (byte & 0x7F).astype(np.int64) << 7 * index
        end[longer] += 1
        longer = longer[byte >= 0x80]
    if len(longer):
        raise _Unusual
    return (value >> 1) ^ -(value & 1), end
