"""What was evaluated for one entity of a class, kept for all others: as long as nothing else that it read has changed.

An evaluation is local to an entity if of its sort, and of the sorts that its id names, it reads only its own cells.
Then it comes out the same for every entity of the class: no term distinguishes entities of a sort but by their cells.
What it reads beside them is kept with it, and asked again where the state has changed since.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

from fencepost.model.language import Record, Var
from fencepost.model.language.kinds import OptionKind

from .classed import sorts_of
from .frames import MISSING, UNKNOWN, Frame
from .replay import HardState
from .tables import absent, anywhere, find
from .wire import BoundRecord

NOT_LOCAL: Final = object()
"""Stands for what an evaluation that is not local comes to: it has to be made anew."""

FEW = 8
"""A class of more entities than these is expected to be asked for again."""

MOST_VARIANTS = 16
"""So many values of one evaluation are kept, by what it read of others."""


class _Symbol:
    """Stands for an entity of the classed sort, or for the part of its id at a place, in what was read."""

    def __init__(self, place: int | None) -> None:
        self.place = place


@dataclass(slots=True)
class _Read:
    """Something that was read beside an entity's own cells: a cell, an index, or the number of entities of a sort."""

    after: bool
    number: int
    keys: tuple[Any, ...]
    found: Any
    position: int = -1
    members: bool = False
    value: Any = None
    sort: str = ""


@dataclass(slots=True)
class _Entry:
    reads: tuple[_Read, ...]
    result: Any
    version: int = -1
    parents: set[Any] = field(default_factory=set)


