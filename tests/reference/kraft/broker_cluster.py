"""Brokers around one controller whose log commits after a moment: for tests of brokers without a Raft of their own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from fencepost.reference.kraft import levels
from fencepost.reference.kraft import messages as m
from fencepost.reference.kraft.broker.broker import Broker, BrokerConfig, BrokerObserver
from fencepost.reference.kraft.broker.disk import BrokerDisk
from fencepost.reference.kraft.broker.loader import MetadataLoader
from fencepost.reference.kraft.broker.partition import Partition
from fencepost.reference.kraft.controller.quorum_controller import QuorumController
from fencepost.reference.kraft.records import Message
from fencepost.reference.kraft.settings import Settings
from fencepost.reference.simulator import MILLISECOND, SECOND, Network, Process, Simulator

from .memory_log import MemoryLog
from .single_node import bootstrap

CONTROLLER = 3000
CLUSTER = "cluster"


def name_of(node: int) -> str:
    """Return the name of a node's process."""
    return f"node-{node}"


def directory(broker: int, number: int = 0, life: int = 0) -> str:
    """Return the id of a broker's directory; `life` counts how often it was replaced."""
    return f"dir-{broker}-{number}-{life}".ljust(22, "A")


class ControllerProcess(MemoryLog, Process):
    """A controller over a log that commits two milliseconds after it was written."""

    def __init__(self, simulator: Simulator, settings: Settings, records: Sequence[Message]) -> None:
        MemoryLog.__init__(self, epoch=1)
        Process.__init__(self, simulator, name_of(CONTROLLER))
        self.watchers: list[Callable[[], None]] = []
        self.requests: list[tuple[int, Any, Any]] = []
        self.refuse_until_ns = 0
        self.refused: type = object
        self.fatal: list[Exception] = []
        self.controller = QuorumController(
            CONTROLLER, CLUSTER, settings, self, self, simulator.random("controller"), records, [CONTROLLER],
            None, self.fatal.append,
        )  # fmt: skip

    @property
    def now_ns(self) -> int:
        """The time."""
        return self.simulator.now_ns

    def started(self) -> None:
        """Lead from the beginning."""
        self.controller.handle_leader_change(CONTROLLER, 1)

    def serve(self, source: str, request: Any, reply: Callable[[Any], None]) -> None:
        """Take a request, unless the test wants it lost; keep it with its answer."""
        if self.now_ns < self.refuse_until_ns and isinstance(request, self.refused):
            return

        def done(answer: Any) -> None:
            self.requests.append((self.now_ns, request, answer))
            reply(answer)

        self.controller.submit(request, done)

    def appended(self) -> None:
        """Commit soon."""
        self.after(2 * MILLISECOND, self._commit)

    def _commit(self) -> None:
        new = self.commit_next()
        if new:
            self.controller.handle_commit(new)
            for watcher in self.watchers:
                watcher()


class Feed:
    """Hands the committed log to a broker, a moment later; `paused` keeps a broker behind."""

    def __init__(self, cluster: BrokerCluster, broker: Broker, loader: MetadataLoader) -> None:
        self.cluster, self.broker, self.loader, self.read = cluster, broker, loader, 0
        self.scheduled = self.paused = False

    def start(self) -> None:
        """Begin at the beginning."""
        self.loader.handle_leader_change(CONTROLLER, 1)
        self.cluster.feeds[self.broker.config.broker_id] = self
        self.noticed()

    def noticed(self) -> None:
        """Read on, soon."""
        if not self.scheduled and not self.paused:
            self.scheduled = True
            self.broker.after(MILLISECOND, self.pull)

    def pull(self) -> None:
        """Read on."""
        self.scheduled = False
        controller = self.cluster.controller
        new, self.read = controller.log[self.read : controller.committed], controller.committed
        if new:
            self.loader.handle_commit(new)

    def receive(self, source: str, payload: Any) -> None:
        """Nothing is sent."""

    def serve(self, source: str, request: Any, reply: Callable[[Any], None]) -> None:
        """Nothing is asked."""


