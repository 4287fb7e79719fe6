"""ZooKeeper itself: one tree, all writes one after the other, each with the next zxid."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from fencepost.reference.simulator import MILLISECOND, Simulator, Timer

from .operations import (
    ANY_VERSION,
    BadVersion,
    Create,
    Delete,
    NoChildrenForEphemerals,
    NodeExists,
    NoNode,
    NotEmpty,
    Operation,
    SessionExpired,
    SetData,
    ZooKeeperError,
)

History = list[dict[str, Any]]
"""All transactions in the order of their zxids, a row for each operation, in the columns of znode-history.ndjson."""

Watch = Literal["data", "children"]
"""The event of a watch: a znode is made, changed or removed; or it gets or loses a child."""

FIRST_SESSION = 0x100000000000000
RUNTIME_INCONSISTENCY = (-2, "RUNTIMEINCONSISTENCY")


class WatchEvent(NamedTuple):
    """A watch fired: which, and of which znode. What has changed the client has to read."""

    watch: Watch
    path: str


@dataclass(slots=True)
class Znode:
    """A znode: what it holds, how often that was set, and whose session it dies with (None: it stays).

    `czxid` is the zxid of its creation: of a broker's registration Kafka takes it for the broker epoch.
    """

    data: Any
    czxid: int
    ctime_ms: int
    owner: int | None = None
    version: int = 0
    mzxid: int = 0
    mtime_ms: int = 0
    children: dict[str, None] = field(default_factory=dict)
    made: int = 0


class _Pending(NamedTuple):
    """The pending state of a path after earlier operations of a multi."""

    version: int
    ephemeral: bool


Pending = dict[str, _Pending | None]
"""Pending states of a multi by path, None for removed ones."""


@dataclass(slots=True)
class Session:
    """A session: whose it is, when it expires if nothing is heard, and where its watch events go."""

    id: int
    writer: int | None
    timeout_ns: int
    notify: Callable[[WatchEvent], None]
    ephemerals: dict[str, None] = field(default_factory=dict)
    timer: Timer | None = None


class ZooKeeper:
    """The tree, the sessions, the watches, and the history of all transactions.

    `on_closed` receives each session that ends, with the paths of the ephemeral znodes removed with it and whether
    it expired.
    """

    def __init__(
        self,
        simulator: Simulator,
        wall_clock_ms: int = 0,
        on_closed: Callable[[Session, tuple[str, ...], bool], None] | None = None,
    ) -> None:
        self.simulator, self.wall_clock_ms, self.on_closed = simulator, wall_clock_ms, on_closed
        self.zxid = 0
        self.nodes: dict[str, Znode] = {"/": Znode("", 0, 0)}
        self.sessions: dict[int, Session] = {}
        self.history: History = []
        self._opened = 0
        self._watches: dict[tuple[Watch, str], dict[int, None]] = {}

    @property
    def time_ms(self) -> int:
        """The wall clock."""
        return self.wall_clock_ms + self.simulator.now_ns // MILLISECOND

    # -- sessions --------------------------------------------------------------------------------------------------
    def open_session(self, writer: int | None, timeout_ms: int, notify: Callable[[WatchEvent], None]) -> int:
        """Begin a session; `notify` takes the events of its watches."""
        number = FIRST_SESSION + self._opened
        self._opened += 1
        session = self.sessions[number] = Session(number, writer, timeout_ms * MILLISECOND, notify)
        self.zxid += 1
        self._row(session, {"op": "createSession", "timeout_ms": timeout_ms})
        self.touch(number)
        return number

    def touch(self, session_id: int) -> None:
        """Hear of a session, which then lives for its timeout; raises `SessionExpired` for one that is over."""
        session = self._session(session_id)
        if session.timer is not None:
            session.timer.cancel()
        session.timer = self.simulator.after(session.timeout_ns, lambda: self._close(session_id, expired=True))

    def close_session(self, session_id: int) -> None:
        """End a session as its client asks; one that is over stays so."""
        if session_id in self.sessions:
            self._close(session_id, expired=False)

    def expire(self, session_id: int) -> None:
        """End a session though its client has been heard of."""
        if session_id in self.sessions:
            self._close(session_id, expired=True)

    def _close(self, session_id: int, *, expired: bool) -> None:
        session = self.sessions.pop(session_id)
        if session.timer is not None:
            session.timer.cancel()
        for waiting in self._watches.values():
            waiting.pop(session_id, None)
        self.zxid += 1
        # The last made goes first, as in the transaction log of ZooKeeper: /controller before the registration.
        paths = tuple(reversed(session.ephemerals))
        self._row(session, {"op": "closeSession", "paths": list(paths)})
        for path in paths:
            self._remove(path)
        if self.on_closed is not None:
            self.on_closed(session, paths, expired)

    def _session(self, session_id: int) -> Session:
        session = self.sessions.get(session_id)
        if session is None:
            raise SessionExpired
        return session

    # -- reading ---------------------------------------------------------------------------------------------------
    def get(self, session_id: int, path: str, *, watch: bool = False) -> tuple[Any, Znode]:
        """Return what a znode holds, and the znode; raises `NoNode`, and leaves no watch then."""
        self._session(session_id)
        node = self.nodes.get(path)
        if node is None:
            raise NoNode(path)
        if watch:
            self._watch("data", path, session_id)
        return node.data, node

    def exists(self, session_id: int, path: str, *, watch: bool = False) -> Znode | None:
        """Return a znode, None where there is none; the watch is left in either case."""
        self._session(session_id)
        if watch:
            self._watch("data", path, session_id)
        return self.nodes.get(path)

    def children(self, session_id: int, path: str, *, watch: bool = False) -> list[str]:
        """Return the names of a znode's children, sorted; raises `NoNode`."""
        self._session(session_id)
        node = self.nodes.get(path)
        if node is None:
            raise NoNode(path)
        if watch:
            self._watch("children", path, session_id)
        return sorted(node.children)

    def _watch(self, watch: Watch, path: str, session_id: int) -> None:
        self._watches.setdefault((watch, path), {})[session_id] = None

    def _fire(self, watch: Watch, path: str) -> None:
        # A watch fires once; who wants more reads again.
        for session_id in self._watches.pop((watch, path), {}):
            self.sessions[session_id].notify(WatchEvent(watch, path))

    # -- writing ---------------------------------------------------------------------------------------------------
    def write(self, session_id: int, operation: Operation) -> str:
        """Do one operation; returns the path that was written. Raises what refuses it."""
        session = self._session(session_id)
        self.zxid += 1
        try:
            self._refuse(operation, {}, 0)
        except ZooKeeperError as error:
            self._row(session, {"op": "error", "err": error.code, "err_name": error.name})
            raise
        row, path = self._apply(session, operation)
        self._row(session, row)
        return path

    def multi(self, session_id: int, operations: list[Operation]) -> list[str]:
        """Do all of several operations or none; raises what refuses the first that is refused, with its `index`."""
        session = self._session(session_id)
        self.zxid += 1
        pending: Pending = {}
        for index, operation in enumerate(operations):
            try:
                self._refuse(operation, pending, index)
            except ZooKeeperError as error:
                self._failed(session, operations, index, error)
                raise
        paths = []
        for index, operation in enumerate(operations):
            row, path = self._apply(session, operation)
            self._row(session, {"multi": f"{index}/{len(operations)}"} | row)
            paths.append(path)
        return paths

    def _failed(self, session: Session, operations: list[Operation], failed: int, error: ZooKeeperError) -> None:
        """Write down a multi that did not happen."""
        pending: Pending = {}
        for index, operation in enumerate(operations):
            if index < failed:
                row = self._described(operation, pending)
            else:
                code, name = (error.code, error.name) if index == failed else RUNTIME_INCONSISTENCY
                row = {"op": "error", "err": code, "err_name": name}
            self._row(session, {"multi": f"{index}/{len(operations)}"} | row | {"multi_failed": True})

    def _refuse(self, operation: Operation, pending: Pending, index: int) -> None:
        """Raise what speaks against an operation; `pending` has what earlier ones of its multi leave."""
        path = operation.path
        found = self._pending(path, pending)
        if isinstance(operation, Create):
            above = self._pending(_parent(path), pending)
            if above is None:
                raise NoNode(path, index)
            if above.ephemeral:
                raise NoChildrenForEphemerals(path, index)
            if found is not None and not operation.sequential:
                raise NodeExists(path, index)
            pending[path] = _Pending(0, operation.ephemeral)
            return
        version = None if found is None else found.version
        if version is None:
            raise NoNode(path, index)
        if operation.version not in (ANY_VERSION, version):
            raise BadVersion(path, index)
        if isinstance(operation, Delete):
            names = list(self.nodes[path].children) if path in self.nodes else []
            children = {f"{path.rstrip('/')}/{name}" for name in names} | {
                one for one in pending if _parent(one) == path
            }
            if any(self._pending(one, pending) is not None for one in children):
                raise NotEmpty(path, index)
            pending[path] = None
        elif isinstance(operation, SetData):
            pending[path] = _Pending(version + 1, found is not None and found.ephemeral)

    def _pending(self, path: str, pending: Pending) -> _Pending | None:
        """Return what there is at a path in the middle of a multi, None for nothing."""
        if path in pending:
            return pending[path]
        node = self.nodes.get(path)
        return None if node is None else _Pending(node.version, node.owner is not None)

    def _apply(self, session: Session, operation: Operation) -> tuple[dict[str, Any], str]:
        if isinstance(operation, Create):
            return self._create(session, operation)
        row = self._described(operation, {})
        if isinstance(operation, SetData):
            node = self.nodes[operation.path]
            node.data, node.mzxid, node.mtime_ms = operation.data, self.zxid, self.time_ms
            node.version += 1
            self._fire("data", operation.path)
        elif isinstance(operation, Delete):
            self._remove(operation.path)
        return row, operation.path

    def _create(self, session: Session, operation: Create) -> tuple[dict[str, Any], str]:
        path, parent = operation.path, _parent(operation.path)
        above = self.nodes[parent]
        if operation.sequential:
            path = f"{path}{above.made:010d}"
        above.made += 1
        above.children[path.rsplit("/", 1)[1]] = None
        owner = session.id if operation.ephemeral else None
        self.nodes[path] = Znode(operation.data, self.zxid, self.time_ms, owner, 0, self.zxid, self.time_ms)
        if operation.ephemeral:
            session.ephemerals[path] = None
        ephemeral = {"ephemeral": True} if operation.ephemeral else {}
        row = {"op": "create", "path": path, "version": 0, **ephemeral, "data": operation.data}
        self._fire("data", path)
        self._fire("children", parent)
        return row, path

    def _remove(self, path: str) -> None:
        node = self.nodes.pop(path)
        if node.owner in self.sessions:
            self.sessions[node.owner].ephemerals.pop(path, None)
        self.nodes[_parent(path)].children.pop(path.rsplit("/", 1)[1])
        self._fire("data", path)
        self._fire("children", path)
        self._fire("children", _parent(path))

    def _described(self, operation: Operation, pending: Pending) -> dict[str, Any]:
        """Return the columns of an operation that goes through."""
        path = operation.path
        if isinstance(operation, Create):
            pending[path] = _Pending(0, operation.ephemeral)
            ephemeral = {"ephemeral": True} if operation.ephemeral else {}
            return {"op": "create", "path": path, "version": 0, **ephemeral, "data": operation.data}
        if isinstance(operation, SetData):
            found = self._pending(path, pending)
            version = 1 if found is None else found.version + 1
            pending[path] = _Pending(version, found is not None and found.ephemeral)
            return {"op": "set", "path": path, "version": version, "data": operation.data}
        if isinstance(operation, Delete):
            return {"op": "delete", "path": path}
        return {"op": "check", "path": path, "expected_version": operation.version}

    def _row(self, session: Session, columns: Mapping[str, Any]) -> None:
        self.history.append({
            "zxid": self.zxid,
            "time_ms": self.time_ms,
            "session": f"{session.id:#x}",
            "writer": session.writer,
            **columns,
        })  # fmt: skip


def _parent(path: str) -> str:
    return path.rsplit("/", 1)[0] or "/"
