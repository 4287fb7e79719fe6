"""The monitor of one log under one protocol: reads it in order, explains every record by a row, asks every property.

Nothing here names a type of metadata record, a row or a rule of the protocol. The log's order is its offsets; no clock
is asked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from fencepost.checkers.cause import Cause
from fencepost.checkers.conformance.reading.concluding import lost, nothing_in, undecided_without_batch_lines
from fencepost.checkers.conformance.records.batch_forms import never_written as never_a_batch
from fencepost.checkers.conformance.records.batch_forms import wrong_elections
from fencepost.checkers.conformance.records.control_records import leaders, opens, raft_level
from fencepost.checkers.conformance.records.foreign import first_unread
from fencepost.checkers.conformance.records.forks import reader_of_log, with_snapshots
from fencepost.checkers.conformance.records.legality import NAME, collides, never_written
from fencepost.checkers.conformance.records.old_forms import LEVEL, OLD_FORMS, READ_OVER, illegal, is_read_over
from fencepost.checkers.conformance.records.passed import UNKNOWN_TYPES, is_unknown
from fencepost.checkers.conformance.records.wire import BoundRecord, WireBinding, entity_text
from fencepost.checkers.conformance.results.results import Doubt, LogFinding, LogResult, Violation, quarantined_range
from fencepost.checkers.conformance.results.roots import Named
from fencepost.checkers.conformance.state.replay import HardState
from fencepost.checkers.unexplained import UNEXPLAINED
from fencepost.model.language import Protocol
from fencepost.traces import Batch, ControlRecord, MetadataLog, Quarantined, Record, Snapshot, Undecodable
from fencepost.traces.names import is_bootstrap_name
from fencepost.traces.record_types import SNAPSHOT_FOOTER, SNAPSHOT_HEADER

from .beginning import beginning, empty_segments, epoch_before, inside_a_batch
from .concluding import committed_end, ended
from .cursor import Cursor
from .options import Options
from .pending_snapshots import PendingSnapshots, bootstrap_difference
from .prepared import Prepared
from .reading_runs import ReadingRuns
from .restoring import restore
from .snapshots import differences, strange, unreadable, unsure
from .units import Item, Units, Wants, Watcher, named

OF_THE_LOG = frozenset({"gap", "order", "batch", "election", "epoch", "undecodable", "snapshot"})
"""Rules that a log breaks whatever rows its controller has."""


class Monitor(Prepared):
    """A protocol prepared to read logs; one instance reads any number of them, one after the other.

    Raises `TableError` where the protocol's records do not fit the records that there are.
    """

    def __init__(self, protocol: Protocol, options: Options | None = None) -> None:
        options = options or Options()
        super().__init__(protocol.claiming(*options.claims) if options.claims else protocol, options)
        self.wire = WireBinding.of(protocol)

    def judge(
        self,
        log: MetadataLog,
        watch: Watcher | None = None,
        *,
        bear: int | None = None,
        turns: Mapping[int, Monitor] | None = None,
        progress: Callable[[int], None] | None = None,
        wants: Wants | None = None,
    ) -> LogResult:
        """Return the verdict on a log, with everything that it rests on; `watch` receives every unit on the way.

        With `bear` the log is read only until it has more violations than that: what it rests on is then cut short.
        `turns` are other protocols' monitors by the offset of the leader change from which they go on with the state.
        `progress` is called with the offset up to which the log is checked, at the beginning and after every batch.
        A monitor that replays only evaluates rows for the units that `wants` selects.
        """
        return Reading(self, log, watch, bear, turns, progress, wants).result()


class Reading:
    """One log being read: the state so far, and what was found. Arguments as those of `Monitor.judge`."""

    def __init__(
        self,
        monitor: Monitor,
        log: MetadataLog,
        watch: Watcher | None = None,
        bear: int | None = None,
        turns: Mapping[int, Monitor] | None = None,
        progress: Callable[[int], None] | None = None,
        wants: Wants | None = None,
    ) -> None:
        self.progress = progress
        self.fork = reader_of_log(log, monitor.options.fork)
        log = with_snapshots(log, self.fork)
        self.monitor, self.log, self.options = monitor, log, monitor.options
        self.batches, self.is_binary = log.whole, log.source == "binary"
        self.turns = turns or {}
        self.turned: list[int] = []
        self.restored: list[str] = []
        self.read_over: list[Record] = []
        self.state = HardState(monitor.layout, plain=True)
        self.out = LogResult(log.path, monitor.protocol.name)
        self.snapshots = PendingSnapshots(log)
        self.units = Units(
            self.state,
            monitor.plans,
            monitor.claims,
            self.out,
            self._at,
            watch,
            self.options.full_batch,
            self.options.replay_only,
            _again(monitor),
            self.options.by_class,
            self.snapshots.between,
            wants,
            bear,
        )
        self.runs = ReadingRuns(self.units)
        self.roots = self.units.roots
        self.strange: dict[str, Violation] = {}
        self.old: Counter[str] = Counter()
        of_snapshots = {snapshot.segment for snapshot in log.snapshots}
        self.damage = sorted(
            (one for one in log.quarantined if one.segment not in of_snapshots), key=lambda q: (q.segment, q.start)
        )
        self.lost = False
        self.leaders = leaders(log.batches)

    def result(self) -> LogResult:
        """Read the log to its end."""
        self.all()
        return ended(self.out, self.old, self.monitor.protocol.name)

    def all(self) -> None:
        """Read the log to its end, and count; what is said of all of it is left to `ended`."""
        out = self.out
        out.notes += self.log.notes
        out.committed_end = committed_end(self.log, self.options)
        for damage in self.log.quarantined:
            out.quarantined.append(quarantined_range(damage))
        start = self._start()
        for message in self.snapshots.unread(start or 0):
            self._doubt(None, None, message)
        if start is not None:
            self._bootstrap(start)
            self.read(start)
        undecided_without_batch_lines(out, self.log, self.batches)
        self.units.conclude()
        if out.violations:
            self._is_of_fork()
        out.notes += filter(None, [self.fork.note])
        out.fork = self.fork.taken

    def _doubt(self, first: int | None, last: int | None, message: str, cause: Cause = Cause.CANNOT_TELL) -> None:
        self.out.doubts.append(Doubt(first, last, message, cause=cause))

    # -- where to begin --------------------------------------------------------------------------------------------
    def _start(self) -> int | None:
        """Return the offset from which the log is checked, None where it cannot be."""
        if not self.log.batches:
            if not self.damage:
                self._doubt(None, None, nothing_in(self.log))
            self._damaged(self.damage)
            return None
        self.out.notes += empty_segments(self.log)
        begins = beginning(self.log, self.snapshots.damaged)
        if begins.offset is None:
            self._doubt(begins.first, None, begins.doubt)
            self._damaged(self.damage)
            return None
        if begins.snapshot is not None:
            self._begin(begins.snapshot)
            self.out.notes.append(begins.note)
            self.out.began_with, self.out.skipped = begins.snapshot.segment, begins.skipped
        return begins.offset

    def _begin(self, snapshot: Snapshot) -> None:
        older = self.snapshots.begin(snapshot)
        if older:
            count = "1 older snapshot is" if older == 1 else f"{older} older snapshots are"
            self.out.notes.append(f"{count} not compared: the log does not hold what was summed up.")
        self._epoch_of(snapshot)
        self._strange(snapshot, self._restore(snapshot))
        self.state.at_offset(snapshot.end_offset)
        self.units.begins_late = True
        for broken in self.units.begin():
            self.units.broken_at_start(broken, snapshot)

    def _restore(self, snapshot: Snapshot) -> Sequence[Record]:
        """Continue from the state of a snapshot; return its records that were read one by one."""
        self.read_over = list(snapshot.records_of(READ_OVER))
        self.restored.append(snapshot.segment)
        self.units.expect(sum(len(batch.records) for batch in snapshot.batches), in_snapshot=True)
        restored = restore(self.state, self.monitor.wire, snapshot, self.options.by_class)
        self.units.history.note_snapshot(snapshot.end_offset, restored, self.monitor.wire)
        self.state.lose_left()
        self.state.raft_at(raft_level(snapshot.batches))
        self.state.doubt(list(unsure(self.state, self.options.facts)))
        return restored.singly

    def _bootstrap(self, start: int) -> None:
        """Compare the snapshots of end offset 0 with the records that open the log."""
        for snapshot in self.log.snapshots if start == 0 else ():
            if snapshot.end_offset > 0 or snapshot.segment in self.snapshots.damaged or not self._sound(snapshot):
                continue
            self._strange(snapshot, snapshot.records)
            found = bootstrap_difference(snapshot, self.batches)
            if found is None:
                continue
            offset, message = found
            if is_bootstrap_name(snapshot.segment):
                # Every node has its own, and only the first active controller's becomes the opening of the log.
                self._doubt(offset, offset, message)
            else:
                self.out.violations.append(Violation("snapshot", offset, snapshot.segment, "", message))

    # -- terms -----------------------------------------------------------------------------------------------------
    def border(self, offset: int) -> None:
        """Continue under other tables where another monitor reads on: from the offset, or a leader's term."""
        monitor = self.turns.get(offset)
        if monitor is not None and monitor is not self.monitor:
            state, old = HardState(monitor.layout, plain=True), self.monitor
            self.take_over(self.state, self.read_over, old, monitor, state)
            self.monitor, self.state = monitor, state
            self.units.turn(state, monitor.plans, monitor.claims)
            self.turned.append(offset)

    @staticmethod
    def take_over(
        before: HardState, read_over: Sequence[Record], old: Monitor, monitor: Monitor, state: HardState
    ) -> None:
        """Put into a state what another one holds, and what records say that the old tables read over."""
        state.take_over(before)
        for record in read_over:
            bound = monitor.wire.bind(record) if old.wire.bind(record) is None else None
            if bound is not None:
                state.meet(bound)
                state.apply(state.changes(bound))

    # -- reading ---------------------------------------------------------------------------------------------------
    def read(self, start: int) -> None:
        """Read the batches from an offset on, in whose state the reading is."""
        self.out.first_offset = start
        self.border(start)
        self.go_on(Cursor(start, 0, start, None, self._damage_after(start)))

    def go_on(self, cursor: Cursor) -> None:
        """Read from a place between two batches on, at which no unit is open."""
        unit: list[Batch] = []
        for batch in self.batches[cursor.at :]:
            if batch.last_offset < cursor.start:
                cursor.at += 1
                continue
            if not unit and self.pauses(cursor):
                return
            cursor.at += 1
            if self._batch(batch, cursor, unit):
                self.out.end_offset = batch.last_offset + 1
                return
        self._flush(unit, cut=not cursor.damage)
        self._damaged(cursor.damage)
        expected = cursor.expected
        self.out.end_offset = self.log.batches[-1].last_offset + 1 if expected is None else expected
        self._at(self.out.end_offset, between=True)
        for message in self.snapshots.beyond(self.out.end_offset):
            self._doubt(self.out.end_offset, None, message)

    def pauses(self, cursor: Cursor) -> bool:
        """Whether reading ends in front of a batch; nothing is open there."""
        return False

    def _batch(self, batch: Batch, cursor: Cursor, unit: list[Batch]) -> bool:
        """Read a batch; whether that was one violation too many."""
        if self.progress is not None:
            self.progress(batch.base_offset)
        damage = cursor.damage
        before = [d for d in damage if (d.segment, d.start) < (batch.segment, batch.position)]
        if before:
            self._flush(unit)
            self._damaged(before)
            del damage[: len(before)]
            cursor.expected = cursor.epoch = None
        self.out.batches += 1
        if cursor.expected is not None and not self._in_order(batch, cursor.expected, unit):
            return False
        cursor.expected = batch.last_offset + 1
        epoch = cursor.epoch
        never = never_a_batch(batch, self.is_binary)
        if never:
            self.units.violate(
                "batch", batch.base_offset, batch, "", f"This batch {never}: no controller writes such a batch."
            )
        if batch.epoch >= 0:
            cursor.epoch = self._epoch(batch, -1 if batch.base_offset == 0 else cursor.epoch)
        if opens(batch):
            self._flush(unit, cut=True)
            self.border(batch.base_offset)
        if opens(batch) or cursor.epoch != epoch:
            self.state.lose_left()
        if not unit:
            self._at(batch.base_offset, between=True)
        if batch.is_control:
            # Raft's own records may be between the batches of one result.
            self._control(batch)
            return False
        unread = None
        # What replays only goes on behind a tag, unless its tables read tags: Kafka reads over it.
        is_replay = self.options.replay_only and self.fork.taken is None and not self.monitor.wire.reads_tags
        tagged = () if is_replay else batch.kept_raw
        if batch.undecodable or tagged:
            batch = self.fork.batch(batch)
            if self._has_own_rows():
                return True
            if UNKNOWN_TYPES not in self.options.passed_through:
                with_tags = not self.options.replay_only
                unread = first_unread(self.log.batches, batch, with_tags, self.fork.taken)
        if unread is not None:
            offset, says = unread
            if self.options.replay_only and offset > batch.base_offset:
                # Records in front of it in its batch were written by a result that goes on: they are only replayed.
                unit.append(replace(batch, records=tuple(one for one in batch.records if one.offset < offset)))
            self._flush(unit)
            message = (
                f"{says}; what it changes no table says, so that nothing is decided from there on; --fork FILE "
                "declares such records, --skip-unknown reads over them"
            )
            self._doubt(offset, self.log.batches[-1].last_offset, message, Cause.NOT_MODELLED)
            return True
        unit.append(batch)
        if len(batch.records) < self.options.full_batch:
            self._flush(unit)
        if self.out.violations and self._is_of_fork():
            return True
        return self.units.has_enough

    def _has_own_rows(self) -> bool:
        """Whether the log is that of a fork with rows, against which it is checked in place of those of releases."""
        taken = self.fork.taken
        return self.options.by_term and not self.options.replay_only and taken is not None and bool(taken.rows)

    def _is_of_fork(self) -> bool:
        """Whether rows do not explain what a fork's controller wrote by rules of its own; says so in their place."""
        found = [one for one in self.out.violations if one.rule not in OF_THE_LOG]
        fork = self.fork.fork if found else None
        if self._has_own_rows():
            return True
        if fork is None or not fork.rules:
            return False
        first = min(one.offset for one in found)
        self.out.violations = [one for one in self.out.violations if one.rule in OF_THE_LOG]
        self.out.findings = [one for one in self.out.findings if one.offset < first]
        message = (
            f"no rule of the tables explains offset {first}, and the controller of {fork.name} has rules of its own "
            "that they do not have, so that nothing is decided from there on; its rules are listed by "
            f"fencepost show fork {fork.called}"
        )
        self._doubt(first, self.log.batches[-1].last_offset, message, Cause.NOT_MODELLED)
        return True

    def _damage_after(self, start: int) -> list[Quarantined]:
        """Return the unreadable ranges that may hold checked records; those in front of them are only noted."""
        first = next((batch for batch in self.batches if batch.last_offset >= start), None)
        if first is None or first.base_offset > start:
            return list(self.damage)
        place = (first.segment, first.position)
        skipped = [one for one in self.damage if (one.segment, one.start) < place]
        if skipped:
            ranges = "1 unreadable range lies" if len(skipped) == 1 else f"{len(skipped)} unreadable ranges lie"
            self.out.notes.append(f"{ranges} before offset {start}, where the check begins.")
        return self.damage[len(skipped) :]

    def _in_order(self, batch: Batch, expected: int, unit: list[Batch]) -> bool:
        """Report a gap or a repetition in front of a batch; False for a batch that was read already."""
        if batch.base_offset == expected:
            return True
        self._flush(unit)
        at = batch.base_offset
        if at > expected:
            missing = f"offsets {expected} to {at - 1}" if at - expected > 1 else f"offset {expected}"
            self._misplaced("gap", batch, f"The records at {missing} are missing.")
            self._lose()
            return True
        again = batch.last_offset < expected
        what = "come a second time" if again else "overlap what was read before"
        message = f"The offsets {at} to {batch.last_offset} {what}: offset {expected} was due."
        self._misplaced("order", batch, message)
        return not again

    def _misplaced(self, rule: str, batch: Batch, message: str) -> None:
        """Report a batch at an offset that was not due: of a text, which a paste has cut or doubled, as a doubt."""
        at = batch.base_offset
        if self.is_binary:
            self.units.violate(rule, at, batch, "", message)
        else:
            self._doubt(at, batch.last_offset, f"{message} Give the whole dump of one log.", Cause.CANNOT_TELL)

    def _epoch(self, batch: Batch, epoch: int | None) -> int:
        message = ""
        if epoch is not None and batch.epoch < epoch:
            message = f"The leader epoch falls from {epoch} to {batch.epoch}: these batches were never one log."
        elif batch.epoch == epoch and opens(batch):
            message = f"Epoch {epoch} has a second leader change: it has one, which is its first record."
        elif epoch is not None and batch.epoch > epoch and not opens(batch):
            message = f"Epoch {batch.epoch} begins without the leader change that is the first record of every epoch."
        if message:
            self.units.violate("epoch", batch.base_offset, batch, "", message)
        return batch.epoch

    def _control(self, batch: Batch) -> None:
        """Check that Raft's own records can be read and may be in a log."""
        self.out.control_records += len(batch.records)
        for offset, message in wrong_elections(batch, self.is_binary):
            self.units.violate("election", offset, batch, "", message)
        self._led(batch)
        self.state.raft_at(raft_level((batch,)))
        for record in batch.records:
            if isinstance(record, Undecodable):
                message = f"A controller could not read this control record: {record.reason}."
                self.units.violate("undecodable", record.offset, batch, "", message)
            elif isinstance(record, ControlRecord) and record.type in (SNAPSHOT_HEADER, SNAPSHOT_FOOTER):
                message = f"A {record.type} occurs in snapshots only."
                self.units.violate("undecodable", record.offset, batch, "", message)

    def _damaged(self, damage: Sequence[Quarantined]) -> None:
        for one in damage:
            self._doubt(one.first_offset, one.last_offset, *lost(one))
            self._lose()

    def _lose(self) -> None:
        """Continue without a known state: the lost records may have touched anything."""
        self.state.lose()
        self.lost = True

    def _led(self, batch: Batch) -> None:
        """Note the leader from a batch on, and the known findings where that is another one than before."""
        if batch.epoch >= 0:
            before = self.state.led_by(self.leaders.get(batch.epoch))
            self.units.failed_over(before, batch.base_offset)

    # -- records ---------------------------------------------------------------------------------------------------
    def _flush(self, unit: list[Batch], cut: bool = False) -> None:
        """Check the batches of a unit; with `cut` the log, or its epoch, ends after them."""
        monitor = self.monitor
        self.units.expect(sum(len(batch.records) for batch in unit))
        runs = None if self.lost else self.runs.unit(unit, monitor.wire, monitor.protocol.name)
        items = [] if runs is not None else [item for batch in unit for item in self._items(batch)]
        if unit:
            self._led(unit[0])
        if runs is not None:
            if self.runs.judge(runs):
                unit.clear()
                return
            items = [item for batch in unit for item in self._items(batch)]
        unit.clear()
        # A result longer than a batch may have lost its end with its leader, and be none the worse for it.
        self.units.judge(items, cut, runs)
        if any(isinstance(item.record, Undecodable) and not item.passed for item in items):
            self._lose()

    def _items(self, batch: Batch) -> Iterator[Item]:
        for record in batch.records:
            if isinstance(record, ControlRecord):
                self.out.control_records += 1
            elif isinstance(record, Record) and self.fork.owns(record) and record.type not in self.monitor.wire.by_type:
                self.out.records += 1
                self.out.passed[record.type] = self.out.passed.get(record.type, 0) + 1
                yield Item(record, batch, None, True)
            elif isinstance(record, Undecodable) and is_unknown(record):
                self.out.records += 1
                self.out.passed[UNKNOWN_TYPES] = self.out.passed.get(UNKNOWN_TYPES, 0) + 1
                yield Item(record, batch, None, True)
            elif isinstance(record, Undecodable):
                message = f"A controller could not read this record: {record.reason}."
                violation = self.units.violate("undecodable", record.offset, batch, "", message)
                self.roots.add(record.offset, None, violation.folded.append)
                yield Item(record, batch, None)
            else:
                bound = self._bound(record, batch)
                # Tables that have a record of the type check it.
                passed = bound is None and (record.type in self.options.passed_through or is_read_over(record))
                yield Item(record, batch, bound, passed)

    def _bound(self, record: Record, batch: Batch) -> BoundRecord | None:
        self.out.records += 1
        self.out.in_doubt += self.lost
        self.out.uncommitted += record.offset >= self.out.committed_end
        bound = self.monitor.wire.bind(record)
        never = never_written(record, self.monitor.protocol.name) or collides(record, self.state.values_of(NAME))
        if never:
            self.units.violate("undecodable", record.offset, batch, "" if bound is None else named(bound), never)
            if is_read_over(record):
                return None
        if record.type in READ_OVER:
            self.read_over.append(record)
        if record.type in OLD_FORMS or (bound is None and record.type in READ_OVER):
            self.old[record.type] += 1
            wrong = illegal(record, self.state.value_of(LEVEL))
            if wrong:
                self.units.violate("undecodable", record.offset, batch, "" if bound is None else named(bound), wrong)
        if bound is not None:
            for problem in bound.problems:
                message = f"{bound.record.name}, {problem}."
                self.units.violate("undecodable", record.offset, batch, named(bound), message)
            self.state.meet(bound)
        elif record.type in self.options.passed_through or record.type in READ_OVER:
            self.out.passed[record.type] = self.out.passed.get(record.type, 0) + 1
        elif record.type in self.strange:
            self.strange[record.type].folded.append(record.offset)
        else:
            message = f"No record of the tables of {self.monitor.protocol.name} is a {record.type}."
            self.strange[record.type] = self.units.violate(UNEXPLAINED, record.offset, batch, "", message)
        return bound

    # -- snapshots -------------------------------------------------------------------------------------------------
    def _at(self, offset: int, between: bool = False) -> None:
        """Compare the snapshots that end at an offset with the state; or, between units, take a lost state from one."""
        for snapshot in self.snapshots.up_to(offset):
            if snapshot.segment not in self.snapshots.damaged:
                self._ends(snapshot, between and snapshot.end_offset == offset)

    def _ends(self, snapshot: Snapshot, between: bool) -> None:
        """Take notice of a snapshot that ends here; with `between` no unit is open."""
        if not self._sound(snapshot):
            return
        if not self.lost:
            self._compare(snapshot)
        elif between:
            self.state.regain()
            self._restore(snapshot)
            self.lost = False
            note = f"From offset {snapshot.end_offset} the state is known again, by the snapshot {snapshot.segment}."
            self.out.notes.append(note)
        else:
            self._doubt(None, None, f"The snapshot {snapshot.segment} is not compared: the state is not known there.")

    def _sound(self, snapshot: Snapshot) -> bool:
        """Whether a snapshot can be read as one; says so where it cannot."""
        reason = unreadable(snapshot)
        if not snapshot.is_complete:
            self._doubt(None, None, f"The snapshot {snapshot.segment} {reason}: it is not compared.")
        elif reason:
            self._differs(snapshot, f"The snapshot {snapshot.segment} {reason}.", ())
        return not reason

    def _compare(self, snapshot: Snapshot) -> bool:
        """Compare a snapshot with the state; return whether cells are in doubt from here on."""
        self.out.snapshots_compared += 1
        self._epoch_of(snapshot)
        fresh, either, by_class = HardState(self.monitor.layout, self.state.plain), [], self.options.by_class
        restored = restore(fresh, self.monitor.wire, snapshot, by_class, self.runs.of_log)
        self._strange(snapshot, restored.singly)
        if inside_a_batch(self.log.batches, snapshot.end_offset):
            self.out.notes.append(f"The snapshot {snapshot.segment} ends inside a batch.")
        for one in differences(fresh, restored.told, snapshot, self.state, self.options.facts, by_class):
            if one.finding or one.untold:
                # From here on a controller may go on with what the log says, or with what it loaded.
                either += [] if one.cell is None else [one.cell]
            if one.finding:
                entity = _about(one.entities)
                self.out.findings.append(LogFinding(one.finding, "snapshot", snapshot.end_offset, entity, one.message))
            elif not one.untold and not self.roots.folds(snapshot.end_offset, one.entities):
                self._differs(snapshot, one.message, one.entities)
        self.state.doubt(either)
        return bool(either)

    def _strange(self, snapshot: Snapshot, records: Sequence[Record]) -> None:
        own = frozenset() if self.fork.taken is None else frozenset(self.fork.taken.by_name)
        for entities, message in strange(self.monitor.wire, snapshot, records, self.options.passed_through | own):
            self._differs(snapshot, message, entities)
        for record in records:
            never = "" if is_read_over(record) else never_written(record, self.monitor.protocol.name)
            if never:
                where = f"record {record.offset} of the snapshot {snapshot.segment}"
                self._differs(snapshot, f"In {where}: {never}", ())

    def _epoch_of(self, snapshot: Snapshot) -> None:
        epoch = epoch_before(self.log.batches, snapshot.end_offset)
        if epoch is not None and epoch != snapshot.epoch:
            where = f"before offset {snapshot.end_offset}"
            message = f"The snapshot {snapshot.segment} says epoch {snapshot.epoch} {where}, the log epoch {epoch}."
            self._differs(snapshot, message, ())

    def _differs(self, snapshot: Snapshot, message: str, entities: Sequence[Named]) -> None:
        about = _about(entities)
        self.out.violations.append(Violation("snapshot", snapshot.end_offset, snapshot.segment, about, message))


def _about(entities: Sequence[Named]) -> str:
    return ", ".join(f"{sort.lower()} {entity_text(entity)}" for sort, entity in entities)


def _again(monitor: Monitor) -> str:
    """Return the options of the command that asks again."""
    options, name = monitor.options, monitor.protocol.name
    release = f" --release {name.split('@')[1]}" if "@" in name and not options.by_term else ""
    return release + options.again
