"""A log of which the bytes stay where they lie: stretches of its files, read when their batches are requested.

Memory is some batches, never a file: what was read last is kept, and reading on goes on where it ended. A gzipped file
is unpacked up to where a stretch begins.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate
from typing import overload

from .errors import TraceError
from .names import without_gz
from .records import Batch, Item, MetadataLog, Record, Snapshot
from .segments import scan
from .sequences import MadeOnDemand
from .storage import base_name, open_file

KEPT = 2
"""So many stretches are kept when they were read."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """The bytes [start, end) of a file, unpacked where it is gzipped, in which `count` batches begin.

    `first` is the offset of the first of them, 0 where there is none.
    """

    path: str
    start: int
    end: int
    count: int
    first: int = 0


def end_of(item: Item) -> int:
    """The byte behind what was read."""
    return item.position + item.size if isinstance(item, Batch) else item.end


def items_from(path: str, start: int, searched: bool = False) -> Iterator[Item]:
    """Yield the items of a file from a byte on, as `segments.scan` reads them."""
    with open_file(path) as stream:
        if start:
            stream.seek(start)
        yield from scan(stream, without_gz(base_name(path)), start, searched)


class _Reader:
    """Reads stretches, and keeps what it read last."""

    def __init__(self, stretches: Sequence[Stretch]) -> None:
        self.stretches = tuple(one for one in stretches if one.count)
        self.begins = [0, *accumulate(one.count for one in self.stretches)]
        self._kept: dict[int, list[Batch]] = {}
        self._items: Iterator[Item] = iter(())
        self._place = ("", 0)

    def batches(self, number: int) -> list[Batch]:
        """Return the batches of the stretch with a number."""
        found = self._kept.get(number)
        if found is None:
            while len(self._kept) >= KEPT:
                del self._kept[next(iter(self._kept))]
            found = self._kept[number] = self.read(self.stretches[number])
        return found

    def read(self, stretch: Stretch) -> list[Batch]:
        """Read the batches of a stretch; raises TraceError where others lie there than when it was first read."""
        found, at = [], stretch.start
        if self._place != (stretch.path, at):
            self._items = items_from(stretch.path, at)
        self._place = ("", 0)
        while at < stretch.end:
            item = next(self._items, None)
            if item is None:
                break
            at = end_of(item)
            if isinstance(item, Batch):
                found.append(item)
        if at != stretch.end or len(found) != stretch.count:
            raise TraceError(f"{stretch.path}: the file is another one than when it was first read: try again")
        self._place = (stretch.path, at)
        return found


class Batches(MadeOnDemand[Batch]):
    """The batches of stretches in their order; a slice of them is of the same kind, and reads nothing by itself."""

    __slots__ = ("_reader", "start", "stop")

    def __init__(self, stretches: Sequence[Stretch], start: int = 0, stop: int | None = None) -> None:
        self._reader = _Reader(stretches)
        self.start, self.stop = start, self._reader.begins[-1] if stop is None else stop

    def __reduce__(self) -> tuple[type[Batches], tuple[tuple[Stretch, ...], int, int]]:
        return Batches, (self.stretches, self.start, self.stop)

    @property
    def stretches(self) -> tuple[Stretch, ...]:
        """The stretches, also of what a slice leaves out."""
        return self._reader.stretches

    def __len__(self) -> int:
        return self.stop - self.start

    def __iter__(self) -> Iterator[Batch]:
        at = self.start
        while at < self.stop:
            number = self._number(at)
            begin = self._reader.begins[number]
            for batch in self._reader.batches(number)[at - begin : self.stop - begin]:
                yield batch
                at += 1

    @overload
    def __getitem__(self, index: int) -> Batch: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[Batch, ...]: ...

    def __getitem__(self, index: int | slice) -> Batch | tuple[Batch, ...]:
        if isinstance(index, slice) and index.step in (None, 1):
            start, stop, _ = index.indices(len(self))
            found = Batches((), self.start + start, self.start + max(start, stop))
            found._reader = self._reader
            return found  # type: ignore[return-value]
        return super().__getitem__(index)

    def element(self, index: int) -> Batch:
        """Return the batch at an index."""
        number = self._number(self.start + index)
        return self._reader.batches(number)[self.start + index - self._reader.begins[number]]

    def index_of(self, place: tuple[str, int]) -> int:
        """Return the index of the batch at a place, its segment and position; raises ValueError where none is."""
        for number, one in enumerate(self.stretches):
            if without_gz(base_name(one.path)) == place[0] and one.start <= place[1] < one.end:
                for at, batch in enumerate(self._reader.batches(number), self._reader.begins[number]):
                    if (batch.segment, batch.position) == place:
                        return at - self.start
        raise ValueError(f"no batch is at byte {place[1]} of {place[0]}")

    def _number(self, at: int) -> int:
        return bisect_right(self._reader.begins, at) - 1


@dataclass(frozen=True, slots=True)
class AbridgedLog(MetadataLog):
    """A log of which `batches` are some, with some of their records: those that are asked for to know what the whole
    log is about. All are in `stretches`, in the files.

    `below` counts the metadata records below some offsets.
    """

    stretches: Batches = field(default_factory=lambda: Batches(()))
    below: Mapping[int, int] = field(default_factory=dict)

    @property
    def whole(self) -> Sequence[Batch]:
        """All batches of the segments, read when they are asked for."""
        return self.stretches

    def part(self, start: int, end: int) -> AbridgedLog:
        """The log with the batches [start, end) alone, and with all that lie between these."""
        first, behind = self.batches[start], self.batches[end] if end < len(self.batches) else None
        begin = self.stretches.index_of((first.segment, first.position))
        stop = None if behind is None else self.stretches.index_of((behind.segment, behind.position))
        return replace(self, batches=self.batches[start:end], stretches=self.stretches[begin:stop])  # type: ignore[arg-type]

    def metadata_records_below(self, offset: int) -> int:
        """How many metadata records the log has below an offset."""
        return self.below[offset]


@dataclass(frozen=True, slots=True)
class AbridgedSnapshot(Snapshot):
    """A snapshot whose batches are read when they are asked for; `noted` are its records of the types `known`."""

    noted: tuple[Record, ...] = ()
    known: frozenset[str] = frozenset()

    def records_of(self, types: Collection[str]) -> Iterator[Record]:
        """The metadata records of some types, in order."""
        if self.known.issuperset(types):
            return (one for one in self.noted if one.type in types)
        return super(AbridgedSnapshot, self).records_of(types)
