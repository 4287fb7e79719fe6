"""Blocks of records for the task that checks their log: many in one row, each column in as few bytes as it needs."""

from __future__ import annotations

import json
import struct
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TypeAlias

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from fencepost.traces.record_tables import NUMBERS, RecordColumns

FULL = 1 << 18
"""Bytes of keys and values up to which a block takes another record."""

_HEAD = struct.Struct("<II")
_COLUMN = struct.Struct("<qB")
_WIDTHS = {0: np.uint8, 1: np.uint8, 2: np.uint16, 4: np.uint32, 8: np.uint64}
_Numbers: TypeAlias = NDArray[np.int64]


def blocks(columns: RecordColumns) -> Iterator[tuple[int, bytes]]:
    """Yield the records of one log as blocks, each with its lowest offset; records are sorted by offset before."""
    sorted_ = columns.taken(np.argsort(columns.numbers["offset"], kind="stable"))
    sizes = np.maximum(_sizes(sorted_.keys), 0) + np.maximum(_sizes(sorted_.values), 0)
    full = np.cumsum(sizes) // FULL
    bounds = [0, *(np.flatnonzero(full[1:] != full[:-1]) + 1).tolist(), len(sorted_)]
    for start, end in pairwise(bounds):
        part = sorted_.taken(np.arange(start, end)) if end - start < len(sorted_) else sorted_
        yield int(part.numbers["offset"][0]), _block(part)


def _block(part: RecordColumns) -> bytes:
    used = np.unique(part.file[part.file >= 0])
    file = np.where(part.file >= 0, np.searchsorted(used, part.file), -1)
    files = json.dumps([part.files[at] for at in used]).encode()
    offset, batch = part.numbers["offset"], part.numbers["batch"]
    told = {
        **part.numbers,
        # Differences are small: neighbours are mostly a few offsets apart, and in the batch that begins just before.
        "offset": np.diff(offset, prepend=offset[:1]),
        "batch": np.where((batch < 0) | (batch > offset), -1, offset - batch),
    }
    numbers = [told[name] for name in NUMBERS]
    columns = [_packed(one) for one in (*numbers, file, _sizes(part.keys), _sizes(part.values))]
    first = struct.pack("<q", int(offset[0]))
    return b"".join([_HEAD.pack(len(part), len(files)), first, files, *columns, _bytes(part.keys), _bytes(part.values)])


def joined(parts: Sequence[bytes]) -> RecordColumns:
    """Return the records of one log of its blocks, in the order of the blocks."""
    found = [_unpacked(one) for one in parts]
    names = {name: at for at, name in enumerate(dict.fromkeys(name for one in found for name in one.files))}
    files = [np.array([*(names[name] for name in one.files), -1])[one.file] for one in found]
    return RecordColumns(
        {name: np.concatenate([one.numbers[name] for one in found]) for name in NUMBERS},
        np.concatenate(files),
        tuple(names),
        pa.concat_arrays([one.keys for one in found]),
        pa.concat_arrays([one.values for one in found]),
    )


def _unpacked(block: bytes) -> RecordColumns:
    count, named = _HEAD.unpack_from(block)
    (first,) = struct.unpack_from("<q", block, _HEAD.size)
    at = _HEAD.size + 8
    files = json.loads(block[at : at + named])
    at += named
    columns = []
    for _ in range(len(NUMBERS) + 3):
        column, at = _read(block, at, count)
        columns.append(column)
    *numbers, file, key_sizes, value_sizes = columns
    told = dict(zip(NUMBERS, numbers, strict=True))
    told["offset"] = first + np.cumsum(told["offset"])
    told["batch"] = np.where(told["batch"] < 0, -1, told["offset"] - told["batch"])
    keys, at = _binary(block, at, key_sizes)
    values, _ = _binary(block, at, value_sizes)
    return RecordColumns(told, file, files, keys, values)


# -- columns -----------------------------------------------------------------------------------------------------------
def _packed(column: _Numbers) -> bytes:
    """Numbers as differences from the smallest, in the fewest bytes that all of them fit."""
    least = int(column.min())
    above = (column - least).view(np.uint64)
    most = int(above.max())
    width = next(width for width in _WIDTHS if most < 1 << 8 * width)
    return _COLUMN.pack(least, width) + (above.astype(_WIDTHS[width]).tobytes() if width else b"")


def _read(block: bytes, at: int, count: int) -> tuple[_Numbers, int]:
    least, width = _COLUMN.unpack_from(block, at)
    at += _COLUMN.size
    if not width:
        return np.full(count, least, np.int64), at
    above = np.frombuffer(block, _WIDTHS[width], count, at).astype(np.uint64)
    return above.view(np.int64) + least, at + width * count


def _sizes(column: pa.LargeBinaryArray) -> _Numbers:
    """The bytes of each value, -1 for null."""
    import pyarrow.compute as pc

    return np.array(pc.fill_null(pc.binary_length(column), -1), np.int64)


def _bytes(column: pa.LargeBinaryArray) -> bytes:
    places = np.frombuffer(column.buffers()[1], np.int64)[column.offset : column.offset + len(column) + 1]
    data = column.buffers()[2]
    return b"" if data is None else data[int(places[0]) : int(places[-1])].to_pybytes()


def _binary(block: bytes, at: int, sizes: _Numbers) -> tuple[pa.LargeBinaryArray, int]:
    places = np.concatenate(([0], np.cumsum(np.maximum(sizes, 0))))
    end = at + int(places[-1])
    valid = pa.py_buffer(np.packbits(sizes >= 0, bitorder="little").tobytes()) if (sizes < 0).any() else None
    buffers = [valid, pa.py_buffer(places.astype(np.int64).tobytes()), pa.py_buffer(block[at:end])]
    return pa.Array.from_buffers(pa.large_binary(), len(sizes), buffers), end