class BrokerCluster:
    """A controller and brokers from 1 on, each with as many directories as is said."""

    def __init__(
        self,
        brokers: int = 3,
        *,
        settings: Settings | None = None,
        level: int = levels.LATEST_PRODUCTION,
        elr: int = 1,
        directories: int = 1,
        seed: int = 1,
        observer: BrokerObserver | None = None,
    ) -> None:
        self.settings = settings or Settings(min_insync_replicas=2)
        self.simulator = Simulator(seed)
        self.network = Network(self.simulator)
        self.controller = ControllerProcess(self.simulator, self.settings, bootstrap(level, elr))
        self.network.attach(self.controller)
        self.feeds: dict[int, Feed] = {}
        self.controller.watchers.append(lambda: [feed.noticed() for feed in self.feeds.values()] and None)
        self.brokers: dict[int, Broker] = {}
        for broker in range(1, brokers + 1):
            disk = BrokerDisk.formatted(CLUSTER, broker, [directory(broker, n) for n in range(directories)])
            config = BrokerConfig(
                broker_id=broker, cluster_id=CLUSTER, controllers=(CONTROLLER,), settings=self.settings, name_of=name_of
            )
            self.brokers[broker] = Broker(
                self.simulator, self.network, config, disk, lambda b, loader: Feed(self, b, loader), observer
            )
            self.network.attach(self.brokers[broker])
        self.client = Process(self.simulator, "client")
        self.network.attach(self.client)
        self.client.start()

    def start(self) -> BrokerCluster:
        """Start everybody and let them get ready."""
        self.controller.start()
        for broker in self.brokers.values():
            broker.start()
        self.run(3)
        return self

    def run(self, seconds: float) -> None:
        """Let time pass."""
        self.simulator.run_until(self.simulator.now_ns + int(seconds * SECOND))

    def ask(self, request: Any, target: int = CONTROLLER, wait: float = 1) -> Any:
        """Send a request as a client and return the answer, or None if there is none in time."""
        answers: list[Any] = []
        self.network.call(self.client, name_of(target), request, answers.append, 60 * SECOND, lambda: None)
        self.run(wait)
        return answers[0] if answers else None

    def create(self, name: str, *assignment: tuple[int, ...], **configs: str) -> str:
        """Create a topic with an assignment and return its id."""
        topic = m.TopicRequest(
            name,
            assignments=tuple(enumerate(assignment)),
            configs=tuple((key.replace("_", "."), value) for key, value in configs.items()),
        )
        answer = self.ask(m.CreateTopicsRequest(topics=(topic,)))
        return str(answer[0].topic_id)

    def produce(self, topic_id: str, *values: int, number: int = 0, wait: float = 2) -> Any:
        """Write to the leader and return its answer for the partition, or None."""
        from fencepost.reference.kraft.broker.replication_messages import ProduceRequest

        leader = self.registration(topic_id, number).leader
        request = ProduceRequest("client", self.simulator.now_ns, 30 * SECOND, (((topic_id, number), values),))
        answer = self.ask(request, target=leader, wait=wait)
        return None if answer is None else answer.partitions[0]

    def registration(self, topic_id: str, number: int = 0) -> Any:
        """Return a partition as the controller has it."""
        return self.controller.controller.managers.replication.partitions[topic_id, number]

    def replica(self, broker: int, topic_id: str, number: int = 0) -> Partition:
        """Return a partition as a broker has it."""
        run = self.brokers[broker].run
        assert run is not None
        return run.replicas.partitions[topic_id, number]

    def values(self, broker: int, topic_id: str, number: int = 0) -> list[int]:
        """Return what a broker's disk has of a partition."""
        found = self.brokers[broker].disk.find((topic_id, number))
        return [] if found is None else found[1].values

    def heartbeats(self, broker: int) -> list[tuple[m.BrokerHeartbeatRequest, Any]]:
        """Return the heartbeats of a broker with their answers."""
        return [
            (request, answer)
            for _, request, answer in self.controller.requests
            if isinstance(request, m.BrokerHeartbeatRequest) and request.broker_id == broker
        ]
