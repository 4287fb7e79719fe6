"""A Spark job over many logs, as its driver sees it: planned, run, and its answers as tables or as results."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import reduce
from typing import Any, TypeVar

import pyarrow as pa

from fencepost.checkers.conformance.many import Job, unjudged
from fencepost.checkers.conformance.results.results import LogResult
from fencepost.checkers.verdicts import ExitCode, Refusal, Verdict
from fencepost.model.language import Protocol
from fencepost.traces import LogSource, TraceError, find_logs
from fencepost.traces.stretches import AbridgedLog

from .attempts import Answered, Attempts, answers_of_tables
from .cluster import FEWEST, SPLIT, Cluster, of_worker, opened, reason_of
from .counting import accumulators, count, counting, note
from .hadoop import HadoopFiles, is_elsewhere
from .inputs import Contents, jobs_of, sized
from .line_tasks import LinesJudge
from .line_tasks import blank as blank_lines
from .packing import packed
from .part_plan import abridging, answers_in_parts, large_among, logs_abridged, ranges_among
from .planning import is_small, spread
from .questions import KeptJob, question_hash
from .records import Counted, answers_of, answers_of_lines, counted, placed, read_tables, tables_among
from .shipped import shipped
from .tables import ANSWERS, IN_JSON, MISMATCH, NOT_MEASURED, SCHEMAS, batch_of, columns, results_of, rows_in, rows_of
from .tasks import HASHES, NAMED, Plan, judged_by
from .versions import here
from .written import is_whole, new_run, write

PER_BATCH = "spark.sql.execution.arrow.maxRecordsPerBatch"
_GLOB = str.maketrans({character: f"\\{character}" for character in "{}[]*?\\"})
_T = TypeVar("_T")
Maker = tuple[Callable[..., Any], tuple[Any, ...], Callable[[str], LogResult]]
"""A worker's checker, `maker(*given)`, and the function that makes an empty result for a path."""

LINES = 4096
"""Lines in a batch."""

_INPUT = ("cast(`group` as bigint) as `group`", "path", "content")
"""The columns of a task's input: the number of its group, or a file."""

ROWS = 256
"""Rows in a batch where records are packed, and blocks of them unpacked."""


@dataclass(frozen=True)
class SparkResult:
    """The tables of a run as DataFrames (`SCHEMAS`): those that were written, or else kept by the executors, in memory
    and on their disks, until `release`.

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
        """Remove the tables from the executors' memory."""
        self.answers.unpersist()

    def _table(self, name: str) -> Any:
        return self.answers.where(f"kind = '{name}'").select(f"{name}.*")


@dataclass(frozen=True)
class Planned:
    """The planned answers of tasks for some logs, whose names are `logs`.

    `answers` makes DataFrames of it with a schema, `ANSWERS` or `IN_JSON`, which are not yet computed: of logs by their
    numbers, for the attempt at a run that keeps them, None for none. `hashes` says under what some have to be kept.
    `per_batch` is how many rows Spark puts into a batch for a task at most. `here` answers of all of them in this
    process, where that is less work than any task.
    """

    logs: Sequence[str]
    answers: Callable[[Sequence[int], int | None, pa.Schema], list[Any]]
    hashes: Callable[[Sequence[int]], Mapping[int, str]]
    per_batch: int = 1
    here: Callable[[], list[dict[str, Any]]] | None = None


def of_logs(
    session: Any, jobs: Sequence[Job[Any]], told: Maker, split_bytes: int | None, contents: Contents | None = None
) -> Planned:
    """Plan to check logs, large ones by several tasks each, none of which `contents` are given.

    Large are those of more than `split_bytes`, or of what `split_of` says. A batch for a task has one row: it holds at
    most one file, and no sum of them.
    """
    split = split_of(session, split_bytes)

    def chosen(numbers: Sequence[int], attempt: int | None) -> dict[int, Job[Any]]:
        if attempt is None:
            return {number: jobs[number] for number in numbers}
        question = question_hash(*told[:2])
        return {
            number: KeptJob(jobs[number].path, jobs[number].source, jobs[number].size, question, attempt)
            for number in numbers
        }

    return Planned(
        [job.path for job in jobs],
        lambda numbers, attempt, schema: _answers(session, chosen(numbers, attempt), split, told, contents, schema),
        lambda numbers: _hashes(session, chosen(numbers, 0), told, contents),
        here=(lambda: _rows_here(dict(enumerate(jobs)), told))
        if contents is None and is_small(session, jobs)
        else None,
    )


