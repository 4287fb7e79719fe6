"""Large logs judged by several tasks each: which logs that is, and the plan of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from fencepost.checkers.conformance.by_term import TermJudge
from fencepost.checkers.conformance.many import Job
from fencepost.checkers.conformance.results import LogResult
from fencepost.traces import LogSource

from .hadoop import is_elsewhere
from .packing import packed
from .part_tasks import CUT, JOIN, JUDGE, PARTS, PartsPlan
from .shipped import shipped
from .tables import ANSWERS, columns
from .versions import here


def large_among(jobs: Sequence[Job[Any]], maker: Callable[..., Any], split: int) -> list[int]:
    """Return the numbers of the logs that several tasks judge: those of more than so many bytes, 0 for none.

    These are logs that every worker can open under one path, as judges of metadata logs take them.
    """
    from fencepost.checkers.conformance.conform import Judge

    if not split or maker not in (Judge, TermJudge):
        return []
    return [
        number
        for number, job in enumerate(jobs)
        if job.size > split and isinstance(job.source, LogSource) and not is_elsewhere(job.path)
    ]


def answers_in_parts(
    session: Any,
    jobs: Sequence[Job[Any]],
    large: Sequence[int],
    split: int,
    maker: Callable[..., Any],
    given: tuple[Any, ...],
    blank: Callable[[str], LogResult],
) -> Any:
    """Return what the tasks will answer of large logs, as a DataFrame that is not yet computed.

    What the tasks that cut logs leave is shuffled to those that judge the parts, and what these find to one for each
    log; no record is.
    """
    most = {number: -(-jobs[number].size // split) for number in large}
    first = {number: sum(most[one] for one in large[:at]) for at, number in enumerate(large)}
    payload = packed(PartsPlan(maker, given, blank, {number: jobs[number] for number in large}, most, first))
    numbers = session.createDataFrame([(at, number) for at, number in enumerate(large)], "place int, number bigint")
    cut = _placed(numbers, len(large), "place").mapInArrow(shipped(payload, here(), PARTS, CUT), columns(PARTS))
    parts = _placed(_by_group(cut), sum(most.values()), "group")
    judged = parts.mapInArrow(shipped(payload, here(), PARTS, JUDGE), columns(PARTS))
    together = _placed(_by_group(judged), len(large), "group")
    return together.mapInArrow(shipped(payload, here(), ANSWERS, JOIN), columns(ANSWERS))


def _by_group(rows: Any) -> Any:
    """Return rows whose group can be a partition's number; one that says that a package differs has none."""
    others = [f"`{name}`" for name in PARTS.names if name != "group"]
    return rows.selectExpr("cast(coalesce(`group`, 0) as int) as `group`", *others)


def _placed(rows: Any, count: int, column: str) -> Any:
    """Return rows in the partition that a column names; older releases of Spark place by a hash of it."""
    place = getattr(rows, "repartitionById", rows.repartition)
    return place(count, column)
