"""The cells of one sort's entities stored by class: entities whose cells have the same values share one row.

A log of many partitions has few kinds of them: what holds of one holds of all of its class, and is evaluated once
(`local.py`). The tables look like any others; an index has classes and not entities.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from fencepost.arrays import np

from .frames import MISSING, UNKNOWN
from .members import Members, Said

if TYPE_CHECKING:
    import numpy.typing as npt

ROOM: Final = 64
"""The initial capacity for entities."""

Numbers: TypeAlias = "npt.NDArray[np.integer[Any]]"
"""Numbers of entities or classes."""

Row = tuple[Any, ...]
"""The values of an entity's cells by slot: of a table with further keys pairs of these and the value."""


class Own:
    """Represents in a row a number of an entity's own: the part at an index of its id, or a number counted for it."""

    __slots__ = ("classes", "counts", "place")

    def __init__(self, classes: Classes, place: int | None) -> None:
        self.classes, self.place = classes, place
        self.counts = np.zeros(0 if place is not None else ROOM, np.int64)

    def value(self, entity: Any) -> Any:
        """Return the number of an entity."""
        if self.place is not None:
            return entity[self.place]
        return self.counts.item(self.classes.index[entity])

    def sayers(self, entities: Iterable[Any]) -> dict[Any, Said]:
        """Return some entities by the part that they say."""
        assert self.place is not None
        found: dict[Any, Said] = {}
        for one in entities:
            value = one[self.place]
            found.setdefault(value, Said(self.place, value)).add(one)
        return found

    def says(self, entity: Any, value: Any) -> bool:
        """Whether a value is the number of an entity, which is what it is from now on where it is counted."""
        if self.place is not None:
            return bool(value == entity[self.place])
        if not isinstance(value, int):
            return False
        at = self.classes.meet(entity)
        self.counts[at] = value
        self.classes.changed([at])
        return True


