"""Worker processes: the solver runs in children that can be ended, so that no query ever hangs a command.

Where the system cannot fork, as on Windows, the work is done in this process, and a query ends at the solver's own
limit.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from typing import Any

from fencepost.checkers.children import begin, can_fork
from fencepost.checkers.memory import reason

Job = tuple[Any, ...]
Work = Callable[[Job], Any]


@dataclass
class _Worker:
    process: Any
    pipe: Connection
    job: Job | None = None
    since: float = field(default_factory=time.monotonic)


def workers() -> int:
    """Return how many processes share the work: one a core, and no more than four."""
    return max(1, min(4, os.cpu_count() or 1))


def _here(work: Work, job: Job) -> tuple[Job, Any, str]:
    """Do a job in this process."""
    try:
        return job, work(job), ""
    except Exception as error:
        return job, None, reason(error)


def _serve(pipe: Connection, make: Callable[[], Work]) -> None:
    begin()
    # What a worker makes is needed until it ends, so to look for what is not takes time and finds nothing.
    gc.disable()
    work: Work | None = None
    while True:
        job = pipe.recv()
        if job is None:
            return
        try:
            work = work or make()
            pipe.send((True, work(job)))
        except BaseException as error:
            pipe.send((False, reason(error)))


def shared(
    make: Callable[[], Work], batches: Sequence[Sequence[Job]], timeout: float, count: int, afresh: bool = False
) -> Iterator[tuple[Job, Any, str]]:
    """Yield each job with its result, or with a sentence why there is none.

    A batch is a sequence of jobs for one worker. A job that takes longer than `timeout` seconds loses its worker; the
    rest of its batch goes to a new one. With `afresh` each batch has a worker of its own, whose memory holds nothing of
    other batches: a solver's answer within its resources depends on what it was asked before. The children are forked,
    since tables are values that cannot be imported by name.
    """
    if not can_fork():
        work = make()
        yield from (_here(work, job) for batch in batches for job in batch)
        return
    context = multiprocessing.get_context("fork")
    waiting = deque(deque(batch) for batch in batches if batch)
    mine: dict[int, deque[Job]] = {}
    pool: list[_Worker] = []

    def start() -> _Worker:
        ours, theirs = context.Pipe()
        process = context.Process(target=_serve, args=(theirs, make), daemon=True)
        process.start()
        theirs.close()
        return _Worker(process, ours)

    def feed(worker: _Worker) -> None:
        left = mine.get(id(worker))
        if not left and waiting:
            left = mine[id(worker)] = waiting.popleft()
        worker.job = left.popleft() if left else None
        worker.since = time.monotonic()
        if worker.job is not None:
            with suppress(BrokenPipeError):  # it is gone, which is seen where its answer is awaited
                worker.pipe.send(worker.job)

    try:
        for _ in range(min(count, len(waiting))):
            pool.append(start())
            feed(pool[-1])
        while any(worker.job is not None for worker in pool):
            busy = [worker for worker in pool if worker.job is not None]
            soonest = min(worker.since for worker in busy) + timeout
            ready = wait([worker.pipe for worker in busy], max(0.01, soonest - time.monotonic()))
            for worker in busy:
                if worker.pipe in ready:
                    yield _received(worker)
                elif time.monotonic() - worker.since <= timeout:
                    continue
                else:
                    yield _ended(worker, f"ended after {timeout:.0f} s")
                if afresh and not mine.get(id(worker)):
                    worker.process.kill()
                    worker.process.join()
                if not worker.process.is_alive():
                    left = mine.pop(id(worker), deque())
                    pool.remove(worker)
                    if left:
                        waiting.appendleft(left)
                    if not waiting:
                        continue
                    worker = start()
                    pool.append(worker)
                feed(worker)
    finally:
        for worker in pool:
            worker.process.kill()
        for worker in pool:
            worker.process.join()


class Child:
    """A function that runs in a child while this process goes on; the child ends with the block at the latest."""

    def __init__(self, work: Callable[[], Any]) -> None:
        self._worker: _Worker | None = None
        self._work = work
        if not can_fork():
            return
        ours, theirs = multiprocessing.get_context("fork").Pipe()
        process = multiprocessing.get_context("fork").Process(
            target=_serve, args=(theirs, lambda: lambda job: work()), daemon=True
        )
        process.start()
        theirs.close()
        self._worker = _Worker(process, ours, ())
        ours.send(())

    def __enter__(self) -> Child:
        return self

    def __exit__(self, *_: object) -> None:
        if self._worker is not None:
            self._worker.process.kill()
            self._worker.process.join()

    def result(self, timeout: float) -> tuple[Any, str]:
        """Return what the function returned, or None and a sentence why there is nothing after so many seconds."""
        if self._worker is None:
            return _here(lambda job: self._work(), ())[1:]
        if not self._worker.pipe.poll(timeout):
            return _ended(self._worker, f"ended after {timeout:.0f} s")[1:]
        return _received(self._worker)[1:]


def _received(worker: _Worker) -> tuple[Job, Any, str]:
    job = worker.job
    assert job is not None
    try:
        good, result = worker.pipe.recv()
    except (EOFError, OSError):  # it was killed, maybe before it read what it was given
        return _ended(worker, "the solver's process was ended, as when memory runs out")
    return (job, result, "") if good else (job, None, result)


def _ended(worker: _Worker, why: str) -> tuple[Job, Any, str]:
    job = worker.job
    assert job is not None
    worker.process.kill()
    worker.process.join()
    return job, None, why
