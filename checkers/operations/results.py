"""A log read up to a moment result by result: the records of each, what they changed, the rows that may be theirs.

The state is replayed as `Replaying` does, large batches in runs; rows are evaluated only for the results that are
reported, and no property.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from heapq import merge
from itertools import groupby, pairwise
from typing import Any, Protocol

import numpy as np

from fencepost.checkers.conformance.by_class.in_bulk import BulkParser, Stretch
from fencepost.checkers.conformance.by_class.local import Local
from fencepost.checkers.conformance.by_class.matching_by_class import ClassMatcher, matcher_of
from fencepost.checkers.conformance.by_class.run_units import SHORTEST, Runs, RunUnit
from fencepost.checkers.conformance.by_class.transitions import Transition
from fencepost.checkers.conformance.classes.changes import Change
from fencepost.checkers.conformance.classes.classes import Numbers
from fencepost.checkers.conformance.explain.history import rows_of
from fencepost.checkers.conformance.matching.parsing import Block, Parse, explained, parse
from fencepost.checkers.conformance.plans.plans import Plans
from fencepost.checkers.conformance.printed_rows.units import PrintedRows
from fencepost.checkers.conformance.reading.options import FULL_BATCH
from fencepost.checkers.conformance.reading.units import MANY, SHORT
from fencepost.checkers.conformance.records.facts import KRAFT_LOGS
from fencepost.checkers.conformance.records.forks import tables_of
from fencepost.checkers.conformance.records.old_forms import is_read_over
from fencepost.checkers.conformance.records.software import Software
from fencepost.checkers.conformance.records.static_settings import StaticSettings
from fencepost.checkers.conformance.records.wire import BoundRecord
from fencepost.checkers.conformance.state.replay import HardState
from fencepost.model.kraft.cluster_records import CONFIG
from fencepost.model.kraft.protocol import KRAFT
from fencepost.traces import Batch, LogSource, Quarantined, Record, Undecodable
from fencepost.traces.lazy_records import LazyRecords
from fencepost.traces.record_types import CONFIG_RECORD
from fencepost.traces.singles import SingleBatches

from .likely import Nearby
from .moments import Clock, Moment, When
from .replaying import Follower, Replaying, prepared, time_of
from .watching import Cells, Id

CELLS = ("exists", "leader", "isr", "elr", "last_known", "replicas", "adding", "removing", "recovery")
"""The reported cells of a partition, before a record and after it."""

LONG = 64
"""In a unit of more records that rows do not explain is not asked at which record they stop: it takes seconds."""

LOCATION = "location"
"""The table of the log directories of replicas."""

SOON = 1000
"""Results of the same rows that follow one another within so many milliseconds are printed as one event."""

SETTING = "setting"
"""The table of the settings for which there is no cell."""


@dataclass(frozen=True, slots=True)
class Group:
    """Partitions with equal transitions: their cells before and after, and the directories of replicas that changed.

    `offsets` are those of their records, in the order of `members`.
    """

    members: Sequence[Id]
    offsets: Sequence[int]
    before: Mapping[str, Any]
    after: Mapping[str, Any]
    directories: Mapping[int, tuple[Any, Any]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Head:
    """A record that is about no partition, and what it changed of the entity that it is about, by the cells' names."""

    record: Record
    bound: BoundRecord | None
    changes: Mapping[str, Change]


@dataclass(slots=True)
class Result:
    """Records that one row, or one of several, may have written; of none no row explains them.

    `partly` are rows that may have written a part of them only. `times` is how many results in a row are reported as
    one. Where rows were not asked (`is_asked`) it is a whole batch, which may hold several results, or several batches
    of one record each.
    """

    first: Moment
    last: Moment
    rows: tuple[str, ...]
    heads: list[Head] = field(default_factory=list)
    groups: list[Group] = field(default_factory=list)
    records: int = 0
    times: int = 1
    partly: tuple[str, ...] = ()
    is_asked: bool = True


