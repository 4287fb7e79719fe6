"""Records the reads of an evaluation for one entity: its own cells, and everything else that it reads of a state."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from operator import eq, ge, gt, le, lt, ne
from typing import Any, ClassVar, Final

from fencepost.checkers.conformance.classes.classed import compared_with_literals, sorts_of
from fencepost.checkers.conformance.classes.frames import MISSING, UNKNOWN, Frame
from fencepost.checkers.conformance.classes.siblings import Asked
from fencepost.checkers.conformance.classes.tables import absent, anywhere, find
from fencepost.checkers.conformance.state.replay import HardState
from fencepost.model.language.kinds import IntKind


@dataclass(frozen=True, slots=True)
class Source:
    """The source of a number: one of an entity's own at a place of its id, or in the cell that a table has of it; one
    that is not its own in the cell of some keys, which name others."""

    place: int | None
    table: int = -1
    slot: int = -1
    keys: tuple[Any, ...] | None = None

    def value(self, entity: Any, frame: Frame) -> Any:
        """Return the number, or the value in its place, in a state."""
        if self.place is not None:
            return entity[self.place]
        return frame.tables[self.table].get((entity,) if self.keys is None else self.keys, MISSING)


class Symbol:
    """Represents an entity of the classed sort, where it has no source, or a number of its own plus `by`."""

    __slots__ = ("by", "source")

    def __init__(self, source: Source | None, by: int = 0) -> None:
        self.source, self.by = source, by


class OwnNumber(int):
    """A number in an entity's id or in a cell that records count up, as it is read under the tracer.

    Sums stay numbers of its own, and its comparisons are recorded; an evaluation that uses its value is not local.
    That it equals itself is no news: the entity's own cell, or the record about it, says it a second time.
    """

    tracer: Tracer
    source: Source
    by: int

    @staticmethod
    def of(value: int, tracer: Tracer, source: Source, by: int = 0) -> OwnNumber:
        """Return a number that is found at a source, or differs from that `by` so much."""
        made = OwnNumber(value)
        made.tracer, made.source, made.by = tracer, source, by
        return made

    def _compared(self, how: Callable[[Any, Any], bool], other: object) -> bool:
        found = how(int(self), int(other) if isinstance(other, int) else other)
        if isinstance(other, int) and not (isinstance(other, OwnNumber) and other.source == self.source):
            self.tracer.compared(self, how, other, found)
        return found

    def _number(self) -> int:
        self.tracer.local = False
        return int(self)

    def __eq__(self, other: object) -> bool:
        return self._compared(eq, other)

    def __ne__(self, other: object) -> bool:
        return not self._compared(eq, other)

    def __lt__(self, other: int) -> bool:
        return self._compared(lt, other)

    def __le__(self, other: int) -> bool:
        return self._compared(le, other)

    def __gt__(self, other: int) -> bool:
        return self._compared(gt, other)

    def __ge__(self, other: int) -> bool:
        return self._compared(ge, other)

    def __hash__(self) -> int:
        return hash(self._number())

    def _more(self, by: int) -> int:
        return OwnNumber.of(int(self) + by, self.tracer, self.source, self.by + by)

    def __add__(self, other: int) -> int:
        return self._number() + int(other) if isinstance(other, OwnNumber) else self._more(other)

    def __radd__(self, other: int) -> int:
        return self._more(other)

    def __sub__(self, other: int) -> int:
        if not isinstance(other, OwnNumber):
            return self._more(-other)
        return self.by - other.by if other.source == self.source else self._number() - int(other)

    def __rsub__(self, other: int) -> int:
        return int(other) - self._number()

    def __mul__(self, other: int) -> int:
        return self._number() * int(other)

    def __rmul__(self, other: int) -> int:
        return int(other) * self._number()

    def __bool__(self) -> bool:
        return self._compared(ne, 0)


def plain(value: Any) -> Any:
    """Return a value that was read under the tracer as it is elsewhere: with a number for each `OwnNumber` in it."""
    if isinstance(value, OwnNumber):
        return int(value)
    if type(value) in (tuple, frozenset):
        inner = [plain(one) for one in value]
        if any(one is not other for one, other in zip(inner, value, strict=True)):
            return type(value)(inner)
    return value


@dataclass(frozen=True, slots=True)
class Compared:
    """The comparison of a number, with its result; where no number is the entity's own, it counts as a read."""

    keys: ClassVar[tuple[Any, ...]] = ()
    value: ClassVar[Any] = None

    how: Callable[[Any, Any], bool]
    one: Symbol
    other: Symbol | int
    found: bool

    def still(self, entity: Any, frame: Frame) -> bool:
        """Whether the same comes of it for an entity in a state."""
        return self.how(meant(self.one, entity, frame), meant(self.other, entity, frame)) is self.found


