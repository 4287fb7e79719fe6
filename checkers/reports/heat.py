"""How often each row was seen, and altered without notice: a line a row, a column a bound, log, and fate of mutants."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .cases import Report

LEVELS = (1, 10, 100, 1_000, 10_000)
"""The least counts of the shades, the palest first."""

APART = 4
"""Of more logs than these the counts are summed up."""


@dataclass(frozen=True)
class Count:
    """How often a row was seen: 0 for never, None where it was not there to be seen. `shade` is 0 for never."""

    times: int | None

    @property
    def shade(self) -> int:
        """The place of the highest of `LEVELS` that it reaches, from 1."""
        return sum((self.times or 0) >= least for least in LEVELS)


@dataclass(frozen=True)
class HeatRow:
    """A row of a table, with its sentence and a count a column."""

    id: str
    sentence: str
    counts: tuple[Count, ...]


@dataclass(frozen=True)
class Heat:
    """The counts of a protocol: its columns, and its tables with their rows."""

    protocol: str
    columns: tuple[str, ...]
    tables: tuple[tuple[str, tuple[HeatRow, ...]], ...]

    @property
    def seen(self) -> tuple[int, int]:
        """How many rows were seen, of how many."""
        rows = [row for _, rows in self.tables for row in rows]
        return (sum(any(one.times for one in row.counts) for row in rows), len(rows))


def heats(report: Report) -> list[Heat]:
    """Return the counts of every protocol of which the document has any."""
    found = []
    for protocol, texts in report.texts.items():
        columns: dict[str, Mapping[str, int]] = {}
        for (owner, stage), fields in report.fields.items():
            if owner == protocol and "rows_fired" in fields:
                columns[f"explored at {fields['bound']}"] = fields["rows_fired"]
            elif owner == protocol and stage == "mutants":
                columns |= _mutants(fields["mutants"])
            elif owner == protocol and stage in ("logs", "traces"):
                columns |= _logs(fields.get("logs", ()))
        rows: dict[str, dict[str, Any]] = {id: texts.get("rows", {}).get(id, {}) for id in texts.get("rows", {})}
        for counts in columns.values():
            rows |= {id: {} for id in counts if id not in rows}
        tables: dict[str, list[HeatRow]] = {}
        for id, told in rows.items():
            counted = tuple(Count(counts.get(id)) for counts in columns.values())
            if any(one.times is not None for one in counted):
                tables.setdefault(told.get("table", ""), []).append(HeatRow(id, told.get("text", ""), counted))
        if tables:
            by_table = tuple((name, tuple(mine)) for name, mine in tables.items())
            found.append(Heat(protocol, tuple(columns), by_table))
    return found


def _mutants(mutants: Any) -> dict[str, dict[str, int]]:
    """Of each row how many alterations were noticed, how many were not, and how many mean the same."""
    columns = {"noticed": "killed", "not noticed": "survives", "not decided": "not decided", "the same": "equivalent"}
    found = {name: dict.fromkeys((one["row"] for one in mutants), 0) for name in columns}
    for name, fate in columns.items():
        for one in mutants:
            found[name][one["row"]] += one["fate"] == fate
    return {f"altered, {name}": counts for name, counts in found.items() if any(counts.values())}


def _logs(logs: Any) -> dict[str, dict[str, int]]:
    """The counts of some logs: a column each of few, one for all of many; a row that a log never shows counts 0."""
    counted = [
        (log["path"], {**dict.fromkeys(log.get("rows_never_seen", ()), 0), **log.get("rows", {})}) for log in logs
    ]
    if len(counted) <= APART:
        return {path.rstrip("/").split("/")[-1]: counts for path, counts in counted}
    summed: dict[str, int] = {}
    for _, counts in counted:
        for row, count in counts.items():
            summed[row] = summed.get(row, 0) + count
    return {f"{len(counted)} logs": summed}


__all__ = ["LEVELS", "Count", "Heat", "HeatRow", "heats"]
