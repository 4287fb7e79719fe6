"""ZooKeeper as this design needs it: the brokers' registrations, the controller, and notifications of changes."""

from __future__ import annotations

from collections.abc import Callable

from fencepost.reference.simulator import MILLISECOND, Journal, Simulator

from .names import NOT_REGISTERED
from .state import State

NAME = "zookeeper"


class ZooKeeper:
    """Ephemeral registrations of brokers, each with the czxid of its znode; `controller` is what /controller names."""

    def __init__(self, simulator: Simulator, journal: Journal, state: State) -> None:
        self.simulator, self.journal, self.state = simulator, journal, state
        self.controller: str | None = None
        self.watcher: Callable[[], None] | None = None
        self._czxid = NOT_REGISTERED
        self._draw = simulator.random("zookeeper")

    def register(self, broker: int) -> int:
        """Create a broker's registration in this step; returns its czxid, the incarnation. There must be none."""
        self._czxid += 1
        self.state.registered[broker] = self._czxid
        self._tell_watcher()
        return self._czxid

    def expire(self, broker: int, incarnation: int) -> None:
        """End the session of an incarnation, and with it the registration; nothing happens if it has ended."""
        if self.state.registered[broker] == incarnation != NOT_REGISTERED:
            self.state.registered[broker] = NOT_REGISTERED
            self._tell_watcher()
            self.journal.tell(NAME, "ExpireSession", b=broker)

    def _tell_watcher(self) -> None:
        delay = self._draw.choice((5, 50, 500)) * self._draw.random()
        self.simulator.after(int(delay * MILLISECOND), self._notify)

    def _notify(self) -> None:
        if self.watcher is not None:
            self.watcher()
