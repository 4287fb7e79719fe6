"""The beginnings and ends of the event thread's operations, as the steps of a cluster report them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from fencepost.checkers.conformance.lockstep.firing import Diverged, Firing
from fencepost.model.language import Protocol
from fencepost.model.zk import state as zk
from fencepost.traces.zk.steps import ZkStep

from .compare import Comparison
from .state import Names

MOST_CALLS = 64
"""More calls than any operation has: what goes on longer is a circle in the tables."""


class TableRun(Firing):
    """The rows of the tables, run as a cluster's steps ask, with the calls of an operation in their order."""

    def __init__(self, protocol: Protocol) -> None:
        super().__init__(protocol)
        self.names = Names(self.rows)
        self._comparison = Comparison(self.rows, self.names)

    # -- calls of an operation -------------------------------------------------------------------------------------
    def _call(self, node: int) -> zk.Call:
        found: zk.Call = self.rows.read(zk.call.state, node)
        return found

    def _waits(self, node: int) -> list[str]:
        """Return what the call has not come to yet."""
        table = self.rows.cells.tables
        due = table[self.rows.numbers[zk.due.state]]
        replicas = table[self.rows.numbers[zk.due_replicas.state]]
        found = [f"partition {key[1]}" for key in due if key[0] == node]
        return found + [f"replicas {sorted(value)} of {key[1]}" for key, value in replicas.items() if key[0] == node]

    def _go_on(self, node: int) -> None:
        """Run the row that ends a call which has come to everything; raises `Diverged` where there is none."""
        waits = self._waits(node)
        if waits:
            raise Diverged(f"{self._call(node).value}: still to come to {waits[0]}")
        if self.rows.applicable("NextCall", {"c": node}) is not None:
            self._fire("NextCall", c=node)
            return
        for partition in list(self.rows.domains["Partition"]):
            topic = dict(partition)["topic"]
            gives_up = self.rows.applicable("DeleteTopicZnodes", {"c": node, "t": topic})
            if gives_up is not None and gives_up.row.id == "ZC9s":
                # Its session is gone: the event ends without a word.
                self._fire("DeleteTopicZnodes", c=node, t=topic)
                return
            for event in ("ReassignmentPhase", "UpdateAssignment"):
                parameters = {"c": node, "p": partition}
                if event == "UpdateAssignment":
                    parameters["target"] = self.rows.read(zk.aim.state, node)
                    ran = self.rows.applicable(event, parameters)
                    if ran is None or ran.row.id != "ZC5k":
                        continue
                if self.rows.applicable(event, parameters) is not None:
                    self._fire(event, **parameters)
                    return
        raise Diverged(f"{self._call(node).value}: the tables do not go on by themselves here")

    def _until(self, node: int, there: Callable[[], bool], what: str) -> None:
        for _ in range(MOST_CALLS):
            if there():
                return
            if self._call(node) is zk.Call.IDLE:
                raise Diverged(f"the event thread waits for an event, {what}")
            self._go_on(node)
        raise Diverged(f"the calls of the tables go in a circle, {what}")

    def _until_idle(self, node: int) -> None:
        self._until(node, lambda: self._call(node) is zk.Call.IDLE, "")

    def _called(self, event: str, parameters: Mapping[str, Any]) -> bool:
        given = self.rows.events[event].given
        binding = {var: parameters[var.name] for var in self.rows.events[event].params}
        return bool(self.rows.value(given, binding))


