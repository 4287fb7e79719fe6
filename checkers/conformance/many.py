"""Checks many logs one after the other, or by several processes: each result as it comes, in the order of the logs.

A log that cannot be read is one inconclusive result among the others. Where there is one log alone, what is wrong with
it is raised as an error of the caller.
"""

from __future__ import annotations

import pickle
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from fencepost.checkers.memory import short_of_memory
from fencepost.checkers.verdicts import ExitCode, Refusal, Verdict
from fencepost.model.language import Protocol as Tables
from fencepost.traces import TraceError

from .results.progress import Progress, Stage
from .results.results import ConformResult, Doubt, LogResult

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

    from .spark.cluster import Cluster

NO_ROOM = "check it with more memory, or in parts on Spark (--spark --split-bytes)"
"""The advice for a log that is too large."""
NOT_BEGUN = "stopped before it was begun"
"""The doubt about a log whose turn had not come when all was stopped."""

Source = TypeVar("Source")
Work = Callable[[Source, Progress], LogResult]
"""Reads and checks one log."""


@dataclass(frozen=True, slots=True)
class Job(Generic[Source]):
    """A log to check: its path, the source that `Work` takes, and its bytes on disk, 0 where they are not known."""

    path: str
    source: Source
    size: int = 0


class Follow(Protocol):
    """The caller's function that follows the work, run in the calling process."""

    def planned(self, jobs: Sequence[Job[Any]], progress: Sequence[Progress]) -> None:
        """Take the logs and how far each is, which goes on changing."""

    def ended(self, number: int, result: LogResult, seconds: float) -> None:
        """Take a result: of which log, and how long it took."""


class Stopped(KeyboardInterrupt):
    """The caller stopped the work: `result` has the results until then, and how far the rest was."""

    def __init__(self, result: ConformResult) -> None:
        super().__init__()
        self.result = result


@dataclass(frozen=True, slots=True)
class Judged:
    """The results in the order of the logs; `stopped` is whether the caller stopped the work before its end."""

    logs: tuple[LogResult, ...]
    stopped: bool = False

    def result(self, started: float, tables: Sequence[Tables], scope: Mapping[str, Any]) -> ConformResult:
        """Return the whole result; raises `Stopped` with it where the work was stopped. `started` is by the clock of
        `time.monotonic`."""
        found = ConformResult(self.logs, time.monotonic() - started, tuple(tables), scope, self.stopped)
        if self.stopped:
            raise Stopped(found)
        return found


def judged(
    jobs: Sequence[Job[Source]],
    work: Work[Source],
    blank: Callable[[str], LogResult],
    *,
    processes: int = 1,
    follow: Follow | None = None,
) -> Judged:
    """Check logs, several at a time where there are several `processes`, the largest first.

    `blank` makes an empty result for a path. Where there are several logs, one that cannot be read is inconclusive.
    Raises `TraceError` for a log alone that cannot be read, and `Refusal` where this system cannot fork processes.
    """
    progress = [Progress() for _ in jobs]
    results: dict[int, LogResult] = {}

    def ended(number: int, result: LogResult, seconds: float) -> None:
        results[number] = result
        if follow is not None:
            follow.ended(number, result, seconds)

    one_by_one = min(processes, len(jobs)) < 2
    pool = None if one_by_one else _Pool(jobs, work, blank, progress, min(processes, len(jobs)))
    stopped = False
    try:
        # The display may start a thread, and processes are forked before there is one.
        if follow is not None:
            follow.planned(jobs, progress)
        if pool is not None:
            pool.run(ended)
        else:
            for number, job in enumerate(jobs):
                began, progress[number].begun = time.monotonic(), True
                result = one(job, work, blank, progress[number], len(jobs) == 1)
                ended(number, result, time.monotonic() - began)
    except KeyboardInterrupt:
        stopped = True
    finally:
        if pool is not None:
            pool.end()
    return Judged(
        tuple(results.get(n) or _stopped(blank(job.path), progress[n]) for n, job in enumerate(jobs)), stopped
    )


def judged_by(
    jobs: Sequence[Job[Any]],
    maker: Callable[..., Any],
    given: tuple[Any, ...],
    blank: Callable[[str], LogResult],
    *,
    spark: bool | Cluster,
    processes: int,
    follow: Follow | None,
) -> Judged:
    """Check logs by the checker that `maker` makes of what is `given`: here, or in the tasks of a Spark job.

    Raises `Refusal` where Spark is asked for and cannot run, else what `judged` does.
    """
    if not spark:
        return judged(jobs, maker(*given).source, blank, processes=processes, follow=follow)
    from .spark.cluster import Cluster
    from .spark.job import run_on

    return Judged(run_on(Cluster() if isinstance(spark, bool) else spark, jobs, maker, given, blank))


def unjudged(result: LogResult, sentence: str) -> LogResult:
    """Return an empty result as that of a log that could not be checked, for the reason in a sentence."""
    result.verdict = Verdict.INCONCLUSIVE
    result.doubts.append(Doubt(None, None, sentence))
    return result


