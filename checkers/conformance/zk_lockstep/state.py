"""Maps partitions, brokers and memory in a step to entities and cells of the tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from fencepost.checkers.conformance.lockstep.whole import WholeRows
from fencepost.checkers.conformance.zk.names import PARTITION_STATES, REPLICA_STATES
from fencepost.model.language.state import State
from fencepost.model.zk import state as zk

Partition = tuple[tuple[str, Any], tuple[str, Any]]
"""A partition as the tables have it: its topic (name and how many topics had the name before) and its number."""

STRATEGIES = {
    None: zk.Strategy.NONE,
    "OFFLINE": zk.Strategy.OFFLINE,
    "OFFLINE_UNCLEAN": zk.Strategy.UNCLEAN,
    "REASSIGN": zk.Strategy.REASSIGN,
    "PREFERRED": zk.Strategy.PREFERRED,
    "CONTROLLED_SHUTDOWN": zk.Strategy.SHUTDOWN,
}


class Cell(NamedTuple):
    """A cell that a step reports: the variable, its keys, and the value."""

    state: State[Any]
    keys: tuple[Any, ...]
    value: Any

    def __str__(self) -> str:
        return f"{self.state.name}[{', '.join(map(_text, self.keys))}]"


def _text(key: Any) -> str:
    if not isinstance(key, tuple):
        return str(key)
    if not isinstance(key[0], tuple):
        return str(key[0])
    (_, (name, _)), (_, number) = key
    return f"{name}-{number}"


class Names:
    """Topics and partitions by their names: a topic that is created again is another one."""

    def __init__(self, rows: WholeRows) -> None:
        self.rows = rows
        self.lives: dict[str, int] = {}
        self.ids: dict[str, tuple[str, int]] = {}
        self.remembered: dict[str, int] = {}

    def as_known_by(self, node: int) -> None:
        """Read names as a replaced controller knows them, until the next call: a topic may be another one by now."""
        self.remembered.clear()
        known: dict[str, set[int]] = {}
        for partition in self.rows.domains["Partition"]:
            (_, (name, life)), _ = partition
            if self.lives.get(name) and (
                self.rows.read(zk.assigned.state, node, partition)
                or self.rows.read(zk.knows.state, node, partition)
                or self.rows.read(zk.deleting.state, node, (name, life))
            ):
                known.setdefault(name, set()).add(life)
        for name, lives in known.items():
            if self.lives[name] not in lives:
                self.remembered[name] = max(lives)

    def as_they_are(self) -> None:
        """Take names for the newest topics again."""
        self.remembered.clear()

    def create(self, topic: str, topic_id: str = "") -> None:
        """Count another topic of this name."""
        self.lives[topic] = self.lives.get(topic, -1) + 1
        found = self.topic(topic)
        if topic_id:
            self.ids[topic_id] = found

    def topic(self, name: str) -> tuple[str, int]:
        """Return the topic that has a name now."""
        found = (name, self.remembered.get(name, self.lives.setdefault(name, 0)))
        if found not in self.rows.domains["Topic"]:
            self.rows.meet(zk.TOPIC, found)
            self.rows.put(zk.unclean.state, (found,), False)
        return found

    def partition(self, name: str, topic_id: str = "") -> Partition:
        """Return the partition that `topic-number` names now, or that of the topic with a reported id."""
        topic, _, number = name.rpartition("-")
        found: Partition = (("topic", self.ids.get(topic_id) or self.topic(topic)), ("partition", int(number)))
        self.rows.meet(zk.PARTITION, found)
        return found

    def other_lives(self, partition: Partition) -> Iterator[Partition]:
        """Yield the same partition of the other topics that have had the name, the newest first."""
        (_, (name, life)), number = partition
        for other in range(self.lives[name], -1, -1):
            if other != life:
                yield ("topic", (name, other)), number

    def broker(self, number: int) -> int:
        """Return a broker, known from now on as broker and as candidate."""
        self.rows.meet(zk.BROKER, number)
        self.rows.meet(zk.CONTROLLER, number)
        return number


def remembered(names: Names, node: int, memory: Mapping[str, Any]) -> Iterator[Cell]:
    """Yield the cells that a step's `memory` reports of a controller."""
    for partition, state in memory.get("partitions", {}).items():
        yield Cell(zk.partition_state.state, (node, names.partition(partition)), PARTITION_STATES[state])
    for partition, found in memory.get("replicas", {}).items():
        for broker, state in found.items():
            keys = (node, names.partition(partition), names.broker(int(broker)))
            yield Cell(zk.replica_state.state, keys, REPLICA_STATES[state])
    for partition, assignment in memory.get("assignment", {}).items():
        keys_ = (node, names.partition(partition))
        told = assignment or {"replicas": (), "adding": (), "removing": ()}
        yield Cell(zk.assigned.state, keys_, tuple(told["replicas"]))
        yield Cell(zk.cached_adding.state, keys_, frozenset(told["adding"]))
        yield Cell(zk.cached_removing.state, keys_, frozenset(told["removing"]))
    for partition, leadership in memory.get("leadership", {}).items():
        keys_ = (node, names.partition(partition))
        yield Cell(zk.knows.state, keys_, leadership is not None)
        if leadership is not None:
            leader = None if leadership["leader"] < 0 else leadership["leader"]
            yield Cell(zk.cached_leader.state, keys_, leader)
            yield Cell(zk.cached_isr.state, keys_, frozenset(leadership["isr"]))
            yield Cell(zk.cached_leader_epoch.state, keys_, leadership["leader_epoch"])
            yield Cell(zk.cached_version.state, keys_, leadership["version"])
    if "live" in memory:
        live = {names.broker(int(broker)): epoch for broker, epoch in memory["live"].items()}
        yield Cell(zk.live.state, (node,), frozenset(live))
        for broker, epoch in live.items():
            yield Cell(zk.known_epoch.state, (node, broker), epoch)
    if "shutting_down" in memory:
        yield Cell(zk.shutting_down.state, (node,), frozenset(memory["shutting_down"]))
    if "queued" in memory:
        queued = {names.topic(topic) for topic in memory["queued"]}
        for topic in names.rows.domains["Topic"]:
            yield Cell(zk.deleting.state, (node, topic), topic in queued)
    if "offline_replicas" in memory:
        lost: dict[Partition, set[int]] = {one: set() for one in names.rows.domains["Partition"]}
        for topic, number, broker in memory["offline_replicas"]:
            lost[names.partition(f"{topic}-{number}")].add(broker)
        for partition_, brokers in lost.items():
            yield Cell(zk.lost.state, (node, partition_), frozenset(brokers))


def state_of(data: Mapping[str, Any], version: int) -> Iterator[tuple[State[Any], Any]]:
    """Yield the cells of a partition that its state znode holds."""
    yield zk.stated.state, True
    yield zk.leader.state, None if data["leader"] < 0 else data["leader"]
    yield zk.isr.state, frozenset(data["isr"])
    yield zk.leader_epoch.state, data["leader_epoch"]
    yield zk.written_in.state, data["controller_epoch"]
    yield zk.recovering.state, bool(data.get("leader_recovery_state", 0))
    yield zk.version.state, version