class Operations(TableRun):
    """Begins and ends operations in the tables; what a step implies without a word is begun for it."""

    def _begin(self, step: ZkStep) -> None:
        node, told = step.node, step.parameters
        operation = told["operation"]
        if operation == "onControllerFailover":
            return
        if operation == "onBrokerStartup" and self.rows.read(zk.returning.state, node):
            self._until_idle(node)
            self._fire("BouncedStartup", c=node)
            return
        if operation in ("onPartitionReassignment",) and self._call(node) is not zk.Call.IDLE:
            self._until_idle(node)
        if operation == "doControlledShutdown" and step.outcome == "STALE_CONTROLLER_EPOCH":
            self._answers(
                self._fire("ControlledShutdown", c=node, b=told["broker"], asked_epoch=told["broker_epoch"]),
                step.outcome,
            )
            return
        self._until_idle(node)
        begin = getattr(self, f"_begin_{operation}", None)
        if begin is None:
            raise Diverged(f"no row begins {operation}")
        begin(step, node, told)

    def _begin_onNewPartitionCreation(self, step: ZkStep, node: int, told: Mapping[str, Any]) -> None:
        self._fire("TopicChange", c=node)
        wanted = {self.names.partition(one) for one in told["partitions"]}
        for partition in list(self.rows.domains["Partition"]):
            if self.rows.read(zk.about.state, node, partition) and partition not in wanted:
                # It was created after the event thread looked.
                self.tally.adopted["a topic created since"] += 1
                for cell in (zk.about.state, zk.due.state, zk.assigned.state):
                    self.rows.put(cell, (node, partition), () if cell is zk.assigned.state else False)

    def _begin_onBrokerStartup(self, step: ZkStep, node: int, told: Mapping[str, Any]) -> None:
        self._broker_change(step, node, frozenset(told["brokers"]), zk.Call.START_REPLICAS)

    def _begin_onBrokerFailure(self, step: ZkStep, node: int, told: Mapping[str, Any]) -> None:
        self._broker_change(step, node, frozenset(told["brokers"]), zk.Call.FAIL_OFFLINE)

    def _broker_change(self, step: ZkStep, node: int, brokers: frozenset[int], call: zk.Call) -> None:
        """Begin for the brokers that the event thread saw: what has changed in ZooKeeper since it will see later."""
        read = self.rows.read
        live = read(zk.live.state, node)
        later: list[tuple[Any, tuple[Any, ...], Any]] = []

        def seen(broker: int, alive: bool, epoch: int) -> None:
            for state, value in ((zk.alive.state, alive), (zk.broker_epoch.state, epoch)):
                now = read(state, broker)
                if now != value:
                    later.append((state, (broker,), now))
                    self.rows.put(state, (broker,), value)

        epochs = {int(one): epoch for one, epoch in (step.memory or {}).get("live", {}).items()}
        for broker in list(self.rows.domains["Broker"]):
            alive, epoch, known = (
                read(zk.alive.state, broker),
                read(zk.broker_epoch.state, broker),
                read(zk.known_epoch.state, node, broker),
            )
            if broker in brokers and call is zk.Call.START_REPLICAS:
                seen(broker, True, epochs.get(broker, epoch))
            elif broker in brokers:
                if not alive or epoch == known:
                    seen(broker, False, epoch)
            else:
                seen(broker, broker in live, known if broker in live else epoch)
        if later:
            self.tally.adopted["broker changes that the event thread has not seen yet"] += 1
        try:
            self._fire("BrokerChange", c=node)
        finally:
            for state, keys, value in later:
                self.rows.put(state, keys, value)
        if self._call(node) is not call or read(zk.subjects.state, node) != brokers:
            raise Diverged(f"the tables begin {self._call(node).value!r} for {sorted(read(zk.subjects.state, node))}")

    def _begin_onBrokerLogDirFailure(self, step: ZkStep, node: int, told: Mapping[str, Any]) -> None:
        self._fire("LogDirEvent", given=False, c=node, brokers=frozenset(told["brokers"]))

    def _begin_onReplicasBecomeOffline(self, step: ZkStep, node: int, told: Mapping[str, Any]) -> None:
        partitions = frozenset(self.names.partition(one) for one in told["partitions"])
        self._fire("ReplicasOffline", c=node, b=told["broker"], partitions=partitions)

    def _begin_onReplicaElection(self, step: ZkStep, node: int, told: Mapping[str, Any]) -> None:
        partitions = frozenset(self.names.partition(one) for one in told["partitions"])
        event = "ElectLeaders" if told["strategy"] == "PREFERRED" else "ElectLeadersUnclean"
        self._fire(event, c=node, partitions=partitions)

    def _begin_doControlledShutdown(self, step: ZkStep, node: int, told: Mapping[str, Any]) -> None:
        broker, asked = self.names.broker(told["broker"]), told["broker_epoch"]
        asked = self.rows.read(zk.known_epoch.state, node, broker) if asked < 0 else asked
        self._answers(self._fire("ControlledShutdown", c=node, b=broker, asked_epoch=asked), step.outcome)

    def _begin_onPartitionReassignment(self, step: ZkStep, node: int, told: Mapping[str, Any]) -> None:
        partition, target = self.names.partition(told["partition"]), told["target"]
        for broker in target or ():
            self.names.broker(broker)
        if told.get("resumed"):
            self.rows.put(zk.resumed.state, (node, partition), False)
            self._fire("ResumeReassignment", c=node, p=partition)
        elif target is None:
            self._fire("CancelReassignment", c=node, p=partition)
        else:
            parameters: dict[str, Any] = {"c": node, "p": partition, "target": tuple(target)}
            ran = self.rows.applicable("AlterReassignment", parameters)
            # What /admin/reassign_partitions wishes is not checked for live replicas; the step does not say who wished.
            taken = ran is not None and ran.changes
            self._fire("AlterReassignment" if taken else "ZkReassignment", **parameters)

    def _begin_onTopicDeletion(self, step: ZkStep, node: int, told: Mapping[str, Any]) -> None:
        wanted = {self.names.topic(one) for one in told["topics"]}
        for topic in self.rows.domains["Topic"]:
            held = topic not in wanted and self.rows.read(zk.deleting.state, node, topic)
            if self.rows.read(zk.ineligible.state, node, topic) != held:
                self._fire("HoldDeletion" if held else "ReleaseDeletion", c=node, t=topic)
        self._fire("ResumeDeletion", c=node)

    def _end(self, step: ZkStep) -> None:
        if step.outcome or not self.rows.read(zk.acting.state, step.node):
            # An exception ended it, or it resigned: what was still to come does not come.
            self._comparison.drop_call(step.node)
            return
        if not self._waits(step.node):
            self._until_idle(step.node)
        else:
            raise Diverged(f"{self._call(step.node).value}: still to come to {self._waits(step.node)[0]}")

    def _imply(self, node: int, partition: Any, broker: int, to: zk.ReplicaState) -> None:
        """Begin what a step of a topic's deletion implies: an answer, a failure, another try, the end."""
        topic = dict(partition)["topic"]
        replica: dict[str, Any] = {"c": node, "p": partition, "b": broker}
        if to is zk.ReplicaState.DELETION_SUCCESSFUL:
            self._fire("ReplicaDeleted", **replica)
        elif to is zk.ReplicaState.DELETION_INELIGIBLE:
            self._fire("ReplicaNotDeleted", **replica)
        elif to is zk.ReplicaState.OFFLINE:
            self._fire("RetryDeletion", c=node, t=topic)
        elif to is zk.ReplicaState.NONEXISTENT:
            self._fire("CompleteDeletion", c=node, t=topic)
