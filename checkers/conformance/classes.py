"""The cells of one sort's entities stored by class: entities whose cells have the same values share one row.

A log of many partitions has few kinds of them: what holds of one holds of all of its class, and is evaluated once
(`local.py`). The tables look like any others; an index has classes and not entities.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from .frames import MISSING, UNKNOWN

Row = tuple[Any, ...]
"""The values of an entity's cells by slot: of a table with further keys pairs of these and the value."""


class Members(Collection[Any]):
    """The entities of some classes, listed only when they are asked for."""

    __slots__ = ("_parts",)

    def __init__(self, parts: list[Mapping[Any, None]]) -> None:
        self._parts = parts

    def __len__(self) -> int:
        return sum(map(len, self._parts))

    def __iter__(self) -> Iterator[Any]:
        for part in self._parts:
            yield from part

    def __contains__(self, one: object) -> bool:
        return any(one in part for part in self._parts)


class Own:
    """Stands in a row for what an entity's own id says: the part at a place of it."""

    __slots__ = ("place",)

    def __init__(self, place: int) -> None:
        self.place = place


class Classes:
    """The class of each entity of a sort, by its name, that was seen; an index has the classes that have an entity.

    `paired` says of each slot whether its table has further keys, `places` which part of an entity's id its cells say,
    None for none: such a cell is the same for all of a class, though each has another value.
    """

    def __init__(self, sort: str, paired: tuple[bool, ...], places: tuple[int | None, ...]) -> None:
        self.sort, self.paired, self.places = sort, paired, places
        self.own = tuple(None if place is None else Own(place) for place in places)
        self.of: dict[Any, int] = {}
        self.rows: list[Row] = []
        self.members: list[dict[Any, None]] = []
        self._numbers: dict[Row, int] = {}
        self._steps: dict[tuple[int, int, Row, Any], int] = {}
        self._indexes: dict[tuple[int, bool], dict[Any, dict[int, None]]] = {}
        self._said: dict[int, dict[Any, dict[Any, None]]] = {}
        self.number(tuple(() if pairs else MISSING for pairs in paired))

    def copy(self) -> Classes:
        """Return classes of their own with the same entities in them."""
        other = Classes(self.sort, self.paired, self.places)
        for entity, number in self.of.items():
            other.move(entity, other.number(tuple(map(_the_same, self.rows[number], self.own, other.own))))
        return other

    def number(self, row: Row) -> int:
        """Return the class of a row, a new one where there was none."""
        found = self._numbers.get(row)
        if found is None:
            found = self._numbers[row] = len(self.rows)
            self.rows.append(row)
            self.members.append({})
        return found

    def meet(self, entity: Any) -> None:
        """Put an entity that was not seen before into the class of those without a cell."""
        if entity not in self.of:
            self.move(entity, 0)

    def move(self, entity: Any, number: int) -> None:
        """Put an entity into a class."""
        old = self.of.get(entity)
        if old is not None:
            if old == number:
                return
            left = self.members[old]
            del left[entity]
            if not left:
                for (slot, members), index in self._indexes.items():
                    self._leave(index, slot, members, old)
        self.of[entity] = number
        joined = self.members[number]
        if not joined:
            for (slot, members), index in self._indexes.items():
                self._enter(index, slot, members, number)
        joined[entity] = None
        for slot, said in self._said.items():
            own = self.own[slot]
            assert own is not None
            owns = self.rows[number][slot] is own
            if owns is not (old is not None and self.rows[old][slot] is own):
                if owns:
                    said.setdefault(entity[own.place], {})[entity] = None
                else:
                    del said[entity[own.place]][entity]

    def cell(self, entity: Any, slot: int, rest: Row) -> Any:
        """Return a cell of an entity, `MISSING` where nothing has written it."""
        found = self.rows[self.of.get(entity, 0)][slot]
        if self.paired[slot]:
            return next((value for keys, value in found if keys == rest), MISSING)
        return entity[found.place] if found is self.own[slot] and found is not None else found

    def written(self, number: int, entity: Any, slot: int, rest: Row, value: Any) -> int:
        """Return the class that follows an entity's class when one of its cells has another value."""
        own = self.own[slot]
        if own is not None and value == entity[own.place]:
            value = own
        return self.step(number, slot, rest, value)

    def step(self, number: int, slot: int, rest: Row, value: Any) -> int:
        """Return the class that follows a class when one cell has another value, `Own` for what the id says."""
        key = (number, slot, rest, value)
        found = self._steps.get(key)
        if found is None:
            row = list(self.rows[number])
            if self.paired[slot]:
                kept = [(keys, old) for keys, old in row[slot] if keys != rest]
                cells = kept if value is MISSING else [*kept, (rest, value)]
                row[slot] = tuple(sorted(cells, key=lambda pair: repr(pair[0])))
            else:
                row[slot] = value
            found = self._steps[key] = self.number(tuple(row))
        return found

    def find(self, slot: int, members: bool, others: Row, value: Any) -> list[Mapping[Any, None]]:
        """Return the entities whose cells beside some keys have a value, or have it among theirs; unknown cells do."""
        index = self._index(slot, members)
        found = [self.members[n] for n in (*index.get((others, value), ()), *index.get((others, UNKNOWN), ()))]
        own = self.own[slot]
        if own is None:
            return found
        said = self._said.get(slot)
        if said is None:
            said = self._said[slot] = {}
            for entity, number in self.of.items():
                if self.rows[number][slot] is own:
                    said.setdefault(entity[own.place], {})[entity] = None
        return [*found, said.get(value, {})]

    def without(self, slot: int) -> list[Mapping[Any, None]]:
        """Return the entities that have no cell in a slot."""
        return [self.members[n] for n in self._index(slot, False).get(((), MISSING), ())]

    def _index(self, slot: int, members: bool) -> dict[Any, dict[int, None]]:
        index = self._indexes.get((slot, members))
        if index is None:
            index = self._indexes[slot, members] = {}
            for number, some in enumerate(self.members):
                if some:
                    self._enter(index, slot, members, number)
        return index

    def _enter(self, index: dict[Any, dict[int, None]], slot: int, members: bool, number: int) -> None:
        for key in self._found_under(slot, members, number):
            index.setdefault(key, {})[number] = None

    def _leave(self, index: dict[Any, dict[int, None]], slot: int, members: bool, number: int) -> None:
        for key in self._found_under(slot, members, number):
            index[key].pop(number, None)

    def _found_under(self, slot: int, members: bool, number: int) -> list[Any]:
        """Return the keys of an index under which a class is found."""
        row = self.rows[number][slot]
        found: list[Any] = []
        for rest, value in row if self.paired[slot] else (((), row),):
            if not members or value is UNKNOWN or value is MISSING:
                found.append((rest, value))
            elif value is not None:
                found += [(rest, member) for member in value]
        return found


