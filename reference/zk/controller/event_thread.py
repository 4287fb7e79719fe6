"""The controller's one thread: events in a queue, one after the other, each a chain of atomic steps."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable, Generator
from typing import NamedTuple

from fencepost.reference.simulator import MILLISECOND, Process

STEP_NS = 2 * MILLISECOND
"""The longest time that a step takes."""


class Event(NamedTuple):
    """An event: its name in Kafka, and what begins to deal with it."""

    name: str
    begin: Callable[[], Generator[None, None, object]]


class EventThread:
    """Takes events one at a time; between two steps of one, other processes go on, and this one may die.

    `blocked` says that nothing can be done now: the process is paused, or waits for ZooKeeper. `failed` receives
    the exceptions that end an event.
    """

    def __init__(
        self, process: Process, draw: random.Random, blocked: Callable[[], bool], failed: Callable[[Exception], None]
    ) -> None:
        self.process, self.draw, self.blocked, self.failed = process, draw, blocked, failed
        self.queue: deque[Event] = deque()
        self._doom: tuple[int, Callable[[], None]] | None = None
        self._running: Generator[None, None, object] | None = None
        self._scheduled = False

    def put(self, name: str, begin: Callable[[], Generator[None, None, object]]) -> None:
        """Queue an event."""
        self.queue.append(Event(name, begin))
        self._schedule(self._time())

    def clear_and_put(self, name: str, begin: Callable[[], Generator[None, None, object]]) -> None:
        """Drop all that is queued for one event; what is under way goes on first."""
        self.queue.clear()
        self.put(name, begin)

    def after_steps(self, count: int, action: Callable[[], None] | None) -> None:
        """Do something right after a number of steps from now, in place of what was to be done so before."""
        self._doom = None if action is None else (count, action)

    def crashed(self) -> None:
        """Forget everything."""
        self.queue.clear()
        self._doom = None
        self._running, self._scheduled = None, False

    def _time(self) -> int:
        return int(self.draw.random() ** 2 * STEP_NS) + 1

    def _schedule(self, delay_ns: int) -> None:
        if not self._scheduled and self.process.alive:
            self._scheduled = True
            self.process.after(delay_ns, self._step)

    def _step(self) -> None:
        self._scheduled = False
        if self.blocked():
            self._schedule(20 * MILLISECOND)
            return
        if self._running is None:
            if not self.queue:
                return
            self._running = self.queue.popleft().begin()
        generation = self.process.generation
        try:
            next(self._running)
        except StopIteration:
            self._running = None
        except Exception as error:
            self._running = None
            self.failed(error)
        if self._doom is not None:
            count, action = self._doom
            self._doom = (count - 1, action) if count > 1 else None
            if count == 1:
                action()
        if self.process.generation == generation and (self._running is not None or self.queue):
            self._schedule(self._time())
