"""The progress of a job on Spark: what its tasks checked, counted by Spark's accumulators as each task ends."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

COUNTED = ("logs", "records", "violations", "parts", "parts_planned")
"""The names of the counts: of large logs the parts that are checked, and how many there are, too."""


@dataclass(frozen=True)
class Counts:
    """The numbers of a job's logs, of those that an earlier attempt checked, and of those checked until now.

    A task that runs again is counted again: these are figures for a waiting user, and no result.
    """

    whole: int
    kept: int
    accumulators: tuple[Any, ...]

    def until_now(self) -> dict[str, int]:
        """Return the logs, records, violations and parts of the tasks that have ended, and the parts that there are."""
        found = dict(zip(COUNTED, (int(one.value) for one in self.accumulators), strict=True))
        parts = min(found["parts"], found["parts_planned"])
        return found | {"logs": min(found["logs"], self.whole - self.kept), "parts": parts}


Watcher = Callable[[Counts], None]
_watcher: ContextVar[Watcher | None] = ContextVar("watcher", default=None)
_noted: ContextVar[Callable[[str], None] | None] = ContextVar("noted", default=None)
_counts: ContextVar[Counts | None] = ContextVar("counts", default=None)


@contextmanager
def watched(watcher: Watcher, noted: Callable[[str], None]) -> Iterator[None]:
    """Call with each job that begins until the end of the block, whose counts go on changing, and with each note."""
    token, other = _watcher.set(watcher), _noted.set(noted)
    try:
        yield
    finally:
        _watcher.reset(token)
        _noted.reset(other)


def note(sentence: str) -> None:
    """Report how a job is done, if a watcher is set."""
    noted = _noted.get()
    if noted is not None:
        noted(sentence)


@contextmanager
def counting(session: Any, whole: int, kept: int = 0) -> Iterator[None]:
    """Count what the tasks check that are planned in the block, if a watcher is set."""
    watcher = _watcher.get()
    try:
        made = None if watcher is None else tuple(session.sparkContext.accumulator(0) for _ in COUNTED)
    except Exception:
        # Spark Connect does not report the progress of a job.
        made = None
    if watcher is None or made is None:
        yield
        return
    counts = Counts(whole, kept, made)
    token = _counts.set(counts)
    watcher(counts)
    try:
        yield
    finally:
        _counts.reset(token)


def accumulators() -> dict[str, Any]:
    """Return the accumulators of tasks that are planned now, by what is counted; none where no watcher is set."""
    counts = _counts.get()
    return {} if counts is None else dict(zip(COUNTED, counts.accumulators, strict=True))


def count(counts: Mapping[str, Any], rows: Iterable[Mapping[str, Any]]) -> None:
    """Count the logs of which rows of the tables are; the records of one in parts are counted by its parts."""
    if counts:
        logs = [row["logs"] for row in rows if row["kind"] == "logs"]
        counts["logs"].add(len(logs))
        counts["violations"].add(sum(log["violations"] for log in logs))
        counts["records"].add(sum(log["records"] for log in logs if log.get("parts") is None))


def planned(parts: int) -> None:
    """Note that logs are checked in so many parts, if a watcher is set."""
    counts = accumulators()
    if counts:
        counts["parts_planned"].add(parts)
