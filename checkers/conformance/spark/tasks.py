"""A task: it checks the logs of its group, and answers rows of the tables."""

from __future__ import annotations

import io
import pickle
import platform
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from os import getpid
from typing import Any, TypeVar

import pyarrow as pa

from fencepost.checkers.conformance.many import Job, one, unjudged
from fencepost.checkers.conformance.results.progress import Progress
from fencepost.checkers.conformance.results.results import LogResult
from fencepost.traces.storage import reading_through

from .questions import KeptJob, content_hash, kept_columns
from .tables import MISMATCH, rows_of

NAMED = ("fencepost.checkers.conformance.spark.tasks", "hashes")
"""The module and the name of the function that hashes the content of logs."""

HASHES = pa.schema([("kind", pa.string()), ("number", pa.int64()), ("hash", pa.string()), (MISMATCH, pa.string())])
"""The schema of these hashes, a row a log."""

_Part = TypeVar("_Part")

AT_ONCE = 4096
"""Rows in one batch of answers at most."""


@dataclass(frozen=True, slots=True)
class Plan:
    """The input of every worker: how to make its checker, the logs, and the groups, a task each.

    `blank` makes an empty result for a path, `jobs` are the logs by number. `files` are, of logs that Spark reads, the
    files by the path that Spark gives them, with the URI by which the log names them; `empty` are those of no byte,
    which Spark leaves out.
    """

    maker: Callable[..., Any]
    given: tuple[Any, ...]
    blank: Callable[[str], LogResult]
    jobs: Mapping[int, Job[Any]]
    groups: Sequence[Sequence[int]]
    files: Mapping[int, Mapping[str, str]]
    empty: Mapping[int, Sequence[str]]


_ready: dict[Callable[[Any], Any], tuple[bytes, Any, Any]] = {}


def prepared(payload: bytes, make: Callable[[Any], Any]) -> tuple[Any, Any]:
    """Return a plan, and what `make` makes of it to check by, which a worker does once."""
    if make not in _ready or _ready[make][0] != payload:
        plan = pickle.loads(payload)
        _ready[make] = (payload, plan, make(plan))
    return _ready[make][1:]


def by_log(
    batches: Iterable[pa.RecordBatch],
    part: Callable[[Mapping[str, Any]], _Part],
    judged: Callable[[int, int, list[_Part]], Iterable[dict[str, Any]]],
) -> Iterator[Iterable[dict[str, Any]]]:
    """Yield what is answered of each log, by its number, its group and the parts that its rows are, which come sorted
    by the logs' numbers; and the sentences of tasks with another package."""
    number, group = -1, 0
    parts: list[_Part] = []
    for batch in batches:
        for row in batch.to_pylist():
            if row.get(MISMATCH) is not None:
                yield [{"kind": MISMATCH, MISMATCH: row[MISMATCH]}]
                continue
            if row["number"] != number and parts:
                yield judged(number, group, parts)
                parts = []
            number, group = row["number"], row["group"]
            parts.append(part(row))
    if parts:
        yield judged(number, group, parts)


def _checker(plan: Plan) -> Callable[..., Any]:
    return plan.maker(*plan.given).source  # type: ignore[no-any-return]


def answers(payload: bytes, batches: Iterable[pa.RecordBatch]) -> Iterator[list[dict[str, Any]]]:
    """Check the logs of a group, each as soon as its files are there; yield rows of the tables."""
    plan, work = prepared(payload, _checker)
    yield from some_at_once(_judged(plan, work, *one) for one in _arrived(plan, batches))


def some_at_once(found: Iterable[Iterable[dict[str, Any]]]) -> Iterator[list[dict[str, Any]]]:
    """Yield the rows of one log after another, `AT_ONCE` together."""
    rows: list[dict[str, Any]] = []
    for some in found:
        rows += some
        while len(rows) >= AT_ONCE:
            yield rows[:AT_ONCE]
            del rows[:AT_ONCE]
    if rows:
        yield rows


