"""Following `conform`: a line for each log when it is done, and how far the work is, on standard error."""

from __future__ import annotations

import contextlib
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from .terminal import say

if TYPE_CHECKING:
    from rich.progress import Progress as Bar

    from fencepost.checkers.conformance import Job, LogResult, Progress

EVERY = 10.0
"""The seconds between two lines of progress where standard error is no terminal."""

READING = 0.1
"""The share of reading in the work on a log; the rest is checking. Only the estimate depends on it."""

SURE = 0.02
"""The share of all work from which on an end is estimated."""

PARTS = 1000
"""The parts of the whole that the terminal's percentage counts."""


MANY = 40
"""The logs up to which each has lines of its own; of more the page has at most so many lines."""


class Following:
    """Prints the progress on some logs; of a log alone only its share that is done."""

    def __init__(self, noun: str, command: str) -> None:
        self.noun, self.command = noun, command
        self.jobs: Sequence[Job[Any]] = ()
        self.progress: Sequence[Progress] = ()
        self.done: dict[int, LogResult] = {}
        self.began = time.monotonic()
        self.lock = threading.RLock()
        self.over = threading.Event()
        self.bar: Bar | None = None

    def planned(self, jobs: Sequence[Job[Any]], progress: Sequence[Progress]) -> None:
        """Begin to tell how far the work is."""
        self.jobs, self.progress, self.began = jobs, progress, time.monotonic()
        if sys.stderr.isatty():
            self._show()
        else:
            threading.Thread(target=self._every, daemon=True).start()

    def ended(self, number: int, result: LogResult, seconds: float) -> None:
        """Print the line of a log that is done."""
        with self.lock:
            self.done[number] = result
        # Of many logs the counts say how far the work is, and the page at its end what is wrong.
        if 1 < len(self.jobs) <= MANY:
            with self._hidden():
                self._say(f"{result.path}: {result.verdict.value}, {result.records:,} records, {seconds:.1f} s")

    def close(self) -> None:
        """Tell nothing from now on."""
        self.over.set()
        # Without the lock: who draws the line has the bar's and asks for ours.
        bar, self.bar = self.bar, None
        if bar is not None:
            bar.stop()

    # -- how far -------------------------------------------------------------------------------------------------------
    def share(self) -> float:
        """Return the share of the work that is done, from 0 to 1, by the bytes of the logs on disk."""
        whole = done = 0.0
        for number, (job, progress) in enumerate(zip(self.jobs, self.progress, strict=True)):
            weight, stage = max(job.size, 1), progress.stage
            whole += weight
            if number in self.done:
                done += weight
            elif stage.end >= 0:
                done += weight * (READING + (1 - READING) * stage.done / max(stage.records, 1))
            else:
                done += weight * READING * min(1.0, stage.read / weight)
        return done / whole if whole else 0.0

    def text(self, is_short: bool = False) -> str:
        """Return how far the work is as one line: logs, records, records a second, an estimate of the rest; where that
        is known the short line has no time that is past."""
        seconds = max(time.monotonic() - self.began, 0.001)
        with self.lock:
            share = self.share()
            stages = [progress.stage for progress in self.progress]
            finished = len(self.done)
            judged = sum(s.records if n in self.done else s.done for n, s in enumerate(stages))
        weights = [max(job.size, 1) for job in self.jobs]
        known = [n for n, stage in enumerate(stages) if stage.end >= 0]
        parts = [f"{finished} of {len(self.jobs)} {self.noun}"] if len(self.jobs) > 1 else []
        if known:
            all_ = sum(stages[n].records for n in known) * sum(weights) / sum(weights[n] for n in known)
            about = "" if len(known) == len(stages) else "about "
            parts.append(f"{judged:,} of {about}{round(all_):,} records")
            parts.append(f"{judged / seconds:,.0f} records/s")
        elif any(stage.read for stage in stages):
            read, size = sum(stage.read for stage in stages), sum(job.size for job in self.jobs)
            parts.append(f"{read / 2**20:,.1f} of {size / 2**20:,.1f} MiB read")
        again = max((s.passes for n, s in enumerate(stages) if n not in self.done), default=0)
        if again > 1:
            parts.append(f"pass {again} over the log")
        is_sure = SURE <= share < 1
        if not (is_short and is_sure):
            parts.append(f"{spell(seconds)} so far")
        if is_sure:
            parts.append(f"about {spell(seconds * (1 - share) / share)} left")
        return ", ".join(parts)

    # -- output -------------------------------------------------------------------------------------------------------
    def _show(self) -> None:
        from rich.console import Console
        from rich.progress import Progress, SpinnerColumn, TaskProgressColumn, TextColumn

        following = self

        class Live(Progress):
            """A line that asks how far the work is whenever it is drawn."""

            def get_renderables(self) -> Iterator[Any]:
                """Draw the line as things stand."""
                for task in self.task_ids:
                    self._tasks[task].completed = round(PARTS * following.share())
                    self._tasks[task].description = following.text(is_short=True)
                yield from super().get_renderables()

        self.bar = Live(
            SpinnerColumn(),
            TaskProgressColumn(),
            TextColumn("{task.description}", markup=False),
            console=Console(stderr=True),
            transient=True,
            refresh_per_second=4,
            redirect_stdout=False,
            redirect_stderr=False,
        )
        self.bar.add_task("", total=PARTS)
        self.bar.start()

    def _every(self) -> None:
        while not self.over.wait(EVERY):
            with self.lock:
                if not self.over.is_set():
                    print(f"{self.command}: {self.text()}", file=sys.stderr, flush=True)

    @contextlib.contextmanager
    def _hidden(self) -> Iterator[None]:
        """Take the line from the terminal meanwhile: standard output may be the same one."""
        bar = self.bar
        if bar is not None:
            bar.stop()
        try:
            yield
        finally:
            if bar is not None and self.bar is bar:
                bar.start()

    def _say(self, line: str) -> None:
        if sys.stdout.isatty():
            from .colours import console

            console(sys.stdout).print(line, markup=False, soft_wrap=True)
        else:
            say(line)


@contextlib.contextmanager
def following(noun: str, command: str = "conform") -> Iterator[Following]:
    """Follow some work of a command until the end of the block; `noun` names what is evaluated, in the plural."""
    found = Following(noun, command)
    try:
        yield found
    finally:
        found.close()


def spell(seconds: float) -> str:
    """Return a time for people."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 6000 else f"{seconds / 3600:.1f} h"
