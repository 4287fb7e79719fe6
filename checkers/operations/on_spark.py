"""`fencepost.spark.health`, `story` and `intervals`: what an operator asks of a log, asked of many, as DataFrames."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

from fencepost.checkers.conformance.records.static_settings import StaticSettings
from fencepost.checkers.conformance.results.results import LogResult
from fencepost.checkers.conformance.spark.api import Paths
from fencepost.checkers.conformance.spark.cluster import Cluster, session_of
from fencepost.checkers.conformance.spark.inputs import jobs_of
from fencepost.checkers.conformance.spark.job import in_tasks

from .about import About, about_of
from .health import WINDOW
from .spark_tables import SCHEMAS, Asked
from .spark_tasks import NAMED
from .story import ASKED


def health(
    paths: Paths | Any,
    session: Any = None,
    *,
    at: str = "end",
    window: float = WINDOW,
    static: StaticSettings | None = None,
    master: str | None = None,
    conf: Mapping[str, str] | None = None,
) -> Any:
    """Return how each cluster is at a moment of its metadata log: a DataFrame of a row a log.

    `paths` and the session are those of `conform`; `at`, `window` in seconds and `static` those of `fencepost health`,
    a time of day being of each log's own day. A log that does not tell its state is a row without a status, whose
    `message` says why. docs/spark.md has the columns. The executors keep it until the session ends, or its
    `catalog.clearCache()`. Raises `TraceError` for paths without a log, and `Refusal` where Spark cannot run or fails,
    or where workers have another package.
    """
    asked = Asked("health", "0", at, about_of(None, None, None), static, window, None)
    return _table(paths, session, master, conf, asked)


def story(
    paths: Paths | Any,
    session: Any = None,
    *,
    begin: str = "0",
    end: str = "end",
    partition: str | None = None,
    broker: int | None = None,
    topic: str | None = None,
    types: Iterable[str] = (),
    most: int | None = ASKED,
    static: StaticSettings | None = None,
    master: str | None = None,
    conf: Mapping[str, str] | None = None,
) -> Any:
    """Return what happened in each log between two moments: a DataFrame of a row an event, in the log's order.

    The options are those of `fencepost story`; `most` is of how many records of small batches the rows are asked, None
    for all. A log that does not tell, from some record on or at all, has one more row with a `message` that says why.
    Otherwise as `health`.
    """
    asked = Asked("story", begin, end, about_of(partition, broker, topic, types), static, WINDOW, most)
    return _table(paths, session, master, conf, asked)


def intervals(
    paths: Paths | Any,
    session: Any = None,
    *,
    begin: str = "0",
    end: str = "end",
    partition: str | None = None,
    broker: int | None = None,
    topic: str | None = None,
    static: StaticSettings | None = None,
    master: str | None = None,
    conf: Mapping[str, str] | None = None,
) -> Any:
    """Return from when to when something held of partitions and brokers: a DataFrame of a row an interval.

    The options are those of `fencepost story --intervals`; `to_offset` is null where it held to the last record.
    Otherwise as `health`.
    """
    about: About = about_of(partition, broker, topic)
    return _table(paths, session, master, conf, Asked("intervals", begin, end, about, static, WINDOW, None))


def _table(paths: Any, session: Any, master: str | None, conf: Mapping[str, str] | None, asked: Asked) -> Any:
    found, ours = session_of(Cluster(session, master, dict(conf or {})))
    try:
        jobs, contents = jobs_of(found, paths)
        return in_tasks(
            found, jobs, contents, (_same, (asked,), partial(LogResult, protocol="")), SCHEMAS[asked.kind], NAMED
        )
    except BaseException:
        if ours:
            found.stop()
        raise


def _same(asked: Asked) -> Asked:
    return asked


__all__ = ["health", "intervals", "story"]
