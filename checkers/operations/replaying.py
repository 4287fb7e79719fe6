"""A log replayed from its files batch by batch: the state at a moment, no row and no property asked on the way."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any, Protocol

from fencepost.checkers.conformance.classes.changes import Change
from fencepost.checkers.conformance.reading.options import Options
from fencepost.checkers.conformance.reading.prepared import Prepared
from fencepost.checkers.conformance.reading.restoring import restore
from fencepost.checkers.conformance.reading.snapshots import unreadable
from fencepost.checkers.conformance.records.control_records import leader_of, raft_level, raft_level_of
from fencepost.checkers.conformance.records.foreign import changed_by, tags_of
from fencepost.checkers.conformance.records.forks import Reader, reader_of_source, with_snapshots
from fencepost.checkers.conformance.records.old_forms import is_read_over
from fencepost.checkers.conformance.records.passed import is_unknown
from fencepost.checkers.conformance.records.software import Software
from fencepost.checkers.conformance.records.static_settings import StaticSettings
from fencepost.checkers.conformance.records.voters import Voters
from fencepost.checkers.conformance.records.wire import BoundRecord, WireBinding
from fencepost.checkers.conformance.state.replay import HardState
from fencepost.checkers.verdicts import ExitCode, Refusal
from fencepost.model.kraft.protocol import KRAFT
from fencepost.model.language import Protocol as Tables
from fencepost.traces import (
    Batch,
    ControlRecord,
    Item,
    LogSource,
    Quarantined,
    Record,
    Snapshot,
    Undecodable,
    iterate_log,
    read_log,
)
from fencepost.traces.forks import ForkState
from fencepost.traces.logs import HIDES_CONTROL_RECORDS, hides_control_records
from fencepost.traces.names import parse_snapshot_name, without_gz
from fencepost.traces.record_types import LEADER_CHANGE, PARTITION_CHANGE_RECORD, REMOVE_TOPIC_RECORD
from fencepost.traces.storage import base_name

from .moments import Moment, When, none_before
from .takeovers import Takeovers, takeovers_of

JOINED = (PARTITION_CHANGE_RECORD,)
"""The records of which batches of one may be read together: they change the cells of a partition alone."""


class Follower(Protocol):
    """Receives the content of a log, in its order."""

    def begins(self, state: HardState, at: Moment) -> None:
        """The state is known from here on: it is that of a snapshot."""

    def leads(self, node: int | None, epoch: int, at: Moment) -> None:
        """A controller leads from here on."""

    def quorum(self, record: ControlRecord, words: str, at: Moment) -> None:
        """A record of Raft other than a LeaderChange; `words` are what it changes of the quorum, empty for nothing."""

    def changed(self, state: HardState, record: BoundRecord, changes: tuple[Change, ...], at: Moment) -> None:
        """A record was replayed; `state` is the state after it."""


def prepared(tables: Tables, static: StaticSettings | None) -> Prepared:
    """Return tables as every check of a log prepares them."""
    return Prepared(tables, Options(given=(static or StaticSettings()).given))


class Replaying:
    """One log on its way to a moment; `last` is the newest record that counts, None before the first.

    `first` is where the state is first known without a gap to `last`, `notes` are sentences about what was left out.
    `tagged` are the records with tagged fields that no release known here has, by offset.
    By the declaration of a `fork` its own records and tags are read: `own` is what they leave as state, `borne` what
    the tags of a record say, by its offset, and `of_takeovers` what it says of the `takeovers` of AutoMQ.
    `beyond` is the first record that no longer counts, None where all do.
    `items` are what is read in place of the source's files, where it is set.
    Damage, a gap and a lost beginning leave the state unknown until a snapshot that ends at a batch's first offset.
    """

    def __init__(self, source: LogSource, asked: When, static: StaticSettings | None = None) -> None:
        self.source, self.asked, self.static = source, asked, static
        self.items: Iterable[Item] | None = None
        self.wire, self.state = self._of_tables(KRAFT)
        self.last: Moment | None = None
        self.first: Moment | None = None
        self.software, self.voters = Software(), Voters()
        self.skipped = 0
        self.tagged: dict[int, Record] = {}
        self.fork: Reader = reader_of_source(source)
        self.own: ForkState | None = None
        self.borne: dict[int, str] = {}
        self.takeovers: Takeovers | None = None
        self.of_takeovers: dict[int, str] = {}
        self.notes: list[str] = []
        self.beyond: Moment | None = None
        self._doubt = ""
        self._is_over = False
        self._snapshots = _by_end(source.snapshots)

    def _of_tables(self, tables: Tables) -> tuple[WireBinding, HardState]:
        """Return what reads records by some tables, and an empty state of them."""
        return WireBinding.of(tables), HardState(prepared(tables, self.static).layout, plain=True)

    def run(self, follower: Follower) -> None:
        """Read up to the moment; raises `Refusal` where the log has no such moment, or its state is not known."""
        expected: int | None = None
        damage: Quarantined | None = None
        for item in iterate_log(self.source, self._joined) if self.items is None else self.items:
            if isinstance(item, Quarantined):
                damage = item
                continue
            if not isinstance(item, Batch):
                continue
            if self.asked.is_over(item.base_offset, item.base_timestamp):
                self.beyond, self._is_over = Moment(item.base_offset, time_of(item.base_timestamp)), True
                break
            if expected is not None and item.last_offset < expected:
                self.notes.append(f"Offsets {item.base_offset} to {item.last_offset} come a second time: not read.")
                continue
            self._doubted(item, expected, damage)
            damage, expected = None, item.last_offset + 1
            if self._doubt:
                self._restore(item.base_offset, follower)
            if not self._doubt:
                self.software.note(item)
                self._expects(len(item.records))
                self._batch(item, follower)
            if self._is_over:
                break
        self._ended(expected, damage, follower)

    def _joined(self) -> Collection[str]:
        """The types of records of which batches of one record may be read together from here on."""
        return JOINED

    def _doubted(self, batch: Batch, expected: int | None, damage: Quarantined | None) -> None:
        if damage is not None:
            place = f"{damage.segment}, bytes {damage.start} to {damage.end}, cannot be read"
            self._doubt = damage.reason if damage.kind == "text" else f"{place} ({damage.reason})"
        elif expected is None and batch.base_offset > 0:
            self._doubt = f"the log begins at offset {batch.base_offset}"
        elif expected is not None and batch.base_offset > expected:
            self._doubt = f"the records at offsets {expected} to {batch.base_offset - 1} are missing"

    def _ended(self, expected: int | None, damage: Quarantined | None, follower: Follower) -> None:
        if damage is not None and not self._is_over:
            if damage.kind == "torn":
                self.notes.append(f"{damage.segment} ends inside a batch: what is in front of it counts.")
            elif damage.kind == "text" and not self._doubt and expected is not None:
                self.notes.append(f"{damage.reason}: what is in front of it counts.")
            else:
                self._doubted(_NOWHERE, None, damage)
        if self.skipped:
            self.notes.append(f"Records of unknown types read over: {self.skipped}. What they change is not shown.")
        self.notes += filter(None, [self.fork.note])
        if self.tagged:
            number = len(self.tagged)
            *most, last = sorted(
                {one.tag for record in self.tagged.values() for one in tags_of(record, self.fork.taken)}
            )
            which = f"tags {', '.join(map(str, most))} and {last}" if most else f"tag {last}"
            self.notes.append(
                f"From offset {min(self.tagged)} on {number} {'record bears' if number == 1 else 'records bear'} "
                f"{which}, which no release of Kafka known here has: what {'they change' if most else 'it changes'} is "
                "not known."
            )
        newest = max(self._snapshots, default=-1)
        is_asked = self.asked.offset is None or self.asked.offset >= newest - 1
        # A snapshot alone, or one behind all that could be read, shows the newest state that there is.
        if is_asked and not self._is_over and (expected is None or self._doubt) and newest >= (expected or 0):
            self._restore(newest, follower)
        place = f"{self.source.path}: "
        if self._doubt:
            raise Refusal(
                f"{place}the state {self._where()} is not known: {self._doubt}, and no snapshot beside it says what "
                "the state was there; give the whole log, or a later snapshot",
                ExitCode.INCONCLUSIVE,
            )
        if self.last is None:
            if self._is_over:
                raise none_before(self.source.path, self.asked, self.beyond)
            raise Refusal(f"{place}the log holds no record: there is nothing to say", ExitCode.INCONCLUSIVE)
        if self.asked.offset is not None and self.last.offset < self.asked.offset:
            raise Refusal(
                f"{place}offset {self.asked.offset} is behind the log's end; its last record is at offset "
                f"{self.last.offset}"
            )
        if self.asked.time is not None and not self._is_over:
            self.notes.append(f"The log ends at offset {self.last.offset}, before the time that is asked for.")

    def _where(self) -> str:
        return "at the log's end" if self.asked.offset is None and self.asked.time is None else f"at {self.asked.text}"

    # -- records ---------------------------------------------------------------------------------------------------
    def _expects(self, records: int) -> None:
        """Make ready for a batch of so many records."""

    def _batch(self, batch: Batch, follower: Follower) -> None:
        if hides_control_records(batch) and HIDES_CONTROL_RECORDS not in self.notes:
            self.notes.append(HIDES_CONTROL_RECORDS)
        for record in batch.records:
            if self.asked.is_over(record.offset, record.timestamp):
                self.beyond, self._is_over = Moment(record.offset, time_of(record.timestamp)), True
                return
            at = Moment(record.offset, time_of(record.timestamp))
            self.last = at
            self.first = self.first or at
            self.state.at_offset(record.offset)
            if isinstance(record, Undecodable):
                declared = self.fork.record(record)
                if declared is not None:
                    self._keep(declared)
                    self._replay(declared, follower, at)
                    continue
                if is_unknown(record) and self.source.skip_unknown:
                    self.skipped += 1
                    continue
                is_foreign = is_unknown(record)
                more = "; --fork FILE declares such records, --skip-unknown reads over them" if is_foreign else ""
                self._doubt = f"the record at offset {record.offset} cannot be read ({record.reason}{more})"
                return
            if isinstance(record, ControlRecord):
                if record.type == LEADER_CHANGE:
                    node = leader_of(record)
                    self.state.led_by(node)
                    self.state.lose_left()
                    follower.leads(node, batch.epoch, at)
                words = self.voters.note(record)
                if record.type != LEADER_CHANGE:
                    follower.quorum(record, words, at)
                self.state.raft_at(raft_level_of(record))
                continue
            self._replay(record, follower, at)

    def _replay(self, record: Record, follower: Follower, at: Moment) -> None:
        bound = None if is_read_over(record) else self.wire.bind(record)
        if bound is None:
            return
        self._note_tags(record)
        self.state.meet(bound)
        changes = self.state.changes(bound)
        self.state.apply(changes)
        follower.changed(self.state, bound, changes, at)

    def _note_tags(self, record: Record) -> None:
        """Take what a record's tags say that no release has, as far as a fork declares them."""
        if record.raw is not None and tags_of(record):
            fork = self.fork.fork
            if tags_of(record, fork):
                self.tagged[record.offset] = record
            since = {} if self.own is None else self.own.since(record)
            words = "" if fork is None else fork.words_of_tags(record, since)
            if words:
                self.borne[record.offset] = words
            cells = changed_by(record, fork)
            if cells:
                self._doubt = f"the tags of the record at offset {record.offset} may change {', '.join(cells)}"
            self._keep(record)
        elif self.own is not None and record.type == REMOVE_TOPIC_RECORD:
            self.own.apply(record)

    def _keep(self, record: Record) -> None:
        """Take what a record of a fork's own, or one with its tags, leaves as state."""
        if self.own is None and self.fork.fork is not None:
            self.own, self.takeovers = ForkState(self.fork.fork), takeovers_of(self.fork.fork)
        if self.own is not None:
            self.own.apply(record)
        words = "" if self.takeovers is None else self.takeovers.note(record)
        if words:
            self.of_takeovers[record.offset] = words

    def _known_fork(self) -> None:
        """Called where it may have become known by which fork's declaration the log is read."""

    def _restore(self, offset: int, follower: Follower) -> None:
        read = (_snapshot(path, self.fork) for path in self._snapshots.get(offset, ()))
        snapshots = [one for one in read if one is not None]
        if not snapshots:
            return
        snapshot = max(snapshots, key=lambda one: one.epoch)
        self._known_fork()
        self.state = HardState(self.state.layout, plain=True)
        restore(self.state, self.wire, snapshot)
        self.own = None
        for record in snapshot.records if self.fork.taken is not None else ():
            if self.fork.owns(record) or (record.raw is not None and tags_of(record)):
                self._keep(record)
        self.state.lose_left()
        self.software, self.voters = Software(), Voters.of_snapshot(snapshot.batches)
        self.software.note(snapshot)
        self.state.raft_at(raft_level(snapshot.batches))
        self.state.at_offset(snapshot.end_offset)
        self.notes.append(f"The state up to offset {offset - 1} is that of the snapshot {snapshot.segment}.")
        at = Moment(offset - 1, _snapshot_time(snapshot), exact=False)
        self.first = self.last = at
        self._doubt = ""
        follower.begins(self.state, at)


_NOWHERE = Batch(-1, -1, -1, False, 0, 0, "", (), -1, -1, 0)


def _by_end(paths: Iterable[str]) -> dict[int, list[str]]:
    found: dict[int, list[str]] = {}
    for path in paths:
        named = parse_snapshot_name(without_gz(base_name(path)))
        if named is not None and named.end_offset > 0:
            found.setdefault(named.end_offset, []).append(path)
    return found


def _snapshot(path: str, fork: Reader) -> Snapshot | None:
    """The snapshot of a file, None where it cannot be read as one."""
    log = with_snapshots(read_log(LogSource(path, "binary", (), (path,))), fork)
    return next((one for one in log.snapshots if not log.quarantined and not unreadable(one)), None)


def _snapshot_time(snapshot: Snapshot) -> int | None:
    header = snapshot.batches[0].records[0]
    told: Any = header.data.get("lastContainedLogTimestamp") if isinstance(header, ControlRecord) else None
    return told if isinstance(told, int) and told >= 0 else None


def time_of(timestamp: int) -> int | None:
    """Return a timestamp in milliseconds, None where there is none."""
    return timestamp if timestamp >= 0 else None
