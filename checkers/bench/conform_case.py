"""One case of `fencepost bench conform`: a log is written and checked, in a process of its own."""

from __future__ import annotations

import resource
import signal
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fencepost.checkers.conformance.by_term import TermJudge
from fencepost.checkers.conformance.reading.options import Options
from fencepost.checkers.conformance.records.passed import PASSED_THROUGH
from fencepost.checkers.conformance.records.static_settings import StaticSettings
from fencepost.checkers.conformance.results.progress import Progress
from fencepost.traces import read_log

from .conform_logs import write_case


@dataclass
class Cost:
    """The cost of a case: CPU seconds of reading the files, of restoring the snapshot, and of checking the tail.

    `judged` of the `records` were checked when the limit ended it. `peak_mib` is the most memory of the process.
    """

    partitions: int
    kind: str
    records: int
    judged: int = 0
    read_cpu_s: float = 0.0
    restore_cpu_s: float = 0.0
    judge_cpu_s: float = 0.0
    peak_mib: float = 0.0
    verdict: str = ""
    dump: dict[str, Any] = field(default_factory=dict)

    @property
    def cpu_s(self) -> float:
        """All CPU seconds of checking the log."""
        return self.read_cpu_s + self.restore_cpu_s + self.judge_cpu_s

    def a_record(self) -> float | None:
        """Return the CPU milliseconds for a record of the tail, None where the limit let none of them be checked."""
        return 1000 * self.judge_cpu_s / self.judged if self.judged else None


class _Limit(BaseException):
    pass


class _Marks(Progress):
    """Notes when the first record of the tail is checked, and how far the check gets; from the first on the limit is
    `limit` CPU seconds."""

    first_cpu: float | None = None
    limit: float = 0.0

    def judged(self, offset: int) -> None:
        """Note the offset, and the CPU seconds at the first."""
        if self.first_cpu is None:
            self.first_cpu = time.process_time()
            signal.setitimer(signal.ITIMER_PROF, self.limit)
        self.offset = offset


def measured_case(partitions: int, kind: str, records: int, folder: str, limit: float, before: float) -> Cost:
    """Write the log of a case and check it as `conform` does; this should be done in a process of its own.

    Its tail is checked for `limit` CPU seconds at most, and what is before it has `before` of them.

    The tail's time is that from the first record on, so the state's size counts only as far as records cost more.
    """
    cost = Cost(partitions, kind, write_case(Path(folder), partitions, kind, records))
    static, marks = StaticSettings(), _Marks()
    marks.limit = limit
    judge = TermJudge(static, Options(PASSED_THROUGH, static.given))

    def over(*_: object) -> None:
        raise _Limit

    signal.signal(signal.SIGPROF, over)
    began = read = time.process_time()
    signal.setitimer(signal.ITIMER_PROF, before)
    try:
        log = read_log(folder)
        read = time.process_time()
        result = judge.log(log, marks)
        signal.setitimer(signal.ITIMER_PROF, 0)
        cost.verdict, cost.judged = result.verdict.value, result.records
    except _Limit:
        # Behind the snapshot the leader change comes first, then the tail.
        cost.judged = max(0, marks.stage.done - 1)
    ended = time.process_time()
    tail = ended if marks.first_cpu is None else marks.first_cpu
    cost.read_cpu_s, cost.restore_cpu_s, cost.judge_cpu_s = read - began, tail - max(read, began), ended - tail
    cost.peak_mib = _peak_mib()
    return cost


def _peak_mib() -> float:
    """Return the most memory that this process had; not its parent's, which the system's call counts in."""
    status = Path("/proc/self/status")
    if not status.exists():
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (2**20 if sys.platform == "darwin" else 2**10)
    return int(next(line for line in status.read_text().splitlines() if line.startswith("VmHWM")).split()[1]) / 2**10
