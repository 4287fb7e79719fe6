"""A Spark job over many logs, as its driver sees it: planned, run, and its answers as tables or as results."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import reduce
from typing import Any, TypeVar

import pyarrow as pa

from fencepost.checkers.conformance.many import Job
from fencepost.checkers.conformance.results import LogResult
from fencepost.checkers.verdicts import ExitCode, Refusal, Verdict
from fencepost.traces import LogSource, TraceError, find_logs
from fencepost.traces.stretches import AbridgedLog

from .cluster import Cluster, first_line, opened
from .hadoop import HadoopFiles, as_uri, is_elsewhere, through_spark
from .packing import packed
from .part_plan import abridging, answers_in_parts, large_among, logs_abridged, ranges_among
from .planning import spread
from .records import answers_of, read_tables, tables_among
from .shipped import shipped
from .tables import ANSWERS, MISMATCH, SCHEMAS, columns, results_of
from .tasks import INPUT, Plan
from .versions import here
from .written import new_run, refuse_written, write

PER_BATCH = "spark.sql.execution.arrow.maxRecordsPerBatch"
_GLOB = str.maketrans({character: f"\\{character}" for character in "{}[]*?\\"})
_T = TypeVar("_T")
Told = tuple[Callable[..., Any], tuple[Any, ...], Callable[[str], LogResult]]
"""How a worker makes its judge, `maker(*given)`, and what makes an empty result for a path."""

ROWS = 256
"""Rows in a batch where records are packed, and blocks of them unpacked."""


@dataclass(frozen=True)
class SparkResult:
    """The tables of a run as DataFrames (`SCHEMAS`), kept in the executors' memory and on their disks until `release`.

    `logs` has a row a log, `violations` and `findings` one for each, `rows` one for each row of the tables that a log
    exercised. `run` is the name of the run, under which it was written where it was to be. The `session` goes on.
    """

    session: Any
    run: str
    answers: Any

    @property
    def logs(self) -> Any:
        """A row a log: its verdict, and what it rests on."""
        return self._table("logs")

    @property
    def violations(self) -> Any:
        """A row a violation."""
        return self._table("violations")

    @property
    def findings(self) -> Any:
        """A row for each time that a log shows a known finding."""
        return self._table("findings")

    @property
    def rows(self) -> Any:
        """A row for each log and row of the tables that it exercised."""
        return self._table("rows")

    def release(self) -> None:
        """Let the executors forget the tables."""
        self.answers.unpersist()

    def _table(self, name: str) -> Any:
        return self.answers.where(f"kind = '{name}'").select(f"{name}.*")


def find_on(session: Any, paths: Iterable[str]) -> tuple[LogSource, ...]:
    """Find logs, those behind URIs through Spark's filesystems; raises `TraceError` for paths without a log."""
    with through_spark(session):
        return find_logs([as_uri(path) for path in paths], keep=True)


def jobs_of(session: Any, sources: Sequence[LogSource]) -> list[Job[LogSource]]:
    """Return logs with their sizes where they lie."""
    files = HadoopFiles(session)
    return [
        Job(
            one.path, one, sum(map(files.size, (*one.segments, *one.snapshots))) if is_elsewhere(one.path) else one.size
        )
        for one in sources
    ]


@dataclass(frozen=True)
class Planned:
    """What tasks will answer: `answers` makes the DataFrame of it, which is not yet computed.

    `per_batch` is how many rows Spark puts into a batch for a task at most, `count` how many logs there are.
    """

    answers: Callable[[], Any]
    count: int
    per_batch: int = 1


def of_logs(session: Any, jobs: Sequence[Job[Any]], told: Told, split: int) -> Planned:
    """Plan to judge logs, those of more than `split` bytes by several tasks each.

    A batch for a task has one row: what it holds at most is one file, and no sum of them.
    """
    return Planned(lambda: _answers(session, jobs, _abridged(session, jobs, told, split), split, *told), len(jobs))