class Listener(Follower, Protocol):
    """Receives leaders and results in the log's order; `changed` is of records that are in no result."""

    def wants(self, result: Result) -> bool:
        """Whether the rows of records are to be asked, which are all those of a batch."""

    def told(self, state: HardState, result: Result) -> None:
        """A result was replayed; `state` is the state after it."""


class Results(Replaying):
    """One log on its way to a moment, result by result; what is in front of `begin` is replayed and not reported.

    A batch is reported as a whole, also the one that has the moment. Of small batches rows are evaluated for `most`
    records, None for all; `unasked` is the first one of which they were not, though they were wanted. None are asked
    `without_tables`: while all registered nodes are of releases that have none; nor of a unit with a `tagged` record.
    Where the listener takes several batches as one result it sets `joins`.
    """

    def __init__(
        self,
        source: LogSource,
        asked: When,
        begin: Callable[[Batch], bool],
        static: StaticSettings | None = None,
        most: int | None = None,
    ) -> None:
        super().__init__(source, asked, static)
        self.most, self.asked_of = most, 0
        self.unasked: Moment | None = None
        self.without_tables = False
        self.joins = False
        self._known_of: tuple[Software, int] | None = None
        self.nearby = Nearby(source.path)
        self.clock = Clock()
        self.protocol = KRAFT if static is None else static.on(KRAFT)
        self.has_own_rows = False
        self.plans = self._plans()
        self._begins = begin
        self._unit: list[Batch] = []
        self._listener: Listener | None = None
        self._tools: _Tools | None = None
        self._local: Local | None = None

    def tell(self, listener: Listener) -> None:
        """Read up to the moment, and tell of every result; raises `Refusal` as `run` does."""
        self._listener = listener
        self.run(listener)

    # -- units -----------------------------------------------------------------------------------------------------
    def _doubted(self, batch: Batch, expected: int | None, damage: Quarantined | None) -> None:
        if damage is not None or expected is None or batch.base_offset != expected:
            self._flush()
        super()._doubted(batch, expected, damage)

    def _ended(self, expected: int | None, damage: Quarantined | None, follower: Follower) -> None:
        self._flush()
        super()._ended(expected, damage, follower)

    def _joined(self) -> Collection[str]:
        # Behind them no row is asked of any small batch, and all are reported.
        is_over = self.most is not None and self.asked_of >= self.most and self.unasked is not None
        is_plain = self.joins and not self._unit and self.source.fork is None and not self.without_tables
        return super()._joined() if is_over and is_plain else ()

    def _batch(self, batch: Batch, follower: Follower) -> None:
        if isinstance(batch, SingleBatches):
            self._singles(batch, follower)
            return
        if batch.is_control:
            self._flush()
            super()._batch(batch, follower)
            return
        if batch.undecodable or batch.kept_raw:
            batch = self.fork.batch(batch)
            self._known_fork()
        if batch.undecodable:
            self._flush()
            for part in _parts(batch):
                if part.undecodable:
                    super()._batch(part, follower)
                    if self._doubt:
                        return
                else:
                    self._readable(part)
                    self._flush()
            return
        self._readable(batch)
        # A result that is longer than a batch goes on in the next one.
        if len(batch.records) < FULL_BATCH:
            self._flush()

    def _singles(self, batches: SingleBatches, follower: Follower) -> None:
        """Tell batches of one record each, of which no row is asked; where many neighbours are of partitions that
        differ, these are replayed in a run and reported as one."""
        records = batches.records
        assert isinstance(records, LazyRecords)
        tools = self._tooled()
        parts: list[SingleBatches] = []
        if tools.runs is not None and not records.unknown() and not any(records.kept_raw()):
            late = np.flatnonzero(np.diff(records.timestamps()) > SOON) + 1
            bounds = sorted({*tools.runs.apart(records), *late.tolist()})
            parts = [batches.part(*one) for one in pairwise(bounds) if len(bounds) * SHORTEST <= len(records)]
        if not parts:
            for batch in batches.singly():
                self._batch(batch, follower)
            return
        self.clock.note(batches)
        self.last = Moment(batches.last_offset, batches.max_timestamp)
        for part in parts:
            self._together(part)

    def _together(self, batches: SingleBatches) -> None:
        """Tell batches of one record each, no two of one partition, as one result of which no row is asked."""
        tools = self._tooled()
        assert tools.local is not None
        assert tools.runs is not None
        tools.begins()
        unit = tools.runs.unit([batches], self.state, tools.local)
        self.state.at_offset(batches.base_offset)
        if unit is None:
            for batch in batches.singly():
                self._one_by_one(tools, None, [batch], True)
        else:
            first = Moment(batches.base_offset, batches.base_timestamp)
            last = Moment(batches.last_offset, batches.max_timestamp)
            result = Result(first, last, (), times=batches.count, is_asked=False)
            for found in self._made(tools, unit, 0, len(unit)):
                _add(result, found)
            self._tell(result)
        tools.local.forget()
        self.state.at_offset(batches.last_offset + 1)

    def _known_fork(self) -> None:
        """Go on under the rows of the fork's controller, where it has any."""
        tables = None if self.has_own_rows else tables_of(self.fork.taken)
        if tables is None:
            return
        self._flush()
        self.has_own_rows = True
        self.protocol = tables if self.static is None else self.static.on(tables)
        before = self.state
        self.wire, self.state = self._of_tables(tables)
        self.state.take_over(before)
        for record in _settings(before):
            # What Kafka's tables hold as any other setting those of the fork may have a cell for.
            bound = self.wire.bind(record)
            if bound is not None and bound.record is not CONFIG:
                self.state.apply(self.state.changes(bound))
        self.plans = self._plans()

    def _plans(self) -> Plans:
        """Return the rows to be asked, those of a release as every check of a log prepares them."""
        if self.protocol is self.state.layout.protocol:
            return prepared(self.protocol, self.static).plans
        return Plans(self.protocol, self.state.layout.compiler, KRAFT_LOGS.chained)

    def _readable(self, batch: Batch) -> None:
        """Take a batch into the unit at hand."""
        self.first = self.first or Moment(batch.base_offset, time_of(batch.base_timestamp))
        self.last = Moment(batch.last_offset, time_of(batch.max_timestamp))
        self._unit.append(batch)
        self._note_software()
        self.nearby.note(batch)
        self.clock.note(batch)
        for record in batch.kept_raw:
            if self.fork.owns(record):
                self._keep(record)
            else:
                self._note_tags(record)

    def _note_software(self) -> None:
        """Find out whether the software has tables; that changes with records of registrations and levels alone."""
        known_of = self.software, self.software.noted
        if self._known_of is not None and self._known_of[0] is known_of[0] and self._known_of[1] == known_of[1]:
            return
        self._known_of = known_of
        why = self.software.older_software()
        if why and not self.without_tables:
            self.notes.append(f"It was {why}: no row is asked.")
        self.without_tables = bool(why)

    def _flush(self) -> None:
        batches, self._unit = self._unit, []
        if not batches:
            return
        tools = self._tooled()
        tools.begins()
        is_told = any(map(self._begins, batches))
        local = tools.local
        unit: RunUnit | None = None
        if local is not None and tools.runs is not None and not self.without_tables:
            unit = tools.runs.unit(batches, self.state, local)
        self.state.at_offset(batches[0].base_offset)
        # What else a record with an unread tag changes, and which rule wrote it, no table says.
        is_foreign = any(record.offset in self.tagged for batch in batches for record in batch.kept_raw)
        if unit is None or is_foreign or not self._in_runs(tools, unit, batches, is_told):
            without_tables = self.without_tables
            self.without_tables = without_tables or is_foreign
            self._one_by_one(tools, unit, batches, is_told)
            self.without_tables = without_tables
        if local is not None:
            local.forget()
        self.state.at_offset(batches[-1].last_offset + 1)

    def _expects(self, records: int) -> None:
        """Store the state by class from the first batch, or number of partitions, on for which that is faster."""
        state = self.state
        shape = state.layout.classed
        if state.plain and shape is not None and (records > SHORT or len(state.domains.get(shape.sort, ())) >= MANY):
            state.classify()

    def _by_class(self) -> Local | None:
        """Return what was found by class in the present state, None where it has no classes."""
        classes = self.state.classes
        if classes is None:
            return None
        if self._local is None or self._local.classes is not classes:
            self._local = Local(self.state)
        return self._local

    def _tooled(self) -> _Tools:
        local = self._by_class()
        if self._tools is None or self._tools.matcher.state is not self.state or self._tools.local is not local:
            self._tools = _Tools(self, local)
        return self._tools

    def _tell(self, result: Result) -> None:
        assert self._listener is not None
        if result.records:
            self._listener.told(self.state, result)

    # -- in runs ---------------------------------------------------------------------------------------------------
    def _in_runs(self, tools: _Tools, unit: RunUnit, batches: Sequence[Batch], is_told: bool) -> bool:
        """Replay and tell a unit of many records; False, with nothing changed, where it has to be read one by one."""
        assert tools.bulk is not None
        places = _Places(batches)
        if not is_told:
            for _ in self._made(tools, unit, 0, len(unit)):
                pass
            return True
        blocks = tools.bulk.parse(unit)
        if blocks is None:
            return False
        for block in blocks:
            if isinstance(block, Stretch):
                self._stretch(tools, unit, block, places)
            else:
                rows, partly = _rows(block)
                result = Result(
                    places[unit.offset(block.start)], places[unit.offset(block.end - 1)], rows, partly=partly
                )
                for found in self._made(tools, unit, block.start, block.end):
                    _add(result, found)
                self._tell(result)
        return True

    def _stretch(self, tools: _Tools, unit: RunUnit, block: Stretch, places: _Places) -> None:
        """Tell neighbouring records that are a result each, those of the same rows as one."""
        which = np.zeros(block.end - block.start, np.int64)
        rows = [tuple(sorted({kept.row.id for kept in edges})) for edges, _ in block.parts]
        for number, (_, at) in enumerate(block.parts):
            which[at - block.start] = number
        told: dict[tuple[str, ...], Result] = {}
        for found in self._made(tools, unit, block.start, block.end, which):
            mine = rows[which[found.place - block.start]]
            first, last = places[min(found.offsets)], places[max(found.offsets)]
            result = told.setdefault(mine, Result(first, last, mine, times=0))
            result.first = min(result.first, first, key=lambda one: one.offset)
            result.last = max(result.last, last, key=lambda one: one.offset)
            result.times += len(found.offsets)
            _add(result, found)
        for result in sorted(told.values(), key=lambda one: one.first.offset):
            self._tell(result)

    def _made(
        self, tools: _Tools, unit: RunUnit, start: int, end: int, which: Numbers | None = None
    ) -> Iterator[_Found]:
        """Replay records of a unit, and yield what they changed; with `which` those of one number go together."""
        assert tools.transitions is not None
        for at, part in tools.transitions.steps(unit, start, end):
            if isinstance(part, list):
                before = [self._before(tools, one, which, start) for one in part]
                tools.transitions.make(part)
                for one, old in zip(part, before, strict=True):
                    yield from self._after(tools, unit, one, old)
            elif part is not None:
                yield self._replayed(tools, unit, at, part)
            else:
                for place in range(at, end):
                    yield self._replayed(tools, unit, place, tools.matcher.changes(unit[place]))
        self.state.at_offset(unit.offset(end - 1) + 1)

    def _replayed(self, tools: _Tools, unit: RunUnit, at: int, changes: tuple[Change, ...]) -> _Found:
        bound = unit[at]
        return _Found(at, (bound.wire.offset,), *self._apply(tools.cells, bound.wire, bound, changes))

    def _before(self, tools: _Tools, one: Transition, which: Numbers | None, start: int) -> _Before:
        """Return the cells of equal transitions, before them."""
        parts = [(one.places, one.who)]
        if which is not None:
            numbers = which[one.places - start]
            parts = [(one.places[numbers == number], one.who[numbers == number]) for number in np.unique(numbers)]
        assert one.kind is not None
        return _Before(tools.of_class(one.kind[0], self._entity(one, 0)), self._lies(tools, one), parts)

    def _after(self, tools: _Tools, unit: RunUnit, one: Transition, before: _Before) -> Iterator[_Found]:
        assert tools.local is not None
        assert one.kind is not None
        entities, after = tools.local.classes.entities, tools.of_class(one.kind[1], self._entity(one, 0))
        lies = {broker: (before.lies[broker], home) for broker, home in self._lies(tools, one).items()}
        for places, who in before.parts:
            offsets = unit.offsets(places)
            members = [entities[at] for at in who.tolist()]
            yield _Found(int(places[0]), offsets, None, (Group(members, offsets, before.cells, after, lies),))

    def _lies(self, tools: _Tools, one: Transition) -> dict[int, Any]:
        """The directories of the replicas of which it changes, by their brokers."""
        assert one.kind is not None
        brokers = sorted(rest[0] for table, rest in one.kind[2] if table == tools.location)
        return {broker: tools.cells(LOCATION, self._entity(one, 0), broker) for broker in brokers}

    def _entity(self, one: Transition, at: int) -> Any:
        assert self.state.classes is not None
        return self.state.classes.entities[one.who[at]]

    # -- one by one ------------------------------------------------------------------------------------------------
    def _one_by_one(self, tools: _Tools, unit: RunUnit | None, batches: Sequence[Batch], is_told: bool) -> None:
        wires = [record for batch in batches for record in batch.metadata_records]
        bounds = [None if is_read_over(record) else self.wire.bind(record) for record in wires]
        for bound in bounds:
            if bound is not None:
                self.state.meet(bound)
        if not is_told:
            for wire, bound in zip(wires, bounds, strict=True):
                self.state.at_offset(wire.offset)
                if bound is not None:
                    self.state.apply(tools.matcher.changes(bound))
            return
        places = _Places(batches)
        singly = []
        for wire, bound in zip(wires, bounds, strict=True):
            if bound is None:
                here = places[wire.offset]
                singly.append(Result(here, here, (), [Head(wire, None, {})], records=1, is_asked=False))
        # Records of no table may stand within a result.
        records = [bound for bound in bounds if bound is not None]
        if not records:
            for result in singly:
                self._tell(result)
            return
        made: list[tuple[Change, ...]] = []
        found: list[_Found] = []
        for at, bound in enumerate(records):
            self.state.at_offset(bound.wire.offset)
            made.append(tools.matcher.changes(bound))
            found.append(_Found(at, (bound.wire.offset,), *self._apply(tools.cells, bound.wire, bound, made[-1])))
        results = self._as_results(tools, unit if len(records) == len(wires) else None, records, made, found, places)
        for result in merge(singly, results, key=lambda one: one.first.offset) if singly else results:
            self._tell(result)

    def _as_results(
        self,
        tools: _Tools,
        unit: RunUnit | None,
        records: Sequence[BoundRecord],
        made: Sequence[tuple[Change, ...]],
        found: Sequence[_Found],
        places: _Places,
    ) -> Iterator[Result]:
        """Yield the results of records that were replayed; all as one where rows are not to be asked."""
        assert self._listener is not None
        whole = Result(places[found[0].offsets[0]], places[found[-1].offsets[0]], ())
        for one in found:
            _add(whole, one)
        is_wanted = self._listener.wants(whole)
        is_over = self.most is not None and self.asked_of + len(records) > self.most
        if not is_wanted or is_over or self.without_tables:
            if is_wanted and is_over and self.unasked is None:
                self.unasked = whole.first
            whole.is_asked = False
            yield whole
            return
        self.asked_of += len(records)
        for changes in reversed(made):
            self.state.undo(changes)
        offsets = [one.offsets[0] for one in found]
        if unit is not None:
            unit.hold(records)
        printed = tools.parsed(records, offsets) if unit is None else None
        parsed = printed or self._parsed(tools, unit, records, made, offsets)
        for changes in made:
            self.state.apply(changes)
        if printed is not None:
            tools.applied()
        rows = rows_of(parsed, len(records))
        for block in parsed.blocks:
            for start, end in _explained(block, rows):
                mine, partly = _rows(block) if end - start == block.end - block.start else (tuple(rows[start]), ())
                mine = mine if all(rows[at] for at in range(start, end)) else ()
                # The newest tables, which are asked, do not know the migration from ZooKeeper.
                is_asked = bool(mine) or not (self.software.is_migrating or self.fork.has_rules)
                result = Result(
                    places[offsets[start]], places[offsets[end - 1]], mine, partly=partly, is_asked=is_asked
                )
                for at in range(start, end):
                    _add(result, found[at])
                yield result

    def _parsed(
        self,
        tools: _Tools,
        unit: RunUnit | None,
        records: Sequence[BoundRecord],
        made: Sequence[tuple[Change, ...]],
        offsets: Sequence[int],
    ) -> Parse:
        """Return a unit as rows explain it; of a long one that they do not explain is not asked which record it is."""
        if len(records) <= LONG:
            return parse(self.state, tools.matcher, records, offsets, unit)
        blocks = explained(self.state, tools.matcher, records, offsets)
        return Parse([Block(0, len(records), ())] if blocks is None else blocks, list(made), [])

    def _apply(
        self, cells: Cells, wire: Record, bound: BoundRecord, changes: tuple[Change, ...]
    ) -> tuple[Head | None, tuple[Group, ...]]:
        """Replay one record; return what it is where it is about no partition, and what it did to partitions."""
        tools = self._tools
        assert tools is not None
        states = self.state.layout.states
        touched: dict[Id, dict[int, tuple[Any, Any]]] = {}
        written: dict[Id, dict[str, Any]] = {}
        for (number, keys), old, new in changes:
            if keys and str(states[number].keys[0]) == "Partition":
                lies = touched.setdefault(keys[0], {})
                if number == tools.location:
                    lies[keys[1]] = (old, new)
                elif number in tools.reported:
                    written.setdefault(keys[0], {})[tools.reported[number]] = new
        before = {one: tools.partition(one) for one in touched}
        self.state.apply(changes)
        self.state.at_offset(wire.offset + 1)
        groups = tuple(
            Group((one,), (wire.offset,), before[one], before[one] | written.get(one, {}), dict(sorted(lies.items())))
            for one, lies in touched.items()
        )
        is_head = not any(str(one.kind) == "Partition" for one in bound.record.about)
        if not is_head:
            return None, groups
        seen = self.state.layout.seen(changes)
        mine = {states[one.cell[0]].name: one for one in seen if one.cell[1] == bound.entities}
        return Head(wire, bound, mine), groups