class Local:
    """What was evaluated in the states of one log for entities by their class; `tracer` tells what it read."""

    def __init__(self, state: HardState) -> None:
        shape = state.layout.classed
        assert shape is not None
        assert state.classes is not None
        self.state, self.shape, self.classes = state, shape, state.classes
        self.tracer = Tracer(state)
        self._entries: dict[Hashable, list[_Entry] | None] = {}
        self._asked: set[Hashable] = set()
        self._subjects: dict[int, tuple[BoundRecord, tuple[Any, int]]] = {}
        self._tokens: dict[Hashable, int] = {}
        self._fields: dict[Record, tuple[str, tuple[str, ...]] | None] = {}
        self._places = tuple(sorted(shape.parents.values()))
        self.evaluated = self.reused = 0

    @property
    def tracing(self) -> bool:
        """Whether something is being evaluated under the tracer just now."""
        return self.tracer.active

    # -- names of what is asked ------------------------------------------------------------------------------------
    def number(self, key: Hashable) -> int:
        """Return a number that stands for a key."""
        return self._tokens.setdefault(key, len(self._tokens))

    def subject(self, record: BoundRecord) -> tuple[Any, int] | None:
        """Return the entity that a record is about, with a number for all that it says of it; None where it is about
        others, or says what is the entity's alone."""
        kept = self._subjects.get(id(record))
        if kept is not None and kept[0] is record:
            return kept[1]
        found = self._subject(record)
        if found is not None:
            self._subjects[id(record)] = record, found
        return found

    def forget(self) -> None:
        """Forget the records that were asked about."""
        self._subjects.clear()

    def _subject(self, record: BoundRecord) -> tuple[Any, int] | None:
        if record.record not in self._fields:
            self._fields[record.record] = self._fields_of(record.record)
        fields = self._fields[record.record]
        if fields is None:
            return None
        values = record.values
        entity = values.get(fields[0])
        if not isinstance(entity, tuple) or entity not in self.classes.of:
            return None
        said = tuple([values.get(name, MISSING) for name in fields[1]])
        return entity, self.number((record.record.name, record.wire.version, said))

    def _fields_of(self, record: Record) -> tuple[str, tuple[str, ...]] | None:
        about = [field for field in record.about if str(field.kind) == self.shape.sort]
        if len(about) != 1 or len(record.about) != 1:
            return None
        if any(
            self.tracer.names(field.kind) or set(field.wire.names) & set(about[0].wire.names) for field in record.fields
        ):
            return None
        return about[0].name, tuple(field.name for field in record.fields)

    def bound(self, env: Mapping[Var[Any], Any], entity: Any) -> tuple[Any, ...] | None:
        """Return what variables are bound to, with symbols for an entity and what its id names; None where they name
        others."""
        found = []
        for var, value in env.items():
            if not self.tracer.names(var.kind):
                found.append((var, value))
                continue
            if value is not None and value is not UNKNOWN:
                value = self.tracer.symbol_of(
                    str(var.kind.of if isinstance(var.kind, OptionKind) else var.kind), value, entity
                )
                if value is None:
                    return None
            found.append((var, value))
        return tuple(found)

    def unnamed(self, env: Mapping[Var[Any], Any]) -> tuple[Any, ...] | None:
        """Return what variables are bound to, None where they may name entities of the classed sort or a parent's."""
        return None if any(self.tracer.names(var.kind) for var in env) else tuple(env.items())

    @staticmethod
    def unbound(found: tuple[Any, ...], entity: Any) -> dict[Var[Any], Any]:
        """Return what `bound` made symbols of, for an entity."""
        return {var: _meant(value, entity) for var, value in found}

    def known(self, key: Hashable, entity: Any, frame: Frame, version: int) -> Any:
        """Return what was evaluated under a key, `MISSING` if nothing was, `NOT_LOCAL` if it is not to be kept.

        `version` distinguishes the states of a frame, as far as other cells than the entity's are concerned.
        """
        if key not in self._entries:
            if key in self._asked or len(self.classes.members[self.classes.of[entity]]) > FEW:
                return MISSING
            # To note what is read costs more than to read it: what is asked just once is not kept.
            self._asked.add(key)
            return NOT_LOCAL
        entries = self._entries[key]
        if entries is None:
            return NOT_LOCAL
        parents = entity[self._places[0]] if len(self._places) == 1 else tuple([entity[at] for at in self._places])
        for one in entries:
            if one.version != version:
                if not all(self._still(read, frame, entity) for read in one.reads):
                    continue
                one.version, one.parents = version, {parents}
            elif parents not in one.parents:
                if not all(self._still(read, frame, entity) for read in one.reads):
                    continue
                one.parents.add(parents)
            self.reused += 1
            return one.result
        return MISSING if len(entries) < MOST_VARIANTS else NOT_LOCAL

    def standing(self, key: Hashable, entity: Any, version: int) -> Any:
        """Return what was evaluated under a key and is known to stand in a state, None where that has to be asked."""
        entries = self._entries.get(key)
        if not entries:
            return None
        parents = entity[self._places[0]] if len(self._places) == 1 else tuple([entity[at] for at in self._places])
        for one in entries:
            if one.version == version and parents in one.parents:
                return one.result
        return None

    def is_never(self, key: Hashable) -> bool:
        """Whether what is evaluated under a key is known not to be local."""
        return self._entries.get(key, MISSING) is None

    def keep(self, key: Hashable, result: Any) -> None:
        """Keep what was just evaluated under the tracer, `NOT_LOCAL` where it was not local."""
        self.evaluated += 1
        if not self.tracer.local or result is NOT_LOCAL:
            self._entries[key] = None
            return
        entries = self._entries.setdefault(key, [])
        assert entries is not None
        entries.append(_Entry(tuple(self.tracer.reads), result))

    def by_parents(self, entities: Sequence[Any]) -> Iterable[Sequence[Any]]:
        """Put entities together whose ids name the same others."""
        if len(entities) == 1:
            return (entities,)
        found: dict[Any, list[Any]] = {}
        for one in entities:
            found.setdefault(tuple([one[at] for at in self._places]), []).append(one)
        return found.values()

    def _still(self, read: _Read, frame: Frame, entity: Any) -> bool:
        state = frame.after if read.after else frame
        if state is None:
            return False
        if read.sort:
            return bool(len(state.domains.get(read.sort, ())) == read.found)
        keys = tuple([_meant(one, entity) for one in read.keys])
        table = state.tables[read.number]
        if read.position < 0:
            return bool(table.get(keys, MISSING) == read.found)
        found = find(table, read.position, read.members, keys, _meant(read.value, entity))
        return found is not None and tuple(found) == read.found


