"""A process's side of ZooKeeper: its session, which it keeps alive, and of whose end it hears late."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from fencepost.reference.simulator import MILLISECOND, Faults, Process

from .operations import Operation, SessionExpired
from .server import WatchEvent, Znode, ZooKeeper

NAME = "zookeeper"
"""ZooKeeper's name in the faults of the network: a process cut from it neither reads nor writes, nor is heard of."""

PINGS = 3
"""How often within its timeout a client lets a session be heard of."""


class ZooKeeperClient:
    """Reads and writes with the session of a process; its requests take effect at once, its notifications arrive later.

    `asleep` says whether the process is paused (a pause of its virtual machine), `on_watch` takes the events of
    watches in the order in which they fired, `on_expired` the news that the session is gone. Until that news has
    arrived every read and write of the process raises `SessionExpired`, and the process may go on all the same.
    """

    def __init__(
        self,
        process: Process,
        server: ZooKeeper,
        faults: Faults,
        draw: random.Random,
        *,
        writer: int | None,
        timeout_ms: int,
        on_watch: Callable[[WatchEvent], None],
        on_expired: Callable[[], None],
        asleep: Callable[[], bool] = lambda: False,
    ) -> None:
        self.process, self.server, self.faults, self.draw = process, server, faults, draw
        self.writer, self.timeout_ms, self.asleep = writer, timeout_ms, asleep
        self.on_watch, self.on_expired = on_watch, on_expired
        self.session = -1
        self._told = True
        self._events: list[WatchEvent] = []
        self._due_ns = 0

    @property
    def connected(self) -> bool:
        """Whether the network lets the process reach ZooKeeper; without, it has to wait with whatever it wants."""
        return not self.faults.is_cut(self.process.name, NAME)

    def connect(self) -> None:
        """Begin a session, and keep it alive."""
        self.session = self.server.open_session(self.writer, self.timeout_ms, self._fired)
        self._told, self._events = False, []
        self._ping(self.session)

    def close(self) -> None:
        """End the session."""
        self._told = True
        self.server.close_session(self.session)

    def crashed(self) -> None:
        """Forget the session: the process is dead, and ZooKeeper has yet to find out."""
        self.session, self._told, self._events = -1, True, []

    # -- asking ----------------------------------------------------------------------------------------------------
    def get(self, path: str, *, watch: bool = False) -> tuple[Any, Znode]:
        """Return what a znode holds, and the znode; raises `NoNode` or `SessionExpired`."""
        with _Noticing(self):
            return self.server.get(self.session, path, watch=watch)

    def exists(self, path: str, *, watch: bool = False) -> Znode | None:
        """Return a znode, None where there is none; raises `SessionExpired`."""
        with _Noticing(self):
            return self.server.exists(self.session, path, watch=watch)

    def children(self, path: str, *, watch: bool = False) -> list[str]:
        """Return the names of a znode's children; raises `NoNode` or `SessionExpired`."""
        with _Noticing(self):
            return self.server.children(self.session, path, watch=watch)

    def write(self, operation: Operation) -> str:
        """Do one operation; raises what refuses it."""
        with _Noticing(self):
            return self.server.write(self.session, operation)

    def multi(self, *operations: Operation) -> list[str]:
        """Do all of several operations or none; raises what refuses them."""
        with _Noticing(self):
            return self.server.multi(self.session, list(operations))

    # -- notifications --------------------------------------------------------------------------------------------
    def noticed(self) -> None:
        """Have seen that the session is gone: the process's other threads hear of it a little later."""
        if not self._told:
            self._told = True
            session = self.session
            self.process.after(int(self.draw.random() * 60 * MILLISECOND), lambda: self._tell(session))

    def _tell(self, session: int) -> None:
        if session != self.session:
            return
        if self.asleep() or not self.connected:
            self.process.after(20 * MILLISECOND, lambda: self._tell(session))
        else:
            self.on_expired()

    def _ping(self, session: int) -> None:
        if session != self.session or self._told:
            return
        if self.connected and not self.asleep():
            try:
                self.server.touch(session)
            except SessionExpired:
                self.noticed()
                return
        self.process.after(self.timeout_ms * MILLISECOND // PINGS, lambda: self._ping(session))

    def _fired(self, event: WatchEvent) -> None:
        """Take an event on ZooKeeper's side; it reaches the process after a while, in order."""
        if not self.process.alive:
            return
        session = self.session
        self._events.append(event)
        delay = MILLISECOND // 2 + int(self.draw.random() ** 3 * 30 * MILLISECOND)
        self._due_ns = max(self._due_ns, self.process.now_ns + delay)
        self.process.after(self._due_ns - self.process.now_ns, lambda: self._deliver(session))

    def _deliver(self, session: int) -> None:
        if session != self.session or not self._events:
            return
        if self.asleep() or not self.connected:
            self.process.after(20 * MILLISECOND, lambda: self._deliver(session))
            return
        event = self._events.pop(0)
        self.on_watch(event)


class _Noticing:
    """Lets the client notice where ZooKeeper says that its session is gone; what was raised goes on."""

    __slots__ = ("client",)

    def __init__(self, client: ZooKeeperClient) -> None:
        self.client = client

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        if isinstance(error, SessionExpired):
            self.client.noticed()
