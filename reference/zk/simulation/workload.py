"""Administrators' requests in a run: topics come and go, partitions move, leaders are elected."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

from fencepost.reference.simulator import SECOND, Process
from fencepost.reference.zk import messages as m
from fencepost.reference.zk import paths
from fencepost.reference.zk.names import ReplicaAssignment, TopicPartition
from fencepost.reference.zk.zookeeper import Create, Delete, SetData, ZooKeeperClient, ZooKeeperError
from fencepost.traces.zk.steps import NOBODY, ZkStep, ZnodeWrite

from .cluster import Cluster, name_of

SESSION_TIMEOUT_MS = 30_000
MOST_TOPICS = 5


class Administrator(Process):
    """A client that writes wishes into ZooKeeper and sends requests to the controller; it never fails."""

    def __init__(self, cluster: Cluster, every_s: float) -> None:
        super().__init__(cluster.simulator, "administrator")
        self.cluster, self.every_ns = cluster, int(every_s * SECOND)
        self.draw = cluster.simulator.random("administrator")
        self.done: Counter[str] = Counter()
        self.answers: list[Any] = []
        self.working = False
        self._made = 0
        self._created: Counter[str] = Counter()
        self.client = ZooKeeperClient(
            self, cluster.server, cluster.network.faults, self.draw, writer=None, timeout_ms=SESSION_TIMEOUT_MS,
            on_watch=lambda event: None, on_expired=self._expired,
        )  # fmt: skip

    def started(self) -> None:
        """Get a session."""
        self.client.connect()

    def _expired(self) -> None:
        raise AssertionError("nothing cuts the administrator from ZooKeeper")

    def work(self) -> None:
        """Do something now and then, from now on."""
        self.working = True
        self._later()

    def _later(self) -> None:
        self.after(int(self.every_ns * (0.3 + 1.4 * self.draw.random())), self._work)

    def _work(self) -> None:
        if not self.working:
            return
        something = self.draw.choices(
            (
                self._create_some, self._delete_some, self._reassign_some, self._wish_reassignments, self._cancel_some,
                self._prefer_some, self._unclean_some, self._grow_some,
            ),
            (6, 2, 7, 2, 2, 3, 1, 1),
        )[0]  # fmt: skip
        if paths.TOPICS in self.cluster.server.nodes:
            something(self.draw)
        self._later()

    # -- what can be done ------------------------------------------------------------------------------------------
    def create_topic(self, topic: str, replicas: dict[int, tuple[int, ...]], *, unclean: bool = False) -> None:
        """Create a topic with the replicas of each partition."""
        config = {"unclean.leader.election.enable": "true"} if unclean else {}
        self._created[topic] += 1
        topic_id = f"id-of-{topic}-{self._created[topic]}"
        data = paths.topic_data(topic_id, {number: ReplicaAssignment(one) for number, one in replicas.items()})
        self._write(
            "CreateTopic", {"topic": topic, "assignment": {str(n): list(one) for n, one in replicas.items()}},
            Create(paths.config_path(topic), {"version": 1, "config": config}), Create(paths.topic_path(topic), data),
        )  # fmt: skip

    def add_partitions(self, topic: str, replicas: dict[int, tuple[int, ...]]) -> None:
        """Give a topic more partitions."""
        data, _ = self.client.get(paths.topic_path(topic))
        partitions = data["partitions"] | {str(number): list(one) for number, one in replicas.items()}
        told = {"topic": topic, "assignment": {str(number): list(one) for number, one in replicas.items()}}
        self._write("CreatePartitions", told, SetData(paths.topic_path(topic), data | {"partitions": partitions}))

    def delete_topic(self, topic: str) -> None:
        """Wish that a topic be deleted."""
        self._write("QueueTopicDeletion", {"topic": topic}, Create(paths.deletion_path(topic)))

    def wish_reassignments(self, targets: dict[TopicPartition, tuple[int, ...]]) -> None:
        """Wish by the old znode that partitions move; while it is there nothing else can be wished."""
        told = [{"partition": str(one), "target": list(target)} for one, target in targets.items()]
        self._write(
            "RequestReassignment", {"partitions": told},
            Create(paths.REASSIGN_PARTITIONS, paths.reassignment_data(targets)),
        )  # fmt: skip

    def wish_elections(self, partitions: list[TopicPartition]) -> None:
        """Wish by the old znode that preferred leaders be elected."""
        told = {"partitions": [str(one) for one in partitions]}
        self._write("RequestElection", told, Create(paths.PREFERRED_ELECTION, paths.election_data(partitions)))

    def delete_controller(self) -> None:
        """Remove /controller, so that another one is elected though no process has died."""
        if paths.CONTROLLER in self.cluster.server.nodes:
            self._write("DeleteController", {}, Delete(paths.CONTROLLER))

    def ask(self, request: Any) -> None:
        """Send a request to the controller, if there is one; answers are gathered."""
        broker = self.cluster.controller
        if broker is not None:
            network, name = self.cluster.network, name_of(broker.id)
            network.call(self, name, request, self.answers.append, 5 * SECOND, lambda: None)

    def _write(self, name: str, parameters: dict[str, Any], *operations: Any) -> None:
        writes, outcome = [], ""
        for operation in operations:
            node = self.cluster.server.nodes.get(operation.path)
            version = 0 if node is None else node.version
            try:
                path = self.client.write(operation)
            except ZooKeeperError as error:
                outcome = error.name
                break
            kind = {"Create": "create", "SetData": "set", "Delete": "delete"}[type(operation).__name__]
            data = getattr(operation, "data", None)
            writes.append(ZnodeWrite(path, kind, data, version + 1 if kind == "set" else version))
        self.done[name] += 1
        server = self.cluster.server
        self.cluster.told(
            ZkStep(
                time_ms=server.time_ms, node=NOBODY, name=name, parameters=parameters, outcome=outcome,
                zxid=server.zxid, writes=tuple(writes),
            )
        )  # fmt: skip

    # -- drawing it ------------------------------------------------------------------------------------------------
    def _replicas(self, draw: random.Random, count: int) -> tuple[int, ...]:
        return tuple(draw.sample(sorted(self.cluster.brokers), count))

    def _partitions(self) -> list[TopicPartition]:
        return [one for partitions in self.cluster.topics().values() for one in partitions]

    def _create_some(self, draw: random.Random) -> None:
        if len(self.cluster.topics()) >= MOST_TOPICS:
            return
        # Now and then a name that was there before.
        self._made += 1
        topic = f"t{self._made % 8}"
        # A broker that missed the deletion of an earlier topic of that name would not take up the new one: Kafka
        # compares the ids of topics.
        brokers = [one.replicas for one in self.cluster.brokers.values() if one.replicas is not None]
        kept = any(one.topic == topic for replicas in brokers for one in replicas.hosted)
        if kept or paths.topic_path(topic) in self.cluster.server.nodes:
            return
        count = draw.randint(1, min(4, len(self.cluster.brokers)))
        partitions = {number: self._replicas(draw, count) for number in range(draw.randint(1, 3))}
        if paths.config_path(topic) not in self.cluster.server.nodes:
            self.create_topic(topic, partitions, unclean=draw.random() < 0.3)

    def _delete_some(self, draw: random.Random) -> None:
        topics = [one for one in self.cluster.topics() if paths.deletion_path(one) not in self.cluster.server.nodes]
        if topics:
            self.delete_topic(draw.choice(topics))

    def _target(self, draw: random.Random) -> tuple[int, ...]:
        return self._replicas(draw, draw.randint(1, min(3, len(self.cluster.brokers))))

    def _reassign_some(self, draw: random.Random) -> None:
        partitions = self._partitions()
        if partitions:
            chosen = draw.sample(partitions, min(len(partitions), draw.randint(1, 2)))
            self.done["Reassign"] += 1
            self.ask(m.ReassignmentRequest({one: self._target(draw) for one in chosen}))

    def _cancel_some(self, draw: random.Random) -> None:
        partitions = self._partitions()
        if partitions:
            self.done["Cancel"] += 1
            self.ask(m.ReassignmentRequest({draw.choice(partitions): None}))

    def _wish_reassignments(self, draw: random.Random) -> None:
        partitions = self._partitions()
        if partitions and paths.REASSIGN_PARTITIONS not in self.cluster.server.nodes:
            self.wish_reassignments({draw.choice(partitions): self._target(draw)})

    def _prefer_some(self, draw: random.Random) -> None:
        partitions = self._partitions()
        if not partitions:
            return
        if draw.random() < 0.5 and paths.PREFERRED_ELECTION not in self.cluster.server.nodes:
            self.wish_elections(partitions)
        else:
            self.done["ElectPreferred"] += 1
            self.ask(m.ElectLeadersRequest(tuple(partitions), "PREFERRED"))

    def _unclean_some(self, draw: random.Random) -> None:
        partitions = self._partitions()
        if partitions:
            self.done["ElectUnclean"] += 1
            self.ask(m.ElectLeadersRequest((draw.choice(partitions),), "UNCLEAN"))

    def _grow_some(self, draw: random.Random) -> None:
        topics = self.cluster.topics()
        if topics:
            topic = draw.choice(sorted(topics))
            self.add_partitions(topic, {len(topics[topic]): self._target(draw)})
