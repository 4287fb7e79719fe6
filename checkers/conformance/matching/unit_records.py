"""The records of a unit as rows read them: which type the record at a place is of may be known without the record."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TypeAlias

from fencepost.checkers.conformance.records.wire import BoundRecord
from fencepost.model.language import Record


class Typed:
    """Records of which the types are known without reading them."""

    __slots__ = ()

    def __getitem__(self, at: int) -> BoundRecord:
        raise NotImplementedError

    def __len__(self) -> int:
        raise NotImplementedError

    def type_at(self, at: int) -> Record:
        """Return the type of the record at a place."""
        raise NotImplementedError

    def after(self, at: int, types: Collection[Record]) -> int:
        """Return the first place from one on whose record is of none of some types."""
        raise NotImplementedError


Records: TypeAlias = Sequence[BoundRecord] | Typed
"""The records of a unit."""


def type_at(records: Records, at: int) -> Record:
    """Return the type of the record at a place."""
    return records.type_at(at) if isinstance(records, Typed) else records[at].record


def after(records: Records, at: int, types: Collection[Record]) -> int:
    """Return the first place from one on whose record is of none of some types."""
    if isinstance(records, Typed):
        return records.after(at, types)
    while at < len(records) and records[at].record in types:
        at += 1
    return at
