"""A generated log as a table of records: what `record_tables` makes of its bytes, made of the templates' at once.

The table does not say in which file a record would be: no segment was written.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any, BinaryIO

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from fencepost.traces.batches import HEADER_SIZE, decode_batch, key_and_value
from fencepost.traces.framing import frame
from fencepost.traces.record_tables import COLUMNS

from .templates import Bytes, Numbering, Numbers, Template

SCHEMA = pa.schema([(name, pa.type_for_alias(kind)) for name, kind in COLUMNS.items()])
AT_ONCE = 100_000
"""About how many records are in a row group."""


class _Places:
    """Where the keys and values of an episode's records are in its bytes; only control records have keys."""

    def __init__(self, template: Template) -> None:
        data = template.data.tobytes()
        values, keys, control = [], [], []
        for (start, end), count in zip(
            pairwise(template.bounds.tolist()), np.diff(template.offsets).tolist(), strict=True
        ):
            framing = frame(data[start:end], HEADER_SIZE, count)
            if framing is not None:
                values += list(zip((framing.value_at + start).tolist(), framing.value_size.tolist(), strict=True))
                keys += [(0, 0)] * count
            else:
                for record in decode_batch(data[start:end], "", 0).records:
                    at = start + HEADER_SIZE
                    for found, part in zip((keys, values), key_and_value(record), strict=True):
                        at = data.index(part or b"", at)
                        found.append((at, len(part or b"")))
                        at += len(part or b"")
            control += [framing is None] * count
        self.values, self.keys = (np.array(one, np.int64).reshape(-1, 2) for one in (values, keys))
        self.control = np.array(control)
        self.batch = np.repeat(np.arange(len(template.bounds) - 1), np.diff(template.offsets))


class TableWriter:
    """Writes the records of a log as Parquet; `end_offset` is how many there are."""

    def __init__(self, file: BinaryIO, name: str) -> None:
        self._file, self._name = file, name
        self._parquet = pq.ParquetWriter(file, SCHEMA)
        self._waiting: list[pa.Table] = []
        self._rows = 0
        self._places: dict[int, tuple[Template, _Places]] = {}
        self.count, self.end_offset = 1, 0

    @property
    def size(self) -> int:
        """How many bytes the file has so far."""
        return int(self._file.tell())

    def write(self, data: bytes, template: Template, start: Numbering, batches: int) -> None:
        """Write the records of the first batches of an episode."""
        if id(template) not in self._places:
            self._places[id(template)] = (template, _Places(template))
        places, count = self._places[id(template)][1], int(template.offsets[batches])
        batch = places.batch[:count]
        whole = np.frombuffer(data, np.uint8)
        control = places.control[:count]
        columns: dict[str, Any] = {
            "log": pa.repeat(self._name, count),
            "offset": start.offset + np.arange(count),
            "timestamp": start.milliseconds + template.times[batch],
            "epoch": start.epoch + template.leader_epochs[batch],
            "batch": start.offset + template.offsets[batch],
            "control": control,
            "file": pa.nulls(count, pa.string()),
            "position": pa.nulls(count, pa.int64()),
            "key": _binary(whole, places.keys[:count], ~control),
            "value": _binary(whole, places.values[:count], None),
        }
        self._waiting.append(pa.table([columns[name] for name in SCHEMA.names], schema=SCHEMA))
        self._rows += count
        self.end_offset = start.offset + count
        if self._rows >= AT_ONCE:
            self._flush()

    def _flush(self) -> None:
        if self._waiting:
            self._parquet.write_table(pa.concat_tables(self._waiting).combine_chunks())
        self._waiting, self._rows = [], 0

    def close(self) -> None:
        """End the file."""
        self._flush()
        self._parquet.close()


def _binary(data: Bytes, places: Numbers, missing: Any) -> pa.Array:
    """Return the bytes at some places as an array, none where they are said to be missing."""
    starts, sizes = places[:, 0], places[:, 1]
    ends = np.cumsum(sizes)
    taken = data[np.repeat(starts - (ends - sizes), sizes) + np.arange(int(ends[-1]) if len(ends) else 0)]
    offsets = np.concatenate(([0], ends)).astype(np.int32)
    nulls = None if missing is None else pa.array(~missing)
    valid = None if nulls is None else nulls.buffers()[1]
    return pa.Array.from_buffers(
        pa.binary(), len(sizes), [valid, pa.py_buffer(offsets), pa.py_buffer(np.ascontiguousarray(taken))]
    )
