"""The cells of one variable: whole and with indexes, given, lost in part, or as they were before the last changes."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from itertools import islice
from typing import Any

from .classes import ClassedTable
from .frames import MISSING, UNKNOWN


class Indexed(dict[tuple[Any, ...], Any]):
    """A table with indexes by value, each made when it is first asked for and kept from then on.

    An index is for the key at one position: it maps the keys at the other positions and the cell's value, or, with
    `members`, each member of the value, to the keys at that position.
    """

    __slots__ = ("_absent", "_asked", "_indexes")

    def __init__(self, *cells: Any) -> None:
        super().__init__(*cells)
        self._indexes: dict[tuple[int, bool], dict[Any, dict[Any, None]]] = {}
        self._absent: dict[Any, None] = {}
        self._asked: tuple[int, Mapping[Any, int]] = (0, {})

    def __setitem__(self, keys: tuple[Any, ...], value: Any) -> None:
        if self._indexes:
            self._move(keys, value)
        if self._absent:
            self._absent.pop(keys[0], None)
        super().__setitem__(keys, value)

    def pop(self, keys: tuple[Any, ...], default: Any = None) -> Any:
        """Take a cell out; return its value, the default where there was none."""
        if self._indexes and (old := self.get(keys, MISSING)) is not MISSING:
            for (position, members), index in self._indexes.items():
                for entry in _entries(keys, old, position, members):
                    index[entry].pop(keys[position], None)
        if keys in self and len(keys) == 1 and self._asked[0]:
            self._absent[keys[0]] = None
        return super().pop(keys, default)

    def __copy__(self) -> Indexed:
        return Indexed(self)

    def find(self, position: int, members: bool, others: tuple[Any, ...], value: Any) -> Collection[Any]:
        """Return the keys at a position whose cells have a value, or have it among theirs; unknown cells count."""
        index = self._indexes.get((position, members))
        if index is None:
            index = self._indexes[position, members] = {}
            for keys, found in self.items():
                for entry in _entries(keys, found, position, members):
                    index.setdefault(entry, {})[keys[position]] = None
        known, unknown = index.get((others, value), {}), index.get((others, UNKNOWN), {})
        return {**known, **unknown} if unknown else known

    def absent(self, seen: Mapping[Any, int]) -> Collection[Any]:
        """Return the entities of those seen, which only become more, that have no cell: for a table with one key."""
        number, of = self._asked
        if of is not seen:
            self._absent, number = {}, 0
        if number < len(seen):
            new = list(islice(reversed(seen), len(seen) - number))
            self._absent.update(dict.fromkeys(one for one in reversed(new) if (one,) not in self))
            self._asked = (len(seen), seen)
        return self._absent

    def _move(self, keys: tuple[Any, ...], value: Any) -> None:
        old = self.get(keys, MISSING)
        if old is value or old == value:
            return
        for (position, members), index in self._indexes.items():
            if old is not MISSING:
                for entry in _entries(keys, old, position, members):
                    index[entry].pop(keys[position], None)
            for entry in _entries(keys, value, position, members):
                index.setdefault(entry, {})[keys[position]] = None


def _entries(keys: tuple[Any, ...], value: Any, position: int, members: bool) -> Iterator[tuple[Any, ...]]:
    others = keys[:position] + keys[position + 1 :]
    if not members or value is UNKNOWN:
        yield others, value
    elif value is not None:
        for member in value:
            yield others, member


class Overlay:
    """A table seen through the old values of the cells that have changed since."""

    __slots__ = ("_old", "over", "under")

    def __init__(self, under: Any) -> None:
        self.under = under
        self.over: dict[tuple[Any, ...], Any] = {}
        self._old: Indexed | None = None

    def get(self, key: tuple[Any, ...], default: Any = None) -> Any:
        """Return a cell's old value, the default where it had none."""
        found = self.over.get(key, self)
        return self.under.get(key, default) if found is self else found

    def find(self, position: int, members: bool, others: tuple[Any, ...], value: Any) -> Collection[Any]:
        """Return the keys at a position of the changed cells that had a value, or had it among theirs."""
        if self._old is None or len(self._old) < len(self.over):
            self._old = Indexed(self.over)
        return self._old.find(position, members, others, value)


class Given(dict[tuple[Any, ...], Any]):
    """A table whose every cell has the one value that the user gave, or the one that a function of its keys gives."""

    def __init__(self, value: Any) -> None:
        super().__init__()
        self.value = value

    def get(self, key: Any, default: Any = None) -> Any:
        """Return the value of every cell, or what the function makes of the keys."""
        return self.value(*key) if callable(self.value) else self.value


class Lost(dict[tuple[Any, ...], Any]):
    """A table of which only the cells written since are known."""

    def get(self, key: Any, default: Any = None) -> Any:
        """Return a cell's value, `UNKNOWN` where nothing has written it since."""
        return super().get(key, UNKNOWN)


def find(table: Any, position: int, members: bool, others: tuple[Any, ...], value: Any) -> Collection[Any] | None:
    """Return the keys at a position whose cells may have a value, or have it among theirs; None where no index says."""
    if not isinstance(table, Overlay):
        found = getattr(table, "find", None)
        return None if found is None else found(position, members, others, value)
    under = find(table.under, position, members, others, value)
    if under is None:
        return None
    return {**dict.fromkeys(under), **dict.fromkeys(table.find(position, members, others, value))}


def absent(table: Any, seen: Mapping[Any, int]) -> Collection[Any] | None:
    """Return the entities of those seen that may have no cell in a table with one key; None where nothing says."""
    while isinstance(table, Overlay):
        # A cell that was not there before has its first value among the old ones.
        table = table.under
    without = getattr(table, "absent", None)
    return None if without is None else without(seen)


def anywhere(table: Any, initial: Any) -> Any:
    """Return the value that every cell of a table has, `UNKNOWN` where they differ, or where some may be unknown."""
    traced = getattr(table, "anywhere", None)
    if traced is not None:
        return traced(initial)
    if type(table) not in (dict, Indexed, ClassedTable) or any(
        value is UNKNOWN or value != initial for value in table.values()
    ):
        return UNKNOWN
    return initial
