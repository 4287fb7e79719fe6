"""What an evaluation reads of a state, noted while it is made for one entity: its own cells, and all that is beside."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from operator import eq, ge, gt, le, lt
from typing import Any

from fencepost.model.language.kinds import IntKind

from .classed import sorts_of
from .frames import MISSING, UNKNOWN, Frame
from .replay import HardState
from .tables import absent, anywhere, find


class Symbol:
    """Stands for an entity of the classed sort, or for the part of its id at a place, in what was read."""

    def __init__(self, place: int | None) -> None:
        self.place = place


class Part(int):
    """A number in an entity's id, as it is read under the tracer: whoever asks what number it is is not local.

    That it equals itself is no news: the entity's own cell, or the record about it, says it a second time.
    """

    tracer: Tracer
    place: int

    @staticmethod
    def of(value: int, tracer: Tracer, place: int) -> Part:
        """Return a number that stands at a place of the id."""
        made = Part(value)
        made.tracer, made.place = tracer, place
        return made

    def _compared(self, how: Callable[[Any, Any], bool], other: object) -> bool:
        found = how(int(self), int(other) if isinstance(other, int) else other)
        if isinstance(other, int) and not (isinstance(other, Part) and other.place == self.place):
            self.tracer.compared(self.place, how, other, found)
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

    def __add__(self, other: int) -> int:
        return self._number() + int(other)

    def __radd__(self, other: int) -> int:
        return int(other) + self._number()

    def __sub__(self, other: int) -> int:
        return self._number() - int(other)

    def __rsub__(self, other: int) -> int:
        return int(other) - self._number()

    def __bool__(self) -> bool:
        return self._number() != 0


def plain(value: Any) -> Any:
    """Return a value that was read under the tracer as it is elsewhere: with a number for each `Part` in it."""
    if isinstance(value, Part):
        return int(value)
    if type(value) in (tuple, frozenset):
        inner = [plain(one) for one in value]
        if any(one is not other for one, other in zip(inner, value, strict=True)):
            return type(value)(inner)
    return value


@dataclass(frozen=True, slots=True)
class Compared:
    """What a number in an entity's id was compared with, and what came of it."""

    place: int
    how: Callable[[Any, Any], bool]
    other: int
    found: bool

    def still(self, entity: Any) -> bool:
        """Whether the same comes of it for an entity."""
        return self.how(entity[self.place], self.other) is self.found


@dataclass(slots=True)
class Read:
    """Something that was read beside an entity's own cells: a cell, an index, or the number of entities of a sort."""

    after: bool
    number: int
    keys: tuple[Any, ...]
    found: Any
    position: int = -1
    members: bool = False
    value: Any = None
    sort: str = ""


def meant(one: Any, entity: Any) -> Any:
    """Return what a symbol stands for, of an entity; anything else is what it is."""
    if isinstance(one, Symbol):
        return entity if one.place is None else entity[one.place]
    return one


