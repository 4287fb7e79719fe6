"""The SQL run in DuckDB over decoded columns: of logs in memory, or of Parquet files."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

from fencepost.traces import MetadataLog

from .columns import table_of

SQL = tuple(Path(__file__).with_name(name).read_text(encoding="utf-8") for name in ("state.sql", "invariants.sql"))

STEPS = frozenset({"P8r", "P30"})
"""The invariants of scope `result` that are of steps."""


@dataclass(frozen=True, slots=True)
class Broken:
    """An invariant that does not hold: its property's id and scope, where, and of which entities, as text.

    Of scope `result` the offset is that of the last record of the unit.
    """

    property: str
    scope: str
    offset: int
    entities: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Span:
    """Places at which an invariant of states is false, as offsets [first, last]."""

    property: str
    first: int
    last: int
    entities: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Judgement:
    """What SQL says of one log.

    `ends` is the last offset of the unit by the offset of each record in it; `shared` are units, by their last offset,
    with the partitions that they change more than once: of these nothing is said of whole results.
    """

    broken: frozenset[Broken]
    spans: tuple[Span, ...]
    ends: dict[int, int]
    shared: frozenset[tuple[int, str]]

    def leaves_open(self, one: Broken) -> bool:
        """Whether it is a step of a whole result of a partition that the unit changes more than once."""
        return one.scope == "result" and one.property in STEPS and (one.offset, one.entities[0]) in self.shared


class Oracle:
    """Logs checked together: `judgement` is of one of them by its name."""

    def __init__(self, decoded: pa.Table | str, threads: int = 1) -> None:
        self.connection = duckdb.connect(config={"threads": threads})
        if isinstance(decoded, str):
            self.connection.read_parquet(decoded).create_view("decoded")
        else:
            self.connection.register("decoded", decoded)
        for script in SQL:
            self.connection.execute(script)

    def violations(self) -> list[tuple[str, Broken]]:
        """Return every violation with its log's name, in the order of the logs and their offsets."""
        rows = self.connection.execute(
            'SELECT DISTINCT log, property, scope, "offset", p, x, y FROM violation ORDER BY ALL'
        ).fetchall()
        return [(log, Broken(name, scope, at, _some(of))) for log, name, scope, at, *of in rows]

    def judgements(self) -> dict[str, Judgement]:
        """Return what is said of each log."""
        names = [name for (name,) in self.connection.execute("SELECT DISTINCT log FROM decoded").fetchall()]
        broken: dict[str, set[Broken]] = {name: set() for name in names}
        spans: dict[str, list[Span]] = {name: [] for name in names}
        ends: dict[str, dict[int, int]] = {name: {} for name in names}
        shared: dict[str, set[tuple[int, str]]] = {name: set() for name in names}
        for log, one in self.violations():
            broken[log].add(one)
        for log, name, first, last, *of in self.connection.execute(_SPANS).fetchall():
            spans[log].append(Span(name, first, last, _some(of)))
        for log, at, end in self.connection.execute(_ENDS).fetchall():
            ends[log][at] = end
        for log, end, p in self.connection.execute(_SHARED).fetchall():
            shared[log].add((end, p))
        return {
            name: Judgement(frozenset(broken[name]), tuple(spans[name]), ends[name], frozenset(shared[name]))
            for name in names
        }


_SPANS = """
SELECT f.log, property, min(r."offset"), max(r."offset"), p, x, y
FROM falsity f JOIN record r ON r.log = f.log AND f.since <= r.place AND r.place < f.until
GROUP BY f.log, property, p, x, y, f.since, f.until
"""
_ENDS = 'SELECT r.log, r."offset", b."offset" FROM record r JOIN boundary b USING (log, unit) WHERE NOT r.snapshot'
_SHARED = """
SELECT DISTINCT s.log, b."offset", topic || '-' || number
FROM partition_span s JOIN boundary b USING (log, unit) WHERE events > 1
"""


def _some(of: Iterable[str | None]) -> tuple[str, ...]:
    return tuple(one for one in of if one is not None)


# -- Parquet -----------------------------------------------------------------------------------------------------------
def write(log: MetadataLog, path: str | os.PathLike[str], name: str = "log") -> None:
    """Write the records of a log, decoded to columns, as a Parquet file."""
    pq.write_table(table_of([(name, log)]), os.fspath(path))


@dataclass(frozen=True, slots=True)
class Measured:
    """What SQL finds in a Parquet file of decoded records, with the CPU seconds, and seconds, that it took."""

    violations: tuple[tuple[str, Broken], ...]
    cpu_seconds: float
    seconds: float


def judge_parquet(path: str | os.PathLike[str], threads: int = 1) -> Measured:
    """Check decoded records in Parquet files, one or those that a pattern names; reading them counts."""
    cpu, clock = time.process_time(), time.perf_counter()
    found = tuple(Oracle(os.fspath(path), threads).violations())
    return Measured(found, time.process_time() - cpu, time.perf_counter() - clock)
