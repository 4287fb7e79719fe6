"""Large logs checked by several tasks each: which logs that is, how they are abridged, and the plan of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pyarrow as pa

from fencepost.checkers.conformance.by_term import TermJudge
from fencepost.checkers.conformance.many import Job
from fencepost.checkers.conformance.results.results import LogResult
from fencepost.checkers.conformance.spark.abridging import WINDOW, Range, log_of, mended, ranges_of
from fencepost.traces import LogSource, TraceError
from fencepost.traces.stretches import AbridgedLog

from .counting import planned
from .hadoop import on_this_machine
from .packing import packed
from .part_tasks import ABRIDGE, ABRIDGED, CUT, JOIN, JUDGE, PARTS, PartsPlan, cuts_of, unpacked
from .records import placed
from .shipped import shipped
from .tables import columns
from .versions import here


def large_among(jobs: Sequence[Job[Any]], maker: Callable[..., Any], split: int) -> list[int]:
    """Return the numbers of the logs that several tasks check: those of more than so many bytes, 0 for none.

    These are segments that every worker can open under one path, as checkers of metadata logs take them.
    """
    from fencepost.checkers.conformance.conform import Judge

    if not split or maker not in (Judge, TermJudge):
        return []
    return [
        number
        for number, job in enumerate(jobs)
        if job.size > split and isinstance(job.source, LogSource) and opened_here(job.source) is not None
    ]


def opened_here(source: LogSource) -> LogSource | None:
    """Return a log whose files every worker can open, by their paths; None for one of which that is not so."""
    paths = [[on_this_machine(one) for one in files] for files in (source.segments, source.snapshots)]
    segments, snapshots = (tuple(one for one in files if one is not None) for files in paths)
    if source.source != "binary" or not segments or len(segments) + len(snapshots) < sum(map(len, paths)):
        return None
    return replace(source, segments=segments, snapshots=snapshots)


def ranges_among(jobs: Mapping[int, Job[Any]], large: Sequence[int], split: int) -> dict[int, list[Range]]:
    """Return the ranges of bytes in which large logs are read; a log of which a file cannot be opened has none."""
    found = {}
    for number in large:
        source = opened_here(jobs[number].source)
        assert source is not None
        try:
            found[number] = ranges_of(source, split, max(1, min(WINDOW, split // 4)))
        except TraceError:
            # The task that checks it whole reports what is wrong.
            continue
    return found


def abridging(session: Any, ranges: Mapping[int, Sequence[Range]]) -> Any:
    """Return what the tasks that read ranges will keep of them, as a DataFrame that is not yet computed."""
    payload = packed([one for each in ranges.values() for one in each])
    count = sum(map(len, ranges.values()))
    numbers = session.range(0, count, 1, count).selectExpr("id as number")
    return numbers.mapInArrow(shipped(payload, here(), ABRIDGED, ABRIDGE), columns(ABRIDGED))


def logs_abridged(
    jobs: Mapping[int, Job[Any]], ranges: Mapping[int, Sequence[Range]], rows: Sequence[Mapping[str, Any]]
) -> dict[int, AbridgedLog]:
    """Return the logs by their numbers of what tasks kept; one that has to be checked whole is not among them."""
    contents = {row["number"]: row["content"] for row in rows}
    logs, first = dict[int, AbridgedLog](), 0
    for number, asked in ranges.items():
        mine = [contents.get(first + at) for at in range(len(asked))]
        first += len(asked)
        source = opened_here(jobs[number].source)
        if source is None or any(one is None for one in mine):
            continue
        try:
            log = log_of(source, mended(asked, [unpacked(one) for one in mine if one is not None]))
        except (TraceError, OSError):
            continue
        if log is not None:
            logs[number] = log
    return logs


def answers_in_parts(
    session: Any,
    jobs: Mapping[int, Job[Any]],
    logs: Mapping[int, AbridgedLog],
    split: int,
    schema: pa.Schema,
    maker: Callable[..., Any],
    given: tuple[Any, ...],
    blank: Callable[[str], LogResult],
) -> Any:
    """Return what the tasks will answer of large logs, as a DataFrame that is not yet computed.

    What the tasks that cut logs leave is shuffled to those that check the parts, and what these find to one for each
    log; no record is.
    """
    large = list(logs)
    cuts = {
        number: cuts_of(
            [(one.first, one.end - one.start) for one in log.stretches.stretches], -(-jobs[number].size // split)
        )
        for number, log in logs.items()
    }
    most = {number: len(cuts[number]) + 1 for number in large}
    first = {number: sum(most[one] for one in large[:at]) for at, number in enumerate(large)}
    plan = PartsPlan(maker, given, blank, {number: jobs[number] for number in large}, dict(logs), cuts, first)
    payload = packed(plan)
    planned(sum(count for count in most.values() if count > 1))
    numbers = session.createDataFrame(list(enumerate(large)), "`group` int, number bigint")
    cut = placed(numbers, len(large)).mapInArrow(shipped(payload, here(), PARTS, CUT), columns(PARTS))
    parts = placed(cut, sum(most.values()))
    judged = parts.mapInArrow(shipped(payload, here(), PARTS, JUDGE), columns(PARTS))
    together = placed(judged, len(large))
    return together.mapInArrow(shipped(payload, here(), schema, JOIN), columns(schema))
