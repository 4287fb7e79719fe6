"""The cells that a record or a result touches, those of the sort that is stored by class by entity."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from fencepost.checkers.conformance.classes.changes import Cell, Change

from .replay import HardState


class Touched:
    """The cells that a record or a result touched: of the classed sort by entity, with its class before; all others.

    `classes` is None where no sort has classes, or none is asked for: then all are others.
    """

    def __init__(self, state: HardState | None = None) -> None:
        self.classes = None if state is None else state.classes
        self.slots: Mapping[int, int] = {} if state is None or state.classes is None else state.layout.slots
        self.entities: dict[Any, tuple[int, frozenset[tuple[int, tuple[Any, ...]]]]] = {}
        self.others: set[Cell] = set()

    def add(self, changes: Iterable[Change]) -> None:
        """Add the cells of changes that are about to be made."""
        for change in changes:
            number, keys = change.cell
            if number not in self.slots or self.classes is None:
                self.others.add(change.cell)
                continue
            entity = keys[0]
            found = self.entities.get(entity)
            if found is None:
                self.entities[entity] = self.classes.of(entity), frozenset(((number, keys[1:]),))
            elif (number, keys[1:]) not in found[1]:
                self.entities[entity] = found[0], found[1] | {(number, keys[1:])}

    def cells(self) -> Iterator[Cell]:
        """Yield all of them."""
        yield from self.others
        for entity, (_, found) in self.entities.items():
            for number, rest in found:
                yield number, (entity, *rest)

    def of(self, entities: Collection[Any]) -> Iterator[Cell]:
        """Yield those of some entities of the classed sort."""
        for entity, (_, found) in self.entities.items():
            if entity in entities:
                for number, rest in found:
                    yield number, (entity, *rest)
