"""The simulated ZooKeeper, checked against what ZooKeeper promises and against a plain dictionary."""

from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, initialize, invariant, rule

from fencepost.reference.simulator import SECOND, Simulator
from fencepost.reference.zk.zookeeper import (
    BadVersion,
    Check,
    Create,
    Delete,
    NodeExists,
    NoNode,
    SessionExpired,
    SetData,
    WatchEvent,
    ZooKeeper,
    ZooKeeperError,
)
from fencepost.reference.zk.zookeeper.operations import NoChildrenForEphemerals, NotEmpty
from tests.cases import each, examples


class Small:
    """A ZooKeeper with one session, and the events of its watches."""

    def __init__(self) -> None:
        self.simulator = Simulator(1)
        self.server = ZooKeeper(self.simulator)
        self.events: list[WatchEvent] = []
        self.session = self.server.open_session(1, 3000, self.events.append)

    def write(self, operation: Any) -> str:
        """Do one operation."""
        return self.server.write(self.session, operation)


def test_a_write_counts_versions_and_zxids() -> None:
    """A znode begins with version 0 and the zxid of its creation; each set raises the version by one."""
    small = Small()
    small.write(Create("/a", 1))
    small.write(SetData("/a", 2, 0))
    data, node = small.server.get(small.session, "/a")
    assert (data, node.version, node.czxid, node.mzxid) == (2, 1, 2, 3)


@each(
    ("operation", "error"),
    [
        (Create("/a", 1), NodeExists),
        (Create("/b/c", 1), NoNode),
        (Create("/e/c", 1), NoChildrenForEphemerals),
        (SetData("/b", 1), NoNode),
        (SetData("/a", 1, 3), BadVersion),
        (Delete("/a", 3), BadVersion),
        (Delete("/b"), NoNode),
        (Delete("/"), NotEmpty),
    ],
)
def test_what_cannot_be_is_refused(operation: Any, error: type[ZooKeeperError]) -> None:
    """A refused write changes nothing, but takes a zxid and a line of the history."""
    small = Small()
    small.write(Create("/a", 0))
    small.write(Create("/e", 0, ephemeral=True))
    before = {path: (node.data, node.version) for path, node in small.server.nodes.items()}
    zxid = small.server.zxid
    with pytest.raises(error):
        small.write(operation)
    assert {path: (node.data, node.version) for path, node in small.server.nodes.items()} == before
    assert small.server.zxid == zxid + 1
    assert small.server.history[-1]["err_name"] == error.name


def test_a_multi_does_all_or_nothing() -> None:
    """One operation of a multi that is refused refuses all; the history has every one of them as not happened."""
    small = Small()
    small.write(Create("/a", 0))
    with pytest.raises(BadVersion) as raised:
        small.server.multi(small.session, [SetData("/a", 1, 0), Check("/a", 0), Create("/b")])
    assert raised.value.index == 1
    assert small.server.nodes["/a"].data == 0
    rows = small.server.history[-3:]
    assert [row["multi"] for row in rows] == ["0/3", "1/3", "2/3"]
    assert all(row["multi_failed"] for row in rows)
    assert [row.get("err_name") for row in rows] == [None, "BADVERSION", "RUNTIMEINCONSISTENCY"]


def test_a_multi_sees_its_own_earlier_operations() -> None:
    """A znode that a multi makes can be set, checked and deleted by the same multi."""
    small = Small()
    small.server.multi(small.session, [Create("/a", 0), SetData("/a", 1, 0), Check("/a", 1), Delete("/a", 1)])
    assert "/a" not in small.server.nodes


def test_a_session_expires_with_its_ephemerals() -> None:
    """Who is not heard of for the timeout loses the session, and everybody sees its ephemeral znodes go."""
    small = Small()
    other = small.server.open_session(2, 60_000, small.events.append)
    small.write(Create("/e", 0, ephemeral=True))
    small.write(Create("/p", 0))
    small.server.exists(other, "/e", watch=True)
    small.simulator.run_until(2 * SECOND)
    small.server.touch(small.session)
    small.simulator.run_until(4 * SECOND)
    assert "/e" in small.server.nodes
    small.simulator.run_until(6 * SECOND)
    assert "/e" not in small.server.nodes
    assert "/p" in small.server.nodes
    assert small.events == [WatchEvent("data", "/e")]
    with pytest.raises(SessionExpired):
        small.write(Create("/x"))
    assert small.server.history[-1] == {
        "zxid": 5, "time_ms": 5000, "session": "0x100000000000000", "writer": 1, "op": "closeSession", "paths": ["/e"],
    }  # fmt: skip


