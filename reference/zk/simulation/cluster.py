"""The simulated cluster: ZooKeeper, brokers that are controllers in waiting, and the network between them."""

from __future__ import annotations

from collections.abc import Callable

from fencepost.reference.simulator import SECOND, Faults, Network, Simulator
from fencepost.reference.zk import paths
from fencepost.reference.zk.broker import Broker, BrokerSettings
from fencepost.reference.zk.names import Leadership, TopicPartition
from fencepost.reference.zk.zookeeper import Session, ZooKeeper
from fencepost.traces.zk.steps import NOBODY, ZkStep, ZnodeWrite

from .plan import WALL_CLOCK_START_MS


def name_of(broker: int) -> str:
    """Return the name of a broker's process."""
    return f"broker-{broker}"


class Cluster:
    """All processes of a run; `sink` takes every step in the order in which they happen."""

    def __init__(
        self, seed: int, brokers: int, sink: Callable[[ZkStep], None], settings: BrokerSettings | None = None
    ) -> None:
        self.simulator = Simulator(seed)
        self.network = Network(self.simulator, Faults())
        self.sink = sink
        self.server = ZooKeeper(self.simulator, WALL_CLOCK_START_MS, self._closed)
        self.brokers: dict[int, Broker] = {}
        self._held: dict[int, int] = {}
        for number in range(1, brokers + 1):
            broker = Broker(number, self.network, self.server, self, name_of, self.told, settings or BrokerSettings())
            self.network.attach(broker)
            self.brokers[number] = broker

    # -- running ---------------------------------------------------------------------------------------------------
    def start(self) -> None:
        """Start all brokers, one shortly after the other."""
        for number, broker in enumerate(self.brokers.values()):
            self.simulator.after(number * SECOND // 5, broker.start)

    def run(self, seconds: float) -> None:
        """Let time pass."""
        self.simulator.run_until(self.simulator.now_ns + int(seconds * SECOND))

    def told(self, step: ZkStep) -> None:
        """Take a step."""
        self.sink(step)

    def hold(self, broker: int) -> None:
        """See to it that a broker that goes down stays down until it is released as often as it was held."""
        self._held[broker] = self._held.get(broker, 0) + 1

    def release(self, broker: int) -> None:
        """Let a broker be started again, if nothing else holds it; one that is on its way down goes on doing so."""
        self._held[broker] = max(0, self._held.get(broker, 0) - 1)
        if not self._held[broker]:
            self.brokers[broker].start()

    def release_all(self) -> None:
        """Start every broker that is down."""
        self._held.clear()
        for broker in self.brokers.values():
            broker.start()

    # -- what the brokers ask --------------------------------------------------------------------------------------
    def following(self, leader: int, follower: int, partition: TopicPartition, leader_epoch: int) -> int | None:
        """Return since when a broker has been following a leader in its epoch, None if it does not or cannot."""
        broker = self.brokers.get(follower)
        if broker is None or not broker.alive or broker.asleep or broker.replicas is None:
            return None
        hosted = broker.replicas.hosted.get(partition)
        if hosted is None or hosted.role != "follower":
            return None
        if (hosted.leader, hosted.leader_epoch) != (leader, leader_epoch):
            return None
        faults = self.network.faults
        if faults.is_cut(name_of(follower), name_of(leader)) or faults.is_cut(name_of(leader), name_of(follower)):
            return None
        return hosted.since_ns

    def _closed(self, session: Session, gone: tuple[str, ...], expired: bool) -> None:
        """Tell of a session that ended, and of the broker that is no longer registered with it."""
        if session.writer is None:
            return
        broker = session.writer
        common = {"time_ms": self.server.time_ms, "node": NOBODY, "zxid": self.server.zxid}
        writes = tuple(ZnodeWrite(one, "delete", None, 0) for one in gone if one == paths.CONTROLLER)
        # Of a process that died the session may go on while the next process already has one of its own.
        process = self.brokers[broker]
        own = process.client.session == session.id or not process.alive
        parameters = {"node": broker, "closed": not expired, "own": own}
        self.told(ZkStep(name="SessionExpired", parameters=parameters, writes=writes, **common))  # type: ignore[arg-type]
        if paths.broker_path(broker) in gone:
            writes = (ZnodeWrite(paths.broker_path(broker), "delete", None, 1),)
            self.told(ZkStep(name="BrokerGone", parameters={"broker": broker}, writes=writes, **common))  # type: ignore[arg-type]

    # -- asking how it is ------------------------------------------------------------------------------------------
    @property
    def controller(self) -> Broker | None:
        """The broker that /controller names, if its process is up."""
        node = self.server.nodes.get(paths.CONTROLLER)
        broker = None if node is None else self.brokers.get(int(node.data["brokerid"]))
        return broker if broker is not None and broker.alive else None

    def topics(self) -> dict[str, dict[TopicPartition, tuple[int, ...]]]:
        """Return the topics as ZooKeeper has them, with the replicas of their partitions."""
        found = {}
        for topic in sorted(self.server.nodes[paths.TOPICS].children if paths.TOPICS in self.server.nodes else ()):
            data = self.server.nodes[paths.topic_path(topic)].data
            assignments = paths.assignments_of(data)
            found[topic] = {TopicPartition(topic, number): one.replicas for number, one in assignments.items()}
        return found

    def leadership(self, partition: TopicPartition) -> Leadership | None:
        """Return a partition's leadership as ZooKeeper has it."""
        node = self.server.nodes.get(paths.state_path(partition))
        return None if node is None else paths.leadership_of(node.data, node.version)

    def problems(self) -> list[str]:
        """Return what is not as it must be when nothing has been wrong for a while, a sentence each.

        One controller is active and all brokers are registered; every partition that has a live replica in sync is
        online, its leader leads and knows it; no reassignment is under way, no topic waits to be deleted.
        """
        server, found = self.server, list[str]()
        active = [one for one in self.brokers.values() if one.alive and one.controller.is_active]
        registered = {int(one) for one in server.nodes[paths.BROKER_IDS].children}
        if len(active) != 1 or active[0] is not self.controller:
            found.append(f"{[one.id for one in active]} believe to be the controller")
        found += [f"broker {one} is not registered" for one in self.brokers if one not in registered]
        stuck = self.stuck()
        queued = [one for one in sorted(server.nodes[paths.DELETE_TOPICS].children) if one not in stuck]
        found += [f"topic {one} waits to be deleted" for one in queued]
        wished = server.nodes.get(paths.REASSIGN_PARTITIONS)
        assigned = {one for partitions in self.topics().values() for one in partitions}
        waits = {} if wished is None else paths.reassignments_of(wished.data)
        if wished is not None and all(self._can_be_led(one) for one in waits if one in assigned):
            found.append(f"{paths.REASSIGN_PARTITIONS} is there")
        for topic, partitions in self.topics().items():
            data = server.nodes[paths.topic_path(topic)].data
            if topic in stuck:
                continue
            moving = {*data["adding_replicas"], *data["removing_replicas"]}
            for partition in partitions:
                if str(partition.partition) in moving and self._can_be_led(partition):
                    found.append(f"{partition} is being reassigned")
                problem = self._problem(partition, registered & set(partitions[partition]))
                if problem:
                    found.append(problem)
        return found

    def _can_be_led(self, partition: TopicPartition) -> bool:
        """Whether a replica in sync is assigned; a changed reassignment may leave none, and then no broker leads."""
        leadership, replicas = self.leadership(partition), self.topics().get(partition.topic, {}).get(partition, ())
        return leadership is not None and any(one in replicas for one in leadership.isr)

    def unsettled(self) -> list[str]:
        """Return what has not got round when nothing has been wrong for a while, a sentence each.

        The controller knows of every reassignment that ZooKeeper has; every broker knows who is registered, and each
        partition with the leader epoch that ZooKeeper has.
        """
        server, found = self.server, list[str]()
        controller = self.controller
        if controller is None or not controller.controller.is_active:
            return found
        registered = {int(one) for one in server.nodes[paths.BROKER_IDS].children}
        queued = server.nodes[paths.DELETE_TOPICS].children
        kept = {topic: partitions for topic, partitions in self.topics().items() if topic not in queued}
        for topic, partitions in kept.items():
            data = server.nodes[paths.topic_path(topic)].data
            moving = {*data["adding_replicas"], *data["removing_replicas"]}
            lost = [one for one in partitions if str(one.partition) in moving]
            found += [
                f"{one} is being reassigned, and the controller does not know"
                for one in lost
                if one not in controller.shared.context.reassigning
            ]
        for broker in sorted(registered):
            replicas = self.brokers[broker].replicas
            if replicas is None:
                continue
            if replicas.live != registered:
                found.append(f"broker {broker} takes {sorted(replicas.live)} for alive, and {sorted(registered)} are")
            for partition in (one for partitions in kept.values() for one in partitions):
                leadership, cached = self.leadership(partition), replicas.metadata.get(partition)
                if leadership is None:
                    continue
                if cached is None:
                    found.append(f"broker {broker} has never heard of {partition}")
                elif cached.leadership.leader_epoch != leadership.leader_epoch:
                    found.append(
                        f"broker {broker} knows {partition} by leader epoch {cached.leadership.leader_epoch}, "
                        f"not {leadership.leader_epoch}"
                    )
        return found

    def stuck(self) -> list[str]:
        """Return the topics that Kafka itself never finishes: to be deleted while they are being reassigned.

        The deletion took the leaders away and then waits for the reassignment, as a new controller sees to; the
        reassignment waits for followers to catch up with a leader, and topics to be deleted get none.
        """
        nodes = self.server.nodes
        found = []
        for topic in sorted(nodes[paths.DELETE_TOPICS].children):
            node = nodes.get(paths.topic_path(topic))
            if node is not None and (node.data["adding_replicas"] or node.data["removing_replicas"]):
                found.append(topic)
        return found

    def _problem(self, partition: TopicPartition, able: set[int]) -> str:
        """Return what is wrong with a partition, given the brokers that are up and have a replica of it."""
        leadership = self.leadership(partition)
        if leadership is None:
            return f"{partition} has no leadership"
        if not any(one in able for one in leadership.isr):
            return ""
        if leadership.leader < 0:
            return f"{partition} has no leader, and {list(leadership.isr)} could lead"
        replicas = self.brokers[leadership.leader].replicas
        hosted = None if replicas is None else replicas.hosted.get(partition)
        if hosted is None or hosted.role != "leader" or hosted.leader_epoch != leadership.leader_epoch:
            return f"{partition} is led by {leadership.leader}, which does not know it"
        return ""
