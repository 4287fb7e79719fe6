"""The default story: a cluster starts, loses a broker, loses its controller, and moves a partition."""

from __future__ import annotations

from collections.abc import Callable

from fencepost.reference.kraft import messages as m
from fencepost.reference.simulator import SECOND

from .cluster import Cluster
from .story import Story
from .workload import Administrator

LENGTH_S = 150
"""How long the story lasts, in seconds of the virtual clock."""


class Script:
    """The scripted events with their times; `schedule` puts them on the clock of a cluster."""

    def __init__(self, cluster: Cluster, administrator: Administrator, story: Story) -> None:
        self.cluster, self.administrator, self.story = cluster, administrator, story

    def schedule(self) -> None:
        """Put the story on the clock."""
        for second, action in (
            (6, self._create),
            (20, lambda: self._kill_broker(2)),
            (45, lambda: self._start_broker(2)),
            (60, self._kill_controller),
            (75, self._start_controllers),
            (85, self._reassign),
            (100, lambda: self._stop_broker(1)),
            (135, self._elect),
        ):
            self._at(second, action)

    def _at(self, second: int, action: Callable[[], None]) -> None:
        self.cluster.simulator.after(second * SECOND, action)

    def _tell(self, who: str, what: str, mark: str = "") -> None:
        self.story.tell(self.cluster.now_ns, who, what, mark)

    def _create(self) -> None:
        self._tell("admin", "creates topic orders: 3 partitions, 3 replicas; and payments: 1 partition")
        for name, count in (("orders", 3), ("payments", 1)):
            topic = m.TopicRequest(name, count, 3, configs=(("min.insync.replicas", "2"),))
            self.administrator.ask("create_topic", m.CreateTopicsRequest(topics=(topic,)))

    def _kill_broker(self, broker: int) -> None:
        process = self.cluster.brokers[broker]
        self.cluster.hold(process)
        self._tell(f"B{broker}", "is killed", "×")
        process.kill()

    def _start_broker(self, broker: int) -> None:
        self._tell(f"B{broker}", "is started again within seconds", "+")
        self.cluster.release(self.cluster.brokers[broker])

    def _stop_broker(self, broker: int) -> None:
        self._tell(f"B{broker}", "receives SIGTERM, and will be started again", "×")
        self.cluster.brokers[broker].terminate()

    def _kill_controller(self) -> None:
        node = self.cluster.active
        if node is not None:
            self.cluster.hold(node)
            self._tell(f"C{node.config.node_id}", "the active controller is killed", "×")
            node.crash()

    def _start_controllers(self) -> None:
        for node in self.cluster.controllers.values():
            if not node.alive:
                self._tell(f"C{node.config.node_id}", "is started again within seconds", "+")
                self.cluster.release(node)

    def _reassign(self) -> None:
        image = self.cluster.image()
        topic_id = image.topic_ids.get("orders") if image is not None else None
        if image is None or topic_id is None:
            return
        replicas = image.partitions[topic_id, 0].replicas
        other = next(broker for broker in sorted(image.brokers) if broker not in replicas)
        target = (*replicas[:-1], other)
        self._tell("admin", f"reassigns orders-0 from {list(replicas)} to {list(target)}")
        one = m.ReassignablePartition("orders", 0, target)
        self.administrator.ask("reassign", m.AlterPartitionReassignmentsRequest(partitions=(one,)))

    def _elect(self) -> None:
        self._tell("admin", "elects preferred leaders")
        self.administrator.ask("elect_preferred", m.ElectLeadersRequest(election_type=0))
