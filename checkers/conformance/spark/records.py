"""Tables of records, or of lines, under Spark: those of a log are brought together, sorted, and checked as it is."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa

from fencepost.checkers.conformance.results.results import LogResult
from fencepost.checkers.verdicts import Refusal
from fencepost.model.language import Protocol
from fencepost.traces import TraceError
from fencepost.traces.names import parse_segment_name
from fencepost.traces.storage import join, kind_of, list_directory

from .cluster import reason_of
from .hadoop import as_uri, is_elsewhere
from .line_tasks import JUDGE as JUDGE_LINES
from .line_tasks import LinesPlan
from .packing import packed
from .planning import spread
from .record_tasks import BLOCKS, JUDGE, PACK, RecordsPlan
from .schema import records_of
from .shipped import shipped
from .tables import columns
from .versions import here

AVERAGE, AVERAGE_LINE = 128, 256
"""The bytes that a record, and a line, is taken for where only their number is known."""


def is_table(path: str) -> bool:
    """Whether a path is a Parquet file, or a folder of such files, perhaps in partitions, that holds no segment."""
    if path.endswith(".parquet"):
        return True
    try:
        if kind_of(path) != "directory":
            return False
        found = list_directory(path)
        if any(parse_segment_name(name) is not None for name in found.files):
            return False
        files, folders = ([one for one in names if not one.startswith(("_", "."))] for names in found[:2])
        if any(name.endswith(".parquet") for name in files) or "_delta_log" in found.directories:
            return True
        # A partition may be empty, as deletes and failed writes leave one: any of them says what the folder is.
        return any(is_table(join(path, name)) for name in folders if "=" in name)
    except TraceError:
        return False


def tables_among(paths: Sequence[str]) -> list[str]:
    """Return the paths if they are tables, none if none is one; raises `Refusal` where some are and some are not."""
    found = [path for path in paths if is_table(as_uri(path))]
    if found and len(found) < len(paths):
        other = next(path for path in paths if path not in found)
        raise Refusal(f"{other}: is no table of records, as {found[0]} is; check logs by a run of their own")
    return found


def read_tables(session: Any, paths: Sequence[str]) -> Any:
    """Return the records of tables as one DataFrame; raises `Refusal` where they are none."""
    frames = []
    for path in paths:
        uri = as_uri(path) if is_elsewhere(path) else _local(path)
        try:
            kind = "delta" if "_delta_log" in list_directory(path).directories else "parquet"
        except TraceError:
            kind = "parquet"
        try:
            frame = session.read.format(kind).load(uri)
        except Exception as error:
            what = " with the Delta connector, which the files need" if kind == "delta" else ""
            raise Refusal(f"{path}: Spark cannot read the table{what} ({reason_of(error)})") from error
        frames.append(records_of(frame, path))
    whole = frames[0]
    for frame in frames[1:]:
        whole = whole.unionByName(frame)
    return whole


def _local(path: str) -> str:
    return Path(path).absolute().as_uri()


NAMELESS = "(no log)"
"""The name in messages of a log whose records have none."""


class Counted(NamedTuple):
    """A log of a table: its name, how many records it has, and how many of these have an offset; where answers are
    kept, a hash of its records, in whichever order, and of the query. `cannot` is why it cannot be checked."""

    path: str
    whole: int
    placed: int
    hash: str | None
    cannot: str = ""


def counted(records: Any, question: str | None, order: str = "offset") -> list[Counted]:
    """Return the logs of a table by their names; with a `question` their hashes too. `order` is the column by which
    what a log has is ordered.

    Records without a log are one of that name which cannot be checked, as is a log that `order` says nothing of.
    Raises `TraceError` for a table without a record.
    """
    # The sum of the hashes of rows does not depend on their order; each is cut into numbers that a decimal can add.
    text = ", ".join(f"coalesce({_texts(name, kind)}, '-')" for name, kind in records.dtypes)
    pieces = [f"cast(conv(substr(told, {at}, 15), 16, 10) as decimal(38, 0))" for at in (1, 16, 31, 46)]
    chosen = ["log", f"if({order} >= 0, 1, null) as placed"]
    frame = records.selectExpr(*chosen, *([f"sha2(concat_ws(' ', {text}), 256) as told"] if question else []))
    sums = [f"sum({piece}) as sum_{at}" for at, piece in enumerate(pieces)] if question else []
    rows = (
        frame.groupBy("log")
        .agg(*(_expression(one) for one in ("count(1) as whole", "count(placed) as placed", *sums)))
        .collect()
    )
    if not rows:
        raise TraceError("the table has no record: there is nothing to check")
    found = []
    for row in sorted(rows, key=lambda row: str(row["log"])):
        said = " ".join((question or "", *(str(row[f"sum_{at}"]) for at in range(len(sums)))))
        digest = hashlib.sha256(said.encode()).hexdigest() if question else None
        cannot = ""
        if row["log"] is None:
            have = "1 record of the table has" if row.whole == 1 else f"{row.whole} records of the table have"
            cannot = f"{have} no log: say of every record which log it is of"
        elif not row.placed:
            cannot = f"no record of the log {row['log']} has an {order}: nothing says their order"
        found.append(Counted(NAMELESS if row["log"] is None else row["log"], row.whole, row.placed, digest, cannot))
    return found


def _texts(name: str, kind: str) -> str:
    return f"hex(`{name}`)" if kind in ("binary", "string") else f"cast(`{name}` as string)"


def _expression(text: str) -> Any:
    from pyspark.sql.functions import expr

    return expr(text)


def answers_of(
    session: Any,
    records: Any,
    logs: Sequence[Counted],
    numbers: Sequence[int],
    attempt: int | None,
    told: tuple[Callable[..., Any], tuple[Any, ...], Callable[[str], LogResult]],
    cores: int,
    schema: pa.Schema,
) -> Any:
    """Return what the tasks will answer of some logs of `records_of`, as a DataFrame that is not yet computed.

    Records are packed where they lie, many in a row, and the rows of each log are brought to the task that checks it.
    """
    if not numbers:
        return session.createDataFrame([], columns(schema))
    lacking = {number: logs[number].whole - logs[number].placed for number in numbers}
    payload = packed(RecordsPlan(*told, _names(logs, numbers), lacking, attempt, _hashes(logs, numbers)))
    known, groups = _grouped(session, logs, numbers, cores, AVERAGE)
    numbered = records.where("offset >= 0").join(known, "log").drop("log")
    blocks = numbered.mapInArrow(shipped(b"", here(), BLOCKS, PACK), columns(BLOCKS))
    moved = placed(blocks, groups).sortWithinPartitions("number", "first")
    return moved.mapInArrow(shipped(payload, here(), schema, JUDGE), columns(schema))


def answers_of_lines(
    session: Any,
    lines: Any,
    logs: Sequence[Counted],
    numbers: Sequence[int],
    attempt: int | None,
    zookeeper: Protocol,
    cores: int,
    schema: pa.Schema,
) -> Any:
    """Return what the tasks will answer of some logs of `lines_of`, as a DataFrame that is not yet computed.

    The lines of each log are brought to the task that checks it, as they are.
    """
    if not numbers:
        return session.createDataFrame([], columns(schema))
    payload = packed(LinesPlan(zookeeper, _names(logs, numbers), attempt, _hashes(logs, numbers)))
    known, groups = _grouped(session, logs, numbers, cores, AVERAGE_LINE)
    numbered = lines.join(known, "log").select("group", "number", "file", "line", "text")
    moved = placed(numbered, groups).sortWithinPartitions("number", "file", "line")
    return moved.mapInArrow(shipped(payload, here(), schema, JUDGE_LINES), columns(schema))


def _names(logs: Sequence[Counted], numbers: Sequence[int]) -> dict[int, str]:
    return {number: logs[number].path for number in numbers}


def _hashes(logs: Sequence[Counted], numbers: Sequence[int]) -> dict[int, str]:
    return {number: logs[number].hash or "" for number in numbers}


def _grouped(
    session: Any, logs: Sequence[Counted], numbers: Sequence[int], cores: int, average: int
) -> tuple[Any, int]:
    """Return a row for each log with its number and its task's, to be joined to all workers, and how many tasks there
    are; a row of a log is taken for so many bytes."""
    groups = spread([logs[number].whole * average for number in numbers], cores)
    rows = [(logs[numbers[one]].path, numbers[one], at) for at, ones in enumerate(groups) for one in ones]
    return session.createDataFrame(rows, "log string, number bigint, `group` bigint").hint("broadcast"), len(groups)


def placed(rows: Any, groups: int) -> Any:
    """Return rows in the partition that their group is."""
    if hasattr(rows, "repartitionById"):
        others = [f"`{name}`" for name in rows.columns if name != "group"]
        return rows.selectExpr("cast(coalesce(`group`, 0) as int) as `group`", *others).repartitionById(groups, "group")
    # Older releases of Spark place by a hash: two groups may come into one partition.
    return rows.repartition(groups, "group")
