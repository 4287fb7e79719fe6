"""Event traces checked against the tables: rows are evaluated for every request, in the state that it met by the log.

The hard state before a request is the log replayed up to it, the soft state what the rows say along the trace. The
records of a request are in the log at or after the end that its line names; results that the controller writes by
itself may be before it or behind it, so its place is tried between all of them.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import takewhile
from pathlib import Path
from typing import Any

from fencepost.checkers.conformance.lockstep.compiled import CompiledRows
from fencepost.checkers.conformance.lockstep.controller_state import Shape
from fencepost.checkers.conformance.reading.monitor import Monitor
from fencepost.checkers.conformance.reading.options import Options
from fencepost.checkers.conformance.records.passed import PASSED_THROUGH
from fencepost.checkers.unexplained import no_row_applies
from fencepost.checkers.verdicts import Verdict
from fencepost.files import json_value
from fencepost.model.language import Protocol
from fencepost.model.language.errors import EvaluationError
from fencepost.traces import LogSource, MetadataLog, TraceError, read_log
from fencepost.traces.event_files import read_events
from fencepost.traces.events import AllocateProducerIds, BrokerHeartbeat, Event
from fencepost.traces.storage import read_text

from .adapters import ADAPTERS, ELSEWHERE
from .adapting import FAILED, INACTIVE, TIMED_OUT, Adapter, Beforehand, Tried, registered
from .log_cursor import LogCursor
from .outcomes import Outcome, Reading
from .refusals import Refusals, refusals_beside
from .results import Answer, Difference, EventResult, different, ordered

UNREAD = Verdict.INCONCLUSIVE
"""The verdict on a trace that cannot be read, or whose log cannot be."""

MANY = 6
"""From so many answers on a sentence counts them."""

MOST_PARTS = 2
"""Parts of a request for which rows that do not apply are tried."""


class EventMonitor:
    """A protocol prepared to check event traces; one instance checks any number of them, one after the other.

    `given` are values of variables that no log shows, by name.
    """

    def __init__(self, protocol: Protocol, given: Mapping[str, Any] | None = None) -> None:
        self.monitor = Monitor(protocol, Options(PASSED_THROUGH, dict(given or {})))
        shape = Shape(protocol, self.monitor.layout)
        self.rows = CompiledRows(protocol, shape)

    def judge(
        self,
        log: MetadataLog,
        events: Iterable[Event],
        timeout: int | None = None,
        path: str = "",
        refusals: Refusals | None = None,
    ) -> EventResult:
        """Check a trace against the log that the same controller wrote.

        `timeout` is the session timeout in milliseconds; without it a session may be over at any time. `refusals` are
        those that the controller's own log reports: where they say that another epoch came, they are believed.
        """
        found = list(events)
        judge = _Judge(self.monitor, self.rows, log, path, timeout, frozenset(event.request for event in found))
        return judge.all(judge.put_right(one, refusals) if refusals else one for one in found)

    def judge_file(self, log: MetadataLog, path: str | os.PathLike[str]) -> EventResult:
        """Check the trace in a file; the session timeout is that of the `meta.json` beside it, if it says one.

        A `controller.log` beside it shows which broker epochs came, if the trace has them wrong.

        Raises `TraceError` where the file is no event trace.
        """
        file = Path(path)
        return self.judge(log, read_events(file), session_timeout(file), str(file), refusals_beside(file))

    def document(self, log: LogSource, path: str | os.PathLike[str]) -> dict[str, Any]:
        """Check the trace in a file, and return the result as JSON values: one that cannot be read, or whose log cannot
        be, is inconclusive, and `cannot` says why."""
        try:
            return self.judge_file(read_log(log), path).as_json()
        except TraceError as error:
            return {"path": os.fspath(path), "log": log.path, "verdict": UNREAD.value, "cannot": str(error)}


def session_timeout(trace: Path) -> int | None:
    """Return the brokers' session timeout in milliseconds as the `meta.json` beside a trace says it, None for none."""
    try:
        found = json_value(read_text(str(trace.parent / "meta.json")))
        return int(found["props"]["broker.session.timeout.ms"])
    except (OSError, ValueError, KeyError, TypeError):
        return None


