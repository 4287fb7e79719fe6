"""The answers of a run while it is not whole: kept as each task ends, so that a run that was stopped can go on.

They lie in `_answers/run=NAME` beside the tables, a folder for each time that the run was begun, and are deleted when
the tables are written. Spark moves a task's file there when the task ends, by a name that its other attempts would
give it too: a task that runs twice leaves one file.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from itertools import count, takewhile
from typing import Any, NamedTuple

from .hadoop import HadoopFiles
from .tables import ANSWERS, MISMATCH, SCHEMAS, columns, ddl
from .written import ANSWERS_FOLDER, place

AT_TASK_END = ("mapreduce.fileoutputcommitter.algorithm.version", "2")
"""The setting by which the files of a task are moved when that task ends, and not when the whole job does."""


class Answered(NamedTuple):
    """The attempt at a run that checked a log, and the hash of its content and of the query."""

    attempt: int
    hash: str


class Attempts:
    """The answers that were kept of one run below a folder; only the driver can ask."""

    def __init__(self, session: Any, to: str, run: str) -> None:
        self.session = session
        self._files = HadoopFiles(session)
        self._folder = place(to, ANSWERS_FOLDER, run)

    def begun(self) -> list[int]:
        """Return the numbers of the times that the run was begun; raises `OSError` where the folder cannot be read."""
        return list(takewhile(lambda one: self._files.exists(f"{self._folder}/attempt={one}"), count(1)))

    def finished(self) -> dict[str, Answered]:
        """Return the logs that were checked, by their paths; logs that could not be read are not among them."""
        found = dict[str, Answered]()
        for attempt in self.begun():
            found |= self.finished_of(self._read(attempt))
        return found

    @staticmethod
    def finished_of(answers: Any) -> dict[str, Answered]:
        """Return the same of what tasks answered."""
        logs = answers.where("kind = 'logs' and not logs.unreadable and logs.hash is not null")
        rows = logs.selectExpr("logs.path as path", "logs.attempt as attempt", "logs.hash as hash").collect()
        return {row.path: Answered(row.attempt, row.hash) for row in rows}

    def write(self, attempt: int, frames: Sequence[Any]) -> None:
        """Keep the answers of some tasks, those of each DataFrame after those of the one before."""
        for number, frame in enumerate(frames):
            frame.write.mode("error").option(*AT_TASK_END).parquet(f"{self._folder}/attempt={attempt}/{number}")

    def mismatches(self, attempt: int) -> list[str]:
        """Return the sentences of workers that have another package."""
        return [row[MISMATCH] for row in self._read(attempt).where(f"kind = '{MISMATCH}'").select(MISMATCH).collect()]

    def answers(self, attempt: int, kept: Mapping[int, tuple[str, int]]) -> Any:
        """Return what was answered in an attempt, and of kept logs, by their numbers now with the path and the attempt
        that checked them, what was answered there."""
        from pyspark.sql import functions as sql

        found = [self._read(attempt)]
        for earlier in sorted({then for _, then in kept.values()}):
            known = self.session.createDataFrame(
                [(path, number) for number, (path, then) in kept.items() if then == earlier], "`of` string, now bigint"
            )
            rows = self._read(earlier)
            rows = rows.withColumn("of", sql.coalesce(*(sql.col(f"{name}.path") for name in SCHEMAS)))
            rows = rows.join(sql.broadcast(known), "of")
            # Numbers are places among the logs that are found now, which may be others than then.
            for name in SCHEMAS:
                rows = rows.withColumn(
                    name, sql.when(sql.col(name).isNotNull(), sql.col(name).withField("number", sql.col("now")))
                )
            found.append(rows.select(*ANSWERS.names))
        return reduce(lambda one, other: one.union(other), found)

    def forget(self, attempt: int | None = None) -> None:
        """Delete the answers, those of one attempt or all."""
        self._files.delete(self._folder if attempt is None else f"{self._folder}/attempt={attempt}")

    def _read(self, attempt: int) -> Any:
        folder = f"{self._folder}/attempt={attempt}"
        parts = list(takewhile(self._files.exists, (f"{folder}/{one}" for one in count())))
        reader = self.session.read.schema(columns(ANSWERS))
        return reader.parquet(*parts) if parts else self.session.createDataFrame([], columns(ANSWERS))


def answers_of_tables(session: Any, to: str, run: str) -> Any:
    """Return the tables of a run that is whole as the rows that tasks answered."""
    from pyspark.sql import functions as sql

    found = []
    for name, schema in SCHEMAS.items():
        table = session.read.schema(columns(schema)).parquet(place(to, name, run))
        others = [
            sql.struct(*schema.names).alias(name)
            if one == name
            else sql.lit(None).cast(ddl(ANSWERS.field(one).type)).alias(one)
            for one in ANSWERS.names[1:]
        ]
        found.append(table.select(sql.lit(name).alias("kind"), *others))
    return reduce(lambda one, other: one.union(other), found)