class Classes:
    """The class of each entity of a sort, by its name, that was seen; an index has the classes that have an entity.

    `paired` says of each slot whether its table has further keys, `places` which part of an entity's id its cells say,
    None for none, `counted` the slots of numbers that records count: such a cell is the same for all of a class, though
    each has another value. `parents` are the places of an id with other entities.

    Entities are numbered in the order in which they were met (`entities`, `index`). By these numbers `of_number` has
    their classes, int32, `parent_of` numbers of what their ids name beside them, int32, and `changed_at` which of the
    `changes` was the last of theirs; all have room for more.
    """

    def __init__(
        self,
        sort: str,
        paired: tuple[bool, ...],
        places: tuple[int | None, ...],
        counted: frozenset[int] = frozenset(),
        parents: tuple[int, ...] = (),
    ) -> None:
        self.sort, self.paired, self.places, self.counted, self.parents = sort, paired, places, counted, parents
        self.own = tuple(
            None if place is None and slot not in counted else Own(self, place) for slot, place in enumerate(places)
        )
        self.entities: list[Any] = []
        self.index: dict[Any, int] = {}
        self.of_number = np.zeros(ROOM, np.int32)
        self.changes, self.changed_at = 0, np.zeros(ROOM, np.int64)
        self.parent_of = np.zeros(ROOM, np.int32)
        self.parent_numbers: dict[Any, int] = {}
        self.rows: list[Row] = []
        self.sizes: list[int] = []
        self._listed: dict[int, dict[Any, None]] = {}
        self._one_of: dict[int, int] = {}
        self._parts: dict[int, npt.NDArray[np.int64]] = {}
        self._numbers: dict[Row, int] = {}
        self._steps: dict[tuple[int, int, Row, Any], int] = {}
        self._present: dict[int, None] = {}
        self._indexes: dict[tuple[int, bool], dict[Any, dict[int, None]]] = {}
        self._said: dict[int, dict[Any, Said]] = {}
        # Numbers of entities that say something else by their ids, or nothing any more, since that was last asked.
        self._moved: set[int] = set()
        self._found: dict[Any, Collection[Any]] = {}
        self.number(tuple(() if pairs else MISSING for pairs in paired))

    def copy(self) -> Classes:
        """Return classes of their own with the same entities in them."""
        other = Classes(self.sort, self.paired, self.places, self.counted, self.parents)
        for entity in self.entities:
            other.meet(entity)
        for one, copied in zip(self.own, other.own, strict=True):
            if one is not None and copied is not None:
                copied.counts[: len(one.counts)] = one.counts
        for entity, number in self.classes():
            other.move(entity, other.number(tuple(map(_the_same, self.rows[number], self.own, other.own))))
        return other

    def number(self, row: Row) -> int:
        """Return the class of a row, a new one where there was none."""
        found = self._numbers.get(row)
        if found is None:
            found = self._numbers[row] = len(self.rows)
            self.rows.append(row)
            self.sizes.append(0)
        return found

    def __contains__(self, entity: Any) -> bool:
        return entity in self.index

    def of(self, entity: Any) -> int:
        """Return the class of an entity, that of those without a cell where it was not met."""
        at = self.index.get(entity)
        return 0 if at is None else self.of_number.item(at)

    def classes(self) -> Iterator[tuple[Any, int]]:
        """Yield every entity with its class."""
        return zip(self.entities, self.of_number[: len(self.entities)].tolist(), strict=True)

    def meet(self, entity: Any) -> int:
        """Return the number of an entity; one that was not met before is put into the class of those without a cell."""
        at = self.index.get(entity)
        if at is None:
            at = self.index[entity] = len(self.entities)
            self.entities.append(entity)
            if at == len(self.of_number):
                self._grow()
            self.of_number[at] = 0
            [beside] = self._beside([entity])
            self.parent_of[at] = self.parent_numbers.setdefault(beside, len(self.parent_numbers))
            self._resize(0, 1)
            if 0 in self._listed:
                self._listed[0][entity] = None
        return at

    def meet_all(self, entities: Iterable[Any]) -> None:
        """Meet entities, in their order, as `meet` does one."""
        new = [one for one in dict.fromkeys(entities) if one not in self.index]
        if not new:
            return
        first = len(self.entities)
        self.entities += new
        self.index.update(zip(new, range(first, len(self.entities)), strict=True))
        while len(self.of_number) < len(self.entities):
            self._grow()
        beside, numbers = self._beside(new), self.parent_numbers
        self.parent_of[first : len(self.entities)] = [numbers.setdefault(one, len(numbers)) for one in beside]
        self.of_number[first : len(self.entities)] = 0
        self._resize(0, len(new))
        if 0 in self._listed:
            self._listed[0].update(dict.fromkeys(new))

    def _beside(self, entities: Sequence[Any]) -> Iterable[tuple[Any, ...]]:
        """Return what entities' ids name beside them."""
        return (
            zip(*([one[place] for one in entities] for place in self.parents), strict=True)
            if self.parents
            else ([()] * len(entities))
        )

    def _grow(self) -> None:
        self.changed_at = np.concatenate((self.changed_at, np.zeros(len(self.changed_at), np.int64)))
        more = np.zeros(len(self.of_number), np.int32)
        self.of_number = np.concatenate((self.of_number, more))
        self.parent_of = np.concatenate((self.parent_of, more))
        for own in self.own:
            if own is not None and own.place is None:
                own.counts = np.concatenate((own.counts, np.zeros(len(own.counts), np.int64)))

    def _resize(self, number: int, more: int) -> None:
        """Count entities that came into a class, or left it."""
        self._found.clear()
        before = self.sizes[number]
        self.sizes[number] = before + more
        if not before:
            self._present[number] = None
            for (slot, members), index in self._indexes.items():
                self._enter(index, slot, members, number)
        elif not before + more:
            self._listed.pop(number, None)
            del self._present[number]
            for (slot, members), index in self._indexes.items():
                self._leave(index, slot, members, number)

    def changed(self, numbers: Numbers | list[int]) -> None:
        """Note that entities have other cells, or have another value counted, than they had."""
        self.changes += 1
        self.changed_at[numbers] = self.changes

    def changed_since(self, changes: int) -> Numbers:
        """Return the numbers of the entities that have changed since there were so many `changes`."""
        return np.flatnonzero(self.changed_at[: len(self.entities)] > changes)

    def numbers(self, place: int | None, slot: int, who: Numbers) -> npt.NDArray[np.int64]:
        """Return the number at an index of the ids of some entities, or the number counted for them in a slot."""
        if place is None:
            own = self.own[slot]
            assert own is not None
            return own.counts[who]
        part = self._parts.get(place)
        if part is None or len(part) < len(self.entities):
            part = self._parts[place] = np.array([entity[place] for entity in self.entities], np.int64)
        return part[who]

    def members(self, number: int) -> dict[Any, None]:
        """Return the entities of a class."""
        found = self._listed.get(number)
        if found is None:
            inside = np.flatnonzero(self.of_number[: len(self.entities)] == number)
            found = self._listed[number] = dict.fromkeys([self.entities[at] for at in inside.tolist()])
        return found

    def present(self) -> list[int]:
        """Return the classes that have an entity."""
        return sorted(self._present)

    def one_of(self, number: int) -> Any:
        """Return some entity of a class that has one."""
        at = self._one_of.get(number, -1)
        if at < 0 or self.of_number.item(at) != number:
            at = self._one_of[number] = int(np.argmax(self.of_number[: len(self.entities)] == number))
        return self.entities[at]

    def move(self, entity: Any, number: int) -> None:
        """Put an entity into a class."""
        at = self.meet(entity)
        old = self.of_number.item(at)
        if old == number:
            return
        self.of_number[at] = number
        self.changed([at])
        if old in self._listed:
            del self._listed[old][entity]
        if number in self._listed:
            self._listed[number][entity] = None
        self._resize(old, -1)
        self._resize(number, 1)
        if self._says_otherwise(old, number):
            self._moved.add(at)

    def _says_otherwise(self, one: int, other: int) -> bool:
        """Whether an entity is found by its id's part in one of two classes only."""
        rows, own = self.rows, self.own
        return any((rows[one][slot] is own[slot]) is not (rows[other][slot] is own[slot]) for slot in self._said)

    def _say_moved(self) -> None:
        """Update the indexes by id of entities that were moved to the classes where they are now."""
        moved = sorted(self._moved)
        self._moved.clear()
        for slot, said in self._said.items() if moved else ():
            own = self.own[slot]
            assert own is not None
            assert own.place is not None
            for at in moved:
                entity = self.entities[at]
                value = entity[own.place]
                if self.rows[self.of_number.item(at)][slot] is own:
                    said.setdefault(value, Said(own.place, value)).add(entity)
                elif value in said:
                    said[value].pop(entity, None)

    def move_all(self, numbers: Numbers, classes: Numbers) -> None:
        """Put entities, by their numbers, each no more than once, into classes."""
        old = self.of_number[numbers]
        self.of_number[numbers] = classes
        self.changed(numbers)
        # One number a step: sorting pairs costs many times as much.
        steps, count = np.unique(old.astype(np.int64) << 32 | classes, return_counts=True)
        for step, times in zip(steps.tolist(), count.tolist(), strict=True):
            one, other = step >> 32, step & 0xFFFFFFFF
            if one == other:
                continue
            self._listed.pop(one, None)
            self._listed.pop(other, None)
            self._resize(other, times)
            self._resize(one, -times)
            if self._says_otherwise(one, other):
                self._moved.update(numbers[(old == one) & (classes == other)].tolist())

    def cell(self, entity: Any, slot: int, rest: Row) -> Any:
        """Return a cell of an entity, `MISSING` where nothing has written it."""
        return self.said(self.of(entity), entity, slot, rest)

    def said(self, number: int, entity: Any, slot: int, rest: Row) -> Any:
        """Return a cell that an entity would have in a class, `MISSING` where nothing would have written it."""
        found = self.rows[number][slot]
        if self.paired[slot]:
            return next((value for keys, value in found if keys == rest), MISSING)
        return found.value(entity) if found is self.own[slot] and found is not None else found

    def written_in(self, number: int, slots: Mapping[int, int]) -> frozenset[tuple[int, Row]]:
        """Return the tables, by their places in a row, and further keys of the cells that entities of a class have."""
        row, paired = self.rows[number], self.paired
        cells = ((n, row[slot] if paired[slot] else (((), row[slot]),)) for n, slot in slots.items())
        return frozenset((n, rest) for n, found in cells for rest, value in found if value is not MISSING)

    def written(self, number: int, entity: Any, slot: int, rest: Row, value: Any) -> int:
        """Return the class that follows an entity's class when one of its cells has another value."""
        own = self.own[slot]
        if own is not None and own.says(entity, value):
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

    def find(self, slot: int, members: bool, others: Row, value: Any) -> Collection[Any] | None:
        """Return the entities whose cells beside some keys have a value, or have it among theirs; unknown cells do.

        None of numbers that are counted: there is no index of them.
        """
        if slot in self.counted:
            return None
        key = (slot, members, others, value)
        known = self._found.get(key)
        if known is None:
            known = self._found[key] = self._find(slot, members, others, value)
        return known

    def _find(self, slot: int, members: bool, others: Row, value: Any) -> Collection[Any]:
        index = self._index(slot, members)
        found = [*index.get((others, value), ()), *index.get((others, UNKNOWN), ())]
        own = self.own[slot]
        if own is None:
            return Members(self, found)
        assert own.place is not None
        self._say_moved()
        said = self._said.get(slot)
        if said is None:
            said = self._said[slot] = own.sayers(one for one, n in self.classes() if self.rows[n][slot] is own)
        say = said.get(value, Said(own.place, value))
        return Members(self, found, say) if found else say

    def fits(self, number: int, slot: int, members: bool, others: Row, value: Any) -> bool:
        """Whether the entities of a class are what `find` looks for."""
        return not {(others, value), (others, UNKNOWN)}.isdisjoint(self._found_under(slot, members, number))

    def without(self, slot: int) -> Collection[Any]:
        """Return the entities that have no cell in a slot."""
        known = self._found.get(slot)
        if known is None:
            known = self._found[slot] = Members(self, self._index(slot, False).get(((), MISSING), ()))
        return known

    def _index(self, slot: int, members: bool) -> dict[Any, dict[int, None]]:
        index = self._indexes.get((slot, members))
        if index is None:
            index = self._indexes[slot, members] = {}
            for number in self.present():
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
        classes.move(entity, classes.written(classes.of(entity), entity, self.slot, keys[1:], value))

    def pop(self, keys: Row, default: Any = None) -> Any:
        """Take a cell out; return its value, the default where there was none."""
        found = self.get(keys, default)
        self.classes.move(keys[0], self.classes.step(self.classes.of(keys[0]), self.slot, keys[1:], MISSING))
        return found

    def __contains__(self, keys: Row) -> bool:
        return self.get(keys, MISSING) is not MISSING

    def items(self) -> Iterator[tuple[Row, Any]]:
        """Yield the cells that something has written."""
        classes, slot = self.classes, self.slot
        if classes.paired[slot]:
            for entity, number in classes.classes():
                for rest, value in classes.rows[number][slot]:
                    yield (entity, *rest), value
            return
        for entity in classes.entities:
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

    def find(self, position: int, members: bool, others: Row, value: Any) -> Collection[Any] | None:
        """Return the keys at a position whose cells have a value, or have it among theirs; unknown cells count.

        None where no index says.
        """
        classes = self.classes
        if position == 0:
            return classes.find(self.slot, members, others, value)
        entity, rest, at = others[0], others[1:], position - 1
        keys: dict[Any, None] = {}
        for beside, said in classes.rows[classes.of(entity)][self.slot]:
            if beside[:at] + beside[at + 1 :] != rest:
                continue
            if said is UNKNOWN or (said == value if not members else said is not None and value in said):
                keys[beside[at]] = None
        return keys

    def absent(self, seen: Mapping[Any, int]) -> Collection[Any]:
        """Return the entities that have no cell: for a table with one key, where all entities seen have a class."""
        return self.classes.without(self.slot)
