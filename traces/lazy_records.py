"""The records of a large batch, each decoded when it is asked for: what is kept is the batch's bytes and two columns.

NumPy is loaded with the first such batch, so that what reads small logs only does not wait for it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING

from .errors import CodecError
from .prefixes import decode_by_parts
from .records import AnyRecord, DecodedOnDemand, Record, Undecodable, type_of
from .sequences import MadeOnDemand

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from .framing import Framing
    from .interner import Interner
    from .runs import Run

_BLOCK = 1024
"""Records whose places are turned into Python's numbers at once."""

LATEST = 1 << 62
"""Milliseconds up to which times can be added up in columns."""


def lazy_records(data: bytes, start: int, count: int, base_offset: int, base_timestamp: int) -> LazyRecords | None:
    """The `count` metadata records that fill a batch's bytes from `start` on.

    None where anything in their form is unusual, so that they are to be read one by one. What the records say is not
    looked at: one whose content is unknown becomes `Undecodable` when it is asked for.
    """
    from .framing import frame

    framing = frame(data, start, count) if abs(base_timestamp) < LATEST else None
    return None if framing is None else LazyRecords(data, base_offset, base_timestamp, framing)


class LazyRecords(DecodedOnDemand):
    """Records of one batch with consecutive offsets, none of them decoded; equal to the tuple of them.

    A record is made anew whenever it is asked for, and shares nothing with another.
    """

    __slots__ = ("_base_timestamp", "_data", "_framing", "_raw", "_unknown", "base_offset")

    def __init__(self, data: bytes, base_offset: int, base_timestamp: int, framing: Framing) -> None:
        self._data, self._framing = data, framing
        self.base_offset, self._base_timestamp = base_offset, base_timestamp
        self._unknown: tuple[int, ...] | None = None
        self._raw: tuple[int, ...] = ()

    def __len__(self) -> int:
        return len(self._framing.value_at)

    def __reduce__(self) -> tuple[type[LazyRecords], tuple[bytes, int, int, Framing]]:
        return LazyRecords, (self._data, self.base_offset, self._base_timestamp, self._framing)

    def element(self, index: int) -> AnyRecord:
        """The record at a place of the batch."""
        return next(self._decoded(index, index + 1))

    def __iter__(self) -> Iterator[AnyRecord]:
        for start in range(0, len(self), _BLOCK):
            yield from self._decoded(start, min(start + _BLOCK, len(self)))

    def _decoded(self, start: int, end: int) -> Iterator[AnyRecord]:
        framing, data = self._framing, self._data
        places = framing.value_at[start:end].tolist()
        sizes = framing.value_size[start:end].tolist()
        deltas = framing.timestamp_deltas
        times = [0] * len(places) if deltas is None else deltas[start:end].tolist()
        offset = self.base_offset + start
        for at, size, delta in zip(places, sizes, times, strict=True):
            yield _record(offset, self._base_timestamp + delta, data[at : at + size])
            offset += 1

    def part(self, start: int, end: int) -> LazyRecords:
        """The records at some places, as if there were no others."""
        at, sizes, deltas = self._framing
        times = None if deltas is None else deltas[start:end]
        framing = self._framing._replace(value_at=at[start:end], value_size=sizes[start:end], timestamp_deltas=times)
        return LazyRecords(self._data, self.base_offset + start, self._base_timestamp, framing)

    # -- parts of them ---------------------------------------------------------------------------------------------
    def offsets(self) -> range:
        """The offsets of the records."""
        return range(self.base_offset, self.base_offset + len(self))

    def times(self) -> frozenset[int]:
        """The times of the records, each once."""
        return frozenset(self.timestamps().tolist())

    def types(self) -> Counter[str]:
        """How many records there are of each type, those that are `Undecodable` under the empty name."""
        if self.unknown():
            return Counter(map(type_of, self))
        found = Counter[str]()
        for run in self.runs():
            found[run.type] += run.end - run.start
        return found

    def undecodable(self) -> Iterator[Undecodable]:
        """The records whose content is unknown."""
        return (one for at in self.unknown() if isinstance(one := self.element(at), Undecodable))

    def unknown(self) -> tuple[int, ...]:
        """The places of the records that are `Undecodable`; the first call decodes each rest once."""
        if self._unknown is None:
            from .interner import Interner

            interner, unknown, raw = Interner(), list[int](), list[int]()
            for run in self.runs(interner):
                self._look_at(run, interner, unknown, raw)
            self._unknown, self._raw = tuple(unknown), tuple(raw)
        return self._unknown

    def _look_at(self, run: Run, interner: Interner, unknown: list[int], raw: list[int]) -> None:
        """Add the places of a run's records that are `Undecodable`, and of those whose bytes are kept."""
        if run.rests is None:
            for at, one in enumerate(self._decoded(run.start, run.end), run.start):
                if isinstance(one, Undecodable):
                    unknown.append(at)
                elif isinstance(one, Record) and one.raw is not None:
                    raw.append(at)
            return
        which = run.rests.tolist()
        known = {number: interner.decodes(number) for number in set(which)}
        odd = {number for number, is_known in known.items() if is_known and not interner.decoded(number).canonical}
        if odd or not all(known.values()):
            unknown += [at for at, number in enumerate(which, run.start) if not known[number]]
            raw += [at for at, number in enumerate(which, run.start) if number in odd]

    def kept_raw(self) -> Iterator[Record]:
        """The metadata records whose bytes are kept: encoding what they say would not give them back."""
        self.unknown()
        return (one for at in self._raw if isinstance(one := self.element(at), Record))

    def metadata_records(self) -> Sequence[Record]:
        """The metadata records without those that are `Undecodable`, decoded when they are asked for."""
        return _Readable(self)

    def of_types(self, types: Collection[str]) -> Iterator[Record]:
        """The metadata records of some types, in their order; others are not decoded."""
        for run in self.runs():
            if run.type in types:
                for one in self._decoded(run.start, run.end):
                    if isinstance(one, Record):
                        yield one

    # -- columns ---------------------------------------------------------------------------------------------------
    def runs(self, interner: Interner | None = None) -> Iterator[Run]:
        """The maximal runs of records of one type and version; with an interner, their prefixes and rests too."""
        from .runs import runs_of

        return runs_of(self._data, self._framing, interner)

    def timestamps(self) -> NDArray[np.int64]:
        """The time of each record in milliseconds since 1970."""
        import numpy as np

        deltas = self._framing.timestamp_deltas
        return np.full(len(self), self._base_timestamp) if deltas is None else self._base_timestamp + deltas

    def values(self, start: int = 0, end: int | None = None) -> Iterator[bytes]:
        """The bytes of the records' values, frame included, in a range of their places."""
        places, sizes = self._framing.value_at[start:end].tolist(), self._framing.value_size[start:end].tolist()
        return (self._data[at : at + size] for at, size in zip(places, sizes, strict=True))


def _record(offset: int, timestamp: int, value: bytes) -> AnyRecord:
    try:
        found = decode_by_parts(value)
    except CodecError as error:
        return Undecodable(offset, timestamp, str(error), None, value)
    return Record(offset, timestamp, found.type, found.version, found.data, (), None if found.canonical else value)


class _Readable(MadeOnDemand[Record]):
    """The records of a batch that could be decoded."""

    __slots__ = ("_records",)

    def __init__(self, records: LazyRecords) -> None:
        self._records = records

    def __len__(self) -> int:
        return len(self._records) - len(self._records.unknown())

    def __iter__(self) -> Iterator[Record]:
        return (one for one in self._records if isinstance(one, Record))

    def element(self, index: int) -> Record:
        """The record at a place among those that could be decoded."""
        for place in self._records.unknown():
            index += place <= index
        found = self._records.element(index)
        assert isinstance(found, Record)
        return found
