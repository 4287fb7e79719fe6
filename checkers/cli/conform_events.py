"""`fencepost conform --events`: the requests of an event trace, judged beside the log, as lines of text."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from fencepost.checkers.verdicts import Refusal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fencepost.checkers.conformance.event_results import EventResult
    from fencepost.checkers.conformance.static_settings import StaticSettings
    from fencepost.model.language import Protocol
    from fencepost.traces import LogSource

SHOWN = 10
"""Differences that the page shows; the JSON document has them all."""


def log_of_trace(paths: list[str], file: Path) -> LogSource:
    """Return the one log below the paths; raises `Refusal` where there are several, or no trace."""
    from fencepost.traces import find_logs

    if not file.is_file():
        raise Refusal(f"--events {file}: there is no such file; name an event trace, NDJSON or Parquet")
    sources = list(find_logs(paths))
    if len(sources) != 1:
        raise Refusal(
            f"--events {file}: the paths hold {len(sources)} logs; name the log of the controller of the trace"
        )
    return sources[0]


def judged_events(log: LogSource, file: Path, protocol: Protocol, settings: StaticSettings) -> EventResult:
    """Judge a trace against the log of its controller."""
    from fencepost.checkers.conformance.events import EventMonitor
    from fencepost.traces import read_log

    return EventMonitor(settings.on(protocol), settings.given).judge_file(read_log(log), file)


def event_lines(result: EventResult) -> list[str]:
    """Return the judgement of a trace as text: events judged by kind, rows that answered, and the first differences."""
    judged = sum(result.judged.values())
    lines = [
        f"{result.path}: {result.verdict.value}: {judged} of {result.events} events judged, "
        f"{len(result.differences)} differences"
    ]
    lines.append(f"  judged: {_counts(result.judged)}")
    if result.inactive:
        lines.append(f"  sent to a controller that was not active: {result.inactive}")
    for request, reasons in sorted(result.not_judged.items()):
        lines += [f"  not judged: {count} {request}: {reason}" for reason, count in sorted(reasons.items())]
    for request, reasons in sorted(result.unasked.items()):
        lines += [f"  no row asked: {count} {request}: {reason}" for reason, count in sorted(reasons.items())]
    lines += [f"  {note}" for note in result.corrected]
    lines.append(f"  rows that answered: {_counts(result.rows)}")
    if result.between:
        lines.append(f"  rows that wrote between requests: {_counts(result.between)}")
    lines += [f"  {note}" for note in result.notes]
    for one in result.differences[:SHOWN]:
        lines.append(f"  line {one.line}, log at offset {one.offset}: {one.message}")
    if len(result.differences) > SHOWN:
        lines.append(f"  and {len(result.differences) - SHOWN} more; --json has them")
    return lines


def _counts(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {count}" for name, count in sorted(counts.items())) or "none"
