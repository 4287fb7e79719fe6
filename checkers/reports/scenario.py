"""A scenario as one self-contained HTML file: a line an operation, a lane a broker and a partition."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .cases import encodable
from .html import environment, template_file

LANES = 40
"""The most lanes of a page: brokers first, then partitions in the order in which they change."""

LINES = 2000
"""The most operations of a page."""

PARTITIONS = 1000
"""The most partitions of the table at the end; those that cannot be written come first."""

RECORDS = 50
"""The most records that one operation shows."""

_BROKER = re.compile(r"broker \d+")


@dataclass(frozen=True)
class Line:
    """An operation: its step's number, what was asked and answered, rows, records, and the words of each lane."""

    number: str
    text: str
    rows: str
    records: tuple[str, ...]
    more: str
    cells: tuple[str, ...]
    wrong: bool


@dataclass(frozen=True)
class Lanes:
    """Operations by lanes; `left_out` and `shortened` count the lanes and operations that are not shown."""

    names: tuple[str, ...]
    lines: tuple[Line, ...]
    left_out: int
    shortened: int


def scenario_page(report: Any, runs: Sequence[tuple[str, Sequence[Any]]], notes: Sequence[str], answer: str) -> str:
    """Return a report of a scenario (`fencepost.checkers.scenarios.results.Report`) as a page that loads nothing.

    `runs` are titles with steps.
    """
    partitions = sorted(report.partitions, key=lambda one: (one.writable, not one.offline))
    text = (
        environment()
        .get_template("scenario.html")
        .render(
            report=report,
            answer=answer,
            outcome="passed" if report.code == 0 else "failed",
            notes=notes,
            runs=[(title, lanes(steps)) for title, steps in runs if steps],
            partitions=partitions[:PARTITIONS],
            more=max(len(partitions) - PARTITIONS, 0),
            style=template_file("report.css"),
        )
    )
    return encodable(text)


def lanes(steps: Sequence[Any]) -> Lanes:
    """Return steps (`fencepost.checkers.scenarios.results.StepDone`) by lanes."""
    every = [(step, one) for step in steps for one in (() if step.is_setup else step.operations) or (None,)]
    names: dict[str, None] = {}
    found = [_by_lane(one) for _, one in every]
    for each in found:
        names |= dict.fromkeys(each)
    ordered = sorted(names, key=lambda name: not _BROKER.fullmatch(name))
    shown = ordered[:LANES]
    lines = [_line(step, one, each, shown) for (step, one), each in zip(every[:LINES], found, strict=False)]
    return Lanes(tuple(shown), tuple(lines), len(ordered) - len(shown), max(len(every) - LINES, 0))


def _by_lane(one: Any) -> Mapping[str, str]:
    """Return what became of each broker and partition in an operation."""
    found = {}
    for words in one.words if one is not None else ():
        broker = _BROKER.match(words)
        name = broker[0] if broker else words.split(" ", 1)[0]
        if broker or re.fullmatch(r".+-\d+", name):
            found[name] = words[len(name) :].strip()
    return found


def _line(step: Any, one: Any, by_lane: Mapping[str, str], shown: Sequence[str]) -> Line:
    if one is None:
        return Line(step.number, step.text, "", (), "", ("",) * len(shown), step.kept is False)
    answers = dict.fromkeys(each["says"] or each["error"].replace("NONE", "ok") for each in one.answers)
    said = f": {', '.join(answers)}" if answers else ""
    records = [f"@{each['offset']} {each['type']} {each['about']}" for each in one.records]
    more = f"and {len(records) - RECORDS} more records" if len(records) > RECORDS else ""
    wrong = bool(one.differs or one.unexplained)
    cells = tuple(by_lane.get(name, "") for name in shown)
    text = f"{step.text}: {one.asked}{said}"
    return Line(step.number, text, ", ".join(one.rows), tuple(records[:RECORDS]), more, cells, wrong)
