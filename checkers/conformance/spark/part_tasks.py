"""Tasks with a large log: some abridge it, one replays and cuts it, one checks each part, one joins them.

All of them read the bytes that they need where these lie; what moves between them is the log abridged, the state at
each cut, and what was found.
"""

from __future__ import annotations

import pickle
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from fencepost.checkers.conformance.many import Job
from fencepost.checkers.conformance.reading.monitor import Monitor
from fencepost.checkers.conformance.results.progress import Progress
from fencepost.checkers.conformance.results.results import LogResult
from fencepost.checkers.conformance.spark.abridging import Abridged, Range, abridged
from fencepost.checkers.conformance.spark.parts import Carried, Judges, Part, Place, composed, judged_part, replayed_at
from fencepost.traces import LogSource, MetadataLog
from fencepost.traces.stretches import AbridgedLog

from .tables import MISMATCH
from .tasks import judged_by, prepared

MODULE = "fencepost.checkers.conformance.spark.part_tasks"
ABRIDGE, CUT, JUDGE, JOIN = ((MODULE, one) for one in ("abridged_ranges", "cut_logs", "judged_parts", "answers"))
"""The module and the names of the functions that the four kinds of tasks call."""

ABRIDGED = pa.schema([("number", pa.int64()), ("content", pa.binary()), (MISMATCH, pa.string())])
"""The schema of abridged ranges of a log's bytes, by the range's number; null where one cannot be read."""

PARTS = pa.schema(
    [
        ("group", pa.int64()),
        ("number", pa.int64()),
        ("part", pa.int64()),
        ("count", pa.int64()),
        ("seconds", pa.float64()),
        ("cpu_seconds", pa.float64()),
        ("carried", pa.binary()),
        ("found", pa.binary()),
        ("records", pa.int64()),
        (MISMATCH, pa.string()),
    ]
)
"""The schema of a shuffled row: the task, the log and the part that it is for, how many parts there are, what the work
took so far, the state in front of the part, what was found, and in how many records. A log that is checked whole has
one part, and none of the latter three."""


@dataclass(frozen=True, slots=True)
class PartsPlan:
    """The input of every worker: how to make its checker, and the large logs by their numbers, abridged.

    `cuts` says behind which offsets each is cut, `first` which task checks the first of its parts.
    """

    maker: Callable[..., Any]
    given: tuple[Any, ...]
    blank: Callable[[str], LogResult]
    jobs: Mapping[int, Job[LogSource]]
    logs: Mapping[int, AbridgedLog]
    cuts: Mapping[int, Sequence[int]]
    first: Mapping[int, int]


class _Enough(Exception):
    """The result of a reading is known: the checker need not go on."""


def _checker(plan: PartsPlan) -> Judges:
    return plan.maker(*plan.given)  # type: ignore[no-any-return]


class _Clock:
    """The time and memory that the work on a part took."""

    def __init__(self) -> None:
        self.began, self.cpu = time.monotonic(), time.process_time()

    def said(self) -> dict[str, float]:
        """Return it as columns."""
        return {"seconds": time.monotonic() - self.began, "cpu_seconds": time.process_time() - self.cpu}


