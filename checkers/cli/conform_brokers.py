"""`fencepost conform` where brokers' log directories lie beside a metadata log: their judgement as lines of text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fencepost.checkers.verdicts import Verdict

from .conform_many import not_shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fencepost.checkers.conformance import LogResult
    from fencepost.checkers.conformance.brokers import DataResult

SHOWN = 4
"""Violations of a recording that the page lists; the JSON document has all."""


def judged_brokers(logs: Sequence[LogResult]) -> list[DataResult]:
    """Check the brokers' directories beside each log, none for a log without any, or that could not be checked.

    Where there are several logs, directories that cannot be read are inconclusive; raises `TraceError` beside one log.
    """
    from fencepost.traces import TraceError, read_log
    from fencepost.traces.broker_recordings import recording_of

    found: list[DataResult] = []
    for log in logs:
        place = None if log.verdict is Verdict.INCONCLUSIVE else recording_of(log.path)
        if place is None:
            continue
        from fencepost.checkers.conformance.brokers import DataResult, judge_recording

        try:
            found.append(judge_recording(place, read_log(log.path)))
        except TraceError as error:
            if len(logs) == 1:
                raise
            found.append(DataResult(place, doubts=[str(error)]))
    return found


def broker_lines(result: DataResult) -> list[str]:
    """Return the judgement of brokers' directories as text: the verdict, what was compared, violations, doubts."""
    brokers = f"brokers {', '.join(map(str, result.brokers))}"
    lines = [
        f"{result.path}: data of {brokers}: {result.verdict.value}: {result.partitions} partitions, {result.batches} "
        f"batches; {result.acknowledged} acknowledged records, found {result.found} times where they must be"
    ]
    if result.unclean:
        lines.append(f"  missing after an unclean election: {result.unclean}")
    if result.lost:
        lines.append(f"  missing in a tail that was lost: {result.lost}")
    for one in result.violations[:SHOWN]:
        whose = "" if one.broker is None else f" on broker {one.broker}"
        place = "" if one.offset is None else f" at offset {one.offset}"
        lines.append(f"  {one.rule}: {one.partition}{whose}{place}: {one.message}")
    lines += not_shown(len(result.violations), SHOWN, "violations")
    lines += [f"  undecided: {doubt}" for doubt in result.doubts[:SHOWN]]
    lines += not_shown(len(result.doubts), SHOWN, "that are undecided")
    lines.append("  compared: " + ", ".join(f"{rule} {count}" for rule, count in result.asked.items()))
    return lines + [f"  {note}" for note in result.notes]
