"""Following `conform --spark`: how far the tasks are, on a terminal in a line that changes, elsewhere in lines."""

from __future__ import annotations

import contextlib
import sys
import threading
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING

from .following import EVERY, spell
from .terminal import watching

if TYPE_CHECKING:
    from fencepost.checkers.conformance.spark.counting import Counts

SHORT = 1.0
"""The seconds between two looks where standard error is a terminal."""


def text(counts: Counts, seconds: float, noun: str) -> str:
    """Return how far a job is, so many seconds after it began: logs, records, records a second, violations, and an
    estimate of the rest by the logs that are done; of logs that several tasks check, how many parts are."""
    found = counts.until_now()
    done, left = found["logs"], counts.whole - counts.kept - found["logs"]
    parts = [f"{done + counts.kept:,} of {counts.whole:,} {noun}"]
    if counts.kept:
        parts.append(f"{counts.kept:,} of them checked before")
    if found["parts_planned"]:
        parts.append(f"{found['parts']:,} of {found['parts_planned']:,} parts of large ones")
    parts.append(f"{found['records']:,} records")
    if found["records"]:
        parts.append(f"{found['records'] / max(seconds, 0.001):,.0f} records/s")
    parts += [f"{found['violations']:,} violations", f"{spell(seconds)} so far"]
    if done and left:
        parts.append(f"about {spell(seconds * left / done)} left")
    return ", ".join(parts)


@contextlib.contextmanager
def following_spark(noun: str) -> Iterator[None]:
    """Print the progress of jobs on Spark until the end of the block; `noun` is what is checked, in the plural."""
    from fencepost.checkers.conformance.spark.counting import watched

    over = threading.Event()
    with watching(f"checking {noun} on Spark") as tell:

        def show(counts: Counts) -> None:
            began = time.monotonic()
            terminal = sys.stderr.isatty()
            while not over.wait(SHORT if terminal else EVERY):
                told = text(counts, time.monotonic() - began, noun)
                if terminal:
                    tell(told)
                else:
                    print(f"conform: {told}", file=sys.stderr, flush=True)

        try:
            with watched(
                lambda counts: threading.Thread(target=show, args=(counts,), daemon=True).start(),
                lambda sentence: print(f"conform: {sentence}", file=sys.stderr, flush=True),
            ):
                yield
        finally:
            over.set()
