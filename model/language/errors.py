"""Errors of table declarations: findings with their place, gathered into one exception."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

_ROOM = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Place:
    """Where something was written: a file, as short as it can be said, and a line counted from 1.

    `path` is the file as it can be opened, empty where it is not known.
    """

    file: str
    line: int
    path: str = field(default="", compare=False, repr=False)

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


@cache
def _outside(file: str) -> tuple[str, str] | None:
    """Return the file of some code, as short as it can be said and as it can be opened; None for the language's own."""
    path = Path(file)
    return None if path.parent == _ROOM or file.startswith("<") else ("/".join(path.parts[-2:]), str(path.resolve()))


def caller() -> Place:
    """Return the nearest place on the stack outside the language itself: the line of the table."""
    frame = sys._getframe(1)
    while frame is not None:
        told = _outside(frame.f_code.co_filename)
        if told is not None:
            return Place(told[0], frame.f_lineno, told[1])
        if frame.f_back is None:
            break
        frame = frame.f_back
    return Place("unknown", 0)


@dataclass(frozen=True, slots=True)
class Finding:
    """A defect of a table: its place, what is wrong, and what to write instead."""

    place: Place
    subject: str
    wrong: str
    write: str

    def __str__(self) -> str:
        return f"{self.place}: {self.subject}: {self.wrong}; {self.write}"


class TableError(Exception):
    """A malformed table: every finding in it, one a line."""

    def __init__(self, *findings: Finding) -> None:
        self.findings = findings
        super().__init__("\n".join(str(finding) for finding in findings))


class EvaluationError(Exception):
    """A term has no value here: an unbound variable, a cell without a value, or a cell written twice in one stage."""


def refuse(subject: str, wrong: str, write: str) -> TableError:
    """Return the exception for one finding at the caller's line."""
    return TableError(Finding(caller(), subject, wrong, write))