CELL, EVERYWHERE = -1, -2
"""Positions beside those of an index: where a cell was read, or a property that all cells of a table share."""


ANY_NUMBER: Final = object()
"""Takes the place of a number found in a cell that was only compared."""


@dataclass(slots=True, unsafe_hash=True)
class Read:
    """Something that was read beside an entity's own cells: a cell, an index, or the number of entities of a sort."""

    after: bool
    number: int
    keys: tuple[Any, ...]
    found: Any
    position: int = CELL
    members: bool = False
    value: Any = None
    sort: str = ""


def meant(one: Any, entity: Any, frame: Frame) -> Any:
    """Return the value of a symbol, for an entity in a state; any other value is returned unchanged."""
    if not isinstance(one, Symbol):
        return one
    if one.source is None:
        return entity
    found = one.source.value(entity, frame)
    return found + one.by if one.by else found


class Memo(dict[Any, Any]):
    """Cached results, by terms or tuples; a key has the source of an own number instead of the number."""

    def get(self, key: Any, default: Any = None) -> Any:
        """Return what is kept under a key."""
        return super().get(_by_sources(key), default)

    def __setitem__(self, key: Any, value: Any) -> None:
        super().__setitem__(_by_sources(key), value)


def _by_sources(key: Any) -> Any:
    if type(key) is tuple:
        for one in key:
            if type(one) is OwnNumber:
                return tuple([(one.source, one.by) if type(one) is OwnNumber else one for one in key])
    return key


