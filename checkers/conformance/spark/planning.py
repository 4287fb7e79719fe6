"""Logs spread over tasks by their size: several small ones a task, a large one alone; few small ones in no task."""

from __future__ import annotations

import heapq
import sys
from collections.abc import Iterable, Sequence
from typing import Any

from fencepost.checkers.conformance.many import Job
from fencepost.checkers.verdicts import Refusal

from .hadoop import is_elsewhere

LEAST = 1 << 17
"""The bytes that a log counts for at least: the smallest takes some time, too."""

FULL = 16 << 20
"""The bytes of logs up to which a task takes another log: the work of a minute or so, as progress is by tasks that have
ended, and a task that is lost is done again."""

WAVES = 4
"""The number of tasks a core, where there are enough logs: cores that end early take more of them."""


SECONDS = "spark.fencepost.driverSeconds"
"""The setting that says up to how many estimated seconds of work the driver's process does it; 0 for never."""

A_LOG, A_SECOND = 0.005, 1 << 20
"""The seconds that any log takes, and the bytes that are checked in one."""

A_START, SENT, MOST = 5.0, 2.0, 60.0
"""Seconds until workers have begun; how often the time of a small log its task takes, whose answer goes through Java;
and the seconds of work for which workers begin in any case."""


def is_small(session: Any, jobs: Iterable[Job[Any]]) -> bool:
    """Whether the driver's process checks logs in no more time than workers, which import the package first.

    That is so on this machine alone, where workers would be processes like this one. What a user says of workers, as
    another interpreter or a limit of their memory, is said to have them.
    """
    try:
        context = session.sparkContext
    except Exception:
        return False  # of Spark Connect, whose workers are the server's
    settings = context.getConf()
    if context.master != "local" and not context.master.startswith("local["):
        return False
    if context.pythonExec != sys.executable or settings.contains("spark.executor.pyspark.memory"):
        return False
    said = session.conf.get(SECONDS, None)
    try:
        most = MOST if said is None else float(said)
    except ValueError:
        raise Refusal(f"{SECONDS}={said}: this is no number of seconds; give one, as 5, or 0 for never") from None
    here = there = 0.0
    for job in jobs:
        here += A_LOG + job.size / A_SECOND
        there += SENT * A_LOG + job.size / A_SECOND
        if here > most or is_elsewhere(job.path):
            return False
    return said is not None or here <= A_START + there / max(1, int(context.defaultParallelism))


def spread(sizes: Sequence[int], cores: int) -> list[list[int]]:
    """Return the numbers of logs as groups, a task each, the largest group first.

    >>> spread([5 << 20, 1, 1, 90 << 20], 1)
    [[3], [0], [1], [2]]
    >>> [len(group) for group in spread([1] * 100, 2)]
    [13, 13, 13, 13, 12, 12, 12, 12]
    """
    if not sizes:
        return []
    weights = [max(LEAST, size) for size in sizes]
    count = min(len(sizes), max(WAVES * cores, -(-sum(weights) // FULL)))
    # The largest log goes to the group that has least so far: no group exceeds another by more than one log.
    heap = [(0, number) for number in range(count)]
    groups: list[list[int]] = [[] for _ in range(count)]
    for log in sorted(range(len(sizes)), key=lambda one: -weights[one]):
        weight, number = heapq.heappop(heap)
        groups[number].append(log)
        heapq.heappush(heap, (weight + weights[log], number))
    return sorted((sorted(group) for group in groups), key=lambda group: -sum(weights[one] for one in group))
