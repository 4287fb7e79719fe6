"""`fencepost conform --events`: the requests of event traces, checked beside their logs, as lines of text."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fencepost.checkers.verdicts import ExitCode, Refusal, Verdict
from fencepost.traces.errors import TraceError

if TYPE_CHECKING:
    from fencepost.checkers.conformance.records.static_settings import StaticSettings
    from fencepost.checkers.conformance.spark.cluster import Cluster
    from fencepost.traces import LogSource

SHOWN = 10
"""Differences that the page shows; the JSON document has them all."""

CODES = {
    Verdict.VIOLATES.value: ExitCode.DOES_NOT_CONFORM,
    Verdict.UNDECIDED.value: ExitCode.INCONCLUSIVE,
    Verdict.INCONCLUSIVE.value: ExitCode.INCONCLUSIVE,
}
"""The exit code for a trace's verdict; 0 where there is none."""

Traces = Sequence[tuple["LogSource", Path]]
"""Event traces, each with the log of the controller that it is of."""


def traces_of(paths: list[str], events: Path) -> Traces:
    """Return the trace in a file with the one log below the paths, or, for a name without a folder that is no file,
    the traces of that name beside the logs.

    Raises `Refusal` where there are several logs for one file, or no trace.
    """
    from fencepost.traces import find_logs

    if events.is_file():
        sources = list(find_logs(paths))
        if len(sources) != 1:
            raise Refusal(
                f"--events {events}: the paths hold {len(sources)} logs; name the log of the controller of the trace, "
                "or give only the name that the trace of each log has in its folder"
            )
        return [(sources[0], events)]
    if events.name != str(events):
        raise Refusal(f"--events {events}: there is no such file; name an event trace, NDJSON or Parquet")
    beside = [(one, Path(one.segments[0] if one.segments else one.path).parent / events) for one in find_logs(paths)]
    found = [(one, file) for one, file in beside if file.is_file()]
    if not found:
        raise Refusal(
            f"--events {events}: there is no such file, neither here nor beside a log; name an event trace, NDJSON or "
            "Parquet"
        )
    return found


def judged_events(
    traces: Traces, release: Callable[[LogSource], str], settings: StaticSettings, spark: Cluster | bool
) -> list[dict[str, Any]]:
    """Check traces against their logs, with the tables of a release for each, and return the documents.

    On Spark a task checks a trace. Raises `TraceError` for a trace alone that cannot be read, and `Refusal` where Spark
    fails.
    """
    from fencepost.checkers.conformance.spark.event_tasks import Monitors, TraceJob, documents

    jobs = [TraceJob(str(file), log, release(log), settings) for log, file in traces]
    if spark:
        from fencepost.checkers.conformance.spark.cluster import Cluster, opened

        with opened(Cluster() if isinstance(spark, bool) else spark) as session:
            found = documents(session, jobs)
    else:
        ready = Monitors()
        found = [job.monitor(ready).document(job.log, job.trace) for job in jobs]
    if len(found) == 1 and "cannot" in found[0]:
        raise TraceError(found[0]["cannot"])
    return found


def event_lines(found: Mapping[str, Any]) -> list[str]:
    """Return the document of a trace as text: checked events by kind, rows that answered, and the first differences."""
    if "cannot" in found:
        return [f"{found['path']}: {found['verdict']}: {found['cannot']}"]
    judged, differences = sum(found["judged"].values()), found["differences"]
    lines = [
        f"{found['path']}: {found['verdict']}: {judged} of {found['events']} events checked, "
        f"{len(differences)} differences"
    ]
    lines.append(f"  checked: {_counts(found['judged'])}")
    if found["inactive"]:
        lines.append(f"  sent to a controller that was not active: {found['inactive']}")
    for request, reasons in found["not_judged"].items():
        lines += [f"  not checked: {count} {request}: {reason}" for reason, count in reasons.items()]
    for request, reasons in found["unasked"].items():
        lines += [f"  no row asked: {count} {request}: {reason}" for reason, count in reasons.items()]
    lines += [f"  {note}" for note in found["corrected"]]
    lines.append(f"  rows that answered: {_counts(found['rows'])}")
    if found["between"]:
        lines.append(f"  rows that wrote between requests: {_counts(found['between'])}")
    lines += [f"  {note}" for note in found["notes"]]
    for one in differences[:SHOWN]:
        lines.append(f"  line {one['line']}, log at offset {one['offset']}: {one['message']}")
    if len(differences) > SHOWN:
        lines.append(f"  and {len(differences) - SHOWN} more; --json has them")
    return lines


def _counts(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {count}" for name, count in counts.items()) or "none"
