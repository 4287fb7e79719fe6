"""`fencepost.spark.conform` and `conform_events`: check logs and event traces on Spark, with tables as answers."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from fencepost.checkers.conformance.conform import asked
from fencepost.checkers.conformance.records.passed import PASSED_THROUGH
from fencepost.checkers.conformance.records.static_settings import StaticSettings
from fencepost.checkers.verdicts import Refusal
from fencepost.model.language import Protocol
from fencepost.model.registry import find
from fencepost.model.releases import NEWEST, RELEASES
from fencepost.traces import TraceError, find_logs

from .cluster import Cluster, session_of
from .event_tasks import TraceJob, traces_judged
from .hadoop import through_spark
from .inputs import jobs_of, paths_of
from .job import SparkResult, of_lines, of_logs, of_tables, tables_on_spark
from .records import read_tables, tables_among
from .schema import Found, lines_of, records_of

Paths = str | os.PathLike[str] | Iterable[str | os.PathLike[str]]


def conform(
    paths: Paths | Any,
    protocol: Protocol | Sequence[Protocol] | None = None,
    session: Any = None,
    *,
    high_watermark: int | None = None,
    given: Mapping[str, Any] | None = None,
    static: StaticSettings | None = None,
    passed_through: frozenset[str] = PASSED_THROUGH,
    ask_others: bool = True,
    by_class: bool = True,
    to: str | None = None,
    run: str | None = None,
    resume: str | None = None,
    master: str | None = None,
    conf: Mapping[str, str] | None = None,
    split_bytes: int | None = None,
) -> SparkResult:
    """Check every metadata log below the paths on Spark, and return the tables of the run.

    `paths` is a path, several, or a DataFrame with a column `path`, each a segment, a log directory, a dump, a glob or
    a URI of a scheme that Spark reads; with a column `content`, as the `binaryFile` source makes it, each row is a file
    of the log that its folder is. It may also be a DataFrame of records, with the columns log, offset, key and
    value, or paths of such tables as Parquet, or a DataFrame of the lines of traces of designs, or of recordings of the
    ZooKeeper era, with the columns log, line and text: docs/spark.md has all columns. Without a `session` the active
    one is used; without any, one is built, and goes on: its master is `master`, or what `conf`, spark-submit,
    spark-defaults.conf or SPARK_MASTER say, or this machine. With `to` the tables are written there as Parquet, as
    `run`, which must be new; `resume` names one that was stopped and goes on, whose logs that are checked, and have not
    changed since, are not checked again. A log of more than `split_bytes` is checked by several tasks, 0 for none; left
    out, from 32 MiB on where four tasks or more run at the same time. The other arguments are those of
    `fencepost.conform`, as the command gives them.
    A log that cannot be read is an inconclusive row, also where it is the only one.
    Raises `TraceError` for paths without a log, and for a table without a record, `TableError` where a protocol's
    records do not fit the wire, and `Refusal` where Spark cannot run or fails, where workers have another package, for
    a table without a column that is needed, and for a run that is there already.
    """
    cluster = Cluster(session, master, dict(conf or {}), to, resume or run, split_bytes, resume is not None)
    if resume is not None and (to is None or run is not None):
        raise Refusal("resume names a run that `to` has: give to, and leave out run")
    found, ours = session_of(cluster)
    try:
        if hasattr(paths, "columns") and Found(paths).has("log", "line", "text"):
            zookeeper = find("zk").whole if protocol is None else protocol
            if not isinstance(zookeeper, Protocol):
                raise Refusal("a table of lines is checked by one protocol: leave it out, or give one")
            return tables_on_spark(found, of_lines(found, lines_of(paths), zookeeper, to is not None), cluster)
        told = asked(
            protocol,
            high_watermark=high_watermark,
            given=given,
            static=static,
            passed_through=passed_through,
            ask_others=ask_others,
            by_class=by_class,
        )
        how = told.maker, told.given_to, told.blank
        records = _records(found, paths)
        if records is not None:
            return tables_on_spark(found, of_tables(found, records, how, to is not None), cluster)
        jobs, contents = jobs_of(found, paths)
        return tables_on_spark(found, of_logs(found, jobs, how, split_bytes, contents), cluster)
    except BaseException:
        if ours:
            found.stop()
        raise


def conform_events(
    traces: Iterable[tuple[str | os.PathLike[str], str | os.PathLike[str]]],
    release: str = NEWEST,
    session: Any = None,
    *,
    static: StaticSettings | None = None,
) -> Any:
    """Check event traces on Spark, a task each, and return a DataFrame with a row a trace (`EVENTS`).

    `traces` are pairs of a log's path and that of the trace of the controller that wrote it, which workers can open;
    the tables of `release` are evaluated. The session is found as by `conform`. A trace or a log that cannot be read is
    an inconclusive row.
    Raises `TraceError` for a path that is not that of one log, and `Refusal` for a release without tables, and where
    Spark cannot run.
    """
    settings = StaticSettings() if static is None else static
    if release not in RELEASES:
        raise Refusal(f"there are no tables of release {release}; use one of {', '.join(RELEASES)}")
    jobs = []
    for path, trace in traces:
        sources = find_logs([os.fspath(path)])
        if len(sources) != 1:
            raise TraceError(f"{path}: there are {len(sources)} logs here; name the log of the controller of {trace}")
        jobs.append(TraceJob(os.fspath(trace), sources[0], release, settings))
    return traces_judged(session_of(Cluster(session))[0], jobs)


def _records(session: Any, paths: Any) -> Any:
    """Return the records of a DataFrame or of tables, None for what names logs."""
    if hasattr(paths, "columns"):
        found = Found(paths)
        return None if found.has("path") and not found.has("offset") else records_of(paths)
    with through_spark(session):
        tables = tables_among(paths_of(paths))
        return read_tables(session, tables) if tables else None
