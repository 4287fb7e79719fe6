"""The most likely row of a broker's fence or registration, by what a log shows near it.

A session that expires and the heartbeats that fence write the same record. What distinguishes them: a controlled
shutdown that was under way, a registration of another process or an unfence of the same one behind the fence, a
controller that became active, and the controller's own log where it lies beside. A registration does not say whether
the broker had stopped in good order: a controlled shutdown in front of it does.
"""

from __future__ import annotations

import contextlib
import re
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from fencepost.checkers.conformance.requests.refusals import CONTROLLER_LOGS
from fencepost.traces import Batch, Record, TraceError
from fencepost.traces.record_types import (
    FENCE_BROKER_RECORD,
    LEADER_CHANGE,
    REGISTER_BROKER_RECORD,
    UNFENCE_BROKER_RECORD,
    UNREGISTER_BROKER_RECORD,
)
from fencepost.traces.storage import open_file
from fencepost.traces.times import utc

from .moments import spelled
from .records import OF_BROKERS

SESSION = 9000
"""Kafka's default of broker.session.timeout.ms, which no metadata log shows."""

NEAR = 1000
"""The milliseconds between a record's time and that of a line of the controller's log about the same fence."""

STALE, HEARTBEAT = "FenceStaleBroker", "Heartbeat"
"""The events of the rows of a fence that are ranked: a session that expires, and a heartbeat."""

CLEAN, UNCLEAN = "R2", "R2u"
"""The rows of a registration behind an orderly stop, and behind another one: they differ in what becomes of ELRs."""

REGISTERS, FENCED, UNFENCED, SHUTS_DOWN, UNREGISTERED = "registers", "fenced", "unfenced", "shuts down", "unregistered"
LEADS = "leads"

LONGEST, WIDEST = 1 << 28, 1 << 12
"""The characters that are read of a controller's log, and of one of its lines."""

_TIMED_OUT = re.compile(r"Fencing broker (\d+)(?: at epoch \d+)? because its session has timed out")
_GRANTED = re.compile(r"The request from broker (\d+) to shut down has been granted")
_TIME = re.compile(r"(?:(\d{13}) |\[(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d{3})\])")


@dataclass(frozen=True, slots=True)
class Likely:
    """The rows that most likely wrote a record, and the evidence for them, as a clause."""

    rows: tuple[str, ...]
    because: str

    def as_json(self) -> dict[str, Any]:
        """Return it as JSON."""
        return {"rows": list(self.rows), "because": self.because}


@dataclass(frozen=True, slots=True)
class _Moment:
    """A record about a broker, or a change of the leader; `process` is the one that the broker registered last."""

    offset: int
    time: int
    what: str
    process: str = ""