def _the_same(value: Any, own: Own | None, other: Own | None) -> Any:
    return other if own is not None and value is own else value


class ClassedTable:
    """One table of a sort whose entities are stored by class; looks like a dictionary of cells by their keys."""

    __slots__ = ("classes", "slot")

    def __init__(self, classes: Classes, slot: int) -> None:
        self.classes, self.slot = classes, slot

    def get(self, keys: Row, default: Any = None) -> Any:
        """Return a cell's value, the default where nothing has written it."""
        found = self.classes.cell(keys[0], self.slot, keys[1:])
        return default if found is MISSING else found

    def __getitem__(self, keys: Row) -> Any:
        found = self.get(keys, MISSING)
        if found is MISSING:
            raise KeyError(keys)
        return found

    def __setitem__(self, keys: Row, value: Any) -> None:
        entity, classes = keys[0], self.classes
        classes.move(entity, classes.written(classes.of.get(entity, 0), entity, self.slot, keys[1:], value))

    def pop(self, keys: Row, default: Any = None) -> Any:
        """Take a cell out; return its value, the default where there was none."""
        found = self.get(keys, default)
        self.classes.move(keys[0], self.classes.step(self.classes.of.get(keys[0], 0), self.slot, keys[1:], MISSING))
        return found

    def __contains__(self, keys: Row) -> bool:
        return self.get(keys, MISSING) is not MISSING

    def items(self) -> Iterator[tuple[Row, Any]]:
        """Yield the cells that something has written."""
        classes, slot = self.classes, self.slot
        if classes.paired[slot]:
            for entity, number in classes.of.items():
                for rest, value in classes.rows[number][slot]:
                    yield (entity, *rest), value
            return
        for entity in classes.of:
            found = classes.cell(entity, slot, ())
            if found is not MISSING:
                yield (entity,), found

    def __iter__(self) -> Iterator[Row]:
        return (keys for keys, _ in self.items())

    def keys(self) -> Iterator[Row]:
        """Yield the keys of the cells that something has written."""
        return iter(self)

    def values(self) -> Iterator[Any]:
        """Yield the values of the cells that something has written."""
        return (value for _, value in self.items())

    def __len__(self) -> int:
        return sum(1 for _ in self.items())

    def find(self, position: int, members: bool, others: Row, value: Any) -> Collection[Any]:
        """Return the keys at a position whose cells have a value, or have it among theirs; unknown cells count."""
        classes = self.classes
        if position == 0:
            return Members(classes.find(self.slot, members, others, value))
        entity, rest, at = others[0], others[1:], position - 1
        keys: dict[Any, None] = {}
        for beside, said in classes.rows[classes.of.get(entity, 0)][self.slot]:
            if beside[:at] + beside[at + 1 :] != rest:
                continue
            if said is UNKNOWN or (said == value if not members else said is not None and value in said):
                keys[beside[at]] = None
        return keys

    def absent(self, seen: Mapping[Any, int]) -> Collection[Any]:
        """Return the entities that have no cell: for a table with one key, where all entities seen have a class."""
        return Members(self.classes.without(self.slot))
