"""A virtual clock for tests of single parts of the controller."""

from __future__ import annotations

import heapq
from collections.abc import Callable


class Clockwork:
    """A scheduler that runs due events up to a given time."""

    def __init__(self) -> None:
        self.now_ns = 0
        self._due: list[tuple[int, int, Call]] = []

    def after(self, delay_ns: int, callback: Callable[[], None]) -> Call:
        """Call back later, once."""
        call = Call(callback)
        heapq.heappush(self._due, (self.now_ns + delay_ns, self._number(), call))
        return call

    _numbers = 0

    def _number(self) -> int:
        self._numbers += 1
        return self._numbers

    def run(self, for_ns: int = 0) -> None:
        """Run all that is due within a time from now."""
        end = self.now_ns + for_ns
        while self._due and self._due[0][0] <= end:
            self.now_ns, _, call = heapq.heappop(self._due)
            if call.callback is not None:
                call.callback()
        self.now_ns = end


class Call:
    """A call that is due later."""

    def __init__(self, callback: Callable[[], None]) -> None:
        self.callback: Callable[[], None] | None = callback

    def cancel(self) -> None:
        """Call it off."""
        self.callback = None
