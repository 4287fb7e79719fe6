"""The states that printed code reads: four of one log that follow one another, each with its indexes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from fencepost.arrays import np
from fencepost.checkers.conformance.classes.changes import Cell, Change
from fencepost.checkers.conformance.classes.classes import Classes
from fencepost.checkers.conformance.classes.frames import MISSING
from fencepost.checkers.conformance.classes.groups import alike
from fencepost.checkers.printing.terms import TermPrinter
from fencepost.checkers.printing.unknown import UNKNOWN

from .record_fields import read

if TYPE_CHECKING:
    from fencepost.checkers.conformance.state.replay import HardState

AHEAD: Final = "m"
"""The state in which records are matched with rows, which is ahead of the others by the unit at hand."""

PRESENT: Final = "c"
"""The state behind the last record of which claims were asked."""

BEFORE_RECORD: Final = "b"
BEFORE_RESULT: Final = "w"

_Rows = dict[Any, list[Any]]


class _Index(NamedTuple):
    """An index of a state: the entities by their cell's value, or by each member of it, and where the cell is."""

    by: dict[Any, dict[Any, None]]
    members: bool
    at: int
    here: int


@cache
def _numbered(prefix: str, count: int) -> tuple[str, ...]:
    """Return the names by which printed functions read the tables of a state."""
    return tuple(f"{prefix}{number}" for number in range(count))


class _Names(dict[str, Any]):
    """The names that printed functions read; a missing value is made at first use."""

    def __init__(self, make: Callable[[str], Any]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, name: str) -> Any:
        found = self[name] = self._make(name)
        return found


class Unwritten:
    """The entities seen, which only become more, whose cell in a table of rows nothing has written, as far as the
    index of the cell does not say so: those without a row, and where its first value is not known those with it.
    """

    __slots__ = ("_absent", "_asked", "_by", "_rows", "_seen")

    def __init__(self, rows: _Rows, seen: Mapping[Any, int], by: Mapping[Any, Mapping[Any, None]]) -> None:
        self._rows, self._seen, self._by = rows, seen, by
        self._absent: dict[Any, None] = {}
        self._asked = 0

    def and_those(self, found: Collection[Any]) -> Collection[Any]:
        """Return some entities, and those without a cell."""
        rows, absent = self._rows, self._absent
        if self._asked < len(self._seen):
            absent.update(dict.fromkeys(islice(reversed(self._seen), len(self._seen) - self._asked)))
            self._asked = len(self._seen)
        if absent:
            # A row that is there once stays there.
            for one in [one for one in absent if one in rows]:
                del absent[one]
        unknown = self._by.get(UNKNOWN, ())
        return [*found, *unknown, *absent] if absent or unknown else found


