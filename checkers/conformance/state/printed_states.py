"""The states that printed code reads: four of one log that follow one another, each with its indexes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from fencepost.arrays import np
from fencepost.checkers.conformance.classes.changes import Change
from fencepost.checkers.conformance.classes.classes import Classes
from fencepost.checkers.conformance.classes.frames import MISSING
from fencepost.checkers.conformance.classes.groups import alike
from fencepost.checkers.printing.terms import TermPrinter
from fencepost.checkers.printing.unknown import UNKNOWN

if TYPE_CHECKING:
    from fencepost.checkers.conformance.state.replay import HardState

AHEAD: Final = "m"
"""The state in which records are matched with rows, which is ahead of the others by the unit at hand."""

PRESENT: Final = "c"
"""The state behind the last record of which claims were asked."""

BEFORE_RECORD: Final = "b"
BEFORE_RESULT: Final = "w"

_Table = dict[tuple[Any, ...], Any]


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
    """The entities seen, which only become more, that have no cell in a table with one key."""

    __slots__ = ("_absent", "_asked", "_seen", "_table")

    def __init__(self, table: _Table, seen: Mapping[Any, int]) -> None:
        self._table, self._seen = table, seen
        self._absent: dict[Any, None] = {}
        self._asked = 0

    def and_those(self, found: Collection[Any]) -> Collection[Any]:
        """Return some entities, and those without a cell."""
        table, absent = self._table, self._absent
        if self._asked < len(self._seen):
            absent.update(dict.fromkeys(islice(reversed(self._seen), len(self._seen) - self._asked)))
            self._asked = len(self._seen)
        if absent:
            # A cell that was written once stays written.
            for one in [one for one in absent if (one,) in table]:
                del absent[one]
        return [*found, *absent] if absent else found


class States:
    """The states of one log, by prefix; `names` holds what printed functions read, by name.

    All begin as the log's `HardState`; the one with the prefix `own` is that state itself, and `copies` has the
    prefixes of the others. Printed functions read them while every cell `is_known`.
    """

    def __init__(
        self,
        printer: TermPrinter,
        state: HardState,
        own: str = PRESENT,
        copies: Sequence[str] = (AHEAD, BEFORE_RECORD, BEFORE_RESULT),
    ) -> None:
        self.printer, self.state, self.own, self.copies = printer, state, own, copies
        self.names: dict[str, Any] = _Names(self._made)
        self.tables: dict[str, list[_Table]] = {}
        self._indexes: dict[str, dict[int, tuple[dict[Any, dict[Any, None]], bool]]] = {}
        self._classed: frozenset[int] = frozenset()
        for sort in state.layout.sorts:
            name = printer.domain_of(sort)
            if name is not None:
                self.names[name] = state.domains[sort]
        self.begin()

    def begin(self) -> None:
        """Put every state where the log's state is, and note whether a cell of it was forgotten."""
        state, self.is_known = self.state, True
        # What is stored by class is read faster from a copy.
        self._classed = frozenset(() if state.classes is None else state.layout.slots)
        real = [{} if at in self._classed else one for at, one in enumerate(state.frame.tables)]
        for number, table in enumerate(real):
            self._are_known(number, table.values())
        for prefix in self.copies:
            self._put(prefix, [dict(table) for table in real])
        self._put(self.own, real)
        if state.classes is not None:
            self._changes, self._classes = -1, np.zeros(0, np.int32)
            self._follow(state.classes)
        self._note()

    def follow(self) -> None:
        """Put every state where the log's state is: since it was last so only cells have got other values."""
        state, classes = self.state, self.state.classes
        if state.replaced != self._replaced:
            self.begin()
            return
        for number, at in enumerate(state.written_at):
            if at > self._writes and number not in self._classed:
                table = state.frame.tables[number]
                self._are_known(number, table.values())
                for prefix, tables in self.tables.items():
                    self._drop(prefix, number)
                    if prefix != self.own:
                        tables[number].clear()
                        tables[number].update(table)
        if classes is not None and classes.changes > self._changes:
            self._follow(classes)
        self._note()

    def _note(self) -> None:
        state, classes = self.state, self.state.classes
        self._replaced, self._writes = state.replaced, state.writes
        if classes is not None:
            self._changes, self._classes = classes.changes, classes.of_number[: len(classes.entities)].copy()

    def _drop(self, prefix: str, number: int) -> None:
        """Forget what was found in a table."""
        self._indexes[prefix].pop(number, None)
        for made in (self.printer.indexed, self.printer.unwritten):
            for name in [one for one in self.names.keys() & made.keys() if made[one][:2] == (prefix, number)]:
                del self.names[name]

    def _follow(self, classes: Classes) -> None:
        """Give the cells of entities the values that they have by class."""
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
                    self._give(number, [(one,) for one in entities], classes.numbers(None, slot, some).tolist())
                    continue
                if new[slot] is own and own is not None:
                    self._give(number, [(one,) for one in entities], [own.value(one) for one in entities])
                    continue
                is_paired = classes.paired[slot]
                cells = {rest: MISSING for rest, _ in old[slot]} | dict(new[slot]) if is_paired else {(): new[slot]}
                self._are_known(number, cells.values())
                for rest, value in cells.items():
                    self._give(number, [(one, *rest) for one in entities], [value] * len(entities))

    def _are_known(self, number: int, values: Iterable[Any]) -> None:
        if number < len(self.state.layout.numbers) and self.state.layout.initial[number] is not UNKNOWN:
            self.is_known = self.is_known and not any(one is UNKNOWN for one in values)

    def _give(self, number: int, keys: Sequence[tuple[Any, ...]], values: Sequence[Any]) -> None:
        """Give cells of a table values in every state, `MISSING` for none."""
        for prefix, tables in self.tables.items():
            if values[0] is MISSING:
                self._drop(prefix, number)
                for key in keys:
                    tables[number].pop(key, None)
                continue
            table, index = tables[number], self._indexes[prefix].get(number)
            if index is not None:
                for key, value in zip(keys, values, strict=True):
                    self._move(index, key[0], table.get(key, self.state.layout.initial[number]), value)
            table.update(zip(keys, values, strict=True))

    def _put(self, prefix: str, tables: list[Any]) -> None:
        self.tables[prefix] = tables
        self.names[prefix] = tables
        self._indexes[prefix] = {}
        self.names.update(zip(_numbered(prefix, len(tables)), tables, strict=True))
        for made in (self.printer.indexed, self.printer.unwritten):
            for name in [one for one in self.names.keys() & made.keys() if made[one][0] == prefix]:
                del self.names[name]

    def _made(self, name: str) -> Any:
        """Return an index that a printed function asks for, or what finds the entities without a cell."""
        found = self.printer.indexed.get(name)
        if found is None:
            return self._made_of(name, self.tables[self.printer.unwritten[name][0]])
        prefix, number, members = found
        by = self._made_of(name, self.tables[prefix])
        self._indexes[prefix][number] = by, members
        return by

    def _made_of(self, name: str, tables: Sequence[_Table]) -> Any:
        if name in self.printer.unwritten:
            _, number, sort = self.printer.unwritten[name]
            return Unwritten(tables[number], self.state.domains[sort])
        _, number, members = self.printer.indexed[name]
        return _indexed(tables[number], members)

    def write(self, prefix: str, changes: Iterable[Change]) -> None:
        """Make changes in a state that is not the log's own."""
        tables, indexes = self.tables[prefix], self._indexes[prefix]
        for (number, keys), old, new in changes:
            if number in indexes:
                self._move(indexes[number], keys[0], old, new)
            tables[number][keys] = new

    def written(self, changes: Iterable[Change]) -> None:
        """Update the indexes of the log's own state by changes that were made in it."""
        indexes, copied = self._indexes[self.own], self._classed
        if indexes or copied:
            tables = self.tables[self.own]
            for (number, keys), old, new in changes:
                if number in indexes:
                    self._move(indexes[number], keys[0], old, new)
                if number in copied:
                    tables[number][keys] = new

    @staticmethod
    def _move(index: tuple[dict[Any, dict[Any, None]], bool], entity: Any, old: Any, new: Any) -> None:
        by, members = index
        if not members:
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
        tables = [dict(table) for table in self.tables[AHEAD]]
        for changes in reversed(made):
            for (number, keys), old, _ in reversed(changes):
                tables[number][keys] = old

        names = _Names(lambda name: self._made_of(name, tables))
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


def _indexed(table: _Table, members: bool) -> dict[Any, dict[Any, None]]:
    """Return the entities of a table with one key by their cell's value, or by each member of it."""
    by: dict[Any, dict[Any, None]] = {}
    for keys, value in table.items():
        for one in (value or ()) if members else (value,):
            by.setdefault(one, {})[keys[0]] = None
    return by