def tables_on_spark(session: Any, planned: Planned, cluster: Cluster) -> SparkResult:
    """Check what is planned, and return the tables, written where the cluster says.

    Raises `Refusal` where the workers have another package, where Spark fails, and where the run is written already.
    """
    run = cluster.run or new_run()
    with _rows_a_batch(session, planned.per_batch):
        if cluster.to is not None:
            return SparkResult(session, run, _written(session, planned, cluster.to, run, cluster.resume))
        with counting(session, len(planned.logs)):
            answers = together(planned.answers(range(len(planned.logs)), None, ANSWERS)).persist()
        _sound(answers)
    return SparkResult(session, run, answers)


def _written(session: Any, planned: Planned, to: str, run: str, resume: bool) -> Any:
    """Check the logs of a run that are not yet checked, write its tables, and return them as what tasks answered.

    Answers are kept when a task ends. A log is not checked again whose bytes are those that were checked, where the
    query is the same.
    """
    whole = is_whole(session, to, run, resume)
    attempts = Attempts(session, to, run)
    done = dict[str, Answered]()
    if resume:
        done = attempts.finished_of(answers_of_tables(session, to, run)) if whole else attempts.finished()
    known = [number for number, path in enumerate(planned.logs) if path in done]
    hashes = ran(lambda: planned.hashes(known)) if known else {}
    kept = {
        number: (planned.logs[number], done[planned.logs[number]].attempt)
        for number in known
        if hashes.get(number) == done[planned.logs[number]].hash
    }
    left = [number for number in range(len(planned.logs)) if number not in kept]
    if whole and (left or len(done) > len(kept)):
        raise Refusal(
            f"--resume {run}: the run is whole, and checked other logs than these, or with other options: "
            f"{len(left)} of these are not in it as they are now; name another by --run"
        )
    if not whole:
        attempt = max(attempts.begun(), default=0) + 1
        with counting(session, len(planned.logs), len(kept)):
            ran(lambda: attempts.write(attempt, planned.answers(left, attempt, ANSWERS)))
        wrong = attempts.mismatches(attempt)
        if wrong:
            attempts.forget(attempt)
            refuse(wrong)
        result = SparkResult(session, run, ran(lambda: attempts.answers(attempt, kept)))
        write({name: getattr(result, name) for name in SCHEMAS}, to, run, anew=resume)
    attempts.forget()
    return answers_of_tables(session, to, run)


def judged_on_spark(
    session: Any, planned: Planned, blank: Callable[[str], LogResult], cluster: Cluster
) -> tuple[LogResult, ...]:
    """Check what is planned as `tables_on_spark` does, and return the results in their order.

    Raises `TraceError` for a log alone that cannot be read.
    """
    rows: Iterable[Mapping[str, Any]]
    if cluster.to is None and planned.here is not None:
        with counting(session, len(planned.logs)):
            rows = planned.here()
    elif cluster.to is None:
        with _rows_a_batch(session, planned.per_batch), counting(session, len(planned.logs)):
            table = ran(together(planned.answers(range(len(planned.logs)), None, IN_JSON)).toArrow)
        refuse(one for one in table[MISMATCH].to_pylist() if one is not None)
        rows = rows_in(table)
    else:
        written = tables_on_spark(session, planned, cluster)
        rows = rows_in(ran(written.answers.toArrow))
        written.release()
    found = results_of(rows, type(blank("")))
    results = tuple(found[number] for number in range(len(planned.logs)))
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
    """Check anything that a checker's `source` takes as `judged_on_spark` does, in the session of a cluster."""
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
    """Check the metadata logs below paths, or those of tables of records, as `run_on` does."""
    told = maker, given, blank
    if tables_among(paths):
        with opened(cluster) as session:
            records = of_tables(session, read_tables(session, paths), told, cluster.to is not None)
            return judged_on_spark(session, records, blank, cluster)
    # What this machine has is found before a session is built, as that takes seconds.
    here_only = None if any(map(is_elsewhere, paths)) else find_logs(paths, keep=True)
    with opened(cluster) as session:
        jobs = jobs_of(session, paths)[0] if here_only is None else sized(session, here_only)
        return judged_on_spark(session, of_logs(session, jobs, told, cluster.split_bytes), blank, cluster)


