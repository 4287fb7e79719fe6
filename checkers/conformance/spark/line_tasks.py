"""Tasks with tables of lines: they make the lines of each trace or recording files again, and check these."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa

from fencepost.checkers.conformance.designs.conform import DesignResult, TraceJudge
from fencepost.checkers.conformance.many import Job
from fencepost.checkers.conformance.results.progress import Progress
from fencepost.checkers.conformance.results.results import LogResult
from fencepost.checkers.conformance.zk.judge import ZkJudge
from fencepost.model.language import Protocol
from fencepost.traces import TraceError
from fencepost.traces.zk_recordings import is_zk_recording

from .questions import KeptJob
from .tasks import by_log, judged_by, prepared, some_at_once

JUDGE = ("fencepost.checkers.conformance.spark.line_tasks", "answers")
"""The module and the name of the function that the tasks call."""

ALONE = "trace.ndjson"
"""The name of the file of a trace whose lines do not say it."""

Line = tuple[str, int, str]
"""The file, the number, counted from 1, and the text of a line."""


@dataclass(frozen=True, slots=True)
class LinesPlan:
    """The input of every worker: the tables of the ZooKeeper era, and the logs by number. `attempt` is the attempt at
    a run that keeps the answers, under `hashes`; None for none."""

    zookeeper: Protocol
    logs: Mapping[int, str]
    attempt: int | None
    hashes: Mapping[int, str]


class LinesJudge:
    """Checks the lines of a recording of a ZooKeeper-era cluster, or of a trace of a design."""

    def __init__(self, zookeeper: Protocol) -> None:
        self.recordings, self.traces = ZkJudge(zookeeper), TraceJudge()

    def lines(self, name: str, lines: Sequence[Line]) -> LogResult:
        """Check lines as the files that they were; raises `TraceError` where some are missing, or are no such files."""
        with tempfile.TemporaryDirectory() as scratch:
            folder = Path(scratch, "lines")
            folder.mkdir()
            try:
                _write(folder, lines)
                if is_zk_recording(folder):
                    result: LogResult = self.recordings.source(str(folder))
                else:
                    files = sorted(folder.iterdir())
                    if len(files) > 1:
                        raise TraceError(
                            f"{name}: a trace of a design is one file, and a recording of a cluster has a "
                            f"state-change.log or a znode-history.ndjson; the lines are of {files[0].name} and "
                            f"{files[1].name}"
                        )
                    result = self.traces.source(str(files[0]))
            except TraceError as error:
                raise TraceError(_named(str(error), folder, name)) from None
            result.path = name
            result.doubts = [replace(one, message=_named(one.message, folder, name)) for one in result.doubts]
            result.notes = [_named(note, folder, name) for note in result.notes]
        return result


def _write(folder: Path, lines: Sequence[Line]) -> None:
    """Write lines, which are sorted, as files; raises `TraceError` for a line that is missing, or comes twice."""
    texts: dict[str, list[str]] = {}
    for file, number, text in lines:
        if Path(file).name != file or file in ("", ".", ".."):
            raise TraceError(f"{file!r} is no name of a file: give the last part of its path")
        known = texts.setdefault(file, [])
        if number == len(known) and known[-1:] == [text]:
            continue
        if number != len(known) + 1:
            gap = number > len(known)
            what = "is there, and the one before is not" if gap else "is there twice, with different texts"
            raise TraceError(f"{file}: line {number} {what}: the table does not have the whole file")
        known.append(text)
    for file, known in texts.items():
        (folder / file).write_text("".join(f"{text}\n" for text in known), encoding="utf-8", newline="")


def _named(text: str, folder: Path, name: str) -> str:
    """Return a sentence about the files as one about the log."""
    return text.replace(f"{folder}/", f"{name}/").replace(str(folder), name)


def blank(path: str) -> LogResult:
    """Return an empty result for lines that could not be checked at all."""
    return DesignResult(path, "")


def _checker(plan: LinesPlan) -> LinesJudge:
    return LinesJudge(plan.zookeeper)


def _line(row: Mapping[str, Any]) -> Line:
    return row["file"], row["line"], row["text"]


def answers(payload: bytes, batches: Iterable[pa.RecordBatch]) -> Iterator[list[dict[str, Any]]]:
    """Check the logs whose lines come, sorted by the logs' numbers, files and lines; yield rows of the tables."""
    plan, judge = prepared(payload, _checker)
    yield from some_at_once(by_log(batches, _line, partial(_judged, plan, judge)))


def _judged(
    plan: LinesPlan, judge: LinesJudge, number: int, group: int, lines: Sequence[Line]
) -> Iterator[dict[str, Any]]:
    def work(source: Sequence[Line], progress: Progress) -> LogResult:
        return judge.lines(plan.logs[number], source)

    job: Job[Sequence[Line]] = Job(plan.logs[number], lines, sum(len(text) for *_, text in lines))
    if plan.attempt is not None:
        job = KeptJob(job.path, job.source, job.size, attempt=plan.attempt, known=plan.hashes[number])
    yield from judged_by(job, work, blank, number, group)
