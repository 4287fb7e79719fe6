"""`fencepost conform` over many logs: progress of their checks, and logs that could not be checked."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from fencepost.checkers.counting import counted
from fencepost.checkers.verdicts import Verdict

from .following import MANY, Following, following
from .following_spark import following_spark
from .terminal import columns

if TYPE_CHECKING:
    from fencepost.checkers.conformance import ConformResult, LogResult

SHOWN = 2
"""Violations of a log that the page lists, so that the screen of the first still fits; the JSON document has all."""

Jobs = Annotated[
    int,
    typer.Option(
        min=1,
        help="How many logs to check at a time, each in a process of its own, which holds the whole log in memory.",
    ),
]


def followed(judge: Callable[[Following | None], ConformResult], noun: str, spark: bool) -> ConformResult:
    """Check something and print its progress; on Ctrl-C return what was checked. `noun` names it in the plural.

    Spark's tasks are counted as each ends.
    """
    from fencepost.checkers.conformance import Stopped

    if spark:
        with following_spark(noun):
            return judge(None)
    try:
        with following(noun) as follow:
            return judge(follow)
    except Stopped as stopped:
        return stopped.result


def begun(result: ConformResult) -> Sequence[LogResult]:
    """Return the results but those of logs that were not begun when all was stopped."""
    return [log for log in result.logs if not _is_not_begun(log)]


def unread(log: LogResult) -> list[str]:
    """Return the one line of a log of which nothing was checked, since it cannot be read or all was stopped."""
    if log.verdict is not Verdict.INCONCLUSIVE:
        return []
    why = " ".join(doubt.message for doubt in log.doubts)
    # What cannot be read says which it is: not always the log itself, but one of its files.
    return [f"{log.path}: {log.verdict.value}: {why.removeprefix(f'{log.path}: ')}"]


def summary(result: ConformResult, lines_of: Callable[[LogResult], list[str]], taken: int) -> list[str]:
    """Return the first line, and the first reason, of each log that does not conform, as far as there is room for lines
    beside those that are `taken`: what violates first."""
    order = (Verdict.VIOLATES, Verdict.INCONCLUSIVE, Verdict.UNDECIDED)
    others = sorted((log for log in begun(result) if log.verdict in order), key=lambda log: order.index(log.verdict))
    lines: list[str] = []
    shown = 0
    for log in others:
        # A long line takes two on a screen.
        if 2 * len(lines) + taken > MANY - 20:
            break
        reasons = [*(one.message for one in log.violations), *(one.message for one in log.doubts)][:1]
        lines += unread(log) or [lines_of(log)[0], *(f"  {reason}" for reason in reasons)]
        shown += 1
    return lines + not_shown(len(others), shown, "logs that do not conform")


def findings_in(result: ConformResult) -> list[str]:
    """Return in how many logs each known finding is seen, the most frequent first."""
    counts = Counter(name for log in result.logs for name in {one.finding for one in log.findings})
    lines = [f"finding {name} in {counted(count, 'log')}" for name, count in counts.most_common(5)]
    return lines + not_shown(len(counts), 5, "findings")


def paragraph(text: str, indent: str = "    ") -> list[str]:
    """Return a sentence as lines as wide as the page; those behind the first stand two columns further in."""
    return textwrap.wrap(
        text,
        columns(),
        initial_indent=indent[:-2],
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )


def problems(log: LogResult, entities: bool = True) -> list[str]:
    """Return the first violations of a recording or a trace, with their subjects if `about` says so, and its doubts."""
    lines: list[str] = []
    for one in log.violations[:SHOWN]:
        about = f", {one.entity}" if entities and one.entity else ""
        lines += paragraph(f"{one.rule} at {one.segment}:{one.offset}{about}: {one.message}")
    lines += not_shown(len(log.violations), SHOWN, "violations")
    for doubt in log.doubts:
        lines += paragraph(f"undecided: {doubt.message}")
    return lines


def not_shown(count: int, shown: int, what: str) -> list[str]:
    """Return the line that says how many there are beside those that are shown, none where these are all."""
    return [f"  and {count - shown} more {what}; --json has them"] if count > shown else []


def by_verdict(result: ConformResult, noun: str) -> list[str]:
    """Return the line that counts the verdicts, none for one log."""
    if len(result.logs) < 2:
        return []
    counts = Counter("not begun" if _is_not_begun(log) else log.verdict.value for log in result.logs)
    return [f"{len(result.logs)} {noun}: " + ", ".join(f"{count} {name}" for name, count in counts.items())]


def _is_not_begun(log: LogResult) -> bool:
    from fencepost.checkers.conformance.many import NOT_BEGUN

    return any(doubt.message == NOT_BEGUN for doubt in log.doubts)