def in_tasks(
    session: Any,
    jobs: Sequence[Job[Any]],
    contents: Contents | None,
    told: Maker,
    schema: pa.Schema,
    does: tuple[str, str],
) -> Any:
    """Return what a function of the workers, `does`, answers of logs, as a DataFrame that the executors keep.

    The schema has the columns `kind` and `mismatch`, which are left out. Raises `Refusal` as `tables_on_spark` does.
    """
    payload, inputs = _planned(session, dict(enumerate(jobs)), told, contents)
    if inputs is None:
        return session.createDataFrame([], columns(schema)).drop("kind", MISMATCH)
    with _rows_a_batch(session, 1):
        answers = inputs.mapInArrow(shipped(payload, here(), schema, does), columns(schema)).persist()
        _sound(answers)
    return answers.drop("kind", MISMATCH)


def _sound(answers: Any) -> None:
    """Compute what executors keep; where that fails, or a worker has another package, they forget it."""
    try:
        wrong = ran(answers.where(f"{MISMATCH} is not null").select(MISMATCH).collect)
        refuse(row[MISMATCH] for row in wrong)
    except BaseException:
        answers.unpersist()
        raise


def of_tables(session: Any, records: Any, told: Maker, keep: bool) -> Planned:
    """Plan to check the logs of `records_of`, whose answers are kept or not; raises as `counted` does."""
    logs = ran(lambda: counted(records, question_hash(*told[:2]) if keep else None))
    return Planned(
        [log.path for log in logs],
        lambda numbers, attempt, schema: [
            *_unreadable(session, logs, numbers, told[2], schema),
            answers_of(session, records, logs, _readable(logs, numbers), attempt, told, _cores(session), schema),
        ],
        lambda numbers: {number: logs[number].hash or "" for number in numbers},
        ROWS,
    )


def of_lines(session: Any, lines: Any, zookeeper: Protocol, keep: bool) -> Planned:
    """Plan to check the logs of `lines_of`, whose answers are kept or not; raises as `counted` does."""
    logs = ran(lambda: counted(lines, question_hash(LinesJudge, (zookeeper,)) if keep else None, "line"))
    return Planned(
        [log.path for log in logs],
        lambda numbers, attempt, schema: [
            *_unreadable(session, logs, numbers, blank_lines, schema),
            answers_of_lines(
                session, lines, logs, _readable(logs, numbers), attempt, zookeeper, _cores(session), schema
            ),
        ],
        lambda numbers: {number: logs[number].hash or "" for number in numbers},
        LINES,
    )


def _readable(logs: Sequence[Counted], numbers: Sequence[int]) -> list[int]:
    return [number for number in numbers if not logs[number].cannot]


def _unreadable(
    session: Any, logs: Sequence[Counted], numbers: Sequence[int], blank: Callable[[str], LogResult], schema: pa.Schema
) -> list[Any]:
    """Return the answers for logs that no task is needed for, since they cannot be checked."""
    rows = [
        row
        for number in numbers
        if logs[number].cannot
        for row in rows_of(number, unjudged(blank(logs[number].path), logs[number].cannot), NOT_MEASURED)
    ]
    return [answered_here(session, rows, schema)] if rows else []


