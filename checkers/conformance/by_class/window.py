"""Records as one row reads them from a place on, with a note of what it reads beside the first."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from fencepost.checkers.conformance.matching.unit_records import Typed, type_at
from fencepost.checkers.conformance.records.wire import BoundRecord
from fencepost.model.language import Record

from .tracer import Tracer


class ReadsOn(Exception):
    """A result for one record reads fields of a further record."""


class Window(Typed):
    """Records as they are read by a row from a place on; raises `ReadsOn` where what a further one says is read.

    Of which type they are may be read up to `end`, the first that is of another type than the one at the place.
    """

    __slots__ = ("_end", "_first", "_records", "_start", "_tracer")

    def __init__(
        self, records: Sequence[BoundRecord], start: int, end: int, tracer: Tracer, first: BoundRecord
    ) -> None:
        self._records, self._start, self._end, self._tracer, self._first = records, start, end, tracer, first

    def __getitem__(self, at: int) -> BoundRecord:
        if at != self._start:
            raise ReadsOn
        return self._first

    def __len__(self) -> int:
        return len(self._records)

    def type_at(self, at: int) -> Record:
        """Return the record's type at a place."""
        if at > self._end:
            self._tracer.local = False
        return type_at(self._records, at)

    def after(self, at: int, types: Collection[Record]) -> int:
        """Return the first place from one on whose record is none of some types."""
        if self._start <= at < self._end and type_at(self._records, at) in types:
            at = self._end
        while at < len(self._records) and self.type_at(at) in types:
            at += 1
        return at