class Tracer:
    """Notes what is read of a state while something is evaluated for one entity.

    `own_cells` are the tables of which its own cells were read, of the state after a step or before it, `reads` what
    was read beside, `comparisons` what numbers of its own were compared with.
    """

    def __init__(self, state: HardState) -> None:
        shape = state.layout.classed
        assert shape is not None
        self.state, self.shape = state, shape
        self.entity: Any = None
        self.active = False
        self.sibling: Asked | None = None
        self._is_last = False
        self.local, self.reads = True, list[Read | Compared]()
        self.comparisons = list[Compared]()
        self.own_cells = set[tuple[bool, int]]()
        self._seen: set[Any] = set()
        self._frames = list[Frame]()
        self._symbols: dict[tuple[Source | None, int], Symbol] = {}
        self._sources = {place: Source(place) for place in (*shape.parents.values(), *shape.places)}
        self._counted = {number: Source(None, number, shape.slots[number]) for number in shape.counted}
        self._sorts = tuple(tuple(str(kind) for kind in one.keys) for one in state.layout.states)
        exact, mine = compared_with_literals(state.layout.protocol), {shape.sort, *shape.parents}
        self._is_compared = tuple(
            isinstance(one.kind, IntKind) and one.kind not in exact and mine.isdisjoint(map(str, one.keys))
            for one in state.layout.states
        )
        self._readable = tuple(self._is_readable(number) for number in range(len(state.layout.states)))
        self._tables = [_TracedTable(self, False, number) for number in range(len(state.layout.states))]
        self._before = [_TracedTable(self, False, number) for number in range(len(state.layout.states))]
        self._after = [_TracedTable(self, True, number) for number in range(len(state.layout.states))]

    def _is_readable(self, number: int) -> bool:
        """Whether the cells of a table say nothing of entities that are not interchangeable."""
        kind, slot = self.state.layout.states[number].kind, self.shape.slots.get(number)
        place = None if slot is None else self.shape.places[slot]
        if place is not None:
            return str(kind) in self.shape.parents or isinstance(kind, IntKind)
        return not self.names(kind)

    def names(self, kind: Any) -> bool:
        """Whether values of a kind may name entities of the classed sort or of a parent's."""
        return any(one.name == self.shape.sort or one.name in self.shape.parents for one in sorts_of(kind))

    @contextmanager
    def tracing(self, entity: Any) -> Iterator[None]:
        """Read the state under the tracer, for an entity."""
        self._begin(entity)
        real, self.active = self.state.frame, True
        self.state.frame = self._frame(real, self._tables)
        try:
            yield
        finally:
            self.state.frame, self.active = real, False

    def step(self, entity: Any, before: Frame, sibling: Asked | None = None) -> Frame:
        """Return the frame of a step, read under the tracer for an entity: and for its sibling, where one is given,
        whose cells in the state that is last are part of what the evaluation is known by.

        A number that its cells count is, in the state after, the one before and so much more: by how much is to be
        part of what the evaluation is known by. One that was not there before is read as it is.
        """
        self._begin(entity)
        traced = self._frame(before, self._before)
        if before.after is not None:
            traced.after = self._frame(before.after, self._after)
        self.sibling = sibling
        (traced if traced.after is None else traced.after).sibling = sibling
        self._is_last = before.after is not None
        return traced

    def _begin(self, entity: Any) -> None:
        self.entity, self.local, self.reads, self.comparisons = entity, True, [], []
        self.sibling = None
        self.own_cells = set()
        self._seen.clear()
        self._frames.clear()

    @property
    def ordered(self) -> bool:
        """Whether entities were put in the order of their ids."""
        return any(one.ordered for one in self._frames)

    def _frame(self, real: Frame, tables: list[_TracedTable]) -> Frame:
        for table, inner in zip(tables, real.tables, strict=True):
            table.inner = inner
        domains = TracedDomains(self, real.domains, tables is self._after)
        traced = Frame(list(tables), domains, None, real.open)
        traced.memo = Memo()
        self._frames.append(traced)
        return traced

    def mark(self) -> tuple[int, int] | None:
        """Return how much was noted so far, None where that is not local."""
        return (len(self.reads), len(self.comparisons)) if self.local else None

    def return_to(self, mark: tuple[int, int] | None) -> bool:
        """Forget what was noted since where only that is not local; return whether that is so."""
        if mark is None or self.local:
            return False
        self.local = True
        del self.reads[mark[0] :], self.comparisons[mark[1] :]
        return True

    # -- what is read ----------------------------------------------------------------------------------------------
    def symbol(self, sort: str, one: Any) -> Any:
        """Return the symbol of a key; a key that is another entity makes the evaluation not local."""
        if sort != self.shape.sort and sort not in self.shape.parents:
            return one
        found = self.symbol_of(sort, one, self.entity)
        if found is None:
            self.local = False
        return found

    def symbol_of(self, sort: str, one: Any, entity: Any) -> Any:
        """Return the symbol of an entity, or of an entity that its id names, None if a value is neither."""
        place = self.shape.parents.get(sort)
        mine = entity if place is None and sort == self.shape.sort else None if place is None else entity[place]
        return self.own(place) if mine is not None and mine == one else None

    def own(self, place: int | None) -> Symbol:
        """Return the symbol of an entity, or of the part at an index of its id."""
        return self.standing(None if place is None else self._sources[place], 0)

    def sign(self, value: Any) -> Any:
        """Return what is kept of a value: a symbol for a number of the entity's own."""
        return self.standing(value.source, value.by) if isinstance(value, OwnNumber) else value

    def standing(self, source: Source | None, by: int) -> Symbol:
        """Return the one symbol for a number at a source and more."""
        return self._symbols.setdefault((source, by), Symbol(source, by))

    def own_number(self, one: Any, entity: Any, frame: Frame) -> Any:
        """Return the value of a symbol, for an entity in a state: a number of its own as an `OwnNumber`."""
        found = meant(one, entity, frame)
        if not isinstance(one, Symbol) or one.source is None or not isinstance(found, int):
            return found
        return OwnNumber.of(found, self, one.source, one.by)

    def part(self, value: int, place: int, by: int = 0) -> OwnNumber:
        """Return a number at an index of the id, or that of its sibling, where `by` is the difference."""
        return OwnNumber.of(value, self, self._sources[place], by)

    def cell(self, after: bool, number: int, keys: tuple[Any, ...], found: Any) -> None:
        """Note that a cell was read."""
        if number in self.shape.slots:
            # Its own cells are those of its class; a part of its id that is no entity is its alone.
            self.own_cells.add((after, number))
            place = self.shape.places[self.shape.slots[number]]
            mine = (keys[0] == self.entity or self._is_sibling(after, number, keys[0])) and (
                found is MISSING
                or found is UNKNOWN
                or (self._readable[number] and (place is None or found == keys[0][place]))
            )
            self.local = self.local and mine
            return
        known = found is MISSING or found is UNKNOWN or found is None or self._readable[number]
        if number == self.state.layout.log_end or not known:
            self.local = False
            return
        key = (after, number, keys)
        if self.local and key not in self._seen:
            self._seen.add(key)
            any_number = not after and self._is_compared[number] and isinstance(found, int)
            self.reads.append(Read(after, number, self.named(number, keys), ANY_NUMBER if any_number else found))

    def _is_sibling(self, after: bool, number: int, one: Any) -> bool:
        """Whether a cell is one of the sibling's by which the evaluation is known."""
        sibling = self.sibling
        return (
            sibling is not None
            and one == sibling.entity
            and after is self._is_last
            and number not in self.shape.counted
        )

    def named(self, number: int, keys: tuple[Any, ...]) -> tuple[Any, ...]:
        """Return the symbols of a cell's keys."""
        return tuple([self.symbol(*one) for one in zip(self._sorts[number], keys, strict=True)])

    def compared(self, one: OwnNumber, how: Callable[[Any, Any], bool], other: int, found: bool) -> None:
        """Note that a number was compared."""
        what = Compared(how, self.sign(one), self.sign(other), found)
        if one.source.keys is None or (isinstance(other, OwnNumber) and other.source.keys is None):
            self.comparisons.append(what)
        elif what not in self._seen:
            self._seen.add(what)
            self.reads.append(what)

    def read(self, after: bool, number: int, keys: tuple[Any, ...], found: Any) -> Any:
        """Return what a cell is read as: a number that is the entity's own, or is only compared, as an `OwnNumber`."""
        if not isinstance(found, int) or not self.local:
            return found
        slot = self.shape.slots.get(number)
        if slot is None:
            # Of the state after only what the entity counts is known by what it was before.
            if after or not self._is_compared[number]:
                return found
            return OwnNumber.of(found, self, Source(None, number, -1, keys))
        place = self.shape.places[slot]
        if place is not None:
            by = self.sibling.by if self.sibling is not None and keys[0] == self.sibling.entity else 0
            return self.part(found, place, by)
        source = self._counted.get(number)
        if source is None:
            return found
        self.own_cells.add((False, number))
        before = self._before[number].inner.get((self.entity,), MISSING) if after else found
        return OwnNumber.of(found, self, source, found - before) if isinstance(before, int) else found

    def index(
        self, after: bool, number: int, position: int, members: bool, others: tuple[Any, ...], value: Any, found: Any
    ) -> None:
        """Note that an index was asked."""
        sorts = self._sorts[number]
        if number in self.shape.slots:
            self.own_cells.add((after, number))
            self.local = self.local and position > 0 and others[0] == self.entity
            return
        if sorts[position] in self.shape.parents or found is None:
            self.local = False
            return
        beside = sorts[:position] + sorts[position + 1 :]
        named = tuple([self.symbol(*one) for one in zip(beside, others, strict=True)])
        self.reads.append(Read(after, number, named, frozenset(found), position, members, value))

    def everywhere(self, after: bool, number: int, initial: Any, found: Any) -> None:
        """Note that all cells of a table were asked for the one value that they have."""
        self.local = self.local and number not in self.shape.slots and (found is UNKNOWN or self._readable[number])
        self.reads.append(Read(after, number, (), found, EVERYWHERE, value=initial))

    def domain(self, after: bool, sort: str, count: int) -> None:
        """Note that the entities of a sort were listed."""
        if sort == self.shape.sort or sort in self.shape.parents:
            self.local = False
        else:
            self.reads.append(Read(after, -1, (), count, sort=sort))


