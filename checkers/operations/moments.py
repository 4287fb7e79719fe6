"""Moments of a log: an offset with its time, what `--at` asks for, and how times and durations read."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from typing import Any

from fencepost.checkers.verdicts import Refusal
from fencepost.traces import Batch, Item, LogSource, iterate_log
from fencepost.traces.records import DecodedOnDemand
from fencepost.traces.times import utc

END = "end"
_PRECISION = re.compile(r"\d:\d{2}(:\d{2}(?:[.,](\d+))?)?")
"""A time of day in a moment: its seconds, and the digits behind them."""

_CLOCK = re.compile(r"\d{1,2}:\d{2}(:\d{2}(\.\d{1,6})?)?Z?")


@dataclass(frozen=True, slots=True)
class Moment:
    """A record's offset, and its time in milliseconds since 1970, None where the log does not say one.

    Where a state began with a snapshot it is not `exact`: what holds then has held since that moment or longer.
    """

    offset: int
    time: int | None
    exact: bool = True

    def as_json(self, now: int | None = None) -> dict[str, Any]:
        """Return it as JSON; `seconds` is how long before `now` it was, null where a time is not known."""
        return {
            "offset": self.offset,
            "time": iso(self.time),
            "timestamp": self.time,
            "seconds": None if now is None or self.time is None else max(0, now - self.time) / 1000,
            "exact": self.exact,
        }


class Clock:
    """The times of the batches that were read, by offset."""

    def __init__(self) -> None:
        self._offsets, self._times = array("q"), array("q")

    def note(self, batch: Batch) -> None:
        """Take the times of the records of a batch, which comes behind those that were noted."""
        if len(batch.times) == 1:
            self.at(Moment(batch.base_offset, batch.base_timestamp))
        elif isinstance(batch.records, DecodedOnDemand):
            self._offsets.extend(batch.offsets)
            self._times.extend(batch.records.timestamps().tolist())
        else:
            for record in batch.records:
                self.at(Moment(record.offset, record.timestamp))

    def at(self, moment: Moment) -> None:
        """Take the time of a record, which holds up to the next one that is noted."""
        self._offsets.append(moment.offset)
        self._times.append(-1 if moment.time is None else moment.time)

    def __getitem__(self, offset: int) -> Moment:
        """Return the moment of a record."""
        place = bisect_right(self._offsets, offset) - 1
        time = self._times[place] if place >= 0 else -1
        return Moment(offset, time if time >= 0 else None)


@dataclass(frozen=True, slots=True)
class When:
    """The moment of `--at`: the record at an offset, the last record in front of the first later one, or the end."""

    text: str
    offset: int | None = None
    time: int | None = None

    def is_over(self, offset: int, time: int) -> bool:
        """Whether a record, in log order, is the first one that no longer counts."""
        if self.offset is not None:
            return offset > self.offset
        return self.time is not None and time > self.time


def when(text: str, source: LogSource, option: str = "--at") -> When:
    """Return what a text asks of a log: an offset, a time of ISO 8601 (UTC unless it says otherwise), or `end`.

    A time without a date is of the log's own day. Raises `Refusal` for another text, and for a time without a date
    where the log has no day, or several; `option` is what asks.
    """
    return when_of(text, source.path, lambda: _span(source), option)


def moment(text: str, source: LogSource, option: str = "--at") -> When:
    """Return what a text asks of a log as `when` does, but the last record for `end`."""
    asked = when(text, source, option)
    if asked.text != END:
        return asked
    offset = last_record(iterate_log(source), source.path, asked)[0]
    return When(str(offset), offset=offset)


def when_of(text: str, path: str, span: Callable[[], tuple[int, int] | None], option: str) -> When:
    """Return what a text asks of what lies at a path, as `when` does of a log.

    `span` finds its first and last time in milliseconds, None where it has none.
    """
    asked = text.strip()
    if asked == END:
        return When(asked)
    if asked.isascii() and asked.isdecimal():
        return When(asked, offset=int(asked))
    if _CLOCK.fullmatch(asked):
        return When(
            asked, time=_milliseconds(datetime.combine(_day(path, span(), asked, option), _clock(asked, option), UTC))
        )
    try:
        found = datetime.fromisoformat(asked)
    except ValueError:
        raise _no_moment(asked, option) from None
    return When(asked, time=_milliseconds(found if found.tzinfo is not None else found.replace(tzinfo=UTC)))


def last_record(items: Iterable[Item], path: str, asked: When) -> tuple[int, int | None]:
    """Return the offset of the last record that counts, and its time in milliseconds, None where it is not known.

    `items` are what was read of the log at a path. Raises `Refusal` where no record counts.
    """
    last: tuple[int, int | None] | None = None
    first: Moment | None = None
    for item in items:
        for record in item.records if isinstance(item, Batch) else ():
            first = first or Moment(record.offset, record.timestamp if record.timestamp >= 0 else None)
            if asked.is_over(record.offset, record.timestamp):
                break
            last = record.offset, record.timestamp if record.timestamp >= 0 else None
        else:
            continue
        break
    if asked.offset is not None and (last is None or last[0] != asked.offset):
        return asked.offset, None
    if last is None:
        raise none_before(path, asked, first)
    return last


def require_order(begin: When, end: When) -> None:
    """Refuse a beginning behind the end, or at it."""
    if begin.text == END:
        raise Refusal("--from end: nothing comes behind the end of a log; give an offset or a time")
    for first, last in ((begin.offset, end.offset), (begin.time, end.time)):
        if first is not None and last is not None and first > last:
            raise Refusal(f"--from {begin.text} is behind --to {end.text}: give an earlier --from")


def require_begun(path: str, begin: When, last: Moment, is_end: bool) -> None:
    """Refuse a beginning behind the last record that was read of a log, which is the log's last where `is_end`."""
    late_offset = begin.offset is not None and begin.offset > last.offset
    late_time = begin.time is not None and last.time is not None and begin.time > last.time
    if late_offset or (late_time and is_end):
        which = "the log's end" if is_end else "the last record that counts"
        asked = f"offset {begin.offset}" if late_offset else begin.text
        raise Refusal(
            f"{path}: {asked} is behind {which}, at offset {last.offset} ({shown(last.time)}); give an earlier moment"
        )


