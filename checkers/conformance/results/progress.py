"""The progress of the work on one log: the bytes read of its files, then the offset up to which it is checked."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

from fencepost.traces import MetadataLog

INTERVAL = 0.2
"""The minimum interval in seconds between two reports of progress."""


class Stage(NamedTuple):
    """The progress of the work on a log, small enough to be sent to another process.

    `read` are bytes of its files as they lie on disk. Once the check has begun, `first` and `end` are its offsets, the
    latter exclusive, and `offset` is that up to which it is checked; before, `end` is -1. `passes` counts how often
    a check began: a log may be read under several releases.
    """

    read: int = 0
    first: int = 0
    offset: int = 0
    end: int = -1
    passes: int = 0

    @property
    def records(self) -> int:
        """The number of offsets of the log, 0 where that is not yet known."""
        return max(0, self.end - self.first)

    @property
    def done(self) -> int:
        """The number of offsets that are checked in this pass."""
        return max(0, self.offset - self.first)

    @property
    def stopped(self) -> str:
        """The doubt about a log whose check is stopped here."""
        if self.end < 0:
            far = f"after {self.read:,} bytes were read" if self.read else "before anything was read"
            return f"stopped {far}: nothing is checked"
        again = f", in pass {self.passes} over the log" if self.passes > 1 else ""
        return f"stopped at offset {self.offset} of about {self.end}{again}"


@dataclass(slots=True)
class Progress:
    """The stage of one log, noted by the process that works on it; `tell` is called with it from time to time.

    `begun` is whether a process works on it, or did.
    """

    tell: Callable[[Stage], None] | None = None
    before: Stage = field(default_factory=Stage)
    offset: int = 0
    told: float = 0.0
    begun: bool = False

    @property
    def stage(self) -> Stage:
        """The progress of the work."""
        return self.before._replace(offset=self.offset)

    def put(self, stage: Stage) -> None:
        """Take over what another process noted."""
        self.before, self.offset = stage, stage.offset

    def read(self, done: int) -> None:
        """Note how many bytes of the log's files were read."""
        self.before = Stage(done)
        self._tell()

    def judging(self, log: MetadataLog) -> Callable[[int], None]:
        """Note that the check begins, and return the function that notes the offset up to which the log is checked."""
        first, end = (log.batches[0].base_offset, log.batches[-1].last_offset + 1) if log.batches else (0, 0)
        self.put(Stage(self.before.read, first, first, end, self.before.passes + 1))
        return self.judged

    def judged(self, offset: int) -> None:
        """Note the offset up to which the log is checked."""
        self.offset = offset
        self._tell()

    def _tell(self) -> None:
        if self.tell is not None:
            now = time.monotonic()
            if now - self.told >= INTERVAL:
                self.told = now
                self.tell(self.stage)