def answered_here(session: Any, rows: Sequence[Mapping[str, Any]], schema: pa.Schema) -> Any:
    """Return rows of the tables that this process made as a DataFrame."""
    return session.createDataFrame(pa.Table.from_batches([batch_of(rows, schema)]), columns(schema))


# -- the plan ----------------------------------------------------------------------------------------------------------
def together(frames: Sequence[Any]) -> Any:
    """Return the rows of several DataFrames as those of one."""
    return reduce(lambda one, other: one.union(other), frames)


def _answers(
    session: Any, jobs: Mapping[int, Job[Any]], split: int, told: Maker, contents: Contents | None, schema: pa.Schema
) -> list[Any]:
    """Return what the tasks will answer, as DataFrames that are not yet computed: of large logs, checked in parts, the
    last."""
    if contents is None and is_small(session, jobs.values()):
        return [answered_here(session, _rows_here(jobs, told), schema)]
    large = {} if contents else _abridged(session, jobs, told, split)
    small = {number: job for number, job in jobs.items() if number not in large}
    payload, inputs = _planned(session, small, told, contents)
    found = []
    if inputs is not None:
        found.append(inputs.mapInArrow(shipped(payload, here(), schema), columns(schema)))
    if large:
        found.append(answers_in_parts(session, jobs, large, split, schema, *told))
    return found or [session.createDataFrame([], columns(schema))]


def _rows_here(jobs: Mapping[int, Job[Any]], told: Maker) -> list[dict[str, Any]]:
    """Return what tasks would answer of small logs, which this process checks."""
    note(f"{len(jobs)} small logs are checked in this process, which takes no longer than to start workers")
    work, counts = told[0](*told[1]).source, accumulators()
    found: list[dict[str, Any]] = []
    for number, job in jobs.items():
        rows = list(judged_by(job, work, told[2], number, None))
        count(counts, rows)
        found += rows
    return found


def _hashes(session: Any, jobs: Mapping[int, Job[Any]], told: Maker, contents: Contents | None) -> dict[int, str]:
    """Return the hashes of logs as they lie now; one that cannot be read has none."""
    payload, inputs = _planned(session, jobs, told, contents)
    rows = inputs.mapInArrow(shipped(payload, here(), HASHES, NAMED), columns(HASHES)).collect()
    refuse(row[MISMATCH] for row in rows if row[MISMATCH] is not None)
    return {row.number: row.hash for row in rows if row.hash is not None}


def _planned(session: Any, jobs: Mapping[int, Job[Any]], told: Maker, contents: Contents | None) -> tuple[bytes, Any]:
    """Return what every task is sent, and the rows that name the logs of each; None where there is no log.

    Logs of this machine are read by the task's own process. Those behind URIs are read by Spark, a scan for each
    group, so that the files of a log come to the task that checks it, and nothing is shuffled; but given contents are.
    """
    files, empty = _files(session, jobs) if contents is None else ({one: dict(contents.files[one]) for one in jobs}, {})
    local = [number for number in jobs if number not in files]
    cores = _cores(session)
    groups = [
        [numbers[one] for one in group]
        for numbers in (local, list(files))
        for group in spread([jobs[number].size for number in numbers], cores)
    ]
    payload = packed(Plan(*told, jobs, groups, files, empty))
    if not groups:
        return payload, None
    if contents is not None:
        group = [(path, at) for at, group in enumerate(groups) for number in group for path in contents.files[number]]
        known = session.createDataFrame(group, "path string, `group` bigint").hint("broadcast")
        rows = _marked(session, 0, len(groups)).union(
            contents.frame.join(known, "path").select("group", "path", "content")
        )
        # The row that names a group is in front of its files.
        return payload, placed(rows, len(groups)).selectExpr(*_INPUT).sortWithinPartitions("group", "path")
    read_here = sum(group[0] not in files for group in groups)
    inputs: list[Any] = []
    if read_here:
        inputs.append(_marked(session, 0, read_here))
    for number in range(read_here, len(groups)):
        paths = [path for one in groups[number] for path in files[one]]
        marked = _marked(session, number, number + 1)
        inputs.append(marked.union(_scan(session, paths)).coalesce(1) if paths else marked)
    return payload, together(inputs)