def whole(asked: When) -> When:
    """Return the end of what a moment names: its record, or the last millisecond of its day, minute or second."""
    if asked.time is None:
        return asked
    clock = _PRECISION.search(asked.text)
    if clock is None:
        span = 60_000 if "T" in asked.text else 86_400_000
    elif clock[1] is None:
        span = 60_000
    else:
        span = max(1, 1000 // 10 ** len(clock[2] or ""))
    return When(asked.text, time=asked.time + span - 1)


def none_before(path: str, asked: When, first: Moment | None) -> Refusal:
    """Return the refusal of a moment in front of the first record of a log."""
    begins = "" if first is None else f": the log begins at offset {first.offset} ({shown(first.time)})"
    return Refusal(f"{path}: there is no record up to {asked.text}{begins}; ask for a later moment")


def _no_moment(asked: str, option: str) -> Refusal:
    return Refusal(f"{option} {asked}: give an offset, a time such as 2026-11-20T10:32:00Z or 10:32, or {END}")


def _clock(asked: str, option: str) -> time:
    try:
        hour, _, rest = asked.rstrip("Z").partition(":")
        return time.fromisoformat(f"{int(hour):02}:{rest}")
    except ValueError:
        raise _no_moment(asked, option) from None


def _span(source: LogSource) -> tuple[int, int] | None:
    """The first and the last time of a log."""
    first: int | None = None
    last: int | None = None
    for item in iterate_log(source):
        if isinstance(item, Batch):
            for one in item.times:
                if one >= 0 and utc(one) is not None:
                    first = one if first is None else min(first, one)
                    last = one if last is None else max(last, one)
    return None if first is None or last is None else (first, last)


def _day(path: str, span: tuple[int, int] | None, asked: str, option: str) -> date:
    if span is None:
        raise Refusal(f"{option} {asked}: no record of {path} has a time; give an offset")
    days = sorted({found.date() for one in span if (found := utc(one)) is not None})
    if len(days) > 1:
        raise Refusal(
            f"{option} {asked}: the log goes from {days[0]} to {days[1]}; give the date, as in {days[1]}T10:32"
        )
    return days[0]


def _milliseconds(of: datetime) -> int:
    return round(of.timestamp() * 1000)


def iso(time: int | None) -> str | None:
    """Return milliseconds since 1970 in ISO 8601, UTC; None for what is no date."""
    found = None if time is None else utc(time)
    return None if found is None else found.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def shown(time: int | None) -> str:
    """Return milliseconds since 1970 as people read them."""
    if time is None:
        return "at an unknown time"
    found = utc(time)
    return f"{time} ms since 1970, which is no date" if found is None else f"{found:%Y-%m-%d %H:%M:%S} UTC"


def spelled(seconds: float) -> str:
    """Return a duration with its two largest units."""
    if seconds < 1:
        return f"{seconds * 1000:.0f} ms"
    if seconds < 60:
        return f"{seconds:.1f} s"
    whole = round(seconds)
    parts = [(whole // 86400, "d"), (whole // 3600 % 24, "h"), (whole // 60 % 60, "min"), (whole % 60, "s")]
    first = next(at for at, (count, _) in enumerate(parts) if count)
    return " ".join(f"{count} {unit}" for count, unit in parts[first : first + 2] if count)
