"""The steps of a run as they happen, and hooks that wait for one: a process can be made to die right after any step."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fencepost.traces.design_steps import DesignStep

from .cells import Cells
from .clock import Simulator

_MILLISECOND = 1_000_000


class Journal:
    """Gathers the steps of a design in the order in which they happen, each with what it changed in `cells`.

    A process reports a step when it is whole, and does nothing more of its own in the same breath but sending and
    waiting, which a dead process cannot: so it may die within `tell`.
    """

    def __init__(self, simulator: Simulator) -> None:
        self.simulator = simulator
        self.cells = Cells()
        self.steps: list[DesignStep] = []
        self._waiting: dict[str, tuple[int, Callable[[], None]]] = {}

    @property
    def now_ms(self) -> int:
        """The simulated clock in whole milliseconds, as the steps have it."""
        return self.simulator.now_ns // _MILLISECOND

    def tell(self, node: str, name: str, answer: str = "", /, **parameters: Any) -> None:
        """Tell a step of a node that has just happened, then let happen what waited for it."""
        self.steps.append(self.cells.step(self.now_ms, node, name, parameters, answer))
        if node in self._waiting:
            left, callback = self._waiting.pop(node)
            if left > 1:
                self._waiting[node] = (left - 1, callback)
            else:
                callback()

    def after_steps(self, node: str, count: int, callback: Callable[[], None]) -> None:
        """Run a callback right after one of a node's next steps, the first for a count of 1; the latest wish counts."""
        self._waiting[node] = (count, callback)

    def forget(self, node: str) -> None:
        """Run nothing more after a node's steps."""
        self._waiting.pop(node, None)

    def until_ms(self, at_ms: int) -> int:
        """Return the nanoseconds until the beginning of a millisecond, none for one that has begun."""
        return max(0, at_ms * _MILLISECOND - self.simulator.now_ns)
