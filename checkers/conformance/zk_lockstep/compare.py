"""Compares what a step wrote, remembered and sent with the state that its rows have made.

Whether brokers hear who is alive when the rows say so: before the next change, or by the end of the operation.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from fencepost.checkers.conformance.lockstep.cells import MISSING
from fencepost.checkers.conformance.lockstep.firing import Diverged
from fencepost.checkers.conformance.lockstep.whole import Ran, WholeRows
from fencepost.model.zk import state as zk
from fencepost.traces.zk.steps import ZkStep

from .state import Names, remembered, state_of

_TOPIC_ZNODE = re.compile(r"/brokers/topics/([^/]+)")
_STATE_ZNODE = re.compile(r"/brokers/topics/(.+)/partitions/(\d+)/state")


class Comparison:
    """Compares the cells of the tables with steps, and sets them as steps report where they differ."""

    def __init__(self, rows: WholeRows, names: Names) -> None:
        self.rows, self.names = rows, names
        self._sent = tuple(rows.numbers[one.state] for one in (zk.told, zk.stopped, zk.erased, zk.informed))

    def forget_requests(self) -> None:
        """Empty the send queues, so that they hold what one step puts into them."""
        for number in self._sent:
            self.rows.cells.tables[number].clear()

    def drop_unknown_partitions(self, step: ZkStep) -> list[str]:
        """Take partitions out of ZooKeeper that a write of their topic's znode leaves out; return why, each.

        A controller writes the whole znode, of the partitions that it knows: those that were added since are lost with
        it, or taken out again where the topic is being deleted. No row does that.
        """
        found = []
        for write in step.writes:
            matched = _TOPIC_ZNODE.fullmatch(write.path)
            if matched is None or write.op != "set":
                continue
            topic = self.names.topic(matched[1])
            for partition in self.rows.domains["Partition"]:
                (_, owner), (_, number) = partition
                if owner == topic and str(number) not in write.data["partitions"]:
                    self.rows.put(zk.replicas.state, (partition,), ())
                    if self.rows.read(zk.exists_.state, partition):
                        self.rows.put(zk.exists_.state, (partition,), False)
                        found.append("partitions that a write of their topic's znode left out")
        return found

    def drop_call(self, node: int) -> None:
        """The operation of a node ended early: nothing of it is to come any more."""
        rows = self.rows
        kept: tuple[Any, ...] = (zk.due.state, zk.due_replicas.state, zk.about.state)
        for state in kept:
            table = rows.cells.tables[rows.numbers[state]]
            for key in [one for one in table if one[0] == node]:
                del table[key]
        none: frozenset[int] = frozenset()
        for cell, value in ((zk.call, zk.Call.IDLE), (zk.subjects, none), (zk.returning, none), (zk.aim, ())):
            rows.put(cell.state, (node,), value)

    # -- after the rows were run -----------------------------------------------------------------------------------
    def check(self, step: ZkStep) -> None:
        """Compare znodes, memory and requests; raises `Diverged` for the first that differs."""
        for partition, state, value in self._written(step):
            found = self.rows.read(state, partition)
            if found != value:
                raise Diverged(f"wrote {state.name} = {value!r}, the rows make it {found!r}")
        for cell in remembered(self.names, step.node, step.memory or {}):
            found = self.rows.read(cell.state, *cell.keys)
            if found != cell.value:
                raise Diverged(f"remembers {cell} = {cell.value!r}, the rows make it {found!r}")
        told = self._told(step)
        if told is not None:
            for partition, brokers in told.items():
                found = self.rows.read(zk.told.state, step.node, partition)
                if found != brokers:
                    raise Diverged(f"sends LeaderAndIsr to {sorted(brokers)}, the rows to {sorted(found)}")

    def adopt(self, step: ZkStep) -> None:
        """Set the state as the step reports it."""
        for partition, state, value in self._written(step):
            self.rows.put(state, (partition,), value)
        for cell in remembered(self.names, step.node, step.memory or {}):
            self.rows.put(cell.state, cell.keys, cell.value)

    def _written(self, step: ZkStep) -> list[tuple[Any, Any, Any]]:
        found = []
        for write in step.writes:
            matched = _STATE_ZNODE.fullmatch(write.path)
            if matched and write.op in ("create", "set"):
                partition = self.names.partition(f"{matched[1]}-{matched[2]}")
                found += [(partition, state, value) for state, value in state_of(write.data, write.version)]
        return found

    def _told(self, step: ZkStep) -> dict[Any, frozenset[int]] | None:
        """Return who is sent LeaderAndIsr of which partition, None where the step is no state change."""
        if step.name not in ("PartitionState", "ReplicaState"):
            return None
        found: dict[Any, set[int]] = {self.names.partition(step.parameters["partition"]): set()}
        for one in step.sent:
            if one.kind == "LeaderAndIsr":
                found.setdefault(self.names.partition(one.partition), set()).add(one.broker)
        live = self.rows.read(zk.live.state, step.node)
        return {partition: frozenset(brokers) for partition, brokers in found.items() if brokers <= live}


_NOBODY: frozenset[int] = frozenset()
CHANGES = ("PartitionState", "ReplicaState", "AlterPartition")
"""The steps whose rows send UpdateMetadata with the change itself."""

TAKEN = ("LeaderAndIsr", "StopReplica", "UpdateMetadata")
"""The steps of the brokers that take a request: whether the same process is the controller is nothing to them."""


class Informed:
    """Messages that controllers owe their brokers: an UpdateMetadata that a row sends, and no step has reported yet.

    The message of a change's row comes with the step of that change. That of a row that begins a call comes before
    the next change, and that of one that ends an operation before the end of the operation around it all. Such rows
    run when the next step asks for them: the step may have been before. More than the rows send is nothing wrong, it
    says nothing that is not so. Where a replica's change failed, or all do because there is no session, Kafka sends
    nothing in its place, and nothing is checked.
    """

    def __init__(self, rows: WholeRows) -> None:
        self.rows = rows
        self._informed, self._call = rows.numbers[zk.informed.state], rows.numbers[zk.call.state]
        self._now: dict[int, frozenset[int]] = {}
        self._later: dict[int, frozenset[int]] = {}
        self._told: dict[int, frozenset[int]] = {}
        self._depth: dict[int, int] = {}
        self._failed: set[int] = set()

    def forget(self, node: int) -> None:
        """Nothing is owed any more: the controller resigned, died, or did something else than the rows."""
        self._now.pop(node, None)
        self._later.pop(node, None)

    def check(self, step: ZkStep, ran: Sequence[Ran]) -> None:
        """Settle what a step sent, after its rows were run; raises `Diverged` where a notification is missing."""
        node, read = step.node, self.rows.read
        if step.name in TAKEN:
            return
        self._nest(step)
        if not read(zk.acting.state, node) or not read(zk.session.state, node) or (step.name == "End" and step.outcome):
            self.forget(node)
            return
        live: frozenset[int] = read(zk.live.state, node)
        sent = frozenset(one.broker for one in step.sent if one.kind == "UpdateMetadata")
        told = self._told[node] = self._told.get(node, _NOBODY) | sent
        changes = step.name in CHANGES
        now, later = ((kept.get(node, _NOBODY) & live) - sent for kept in (self._now, self._later))
        missing = now if changes or step.name == "End" else _NOBODY
        now -= missing
        for one in ran:
            if not any(number == self._informed for number, *_ in one.changes):
                continue
            if changes and one is ran[-1]:
                missing |= live - sent
            elif any(number == self._call and value in (zk.Call.IDLE, MISSING) for number, _, value in one.changes):
                later |= live - told
            else:
                now |= live - told
        if step.name == "ReplicaState" and step.outcome:
            self._failed.add(node)
        if self._depth[node] == 0 and step.name == "End":
            missing, later = missing | now | (_NOBODY if node in self._failed else later), _NOBODY
        self._now[node], self._later[node] = now, later
        if missing:
            raise Diverged(f"sends no UpdateMetadata to {sorted(missing)}, the rows do")

    def _nest(self, step: ZkStep) -> None:
        """Begin to count the notified brokers with an operation that is inside no other."""
        node, depth = step.node, self._depth.get(step.node, 0)
        if step.name in ("Elect", "Resign", "Crash", "Start"):
            depth = 0
        if depth == 0 and step.name in ("Begin", "Elect"):
            self._told[node] = _NOBODY
            self._failed.discard(node)
        self._depth[node] = max(0, depth + (step.name == "Begin") - (step.name == "End"))