def tables_on_spark(session: Any, planned: Planned, cluster: Cluster) -> SparkResult:
    """Judge what is planned, and return the tables, written where the cluster says.

    Raises `Refusal` where the workers have another package, where Spark fails, and where the run is written already.
    """
    run = cluster.run or new_run()
    if cluster.to is not None:
        refuse_written(session, cluster.to, run)
    with _rows_a_batch(session, planned.per_batch):
        answers = planned.answers().persist()
        try:
            wrong = _run(answers.where(f"kind = '{MISMATCH}'").select(MISMATCH).collect)
            _refuse(row[MISMATCH] for row in wrong)
            result = SparkResult(session, run, answers)
            if cluster.to is not None:
                write({name: getattr(result, name) for name in SCHEMAS}, cluster.to, run)
        except BaseException:
            answers.unpersist()
            raise
    return result


def judged_on_spark(
    session: Any, planned: Planned, blank: Callable[[str], LogResult], cluster: Cluster
) -> tuple[LogResult, ...]:
    """Judge what is planned as `tables_on_spark` does, and return the results in their order.

    Raises `TraceError` for a log alone that cannot be read.
    """
    if cluster.to is None:
        with _rows_a_batch(session, planned.per_batch):
            table: pa.Table = _run(planned.answers().toArrow)
        _refuse(one for one in table[MISMATCH].to_pylist() if one is not None)
    else:
        written = tables_on_spark(session, planned, cluster)
        table = _run(written.answers.toArrow)
        written.release()
    found = results_of(table, type(blank("")))
    results = tuple(found[number] for number in range(planned.count))
    if len(results) == 1 and results[0].verdict is Verdict.INCONCLUSIVE:
        raise TraceError(" ".join(doubt.message for doubt in results[0].doubts))
    return results


def run_on(
    cluster: Cluster,
    jobs: Sequence[Job[Any]],
    maker: Callable[..., Any],
    given: tuple[Any, ...],
    blank: Callable[[str], LogResult],
) -> tuple[LogResult, ...]:
    """Judge anything that a judge's `source` takes as `judged_on_spark` does, in the session of a cluster."""
    with opened(cluster) as session:
        return judged_on_spark(
            session, of_logs(session, jobs, (maker, given, blank), cluster.split_bytes), blank, cluster
        )


def judged_logs(
    cluster: Cluster,
    paths: Sequence[str],
    maker: Callable[..., Any],
    given: tuple[Any, ...],
    blank: Callable[[str], LogResult],
) -> tuple[LogResult, ...]:
    """Judge the metadata logs below paths, or those of tables of records, as `run_on` does."""
    told = maker, given, blank
    if tables_among(paths):
        with opened(cluster) as session:
            return judged_on_spark(session, of_tables(session, read_tables(session, paths), told), blank, cluster)
    # What this machine has is found before a session is built, as that takes seconds.
    here_only = None if any(map(is_elsewhere, paths)) else find_logs(paths, keep=True)
    with opened(cluster) as session:
        sources = find_on(session, paths) if here_only is None else here_only
        return judged_on_spark(
            session, of_logs(session, jobs_of(session, sources), told, cluster.split_bytes), blank, cluster
        )


def of_tables(session: Any, records: Any, told: Told) -> Planned:
    """Plan to judge the logs of `records_of`; raises as `answers_of` does."""
    answers, count = _run(lambda: answers_of(session, records, *told, _cores(session)))
    return Planned(lambda: answers, count, ROWS)


# -- the plan ----------------------------------------------------------------------------------------------------------
def _answers(
    session: Any,
    jobs: Sequence[Job[Any]],
    large: Mapping[int, AbridgedLog],
    split: int,
    maker: Callable[..., Any],
    given: tuple[Any, ...],
    blank: Callable[[str], LogResult],
) -> Any:
    """Return what the tasks will answer, as a DataFrame that is not yet computed; `large` are judged in parts.

    Logs of this machine are read by the task's own process. Those behind URIs are read by Spark, a scan for each
    group, so that the files of a log come to the task that judges it, and nothing is shuffled.
    """
    elsewhere, empty = _files(session, jobs, large)
    local = [number for number in range(len(jobs)) if number not in elsewhere and number not in large]
    cores = _cores(session)
    groups = [
        [numbers[one] for one in group]
        for numbers in (local, list(elsewhere))
        for group in spread([jobs[number].size for number in numbers], cores)
    ]
    read_here = sum(group[0] not in elsewhere for group in groups)
    payload = packed(Plan(maker, given, blank, tuple(jobs), groups, elsewhere, empty))
    inputs: list[Any] = []
    if read_here:
        inputs.append(_marked(session, 0, read_here))
    for number in range(read_here, len(groups)):
        paths = [path for one in groups[number] for path in elsewhere[one]]
        marked = _marked(session, number, number + 1)
        inputs.append(marked.union(_scan(session, paths)).coalesce(1) if paths else marked)
    if not inputs and not large:
        inputs.append(session.createDataFrame([], INPUT))
    found = []
    if inputs:
        whole = reduce(lambda one, other: one.union(other), inputs)
        found.append(whole.mapInArrow(shipped(payload, here(), ANSWERS), columns(ANSWERS)))
    if large:
        found.append(answers_in_parts(session, jobs, large, split, maker, given, blank))
    return reduce(lambda one, other: one.union(other), found)


