"""The theorem of another protocol, asked of a log: each change of a partition is a row of that protocol, or
an exception.

`prove kraft --refines kraft-data` shows of any number of entities that a step is a row of the slice, with exceptions. A
log shows which of its steps are exceptions, and which elections were unclean.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from fencepost.checkers.counting import counted
from fencepost.checkers.document import Document
from fencepost.checkers.verdicts import ExitCode, Verdict
from fencepost.model.language import Protocol
from fencepost.model.language.refinement import Refinement
from fencepost.traces import MetadataLog

from .by_term import TermJudge
from .conform import Judge
from .reading.options import Options
from .records.static_settings import StaticSettings
from .results.ending import code_of
from .results.results import LogResult, Violation
from .results.topic_names import by_name, spelled, topics_named


@dataclass(frozen=True, slots=True)
class End(Document):
    """An exception, or an unclean election, that limits the theorem: its steps, the first, and its partitions.

    `id` is that of the exception, or of a case whose row is declared to do otherwise. `entities` has each partition
    once, in the order of the log.
    """

    DOCUMENT = "id about steps offset entities"

    id: str
    about: str
    steps: int
    offset: int
    entities: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RefinedLog(Document):
    """The steps of a log as rows of `upper`, whose theorem is `about`, and what limits the theorem.

    `steps` counts by case the steps that are its row. Results of the rows of `hidden` are rows by proof, as no log
    shows their requests; of those of `aside` nothing is claimed. `broken` are steps that are no row,
    though no row is declared to do otherwise. From the offset `until` on, where a record is not explained or the log is
    undecided, nothing is claimed; None where all of it is checked.
    """

    DOCUMENT = "upper verdict about steps:sorted hidden:sorted aside:sorted ends broken until"

    upper: str
    about: str
    steps: Mapping[str, int]
    hidden: Mapping[str, int]
    aside: Mapping[str, int]
    ends: tuple[End, ...]
    broken: tuple[Violation, ...]
    until: int | None

    @property
    def verdict(self) -> Verdict:
        """Violates where a step is no row; undecided where part of the log is not checked, or no step is seen."""
        if self.broken:
            return Verdict.VIOLATES
        return Verdict.CONFORMS if self.until is None and self.steps else Verdict.UNDECIDED

    @property
    def exit_code(self) -> ExitCode:
        """6 where a step is no row, 3 where the verdict is undecided, 0 otherwise."""
        return code_of(self.verdict)

    def text(self) -> list[str]:
        """Return lines for the page: what is claimed, how many steps are which row, and what limits it."""
        seen = ", ".join(f"{id} {count}" for id, count in self.steps.items())
        total = sum(self.steps.values())
        lines = [
            f"  {self.about}",
            f"  {counted(total, 'step')} of a partition {_are_rows(total)} of {self.upper}{seen and f': {seen}'}",
        ]
        lines += [
            f"  {counted(count, 'result')} of {row} {_are_rows(count)} of it by proof: no log shows the request"
            for row, count in self.hidden.items()
        ]
        lines += [f"  {counted(count, 'result')} of {row}: nothing is claimed" for row, count in self.aside.items()]
        for one in self.ends:
            times = "once" if one.steps == 1 else f"{one.steps} times, first"
            many = "" if one.steps == 1 else f"; {counted(len(one.entities), 'partition')} in all"
            where = f"{times} at offset {one.offset}, {spelled(one.entities[0])}{many}"
            lines += [f"  {one.id}: {one.about}", f"    {where}"]
        lines += [
            f"  {one.rule} at offset {one.offset}, {spelled(one.entity)}: this step is no row of {self.upper}"
            for one in self.broken
        ]
        if self.until is not None:
            lines.append(f"  nothing is claimed from offset {self.until} on: no row explains it, or it is undecided")
        return lines


class Refining:
    """Asks any number of logs for their steps as rows of the other protocol, prepared once.

    `tables` are those of one release, None for those of the releases in force. Raises `TableError` where they lack a
    variable of which the refinement speaks.
    """

    def __init__(
        self, refinement: Refinement, tables: Protocol | None, static: StaticSettings, options: Options
    ) -> None:
        self.refinement = refinement
        options = replace(options, causes=False, claims=(*refinement.in_logs, *refinement.ends))
        self._judge = TermJudge(static, options) if tables is None else Judge([static.on(tables)], options)

    def log(self, log: MetadataLog) -> RefinedLog:
        """Return the steps of a log as rows of the other protocol."""
        return _as_rows(self.refinement, self._judge.log(log), log)


def _as_rows(refinement: Refinement, result: LogResult, log: MetadataLog) -> RefinedLog:
    cases = {case.target.id: case.target for case in refinement.cases}
    about = {one.id: one.about for one in refinement.ends} | {id: one.because for id, one in cases.items()}
    topics = topics_named(log, result)
    broken = [replace(one, entity=by_name(one.entity, topics)) for one in result.violations if one.rule in cases]
    others = [one.offset for one in result.violations if one.rule not in cases]
    others += [result.first_offset if one.first is None else one.first for one in result.doubts]
    found: dict[str, list[tuple[int, str]]] = {}
    for one in result.findings:
        if one.by in about:
            found.setdefault(one.by, []).append((one.offset, by_name(one.entity, topics)))
    otherwise = Counter([one.rule for one in broken]) + Counter({id: len(some) for id, some in found.items()})
    steps = {id: result.properties[id].with_premise - otherwise[id] for id in cases if id in result.properties}
    [theorem] = [one for one in refinement.upper.properties if one.id == refinement.theorem]
    return RefinedLog(
        refinement.upper.name,
        theorem.about,
        {id: count for id, count in steps.items() if count},
        _results(refinement.hidden, result),
        _results(refinement.aside, result),
        tuple(
            End(id, about[id], len(some), some[0][0], tuple(dict.fromkeys(entity for _, entity in some)))
            for id, some in sorted(found.items())
        ),
        tuple(broken),
        min(others, default=None),
    )


def _are_rows(count: int) -> str:
    return "is a row" if count == 1 else "are rows"


def _results(rows: Iterable[str], result: LogResult) -> dict[str, int]:
    """Return how many results are, or may be, each of some rows; rows without any are left out."""
    every = [((row,), count) for row, count in result.rows.items()] + [*result.classes.items()]
    found = {row: sum(count for several, count in every if row in several) for row in rows}
    return {row: count for row, count in found.items() if count}