# -- abridging ---------------------------------------------------------------------------------------------------------
def abridged_ranges(payload: bytes, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Read the ranges of some numbers, and yield what is kept of each."""
    ranges: list[Range] = pickle.loads(payload)
    for batch in batches:
        for number in batch.column("number").to_pylist():
            try:
                content = pickle.dumps(abridged(ranges[number]), pickle.HIGHEST_PROTOCOL)
            except Exception:
                # The task that checks the log whole reports what is wrong.
                content = None
            yield pa.RecordBatch.from_pylist([{"number": number, "content": content}], schema=ABRIDGED)


def unpacked(content: bytes) -> Abridged:
    """Return what a task kept of a range."""
    found: Abridged = pickle.loads(content)
    return found


# -- cutting -----------------------------------------------------------------------------------------------------------
def cut_logs(payload: bytes, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Replay the logs of some numbers, and yield what is carried into each of their parts."""
    plan, judge = prepared(payload, _checker)
    for batch in batches:
        for number in batch.column("number").to_pylist():
            clock = _Clock()
            with _Spool() as spool:
                if not _cut(plan, judge, number, spool):
                    spool.places.clear()
                took, count = clock.said(), len(spool.places) + 1
                for part, carried in enumerate(spool.read()):
                    row = {"group": plan.first[number] + part, "number": number, "part": part, "count": count}
                    # All that is needed of the next part is where it begins.
                    given = (carried, spool.places[part] if part + 1 < count else None)
                    content = pickle.dumps(given, pickle.HIGHEST_PROTOCOL) if count > 1 else None
                    yield _batch([{**row, **took, "carried": content}])
                    took = {"seconds": 0.0, "cpu_seconds": 0.0}


class _Spool:
    """The state that is carried into the parts of a log, on disk: its size grows with the log, and memory does not."""

    def __init__(self) -> None:
        self.places: list[Place] = []
        self._file = tempfile.TemporaryFile()  # noqa: SIM115 - closed by __exit__

    def __enter__(self) -> _Spool:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def keep(self, carried: Carried) -> None:
        """Put down what is carried into one more part."""
        pickle.dump(carried, self._file, pickle.HIGHEST_PROTOCOL)
        self.places.append(carried.place)

    def read(self) -> Iterator[Carried | None]:
        """Yield what is carried into each part, None for the first."""
        yield None
        self._file.seek(0)
        for _ in self.places:
            yield pickle.load(self._file)


def _cut(plan: PartsPlan, judge: Judges, number: int, spool: _Spool) -> bool:
    """Keep what is carried over each cut of a log; False where it has to be checked whole."""

    def replays(monitor: Monitor, log: MetadataLog, **how: Any) -> LogResult:
        replayed_at(monitor, log, how["turns"], plan.cuts[number], spool.keep)
        raise _Enough

    try:
        judge.log(plan.logs[number], None, replays)
    except _Enough:
        return True
    except Exception:
        # The task that checks it whole reports what is wrong.
        return False
    return False


def cuts_of(pieces: Sequence[tuple[int, int]], count: int) -> list[int]:
    """Return the offsets that divide a log into so many parts of about as many bytes.

    It may be cut in front of each of some pieces, which are given by their first offset and bytes.
    """
    whole, read, cuts = sum(size for _, size in pieces), 0, list[int]()
    for offset, size in pieces:
        if read * count >= whole * (len(cuts) + 1) and read:
            cuts.append(offset)
        read += size
    return cuts[: count - 1]


# -- checking ----------------------------------------------------------------------------------------------------------
def judged_parts(payload: bytes, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Check parts of logs, each by itself, and yield the results of each."""
    plan, judge = prepared(payload, _checker)
    places = {number: at for at, number in enumerate(plan.jobs)}
    for batch in batches:
        for row in batch.to_pylist():
            if row[MISMATCH] is None:
                clock = _Clock()
                found = None if row["carried"] is None else _judged(plan, judge, row)
                took = clock.said()
                row["found"] = None if found is None else pickle.dumps(found, pickle.HIGHEST_PROTOCOL)
                row["records"] = None if found is None else found.out.records
                row["group"] = places[row["number"]]
                for name, seconds in took.items():
                    row[name] += seconds
            yield _batch([row])


def _judged(plan: PartsPlan, judge: Judges, row: Mapping[str, Any]) -> Part | None:
    """Return the result of a part, None where something failed: the log is checked whole then."""
    carried, end = pickle.loads(row["carried"])
    found: list[Part] = []

    def reads(monitor: Monitor, log: MetadataLog, **how: Any) -> LogResult:
        found.append(judged_part(monitor, log, how["turns"], carried, end))
        raise _Enough

    try:
        judge.log(plan.logs[row["number"]], None, reads)
    except Exception:
        return found[0] if found else None
    return None


# -- joining -----------------------------------------------------------------------------------------------------------
def answers(payload: bytes, batches: Iterable[pa.RecordBatch]) -> Iterator[list[dict[str, Any]]]:
    """Put together the results of the parts of each log, and answer as a task that checks it whole."""
    plan, judge = prepared(payload, _checker)
    waiting: dict[int, list[dict[str, Any]]] = {}
    for batch in batches:
        for row in batch.to_pylist():
            if row[MISMATCH] is not None:
                yield [{"kind": MISMATCH, MISMATCH: row[MISMATCH]}]
                continue
            parts = waiting.setdefault(row["number"], [])
            parts.append(row)
            if len(parts) == row["count"]:
                yield _answered(plan, judge, sorted(waiting.pop(row["number"]), key=lambda one: one["part"]))


def _answered(plan: PartsPlan, judge: Judges, rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    number, whole = rows[0]["number"], any(row["found"] is None for row in rows)
    parts: list[Part] = [] if whole else [pickle.loads(row["found"]) for row in rows]
    carried: list[Carried] = [] if whole else [pickle.loads(row["carried"])[0] for row in rows[1:]]

    def reads(monitor: Monitor, log: MetadataLog, **how: Any) -> LogResult:
        return composed(monitor, log, how["turns"], carried, parts, how["bear"], how["progress"])

    def work(source: LogSource, progress: Progress) -> LogResult:
        return judge.log(plan.logs[number], progress, None if whole else reads)

    said = list(judged_by(plan.jobs[number], work, plan.blank, number, rows[0]["group"]))
    for row in said:
        if row["kind"] == "logs":
            for name in ("seconds", "cpu_seconds"):
                row["logs"][name] += sum(one[name] for one in rows)
            row["logs"]["parts"] = len(rows)
            row["logs"]["carried_bytes"] = sum(len(one["carried"] or b"") for one in rows)
    return said


def _batch(rows: list[dict[str, Any]]) -> pa.RecordBatch:
    return pa.RecordBatch.from_pylist(rows, schema=PARTS)