def _meant(one: Any, entity: Any) -> Any:
    if isinstance(one, _Symbol):
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
        self.local, self.reads = True, list[_Read]()
        self._seen: set[Any] = set()
        self._symbols: dict[int | None, _Symbol] = {place: _Symbol(place) for place in (None, *shape.parents.values())}
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
            return str(kind) in self.shape.parents
        return not self.names(kind)

    def names(self, kind: Any) -> bool:
        """Whether values of a kind may name entities of the classed sort or of a parent's."""
        return any(one.name == self.shape.sort or one.name in self.shape.parents for one in sorts_of(kind))

    @contextmanager
    def tracing(self, entity: Any) -> Iterator[None]:
        """Have the state read under the tracer, for an entity."""
        self._begin(entity)
        real, self.active = self.state.frame, True
        self.state.frame = self._frame(real, self._tables)
        try:
            yield
        finally:
            self.state.frame, self.active = real, False

    def step(self, entity: Any, before: Frame) -> Frame:
        """Return the frame of a step, read under the tracer for an entity."""
        self._begin(entity)
        traced = self._frame(before, self._before)
        if before.after is not None:
            traced.after = self._frame(before.after, self._after)
        return traced

    def _begin(self, entity: Any) -> None:
        self.entity, self.local, self.reads = entity, True, []
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
        return self._symbols[place] if mine is not None and mine == one else None

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
            self.reads.append(_Read(after, number, named, found))

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
        self.reads.append(_Read(after, number, named, tuple(found), position, members, value))

    def domain(self, after: bool, sort: str, count: int) -> None:
        """Note that the entities of a sort were listed."""
        if sort == self.shape.sort or sort in self.shape.parents:
            self.local = False
        else:
            self.reads.append(_Read(after, -1, (), count, sort=sort))


class _TracedTable:
    __slots__ = ("after", "inner", "number", "tracer")

    def __init__(self, tracer: Tracer, after: bool, number: int) -> None:
        self.tracer, self.after, self.number = tracer, after, number
        self.inner: Any = None

    def get(self, keys: tuple[Any, ...], default: Any = None) -> Any:
        found = self.inner.get(keys, MISSING)
        self.tracer.cell(self.after, self.number, keys, found)
        return default if found is MISSING else found

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


class Window:
    """Records as they are read by a row from a place on: whoever reads what a further one says is not local.

    Of which type they are may be read up to `end`, the first that is of another type than the one at the place.
    """

    __slots__ = ("_end", "_records", "_start", "_tracer")

    def __init__(self, records: Sequence[BoundRecord], start: int, end: int, tracer: Tracer) -> None:
        self._records, self._start, self._end, self._tracer = records, start, end, tracer

    def __getitem__(self, at: int) -> BoundRecord:
        if at != self._start:
            self._tracer.local = False
        return self._records[at]

    def __len__(self) -> int:
        return len(self._records)

    def type_at(self, at: int) -> Record:
        """Return the record's type at a place."""
        if at > self._end:
            self._tracer.local = False
        return self._records[at].record

    def after(self, at: int, types: Collection[Record]) -> int:
        """Return the first place from one on whose record is none of some types."""
        if self._start <= at < self._end and self._records[at].record in types:
            at = self._end
        while at < len(self._records) and self.type_at(at) in types:
            at += 1
        return at


Records: TypeAlias = Sequence[BoundRecord] | Window
"""The records of a unit, with or without a note of which are read."""


def type_at(records: Records, at: int) -> Record:
    """Return the type of the record at a place."""
    return records.type_at(at) if isinstance(records, Window) else records[at].record
