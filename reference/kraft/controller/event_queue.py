"""The controller's event queue: one event at a time, in order, on a virtual clock (S3:83-89).

Events are appended, prepended (activation), or deferred until a time. An event may have a deadline: one that still
waits when its deadline is past is removed and notified, and is never run. What is due by time is looked at before
the head of the queue, wherever it is.
"""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Callable
from typing import Protocol


class Timer(Protocol):
    """Something that will happen, and can be called off."""

    def cancel(self) -> None:
        """Call it off; it may have happened already."""


class Scheduler(Protocol):
    """A clock with delayed callbacks: of a simulation, or of a test."""

    @property
    def now_ns(self) -> int:
        """The time in nanoseconds."""

    def after(self, delay_ns: int, callback: Callable[[], None]) -> Timer:
        """Call back later, once."""


class Event(Protocol):
    """An event of the queue."""

    def run(self) -> None:
        """Do it; whatever goes wrong is the event's own to deal with."""

    def time_out(self) -> None:
        """Learn that the deadline is past: the event will not run."""


class _Waiting:
    """An event in the queue; `event` is None once it was run, timed out or cancelled."""

    __slots__ = ("deadline", "deferred", "event")

    def __init__(self, event: Event, deadline: int | None, deferred: bool) -> None:
        self.event: Event | None = event
        self.deadline, self.deferred = deadline, deferred


class EventQueue:
    """A single thread's worth of events. `processing_ns` is how long each takes: what makes a controller busy."""

    def __init__(self, scheduler: Scheduler, processing_ns: int = 0) -> None:
        self.scheduler, self.processing_ns = scheduler, processing_ns
        self._queue: deque[_Waiting] = deque()
        # By deadline; the number keeps the order of equal ones, so that a run repeats itself.
        self._by_time: list[tuple[int, int, _Waiting]] = []
        self._tags: dict[str, _Waiting] = {}
        self._count = 0
        self._wake: Timer | None = None
        self._wake_at = 0
        self._busy_until = 0
        self._closed = False

    def append(self, event: Event, deadline_ns: int | None = None) -> None:
        """Put an event at the end; past its deadline it times out instead of being run."""
        waiting = _Waiting(event, deadline_ns, deferred=False)
        self._queue.append(waiting)
        if deadline_ns is not None:
            self._remember(deadline_ns, waiting)
        self._wake_by(self.scheduler.now_ns)

    def prepend(self, event: Event) -> None:
        """Put an event at the head."""
        self._queue.appendleft(_Waiting(event, None, deferred=False))
        self._wake_by(self.scheduler.now_ns)

    def schedule_deferred(self, tag: str, time_ns: int, event: Event) -> None:
        """Run an event at a time; one that was deferred under the same tag before is replaced."""
        self.cancel_deferred(tag)
        waiting = self._tags[tag] = _Waiting(event, time_ns, deferred=True)
        self._remember(time_ns, waiting)
        self._wake_by(time_ns)

    def cancel_deferred(self, tag: str) -> None:
        """Take out what was deferred under a tag, if anything."""
        waiting = self._tags.pop(tag, None)
        if waiting is not None:
            waiting.event = None

    @property
    def waiting(self) -> tuple[Event, ...]:
        """Return the events that wait for their turn, in order, without deferred ones."""
        return tuple(one.event for one in self._queue if one.event is not None)

    @property
    def deferred(self) -> tuple[str, ...]:
        """The tags of what is deferred until a time."""
        return tuple(self._tags)

    def close(self) -> None:
        """Stop for good: waiting events are neither run nor notified."""
        self._closed = True
        if self._wake is not None:
            self._wake.cancel()

    # -- the thread ------------------------------------------------------------------------------------------------
    def _remember(self, time_ns: int, waiting: _Waiting) -> None:
        self._count += 1
        heapq.heappush(self._by_time, (time_ns, self._count, waiting))

    def _wake_by(self, time_ns: int) -> None:
        if self._closed:
            return
        time_ns = max(time_ns, self._busy_until, self.scheduler.now_ns)
        if self._wake is not None:
            if self._wake_at <= time_ns:
                return
            self._wake.cancel()
        self._wake_at = time_ns
        self._wake = self.scheduler.after(time_ns - self.scheduler.now_ns, self._turn)

    def _turn(self) -> None:
        """Do one thing: what is due by time first, else the head of the queue; then wake again for what is left."""
        self._wake = None
        now = self.scheduler.now_ns
        waiting = self._due(now) or self._head()
        if waiting is not None and waiting.event is not None:
            event, waiting.event = waiting.event, None
            if waiting.deadline is not None and not waiting.deferred and waiting.deadline < now:
                event.time_out()
            else:
                self._busy_until = now + self.processing_ns
                event.run()
        if self._head(take=False) is not None:
            self._wake_by(self.scheduler.now_ns)
        while self._by_time and self._by_time[0][2].event is None:
            heapq.heappop(self._by_time)
        if self._by_time:
            self._wake_by(self._by_time[0][0] + (0 if self._by_time[0][2].deferred else 1))

    def _due(self, now: int) -> _Waiting | None:
        while self._by_time:
            time, _, waiting = self._by_time[0]
            if waiting.event is not None:
                if time > now or (time == now and not waiting.deferred):
                    return None
                heapq.heappop(self._by_time)
                self._untag(waiting)
                return waiting
            heapq.heappop(self._by_time)
        return None

    def _untag(self, waiting: _Waiting) -> None:
        for tag, one in self._tags.items():
            if one is waiting:
                del self._tags[tag]
                return

    def _head(self, take: bool = True) -> _Waiting | None:
        while self._queue and self._queue[0].event is None:
            self._queue.popleft()
        if not self._queue:
            return None
        return self._queue.popleft() if take else self._queue[0]