class _Judge:
    def __init__(
        self,
        monitor: Monitor,
        rows: CompiledRows,
        log: MetadataLog,
        path: str,
        timeout: int | None,
        requests: frozenset[str],
    ) -> None:
        self.out = EventResult(path, log.path)
        told = requests | (ADAPTERS.keys() - ELSEWHERE)
        asked = [name for request, adapter in ADAPTERS.items() if request in told for name in adapter.events]
        self.cursor = LogCursor(monitor, rows, log, asked, timeout, self.out)
        self.last: Event | None = None
        # The records of an event that was not checked, or that differs, are in the log without an explanation.
        self.excused = False
        # Records behind the last event may be of requests that the trace does not hold.
        self.is_last = False

    def all(self, events: Iterable[Event]) -> EventResult:
        """Check every event, then the records behind the last."""
        waiting: Event | None = None
        for event in events:
            if waiting is not None:
                self.one(waiting, max(event.log_end, waiting.log_end))
            waiting = event
        if waiting is not None:
            self.is_last = True
            self.one(waiting, self.cursor.end)
        return self.out

    def put_right(self, event: Event, refusals: Refusals) -> Event:
        """Return the event with the epoch that the controller says came, if it says another one than the trace.

        That can be said of a request of one broker with nothing else in it.
        """
        if not isinstance(event, AllocateProducerIds):
            return event
        came = refusals.really_sent(event)
        if came is None:
            return event
        self.out.corrected.append(
            f"line {event.line}: the trace says that {event.request} came with broker epoch {event.broker_epoch}; the "
            f"controller's log beside it says {came}, and is believed."
        )
        return replace(event, broker_epoch=came)

    def one(self, event: Event, upper: int) -> None:
        """Check one event; the next one was sent when the log ended at `upper`."""
        self.out.events += 1
        cursor = self.cursor
        self._reach(event)
        if self.last is None and registered(cursor.controller):
            self.out.notes.append(
                "The trace begins when brokers are registered already: what their heartbeats said before is not known, "
                "so that nothing that follows from it is certain."
            )
        cursor.silence(cursor.sessions.over(event.t_ms))
        if event.error == INACTIVE and not (cursor.active and cursor.claimed(event.log_end)):
            self.out.inactive += 1
        elif event.error == TIMED_OUT:
            self._unasked(event, "its deadline passed before its turn came: it never ran")
            if isinstance(event, BrokerHeartbeat):
                cursor.heard(event.broker, event.broker_epoch, event.t_ms)
        else:
            adapter = ADAPTERS.get(event.request)
            reason = "the request is of no kind that there is an adapter for" if adapter is None else ""
            if adapter is not None:
                try:
                    reason = self._ask(adapter, event, upper)
                except Beforehand as refusal:
                    self._unasked(event, f"it is refused with {refusal.error} before any row is asked")
                    self._over(event)
                    return
                except (EvaluationError, ValueError) as error:
                    reason = f"the rows need a value that neither log nor trace reports ({error})"
            if reason:
                self.out.not_judged.setdefault(event.request, Counter())[reason] += 1
                self.excused = True
            else:
                self.out.judged[event.request] += 1
        self._over(event)

    def _unasked(self, event: Event, reason: str) -> None:
        self.out.unasked.setdefault(event.request, Counter())[reason] += 1

    def _over(self, event: Event) -> None:
        if event.error == FAILED:
            self.cursor.active = False
        self.last = event

    def _ask(self, adapter: Adapter, event: Event, upper: int) -> str:
        """Try the event at every place; return why it cannot be checked, empty where it was.

        Raises `Beforehand` for one that was rightly refused before any row is evaluated.
        """
        cursor, tried = self.cursor, list[Tried]()
        while True:
            for silent in (False, True):
                perhaps = cursor.sessions.perhaps_over(event.t_ms) if silent else []
                if silent and not perhaps:
                    break
                silenced = cursor.silence(perhaps)
                here = list[Tried]()
                refused: Beforehand | None = None
                for reading in self._readings(adapter, event):
                    if isinstance(reading, Beforehand):
                        refused = reading
                        break
                    reason = cursor.rows.lacks(reading)
                    if reason:
                        return reason
                    here += self._tried(adapter, event, reading)
                found = next((one for one in here if one.fits), None)
                if found is not None and not (found.length == 0 and self._unfences(event, upper)):
                    cursor.take(found.outcome, event.t_ms)
                    self.excused = False
                    return ""
                if refused is not None and refused.error == event.error:
                    raise refused
                cursor.controller.undo(silenced)
                tried += here
            last = here
            if cursor.offset >= upper or not self._step():
                break
        self._differs(adapter, event, upper, tried, last)
        return ""

    def _unfences(self, event: Event, upper: int) -> bool:
        """Whether an unfence is ahead that only this heartbeat can have written: its place is there."""
        cursor = self.cursor
        if self.is_last or not isinstance(event, BrokerHeartbeat) or cursor.offset >= upper:
            return False
        ahead = takewhile(lambda item: item.offset < upper, cursor.items[cursor.place :])
        found = (one.bound for one in ahead if one.bound is not None)
        return any(one.record.name == "Unfence" and one.entities[:1] == (event.broker,) for one in found)

    def _readings(self, adapter: Adapter, event: Event) -> Iterator[Reading | Beforehand]:
        """Yield the readings of an event, and at their end the refusal before any row is evaluated, if there is one."""
        try:
            yield from adapter.read(event, self.cursor.controller, self.cursor.upcoming())
        except Beforehand as refusal:
            yield refusal

    def _step(self) -> bool:
        if self.cursor.step():
            return True
        if self.excused:
            self.cursor.skip()
        return self.excused

    def _tried(self, adapter: Adapter, event: Event, reading: Reading, guarded: bool = True) -> list[Tried]:
        rows, controller = self.cursor.rows, self.cursor.controller
        with rows.brought(reading, controller):
            upcoming = self.cursor.upcoming()
            return [adapter.tried(event, one, upcoming) for one in rows.outcomes(reading, controller, guarded)]

    # -- what is wrong ---------------------------------------------------------------------------------------------
    def _differs(self, adapter: Adapter, event: Event, upper: int, tried: list[Tried], last: list[Tried]) -> None:
        cursor, offset = self.cursor, self.cursor.offset
        answers = different(one.answer() for one in tried)
        recorded = adapter.recorded(event)
        best = next((one for one in tried if one.length is not None and one.length > 0), None)
        written = next((one for one in last if one.length is not None), None)
        if not tried:
            what, message = "row", no_row_applies(event.request)
        elif best is not None or (written is not None and not any(one.answered for one in tried)):
            what, message = "answer", _told(event, recorded, (best or written).answer())  # type: ignore[union-attr]
        elif any(one.answered for one in tried):
            one = next(one for one in tried if one.answered)
            what, message = "records", self._records(event, one.answer(), offset, upper)
        else:
            what, message = "both", _told(event, recorded, tried[0].answer())
        answered = next((one for one in last if one.answered), None)
        fits = written is not None and bool(written.length)
        nearest = [] if answered is not None or fits else self._nearest(adapter, event)
        if nearest:
            rows = dict.fromkeys(", ".join(dict.fromkeys(one.rows)) for one in nearest)
            message += f" It was answered as {' or '.join(rows)} would."
        self.out.differences.append(Difference(event.line, event.request, offset, what, message, recorded, answers))
        # After a difference, the next event is checked in the state that log and answer show best.
        if nearest:
            cursor.take(nearest[0], event.t_ms, counted=False)
        elif written is not None:
            cursor.take(written.outcome, event.t_ms)
        elif answered is not None:
            cursor.force(answered.outcome, event.t_ms)
        self.excused = written is None

    def _nearest(self, adapter: Adapter, event: Event) -> list[Outcome]:
        """Return the outcomes of rows that would have answered and written so, had they applied."""
        return [
            one.outcome
            for reading in self._readings(adapter, event)
            if isinstance(reading, Reading) and len(reading.parts) <= MOST_PARTS
            for one in self._tried(adapter, event, reading, guarded=False)
            if not one.outcome.thrown and one.fits
        ]

    def _records(self, event: Event, answer: Answer, offset: int, upper: int) -> str:
        found = [
            f"{item.offset} {item.bound.wire.type} {json.dumps(item.bound.wire.data, separators=(', ', ': '))[:160]}"
            for item in self.cursor.items[self.cursor.place : self.cursor.place + 3]
            if item.bound is not None and item.offset < upper
        ]
        return (
            f"The {event.request} was answered as {', '.join(answer.rows)} would, which writes "
            f"{'; '.join(answer.records[:3]) or 'nothing'}; the log has {'; '.join(found) or 'nothing there'}."
        )

    def _reach(self, event: Event) -> None:
        """Advance to the end of the log when the request was sent; the records before it must be explained."""
        cursor = self.cursor
        before = "the request before it" if self.last is None else f"the request of line {self.last.line}"
        if event.log_end > cursor.end:
            message = f"The log is said to have ended at offset {event.log_end}, but it ends at offset {cursor.end}."
            self._log(event, cursor.offset, message)
            return
        first: int | None = None
        rows: tuple[str, ...] = ()
        while cursor.offset < event.log_end:
            if self._step():
                continue
            offset, maybe = cursor.skip()
            if first is None:
                first, rows = offset, maybe
        if first is not None:
            by = f"; {' or '.join(rows)} could have written them" if rows else ""
            message = (
                f"No request of the trace and no task of the controller wrote the records from offset {first} on, "
                f"which are before this request and after {before}{by}."
            )
            self._log(event, first, message)

    def _log(self, event: Event, offset: int, message: str) -> None:
        self.out.differences.append(Difference(event.line, event.request, offset, "log", message, {}, ()))


def _told(event: Event, recorded: Mapping[str, Any], answer: Answer) -> str:
    names = [name for name, one in answer.told.items() if recorded[name] != one] or list(answer.told)
    kafka = ", ".join(f"{name} {_text(recorded[name])}" for name in names)
    tables = ", ".join(f"{name} {_text(answer.told[name])}" for name in names)
    return (
        f"The {event.request} was answered {kafka}; the tables ({', '.join(dict.fromkeys(answer.rows))}) say {tables}."
    )


def _text(value: Any) -> str:
    if isinstance(value, (tuple, frozenset)):
        many = [f"{count} times {one}" for one, count in Counter(ordered(value)).items()]
        return "[" + ", ".join(many if len(value) > MANY else map(str, ordered(value))) + "]"
    return str(value).lower() if isinstance(value, bool) else str(value)
