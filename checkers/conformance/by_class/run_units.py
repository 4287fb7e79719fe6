"""The records of a unit in runs: of those that are about the classed sort's entities only numbers are kept.

A record is bound to the tables when it is first needed. Of a run one record is bound for every text behind the
entity's id: what the others say differs in the id alone.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, overload

from fencepost.arrays import np
from fencepost.checkers.conformance.classes.classes import Numbers
from fencepost.checkers.conformance.matching.unit_records import Typed
from fencepost.checkers.conformance.records.legality import NAME, collides, never_written
from fencepost.checkers.conformance.records.old_forms import OLD_FORMS, READ_OVER
from fencepost.checkers.conformance.records.wire import BoundRecord, WireBinding
from fencepost.checkers.conformance.state.replay import HardState
from fencepost.model.language import Record
from fencepost.traces import Batch
from fencepost.traces import Record as WireRecord
from fencepost.traces.interner import Interner, hashes, words
from fencepost.traces.lazy_records import LazyRecords
from fencepost.traces.prefixes import Prefix, prefix_of
from fencepost.traces.row_index import RowIndex
from fencepost.traces.runs import Run

from .local import Local

if TYPE_CHECKING:
    from numpy.typing import NDArray

SHORTEST = 16
"""A run of fewer records than these is read record by record."""


@dataclass(frozen=True, slots=True, eq=False)
class Piece:
    """Places [start, end) of a unit: one record, or a run of one type, each about one entity of the classed sort.

    `who` are the entities' numbers, `said` numbers for all else that the records say; both are None for one record.
    `at` is the place of the first in its batch, `offset` its offset.
    """

    start: int
    end: int
    record: Record
    batch: Batch
    at: int
    offset: int
    bound: BoundRecord | None = None
    who: Numbers | None = None
    said: Numbers | None = None


class RunUnit(Typed, Sequence[BoundRecord]):
    """The records of a unit, by index; its runs have at most one record about each entity of the classed sort.

    `kept` is what rows were found to make of them, while they are read in order, `changes` what parts of runs change,
    by their places.
    """

    def __init__(self, wire: WireBinding, pieces: Sequence[Piece], local: Local) -> None:
        self.wire, self.pieces, self.local = wire, pieces, local
        self._starts = [one.start for one in pieces]
        self._ends = [one.end for one in pieces]
        for at in range(len(pieces) - 2, -1, -1):
            if pieces[at].record is pieces[at + 1].record:
                self._ends[at] = self._ends[at + 1]
        self._offsets = [one.offset for one in pieces]
        self._held: Sequence[BoundRecord] = ()
        self._kept: dict[int, BoundRecord] = {}
        self.kept: dict[Any, Any] = {}
        self.changes: dict[tuple[int, int], Any] = {}

    def __len__(self) -> int:
        return self.pieces[-1].end

    @overload
    def __getitem__(self, at: int) -> BoundRecord: ...
    @overload
    def __getitem__(self, at: slice) -> list[BoundRecord]: ...
    def __getitem__(self, at: int | slice) -> BoundRecord | list[BoundRecord]:
        if isinstance(at, slice):
            return [self[one] for one in range(*at.indices(len(self)))]
        if self._held:
            return self._held[at]
        piece = self.piece(at)
        if piece.bound is not None:
            return piece.bound
        found = self._kept.get(at)
        if found is None:
            if len(self._kept) > SHORTEST:
                self._kept.clear()
            bound = self.wire.bind(self.wire_record(at))
            assert bound is not None
            found = self._kept[at] = bound
        return found

    def hold(self, records: Sequence[BoundRecord]) -> None:
        """Bind all records: they are going to be read one by one."""
        self._held = records
        self.forget()

    def forget(self) -> None:
        """Drop the results found while the unit was checked; its records remain."""
        self._kept.clear()
        self.kept.clear()
        self.changes.clear()

    def first_of(self, offsets: Iterable[int], at: int) -> int:
        """Return the first place from one on that is at some offset, the end where none is."""
        found = len(self)
        for offset in offsets:
            number = bisect_right(self._offsets, offset) - 1
            if number >= 0:
                place = self.pieces[number].start + offset - self.pieces[number].offset
                if at <= place < self.pieces[number].end:
                    found = min(found, place)
        return found

    def wire_record(self, at: int) -> WireRecord:
        """Return the record at an index as the log has it."""
        piece = self.piece(at)
        found = piece.batch.records[piece.at + at - piece.start]
        assert isinstance(found, WireRecord)
        return found

    @property
    def bounds(self) -> tuple[int, int]:
        """The offsets of the first record and the last."""
        return self.offset(0), self.offset(len(self) - 1)

    def piece(self, at: int) -> Piece:
        """Return the piece in which a place lies."""
        return self.pieces[bisect_right(self._starts, at) - 1]

    def between(self, start: int, end: int) -> Iterator[tuple[Piece, int, int]]:
        """Yield the pieces in a range of places, each with the range of its own that lies within."""
        number = bisect_right(self._starts, start) - 1
        while start < end:
            piece = self.pieces[number]
            yield piece, start, min(end, piece.end)
            start, number = piece.end, number + 1

    def offset(self, at: int) -> int:
        """Return the offset of the record at a place; behind the last, the one that follows."""
        piece = self.pieces[-1] if at >= len(self) else self.piece(at)
        return piece.offset + at - piece.start

    def offsets(self, places: Numbers) -> list[int]:
        """Return the offsets of the records at some places."""
        pieces = np.searchsorted(self._starts, places, "right") - 1
        found: list[int] = (np.array(self._offsets)[pieces] + places - np.array(self._starts)[pieces]).tolist()
        return found

    def about(self, sort: str, entity: Any) -> list[tuple[int, BoundRecord]]:
        """Return the records about an entity, each with its offset."""
        number = self.local.classes.index.get(entity) if sort == self.local.shape.sort else None
        places = []
        for piece in self.pieces:
            if piece.bound is not None:
                named = zip(piece.record.about, piece.bound.entities, strict=True)
                places += [piece.start] if any((str(f.kind), one) == (sort, entity) for f, one in named) else []
            elif number is not None and piece.who is not None:
                places += (piece.start + np.flatnonzero(piece.who == number)).tolist()
        return [(self.offset(at), self[at]) for at in places]

    def type_at(self, at: int) -> Record:
        """Return the type of the record at a place."""
        return self.piece(at).record

    def after(self, at: int, types: Collection[Record]) -> int:
        """Return the first place from one on whose record is of none of some types."""
        while at < len(self) and self.type_at(at) in types:
            at = self.run_end(at)
        return at

    def run_end(self, at: int) -> int:
        """Return the first place behind one whose record is of another type."""
        return self._ends[bisect_right(self._starts, at) - 1]


class Runs:
    """Puts the batches of one log into runs, under one protocol's tables.

    Of a snapshot `log` are the runs of its log, which have met most of its entities.
    """

    def __init__(self, wire: WireBinding, tables: str, log: Runs | None = None) -> None:
        self.wire, self.tables, self.log = wire, tables, log
        self.interner = Interner()
        self._local: Local | None = None
        self._numbers: dict[tuple[str, ...], RowIndex] = {}
        self._said: dict[int, tuple[Record, int]] = {}

    def unit(self, batches: Sequence[Batch], state: HardState, local: Local) -> RunUnit | None:
        """Return the records of a unit, their entities met; None where some are to be read one by one.

        That is where none are many, where a record is none of the tables' or no controller writes it, and where an
        entity of the classed sort has two records.
        """
        if not any(isinstance(one.records, LazyRecords) for one in batches):
            return None
        if self._local is not local:
            self._local = local
            self._numbers.clear()
            self._said.clear()
        pieces: list[Piece] = []
        for batch in batches:
            if not self._read(batch, state, local, pieces):
                return None
        who = [one.who for one in pieces if one.who is not None]
        if not who:
            return None
        named = np.concatenate(who)
        is_named = np.zeros(len(local.classes.entities), np.bool_)
        is_named[named] = True
        if np.count_nonzero(is_named) < len(named):
            return None
        single = {local.classes.index.get(one) for p in pieces if p.bound is not None for one in p.bound.entities}
        if any(one is not None and is_named[one] for one in single):
            return None
        return RunUnit(self.wire, pieces, local)

    def _read(self, batch: Batch, state: HardState, local: Local, pieces: list[Piece]) -> bool:
        records = batch.records
        if not isinstance(records, LazyRecords):
            return all(self._one(batch, at, state, pieces) for at in range(len(records)))
        for run in records.runs(self.interner):
            if run.end - run.start >= SHORTEST and self._run(batch, records, run, state, local, pieces):
                continue
            if not all(self._one(batch, at, state, pieces) for at in range(run.start, run.end)):
                return False
        return True

    def _one(self, batch: Batch, at: int, state: HardState, pieces: list[Piece]) -> bool:
        bound = self._bound(batch.records[at], state)
        if bound is None:
            return False
        state.meet(bound)
        start = pieces[-1].end if pieces else 0
        pieces.append(Piece(start, start + 1, bound.record, batch, at, bound.wire.offset, bound))
        return True

    def _bound(self, record: Any, state: HardState) -> BoundRecord | None:
        """Return a record of the tables of which nothing is wrong in itself, None for any other."""
        if not isinstance(record, WireRecord) or record.type in READ_OVER or record.type in OLD_FORMS:
            return None
        bound = self.wire.bind(record)
        if bound is None or bound.problems or never_written(record, self.tables):
            return None
        return None if collides(record, state.values_of(NAME)) else bound

    def apart(self, records: LazyRecords) -> list[int]:
        """Return the bounds of parts of records, as few as there can be, so that no part has two of one entity.

        The records are of one type. Entities that cannot be distinguished count as one, which makes more parts.
        """
        (run,) = records.runs(self.interner)
        if run.prefixes is None:
            return [0, len(records)]
        of = hashes(words(run.prefixes))
        order = np.argsort(of, kind="stable")
        is_again = of[order[1:]] == of[order[:-1]]
        before = np.full(len(of), -1)
        before[order[1:][is_again]] = order[:-1][is_again]
        latest = np.maximum.accumulate(before)
        bounds = [0]
        while bounds[-1] < len(of):
            bounds.append(int(np.searchsorted(latest, bounds[-1])))
        return bounds

    # -- runs ------------------------------------------------------------------------------------------------------
    def _run(
        self, batch: Batch, records: LazyRecords, run: Run, state: HardState, local: Local, pieces: list[Piece]
    ) -> bool:
        prefix = prefix_of(run.api_key, run.version)
        if prefix is None or run.prefixes is None or run.rests is None or run.rests.min() < 0:
            return False
        found, first = np.unique(run.rests, return_index=True)
        new = [(int(at), int(rest)) for at, rest in zip(first, found, strict=True) if int(rest) not in self._said]
        tellers: list[BoundRecord] = []
        for at, rest in sorted(new):
            bound = self._bound(records[run.start + at], state)
            if bound is None or not self._is_about(bound, prefix, local):
                return False
            tellers.append(bound)
            self._said[rest] = bound.record, -1
        types = {self._said[int(rest)][0] for rest in found}
        if len(types) > 1:
            return False
        who = self._who(prefix, run, state, next(iter(types)))
        for bound in tellers:
            state.meet(bound)
        for bound, (_, rest) in zip(tellers, sorted(new), strict=True):
            subject = local.subject(bound)
            if subject is None:
                return False
            self._said[rest] = bound.record, subject[1]
        if any(self._said[int(rest)][1] < 0 for rest in found):
            return False
        self._meet_parents(next(iter(types)), who, state, local)
        said = np.array([self._said[int(rest)][1] for rest in found], np.int64)[np.searchsorted(found, run.rests)]
        start = pieces[-1].end if pieces else 0
        offset = records.base_offset + run.start
        end = start + run.end - run.start
        pieces.append(Piece(start, end, next(iter(types)), batch, run.start, offset, None, who, said))
        return True

    @staticmethod
    def _is_about(bound: BoundRecord, prefix: Prefix, local: Local) -> bool:
        """Whether a record's prefix is the id of the one entity that it is about, of the classed sort."""
        about = bound.record.about
        return (
            len(about) == 1
            and str(about[0].kind) == local.shape.sort
            and set(about[0].wire.names) == set(prefix.names)
            and not set(bound.record.only) & set(prefix.names)
        )

    def _who(self, prefix: Prefix, run: Run, state: HardState, record: Record) -> Numbers:
        """Return the numbers of the entities that a run is about, in order, each met."""
        assert run.prefixes is not None
        assert state.classes is not None
        sort, names = str(record.about[0].kind), record.about[0].wire.names
        index = state.classes.index
        if self.log is not None:
            # Each has one record: nothing would use its number again.
            entities = self.log._entities(prefix, run.prefixes, names)
            state.see_all(sort, entities)
            return np.array([index[one] for one in entities], np.int64)
        numbers = self._numbers.setdefault(prefix.names, RowIndex(prefix.width))
        found = numbers.find(run.prefixes)
        if (found < 0).any():
            new = run.prefixes[found < 0]
            entities = _decoded(prefix, new, names)
            state.see_all(sort, entities)
            found[found < 0] = those = np.array([index[one] for one in entities], np.int64)
            _, first = np.unique(those, return_index=True)
            numbers.add(new[first], those[first])
        return found

    def _entities(self, prefix: Prefix, rows: NDArray[np.uint8], names: Sequence[str]) -> list[Any]:
        """Return the entities that records are about, by their prefixes: those that were met, and others made anew."""
        numbers = self._numbers.get(prefix.names)
        if numbers is None or self._local is None:
            return _decoded(prefix, rows, names)
        found, met = numbers.find(rows), self._local.classes.entities
        new = iter(_decoded(prefix, rows[found < 0], names))
        return [next(new) if number < 0 else met[number] for number in found.tolist()]

    @staticmethod
    def _meet_parents(record: Record, who: Numbers, state: HardState, local: Local) -> None:
        """See the entities that fields name which repeat a part of the id."""
        places = local.parts_of(record)
        sorts = {name: str(one.kind) for one in record.fields for name in (one.name,) if name in places}
        named = {name: sort for name, sort in sorts.items() if sort in local.shape.parents}
        if not named:
            return
        _, first = np.unique(local.classes.parent_of[who], return_index=True)
        for at in np.sort(first).tolist():
            entity = local.classes.entities[who[at]]
            for name, sort in named.items():
                state.see(sort, entity[places[name]])


def _decoded(prefix: Prefix, rows: NDArray[np.uint8], names: Sequence[str]) -> list[Any]:
    """Return the entities whose ids prefixes are."""
    if not len(rows):
        return []
    said = prefix.columns(rows.tobytes())
    return list(zip(*(said[name] for name in names), strict=True))
