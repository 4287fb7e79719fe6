"""What tasks do with a large log: one replays it and cuts it, one judges each part, one puts together what was found.

All of them read the log where it lies; what moves between them is the state at each cut, and what was found.
"""

from __future__ import annotations

import pickle
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from fencepost.checkers.conformance.many import Job
from fencepost.checkers.conformance.monitor import Monitor
from fencepost.checkers.conformance.parts import Carried, Judges, Part, composed, judged_part, replayed_at
from fencepost.checkers.conformance.progress import Progress
from fencepost.checkers.conformance.results import LogResult
from fencepost.traces import LogSource, MetadataLog, read_log

from .tables import MISMATCH
from .tasks import batch_of, judged_by

MODULE = "fencepost.checkers.conformance.spark.part_tasks"
CUT, JUDGE, JOIN = (MODULE, "cut_logs"), (MODULE, "judged_parts"), (MODULE, "answers")
"""What the three kinds of tasks call."""

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
        (MISMATCH, pa.string()),
    ]
)
"""What moves: the task, the log and the part that it is for, how many parts there are, what the work took so far, the
state in front of the part, and what was found. A log that is judged whole has one part, and neither of the latter."""


@dataclass(frozen=True, slots=True)
class PartsPlan:
    """What every worker is sent: how to make its judge, and the large logs by their numbers.

    `most` says into how many parts each is cut, `first` which task judges the first of them.
    """

    maker: Callable[..., Any]
    given: tuple[Any, ...]
    blank: Callable[[str], LogResult]
    jobs: Mapping[int, Job[LogSource]]
    most: Mapping[int, int]
    first: Mapping[int, int]


class _Enough(Exception):
    """What was asked of a reading is known: the judge need not go on."""


_ready: dict[bytes, tuple[PartsPlan, Judges]] = {}


def prepared(payload: bytes) -> tuple[PartsPlan, Judges]:
    """Return a plan and its judge, which a worker makes once."""
    if payload not in _ready:
        plan: PartsPlan = pickle.loads(payload)
        _ready.clear()
        _ready[payload] = (plan, plan.maker(*plan.given))
    return _ready[payload]


class _Clock:
    """What the work on a part took."""

    def __init__(self) -> None:
        self.began, self.cpu = time.monotonic(), time.process_time()

    def said(self) -> dict[str, float]:
        """Return it as columns."""
        return {"seconds": time.monotonic() - self.began, "cpu_seconds": time.process_time() - self.cpu}


# -- cutting -----------------------------------------------------------------------------------------------------------
def cut_logs(payload: bytes, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Replay the logs of some numbers, and yield what is carried into each of their parts."""
    plan, judge = prepared(payload)
    for batch in batches:
        for number in batch.column("number").to_pylist():
            clock = _Clock()
            carried = _cut(plan, judge, number)
            for part in range(len(carried) + 1):
                row = {"group": plan.first[number] + part, "number": number, "part": part, "count": len(carried) + 1}
                # All that is needed of the next part is where it begins.
                given = (carried[part - 1] if part else None, carried[part].at if part < len(carried) else None)
                content = pickle.dumps(given, pickle.HIGHEST_PROTOCOL) if carried else None
                took = clock.said() if not part else {"seconds": 0.0, "cpu_seconds": 0.0}
                yield _batch([{**row, **took, "carried": content}])


def _cut(plan: PartsPlan, judge: Judges, number: int) -> list[Carried]:
    """Return what is carried over each cut of a log; nothing where it has to be judged whole."""
    found: list[Carried] = []

    def replays(monitor: Monitor, log: MetadataLog, **how: Any) -> LogResult:
        found.extend(replayed_at(monitor, log, how["turns"], cuts_of(log, plan.most[number])))
        raise _Enough

    try:
        judge.log(read_log(plan.jobs[number].source), None, replays)
    except _Enough:
        return found
    except Exception:
        # Who judges it whole says what is wrong.
        return []
    return []


def cuts_of(log: MetadataLog, count: int) -> list[int]:
    """Return the offsets that divide a log into so many parts of about as many bytes."""
    whole, read, cuts = sum(batch.size for batch in log.batches), 0, list[int]()
    for batch in log.batches:
        if read * count >= whole * (len(cuts) + 1) and read:
            cuts.append(batch.base_offset)
        read += batch.size
    return cuts[: count - 1]


# -- judging -----------------------------------------------------------------------------------------------------------
def judged_parts(payload: bytes, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Judge parts of logs, each by itself, and yield what was found in each."""
    plan, judge = prepared(payload)
    places = {number: at for at, number in enumerate(plan.jobs)}
    for batch in batches:
        for row in batch.to_pylist():
            if row[MISMATCH] is None:
                clock = _Clock()
                found = None if row["carried"] is None else _judged(plan, judge, row)
                took = clock.said()
                row["found"] = None if found is None else pickle.dumps(found, pickle.HIGHEST_PROTOCOL)
                row["group"] = places[row["number"]]
                for name, seconds in took.items():
                    row[name] += seconds
            yield _batch([row])


def _judged(plan: PartsPlan, judge: Judges, row: Mapping[str, Any]) -> Part | None:
    """Return what was found in a part, None where something went wrong: the log is judged whole then."""
    carried, end = pickle.loads(row["carried"])
    found: list[Part] = []

    def reads(monitor: Monitor, log: MetadataLog, **how: Any) -> LogResult:
        found.append(judged_part(monitor, log, how["turns"], carried, end))
        raise _Enough

    try:
        judge.log(read_log(plan.jobs[row["number"]].source), None, reads)
    except Exception:
        return found[0] if found else None
    return None


# -- joining -----------------------------------------------------------------------------------------------------------
def answers(payload: bytes, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Put together what was found in the parts of each log, and answer as whoever judges it whole."""
    plan, judge = prepared(payload)
    waiting: dict[int, list[dict[str, Any]]] = {}
    for batch in batches:
        for row in batch.to_pylist():
            if row[MISMATCH] is not None:
                yield batch_of([{"kind": MISMATCH, MISMATCH: row[MISMATCH]}])
                continue
            parts = waiting.setdefault(row["number"], [])
            parts.append(row)
            if len(parts) == row["count"]:
                yield batch_of(_answered(plan, judge, sorted(waiting.pop(row["number"]), key=lambda one: one["part"])))


def _answered(plan: PartsPlan, judge: Judges, rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    number, whole = rows[0]["number"], any(row["found"] is None for row in rows)
    parts: list[Part] = [] if whole else [pickle.loads(row["found"]) for row in rows]
    carried: list[Carried] = [] if whole else [pickle.loads(row["carried"])[0] for row in rows[1:]]

    def reads(monitor: Monitor, log: MetadataLog, **how: Any) -> LogResult:
        return composed(monitor, log, how["turns"], carried, parts, how["bear"], how["progress"])

    def work(source: LogSource, progress: Progress) -> LogResult:
        return judge.log(read_log(source, progress.read), progress, None if whole else reads)

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
