"""One scenario under two tables: the first step that differs, and how it ends with each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fencepost.checkers.verdicts import Refusal

from . import words as w
from .results import Against, OperationDone, Report
from .running import Scenario


def against(
    report: Report, steps: Sequence[w.Step], scenario: Scenario, name: str, settings: Mapping[str, str]
) -> Against:
    """Run steps in a scenario with other tables, called `name`, and compare with a report of the same steps."""
    stopped = ""
    try:
        other = scenario.run(steps, report.scenario, settings)
        answer, partitions = other.answer, other.partitions
    except (Refusal, RuntimeError) as why:
        stopped, answer, partitions = str(why), "", ()
    there, wrong = scenario.done, scenario.machine.differs
    breaks = tuple(dict.fromkeys(one.message for one in wrong if one.what == "property"))
    differs = tuple(one.text() for one in wrong if one.what != "property")
    for mine, theirs in zip(report.steps, there, strict=False):
        pair = _first(mine.operations, theirs.operations)
        if pair is not None or mine.kept != theirs.kept:
            here, instead = pair or ((), ())
            return Against(name, mine.place, mine.text, here, instead, answer, partitions, stopped, breaks, differs)
    place = report.steps[len(there)].place if stopped else ""
    return Against(name, place, "", (), (), answer, partitions, stopped, breaks, differs)


def _first(
    mine: Sequence[OperationDone], theirs: Sequence[OperationDone]
) -> tuple[tuple[OperationDone, ...], tuple[OperationDone, ...]] | None:
    """Return the first operation that differs on each side, none on the side where there is no other."""
    for at in range(max(len(mine), len(theirs))):
        here, there = mine[at : at + 1], theirs[at : at + 1]
        if list(map(_compared, here)) != list(map(_compared, there)):
            return tuple(here), tuple(there)
    return None


def _compared(one: OperationDone) -> Any:
    records = [(each["type"], each["about"], each["fields"]) for each in one.records]
    return one.asked, one.answers, records
