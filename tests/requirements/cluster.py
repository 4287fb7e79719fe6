"""A small ZooKeeper-era cluster on the tables: events by name, the controller's thread driven step by step."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby, product
from typing import Any

from fencepost.model.language import Event, Protocol, Row, Term, Valuation, World
from fencepost.model.language.interpreter import Binding, CellKey, Evaluation, run
from fencepost.model.language.kinds import IntKind
from fencepost.model.language.state import Map, Map2, Map3
from fencepost.model.language.terms import Get
from fencepost.model.zk.protocol import ZK
from fencepost.model.zk.state import Call, acting, aim, assigned, broker_epoch, call, leader_epoch, session, version

THREAD = (
    "PartitionState",
    "ReplicaState",
    "UpdateAssignment",
    "UpdateLeaderEpoch",
    "ReassignmentPhase",
    "ReassignmentStep",
    "ReassignmentWrite",
    "DeleteTopicZnodes",
    "NextCall",
)
"""What the controller's event thread does by itself, once it has taken an event; variants may lack some."""

COUNTERS = 40


Variable = Term[Any] | Map[Any, Any] | Map2[Any, Any, Any] | Map3[Any, Any, Any, Any]


def cell(variable: Variable, *keys: Any) -> CellKey:
    """Return the cell of a state variable at concrete keys; one without keys is a term that reads it."""
    if isinstance(variable, Term):
        assert isinstance(variable, Get)
    return variable.state, keys


@dataclass(frozen=True)
class Done:
    """One row that ran: its id, its event, the parameters by name, the outcome, and the states around it."""

    row: str
    event: str
    parameters: Mapping[str, Any]
    outcome: Any
    before: Valuation
    after: Valuation

    def was(self, variable: Variable, *keys: Any) -> Any:
        """Return a cell's value before the row."""
        return self.before.read(*cell(variable, *keys))

    def now(self, variable: Variable, *keys: Any) -> Any:
        """Return a cell's value after the row."""
        return self.after.read(*cell(variable, *keys))