class Tracer:
    """Notes what is read of a state while something is evaluated for one entity."""

    def __init__(self, state: HardState) -> None:
        shape = state.layout.classed
        assert shape is not None
        self.state, self.shape = state, shape
        self.entity: Any = None
        self.active = False
        self.local, self.reads = True, list[Read]()
        self.comparisons, self.may_compare = list[Compared](), False
        self._seen: set[Any] = set()
        self.symbols: dict[int | None, Symbol] = {
            place: Symbol(place) for place in (None, *shape.parents.values(), *shape.places)
        }
        self._sorts = tuple(tuple(str(kind) for kind in one.keys) for one in state.layout.states)
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
        """Have the state read under the tracer, for an entity, whose numbers may be compared."""
        self._begin(entity, True)
        real, self.active = self.state.frame, True
        self.state.frame = self._frame(real, self._tables)
        try:
            yield
        finally:
            self.state.frame, self.active = real, False

    def step(self, entity: Any, before: Frame) -> Frame:
        """Return the frame of a step, read under the tracer for an entity.

        What is asked of it is told of many entities at once: whoever compares their numbers is not local.
        """
        self._begin(entity, False)
        traced = self._frame(before, self._before)
        if before.after is not None:
            traced.after = self._frame(before.after, self._after)
        return traced

    def _begin(self, entity: Any, may_compare: bool) -> None:
        self.entity, self.local, self.reads = entity, True, []
        self.comparisons, self.may_compare = [], may_compare
        self._seen.clear()

    def _frame(self, real: Frame, tables: list[_TracedTable]) -> Frame:
        for table, inner in zip(tables, real.tables, strict=True):
            table.inner = inner
        domains = _TracedDomains(self, real.domains, tables is self._after)
        return Frame(list(tables), domains, None, real.open)

    # -- what is read ----------------------------------------------------------------------------------------------
    def symbol(self, sort: str, one: Any) -> Any:
        """Return what stands for a key; a key that is another entity makes the evaluation none that is local."""
        if sort != self.shape.sort and sort not in self.shape.parents:
            return one
        found = self.symbol_of(sort, one, self.entity)
        if found is None:
            self.local = False
        return found

    def symbol_of(self, sort: str, one: Any, entity: Any) -> Any:
        """Return what stands for an entity, or for what its id names, None if a value is neither."""
        place = self.shape.parents.get(sort)
        mine = entity if place is None and sort == self.shape.sort else None if place is None else entity[place]
        return self.symbols[place] if mine is not None and mine == one else None

    def cell(self, after: bool, number: int, keys: tuple[Any, ...], found: Any) -> None:
        """Note that a cell was read."""
        if number in self.shape.slots:
            # Its own cells are those of its class; a part of its id that is no entity is its alone.
            place = self.shape.places[self.shape.slots[number]]
            mine = keys[0] == self.entity and (
                found is MISSING
                or found is UNKNOWN
                or (self._readable[number] and (place is None or found == self.entity[place]))
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
            named = tuple([self.symbol(*one) for one in zip(self._sorts[number], keys, strict=True)])
            self.reads.append(Read(after, number, named, found))

    def compared(self, place: int, how: Callable[[Any, Any], bool], other: int, found: bool) -> None:
        """Note that a number in the entity's id was compared."""
        self.local = self.local and self.may_compare and not isinstance(other, Part)
        self.comparisons.append(Compared(place, how, int(other), found))

    def read(self, number: int, found: Any) -> Any:
        """Return what a cell is read as: a number that the entity's id says, too, as a `Part`."""
        slot = self.shape.slots.get(number)
        place = None if slot is None else self.shape.places[slot]
        if place is None or not isinstance(found, int) or not self.local:
            return found
        return Part.of(found, self, place)

    def index(
        self, after: bool, number: int, position: int, members: bool, others: tuple[Any, ...], value: Any, found: Any
    ) -> None:
        """Note that an index was asked."""
        sorts = self._sorts[number]
        if number in self.shape.slots:
            self.local = self.local and position > 0 and others[0] == self.entity
            return
        if sorts[position] in self.shape.parents or found is None:
            self.local = False
            return
        beside = sorts[:position] + sorts[position + 1 :]
        named = tuple([self.symbol(*one) for one in zip(beside, others, strict=True)])
        self.reads.append(Read(after, number, named, tuple(found), position, members, value))

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
        return default if found is MISSING else self.tracer.read(self.number, found)

    def find(self, position: int, members: bool, others: tuple[Any, ...], value: Any) -> Any:
        found = find(self.inner, position, members, others, value)
        self.tracer.index(self.after, self.number, position, members, others, value, found)
        return found

    def absent(self, seen: Mapping[Any, int]) -> Any:
        self.tracer.local = False
        return absent(self.inner, seen)

    def anywhere(self, initial: Any) -> Any:
        self.tracer.local = False
        return anywhere(self.inner, initial)


class _TracedDomains(dict[str, Any]):
    """The entities seen of each sort; whoever lists those of the classed sort, or of a parent's, is not local."""

    def __init__(self, tracer: Tracer, real: Mapping[str, Mapping[Any, int]], after: bool) -> None:
        super().__init__()
        self._tracer, self._real, self._after = tracer, real, after

    def get(self, sort: str, default: Any = None) -> Any:
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
