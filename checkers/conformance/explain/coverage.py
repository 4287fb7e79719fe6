"""The rows that a log exercised: how often each was the only explanation of a result, or one of several."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from fencepost.checkers.conformance.matching.parsing import Parse
from fencepost.checkers.conformance.reading.monitor import Monitor
from fencepost.checkers.conformance.reading.units import Item
from fencepost.checkers.conformance.results.results import LogResult
from fencepost.checkers.conformance.state.replay import HardState
from fencepost.checkers.document import Document
from fencepost.model.language import Protocol
from fencepost.traces import MetadataLog

Seen = Literal["certain", "ambiguous", "never", "silent"]


@dataclass(frozen=True, slots=True)
class RowCoverage(Document):
    """A row, and how often a log shows it: `certain` counts the results that only this row explains, `ambiguous` those
    that it may have written as others may. `writes` says whether it writes records; one that writes none is in no log.
    """

    DOCUMENT = "id=row event certain ambiguous seen"

    row: str
    event: str
    certain: int
    ambiguous: int
    writes: bool

    @property
    def seen(self) -> Seen:
        """How the log shows the row: at least once for certain, only as one of several, never, or as no log can."""
        if self.certain:
            return "certain"
        if self.ambiguous:
            return "ambiguous"
        return "never" if self.writes else "silent"


@dataclass(frozen=True, slots=True)
class TableCoverage(Document):
    """A table with its rows, in its order."""

    DOCUMENT = "name=table rows"

    table: str
    rows: tuple[RowCoverage, ...]

    def count(self, seen: Seen) -> int:
        """Return how many rows the log shows in this way."""
        return sum(row.seen == seen for row in self.rows)


@dataclass(frozen=True, slots=True)
class Coverage(Document):
    """The rows of a protocol that a log exercised.

    Every record of the log is one of: `certain`, in a result that one row explains; `ambiguous`, in one that several
    may have written; `unexplained`; `passed_through`, of a type that no table is about. `results` counts the results
    that were explained, `ambiguous_results` those of them that several rows may have written.
    """

    DOCUMENT = "path=judged.path log_verdict=judged.verdict records=by_certainty results=by_results rows=by_seen tables"

    tables: tuple[TableCoverage, ...]
    certain: int
    ambiguous: int
    unexplained: int
    passed_through: int
    results: int
    ambiguous_results: int
    judged: LogResult

    @property
    def rows(self) -> tuple[RowCoverage, ...]:
        """All rows, in the order of the tables."""
        return tuple(row for table in self.tables for row in table.rows)

    @property
    def by_certainty(self) -> dict[str, int]:
        """How many records rows explain for certain, as one of several, not at all, and how many are of no table."""
        names = ("certain", "ambiguous", "unexplained", "passed_through")
        return {**{name: getattr(self, name) for name in names}, "total": self.judged.records}

    @property
    def by_results(self) -> dict[str, int]:
        """How many results rows explain, and of these how many several rows may have written."""
        return {"explained": self.results, "ambiguous": self.ambiguous_results}

    @property
    def by_seen(self) -> dict[str, int]:
        """How many rows there are, and how many the log shows in each way."""
        ways: dict[str, Seen] = {"certain": "certain", "only_ambiguous": "ambiguous", "never": "never"}
        ways["write_nothing"] = "silent"
        return {"total": len(self.rows), **{name: self.count(seen) for name, seen in ways.items()}}

    def count(self, seen: Seen) -> int:
        """Return how many rows the log shows in this way."""
        return sum(table.count(seen) for table in self.tables)


def coverage(monitor: Monitor, log: MetadataLog) -> Coverage:
    """Read a log and count the rows that explain it."""
    counter = _Counter()
    result = monitor.judge(log, counter)
    several = Counter[str]()
    for rows, count in result.classes.items():
        several.update(dict.fromkeys(rows, count))
    return Coverage(
        _tables(monitor.protocol, result.rows, several, {plan.row.id for plan in monitor.plans.rows}),
        counter.certain,
        counter.ambiguous,
        result.records - counter.certain - counter.ambiguous - result.passed_through,
        result.passed_through,
        sum(result.rows.values()) + result.ambiguous,
        result.ambiguous,
        result,
    )


class _Counter:
    """Receives every unit: counts the records in results of one row, and of several."""

    def __init__(self) -> None:
        self.certain = self.ambiguous = 0

    def __call__(self, state: HardState, items: Sequence[Item], parse: Parse) -> None:
        faulty = {min(fault.at, len(items) - 1) for fault in parse.faults}
        for block in parse.blocks:
            if not block.rows or any(block.start <= at < block.end for at in faulty):
                continue
            records = sum(item.bound is not None for item in items[block.start : block.end])
            if len(block.rows) == 1:
                self.certain += records
            else:
                self.ambiguous += records


def _tables(
    protocol: Protocol, certain: dict[str, int], several: Counter[str], writing: set[str]
) -> tuple[TableCoverage, ...]:
    return tuple(
        TableCoverage(
            table.name,
            tuple(
                RowCoverage(row.id, row.event.name, certain.get(row.id, 0), several[row.id], row.id in writing)
                for row in table.rows
            ),
        )
        for table in protocol.tables
    )
