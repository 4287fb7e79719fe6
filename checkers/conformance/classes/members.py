"""Entities of the classed sort as whole classes, or by what their ids say, listed at first use only."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .classes import Classes


class Members(Collection[Any]):
    """The entities of some classes, and some beside, listed at first use only.

    `numbers` are those classes. They are to be listed before an entity moves to another class.
    """

    __slots__ = ("_classes", "_size", "beside", "numbers")

    def __init__(self, classes: Classes, numbers: Iterable[int], beside: Mapping[Any, None] | None = None) -> None:
        self._classes, self.numbers, self.beside = classes, dict.fromkeys(numbers), beside or {}
        self._size = sum([classes.sizes[one] for one in self.numbers]) + len(self.beside)

    def __len__(self) -> int:
        return self._size

    def __iter__(self) -> Iterator[Any]:
        for one in self.numbers:
            yield from self._classes.members(one)
        yield from self.beside

    def among(self, others: Iterable[Members]) -> Members:
        """Return those of the classes that are others' classes too."""
        return Members(self._classes, [one for one in self.numbers if all(one in other.numbers for other in others)])

    def with_(self, others: Iterable[Members]) -> Members:
        """Return those of the classes and of others' classes too."""
        return Members(self._classes, [number for one in (self, *others) for number in one.numbers])

    def __contains__(self, one: object) -> bool:
        return one in self.beside or (one in self._classes and self._classes.of(one) in self.numbers)


class Said(dict[Any, None]):
    """The entities that say something by a part of their ids: which part, by its place, and of how many, and what."""

    __slots__ = ("place", "value", "width")

    def __init__(self, place: int, value: Any) -> None:
        super().__init__()
        self.place, self.value, self.width = place, value, 0

    def add(self, entity: Any) -> None:
        """Add an entity that says it."""
        self.width = len(entity)
        self[entity] = None


def named(found: Iterable[Collection[Any]]) -> Any:
    """Return the one entity that can be in all of some collections, where all parts of its id are said; else None."""
    parts: dict[int, Any] = {}
    width = -1
    for one in found:
        if isinstance(one, Said) and one.width:
            parts[one.place], width = one.value, one.width
    return tuple([parts[place] for place in range(width)]) if len(parts) == width else None


def shared(found: Sequence[Collection[Any]]) -> Members | None:
    """Return the entities that are in all of several collections; None where one has more than whole classes."""
    whole = [one for one in found if isinstance(one, Members) and not one.beside]
    return whole[0].among(whole[1:]) if len(whole) == len(found) else None


def joined(found: Sequence[Collection[Any]]) -> Collection[Any]:
    """Return the entities that are in any of several collections; whole classes stay such, and are not listed."""
    whole = [one for one in found if isinstance(one, Members) and not one.beside]
    if whole and len(whole) == len(found):
        return whole[0].with_(whole[1:])
    return dict.fromkeys(entity for one in found for entity in one)
