"""The history of a cluster's znodes: ZooKeeper's transaction log as NDJSON, one operation a line, in zxid order.

Every line has `zxid`, `time_ms` (milliseconds since 1970), `session`, `writer` (the broker of the session, null where
it is none) and `op`. The operations of a multi share a zxid and are numbered (`multi`: "0/2"). What has `multi_failed`,
or is an error, did not happen.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from fencepost.traces.errors import TraceError
from fencepost.traces.event_files import lines_of

from .log_files import write_lines

OPERATIONS = ("create", "set", "delete", "check", "error", "createSession", "closeSession")
"""The operations of a history that are known, as it names them."""

_COLUMNS = (
    "path", "version", "expected_version", "ephemeral", "data", "err", "err_name", "timeout_ms", "paths",
)  # fmt: skip
_HEAD = ("zxid", "time_ms", "session", "writer")
_KNOWN = frozenset((*_HEAD, "op", "multi", "multi_failed", *_COLUMNS))
_NEEDED = {
    "create": ("path", "version"),
    "set": ("path", "version"),
    "delete": ("path",),
    "check": ("path", "expected_version"),
}
_TYPES: dict[str, tuple[type, str]] = {
    "zxid": (int, "a whole number"),
    "time_ms": (int, "a whole number"),
    "session": (str, "a text"),
    "op": (str, "a text"),
    "path": (str, "a text"),
    "version": (int, "a whole number"),
    "expected_version": (int, "a whole number"),
    "ephemeral": (bool, "true or false"),
    "err": (int, "a whole number"),
    "err_name": (str, "a text"),
    "timeout_ms": (int, "a whole number"),
    "paths": (list, "a list of paths"),
    "multi_failed": (bool, "true or false"),
}


@dataclass(frozen=True, slots=True)
class Operation:
    """One operation of a transaction; `line` is its number in the file from 1, 0 where it was not read.

    `version` is the znode's after the write, `expected_version` what a check asks for, `paths` the ephemeral znodes
    that a closed session takes with it (None where the history does not say them), `multi` its number in a multi and
    how many there are. `has_data` is false where no data is recorded, which is not the same as data that is null.
    `more` are columns that are none of these, as they stand.
    """

    op: str
    path: str | None = None
    version: int | None = None
    data: Any = None
    has_data: bool = False
    expected_version: int | None = None
    ephemeral: bool = False
    error: int | None = None
    error_name: str | None = None
    timeout_ms: int | None = None
    paths: tuple[str, ...] | None = None
    multi: tuple[int, int] | None = None
    multi_failed: bool = False
    more: Mapping[str, Any] = field(default_factory=dict)
    line: int = 0

    @property
    def happened(self) -> bool:
        """Whether the operation was done: it is no error, and its multi did not fail."""
        return self.op != "error" and not self.multi_failed


@dataclass(frozen=True, slots=True)
class Transaction:
    """The operations of one zxid, done together or not at all; `writer` is the broker of the session, or None."""

    zxid: int
    time_ms: int
    session: str
    writer: int | None
    operations: tuple[Operation, ...]
    file: str = ""

    @property
    def line(self) -> int:
        """The line of the first operation."""
        return self.operations[0].line

    @property
    def place(self) -> str:
        """The place of the transaction: file and line number."""
        return f"{self.file}:{self.line}"

    @property
    def happened(self) -> bool:
        """Whether the transaction was done."""
        return all(one.happened for one in self.operations)

    @property
    def is_whole(self) -> bool:
        """Whether a multi has all of its operations, in order: none was dropped."""
        numbers = [one.multi for one in self.operations]
        if numbers == [None] * len(numbers):
            return len(numbers) == 1 or any(one.op == "closeSession" for one in self.operations)
        return numbers == [(number, len(numbers)) for number in range(len(numbers))]

    def checked(self, path: str) -> int | None:
        """Return the version of a znode that the transaction makes its condition, None where it does not ask."""
        return next((one.expected_version for one in self.operations if one.op == "check" and one.path == path), None)


class _Head(NamedTuple):
    zxid: Any
    time_ms: Any
    session: Any
    writer: Any

    def transaction(self, operations: list[Operation], file: str) -> Transaction:
        return Transaction(self.zxid, self.time_ms, self.session, self.writer, tuple(operations), file)


def read_znode_history(path: str | Path) -> Iterator[Transaction]:
    """Yield the transactions of a history in the file's order, lazily, rejected ones included.

    Raises `TraceError` for a file that is missing or damaged, and for a line that is no operation, with its place.
    """
    file = Path(path)
    if not file.is_file():
        raise TraceError(f"{file}: there is no such file; give a history of znodes, NDJSON, plain or gzipped")
    head: _Head | None = None
    operations: list[Operation] = []
    for number, columns in lines_of(file):
        operation = operation_of(columns, number, f"{file}:{number}")
        found = _Head(*(columns.get(name) for name in _HEAD))
        if head is not None and found != head:
            yield head.transaction(operations, str(file))
            operations = []
        head = found
        operations.append(operation)
    if head is None:
        raise TraceError(f"{file}: the history holds no transaction; give a file with one operation a line")
    yield head.transaction(operations, str(file))


def operation_of(columns: Mapping[str, Any], line: int, place: str) -> Operation:
    """Return an operation from its columns; raises `TraceError` where one is missing or of the wrong type."""
    op = columns.get("op")
    # Of what did not happen a history need not tell all.
    needed = () if columns.get("multi_failed") else _NEEDED.get(str(op), ())
    for name in (*_HEAD[:3], "op", *needed):
        if name not in columns:
            raise TraceError(f"{place}: the column `{name}` is missing; correct the line")
    for name, value in columns.items():
        kind, what = _TYPES.get(name, (object, ""))
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            raise TraceError(
                f"{place}: the column `{name}` must be {what}, not {json.dumps(value)[:60]}; correct the line"
            )
    writer = columns.get("writer")
    if writer is not None and (isinstance(writer, bool) or not isinstance(writer, int)):
        raise TraceError(f"{place}: the column `writer` must be a broker's id or null; correct the line")
    paths = columns.get("paths")
    return Operation(
        op=str(op),
        path=columns.get("path"),
        version=columns.get("version"),
        data=columns.get("data"),
        has_data="data" in columns,
        expected_version=columns.get("expected_version"),
        ephemeral=columns.get("ephemeral", False),
        error=columns.get("err"),
        error_name=columns.get("err_name"),
        timeout_ms=columns.get("timeout_ms"),
        paths=None if paths is None else tuple(paths),
        multi=_multi(columns.get("multi"), place),
        multi_failed=columns.get("multi_failed", False),
        more={name: value for name, value in columns.items() if name not in _KNOWN},
        line=line,
    )


def _multi(text: Any, place: str) -> tuple[int, int] | None:
    if text is None:
        return None
    number, slash, total = text.partition("/") if isinstance(text, str) else ("", "", "")
    if not slash or not number.isdecimal() or not total.isdecimal():
        raise TraceError(f"{place}: `multi` must be a number of how many, as 0/2, not {json.dumps(text)}")
    return int(number), int(total)


def columns_of(transaction: Transaction, operation: Operation) -> dict[str, Any]:
    """Return the columns of an operation of a transaction, as `operation_of` reads them, in the history's order."""
    found: dict[str, Any] = {name: getattr(transaction, name) for name in _HEAD}
    if operation.multi is not None:
        found["multi"] = f"{operation.multi[0]}/{operation.multi[1]}"
    found["op"] = operation.op
    values = {
        "path": operation.path,
        "version": operation.version,
        "expected_version": operation.expected_version,
        "ephemeral": operation.ephemeral or None,
        "err": operation.error,
        "err_name": operation.error_name,
        "timeout_ms": operation.timeout_ms,
        "paths": None if operation.paths is None else list(operation.paths),
    }
    for name in _COLUMNS:
        if name == "data":
            found |= {"data": operation.data} if operation.has_data else {}
        elif values[name] is not None:
            found[name] = values[name]
    return found | ({"multi_failed": True} if operation.multi_failed else {}) | dict(operation.more)


def text_of(transaction: Transaction) -> str:
    """Return the lines of a transaction, each with its end."""
    return "".join(
        json.dumps(columns_of(transaction, one), ensure_ascii=False) + "\n" for one in transaction.operations
    )


def write_znode_history(path: str | Path, transactions: Iterable[Transaction]) -> None:
    """Write transactions as NDJSON, gzipped where the name ends with `.gz`, always the same bytes."""
    write_lines(path, map(text_of, transactions))