class States:
    """The states of one log, by prefix; `names` holds what printed functions read, by name.

    All begin as the log's `HardState`; the one with the prefix `own` follows that state, of which it has all cells that
    are in no row, and `copies` has the prefixes of the others. Printed functions read them while every cell `is_known`.
    """

    def __init__(
        self,
        printer: TermPrinter,
        state: HardState,
        own: str = PRESENT,
        copies: Sequence[str] = (AHEAD, BEFORE_RECORD, BEFORE_RESULT),
    ) -> None:
        self.printer, self.state, self.own, self.copies = printer, state, own, copies
        self.rows = printer.rows
        self.names: dict[str, Any] = _Names(self._made)
        self.tables: dict[str, list[Any]] = {}
        self._indexes: dict[str, dict[int, _Index]] = {}
        self._classed: frozenset[int] = frozenset()
        for sort in state.layout.sorts:
            name = printer.domain_of(sort)
            if name is not None:
                self.names[name] = state.domains[sort]
        self.begin()

    def begin(self) -> None:
        """Put every state where the log's state is, and note whether a cell of it was forgotten."""
        state, places, self.is_known = self.state, self.rows.places, True
        # What is stored by class is read faster from a copy.
        self._classed = frozenset(() if state.classes is None else state.layout.slots)
        real = [{} if at in self._classed else one for at, one in enumerate(state.frame.tables)]
        for number, table in enumerate(real):
            self._are_known(number, table.values())
        rows = self._rows_of(real)
        for prefix in self.copies:
            alone = [dict(table) if place is None else {} for table, place in zip(real, places, strict=True)]
            self._put(prefix, alone, [_copied(one) for one in rows])
        self._put(self.own, real, rows)
        if state.classes is not None:
            self._changes, self._classes = -1, np.zeros(0, np.int32)
            self._put_in(self._of_classes(state.classes))
        self._note()

    def follow(self) -> None:
        """Put every state where the log's state is: since it was last so only cells have got other values."""
        state, classes = self.state, self.state.classes
        if state.replaced != self._replaced:
            self.begin()
            return
        for number, at in enumerate(state.written_at):
            if at > self._writes and number not in self._classed:
                self._put_in(self._of_table(number))
        if classes is not None and classes.changes > self._changes:
            self._put_in(self._of_classes(classes))
        self._note()

    def _note(self) -> None:
        state, classes = self.state, self.state.classes
        self._replaced, self._writes = state.replaced, state.writes
        if classes is not None:
            self._changes, self._classes = classes.changes, classes.of_number[: len(classes.entities)].copy()

    def _put_in(self, cells: Iterable[tuple[Cell, Any]]) -> None:
        """Give cells values in every state, `MISSING` for their first ones."""
        initial, tables = self.state.layout.initial, self.tables[(*self.copies, self.own)[0]]
        changes: list[Change] = []
        for cell, value in cells:
            new = initial[cell[0]] if value is MISSING else value
            old = read(self.state.layout, tables, cell)
            if old is not new and old != new:
                changes.append(Change(cell, old, new))
        for prefix in self.copies:
            self.write(prefix, changes)
        self.written(changes)

    def _of_table(self, number: int) -> Iterator[tuple[Cell, Any]]:
        """Yield the cells of a table that is not stored by class, each with its value in the log's state."""
        table, place = self.state.frame.tables[number], self.rows.places[number]
        self._are_known(number, table.values())
        shown = self.tables[(*self.copies, self.own)[0]]
        keys = shown[number] if place is None else [(entity,) for entity in shown[place[0]]]
        yield from (((number, one), table.get(one, MISSING)) for one in dict.fromkeys((*keys, *table)))

    def _of_classes(self, classes: Classes) -> Iterator[tuple[Cell, Any]]:
        """Yield the cells of entities that may have changed with their class, each with its value."""
        layout = self.state.layout
        who = classes.changed_since(self._changes)
        before = np.zeros(len(classes.entities), np.int64)
        before[: len(self._classes)] = self._classes
        for places in alike(before[who] << 32 | classes.of_number[who]):
            some = who[places]
            old, new = classes.rows[before.item(some.item(0))], classes.rows[classes.of_number.item(some.item(0))]
            entities = [classes.entities[at] for at in some.tolist()]
            for number, slot in layout.slots.items():
                own = classes.own[slot]
                is_counted = own is not None and own.place is None and new[slot] is own
                if old[slot] is new[slot] and not is_counted:
                    continue
                if is_counted:
                    values = classes.numbers(None, slot, some).tolist()
                elif new[slot] is own and own is not None:
                    values = [own.value(one) for one in entities]
                elif classes.paired[slot]:
                    cells = {rest: MISSING for rest, _ in old[slot]} | dict(new[slot])
                    self._are_known(number, cells.values())
                    yield from (((number, (one, *rest)), cells[rest]) for rest in cells for one in entities)
                    continue
                else:
                    self._are_known(number, (new[slot],))
                    values = [new[slot]] * len(entities)
                yield from (((number, (one,)), value) for one, value in zip(entities, values, strict=True))

    def _are_known(self, number: int, values: Iterable[Any]) -> None:
        if number < len(self.state.layout.numbers) and self.state.layout.initial[number] is not UNKNOWN:
            self.is_known = self.is_known and not any(one is UNKNOWN for one in values)

    def _rows_of(self, tables: Sequence[Mapping[Any, Any]]) -> list[_Rows]:
        """Return the rows of the entities that have a cell in a state's tables."""
        found: dict[int, _Rows] = {at: {} for at in self.rows.first}
        for table, place in zip(tables, self.rows.places, strict=True):
            if place is not None and table:
                at, here = place
                rows, first = found[at], self.rows.first[at]
                for (entity,), value in table.items():
                    if entity not in rows:
                        rows[entity] = list(first)
                    rows[entity][here] = value
        return list(found.values())

    def _put(self, prefix: str, tables: Sequence[Any], rows: Sequence[_Rows]) -> None:
        self.tables[prefix] = whole = [*tables, *rows]
        self.names[prefix] = whole
        self._indexes[prefix] = {}
        self.names.update(zip(_numbered(prefix, len(whole)), whole, strict=True))
        for made in (self.printer.indexed, self.printer.unwritten):
            for name in [one for one in self.names.keys() & made.keys() if made[one][0] == prefix]:
                del self.names[name]

    def read(self, prefix: str, cell: Cell) -> Any:
        """Return a cell of a state."""
        return read(self.state.layout, self.tables[prefix], cell)

    def _made(self, name: str) -> Any:
        """Return an index that a printed function asks for, or what finds the entities without a cell."""
        found = self.printer.indexed.get(name)
        if found is None:
            return self._made_of(name, self.tables[self.printer.unwritten[name][0]], self.names)
        prefix, number, members = found
        by = self._made_of(name, self.tables[prefix], self.names)
        self._indexes[prefix][number] = _Index(by, members, *self._place(number))
        return by

    def _made_of(self, name: str, tables: Sequence[Any], names: Mapping[str, Any]) -> Any:
        if name in self.printer.unwritten:
            prefix, number, sort = self.printer.unwritten[name]
            return Unwritten(tables[self._place(number)[0]], self.state.domains[sort], names[f"{prefix}i{number}"])
        _, number, members = self.printer.indexed[name]
        at, here = self._place(number)
        return _indexed(tables[at], here, members)

    def _place(self, number: int) -> tuple[int, int]:
        place = self.rows.places[number]
        assert place is not None, "an index is over the cells of entities"
        return place

    def write(self, prefix: str, changes: Iterable[Change]) -> None:
        """Make changes in a state that is not the log's own."""
        tables, indexes, places = self.tables[prefix], self._indexes[prefix], self.rows.places
        for (number, keys), old, new in changes:
            place = places[number]
            if place is None:
                tables[number][keys] = new
                continue
            at, here = place
            entity = keys[0]
            row = tables[at].get(entity)
            if row is None:
                row = self._begun(tables[at], at, entity, indexes)
            if number in indexes:
                self._move(indexes[number], entity, old, new)
            row[here] = new

    def written(self, changes: Iterable[Change]) -> None:
        """Make changes that the log's own state has in what is a copy of it: rows, and what is stored by class."""
        places, copied = self.rows.places, self._classed
        self.write(self.own, [one for one in changes if places[one[0][0]] is not None or one[0][0] in copied])

    def _begun(self, rows: _Rows, at: int, entity: Any, indexes: Mapping[int, _Index]) -> list[Any]:
        """Return the row of an entity of which nothing was written so far."""
        row = rows[entity] = list(self.rows.first[at])
        for index in indexes.values():
            if index.at == at and not index.members:
                index.by.setdefault(row[index.here], {})[entity] = None
        return row

    @staticmethod
    def _move(index: _Index, entity: Any, old: Any, new: Any) -> None:
        by = index.by
        if not index.members:
            if old in by:
                by[old].pop(entity, None)
            by.setdefault(new, {})[entity] = None
            return
        for one in old or ():
            if one not in (new or ()) and one in by:
                by[one].pop(entity, None)
        for one in new or ():
            by.setdefault(one, {})[entity] = None

    def undo(self, made: Sequence[Sequence[Change]]) -> None:
        """Take back changes in the state that is ahead, the last ones first."""
        for changes in reversed(made):
            self.write(AHEAD, [Change(cell, new, old) for cell, old, new in reversed(changes)])

    def earlier(self, made: Sequence[Sequence[Change]]) -> dict[str, Any]:
        """Return what printed functions read as the state that is ahead was before some changes, the last ones made."""
        known, places = len(self.rows.places), self.rows.places
        tables = [*map(dict, self.tables[AHEAD][:known]), *map(_copied, self.tables[AHEAD][known:])]
        for changes in reversed(made):
            for (number, keys), old, _ in reversed(changes):
                place = places[number]
                if place is None:
                    tables[number][keys] = old
                else:
                    tables[place[0]][keys[0]][place[1]] = old

        names = _Names(lambda name: self._made_of(name, tables, names))
        own = self.printer.indexed.keys() | self.printer.unwritten.keys()
        names.update({name: one for name, one in self.names.items() if name not in own})
        names.update({f"{AHEAD}{number}": table for number, table in enumerate(tables)})
        names[AHEAD] = tables
        return names

    def at_offset(self, offset: int, *prefixes: str) -> None:
        """Set the offset of the next record of states."""
        number = self.state.layout.log_end
        if number is not None:
            for prefix in prefixes:
                self.tables[prefix][number][()] = offset - 1


def _copied(rows: _Rows) -> _Rows:
    return {entity: row.copy() for entity, row in rows.items()}


def _indexed(rows: _Rows, here: int, members: bool) -> dict[Any, dict[Any, None]]:
    """Return the entities of a table of rows by their cell's value, or by each member of it."""
    by: dict[Any, dict[Any, None]] = {}
    for entity, row in rows.items():
        for one in (row[here] or ()) if members else (row[here],):
            by.setdefault(one, {})[entity] = None
    return by
