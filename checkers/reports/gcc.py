"""Diagnostics as GCC prints them, which editors parse: `FILE:LINE:COLUMN: error: MESSAGE [KIND]`, one line a problem.

The form is that of the GNU Coding Standards, section "Formatting Error Messages". A problem that is at no place in a
file begins with the program's name, as one of GCC's driver does.
"""

from __future__ import annotations

from functools import cache

from fencepost.checkers.plain import one_line
from fencepost.files import read_small

from .cases import Case, Problem, Report, Spot, encodable


def gcc_lines(report: Report) -> list[str]:
    """Return the problems of a report as lines: errors, and warnings where nothing was decided."""
    column = cache(_column)
    return [_line(case, one, column(one.spot)) for case in report.cases for one in case.problems]


def _line(case: Case, problem: Problem, column: int) -> str:
    spot = problem.spot
    where = "fencepost" if spot is None else f"{spot.file}:{spot.line or 1}:{column}"
    at = () if spot is None or spot.byte is None else (f"at byte {spot.byte}",)
    run = (f"run: {', '.join(one.row for one in problem.run)}",) if problem.run else ()
    message = problem.message.rstrip(".")
    text = "; ".join((f"{case.protocol}: {message}", *at, *run, *(one.strip() for one in problem.lines)))
    word = "warning" if problem.is_open else "error"
    return encodable(one_line(f"{where}: {word}: {text} [{problem.rule}]"))


def _column(spot: Spot | None) -> int:
    """The column, from 1, at which the text of a line begins; 1 for what is no line of a file that can be read."""
    if spot is None or spot.line is None:
        return 1
    try:
        line = read_small(spot.file).split(b"\n")[spot.line - 1]
    except (OSError, IndexError):
        return 1
    return len(line) - len(line.lstrip()) + 1