def _settings(state: HardState) -> Iterator[Record]:
    """Yield the settings that a state holds as any other, as records."""
    number = next(at for at, one in enumerate(state.layout.states) if one.name == SETTING)
    for ((of, resource, name),), value in state.frame.tables[number].items():
        if isinstance(value, str):
            data = {"resourceType": of, "resourceName": resource, "name": name, "value": value}
            yield Record(0, 0, CONFIG_RECORD, 0, data)


def _parts(batch: Batch) -> Iterator[Batch]:
    """Yield a batch in parts: the records that can be read, in stretches, and each other one by itself."""
    for _, some in groupby(batch.records, lambda one: one.offset if isinstance(one, Undecodable) else -1):
        records = tuple(some)
        yield replace(
            batch,
            base_offset=records[0].offset,
            last_offset=records[-1].offset,
            records=records,
            base_timestamp=records[0].timestamp,
            max_timestamp=max(one.timestamp for one in records),
            count=len(records),
        )


@dataclass(frozen=True, slots=True)
class _Before:
    """Partitions that go one way, before they do: their cells, directories, and parts with places and numbers."""

    cells: Mapping[str, Any]
    lies: Mapping[int, Any]
    parts: Sequence[tuple[Numbers, Numbers]]


@dataclass(frozen=True, slots=True)
class _Found:
    place: int
    offsets: Sequence[int]
    head: Head | None
    groups: tuple[Group, ...]


