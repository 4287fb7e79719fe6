"""Results evaluated for one entity of a class, cached for all others until something else that it read changes.

An evaluation is local to an entity if of its sort, and of the sorts that its id names, it reads only its own cells.
Then it comes out the same for every entity of the class: no term distinguishes entities of a sort but by their cells.
What it reads beside them is kept with it, and asked again where the state has changed since.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Final, Protocol

from fencepost.arrays import np
from fencepost.checkers.conformance.classes.changes import Cell, Change
from fencepost.checkers.conformance.classes.classes import Numbers
from fencepost.checkers.conformance.classes.frames import MISSING, UNKNOWN, Frame
from fencepost.checkers.conformance.classes.projection import Projection
from fencepost.checkers.conformance.classes.questions import Question, Said
from fencepost.checkers.conformance.records.wire import BoundRecord
from fencepost.checkers.conformance.state.replay import HardState
from fencepost.model.language import Field, Record, Var
from fencepost.model.language.kinds import IntKind, OptionKind

from .read_sets import ReadSet
from .renaming import Renaming
from .tracer import Compared, OwnNumber, Read, Symbol, Tracer, meant, plain

if TYPE_CHECKING:
    import numpy.typing as npt

NOT_LOCAL: Final = object()
"""Takes the place of a result that is not local: it has to be evaluated anew."""

FEW = 8
"""The number of entities above which a class is expected to be evaluated again."""

MOST_VARIANTS = 16
"""The number of cached values of one evaluation, by its reads of others: those used last."""


@dataclass(frozen=True, slots=True)
class _Fields:
    """The fields of a record about one entity of the classed sort: the field with its id, those that repeat a part of
    the id, by the part's place, and all others."""

    about: str
    parts: Mapping[str, int]
    others: tuple[Field[Any], ...]


class HasNumbers(Protocol):
    """Has the entities' own numbers in a state."""

    def numbers(self, place: int | None, slot: int, who: Numbers) -> npt.NDArray[np.int64]:
        """Return the number at an index of the ids of some entities, or the number counted for them in a slot."""


@dataclass(slots=True)
class Entry:
    """The result of an evaluation, its reads beside the entity's own cells, and the comparisons of its numbers."""

    read: ReadSet
    compared: tuple[Compared, ...]
    result: Any

    def stands(self, entity: Any, frame: Frame) -> bool:
        """Whether the numbers of an entity's own compare as they did."""
        return not self.compared or all(one.still(entity, frame) for one in self.compared)

    def standing(self, classes: HasNumbers, who: Numbers, frame: Frame) -> npt.NDArray[np.bool_] | None:
        """Return for which of some entities that is so in the present state, None for all."""
        found: npt.NDArray[np.bool_] | None = None
        for one in self.compared:
            left, right = _numbers(one.one, classes, who, frame), _numbers(one.other, classes, who, frame)
            so = np.broadcast_to(one.how(left, right) == one.found, len(who))
            found = so if found is None else found & so
        return found