def _marked(session: Any, first: int, end: int) -> Any:
    """Return the rows that name groups, a partition each."""
    return session.range(first, end, 1, end - first).selectExpr(
        "id as `group`", "cast(null as string) as path", "cast(null as binary) as content"
    )


def _scan(session: Any, paths: Sequence[str]) -> Any:
    """Return the files at paths; one that is not there any more, or cannot be read, is left out."""
    reader = session.read.format("binaryFile").option("recursiveFileLookup", "true")
    reader = reader.option("ignoreMissingFiles", "true").option("ignoreCorruptFiles", "true")
    files = _run(lambda: reader.load([path.translate(_GLOB) for path in paths]))
    return files.selectExpr("cast(null as bigint) as `group`", "path", "content")


def _abridged(session: Any, jobs: Sequence[Job[Any]], told: Told, split: int) -> dict[int, AbridgedLog]:
    """Return the logs that several tasks judge, abridged; raises `Refusal` as `tables_on_spark` does."""
    ranges = ranges_among(jobs, large_among(jobs, told[0], split), split)
    if not ranges:
        return {}
    rows = _run(abridging(session, ranges).toArrow).to_pylist()
    _refuse(row[MISMATCH] for row in rows if row[MISMATCH] is not None)
    return logs_abridged(jobs, ranges, rows)


def _files(
    session: Any, jobs: Sequence[Job[Any]], large: Collection[int]
) -> tuple[dict[int, dict[str, str]], dict[int, list[str]]]:
    """Return, of each log that Spark reads whole, its files by the path that Spark gives them, and those without a
    byte."""
    files = HadoopFiles(session)
    found, empty = dict[int, dict[str, str]](), dict[int, list[str]]()
    for number, job in enumerate(jobs):
        if number in large:
            continue
        if isinstance(job.source, LogSource) and is_elsewhere(job.path) and not job.source.unreadable:
            uris = (*job.source.segments, *job.source.snapshots)
            empty[number] = [uri for uri in uris if files.is_empty(uri)]
            found[number] = {files.qualified(uri): uri for uri in uris if uri not in empty[number]}
    return found, empty


def _cores(session: Any) -> int:
    try:
        return int(session.sparkContext.defaultParallelism)
    except Exception:
        # Of Spark Connect nobody knows how many cores there are; groups are cut by size anyway.
        return 2


@contextmanager
def _rows_a_batch(session: Any, rows: int) -> Any:
    """Let Spark put so many rows into a batch at most."""
    before = session.conf.get(PER_BATCH)
    session.conf.set(PER_BATCH, str(rows))
    try:
        yield
    finally:
        session.conf.set(PER_BATCH, before)


def _run(action: Callable[[], _T]) -> _T:
    """Run an action of Spark's; raises `Refusal` with what it says where it fails."""
    try:
        return action()
    except (Refusal, TraceError):
        raise
    except Exception as error:
        raise Refusal(
            f"conform --spark: the job failed ({first_line(error)}); the event log and the executors' logs say more",
            ExitCode.INCONCLUSIVE,
        ) from error


def _refuse(mismatches: Iterable[str]) -> None:
    for sentence in mismatches:
        raise Refusal(
            f"conform --spark: {sentence}; give all of them one package, as docs/spark.md says", ExitCode.INCONCLUSIVE
        )