def test_a_watch_fires_once() -> None:
    """A watch reports one change; a client that needs the next sets it again."""
    small = Small()
    small.server.exists(small.session, "/a", watch=True)
    small.server.children(small.session, "/", watch=True)
    small.write(Create("/a", 0))
    small.write(SetData("/a", 1))
    small.write(Create("/b", 0))
    assert small.events == [WatchEvent("data", "/a"), WatchEvent("children", "/")]


def test_a_read_of_nothing_leaves_no_watch() -> None:
    """Only `exists` waits for a znode that is not there yet."""
    small = Small()
    with pytest.raises(NoNode):
        small.server.get(small.session, "/a", watch=True)
    small.write(Create("/a", 0))
    assert small.events == []


def test_sequential_znodes_count_upwards() -> None:
    """Sequential children of a znode never share a name, even when earlier ones are gone."""
    small = Small()
    first = small.write(Create("/n_", 0, sequential=True))
    small.write(Delete(first))
    assert small.write(Create("/n_", 0, sequential=True)) > first


PATHS = st.sampled_from(["/a", "/a/x", "/a/y"])


class Tree(RuleBasedStateMachine):
    """Random writes, checked against a dictionary of path to (data, version, owner)."""

    sessions = Bundle("sessions")

    def __init__(self) -> None:
        super().__init__()
        self.server = ZooKeeper(Simulator(1))
        self.model: dict[str, tuple[int, int, int | None]] = {}
        self.open: set[int] = set()

    @initialize(target=sessions)
    def first(self) -> int:
        """Open the first session."""
        return self.begin()

    @rule(target=sessions)
    def begin(self) -> int:
        """Open a session."""
        session = self.server.open_session(None, 1000, lambda event: None)
        self.open.add(session)
        return session

    @rule(session=sessions, really=st.integers(0, 3))
    def end(self, session: int, really: int) -> None:
        """Close a session, one time out of four, so that most writes have one."""
        if really:
            return
        self.server.close_session(session)
        self.open.discard(session)
        self.model = {path: one for path, one in self.model.items() if one[2] != session}

    def _allowed(self, operation: Any, model: dict[str, tuple[int, int, int | None]], session: int) -> bool:
        path, parent = operation.path, operation.path.rsplit("/", 1)[0]
        if isinstance(operation, Create):
            above = model.get(parent, (0, 0, None)) if parent else (0, 0, None)
            if path in model or (parent and parent not in model) or above[2] is not None:
                return False
            model[path] = (operation.data, 0, session if operation.ephemeral else None)
            return True
        if path not in model or operation.version not in (-1, model[path][1]):
            return False
        _, version, owner = model[path]
        if isinstance(operation, SetData):
            model[path] = (operation.data, version + 1, owner)
        elif isinstance(operation, Delete):
            if any(one.startswith(f"{path}/") for one in model):
                return False
            del model[path]
        return True

    operations = st.one_of(
        st.builds(Create, PATHS, st.integers(0, 9), st.booleans()),
        st.builds(SetData, PATHS, st.integers(0, 9), st.integers(-1, 2)),
        st.builds(Delete, PATHS, st.integers(-1, 2)),
        st.builds(Check, PATHS, st.integers(0, 2)),
    )

    @rule(session=sessions, chosen=st.lists(operations, min_size=1, max_size=6))
    def write(self, session: int, chosen: list[Any]) -> None:
        """Do a multi: it goes through if and only if the dictionary says so, and then leaves the same."""
        model = dict(self.model)
        allowed = session in self.open and all(self._allowed(one, model, session) for one in chosen)
        try:
            self.server.multi(session, chosen)
        except ZooKeeperError:
            assert not allowed
        else:
            assert allowed
            self.model = model

    @invariant()
    def same(self) -> None:
        """The tree is the dictionary, and each znode knows its children."""
        nodes = {path: node for path, node in self.server.nodes.items() if path != "/"}
        assert {path: (node.data, node.version, node.owner) for path, node in nodes.items()} == self.model
        for path, node in self.server.nodes.items():
            prefix = path.rstrip("/")
            children = {one.rsplit("/", 1)[1] for one in self.model if one.rsplit("/", 1)[0] == prefix}
            assert set(node.children) == children


TestTree = Tree.TestCase
TestTree.settings = settings(
    max_examples=examples(200), stateful_step_count=20, suppress_health_check=list(HealthCheck), deadline=None
)