def _marked(session: Any, first: int, end: int) -> Any:
    """Return the rows that name groups, a partition each."""
    return session.range(first, end, 1, end - first).selectExpr(
        "id as `group`", "cast(null as string) as path", "cast(null as binary) as content"
    )


def _scan(session: Any, paths: Sequence[str]) -> Any:
    """Return the files at paths; one that is not there any more, or cannot be read, is left out."""
    reader = session.read.format("binaryFile").option("recursiveFileLookup", "true")
    reader = reader.option("ignoreMissingFiles", "true").option("ignoreCorruptFiles", "true")
    files = ran(lambda: reader.load([path.translate(_GLOB) for path in paths]))
    return files.selectExpr("cast(null as bigint) as `group`", "path", "content")


def _abridged(session: Any, jobs: Mapping[int, Job[Any]], told: Maker, split: int) -> dict[int, AbridgedLog]:
    """Return the logs that several tasks check, abridged; raises `Refusal` as `tables_on_spark` does."""
    numbers = list(jobs)
    large = [numbers[at] for at in large_among(list(jobs.values()), told[0], split)]
    ranges = ranges_among(jobs, large, split)
    if not ranges:
        return {}
    rows = ran(abridging(session, ranges).toArrow).to_pylist()
    refuse(row[MISMATCH] for row in rows if row[MISMATCH] is not None)
    return logs_abridged(jobs, ranges, rows)


def _files(session: Any, jobs: Mapping[int, Job[Any]]) -> tuple[dict[int, dict[str, str]], dict[int, list[str]]]:
    """Return, of each log that Spark reads, its files by the path that Spark gives them, and those without a byte."""
    files = HadoopFiles(session)
    found, empty = dict[int, dict[str, str]](), dict[int, list[str]]()
    for number, job in jobs.items():
        if isinstance(job.source, LogSource) and is_elsewhere(job.path) and not job.source.unreadable:
            uris = (*job.source.segments, *job.source.snapshots)
            empty[number] = [uri for uri in uris if files.is_empty(uri)]
            found[number] = {files.qualified(uri): uri for uri in uris if uri not in empty[number]}
    return found, empty


def split_of(session: Any, split_bytes: int | None) -> int:
    """Return from how many bytes several tasks check a log, 0 for never.

    That is what is given, else `SPLIT` where `FEWEST` tasks or more run at the same time.
    """
    if split_bytes is not None:
        return split_bytes
    return SPLIT if _cores(session) >= FEWEST else 0


def _cores(session: Any) -> int:
    try:
        return int(session.sparkContext.defaultParallelism)
    except Exception:
        # Spark Connect does not report how many cores there are; groups are cut by size anyway.
        return 2


@contextmanager
def _rows_a_batch(session: Any, rows: int) -> Any:
    """Set the most rows that Spark puts into a batch."""
    before = session.conf.get(PER_BATCH)
    session.conf.set(PER_BATCH, str(rows))
    try:
        yield
    finally:
        session.conf.set(PER_BATCH, before)


def ran(action: Callable[[], _T]) -> _T:
    """Run an action of Spark's; raises `Refusal` with what it says where it fails."""
    try:
        return action()
    except (Refusal, TraceError):
        raise
    except Exception as error:
        raise Refusal(
            f"conform --spark: the job failed{of_worker(error)}; the event log and the executors' logs say more than: "
            f"{reason_of(error)}",
            ExitCode.INCONCLUSIVE,
        ) from error


def refuse(mismatches: Iterable[str]) -> None:
    """Raise `Refusal` for the first sentence of a worker that has another package, if there is one."""
    for sentence in mismatches:
        raise Refusal(
            f"conform --spark: {sentence}; give all of them one package, as docs/spark.md says", ExitCode.INCONCLUSIVE
        )
