"""The hard state of a log as bytes, for another process that goes on with it."""

from __future__ import annotations

import io
import pickle
import zlib
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from fencepost.checkers.conformance.classes.classes import Classes, Own
from fencepost.checkers.conformance.classes.frames import MISSING
from fencepost.checkers.conformance.classes.tables import Indexed

from .replay import HardState, Layout

_LEVEL: Final = 1
"""The level of compression: ids repeat, and a higher one saves little."""


class _Packer(pickle.Pickler):
    def persistent_id(self, obj: Any) -> Any:
        return "missing" if obj is MISSING else None


class _Unpacker(pickle.Unpickler):
    def persistent_load(self, pid: Any) -> Any:
        return MISSING


@dataclass(frozen=True, slots=True)
class _Own:
    """Represents the `Own` of a slot."""

    slot: int


def packed(value: Any) -> bytes:
    """Return values as bytes; cells that nothing has written may be among them."""
    out = io.BytesIO()
    _Packer(out, pickle.HIGHEST_PROTOCOL).dump(value)
    return zlib.compress(out.getvalue(), _LEVEL)


def unpacked(data: bytes) -> Any:
    """Return what `packed` made bytes of."""
    return _Unpacker(io.BytesIO(zlib.decompress(data))).load()


def saved(state: HardState) -> bytes:
    """Return a state that is known as bytes: its cells, and the entities in the order in which they were seen.

    It is stored by class from here on.
    """
    state.classify()
    classes = state.classes
    tables = {number: dict(one) for number, one in enumerate(state.frame.tables) if isinstance(one, Indexed)}
    domains = {sort: list(seen) for sort, seen in state.domains.items()}
    return packed((domains, tables, None if classes is None else _rows(classes)))


def restored(layout: Layout, data: bytes) -> HardState:
    """Return a state under the layout that it was saved under."""
    state = HardState(layout)
    domains, tables, rows = unpacked(data)
    for sort, seen in domains.items():
        state.domains[sort].update({entity: number for number, entity in enumerate(seen)})
    for number, cells in tables.items():
        state.frame.tables[number] = Indexed(cells)
    if state.classes is not None:
        _fill(state.classes, *rows)
    return state


def same(one: HardState, other: HardState) -> bool:
    """Whether two states under one layout, both known, have the same cells, and the same entities in the same order."""
    if any(list(seen) != list(other.domains[sort]) for sort, seen in one.domains.items()):
        return False
    one.classify()
    other.classify()
    for mine, theirs in zip(one.frame.tables, other.frame.tables, strict=True):
        if isinstance(mine, Indexed) and (not isinstance(theirs, Indexed) or dict(mine) != dict(theirs)):
            return False
    if one.classes is None or other.classes is None:
        return one.classes is other.classes
    entities, rows, which, counts = _rows(one.classes)
    others, their_rows, their_which, their_counts = _rows(other.classes)
    if entities != others or any(not np.array_equal(*pair) for pair in zip(counts, their_counts, strict=True)):
        return False
    pairs = np.unique(which.astype(np.int64) * (len(their_rows) + 1) + their_which)
    return all(rows[at // (len(their_rows) + 1)] == their_rows[at % (len(their_rows) + 1)] for at in pairs.tolist())


def _rows(classes: Classes) -> tuple[Any, ...]:
    """Return the entities of classes in their order, the classes that have one, each entity's, and what is counted."""
    count = len(classes.entities)
    used, which = np.unique(classes.of_number[:count], return_inverse=True)
    slots = {id(own): slot for slot, own in enumerate(classes.own) if own is not None}
    rows = [
        tuple(_Own(slots[id(value)]) if isinstance(value, Own) else value for value in classes.rows[number])
        for number in used.tolist()
    ]
    counts = [None if own is None or own.place is not None else own.counts[:count] for own in classes.own]
    return classes.entities, rows, which.astype(np.int32), counts


def _fill(classes: Classes, entities: list[Any], rows: list[Any], which: Any, counts: list[Any]) -> None:
    for entity in entities:
        classes.meet(entity)
    for own, found in zip(classes.own, counts, strict=True):
        if own is not None and found is not None:
            own.counts[: len(found)] = found
    numbers = [
        classes.number(tuple(classes.own[one.slot] if isinstance(one, _Own) else one for one in row)) for row in rows
    ]
    if entities:
        classes.move_all(np.arange(len(entities)), np.array(numbers, np.int32)[which])
