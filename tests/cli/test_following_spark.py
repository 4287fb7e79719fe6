"""How far a job on Spark is: what is counted of its tasks, and the line that prints it."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pyarrow as pa
import pytest

from fencepost.checkers.cli import following_spark
from fencepost.checkers.conformance.spark.counting import Counts, accumulators, counting, planned, watched
from fencepost.checkers.conformance.spark.part_tasks import PARTS
from fencepost.checkers.conformance.spark.shipped import shipped
from fencepost.checkers.conformance.spark.tables import ANSWERS, IN_JSON, SCHEMAS
from fencepost.checkers.conformance.spark.versions import here


class Sum:
    """An accumulator as Spark has it."""

    def __init__(self, value: int) -> None:
        self.value = value

    def add(self, more: int) -> None:
        """Add a number."""
        self.value += more


NOTHING = {"logs": 0, "records": 0, "violations": 0, "parts": 0, "parts_planned": 0}
SESSION = SimpleNamespace(sparkContext=SimpleNamespace(accumulator=Sum))


def judged(payload: bytes, batches: Any) -> Iterator[list[dict[str, Any]]]:
    """Answer two logs of 30 records, one with two violations."""
    blank = dict.fromkeys(one.name for one in SCHEMAS["logs"])
    logs = [{**blank, "number": n, "path": str(n), "records": 30, "violations": 2 * n} for n in (0, 1)]
    rows: list[dict[str, Any]] = [{"kind": "logs", "logs": one} for one in logs]
    yield [*rows, {"kind": "rows", "rows": {"number": 0}}]


@pytest.mark.parametrize("schema", [ANSWERS, IN_JSON], ids=["columns", "JSON"])
def test_tasks_count_what_they_judge_where_somebody_watches(schema: pa.Schema) -> None:
    """Logs, records and violations are summed of the rows that a task answers; without a watcher nothing is made."""
    with counting(SESSION, 5):
        assert accumulators() == {}
    heard: list[Counts] = []
    notes: list[str] = []
    with watched(heard.append, notes.append), counting(SESSION, 5, 1):
        task = shipped(b"", here(), schema, (__name__, "judged"))
    assert accumulators() == {}
    assert notes == []
    (counts,) = heard
    assert counts.until_now() == {**NOTHING}
    assert len(list(task([]))) == 1
    assert counts.until_now() == {**NOTHING, "logs": 2, "records": 60, "violations": 2}
    # A task that runs again is no log more than there are.
    list(task([])), list(task([]))
    assert counts.until_now()["logs"] == 4


def parts(payload: bytes, batches: Any) -> Iterator[pa.RecordBatch]:
    """Answer a part of 40 records that is checked, and one that is left to the check of the whole log."""
    blank = dict.fromkeys(PARTS.names)
    yield pa.RecordBatch.from_pylist([{**blank, "found": b"", "records": 40}, blank], schema=PARTS)


def test_parts_of_large_logs_are_counted_once() -> None:
    """A part counts with its records when it is checked, and those of the log that is put together of parts do not."""
    heard: list[Counts] = []
    notes: list[str] = []
    with watched(heard.append, notes.append), counting(SESSION, 1):
        planned(2)
        task = shipped(b"", here(), PARTS, (__name__, "parts"))
        other = shipped(b"", here(), ANSWERS, (__name__, "of_parts"))
    list(task([])), list(other([]))
    assert notes == []
    assert heard[0].until_now() == {
        **NOTHING,
        "logs": 1,
        "records": 40,
        "violations": 1,
        "parts": 1,
        "parts_planned": 2,
    }


def of_parts(payload: bytes, batches: Any) -> Iterator[list[dict[str, Any]]]:
    """Answer a log of 80 records that was judged in parts."""
    blank = dict.fromkeys(one.name for one in SCHEMAS["logs"])
    log = {**blank, "number": 0, "path": "", "records": 80, "violations": 1, "parts": 2}
    yield [{"kind": "logs", "logs": log}]


def test_the_line_tells_all_that_is_counted() -> None:
    """Logs of all, those from before, records, their pace, violations, time, and what is left by the logs that are
    done; before the first is done nothing is estimated."""
    sums = tuple(map(Sum, (2_000, 5_000_000, 3, 0, 0)))
    assert following_spark.text(Counts(10_000, 0, sums), 50.0, "logs") == (
        "2,000 of 10,000 logs, 5,000,000 records, 100,000 records/s, 3 violations, 50 s so far, about 3 min left"
    )
    assert following_spark.text(Counts(10, 4, tuple(map(Sum, (0, 0, 0, 0, 0)))), 5.0, "traces") == (
        "4 of 10 traces, 4 of them checked before, 0 records, 0 violations, 5 s so far"
    )
    assert following_spark.text(Counts(1, 0, tuple(map(Sum, (0, 3_000, 0, 2, 4)))), 10.0, "logs") == (
        "0 of 1 logs, 2 of 4 parts of large ones, 3,000 records, 300 records/s, 0 violations, 10 s so far"
    )


def test_where_there_is_no_terminal_lines_are_printed(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A job that begins in the block is reported on standard error until the block ends."""
    import time

    monkeypatch.setattr(following_spark, "EVERY", 0.001)
    with following_spark.following_spark("logs"), counting(SESSION, 3):
        for _ in range(3000):
            if "conform: 0 of 3 logs" in capsys.readouterr().err:
                return
            time.sleep(0.01)
    pytest.fail("nothing was printed")
