"""Something that runs, crashes and starts again; what it had in mind is gone by then."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .clock import Simulator, Timer


class Process:
    """A named process: down until `start`, and after `crash`; its timers and the messages to it die in a crash.

    `generation` counts the crashes: whatever was begun in an earlier generation concerns this one no longer.
    """

    def __init__(self, simulator: Simulator, name: str) -> None:
        self.simulator = simulator
        self.name = name
        self.alive = False
        self.generation = 0

    @property
    def now_ns(self) -> int:
        """The virtual clock."""
        return self.simulator.now_ns

    def start(self) -> None:
        """Come up; nothing happens if it is up."""
        if not self.alive:
            self.alive = True
            self.started()

    def crash(self) -> None:
        """Go down at once, without a message to any process; nothing happens if it is down."""
        if self.alive:
            self.alive = False
            self.generation += 1
            self.crashed()

    def after(self, delay_ns: int, callback: Callable[[], None]) -> Timer:
        """Schedule a callback that a crash cancels; a process that is down gets a timer that never fires."""
        if not self.alive:
            return Timer(None)
        timer = Timer(callback, self)
        self.simulator.schedule(self.simulator.now_ns + delay_ns, timer)
        return timer

    # -- what a process may do -------------------------------------------------------------------------------------
    def started(self) -> None:
        """Begin the work, when the process has come up."""

    def crashed(self) -> None:
        """Forget what was in memory, when the process has gone down."""

    def receive(self, source: str, payload: Any) -> None:
        """Take a message."""

    def serve(self, source: str, request: Any, reply: Callable[[Any], None]) -> None:
        """Take a request; `reply` sends the answer, now or later, and may be left alone."""
