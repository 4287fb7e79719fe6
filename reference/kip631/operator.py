"""Operations in a run of either version: brokers are shut down and started, leaders moved back."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from fencepost.reference.simulator import SECOND, Process

from .controller import ElectRequest

if TYPE_CHECKING:
    from .simulation import Cluster


class Operator(Process):
    """A process that acts every few seconds while `working`; it never fails."""

    def __init__(self, cluster: Cluster) -> None:
        super().__init__(cluster.simulator, "operator")
        self.cluster = cluster
        self.working = False
        self.draw = cluster.simulator.random("operator")
        self.every_s = self.draw.uniform(2, 7)

    def started(self) -> None:
        """Begin."""
        self._later()

    def tasks(self) -> list[tuple[int, Callable[[], None]]]:
        """Return what there is to do, each with how often of all times."""
        return [(2, self.restart_some), (3, self.prefer_some)]

    def _later(self) -> None:
        self.after(int(self.every_s * self.draw.uniform(0.3, 1.7) * SECOND), self._work)

    def _work(self) -> None:
        if self.working:
            weights, tasks = zip(*self.tasks(), strict=True)
            self.draw.choices(tasks, weights)[0]()
        self._later()

    def ask(self, request: Any) -> None:
        """Send a request to the controller."""
        quorum = self.cluster.quorum
        quorum.network.call(self, quorum.endpoint, request, lambda answer: None, 5 * SECOND, lambda: None)

    def restart_some(self) -> None:
        """Shut a broker down in a controlled way; when it takes too long it is killed. Then start it again."""
        cluster = self.cluster
        broker = cluster.brokers[self.draw.choice(cluster.settings.brokers)]
        if not broker.alive:
            return
        cluster.hold(broker.id)
        broker.terminate()
        generation = broker.generation

        def end() -> None:
            if broker.generation == generation:
                broker.crash()
            cluster.release(broker.id)

        self.after(int(self.draw.uniform(3, 9) * SECOND), end)

    def prefer_some(self) -> None:
        """Ask that a partition be led by the broker that is meant to lead it."""
        partition = self.draw.choice(sorted(self.cluster.settings.replicas))
        self.ask(ElectRequest(partition, self.cluster.settings.replicas[partition][0]))