def _stopped(result: LogResult, progress: Progress) -> LogResult:
    return unjudged(result, progress.stage.stopped if progress.begun else NOT_BEGUN)


def one(
    job: Job[Source], work: Work[Source], blank: Callable[[str], LogResult], progress: Progress, alone: bool = False
) -> LogResult:
    """Check one log; one that cannot be read is inconclusive, and raises `TraceError` where it is `alone`."""
    try:
        return work(job.source, progress)
    except TraceError as error:
        if alone:
            raise
        return unjudged(blank(job.path), str(error))
    except Exception as error:
        if short_of_memory(error):
            return unjudged(blank(job.path), f"{job.path}: it does not fit into memory; {NO_ROOM}")
        if not isinstance(error, OSError):
            raise
        sentence = f"{job.path}: cannot be read ({error}); check disk and permissions"
        if alone:
            raise TraceError(sentence) from error
        return unjudged(blank(job.path), sentence)


# -- processes ---------------------------------------------------------------------------------------------------------
@dataclass(slots=True)
class _Worker:
    process: Any
    pipe: Connection
    number: int | None = None
    began: float = field(default_factory=time.monotonic)


class _Pool(Generic[Source]):
    """Processes that take one log after the other. They are forked: what is made before is made once."""

    def __init__(
        self,
        jobs: Sequence[Job[Source]],
        work: Work[Source],
        blank: Callable[[str], LogResult],
        progress: Sequence[Progress],
        count: int,
    ) -> None:
        import multiprocessing

        from fencepost.checkers.children import can_fork

        if not can_fork():
            raise Refusal("conform --jobs: this system cannot fork processes; leave it out", ExitCode.USAGE)
        self.jobs, self.work, self.blank, self.progress = jobs, work, blank, progress
        self.context = multiprocessing.get_context("fork")
        # The largest first, so that none of them is begun when all others are done.
        self.waiting = sorted(range(len(jobs)), key=lambda number: -jobs[number].size)[::-1]
        self.pool: list[_Worker] = []
        for _ in range(count):
            self._start()

    def run(self, ended: Callable[[int, LogResult, float], None]) -> None:
        """Check all logs; `ended` is called with each."""
        from multiprocessing.connection import wait

        for worker in self.pool:
            self._feed(worker)
        while busy := [worker for worker in self.pool if worker.number is not None]:
            for pipe in wait([worker.pipe for worker in busy]):
                worker = next(one for one in busy if one.pipe is pipe)
                assert worker.number is not None
                number = worker.number
                try:
                    message = worker.pipe.recv()
                except (EOFError, OSError):  # it was killed, maybe before it read what it was given
                    ended(number, self._died(worker), time.monotonic() - worker.began)
                    continue
                if isinstance(message, Stage):
                    self.progress[number].put(message)
                elif isinstance(message, BaseException):
                    raise message
                else:
                    ended(number, message, time.monotonic() - worker.began)
                    self._feed(worker)

    def end(self) -> None:
        """End the processes, whatever they do."""
        for worker in self.pool:
            worker.process.kill()
        for worker in self.pool:
            worker.process.join()

    def _start(self) -> _Worker:
        ours, theirs = self.context.Pipe()
        inherited = [ours, *(worker.pipe for worker in self.pool)]
        process = self.context.Process(target=self._serve, args=(theirs, inherited), daemon=True)
        process.start()
        theirs.close()
        worker = _Worker(process, ours)
        self.pool.append(worker)
        return worker

    def _feed(self, worker: _Worker) -> None:
        worker.number = self.waiting.pop() if self.waiting else None
        worker.began = time.monotonic()
        if worker.number is not None:
            self.progress[worker.number].begun = True
            with suppress(BrokenPipeError):  # it is gone, which is seen where its answer is awaited
                worker.pipe.send(worker.number)

    def _died(self, worker: _Worker) -> LogResult:
        """Return the result of a log whose process is gone, with another in its place."""
        assert worker.number is not None
        worker.process.join()
        self.pool.remove(worker)
        if self.waiting:
            self._feed(self._start())
        code, path = worker.process.exitcode, self.jobs[worker.number].path
        why = f"by signal {-code}" if code is not None and code < 0 else f"with code {code}"
        return unjudged(
            self.blank(path), f"{path}: its process was ended {why}, as when memory runs out; give fewer --jobs"
        )

    def _serve(self, pipe: Connection, inherited: Sequence[Connection]) -> None:
        # Where the process that asked is gone, its end of the pipe must be closed.
        from fencepost.checkers.children import begin

        begin()
        for other in inherited:
            other.close()
        while True:
            try:
                number = pipe.recv()
                found = one(self.jobs[number], self.work, self.blank, Progress(pipe.send))
            except (EOFError, BrokenPipeError):
                return
            except Exception as error:
                pipe.send(_sent(error))
            else:
                pipe.send(found)


def _sent(error: Exception) -> Exception:
    """Return an error, or one that says the same, as it can be sent to another process."""
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return RuntimeError(f"{type(error).__name__}: {error}")
    return error