def hashes(payload: bytes, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Yield for the logs of a group the hash under which their answers are kept."""
    plan: Plan = pickle.loads(payload)
    for number, job in sources(plan, batches):
        assert isinstance(job, KeptJob)
        row = {"kind": "hash", "number": number, "hash": content_hash(job)}
        yield pa.RecordBatch.from_pylist([row], schema=HASHES)


def _arrived(plan: Plan, batches: Iterable[pa.RecordBatch]) -> Iterator[tuple[int, dict[str, pa.Buffer], int]]:
    """Yield the numbers of logs, each with its files' contents by URI; those of which a file is missing at last."""
    group = 0
    owners: dict[str, int] = {}
    waiting: dict[int, dict[str, pa.Buffer]] = {}
    for batch in batches:
        groups, paths, contents = (batch.column(name) for name in ("group", "path", "content"))
        for row, path in enumerate(paths.to_pylist()):
            if path is None:
                group = groups[row].as_py()
                for number in plan.groups[group]:
                    found = {uri: pa.py_buffer(b"") for uri in plan.empty.get(number, ())}
                    if plan.files.get(number):
                        waiting[number] = found
                        for name in plan.files[number]:
                            owners[name] = number
                    else:
                        yield number, found, group
                continue
            number = owners[path]
            waiting[number][plan.files[number][path]] = contents[row].as_buffer()
            if len(waiting[number]) == len(plan.files[number]) + len(plan.empty.get(number, ())):
                yield number, waiting.pop(number), group
    for number, found in waiting.items():
        yield number, found, group


def _judged(
    plan: Plan, work: Callable[..., Any], number: int, contents: Mapping[str, pa.Buffer], group: int
) -> Iterator[dict[str, Any]]:
    job = plan.jobs[number]
    if number not in plan.files:
        yield from judged_by(job, work, plan.blank, number, group)
        return
    with reading_through(Delivered(contents).at):
        yield from list(judged_by(job, work, plan.blank, number, group))


def judged_by(
    job: Job[Any], work: Callable[..., Any], blank: Callable[[str], LogResult], number: int, group: int | None
) -> Iterator[dict[str, Any]]:
    """Yield the rows of the tables that say how a log was checked, in which group of a task; None for the driver."""
    kept = kept_columns(job)
    began, cpu = time.monotonic(), time.process_time()
    try:
        result = one(job, work, blank, Progress())
    except Exception as error:
        # A defect of ours in one log: the job goes on, and the log does not count as checked.
        said = " ".join(str(error).split())
        result = unjudged(
            blank(job.path),
            f"{job.path}: something went wrong inside fencepost ({type(error).__name__}: {said}); check it without "
            "Spark and with FENCEPOST_TRACEBACK=1 to see where",
        )
    yield from rows_of(
        number,
        result,
        {
            "bytes": job.size,
            "seconds": time.monotonic() - began,
            "cpu_seconds": time.process_time() - cpu,
            "host": platform.node(),
            "worker": getpid(),
            "task": group,
            **kept,
        },
    )


def sources(plan: Plan, batches: Iterable[pa.RecordBatch]) -> Iterator[tuple[int, Job[Any]]]:
    """Yield the numbers and jobs of a group, each as soon as its files are there, which are read until the next one."""
    for number, contents, _ in _arrived(plan, batches):
        with reading_through(Delivered(contents).at) if number in plan.files else nullcontext():
            yield number, plan.jobs[number]


class Delivered:
    """The files of one log that Spark read, as a filesystem to `reading_through`."""

    def __init__(self, contents: Mapping[str, pa.Buffer]) -> None:
        self._contents = contents

    def at(self, uri: str) -> tuple[Delivered, str]:
        """Return the filesystem of a URI and the path in it."""
        return self, uri

    def open_input_file(self, uri: str) -> io.RawIOBase:
        """Return a file; raises `FileNotFoundError` for one that did not come."""
        if uri not in self._contents:
            raise FileNotFoundError("Spark listed the file and could not read it")
        found: io.RawIOBase = pa.BufferReader(self._contents[uri])
        return found
