"""Answers found again for other classes: those of which what was read says the same, under other names of entities.

An evaluation reads few of its entity's cells, and no term distinguishes entities of a sort but by the values of cells:
if those that sit at the same places are given each other's names everywhere, the same comes of it, with these names. So
an answer holds for every class whose cells that were read, whose record and bound values, and whose reads of other
entities are equal under one renaming. Where a term puts entities in the order of their ids, an answer is of the
names that they have.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any, Final

from fencepost.checkers.conformance.classes.changes import Cell
from fencepost.checkers.conformance.classes.classed import literals, sorts_of
from fencepost.checkers.conformance.classes.classes import Classes
from fencepost.checkers.conformance.classes.frames import MISSING, UNKNOWN, Frame
from fencepost.checkers.conformance.classes.questions import Question
from fencepost.checkers.conformance.classes.tables import find
from fencepost.checkers.conformance.state.replay import HardState
from fencepost.model.language.kinds import EntityKind, Kind, ListKind, MapKind, OptionKind, SetKind
from fencepost.model.language.state import State

from .names import Answer, Check, Footprint, Found, Names, New, Rename, Stand, Table
from .read_sets import NamedReads, ReadSet, still
from .tracer import ANY_NUMBER, CELL, EVERYWHERE, Compared, Read, Symbol, Tracer

MOST_ANSWERS: Final = 16
"""The number of cached answers to one query, for as many states of its other reads."""

NAMES_OTHERS: Final = "sibling"
"""A question that names another class of the sort."""

_NAMING: Final = frozenset(("edges", "replay"))
"""The queries whose results may name entities."""

MOST_MISSES: Final = 64
"""The surplus of failed over successful searches from which on a search is not repeated."""


class Renaming:
    """The answers to questions about entities of the classed sort of one log, under any names.

    `sorts` are those whose entities may take each other's names: the sorts in the cells of the classed sort, without
    itself and those that its ids name. An entity that a term names, or that is there from the start, keeps its own.
    `make` makes an entry from the reads, the comparisons and the result, `read_set` a read set from some reads.
    """

    def __init__(
        self,
        state: HardState,
        tracer: Tracer,
        classes: Classes,
        make: Callable[[ReadSet, tuple[Compared, ...], Any], Any],
        read_set: Callable[[tuple[Read | Compared, ...]], ReadSet],
    ) -> None:
        shape, layout = tracer.shape, state.layout
        self.state, self.tracer, self.classes, self._make = state, tracer, classes, make
        self._read_set = read_set
        mine = [layout.states[number] for number in shape.slots]
        found = {one.name: one for state in mine for kind in (*state.keys, state.kind) for one in sorts_of(kind)}
        keyed = {str(key) for one in layout.states if one.name in layout.given for key in one.keys}
        self.sorts = tuple(sorted(found.keys() - keyed - {shape.sort, *shape.parents}))
        told = literals(layout.protocol)
        named = {one: {*layout.constants.get(one, ()), *told.get(one, ())} for one in self.sorts}
        same = (None, MISSING, UNKNOWN)
        self._fixed = tuple({one: one for one in (*named[sort], *same)} for sort in self.sorts)
        self._stands: tuple[list[Stand], ...] = tuple([] for _ in self.sorts)
        self._renames: dict[Kind[Any], Rename | None] = {}
        self._tables = [self._table(one) for one in layout.states]
        # Lists have an order: names that they give do not depend on the names that there were.
        by_slot = {slot: number for number, slot in shape.slots.items()}
        self._order = sorted(
            by_slot, key=lambda slot: (not isinstance(layout.states[by_slot[slot]].kind, ListKind), slot)
        )
        self._of_slot = {slot: self._tables[number] for slot, number in by_slot.items()}
        self._slots = shape.slots
        self._parts: dict[int, tuple[Hashable, tuple[tuple[Rename | None, Any], ...]]] = {}
        self._cells: dict[tuple[Footprint, tuple[Any, ...]], tuple[list[Any], tuple[New, ...]]] = {}
        self._footprints: dict[Hashable, list[Footprint]] = {}
        self._answers: dict[Hashable, list[Answer]] = {}
        self._misses = Counter[Hashable]()

    def _table(self, one: State[Any]) -> Table:
        keys = tuple([self.rename(key) for key in one.keys])
        value, member = self.rename(one.kind), _member(one.kind)
        sorts = tuple([self._number(key) for key in one.keys])
        is_named = any(how is not None for how in (*keys, value))
        return Table(keys, value, self.rename(member), sorts, self._number(member), is_named)

    def _number(self, kind: Kind[Any]) -> int:
        name = str(kind.of if isinstance(kind, OptionKind) else kind)
        return self.sorts.index(name) if name in self.sorts else -1

    # -- names -----------------------------------------------------------------------------------------------------
    def rename(self, kind: Kind[Any]) -> Rename | None:
        """Return the function that renames values of a kind, None where they name no entity."""
        if kind not in self._renames:
            self._renames[kind] = self._rename(kind)
        return self._renames[kind]

    def _rename(self, kind: Kind[Any]) -> Rename | None:
        match kind:
            case EntityKind() if kind.name in self.sorts:
                at = self.sorts.index(kind.name)
                return lambda value, names: names[at][value]
            case OptionKind():
                return self.rename(kind.of)
            case ListKind() | MapKind():
                each = self.rename(kind.to if isinstance(kind, MapKind) else kind.of)
                return None if each is None else _collection(tuple, each, iter)
            case SetKind():
                each = self.rename(kind.of)
                return None if each is None else _collection(frozenset, each, _in_order)
        return None

    def _one(self, how: Rename | None, value: Any, names: Names) -> Any:
        return how(value, names) if how is not None else self._symbol(value, names)

    def _all(self, how: Sequence[Rename | None], values: Sequence[Any], names: Names) -> tuple[Any, ...]:
        return tuple([self._one(one, value, names) for one, value in zip(how, values, strict=True)])

    def _symbol(self, one: Any, names: Names) -> Any:
        """Return the symbol of a number that is found in the cell of others, renamed with them."""
        if not isinstance(one, Symbol) or one.source is None or one.source.keys is None:
            return one
        keys = self._all(self._tables[one.source.table].keys, one.source.keys, names)
        return self.tracer.standing(replace(one.source, keys=keys), one.by)

    def _read(self, one: Read | Compared, names: Names) -> Any:
        if isinstance(one, Compared):
            return replace(one, one=self._symbol(one.one, names), other=self._symbol(one.other, names))
        table = self._tables[one.number]
        if one.sort or not table.is_named:
            return one
        at = one.position
        if at < 0:
            keys = self._all(table.keys, one.keys, names) if one.keys else ()
            found = one.found if table.value is None else table.value(one.found, names)
            return Read(one.after, one.number, keys, found, at, False, one.value)
        keys = self._all(table.keys[:at] + table.keys[at + 1 :], one.keys, names)
        who = table.keys[at]
        there = one.found if who is None else frozenset([who(each, names) for each in _in_order(one.found)])
        value = self._one(table.member if one.members else table.value, one.value, names)
        return Read(one.after, one.number, keys, there, at, one.members, value)

    # -- questions -------------------------------------------------------------------------------------------------
    def _general(
        self, question: Question, footprint: Footprint, said: Sequence[Any]
    ) -> tuple[Hashable, tuple[New, ...]]:
        """Return a query with placeholders instead of all names, and the placeholders of the names in it.

        The names may belong to other queries, too: nothing may be added to them.
        """
        rows, touched = self.classes.rows, question.cells
        before, after = rows[question.before], rows[question.after]
        key = footprint, tuple([(after if is_after else before)[slot] for is_after, slot in footprint])
        known = self._cells.get(key)
        if known is None:
            known = self._cells[key] = self._of_cells(*key)
        cells, names = known
        told = [self._told(number, said) for number in (question.said, question.bound) if number >= 0]
        is_paired = any(rest for _, rest in touched)
        if is_paired or any(parts for _, parts in told):
            # The entities that were seen are noted for all copies.
            self._are_asked(names)
            names = tuple([one.copy() for one in names])
        found = list(cells)
        for rest, parts in told:
            found.append(rest)
            found += [self._one(how, value, names) for how, value in parts]
        if is_paired:
            touched = frozenset(
                [(at, self._all(self._tables[at].keys[1:], rest, names)) for at, rest in _in_order(touched)]
            )
        return (question.what, footprint, tuple(found), touched, question.counted), names

    def _checks(self, reads: Sequence[Read | Compared]) -> tuple[ReadSet | None, tuple[Check, ...] | None]:
        """Return the reads that name no entity, and the test of names whether all others hold (`Answer`)."""
        common: list[Read | Compared] = []
        rest: list[Read | Compared] = []
        for one in reads:
            is_named = isinstance(one, Compared) or (not one.sort and self._tables[one.number].is_named)
            (rest if is_named else common).append(one)
        if any(isinstance(key, Symbol) for one in rest for key in (*one.keys, one.value)):
            return None, None
        return self._read_set(tuple(common)), tuple(map(self._check, rest))

    def _check(self, read: Read | Compared) -> Check:
        """Return the test of names whether a read holds in a state."""
        if isinstance(read, Compared):
            return lambda frame, names: bool(self._read(read, names).still(None, frame))
        number, after, table, found = read.number, read.after, self._tables[read.number], read.found
        if read.position != CELL or len(read.keys) != 1 or table.sorts[0] < 0:

            def is_so(frame: Frame, names: Names) -> bool:
                return still(self._read(read, names), frame, None)

            return is_so
        sort, key, value = table.sorts[0], read.keys[0], table.value
        is_any = found is ANY_NUMBER

        def is_same(frame: Frame, names: Names) -> bool:
            state = frame.after if after else frame
            if state is None:
                return False
            there = state.tables[number].get((names[sort][key],), MISSING)
            if is_any:
                return isinstance(there, int)
            return bool(there == (found if value is None else value(found, names)))

        return is_same

    def _told(self, number: int, said: Sequence[Any]) -> tuple[Hashable, tuple[tuple[Rename | None, Any], ...]]:
        """Return record and bound values without names, and the values with names, each with its renaming."""
        if number not in self._parts:
            one = said[number].told()
            named, others = list[tuple[Rename | None, Any]](), list[Any]()
            for kind, value in one.parts:
                how = self.rename(kind)
                is_named = how is not None or isinstance(value, Symbol)
                others.append(MISSING if is_named else value)
                named += [(how, value)] if is_named else []
            self._parts[number] = (one.rest, tuple(others)), tuple(named)
        return self._parts[number]

    def _of_cells(self, footprint: Footprint, values: Sequence[Any]) -> tuple[list[Any], tuple[New, ...]]:
        """Return the values of an entity's cells with placeholders for all names, and the placeholders of the names."""
        names = tuple([New(fixed, stands) for fixed, stands in zip(self._fixed, self._stands, strict=True)])
        found: list[Any] = []
        for (_, slot), value in zip(footprint, values, strict=True):
            table = self._of_slot[slot]
            if self.classes.paired[slot]:
                # A row has its pairs in order.
                cells = [
                    (self._all(table.keys[1:], rest, names), self._one(table.value, one, names)) for rest, one in value
                ]
                found.append(frozenset(cells))
            else:
                found.append(self._one(table.value, value, names))
        return found, names

    def _result(self, what: Hashable, result: Any, names: Names) -> Any:
        if what == "edges":
            kept, shorter = result
            return tuple([one.bound_to(self._bound(one.env, names)) for one in kept]), shorter
        if what == "replay":
            return tuple([self._renamed(cell, old, new, names) for cell, old, new in result])
        return result

    def _renamed(self, cell: Cell, old: Any, new: Any, names: Names) -> tuple[Cell, Any, Any]:
        table = self._tables[cell[0]]
        keys = self._all(table.keys, cell[1], names)
        return (cell[0], keys), self._one(table.value, old, names), self._one(table.value, new, names)

    def _bound(self, variables: Iterable[tuple[Any, Any]], names: Names) -> tuple[Any, ...]:
        return tuple([(var, self._one(self.rename(var.kind), value, names)) for var, value in variables])

    def hold(self, question: Question, said: Sequence[Any], result: Any) -> None:
        """Cache the last evaluation under the tracer, for all names."""
        tracer, what = self.tracer, question.what[0]
        if tracer.ordered or not self.is_worth_it(question):
            return
        if what == "edges" and len({one.row.id for one in result[0]}) < len(result[0]):
            # Where one row explains a record in several ways these are in the order in which entities were seen.
            return
        read = {(after, self._slots[number]) for after, number in tracer.own_cells}
        footprint = tuple([(after, slot) for slot in self._order for after in (False, True) if (after, slot) in read])
        key, asked = self._general(question, footprint, said)
        names = tuple([one.copy() for one in asked])
        reads = tuple([self._read(one, names) for one in dict.fromkeys(tracer.reads)])
        compared = tuple([self._read(one, names) for one in tracer.comparisons])
        renamed = self._result(what, result, names)
        if not self._are_seen(names):
            return
        later = {one[name] for one, first in zip(names, asked, strict=True) for name in one if name not in first}
        cells = [one for one in reads if isinstance(one, Read) and not one.sort]
        common, checks = self._checks(reads)
        alone: dict[Any, list[Read]] = {}
        for one in cells:
            if one.position == CELL and len(one.keys) == 1 and self._tables[one.number].value is None:
                alone.setdefault(one.keys[0], []).append(one)
        open_ = [(one, tuple(_stands_in(one))) for one in cells]
        open_ = [(one, stands) for one, stands in open_ if not later.isdisjoint(stands)]
        answer = Answer(reads, compared, renamed, tuple(open_), tuple(later), alone, common, checks)
        footprints = self._footprints.setdefault(question.what, [])
        if footprint not in footprints:
            footprints.append(footprint)
        answers = self._answers.setdefault(key, [])
        if not any(answer.is_same(one) for one in answers):
            answers.insert(0, answer)
            del answers[MOST_ANSWERS:]

    def _are_asked(self, names: Sequence[New]) -> bool:
        """Whether all entities that a query names were seen; an entity remains seen."""
        if any(one.seen < len(one) for one in names):
            if not self._are_seen([islice(one, one.seen, None) for one in names]):
                return False
            for one in names:
                one.seen = len(one)
        return True

    def _are_seen(self, names: Iterable[Iterable[Any]]) -> bool:
        """Whether all that are named were seen: then they may give their names to others, and no sort has more."""
        for sort, fixed, some in zip(self.sorts, self._fixed, names, strict=True):
            seen = self.state.domains.get(sort, ())
            if not all(one in seen or one in fixed for one in some):
                return False
        return True

    def is_worth_it(self, question: Question) -> bool:
        """Whether such a question is to be looked for under other names."""
        return question.what[0] != NAMES_OTHERS and self._misses[question.what] < MOST_MISSES

    def find(self, question: Question, said: Sequence[Any], frame: Frame, stands: Callable[[Any], bool]) -> Any:
        """Return the first entry that is an answer to a question under the names that there are, and `stands` in a
        state; None where there is none."""
        what = question.what
        if not self.is_worth_it(question):
            return None
        for footprint in self._footprints.get(what, ()):
            key, names = self._general(question, footprint, said)
            answers = self._answers.get(key)
            if answers is None or not self._are_asked(names):
                continue
            for at, answer in enumerate(answers):
                found = self._standing(answer, names, what[0], frame, stands)
                if found is not None:
                    answers.insert(0, answers.pop(at))
                    self._misses[what] -= 1
                    return found
        self._misses[what] += 1
        return None

    def _standing(
        self,
        answer: Answer,
        names: Sequence[Mapping[Any, Any]],
        what: Hashable,
        frame: Frame,
        stands: Callable[[Any], bool],
    ) -> Any:
        if answer.common is not None and not answer.checks and not answer.compared and what not in _NAMING:
            # It names no entity: its result is the same under all names.
            made = answer.made.setdefault((), {})
            entry = made.get(())
            if entry is None:
                entry = made[()] = self._make(answer.common, (), answer.result)
            return entry if stands(entry) else None
        made = answer.made.setdefault(tuple([tuple(some) for some in names]), {})
        for one in made.values():
            if stands(one):
                return one
        if made and not answer.open:
            return None
        found = Found(names)
        everyone: Hashable = ()
        if answer.open:
            for read, stands_in in answer.open:
                if not found.has(stands_in):
                    self._look(read, answer, found, frame)
            everyone = tuple([tuple(some.items()) for some in found.of])
            if everyone in made or not self._are_seen([some.values() for some in found.of]):
                return None
        if not found.has(answer.later):
            # An entity is named that no read identifies.
            return None
        reads = (
            NamedReads(answer, answer.common, found.of)
            if answer.common is not None
            else self._read_set(tuple([self._read(one, found.of) for one in answer.reads]))
        )
        compared = tuple([self._read(one, found.of) for one in answer.compared])
        entry = self._make(reads, compared, self._result(what, answer.result, found.of))
        made[everyone] = entry
        return entry if stands(entry) else None

    def _look(self, read: Read, answer: Answer, found: Found, frame: Frame) -> None:
        """Find entities for the placeholders in a read, so that it holds in a state."""
        table, state = self._tables[read.number], frame.after if read.after else frame
        at, position = table.sorts, read.position
        if state is None or position == EVERYWHERE:
            return
        for sort, key in zip((*at[:position], *at[position + 1 :]) if position >= 0 else at, read.keys, strict=True):
            if sort >= 0 and type(key) is Stand and key not in found.of[sort]:
                self._choose(sort, key, self.state.domains.get(self.sorts[sort], ()), answer, found, frame)
        try:
            # The found entity may have placeholders whose entities are not known yet.
            nothing: Any = () if position >= 0 else None
            asked = Read(read.after, read.number, read.keys, nothing, position, read.members, read.value)
            renamed = self._read(asked, found.of)
        except KeyError:
            return
        sort, cells = (table.sort if position < 0 else at[position]), state.tables[read.number]
        there: Any = cells.get(renamed.keys) if position < 0 else None
        if position >= 0:
            there = find(cells, position, read.members, renamed.keys, renamed.value)
        if sort < 0 or there is None or there is UNKNOWN:
            return
        if isinstance(read.found, frozenset):
            for stand in read.found:
                self._choose(sort, stand, there, answer, found, frame)
        elif isinstance(read.found, tuple):
            for stand, one in zip(read.found, there, strict=False):
                found.bind(sort, stand, one)
        else:
            found.bind(sort, read.found, there)

    def _choose(self, sort: int, stand: Any, among: Iterable[Any], answer: Answer, found: Found, frame: Frame) -> None:
        """Find one of some entities for a placeholder, so that the reads of this entity alone hold."""
        if type(stand) is Stand and stand not in found.of[sort]:
            alone = answer.alone.get(stand, ())
            for one in among:
                if all(self._is_so(read, one, frame) for read in alone) and found.bind(sort, stand, one):
                    return

    @staticmethod
    def _is_so(read: Read, one: Any, frame: Frame) -> bool:
        state = frame.after if read.after else frame
        there = MISSING if state is None else state.tables[read.number].get((one,), MISSING)
        return isinstance(there, int) if read.found is ANY_NUMBER else bool(there == read.found)


def _stands_in(read: Read) -> Iterator[Any]:
    """Yield the placeholders of entities in a read."""
    for one in (*read.keys, read.value, read.found):
        yield from one if isinstance(one, (tuple, frozenset)) else (one,)


def _collection(type_: type, each: Rename, order: Callable[[Any], Iterable[Any]]) -> Rename:
    """Return how values of a type get other names, whose members do so in an order; others have no names."""

    def run(value: Any, names: Names) -> Any:
        return type_([each(one, names) for one in order(value)]) if isinstance(value, type_) else value

    return run


def _member(kind: Kind[Any]) -> Kind[Any]:
    return kind.of if isinstance(kind, (ListKind, SetKind)) else kind


def _in_order(some: Iterable[Any]) -> list[Any]:
    """Return what is in a set in an order that is always the same for the same names."""
    listed = list(some)
    return listed if len(listed) < 2 else sorted(listed, key=repr)