class Nearby:
    """Events of brokers and the leadership, in the log's order, and the lines of the controller's own log about them.

    That is controller.log or controller.log.gz in the directory of the metadata log at `path`, with times in UTC.
    """

    def __init__(self, path: str) -> None:
        self.brokers: dict[int, list[_Moment]] = {}
        self._places: dict[int, tuple[int, int]] = {}  # by offset, the broker and the place among its moments
        self._expired: set[int] = set()  # the offsets of fences by a session that most likely expired
        self.leaders: list[_Moment] = []
        self._folder = Path(path) if Path(path).is_dir() else Path(path).parent
        self._lines: dict[tuple[int, str], list[int]] | None = None

    @classmethod
    def of(cls, path: str, batches: Sequence[Batch]) -> Nearby:
        """Return what some batches of a log say, and the controller's log beside it."""
        found = cls(path)
        for batch in batches:
            found.note(batch)
            for record in batch.control_records:
                if record.type == LEADER_CHANGE:
                    found.leads(record.offset, record.timestamp)
        return found

    def note(self, batch: Batch) -> None:
        """Take the records of a batch."""
        for record in batch.records_of(OF_BROKERS):
            self._note(record)

    def leads(self, offset: int, time: int | None) -> None:
        """Take a change of the leader; its time is in milliseconds, None where it is not known."""
        self.leaders.append(_Moment(offset, -1 if time is None else time, LEADS))

    def _note(self, record: Record) -> None:
        data, what = record.data, ""
        if record.type == REGISTER_BROKER_RECORD:
            what = REGISTERS
        elif record.type == UNREGISTER_BROKER_RECORD:
            what = UNREGISTERED
        elif record.type == FENCE_BROKER_RECORD or data.get("fenced", 0) == 1:
            what = FENCED
        elif record.type == UNFENCE_BROKER_RECORD or data.get("fenced", 0) == -1:
            what = UNFENCED
        elif data.get("inControlledShutdown", 0) == 1:
            what = SHUTS_DOWN
        if what:
            broker = data.get("brokerId", data.get("id", -1))
            moments = self.brokers.setdefault(broker, [])
            process = moments[-1].process if moments else ""
            if what == REGISTERS:
                process = str(data.get("incarnationId", ""))
            self._places[record.offset] = broker, len(moments)
            moments.append(_Moment(record.offset, record.timestamp, what, process))

    def likely(self, offset: int, rows: Mapping[str, str]) -> Likely | None:
        """Return which rows most likely wrote the record of a broker at an offset, None where nothing near it shows it.

        `rows` are the events of the rows that may have written it, by their ids. A fence is asked about in front of the
        registration behind it: what is found of the one decides about the other.
        """
        if rows.keys() == {CLEAN, UNCLEAN}:
            return self._stopped(offset)
        stale = tuple(row for row, event in rows.items() if event == STALE)
        beats = tuple(row for row, event in rows.items() if event == HEARTBEAT)
        found = self._places.get(offset)
        if not stale or not beats or found is None:
            return None
        broker, at = found
        moments = self.brokers[broker]
        fence, before = moments[at], moments[at - 1] if at else None
        after = moments[at + 1] if at + 1 < len(moments) else None
        if fence.what != FENCED or fence.time < 0:
            return None
        likely = (
            self._of_controller(broker, fence, stale, beats)
            or _leaving(fence, before, beats)
            or self._again(fence, before, stale)
            or _later(fence, before, after, stale, beats)
        )
        # One that is fenced once more was stopped in front of the first fence, of which this one says nothing.
        if likely is not None and likely.rows == stale and (before is None or before.what != FENCED):
            self._expired.add(offset)
        return likely

    def _stopped(self, offset: int) -> Likely | None:
        """Whether the process in front of a registration stopped in good order."""
        broker, at = self._places.get(offset, (0, 0))
        if at == 0:
            return None
        moments = self.brokers[broker]
        last = moments[at - 1]
        if last.what in (UNFENCED, REGISTERS):
            return Likely(
                (UNCLEAN,), f"neither a shutdown nor a fence of its last process is in front of it (@{last.offset})"
            )
        if at > 1 and last.what == FENCED and (began := moments[at - 2]).what == SHUTS_DOWN:
            return Likely(
                (CLEAN,),
                f"its last process began a controlled shutdown (@{began.offset}), and was fenced (@{last.offset})",
            )
        if last.offset in self._expired:
            return Likely((UNCLEAN,), f"the session of its last process most likely expired (@{last.offset})")
        return None

    def _of_controller(
        self, broker: int, fence: _Moment, stale: tuple[str, ...], beats: Sequence[str]
    ) -> Likely | None:
        """Evidence of the controller's own log within a second of the fence."""
        drained = tuple(row for row in beats if row == "HB10")
        for what, rows, says in (
            (STALE, stale, "its session has timed out"),
            (HEARTBEAT, drained, "its request to shut down has been granted"),
        ):
            times = self._log().get((broker, what), ())
            near = [one for one in times if abs(one - fence.time) <= NEAR]
            if near and rows:
                return Likely(rows, f"the controller's log beside it says so at {_clock(near[0])}: {says}")
        return None

    def _again(self, fence: _Moment, before: _Moment | None, stale: tuple[str, ...]) -> Likely | None:
        """A broker that was fenced already is fenced once more after another controller became active."""
        if before is None or before.what != FENCED:
            return None
        over = [one for one in self.leaders if before.offset < one.offset < fence.offset and one.time >= 0]
        if not over:
            return None
        ago = spelled((fence.time - over[-1].time) / 1000)
        return Likely(
            stale, f"a controller became active {ago} before (@{over[-1].offset}), with which its sessions begin anew"
        )

    def _log(self) -> Mapping[tuple[int, str], list[int]]:
        if self._lines is None:
            self._lines = {}
            for name in CONTROLLER_LOGS:
                path = self._folder / name
                if path.is_file():
                    for line in _read(path):
                        self._line(line)
        return self._lines

    def _line(self, line: str) -> None:
        for pattern, what in ((_TIMED_OUT, STALE), (_GRANTED, HEARTBEAT)):
            said, time = pattern.search(line), _TIME.match(line)
            if said is not None and time is not None and self._lines is not None:
                self._lines.setdefault((int(said[1]), what), []).append(_milliseconds(time))


def _leaving(fence: _Moment, before: _Moment | None, beats: Sequence[str]) -> Likely | None:
    """A controlled shutdown is under way, since less than a session."""
    if before is None or before.what != SHUTS_DOWN or "HB10" not in beats:
        return None
    if not 0 <= fence.time - before.time < SESSION:
        return None
    ago = spelled((fence.time - before.time) / 1000)
    return Likely(
        ("HB10",),
        f"it began its controlled shutdown {ago} before (@{before.offset}), less than a session (9 s by default)",
    )


def _later(
    fence: _Moment, before: _Moment | None, after: _Moment | None, stale: tuple[str, ...], beats: Sequence[str]
) -> Likely | None:
    """Return the evidence of the next event: the broker comes back, or another registers without a shutdown before."""
    if after is None or after.time < 0 or (before is not None and before.what in (SHUTS_DOWN, FENCED)):
        return None
    gone = spelled(abs(after.time - fence.time) / 1000)
    if after.what == UNFENCED:
        return Likely(stale, f"the same process is unfenced {gone} later (@{after.offset}) without registering again")
    if after.what != REGISTERS:
        return None
    if after.process == fence.process:
        return Likely(stale, f"the same process registers again {gone} later (@{after.offset}): it did not stop")
    if "HB7" in beats or "HB10" in beats:
        # A broker that leads nothing is fenced at once when it asks to stop.
        return None
    return Likely(
        stale,
        f"another process of it registers {gone} later (@{after.offset}), and no controlled shutdown is in front of "
        "the fence",
    )


def _read(path: Path) -> Iterator[str]:
    """Yield the lines of a controller's log, long ones cut, as far as it can be read and is not too long."""
    left = LONGEST
    with contextlib.suppress(TraceError, OSError, EOFError, zlib.error), open_file(str(path)) as stream:
        while left > 0 and (line := stream.readline(WIDEST)):
            left -= len(line)
            yield line.decode("utf-8", "replace")


def _milliseconds(time: re.Match[str]) -> int:
    if time[1] is not None:
        return int(time[1])
    return round(datetime.strptime(time[2], "%Y-%m-%d %H:%M:%S,%f").replace(tzinfo=UTC).timestamp() * 1000)


def _clock(time: int) -> str:
    found = utc(time)
    return f"{time} ms" if found is None else f"{found:%H:%M:%S.%f}"[:-3]
