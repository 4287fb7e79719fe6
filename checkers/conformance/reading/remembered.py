"""The last records about every entity, for the report of a divergence: as many as there are entities, not records."""

from __future__ import annotations

from bisect import insort
from collections.abc import Sequence
from functools import cached_property
from typing import Any, Final

from fencepost.arrays import np
from fencepost.checkers.conformance.by_class.run_units import RunUnit
from fencepost.checkers.conformance.records.wire import BoundRecord, WireBinding

from .restoring import Restored

REMEMBERED: Final = 6
"""The number of records that are remembered of an entity."""

FEW: Final = 64
"""The number of records of a unit up to which only those that are still remembered are kept."""

AT_ONCE = 1 << 16
"""The number of records in units, with twice those still remembered, from which on forgotten ones are dropped."""


class _Summed:
    """The records of a snapshot by what they are about; those that are in no run are bound at first use."""

    def __init__(self, offset: int, restored: Restored, wire: WireBinding) -> None:
        self.offset, self._restored, self._wire = offset, restored, wire

    @cached_property
    def _singly(self) -> dict[tuple[str, Any], list[BoundRecord]]:
        found: dict[tuple[str, Any], list[BoundRecord]] = {}
        for bound in filter(None, map(self._wire.bind, self._restored.singly)):
            for one in bound.named:
                found.setdefault(one, []).append(bound)
        return found

    def of(self, sort: str, entity: Any) -> list[BoundRecord]:
        """Return the records about an entity, in their order."""
        found = [bound for unit in self._restored.units for _, bound in unit.about(sort, entity)]
        return sorted([*found, *self._singly.get((sort, entity), ())], key=lambda one: one.wire.offset)


class History:
    """The last records about every entity.

    Units are kept whole, and searched when they are needed; one of which each record is followed by enough
    later ones about its entity is left. A snapshot's records are read when an entity is first asked for.
    """

    def __init__(self) -> None:
        self._last: dict[tuple[str, Any], list[tuple[int, BoundRecord]]] = {}
        self._units: list[RunUnit] = []
        self._kept, self._most = 0, AT_ONCE
        self._snapshots: list[_Summed] = []

    def note(self, offset: int, record: BoundRecord) -> None:
        """Remember a record."""
        for one in record.named:
            last = self._last.setdefault(one, [])
            if not last or last[-1][0] <= offset:
                last.append((offset, record))
            else:
                insort(last, (offset, record), key=_offset)
            del last[:-REMEMBERED]

    def note_unit(self, unit: RunUnit) -> None:
        """Remember the records of a unit."""
        self._units.append(unit)
        self._kept += len(unit)
        if self._kept > self._most:
            self._forget()

    def note_snapshot(self, end: int, restored: Restored, wire: WireBinding) -> None:
        """Remember the records of a snapshot as if they were at the end of the log that it sums up."""
        self._snapshots.append(_Summed(end - 1, restored, wire))

    def of(self, sort: str, entity: Any) -> Sequence[tuple[int, BoundRecord]]:
        """Return the last records about an entity, oldest first."""
        summed = [(one.offset, bound) for one in self._snapshots for bound in one.of(sort, entity)]
        found = sorted([*self._last.get((sort, entity), ()), *summed], key=_offset)
        for unit in reversed(self._units):
            if len(found) >= REMEMBERED and found[-REMEMBERED][0] > unit.offset(len(unit) - 1):
                break
            found = sorted([*found, *unit.about(sort, entity)], key=_offset)
        return tuple(found[-REMEMBERED:])

    def _forget(self) -> None:
        """Leave the units of which nothing is remembered any more, and of those with few such records all others."""
        units: list[RunUnit] = []
        later: dict[int, np.ndarray[Any, np.dtype[np.uint8]]] = {}
        for unit in reversed(self._units):
            # The numbers of entities are those of one state's classes: another state counts anew.
            counts = later.setdefault(id(unit.local.classes), np.zeros(len(unit.local.classes.entities), np.uint8))
            places: list[int] = []
            for piece in unit.pieces:
                if piece.who is None:
                    places.append(piece.start)
                else:
                    places += (piece.start + np.flatnonzero(counts[piece.who] < REMEMBERED)).tolist()
                    counts[piece.who] += counts[piece.who] < REMEMBERED
            if len(places) > FEW:
                units.append(unit)
            else:
                for at in places:
                    self.note(unit.offset(at), unit[at])
        self._units = units[::-1]
        self._kept = sum(map(len, units))
        self._most = max(AT_ONCE, 2 * self._kept)


def _offset(one: tuple[int, BoundRecord]) -> int:
    return one[0]
