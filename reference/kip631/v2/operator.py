"""Further operations of the second version: moving partitions, removing brokers from the cluster."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from fencepost.reference.kip631.controller import Refused
from fencepost.reference.kip631.operator import Operator
from fencepost.reference.simulator import SECOND, Process

from .controller import TOPICS
from .messages import AlterReassignmentRequest, CreateTopicRequest, RemoveTopicRequest, UnregisterRequest

if TYPE_CHECKING:
    from fencepost.reference.kip631.simulation import Cluster


class LegacyNode(Process):
    """A node that still works with ZooKeeper: it cannot remove a broker."""

    def __init__(self, cluster: Cluster) -> None:
        super().__init__(cluster.simulator, "legacy-1")
        self.cluster = cluster

    def serve(self, source: str, request: Any, reply: Callable[[Any], None]) -> None:
        """Refuse."""
        name, parameters = request.as_step()
        self.cluster.told(self.name, name, parameters, "UNSUPPORTED_VERSION")
        reply(Refused("UNSUPPORTED_VERSION"))


class WishOperator(Operator):
    """The operator, who now and then takes an old node for one of the quorum."""

    def started(self) -> None:
        """Begin, with an old node about."""
        super().started()
        self.topics = 0
        self.legacy = LegacyNode(self.cluster)
        self.cluster.network.attach(self.legacy)
        self.legacy.start()

    def tasks(self) -> list[tuple[int, Callable[[], None]]]:
        """Return what there is to do, each with how often of all times."""
        return [*super().tasks(), (8, self.move_some), (2, self.remove_some), (7, self.create_or_delete)]

    def move_some(self) -> None:
        """Ask that a partition be moved; now and then to no broker."""
        settings = self.cluster.settings
        partition = self.draw.choice(sorted(settings.replicas))
        count = self.draw.choice((0, 1, 1, 2, 2, 2, 2, 3, 3, 3))
        self.ask(AlterReassignmentRequest(partition, frozenset(self.draw.sample(settings.brokers, count))))

    def remove_some(self) -> None:
        """Remove a broker from the cluster, rather one that is down; a process that is up will learn of it."""
        cluster, draw = self.cluster, self.draw
        brokers = [one for one in cluster.brokers.values() if not one.alive] or list(cluster.brokers.values())
        broker = draw.choice(brokers)
        if draw.random() < 0.25:
            request, network = UnregisterRequest(broker.id, legacy=True), cluster.network
            network.call(self, self.legacy.name, request, lambda answer: None, 5 * SECOND, lambda: None)
            return
        self.ask(UnregisterRequest(broker.id))

    def create_or_delete(self) -> None:
        """Create the next topic, or delete one; the quorum takes a snapshot soon, and its log begins after that."""
        draw = self.draw
        if draw.random() < 0.6:
            self.topics += self.topics < len(TOPICS)
            self.ask(CreateTopicRequest(self.topics))
        elif self.topics:
            self.ask(RemoveTopicRequest(draw.randint(1, self.topics)))
        self.after(int(draw.uniform(0.5, 4) * SECOND), self._snapshot)

    def _snapshot(self) -> None:
        log = self.cluster.controller.log
        log.snapshot = log.committed.value
