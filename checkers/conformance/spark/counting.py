"""How far a job on Spark is: what its tasks judged, counted by Spark's accumulators as each task ends."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

COUNTED = ("logs", "records", "violations")
"""What is counted."""


@dataclass(frozen=True)
class Counts:
    """How many logs a job has, how many of these an earlier attempt judged, and what its tasks judged until now.

    A task that runs again is counted again: these are figures for people who wait, and no result.
    """

    whole: int
    kept: int
    accumulators: tuple[Any, ...]

    def until_now(self) -> dict[str, int]:
        """Return the logs, records and violations of the tasks that have ended."""
        found = dict(zip(COUNTED, (int(one.value) for one in self.accumulators), strict=True))
        return found | {"logs": min(found["logs"], self.whole - self.kept)}


Watcher = Callable[[Counts], None]
_watcher: ContextVar[Watcher | None] = ContextVar("watcher", default=None)
_counts: ContextVar[Counts | None] = ContextVar("counts", default=None)


@contextmanager
def watched(watcher: Watcher) -> Iterator[None]:
    """Tell somebody of each job that begins until the end of the block; the counts go on changing."""
    token = _watcher.set(watcher)
    try:
        yield
    finally:
        _watcher.reset(token)


@contextmanager
def counting(session: Any, whole: int, kept: int = 0) -> Iterator[None]:
    """Count what the tasks judge that are planned in the block, if somebody watches."""
    watcher = _watcher.get()
    try:
        made = None if watcher is None else tuple(session.sparkContext.accumulator(0) for _ in COUNTED)
    except Exception:
        # Of Spark Connect nobody hears how far it is.
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


def accumulators() -> tuple[Any, ...]:
    """Return what tasks count with that are planned now; nothing where nobody watches."""
    counts = _counts.get()
    return () if counts is None else counts.accumulators
