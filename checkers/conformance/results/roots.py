"""Finds which divergence follows from which: a fault puts entities in doubt until a record about them is explained."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

Named = tuple[str, Any]
"""An entity with the name of its sort."""


@dataclass(slots=True)
class _Root:
    offset: int
    entities: frozenset[Named] | None
    fold: Callable[[int], None]


class Roots:
    """The faults of a log so far; the `fold` of one receives the offset of each divergence that follows from it."""

    def __init__(self) -> None:
        self._roots: list[_Root] = []
        self._sound: dict[Named, int] = {}

    @property
    def any(self) -> bool:
        """Whether there was a fault."""
        return bool(self._roots)

    def add(self, offset: int, entities: Iterable[Named] | None, fold: Callable[[int], None]) -> None:
        """Note a fault about some entities, None for one that may have touched any."""
        self._roots.append(_Root(offset, None if entities is None else frozenset(entities), fold))

    def explained(self, offset: int, entities: Iterable[Named]) -> None:
        """Note that a record about these entities was explained: what came before it puts them in doubt no longer."""
        if self._roots:
            for entity in entities:
                self._sound[entity] = offset

    def folds(self, offset: int, entities: Iterable[Named]) -> bool:
        """Fold a divergence under the newest fault that it follows from; False where it follows from none."""
        concerned = tuple(entities)
        for root in reversed(self._roots):
            for entity in concerned:
                if (root.entities is None or entity in root.entities) and self._sound.get(entity, -1) < root.offset:
                    root.fold(offset)
                    return True
        return False
