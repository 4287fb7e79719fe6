"""The columns of the tables that a user gives: found by name as the session finds names, cast where nothing is lost.

Here is all that is said of names and types. A name is compared by case only where `spark.sql.caseSensitive` is true, as
Spark does. docs/spark.md has the table of what is cast (`CASTS`); any other type is refused by `Refusal`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from fencepost.checkers.verdicts import Refusal
from fencepost.traces.record_tables import COLUMNS, NEEDED

from .line_tasks import ALONE

_INTEGER = r"tinyint|smallint|int|bigint|decimal\(\d+,0\)"
CASTS: Mapping[str, Mapping[str, str]] = {
    "string": {r"string|string collate \w+|varchar\(\d+\)|char\(\d+\)": "cast({} as string)"},
    "name": {
        r"string|string collate \w+|varchar\(\d+\)|char\(\d+\)": "cast({} as string)",
        # What Spark takes the values of a partition for.
        rf"{_INTEGER}|date": "cast({} as string)",
    },
    "bigint": {_INTEGER: "try_cast({} as bigint)"},
    "timestamp": {_INTEGER: "try_cast({} as bigint)", r"timestamp": "unix_millis({})"},
    "boolean": {"boolean": "cast({} as bigint)"},
    "binary": {"binary": "{}"},
}
"""The readings of a column, by the wanted type: patterns of Spark's types, each with an expression."""

_WANTED = {"name": "string", "timestamp": "bigint or timestamp"}
_ADVICE = {
    "timestamp_ntz": "has no zone: cast it to timestamp, with spark.sql.session.timeZone set to that of its times",
    "string": "is text: unpack it as it was packed, by unbase64 or unhex",
}
RECORDS = {
    name: "name" if name in ("log", "file") else "timestamp" if name == "timestamp" else kind
    for name, kind in (
        (name, {"int64": "bigint", "bool": "boolean"}.get(arrow, arrow)) for name, arrow in COLUMNS.items()
    )
}
"""The columns of a table of records, each with what is wanted of it."""

LINES = {"log": "name", "file": "string", "line": "bigint", "text": "string"}
"""The columns of a table of lines; `file` may be left out where a log is one file."""

PATHS = {"path": "string", "content": "binary"}
"""The columns of a table of paths: `content` is what the file there holds, as Spark's `binaryFile` source reads it."""


class Found:
    """The columns that a DataFrame has, found by our names."""

    def __init__(self, frame: Any, name: str = "the DataFrame") -> None:
        self.frame, self.name = frame, name
        self._fold = _folding(frame)
        self._there: dict[str, list[tuple[str, str]]] = {}
        for column, kind in frame.dtypes:
            self._there.setdefault(self._fold(column), []).append((column, kind))

    def has(self, *columns: str) -> bool:
        """Whether there are columns of these names."""
        return all(self._fold(column) in self._there for column in columns)

    def read(self, wanted: Mapping[str, str], needed: Sequence[str]) -> list[str]:
        """Return the expressions that read the columns that are wanted, null for those that are not there.

        Raises `Refusal` for a column that is needed and missing, of which there are two, or whose type is not read.
        """
        missing = [column for column in needed if not self.has(column)]
        if missing:
            other = [there for column in missing for there in self._in_another_case(column)]
            case = f" ({', '.join(other)}: spark.sql.caseSensitive is true)" if other else ""
            optional = ", ".join(column for column in wanted if column not in needed)
            needs = ", ".join(f"{column} ({_WANTED.get(wanted[column], wanted[column])})" for column in needed)
            raise Refusal(
                f"{self.name}: there is no column {' and no column '.join(missing)}{case}; it needs {needs}, and may "
                f"have {optional}; this one has {', '.join(self.frame.columns) or 'none'}"
            )
        return [f"{self._read(column, kind)} as `{column}`" for column, kind in wanted.items()]

    def _read(self, column: str, wanted: str) -> str:
        there = self._there.get(self._fold(column), [])
        if len(there) > 1:
            raise Refusal(
                f"{self.name}: there are {len(there)} columns {column} ({', '.join(name for name, _ in there)}): leave "
                "one"
            )
        sql = _WANTED.get(wanted, wanted).partition(" ")[0]
        if not there or there[0][1] == "void":
            return f"cast(null as {'bigint' if sql == 'boolean' else sql})"
        name, kind = there[0]
        for pattern, expression in CASTS[wanted].items():
            if re.fullmatch(pattern, kind, re.IGNORECASE):
                return expression.format(f"`{name.replace('`', '``')}`")
        advice = _ADVICE.get(kind, "") if wanted in ("timestamp", "binary") else ""
        raise Refusal(
            f"{self.name}: the column {name} is {kind} and should be {_WANTED.get(wanted, wanted)}"
            f"{f'; it {advice}' if advice else ''}"
        )

    def _in_another_case(self, column: str) -> list[str]:
        return [name for name in self.frame.columns if name.lower() == column]


def _folding(frame: Any) -> Any:
    """Return what makes names equal that the session of a DataFrame takes for one."""
    is_sensitive = str(frame.sparkSession.conf.get("spark.sql.caseSensitive", "false")).lower() == "true"
    return str if is_sensitive else str.lower


def records_of(frame: Any, name: str = "the DataFrame") -> Any:
    """Return the columns of a table of records as they are checked; raises `Refusal` as `Found.read` does."""
    return frame.selectExpr(*Found(frame, name).read(RECORDS, NEEDED))


def lines_of(frame: Any) -> Any:
    """Return the columns of a table of lines as they are checked; raises `Refusal` as `Found.read` does."""
    chosen = frame.selectExpr(*Found(frame).read(LINES, ("log", "line", "text")))
    return chosen.selectExpr("log", f"coalesce(file, '{ALONE}') as file", "line", "coalesce(text, '') as text")
