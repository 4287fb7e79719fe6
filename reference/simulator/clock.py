"""The virtual clock, the scheduler, and streams of randomness that do not disturb each other."""

from __future__ import annotations

import hashlib
import heapq
import random
from collections.abc import Callable
from typing import Protocol


class Event(Protocol):
    """Something that happens at a time."""

    def fire(self) -> None:
        """Let it happen."""


class Owner(Protocol):
    """The owner of a timer: its generation grows at every crash, which cancels the timer."""

    generation: int


class Timer:
    """A callback that will run, unless it is cancelled or its owner has crashed by then."""

    __slots__ = ("_callback", "_generation", "_owner")

    def __init__(self, callback: Callable[[], None] | None, owner: Owner | None = None) -> None:
        self._callback = callback
        self._owner = owner
        self._generation = 0 if owner is None else owner.generation

    def cancel(self) -> None:
        """See to it that the callback does not run; without effect if it has run."""
        self._callback = None

    @property
    def pending(self) -> bool:
        """Whether the callback has yet to run."""
        return self._callback is not None and (self._owner is None or self._owner.generation == self._generation)

    def fire(self) -> None:
        """Run the callback, once."""
        callback, owner = self._callback, self._owner
        if callback is not None and (owner is None or owner.generation == self._generation):
            self._callback = None
            callback()


class Simulator:
    """A clock in nanoseconds and the events that are due, in the order of their times, then of their scheduling.

    >>> simulator = Simulator(seed=1)
    >>> _ = simulator.after(20, lambda: print("second at", simulator.now_ns))
    >>> _ = simulator.after(10, lambda: print("first at", simulator.now_ns))
    >>> simulator.run_until(100)
    first at 10
    second at 20
    >>> simulator.now_ns, simulator.events
    (100, 2)
    """

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.now_ns = 0
        self.events = 0
        self._heap: list[tuple[int, int, Event]] = []
        self._scheduled = 0
        self._streams: dict[str, random.Random] = {}

    def random(self, name: str) -> random.Random:
        """Return the stream of randomness of a name: the same for the same seed, whatever other streams are used."""
        stream = self._streams.get(name)
        if stream is None:
            digest = hashlib.sha256(f"{self.seed}/{name}".encode()).digest()
            stream = self._streams[name] = random.Random(int.from_bytes(digest[:8], "big"))
        return stream

    def after(self, delay_ns: int, callback: Callable[[], None]) -> Timer:
        """Schedule a callback; one with no delay runs after everything that is scheduled for now already."""
        timer = Timer(callback)
        self.schedule(self.now_ns + delay_ns, timer)
        return timer

    def schedule(self, at_ns: int, event: Event) -> None:
        """Schedule an event for a time; raises ValueError for one that has passed."""
        if at_ns < self.now_ns:
            raise ValueError(f"{at_ns} ns has passed, it is {self.now_ns} ns")
        self._scheduled = number = self._scheduled + 1
        heapq.heappush(self._heap, (at_ns, number, event))

    def run_until(self, end_ns: int) -> None:
        """Run all that is due up to and including a time, which it then is."""
        heap, pop, count = self._heap, heapq.heappop, 0
        try:
            while heap and heap[0][0] <= end_ns:
                self.now_ns, _, event = pop(heap)
                count += 1
                event.fire()
        finally:
            self.events += count
        self.now_ns = max(self.now_ns, end_ns)
