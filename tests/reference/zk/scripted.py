"""A cluster of the ZooKeeper era that a test drives itself: no work and no faults but the test's own."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from fencepost.reference.zk import paths
from fencepost.reference.zk.broker import Broker
from fencepost.reference.zk.injected import BUGS
from fencepost.reference.zk.names import Leadership, PartitionState, TopicPartition
from fencepost.reference.zk.simulation import Plan, Run
from fencepost.traces.zk.steps import ZkStep


class Scripted:
    """A cluster that is up, its administrator, and all steps so far."""

    def __init__(self, brokers: int = 4, seed: int = 1) -> None:
        self.steps: list[ZkStep] = []
        self.run = Run(Plan(seed=seed, brokers=brokers, work=False, faults="none"), self.steps.append)
        self.cluster, self.administrator = self.run.cluster, self.run.administrator
        self.administrator.start()
        self.cluster.start()
        self.wait(3)

    def wait(self, seconds: float) -> None:
        """Let time pass."""
        self.cluster.run(seconds)

    def broker(self, number: int) -> Broker:
        """Return a broker."""
        return self.cluster.brokers[number]

    @property
    def controller(self) -> Broker:
        """The broker that is the controller."""
        found = self.cluster.controller
        assert found is not None
        return found

    def other(self, *taken: int) -> Broker:
        """Return a broker that is not the controller, nor one of those that are taken."""
        return next(b for b in self.cluster.brokers.values() if b is not self.controller and b.id not in taken)

    def create(self, topic: str, *replicas: tuple[int, ...], unclean: bool = False) -> list[TopicPartition]:
        """Create a topic and wait until that is done."""
        self.administrator.create_topic(topic, dict(enumerate(replicas)), unclean=unclean)
        self.wait(1)
        return [TopicPartition(topic, number) for number in range(len(replicas))]

    def ask(self, request: Any, seconds: float = 1) -> Any:
        """Ask the controller, and wait; returns the answer."""
        self.administrator.ask(request)
        self.wait(seconds)
        return self.administrator.answers[-1]

    def leadership(self, partition: TopicPartition) -> Leadership:
        """Return a partition's leadership as ZooKeeper has it."""
        found = self.cluster.leadership(partition)
        assert found is not None
        return found

    def state(self, partition: TopicPartition) -> PartitionState:
        """Return a partition's state in the controller's memory."""
        return self.controller.shared.context.state(partition)

    def replicas(self, partition: TopicPartition) -> list[int]:
        """Return the assigned replicas as ZooKeeper has them."""
        data = self.cluster.server.nodes[paths.topic_path(partition.topic)].data
        return list(data["partitions"][str(partition.partition)])

    def names(self, name: str, since: int = 0, **parameters: Any) -> list[ZkStep]:
        """Return the steps of a name with some parameters."""
        wanted = parameters.items()
        return [s for s in self.steps[since:] if s.name == name and all(s.parameters.get(k) == v for k, v in wanted)]


@contextmanager
def with_bug(name: str) -> Iterator[None]:
    """Have a historical bug in every controller and broker inside the block."""
    with BUGS[name].injected():
        yield


def table(script: Scripted, partition: TopicPartition, since: int = 0) -> list[tuple[tuple[int, ...], str]]:
    """Return how assignment and leadership of a partition went on in ZooKeeper, as the page's table has it."""
    assigned: tuple[int, ...] = ()
    leading, found = "", list[tuple[tuple[int, ...], str]]()
    for step in script.steps[:]:
        for write in step.writes:
            if write.path == paths.topic_path(partition.topic):
                assigned = tuple(sorted(write.data["partitions"][str(partition.partition)]))
            elif write.path == paths.state_path(partition):
                leading = f"{write.data['leader']}/{{{','.join(map(str, sorted(write.data['isr'])))}}}"
            else:
                continue
            if leading and (not found or found[-1] != (assigned, leading)):
                found.append((assigned, leading))
    return found[since:]