class Local:
    """Results evaluated in the states of one log, by the class of the entity; `tracer` records an evaluation's reads.

    While `keeps` is set, every result is cached, though few entities may be equivalent.
    """

    def __init__(self, state: HardState) -> None:
        shape = state.layout.classed
        assert shape is not None
        assert state.classes is not None
        self.state, self.shape, self.classes = state, shape, state.classes
        self.tracer = Tracer(state)
        self.sheets: dict[Hashable, dict[int, Entry]] = {}
        self._projections: dict[Hashable, Projection] = {}
        self._entries: dict[Question, list[Entry] | None] = {}
        self._compared: dict[tuple[Compared, ...], tuple[Compared, ...]] = {}
        self._read: dict[tuple[Read | Compared, ...], ReadSet] = {}
        self._asked: set[Question] = set()
        self._recent: set[Question] = set()
        self._subjects: dict[int, tuple[BoundRecord, tuple[Any, int]]] = {}
        self._tokens: dict[Hashable, int] = {}
        self._keys: list[Hashable] = []
        self.renaming = Renaming(state, self.tracer, self.classes, self._entry, self._read_set)
        self._fields: dict[Record, _Fields | None] = {}
        self._places = places = sorted(shape.parents.values())
        self._parents: Callable[[Any], Any] = itemgetter(*places) if places else lambda _: ()
        self.evaluated = self.renamed = 0
        self.keeps = False
        self._steps = 0

    def step(self) -> int:
        """Return a number for the states before and after a step, met never again; those of states are not negative."""
        self._steps -= 1
        return self._steps

    @property
    def tracing(self) -> bool:
        """Whether something is being evaluated under the tracer just now."""
        return self.tracer.active

    def projection(self, what: Hashable) -> Projection:
        """Return the classes as distinguished by the cells that a query has read: those of every result cached here."""
        found = self._projections.get(what)
        if found is None:
            found = self._projections[what] = Projection(self.classes, self.shape.slots)
        return found

    # -- names of queries ------------------------------------------------------------------------------------------
    def number(self, key: Hashable) -> int:
        """Return the number assigned to a key."""
        found = self._tokens.get(key)
        if found is None:
            found = self._tokens[key] = len(self._keys)
            self._keys.append(key)
        return found

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

    def parts_of(self, record: Record) -> Mapping[str, int]:
        """Return the fields of a record that repeat a part of its entity's id, with the part's place."""
        fields = self._told_by(record)
        return {} if fields is None else fields.parts

    def _told_by(self, record: Record) -> _Fields | None:
        if record not in self._fields:
            self._fields[record] = self._fields_of(record)
        return self._fields[record]

    def _subject(self, record: BoundRecord) -> tuple[Any, int] | None:
        fields = self._told_by(record.record)
        if fields is None:
            return None
        values = record.values
        entity = values.get(fields.about)
        if not isinstance(entity, tuple) or entity not in self.classes:
            return None
        if any(values.get(name, MISSING) != entity[place] for name, place in fields.parts.items()):
            return None
        said = tuple([values.get(field.name, MISSING) for field in fields.others])
        return entity, self.number(Said(record.record, record.wire.version, fields.others, said))

    def _fields_of(self, record: Record) -> _Fields | None:
        """Return the fields of a record that name entities of the class, None where it names others."""
        about = [field for field in record.about if str(field.kind) == self.shape.sort]
        if len(about) != 1 or len(record.about) != 1:
            return None
        id = about[0].wire.names
        parts, others = dict[str, int](), list[Field[Any]]()
        for one in record.fields:
            names = one.wire.names
            is_part = str(one.kind) in self.shape.parents or isinstance(one.kind, IntKind)
            if len(names) == 1 and names[0] in id and is_part:
                parts[one.name] = id.index(names[0])
            elif self.tracer.names(one.kind) or set(names) & set(id):
                return None
            else:
                others.append(one)
        return _Fields(about[0].name, parts, tuple(others))

    def seen(self, record: BoundRecord) -> BoundRecord:
        """Return a record as it is read under the tracer: a number that its entity's id says is an `OwnNumber`."""
        fields = self._fields.get(record.record)
        if fields is None or not fields.parts:
            return record
        values = dict(record.values)
        for name, place in fields.parts.items():
            if isinstance(values[name], int):
                values[name] = self.tracer.part(values[name], place)
        return replace(record, values=values)

    def sign(self, value: Any) -> Any:
        """Return what is kept of a value just read under the tracer: a symbol for a number of the entity's own.

        A value with such a number in it is the entity's alone.
        """
        if plain(value) is not value and not isinstance(value, OwnNumber):
            self.tracer.local = False
        return self.tracer.sign(value)

    def said(self, number: int, value: Any, entity: Any) -> Any:
        """Return what is kept of a cell's value just read under the tracer: a symbol where the entity's id says it."""
        slot = self.shape.slots.get(number)
        place = None if slot is None else self.shape.places[slot]
        # A number that is not read as its own is equal to the one in the id by chance: others' cells have it, too.
        if place is not None and not isinstance(value, int) and value == entity[place]:
            return self.tracer.own(place)
        return self.sign(value)

    def named(self, cell: Cell) -> tuple[int, tuple[Any, ...]]:
        """Return what is kept of a cell: symbols for an entity and what its id names; others make it not local."""
        number, keys = cell
        return number, self.tracer.named(number, keys)

    def values(self, change: Change, entity: Any) -> tuple[Any, Any]:
        """Return what is kept of a cell's values before and after a change."""
        number = change.cell[0]
        return self.said(number, change.old, entity), self.said(number, change.new, entity)

    def bound(self, env: Mapping[Var[Any], Any], entity: Any) -> tuple[Any, ...] | None:
        """Return what variables are bound to, with symbols for an entity and what its id names; None where they name
        others."""
        found = []
        for var, value in env.items():
            if self.tracer.names(var.kind) and value is not None and value is not UNKNOWN:
                value = self.tracer.symbol_of(
                    str(var.kind.of if isinstance(var.kind, OptionKind) else var.kind), value, entity
                )
                if value is None:
                    return None
            found.append((var, value))
        return tuple(found)

    def signed(self, env: Mapping[Var[Any], Any], entity: Any) -> tuple[Any, ...] | None:
        """Return what `bound` does of variables just bound under the tracer: numbers of the id are symbols, too."""
        found = self.bound({var: plain(value) for var, value in env.items()}, entity)
        if found is None:
            return None
        return tuple((var, value if isinstance(value, Symbol) else self.sign(env[var])) for var, value in found)

    def unnamed(self, env: Mapping[Var[Any], Any]) -> tuple[Any, ...] | None:
        """Return what variables are bound to, None where they may name entities of the classed sort or a parent's."""
        return None if any(self.tracer.names(var.kind) for var in env) else tuple(env.items())

    @staticmethod
    def unbound(found: tuple[Any, ...], entity: Any, frame: Frame) -> dict[Var[Any], Any]:
        """Return what `bound` or `signed` made symbols of, for an entity in a state."""
        return {var: meant(value, entity, frame) for var, value in found}

    def traced(self, found: tuple[Any, ...], entity: Any, frame: Frame) -> dict[Var[Any], Any]:
        """Return what `signed` made symbols of, for an entity in a state, as it is read under the tracer."""
        return {var: self.tracer.own_number(value, entity, frame) for var, value in found}

    def known(self, key: Question, entity: Any, frame: Frame, version: int) -> Any:
        """Return what was evaluated under a key, `MISSING` if nothing was, `NOT_LOCAL` if it is not to be kept.

        `version` distinguishes the states of a frame, as far as other cells than the entity's are concerned.
        """
        found = self.entry(key, entity, frame, version)
        return found.result if isinstance(found, Entry) else found

    def shared(self, key: Question, entities: Sequence[Any], frame: Frame, version: int) -> tuple[Any, Sequence[Any]]:
        """Return what `known` does for the first of some entities whose ids name the same others, and those of them
        for which that is not what was evaluated."""
        found = self.entry(key, entities[0], frame, version)
        if not isinstance(found, Entry):
            return found, entities
        rest = [one for one in entities if not found.stands(one, frame)] if found.compared else ()
        return found.result, rest

    def entry(self, key: Question, entity: Any, frame: Frame, version: int) -> Any:
        """Return the entry of what `known` returns."""
        entries = self._entries.get(key, ())
        if entries is None:
            return NOT_LOCAL
        for at, one in enumerate(entries):
            if one.stands(entity, frame) and self.again(one.read, entity, frame, version):
                if len(entries) == MOST_VARIANTS:
                    self._recent.add(key)
                if at:
                    self._kept(key).insert(0, self._kept(key).pop(at))
                return one
        if len(entries) == MOST_VARIANTS:
            # The one that was of no use for longest makes room, as long as others are of use.
            if key not in self._recent:
                return NOT_LOCAL
            self._recent.discard(key)
            self._kept(key).pop()
        is_asked_again = entries or self.keeps or key in self._asked
        if not is_asked_again and self.classes.sizes[self.classes.of(entity)] <= FEW:
            # To record the reads costs more than to make them: a query that is evaluated just once is not cached.
            self._asked.add(key)
            return NOT_LOCAL
        found = self.renaming.find(
            key,
            self._keys,
            frame,
            lambda one: one.stands(entity, frame) and self.again(one.read, entity, frame, version),
        )
        if found is not None:
            self.renamed += 1
            self._kept(key).insert(0, found)
            return found
        return MISSING

    def _kept(self, key: Question) -> list[Entry]:
        entries = self._entries.setdefault(key, [])
        assert entries is not None
        return entries

    def again(self, read: ReadSet, entity: Any, frame: Frame, version: int) -> bool:
        """Whether what was read is so in a state, for an entity and all whose ids name the same others."""
        return read.is_again(self.classes.parent_of.item(self.classes.index[entity]), frame, version, entity)

    def again_each(self, read: ReadSet, who: Numbers, frame: Frame, version: int) -> npt.NDArray[np.bool_] | None:
        """Return for which of some entities what was read is so in a state, None for all."""
        classes, entities, shared = self.classes, self.classes.entities, read.shared
        if not read.holds(frame, version) or not shared.holds(frame, version):
            return np.zeros(len(who), np.bool_)
        if not shared.named:
            return None
        parents = classes.parent_of[who]
        if int(parents.max()) >= len(shared.parents) or not shared.parents[parents].all():
            _, first, which = np.unique(parents, return_index=True, return_inverse=True)
            so = np.array([self.again(shared, entities[who[at]], frame, version) for at in first.tolist()])
            if not so.all():
                each: npt.NDArray[np.bool_] = so[which]
                return each
        return None

    def standing(self, key: Question, entity: Any, frame: Frame, version: int) -> Any:
        """Return the result under a key that is known to hold in a state, None where it has to be evaluated."""
        entries = self._entries.get(key)
        if not entries:
            return None
        number = self.classes.parent_of.item(self.classes.index[entity])
        for one in entries:
            if one.read.known(version, number) and one.stands(entity, frame):
                return one.result
        return None

    def is_never(self, key: Question) -> bool:
        """Whether what is evaluated under a key is known not to be local."""
        return self._entries.get(key, MISSING) is None

    def keep(self, key: Question, result: Any) -> None:
        """Keep what was just evaluated under the tracer, `NOT_LOCAL` where it was not local."""
        self.evaluated += 1
        if not self.tracer.local or result is NOT_LOCAL:
            self._entries[key] = None
            return
        reads, compared = tuple(dict.fromkeys(self.tracer.reads)), tuple(self.tracer.comparisons)
        self._kept(key).insert(0, self._entry(self._read_set(reads), compared, result))
        self.renaming.hold(key, self._keys, result)

    def _entry(self, read: ReadSet, compared: tuple[Compared, ...], result: Any) -> Entry:
        """Return an entry; those that compared the same have it in common."""
        return Entry(read, self._compared.setdefault(compared, compared), result)

    def _read_set(self, reads: tuple[Read | Compared, ...]) -> ReadSet:
        """Return a read set, one for all evaluations that read the same, as the parts of their ids show."""
        symbols = [key for read in reads for key in (*read.keys, read.value) if isinstance(key, Symbol)]
        if all(one.source is not None and one.source.place in self._places for one in symbols):
            return self._read.setdefault(reads, ReadSet(reads))
        return ReadSet(reads)

    def by_parents(self, entities: Sequence[Any]) -> Iterable[Sequence[Any]]:
        """Put entities together whose ids name the same others."""
        if len(entities) == 1:
            return (entities,)
        found: dict[Any, list[Any]] = {}
        for one in entities:
            found.setdefault(self._parents(one), []).append(one)
        return found.values()


def _numbers(one: Symbol | int, classes: HasNumbers, who: Numbers, frame: Frame) -> Any:
    """Return the value of a symbol in the present state, for each of some entities."""
    if not isinstance(one, Symbol):
        return one
    assert one.source is not None
    if one.source.keys is not None:
        return meant(one, None, frame)
    return classes.numbers(one.source.place, one.source.slot, who) + one.by
