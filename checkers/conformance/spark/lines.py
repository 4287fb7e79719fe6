"""Tables of lines under Spark: traces and recordings of the ZooKeeper era without their files, a row a line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pyarrow as pa

from fencepost.model.language import Protocol

from .line_tasks import JUDGE, LinesPlan
from .packing import packed
from .planning import spread
from .records import Counted, placed
from .shipped import shipped
from .tables import columns
from .versions import here

AVERAGE = 256
"""The bytes that a line is taken for: only their number is known."""


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
    groups = spread([logs[number].whole * AVERAGE for number in numbers], cores)
    group = {numbers[one]: at for at, ones in enumerate(groups) for one in ones}
    names = {number: logs[number].path for number in numbers}
    payload = packed(LinesPlan(zookeeper, names, attempt, {number: logs[number].hash or "" for number in numbers}))
    known = session.createDataFrame(
        [(names[number], number, group[number]) for number in numbers], "log string, number bigint, `group` int"
    )
    numbered = lines.join(known.hint("broadcast"), "log").select("group", "number", "file", "line", "text")
    moved = placed(numbered, len(groups)).sortWithinPartitions("number", "file", "line")
    return moved.mapInArrow(shipped(payload, here(), schema, JUDGE), columns(schema))
