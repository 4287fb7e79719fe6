"""The purgatory: answers that wait until what they depend on is stable (S3:79, S3:126)."""

from __future__ import annotations

from collections import deque
from typing import Protocol

from fencepost.reference.kraft.errors import ApiError


class DeferredEvent(Protocol):
    """An event that ran, and whose answer waits."""

    def complete(self, error: ApiError | None) -> None:
        """Give the answer, or an error instead."""


class DeferredEventQueue:
    """Events by the offset at which they may be answered; offsets are added in order."""

    def __init__(self) -> None:
        self._pending: deque[tuple[int, DeferredEvent]] = deque()

    def __len__(self) -> int:
        return len(self._pending)

    @property
    def highest_pending_offset(self) -> int | None:
        """The offset that the last of the waiting events waits for, None without one."""
        return self._pending[-1][0] if self._pending else None

    @property
    def pending(self) -> tuple[tuple[int, DeferredEvent], ...]:
        """Return the waiting events with the offset that each waits for, in order."""
        return tuple(self._pending)

    def add(self, offset: int, event: DeferredEvent) -> None:
        """Let an event wait for an offset; raises ValueError for one below those that wait already."""
        highest = self.highest_pending_offset
        if highest is not None and offset < highest:
            raise ValueError(f"an event for offset {offset} comes after one for offset {highest}")
        self._pending.append((offset, event))

    def complete_up_to(self, offset: int) -> None:
        """Answer all that wait for this offset or a lower one."""
        while self._pending and self._pending[0][0] <= offset:
            self._pending.popleft()[1].complete(None)

    def fail_all(self, error: ApiError) -> None:
        """Answer all with an error: leadership is lost, and it is not known whether their records will be committed."""
        pending, self._pending = self._pending, deque()
        for _, event in pending:
            event.complete(error)