class Cluster:
    """Brokers, candidates and partitions 0..n-1, whose states are the interpreter's; `log` has every row that ran."""

    def __init__(self, brokers: int = 4, partitions: int = 1, controllers: int = 2, protocol: Protocol = ZK) -> None:
        self.protocol = protocol
        sizes = {"Broker": brokers, "Controller": controllers, "Partition": partitions, "Topic": 1}
        counters = {kind.name: COUNTERS for kind in protocol.kinds if isinstance(kind, IntKind)}
        self.world = World.of({**sizes, **counters}, protocol.kinds)
        first: dict[CellKey, Any] = {}
        for state in protocol.states:
            if state.initial is None:
                for keys in product(*(self.world.values(kind) for kind in state.keys)):
                    first[state, keys] = self.world.values(state.kind)[0]
        self.state = Valuation(first)
        self.log: list[Done] = []
        self._rows: dict[str, list[Row]] = {}
        self._events: dict[str, Event] = {}
        for row in protocol.rows:
            self._rows.setdefault(row.event.name, []).append(row)
            self._events[row.event.name] = row.event

    # -- cells -----------------------------------------------------------------------------------------------------
    def read(self, variable: Variable, *keys: Any) -> Any:
        """Return a cell's value."""
        return self.state.read(*cell(variable, *keys))

    def put(self, *changes: tuple[CellKey, Any]) -> None:
        """Set cells directly, without the events that lead there."""
        self.state = self.state.but(dict(changes))

    # -- events ----------------------------------------------------------------------------------------------------
    def do(self, event: str, **values: Any) -> Done:
        """Let something happen: the row of the event that applies; raises `AssertionError` where none does."""
        binding = {one: values[one.name] for one in self._events[event].params}
        row = self._applies(event, binding)
        assert row is not None, f"{event}({values}) cannot happen here"
        return self._run(row, binding)

    def refused(self, event: str, **values: Any) -> bool:
        """Return whether no row of the event applies."""
        return self._applies(event, {one: values[one.name] for one in self._events[event].params}) is None

    def step(self, c: int = 0) -> Done | None:
        """Let the controller's thread do one thing, None if it waits for an event."""
        if not self.read(acting, c) or self.read(call, c) is Call.IDLE:
            return None
        for event, binding in self._possible(c):
            row = self._applies(event, binding)
            if row is not None:
                return self._run(row, binding)
        raise AssertionError(f"the event thread of {c} is stuck at {self.read(call, c)}")

    def finish(self, c: int = 0) -> list[Done]:
        """Let the controller's thread end what it has begun, and return what it did."""
        done = []
        while (one := self.step(c)) is not None:
            done.append(one)
            assert len(done) < 500, "the event thread does not come to an end"
        return done

    def _possible(self, c: int) -> Iterator[tuple[str, Binding]]:
        for name in THREAD:
            if name not in self._events:
                continue
            event = self._events[name]
            [thread, *others] = event.params
            fixed: dict[Any, Any] = {thread: c}
            fixed |= {one: self.read(aim, c) for one in others if one.name == "target"}
            free = [one for one in others if one not in fixed]
            for values in product(*(self.world.values(one.kind) for one in free)):
                yield name, {**fixed, **dict(zip(free, values, strict=True))}

    def _applies(self, event: str, binding: Binding) -> Row | None:
        evaluation = Evaluation(self.world, self.state)
        if not evaluation.value(self._events[event].given, binding):
            return None
        rows = [row for row in self._rows[event] if evaluation.value(self.protocol.guard(row), binding)]
        assert len(rows) <= 1, f"{event}: {[row.id for row in rows]} apply at once"
        return rows[0] if rows else None

    def _run(self, row: Row, binding: Binding) -> Done:
        ran = run(row, binding, self.state, self.world)
        values = {one.name: value for one, value in binding.items()}
        done = Done(row.id, row.event.name, values, ran.answer, self.state, ran.after)
        self.state = ran.after
        self.log.append(done)
        return done

    # -- usual beginnings --------------------------------------------------------------------------------------------
    def start(self, *brokers: int, c: int = 0) -> Cluster:
        """Let brokers register and a controller be elected."""
        for b in brokers:
            self.register(b)
        self.elect(c)
        return self

    def register(self, b: int) -> None:
        """Let a process of a broker register in ZooKeeper, with the next broker epoch."""
        self.do("RegisterBroker", b=b, czxid=self.read(broker_epoch, b) + 1)

    def elect(self, c: int) -> list[Done]:
        """Let a candidate become the controller and take over."""
        if not self.read(session, c):
            self.do("SessionEstablished", c=c)
        return [self.do("Elect", c=c), *self.finish(c)]

    def kill(self, c: int) -> None:
        """Let a controller's process die, and its session with it."""
        if self.read(acting, c):
            self.do("Crash", c=c)
        self.do("SessionExpired", c=c)

    def create(self, *replicas: int, p: int = 0, c: int = 0) -> list[Done]:
        """Create a partition with these replicas and return what the controller did."""
        self.do("CreateTopic", p=p, target=replicas)
        return [self.do("TopicChange", c=c), *self.finish(c)]

    def lose(self, b: int, c: int = 0) -> list[Done]:
        """Let a broker vanish, and return what the controller did about it."""
        self.do("BrokerGone", b=b)
        return [self.do("BrokerChange", c=c), *self.finish(c)]

    def return_(self, b: int, c: int = 0) -> list[Done]:
        """Let a broker come back as a new process, and return what the controller did about it."""
        self.register(b)
        return [self.do("BrokerChange", c=c), *self.finish(c)]

    def alter(self, wanted: frozenset[int], b: int, p: int = 0, c: int = 0) -> Done:
        """Let the leader of a partition ask for another ISR."""
        return self.do(
            "AlterPartition",
            c=c,
            b=b,
            p=p,
            from_epoch=self.read(broker_epoch, b),
            from_leader_epoch=self.read(leader_epoch, p),
            from_version=self.read(version, p),
            wanted=wanted,
            wants_recovering=False,
        )


def passed(done: list[Done], variable: Variable, *keys: Any) -> list[Any]:
    """Return the values that a cell had along some rows, each time it became another."""
    values = [done[0].was(variable, *keys), *(one.now(variable, *keys) for one in done)]
    return [value for value, _ in groupby(values)]


def delete(cluster: Cluster, c: int = 0) -> list[Done]:
    """Let topic 0 be deleted, with every broker's answer, and return all that was done."""
    since = len(cluster.log)
    cluster.do("QueueTopicDeletion", t=0)
    cluster.do("TopicDeletion", c=c, t=0)
    cluster.do("ResumeDeletion", c=c)
    cluster.finish(c)
    for b in cluster.read(assigned, c, 0):
        cluster.do("ReplicaDeleted", c=c, p=0, b=b)
        cluster.finish(c)
    cluster.do("CompleteDeletion", c=c, t=0)
    cluster.finish(c)
    return cluster.log[since:]


def changes(done: list[Done]) -> list[tuple[Any, ...]]:
    """Return the state changes that were asked for, in order: (partition, to) and (partition, replica, to)."""
    found: list[tuple[Any, ...]] = []
    for one in done:
        values = one.parameters
        if one.event == "PartitionState":
            found.append((values["p"], values["to"]))
        if one.event == "ReplicaState":
            found.append((values["p"], values["r"], values["to"]))
    return found
