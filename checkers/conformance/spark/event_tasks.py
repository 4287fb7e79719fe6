"""Event traces checked on Spark, a task each: the tables are evaluated for every request of a trace beside its log."""

from __future__ import annotations

import json
import platform
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from fencepost.checkers.conformance.records.static_settings import StaticSettings
from fencepost.checkers.conformance.requests.traces import EventMonitor
from fencepost.model.releases import RELEASES
from fencepost.traces import LogSource

from .job import ran, refuse
from .packing import packed
from .shipped import shipped
from .tables import COUNTS, MISMATCH, columns
from .tasks import prepared
from .versions import here

JUDGES = ("fencepost.checkers.conformance.spark.event_tasks", "judged_traces")
"""The module and the name of the function that checks the traces of a task."""

EVENTS = pa.schema(
    [
        ("number", pa.int64()),
        ("path", pa.string()),
        ("log", pa.string()),
        ("verdict", pa.string()),
        ("events", pa.int64()),
        ("judged", COUNTS),
        ("rows", COUNTS),
        (
            "differences",
            pa.list_(
                pa.struct(
                    [
                        ("line", pa.int64()),
                        ("request", pa.string()),
                        ("offset", pa.int64()),
                        ("what", pa.string()),
                        ("message", pa.string()),
                    ]
                )
            ),
        ),
        ("document", pa.string()),
        ("cannot", pa.string()),
        ("seconds", pa.float64()),
        ("cpu_seconds", pa.float64()),
        ("host", pa.string()),
        (MISMATCH, pa.string()),
    ]
)
"""A row a trace: its verdict, events checked by request, rows that answered, and every difference.

`document` is all of it as JSON. A trace or a log that cannot be read is inconclusive, and `cannot` says why.
"""


Monitors = dict[tuple[str, int], EventMonitor]
"""The monitors of a worker, by the release and the settings of the traces that they check."""


@dataclass(frozen=True, slots=True)
class TraceJob:
    """An event trace, the log of the controller that it is of, the release whose tables are evaluated, and static
    settings.

    A worker takes the tables of its own package: what reads requests speaks of their variables.
    """

    trace: str
    log: LogSource
    release: str
    settings: StaticSettings

    def monitor(self, ready: Monitors) -> EventMonitor:
        """Return the monitor that checks the trace, which is made once for all traces with the same query."""
        # Settings that were one object when they were sent are one to a worker, too.
        asked = self.release, id(self.settings)
        if asked not in ready:
            ready[asked] = EventMonitor(self.settings.on(RELEASES[self.release].for_logs), self.settings.given)
        return ready[asked]


def traces_judged(session: Any, jobs: Sequence[TraceJob]) -> Any:
    """Return the rows of `EVENTS` for some traces as a DataFrame that is not yet computed, a task for each trace."""
    payload = packed(list(jobs))
    numbers = session.range(0, len(jobs), 1, len(jobs)).selectExpr("id as number")
    return numbers.mapInArrow(shipped(payload, here(), EVENTS, JUDGES), columns(EVENTS))


def _none_yet(jobs: Sequence[TraceJob]) -> Monitors:
    return {}


def judged_traces(payload: bytes, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Check the traces of some numbers."""
    jobs, ready = prepared(payload, _none_yet)
    for batch in batches:
        for number in batch.column("number").to_pylist():
            job = jobs[number]
            yield pa.RecordBatch.from_pylist([_row(number, job, job.monitor(ready))], schema=EVENTS)


def _row(number: int, job: TraceJob, monitor: EventMonitor) -> dict[str, Any]:
    began, cpu = time.monotonic(), time.process_time()
    found = monitor.document(job.log, job.trace)
    row = {name: found.get(name) for name in ("path", "log", "verdict", "events", "cannot")}
    row |= {name: list(found[name].items()) for name in ("judged", "rows") if name in found}
    row["differences"] = found.get("differences")
    took = {"seconds": time.monotonic() - began, "cpu_seconds": time.process_time() - cpu, "host": platform.node()}
    return {"number": number, "document": json.dumps(found), **row, **took}


def documents(session: Any, jobs: Sequence[TraceJob]) -> list[dict[str, Any]]:
    """Check traces on Spark, and return their documents in the order of the jobs.

    Raises `Refusal` where Spark fails, and where workers have another package.
    """
    rows = ran(traces_judged(session, jobs).toArrow).to_pylist()
    refuse(row[MISMATCH] for row in rows if row[MISMATCH] is not None)
    found = {row["number"]: json.loads(row["document"]) for row in rows}
    return [found[number] for number in range(len(jobs))]
