"""The way along a log between requests: what the controller writes by itself, and what no request explains."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fencepost.checkers.conformance.classes.frames import UNKNOWN
from fencepost.checkers.conformance.lockstep.cells import MISSING, Change
from fencepost.checkers.conformance.lockstep.compiled import FAILOVER, SILENCE, CompiledRows
from fencepost.checkers.conformance.lockstep.controller_state import ControllerState
from fencepost.checkers.conformance.lockstep.soft import settled
from fencepost.checkers.conformance.matching.matching import Edge, Matcher
from fencepost.checkers.conformance.reading.beginning import beginning
from fencepost.checkers.conformance.reading.monitor import Monitor
from fencepost.checkers.conformance.records.control_records import leader_of, raft_level, raft_level_of
from fencepost.checkers.conformance.records.wire import BoundRecord
from fencepost.checkers.conformance.state.replay import HardState
from fencepost.checkers.verdicts import Refusal
from fencepost.model.kraft import state as k
from fencepost.model.language.interpreter import CellKey
from fencepost.traces import ControlRecord, MetadataLog, Record
from fencepost.traces.record_types import LEADER_CHANGE

from .outcomes import Outcome
from .results import EventResult

TOLERANCE = 0.2
"""The part of the session timeout by which times may be wrong: it is not the controller that notes those of a trace."""


class Sessions:
    """Contacts along a trace, by its clock. Without a `timeout` (in milliseconds) any contact may be over at any time.

    A contact that is over is expired by the tables' own event; this says only when the clock allows it.
    """

    def __init__(self, controller: ControllerState, timeout: int | None) -> None:
        self.timeout = timeout
        self._contacts = controller.cells.tables[controller.shape.numbers[k.contact.state]]
        self._since: dict[Any, int] = {}

    def note(self, soft: Mapping[CellKey, Any], now: int) -> None:
        """Note which contacts the changes of a row begin, at a time in milliseconds."""
        for (state, keys), contact in soft.items():
            if state is k.contact.state and contact is k.Contact.RECENT:
                self._since[keys[0]] = now

    def over(self, now: int) -> list[Any]:
        """Return the brokers whose contact is over for certain."""
        if self.timeout is None:
            return []
        limit = self.timeout * (1 + TOLERANCE)
        return [broker for broker, since in self._recent() if now - since > limit]

    def perhaps_over(self, now: int) -> list[Any]:
        """Return the brokers whose contact may be over."""
        limit = 0 if self.timeout is None else self.timeout * (1 - TOLERANCE)
        return [broker for broker, since in self._recent() if now - since >= limit]

    def _recent(self) -> Iterator[tuple[Any, int]]:
        for broker, contact in self._contacts.items():
            if contact is k.Contact.RECENT:
                yield broker, self._since.get(broker, 0)


@dataclass(frozen=True, slots=True)
class Item:
    """A record of a log: offset, time in milliseconds, and the record as the tables see it, None where they do not.

    `end` is where results that begin here must have ended (as an index), `leads` says that a leader's epoch begins,
    `node` whose, None where that is not reported; `level` is the one that Raft gives kraft.version here, None for none.
    """

    offset: int
    time: int
    end: int
    leads: bool
    bound: BoundRecord | None
    node: int | None = None
    level: int | None = None


class LogCursor:
    """A place in a log with the controller's whole state there, moved forwards only.

    `rows` are evaluated in the state `controller`: hard cells as records say, all others as the rows that ran say. The
    matcher, which finds rows by their records alone, has the hard cells of its own (`hard`).
    `asked` are the events of the tables that are requests of the trace: their rows write nothing between requests.
    """

    def __init__(
        self,
        monitor: Monitor,
        rows: CompiledRows,
        log: MetadataLog,
        asked: Iterable[str],
        timeout: int | None,
        out: EventResult,
    ) -> None:
        self.out = out
        self.rows, self.hard = rows, HardState(monitor.layout)
        self.controller = ControllerState(rows.shape)
        self.sessions = Sessions(self.controller, timeout)
        self.items = _items(monitor, log)
        self.place = 0
        self._begin(monitor, log)
        self.active = True
        requests = frozenset(asked)
        self.all = Matcher(self.hard, monitor.plans)
        self.unasked = Matcher(self.hard, monitor.plans.only(lambda row: row.event.name not in requests))
        self._stand()

    def _begin(self, monitor: Monitor, log: MetadataLog) -> None:
        """Begin at offset 0, or with the first snapshot that the log goes on from; raises `Refusal` otherwise."""
        if log.quarantined:
            raise Refusal(
                f"{log.path}: parts of the log are damaged, so that its state is not known; give the whole log"
            )
        for one, following in zip(self.items, self.items[1:], strict=False):
            if following.offset != one.offset + 1:
                raise Refusal(f"{log.path}: records are missing after offset {one.offset}; give the whole log")
        if not log.batches:
            return
        begins = beginning(log, {})
        if begins.offset is None:
            raise Refusal(f"{log.path}: {begins.doubt}")
        snapshot = begins.snapshot
        if snapshot is None and self.items[0].offset > 0:
            raise Refusal(f"{log.path}: records are missing before offset {self.items[0].offset}; give the whole log")
        if snapshot is None:
            return
        self.out.notes.append(begins.note)
        for record in snapshot.records:
            bound = monitor.wire.bind(record)
            if bound is not None:
                self._record(bound)
        self._raft(raft_level(snapshot.batches))
        while self.offset < snapshot.end_offset:
            self._led_by(self.items[self.place])
            self.place += 1

    @property
    def offset(self) -> int:
        """The offset of the next record; at the end of the log the one after its last."""
        return self.items[self.place].offset if self.place < len(self.items) else self.end

    @property
    def end(self) -> int:
        """The offset at which the log ends."""
        return self.items[-1].offset + 1 if self.items else 0

    def upcoming(self) -> Sequence[BoundRecord | None]:
        """Return the records from here to where a result that begins here must have ended."""
        if self.place >= len(self.items):
            return ()
        return [item.bound for item in self.items[self.place : self.items[self.place].end]]

    def claimed(self, log_end: int) -> bool:
        """Whether a controller showed before an offset that it had taken over: by a record after its epoch began.

        Until then it may answer that it is not active, though the log has its leader's epoch.
        """
        shown = next((one for one in reversed(self.items[: self.place]) if one.offset < log_end), None)
        return shown is None or not shown.leads

    # -- by a request ----------------------------------------------------------------------------------------------
    def take(self, outcome: Outcome, now: int, counted: bool = True) -> None:
        """Advance over the records of an outcome, which are here, and make its soft changes."""
        start = self.place
        for group in outcome.groups:
            for _ in group:
                self._replay()
        self.settle(outcome.soft, start, now)
        if counted:
            self.out.rows.update(outcome.rows)

    def force(self, outcome: Outcome, now: int) -> None:
        """Advance by an outcome whose records differ from those of the log: past records that begin as they do."""
        start, upcoming = self.place, self.upcoming()
        begins = {one.value.record for group in outcome.groups[:1] for one in group}
        if upcoming and upcoming[0] is not None and upcoming[0].record in begins:
            while self.place < self.items[start].end:
                self._replay()
        self.settle(outcome.soft, start, now)

    def settle(self, soft: Mapping[CellKey, Any], start: int, now: int) -> list[Change]:
        """Change soft cells by what a result says that began at a place; return what changed. Offsets are the log's."""
        shape = self.controller.shape
        found = settled(shape, soft, self.items[self.place - 1].offset if self.place else -1)
        for item in self.items[start : self.place]:
            if item.bound is not None and item.bound.record.name == "RegisterBroker":
                found.append((shape.numbers[k.registration_offset.state], item.bound.entities[0], item.offset))
        self.sessions.note(soft, now)
        changed = self.controller.apply(found)
        self._stand()
        return changed

    # -- by the controller itself ----------------------------------------------------------------------------------
    def step(self) -> bool:
        """Advance over one result that the controller wrote by itself; False where there is none here."""
        if self.place >= len(self.items):
            return False
        item = self.items[self.place]
        if item.leads:
            self._replay()
            self._activate(item.node, item.time)
            return True
        if item.bound is None:
            self._replay()
            return True
        for edge in self.unasked.edges(*self._run()):
            if self._agrees(edge, item.time):
                self._follow(edge, item.time)
                return True
        return False

    def skip(self) -> tuple[int, tuple[str, ...]]:
        """Advance over unexplained records; return the next offset, and the rows that could have written them.

        Where some row explains them, the longest such result is taken, with what it does beside its records.
        """
        item = self.items[self.place]
        edges = self.all.edges(*self._run())
        end = max((edge.end for edge in edges), default=0)
        best = [edge for edge in edges if edge.end == end and edge.row is not None]
        if not best:
            self._replay()
            self.settle({}, self.place - 1, item.time)
            return item.offset, ()
        self._follow(best[0], item.time, counted=False)
        return item.offset, tuple(dict.fromkeys(edge.row.id for edge in best if edge.row is not None))

    def heard(self, broker: int, epoch: int, now: int) -> None:
        """A registered broker was heard of, though what it asked never ran: contact is noted when a request arrives."""
        read = self.controller.read
        if read(k.registered.state, (broker,)) and read(k.epoch.state, (broker,)) == epoch:
            self.settle({(k.contact.state, (broker,)): k.Contact.RECENT}, self.place, now)

    def silence(self, brokers: Iterable[Any]) -> list[Change]:
        """End the sessions of brokers, as far as the tables have them; return the changes."""
        return [change for broker in brokers for change in self._environment(SILENCE, {"b": broker}, 0)]

    def _activate(self, node: int | None, now: int) -> None:
        self.active = True
        self._environment(FAILOVER, {"c": str(node)}, now)

    def _environment(self, event: str, params: Mapping[str, Any], now: int) -> list[Change]:
        found = self.rows.alone(event, params, self.controller)
        return [] if found is None else self.settle(found.soft, self.place, now)

    def _agrees(self, edge: Edge, now: int) -> bool:
        """Whether the guard of an edge's row holds in the whole state too, sessions being over where they may be."""
        if edge.row is None:
            return False
        for silent in ((), self.sessions.perhaps_over(now)):
            if silent:
                self.silence(broker for broker in silent if broker in edge.binding.values())
            if self.rows.may_apply(edge.row, edge.binding, self.controller):
                return True
        return False

    def _follow(self, edge: Edge, now: int, counted: bool = True) -> None:
        assert edge.row is not None
        soft = self.rows.soft_changes(edge.row, edge.binding, self.controller)
        start = self.place
        for _ in range(edge.end - edge.start):
            self._replay()
        self.settle(soft or {}, start, now)
        if counted:
            self.out.between[edge.row.id] += 1

    # -- records ---------------------------------------------------------------------------------------------------
    def _run(self) -> tuple[list[BoundRecord], int]:
        """The records that one result may have written, their entities met, and the index in them of the next one."""
        found = []
        for item in self.items[self.place : self.items[self.place].end]:
            if item.bound is None:
                break
            self.hard.meet(item.bound)
            found.append(item.bound)
        return found, 0

    def _replay(self) -> None:
        item = self.items[self.place]
        self._stand()
        self._led_by(item)
        self._raft(item.level)
        if item.bound is not None:
            self._record(item.bound)
        self.place += 1

    def _record(self, record: BoundRecord) -> None:
        self.hard.meet(record)
        self.hard.apply(self.hard.changes(record))
        self.rows.replay(record, self.controller)

    def _led_by(self, item: Item) -> None:
        if item.leads:
            self.hard.led_by(item.node)
            self._as_raft_has(self.hard.layout.active)

    def _raft(self, level: int | None) -> None:
        self.hard.raft_at(level)
        self._as_raft_has(self.hard.layout.raft_level)

    def _as_raft_has(self, number: int | None) -> None:
        """Take over a cell that Raft's own records show."""
        if number is not None:
            shape, found = self.controller.shape, self.hard.read((number, ()))
            at = shape.numbers[self.hard.layout.states[number]]
            self.controller.apply([(at, (), MISSING if found is UNKNOWN else found)])

    def _stand(self) -> None:
        self.hard.at_offset(self.offset)
        self.controller.at_offset(self.offset)


def _items(monitor: Monitor, log: MetadataLog) -> list[Item]:
    found: list[Item] = []
    ends = _ends([len(batch.records) for batch in log.batches], monitor.options.full_batch)
    for batch, end in zip(log.batches, ends, strict=True):
        for record in batch.records:
            leads = isinstance(record, ControlRecord) and record.type == LEADER_CHANGE
            bound = monitor.wire.bind(record) if isinstance(record, Record) else None
            told = leader_of(record), raft_level_of(record)
            found.append(Item(record.offset, record.timestamp, end, leads, bound, *told))
    return found


def _ends(sizes: Sequence[int], full: int) -> list[int]:
    """For each batch the number of records up to its end, or where it is full to that of the next that is not."""
    total, ends = sum(sizes), list[int]()
    end = total
    for size in reversed(sizes):
        if size < full:
            end = total
        ends.append(end)
        total -= size
    return ends[::-1]
