"""Neighbouring batches of one record each, read together into columns as the records of a large batch are.

A controller that handles one request at a time writes them. Each by itself takes ten times as long to read.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace

from fencepost.arrays import np

from .batches import CHECKED_FROM, HEADER, HEADER_SIZE, MAGIC, MINIMUM_LENGTH, OVERHEAD
from .codec import type_of_value
from .crc32c import crc32c
from .framing import frame_singles
from .lazy_records import LATEST, LazyRecords
from .records import Batch

FEWEST = 128
"""Fewer batches are read one by one."""

_MOST = 8192
"""So many batches are read together at most."""


@dataclass(frozen=True, slots=True)
class SingleBatches(Batch):
    """Neighbouring batches of one epoch, each of one metadata record, all of one type; `crc` is that of the first.

    `count` is how many they are, `max_timestamp` the time of the last, as if there were no others.
    """

    def part(self, start: int, end: int) -> SingleBatches:
        """Those at some places among them."""
        assert isinstance(self.records, LazyRecords)
        records = self.records.part(start, end)
        times = records.timestamps()
        return replace(
            self, base_offset=self.base_offset + start, last_offset=self.base_offset + end - 1, records=records,
            count=end - start, base_timestamp=times.item(0), max_timestamp=times.item(-1),
        )  # fmt: skip

    def singly(self) -> Iterator[Batch]:
        """Yield each as it is read by itself, but for its place in the file."""
        for record in self.records:
            yield Batch(
                record.offset, record.offset, self.epoch, False, self.position, self.size, self.segment, (record,),
                record.timestamp, record.timestamp, self.crc, count=1,
            )  # fmt: skip


def read_singles(data: bytes, at: int, segment: str, position: int, types: Collection[str]) -> SingleBatches | int:
    """Read the batches that begin at a byte of some data, which is at a `position` of its file, as long as each holds
    one record of the same of some types and is of the plainest form.

    Where they are fewer than `FEWEST`, return the position up to which they are to be read one by one.
    """
    begin, size_of_data, unpack = at, len(data), HEADER.unpack_from
    bodies: list[bytes] = []
    times: list[int] = []
    first_offset = first_epoch = first_crc = -1
    while at + HEADER_SIZE <= size_of_data and len(bodies) < _MOST:
        (offset, length, epoch, magic, crc, attributes, delta, time, latest, _, _, _, count) = unpack(data, at)
        end = at + OVERHEAD + length
        if not bodies:
            first_offset, first_epoch, first_crc = offset, epoch, crc
        # One comparison of what is the same of all takes less than one of each.
        if (
            (magic, attributes, delta, count, latest, epoch, offset)
            != (MAGIC, 0, 0, 1, time, first_epoch, first_offset + len(bodies))
            or length <= MINIMUM_LENGTH
            or end > size_of_data
            or crc32c(data[at + CHECKED_FROM : end]) != crc
        ):
            break
        bodies.append(data[at + HEADER_SIZE : end])
        times.append(time)
        at = end
    behind = position + at - begin
    if len(bodies) < FEWEST:
        return behind
    if min(times) < 0 or max(times) >= LATEST:
        return behind
    sizes = np.fromiter(map(len, bodies), np.int64, len(bodies))
    joined = b"".join(bodies)
    framing = frame_singles(joined, np.cumsum(sizes) - sizes)
    if framing is None:
        return behind
    kinds = framing.kinds(joined)
    others = np.flatnonzero(kinds != kinds[0])
    many = others.item(0) if len(others) else len(kinds)
    kind = int(kinds[0])
    if many < FEWEST or type_of_value(kind >> 8, kind & 0xFF) not in types:
        return behind
    deltas = np.array(times, np.int64) - times[0]
    framing = framing._replace(timestamp_deltas=deltas if deltas.any() else None)
    return SingleBatches(
        base_offset=first_offset,
        last_offset=first_offset + many - 1,
        epoch=first_epoch,
        is_control=False,
        position=position,
        size=int(sizes[:many].sum()) + many * HEADER_SIZE,
        segment=segment,
        records=LazyRecords(joined, first_offset, times[0], framing).part(0, many),
        max_timestamp=times[many - 1],
        base_timestamp=times[0],
        crc=first_crc,
        count=many,
    )
