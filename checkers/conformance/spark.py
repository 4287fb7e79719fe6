"""Many logs under Spark: each log is one task that reads and judges it, and only verdicts and violations come back.

No data is shuffled: the driver sends the tables and the list of logs to every worker, and a task is a number in that
list. The verdicts are those of the single process, since the tasks run the same monitor.
"""

from __future__ import annotations

import io
import os
import pickle
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from fencepost.checkers.verdicts import ExitCode, Refusal
from fencepost.model.language import Protocol, Term
from fencepost.traces import LogSource, TraceError

from .conform import Judge
from .many import unjudged
from .options import Options
from .results import LogResult, Violation

SCHEMA = "number long, worker long, kind string, body binary"
_SUMMARY, _VIOLATION, _ERROR = "summary", "violation", "error"


@dataclass(frozen=True, slots=True)
class SparkRun:
    """What a Spark job answered: the results in the order of the logs, the tasks, and the workers' process ids."""

    logs: tuple[LogResult, ...]
    tasks: int
    workers: frozenset[int]


def run(
    sources: Sequence[LogSource],
    protocols: Sequence[Protocol],
    options: Options,
    others: Mapping[tuple[str, str], Options] | None = None,
    *,
    settings: dict[str, str] | None = None,
) -> SparkRun:
    """Judge logs under Spark, one task a log; `others` are what `Judge` tries beside, `settings` the session's further.

    Raises `Refusal` where Spark cannot run, `TraceError` for a log alone that cannot be read.
    """

    def blank(source: LogSource) -> LogResult:
        return LogResult(source.path, protocols[0].name)

    return run_with(sources, Judge, (tuple(protocols), options, others), blank, settings=settings)


def run_with(
    sources: Sequence[Any],
    maker: Callable[..., Any],
    given: tuple[Any, ...],
    blank: Callable[[Any], LogResult],
    *,
    settings: dict[str, str] | None = None,
) -> SparkRun:
    """Judge anything that a judge's `source` takes, one task each; a worker makes its judge by `maker(*given)`.

    `blank` makes an empty result for a source, which is that of one that cannot be read. Raises as `run` does.
    """
    session, ours = _session(settings or {})
    try:
        context = session.sparkContext
        payload = context.broadcast(packed((tuple(sources), maker, given)))
        tasks = max(1, len(sources))
        numbers = session.range(0, len(sources), 1, tasks)
        found = numbers.mapInArrow(_task(payload), SCHEMA).collect()
    finally:
        if ours:
            session.stop()
    return SparkRun(_assembled(found, sources, blank), tasks, frozenset(int(row["worker"]) for row in found))


def _task(payload: Any) -> Any:
    def judge(batches: Iterator[Any]) -> Iterator[Any]:
        import pyarrow

        for batch in batches:
            rows = [row for number in batch.column("id").to_pylist() for row in answers(payload.value, number)]
            if rows:
                columns = list(zip(*rows, strict=True))
                yield pyarrow.record_batch(
                    [
                        pyarrow.array(columns[0], pyarrow.int64()),
                        pyarrow.array(columns[1], pyarrow.int64()),
                        pyarrow.array(columns[2], pyarrow.string()),
                        pyarrow.array(columns[3], pyarrow.binary()),
                    ],
                    names=["number", "worker", "kind", "body"],
                )

    return judge


_ready: dict[bytes, tuple[tuple[Any, ...], Any]] = {}


def answers(payload: bytes, number: int) -> list[tuple[int, int, str, bytes]]:
    """Judge one log of the payload: its summary, and a row for every violation. A worker prepares the tables once."""
    if payload not in _ready:
        sources, maker, given = pickle.loads(payload)
        _ready.clear()
        _ready[payload] = (sources, maker(*given))
    sources, judge = _ready[payload]
    worker = os.getpid()
    try:
        result = judge.source(sources[number])
    except (TraceError, OSError) as error:
        return [(number, worker, _ERROR, str(error).encode())]
    rows = [(number, worker, _VIOLATION, pickle.dumps(violation)) for violation in result.violations]
    return [(number, worker, _SUMMARY, pickle.dumps(replace(result, violations=[]))), *rows]


def _assembled(
    found: Sequence[Any], sources: Sequence[Any], blank: Callable[[Any], LogResult]
) -> tuple[LogResult, ...]:
    results: dict[int, LogResult] = {}
    violations: dict[int, list[Violation]] = {}
    for row in found:
        number, body = int(row["number"]), bytes(row["body"])
        if row["kind"] == _ERROR:
            if len(sources) == 1:
                raise TraceError(body.decode())
            results[number] = unjudged(blank(sources[number]), body.decode())
        elif row["kind"] == _SUMMARY:
            results[number] = pickle.loads(body)
        else:
            violations.setdefault(number, []).append(pickle.loads(body))
    return tuple(replace(results[number], violations=violations.get(number, [])) for number in range(len(sources)))


# -- sending tables ----------------------------------------------------------------------------------------------------
class _Packer(pickle.Pickler):
    """Pickles terms as calls of their classes, so that equal terms are one object on the other side too."""

    def reducer_override(self, obj: Any) -> Any:
        if isinstance(obj, Term):
            return type(obj), tuple(getattr(obj, field.name) for field in fields(obj))  # type: ignore[arg-type]
        return NotImplemented


def packed(value: Any) -> bytes:
    """Return anything with terms in it as bytes for `pickle.loads`."""
    out = io.BytesIO()
    limit = sys.getrecursionlimit()
    # Terms nest deeper than Python's limit foresees: several frames of the pickler a level.
    sys.setrecursionlimit(max(limit, 20_000))
    try:
        _Packer(out, protocol=pickle.HIGHEST_PROTOCOL).dump(value)
    finally:
        sys.setrecursionlimit(limit)
    return out.getvalue()


# -- the session -------------------------------------------------------------------------------------------------------
def _session(settings: dict[str, str]) -> tuple[Any, bool]:
    """Return the active session, or one of our own on this machine; the flag says which."""
    home = os.environ.get("JAVA_HOME")
    has_java = shutil.which("java") is not None or (home is not None and (Path(home) / "bin" / "java").exists())
    if not has_java:
        raise Refusal(
            "conform --spark needs Java and there is none on the PATH: install a Java of version 17 or later, or leave "
            "--spark out",
            ExitCode.INCONCLUSIVE,
        )
    try:
        from pyspark.sql import SparkSession
    except ImportError:
        raise Refusal(
            "conform --spark needs PySpark: install fencepost[spark], or leave --spark out", ExitCode.INCONCLUSIVE
        ) from None
    active = SparkSession.getActiveSession()
    if active is not None:
        return active, False
    # Workers must find this package: they run under the very interpreter that runs here.
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    os.environ.setdefault("PYSPARK_DRIVER_PYTHON", sys.executable)
    builder = SparkSession.builder.master("local[*]").appName("fencepost conform")
    defaults = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.sql.execution.arrow.maxRecordsPerBatch": "1",
        "spark.python.worker.reuse": "true",
    }
    for name, value in {**defaults, **settings}.items():
        builder = builder.config(name, value)
    try:
        session = builder.getOrCreate()
    except Exception as error:
        first = (str(error).strip().splitlines() or [type(error).__name__])[0]
        raise Refusal(
            f"conform --spark could not start Spark ({first}): see that Java 17 or later runs, or leave --spark out",
            ExitCode.INCONCLUSIVE,
        ) from error
    session.sparkContext.setLogLevel("ERROR")
    return session, True