def _add(result: Result, found: _Found) -> None:
    result.records += len(found.offsets)
    if found.head is not None:
        result.heads.append(found.head)
    result.groups += found.groups


def _rows(block: Block) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The rows that may have written all of a block, and those of a part; these are all where none fits whole."""
    whole = {e.row.id for e in block.edges if e.row is not None and (e.start, e.end) == (block.start, block.end)}
    if not whole:
        return block.rows, ()
    return tuple(sorted(whole)), tuple(row for row in block.rows if row not in whole)


def _explained(block: Block, rows: Sequence[Sequence[str]]) -> Iterator[tuple[int, int]]:
    """Yield the parts of a block: all of it, but where no row explains it each record by itself."""
    if block.edges and all(rows[at] for at in range(block.start, block.end)):
        yield block.start, block.end
    else:
        yield from ((at, at + 1) for at in range(block.start, block.end))


class _Tools:
    """Readers of the units of one state."""

    def __init__(self, results: Results, local: Local | None) -> None:
        self.cells = Cells(results.state)
        self.location = self.cells.numbers[LOCATION]
        self.reported = {self.cells.numbers[name]: name for name in CELLS}
        self.local, self.matcher = local, matcher_of(results.state, results.plans, local)
        self.runs = None if local is None else Runs(results.wire, results.protocol.name)
        self.bulk = BulkParser(self.matcher, self.matcher.local) if isinstance(self.matcher, ClassMatcher) else None
        self.transitions = None if self.bulk is None else self.bulk.transitions
        self._printed: PrintedRows | None = None
        self._writes = 0
        self._of_class: dict[int, Mapping[str, Any]] = {}

    def begins(self) -> None:
        """Note the state in front of a unit."""
        self._writes = self.matcher.state.writes

    def parsed(self, records: Sequence[BoundRecord], offsets: Sequence[int]) -> Parse | None:
        """Return a unit, whose changes were taken back, as printed rows explain it; None where they do not."""
        state = self.matcher.state
        if self.local is not None or not state.is_known or state.doubts:
            return None
        if self._printed is None:
            self._printed = PrintedRows(state, self.matcher.plans)
            self._printed.writes = self._writes
        return self._printed.parse(records, offsets, self._writes)

    def applied(self) -> None:
        """The changes of the unit that was parsed were made in the state, too."""
        assert self._printed is not None
        self._printed.writes = self.matcher.state.writes

    def of_class(self, number: int, one: Id) -> Mapping[str, Any]:
        """Return the reported cells of a partition that is of a class: one object for all of it, where it can be."""
        assert self.local is not None
        found = self._of_class.get(number)
        if found is None:
            found, classes, slots = self.partition(one), self.local.classes, self.matcher.state.layout.slots
            its = (slots.get(table) for table in self.reported)
            if all(slot is not None and classes.own[slot] is None for slot in its):
                self._of_class[number] = found
        return found

    def partition(self, one: Id) -> dict[str, Any]:
        """Return the reported cells of a partition."""
        return {name: self.cells(name, one) for name in CELLS}


class _Places:
    """The moments of the records of some batches by their offsets."""

    def __init__(self, batches: Sequence[Batch]) -> None:
        self.batches = batches
        self._one = [batch.max_timestamp if len(batch.times) == 1 else None for batch in batches]

    def __getitem__(self, offset: int) -> Moment:
        # A damaged header may end the batch in front of its last record.
        at = max(n for n, one in enumerate(self.batches) if one.base_offset <= offset)
        batch, time = self.batches[at], self._one[at]
        if time is None:
            time = batch.records[batch.offsets.index(offset)].timestamp
        return Moment(offset, time_of(time))
