"""The last records about every entity, for who tells of a divergence: of as many as there are entities, not records."""

from __future__ import annotations

from bisect import insort
from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from fencepost.traces import Snapshot

from .run_units import RunUnit
from .wire import BoundRecord, WireBinding

REMEMBERED: Final = 6
"""How many records are remembered of an entity."""

FEW: Final = 64
"""Of a unit of which no more records than these are still remembered only these are kept."""

AT_ONCE = 1 << 16
"""So many records in units are kept, and twice those that were still remembered, before what is forgotten is left."""


class History:
    """The last records about every entity.

    Units are kept whole, and looked through when they are asked for; one of which each record is followed by enough
    later ones about its entity is left. A snapshot's records are read when an entity is first asked for.
    """

    def __init__(self) -> None:
        self._last: dict[tuple[str, Any], list[tuple[int, BoundRecord]]] = {}
        self._units: list[RunUnit] = []
        self._kept, self._most = 0, AT_ONCE
        self._snapshots: list[tuple[Snapshot, WireBinding]] = []

    def note(self, offset: int, record: BoundRecord) -> None:
        """Remember a record."""
        for field, value in zip(record.record.about, record.entities, strict=True):
            last = self._last.setdefault((str(field.kind), value), [])
            insort(last, (offset, record), key=_offset)
            del last[:-REMEMBERED]

    def note_unit(self, unit: RunUnit) -> None:
        """Remember the records of a unit."""
        self._units.append(unit)
        self._kept += len(unit)
        if self._kept > self._most:
            self._forget()

    def note_snapshot(self, snapshot: Snapshot, wire: WireBinding) -> None:
        """Remember the records of a snapshot, as if they stood at the end of what it sums up."""
        self._snapshots.append((snapshot, wire))

    def of(self, sort: str, entity: Any) -> Sequence[tuple[int, BoundRecord]]:
        """Return the last records about an entity, oldest first."""
        while self._snapshots:
            snapshot, wire = self._snapshots.pop(0)
            for bound in map(wire.bind, snapshot.records):
                if bound is not None:
                    self.note(snapshot.end_offset - 1, bound)
        found = list(self._last.get((sort, entity), ()))
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
