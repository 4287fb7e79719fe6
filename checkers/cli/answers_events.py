"""`fencepost answers --kind events`: an event trace of a real controller, put to the reference request by request."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from fencepost.checkers.verdicts import ExitCode, Refusal

from .outcome import Outcome
from .terminal import watching

if TYPE_CHECKING:
    from fencepost.reference.kraft.recorded import Replayed

SHOWN = 10
"""Differences that the page shows; the JSON document has them all."""


def recorded_events(file: Path, log: Path | None) -> Outcome:
    """Put every request of a trace to the reference, and compare answers and records with the recorded ones."""
    if log is None:
        raise Refusal(f"{file}: say --log, the log directory of the controller that answered these requests")
    with watching(f"putting the requests of {file} to the reference controller"):
        found = replay_events(file, log)
    asked = sum(found.requests.values())
    code = ExitCode.DOES_NOT_CONFORM if found.differences else ExitCode.AS_DECLARED if asked else ExitCode.INCONCLUSIVE
    if found.unknown and code is ExitCode.AS_DECLARED:
        code = ExitCode.INCONCLUSIVE
    verdict = "violates" if found.differences else "conforms" if code is ExitCode.AS_DECLARED else "inconclusive"
    fields = {
        "file": str(file),
        "kind": "events",
        "log": str(log),
        "lines": asked + found.inactive + found.expired + sum(found.unknown.values()),
        "requests": dict(sorted(found.requests.items())),
        "inactive": found.inactive,
        "expired": found.expired,
        "skipped": dict(sorted(found.unknown.items())),
        "rows": {},
        "reference": asked,
        "records": found.written,
        "injected": dict(sorted(found.injected.items())),
        # The rows are asked by `conform --events`.
        "differences": [
            {"line": one.line, "field": one.field, "kafka": one.kafka, "tables": None, "reference": one.reference}
            for one in found.differences
        ],
    }
    return Outcome("answers", verdict, code, fields, _page(file, found, verdict))


def replay_events(file: Path, log: Path) -> Replayed:
    """Return what the reference makes of a trace; raises `Refusal` where trace or log cannot be read."""
    from fencepost.checkers.conformance.requests.traces import session_timeout
    from fencepost.reference.kraft.recorded import RecordedController, log_records
    from fencepost.reference.kraft.settings import Settings
    from fencepost.traces import TraceError, read_log
    from fencepost.traces.event_files import read_events

    if not log.exists():
        raise Refusal(f"--log {log}: there is no such log directory")
    try:
        events = list(read_events(file))
        records = list(log_records(read_log(log)))
    except TraceError as error:
        raise Refusal(str(error)) from error
    timeout = session_timeout(file)
    settings = Settings() if timeout is None else Settings(broker_session_timeout_ms=timeout)
    return RecordedController(records, settings).put_all(events)


def _page(file: Path, found: Replayed, verdict: str) -> list[str]:
    asked, by_itself = sum(found.requests.values()), sum(found.injected.values())
    lines = [
        f"{file}: {verdict}: {asked} requests put to the reference controller, {len(found.differences)} differences",
        "  requests: " + ", ".join(f"{name} {count}" for name, count in sorted(found.requests.items())),
        f"  they wrote {found.written} records; the log has {by_itself} that the controller wrote by itself",
    ]
    if found.inactive:
        lines.append(f"  sent to a controller that was not active: {found.inactive}")
    if found.expired:
        lines.append(f"  whose deadline passed before their turn came, so that they never ran: {found.expired}")
    for name, count in sorted(found.unknown.items()):
        lines.append(f"  not put: {count} {name}: the reference knows no such request")
    for one in found.differences[:SHOWN]:
        lines.append(f"  line {one.line}, {one.request} {one.field}: {_said(one)}")
    if len(found.differences) > SHOWN:
        lines.append(f"  and {len(found.differences) - SHOWN} more; --json has them")
    return lines


def _said(one: Any) -> str:
    return f"Kafka {one.kafka!r}, reference {one.reference!r}"[:400]