class _TracedTable:
    __slots__ = ("after", "inner", "number", "tracer")

    def __init__(self, tracer: Tracer, after: bool, number: int) -> None:
        self.tracer, self.after, self.number = tracer, after, number
        self.inner: Any = None

    def get(self, keys: tuple[Any, ...], default: Any = None) -> Any:
        found = self.inner.get(keys, MISSING)
        self.tracer.cell(self.after, self.number, keys, found)
        return default if found is MISSING else self.tracer.read(self.after, self.number, keys, found)

    def find(self, position: int, members: bool, others: tuple[Any, ...], value: Any) -> Any:
        found = find(self.inner, position, members, others, value)
        self.tracer.index(self.after, self.number, position, members, others, value, found)
        return found

    def absent(self, seen: Mapping[Any, int]) -> Any:
        self.tracer.local = False
        return absent(self.inner, seen)

    def anywhere(self, initial: Any) -> Any:
        found = anywhere(self.inner, initial)
        self.tracer.everywhere(self.after, self.number, initial, found)
        return found


class TracedDomains(dict[str, Any]):
    """The entities seen of each sort; an evaluation that lists the classed sort, or a parent's, is not local."""

    def __init__(self, tracer: Tracer, real: Mapping[str, Mapping[Any, int]], after: bool) -> None:
        super().__init__()
        self._tracer, self._real, self._after = tracer, real, after

    def get(self, sort: str, default: Any = None) -> Any:
        """Return the entities seen of a sort, the default where none are kept; that they were listed is noted."""
        found = self._real.get(sort)
        if found is None:
            return default
        shape = self._tracer.shape
        if sort == shape.sort or sort in shape.parents:
            return _TracedEntities(self._tracer, sort, found)
        self._tracer.domain(self._after, sort, len(found))
        return found


class _TracedEntities:
    """The entities of a classed sort or a parent's: that an entity itself was seen is nothing that it reads."""

    __slots__ = ("real", "sort", "tracer")

    def __init__(self, tracer: Tracer, sort: str, real: Mapping[Any, int]) -> None:
        self.tracer, self.sort, self.real = tracer, sort, real

    def __contains__(self, one: object) -> bool:
        self.tracer.symbol(self.sort, one)
        return one in self.real

    def __iter__(self) -> Iterator[Any]:
        self.tracer.local = False
        return iter(self.real)

    def __len__(self) -> int:
        self.tracer.local = False
        return len(self.real)

    def __getitem__(self, one: Any) -> int:
        self.tracer.local = False
        return self.real[one]
