"""A cluster of controllers and brokers on one network: formatted, started, kept running, and asked how it is."""

from __future__ import annotations

import random
from collections.abc import Collection
from dataclasses import dataclass, field

from fencepost.reference.kraft.broker.broker import Broker, BrokerConfig, BrokerObserver
from fencepost.reference.kraft.broker.disk import BrokerDisk
from fencepost.reference.kraft.broker.image import MetadataImage
from fencepost.reference.kraft.broker.lifecycle import BrokerState
from fencepost.reference.kraft.broker.loader import MetadataLoader
from fencepost.reference.kraft.controller.observer import SilentObserver
from fencepost.reference.kraft.levels import LATEST_PRODUCTION
from fencepost.reference.kraft.messages import Endpoint
from fencepost.reference.kraft.raft import RaftDisk, RaftNode, Voter
from fencepost.reference.kraft.records import NO_LEADER, Message
from fencepost.reference.kraft.settings import Settings
from fencepost.reference.kraft.storage.bootstrap import bootstrap_records
from fencepost.reference.kraft.storage.releases import effective_levels
from fencepost.reference.kraft.storage.scram import scram_record
from fencepost.reference.kraft.storage.uuids import random_directory_id, random_uuid
from fencepost.reference.simulator import SECOND, Faults, Network, Process, Simulator

from .controller_node import ControllerConfig, ControllerNode
from .voters import QuorumPlan

FIRST_CONTROLLER = 3000
"""Controllers are numbered from here, brokers from 1."""

BEHIND_MS = 3000
"""A controller whose log ends so much before that of the active one is no part of a healthy quorum."""


def name_of(node: int) -> str:
    """Return the name of a node's process in the network."""
    return f"controller-{node}" if node >= FIRST_CONTROLLER else f"broker-{node}"


@dataclass(frozen=True, kw_only=True)
class ClusterConfig:
    """How a cluster is made: so many of each, `directories` a broker, `racks` (0 for none), what it is formatted with.

    `level` is the metadata.version, `features` are levels of others where they are not the usual; `recovery_ns` bounds
    how long a broker's log recovery takes; `scram` are users with passwords, as `--add-scram` takes them. `quorum` says
    how a quorum whose voters change begins; None for one of all controllers, which stays as it is.
    """

    seed: int
    controllers: int = 3
    brokers: int = 4
    directories: int = 2
    racks: int = 0
    level: int = LATEST_PRODUCTION
    features: dict[str, int] = field(default_factory=dict)
    settings: Settings = field(default_factory=Settings)
    dynamic_quorum: bool = True
    recovery_ns: tuple[int, int] = (0, 3 * SECOND)
    scram: tuple[str, ...] = ()
    quorum: QuorumPlan | None = None

    def levels(self) -> dict[str, int]:
        """Return the features that the cluster is formatted with; raises StorageError for levels that do not go."""
        return effective_levels(self.level, self.features, self.dynamic_quorum)


@dataclass(frozen=True, slots=True)
class Fatal:
    """A controller process that ended because it could not go on."""

    now_ns: int
    node: int
    cause: str


class Cluster:
    """Controllers and brokers, with the network and the clock under them.

    `start` starts all. Who goes down is started again by and by, as an operator's tools would do it, unless a fault
    `hold`s it down. `fatal` lists the controllers that ended themselves.
    """

    controller_class: type[ControllerNode] = ControllerNode
    broker_class: type[Broker] = Broker

    def __init__(
        self,
        config: ClusterConfig,
        observer: SilentObserver | None = None,
        broker_observer: BrokerObserver | None = None,
    ) -> None:
        self.config = config
        self.simulator = Simulator(config.seed)
        self.faults = Faults()
        self.network = Network(self.simulator, self.faults)
        self.observer, self.broker_observer = observer or SilentObserver(), broker_observer or BrokerObserver()
        self.fatal: list[Fatal] = []
        self.raft_leaders: dict[int, int] = {}
        self._held: dict[str, int] = {}
        self._starting: dict[str, bool] = {}
        self._random = self.simulator.random("cluster")
        draw = self.simulator.random("format")
        self.cluster_id = random_uuid(draw)
        users = tuple(scram_record(one, self.simulator.random("scram")) for one in config.scram)
        self.bootstrap = bootstrap_records(config.levels(), users)
        known = self._new_voters(draw)
        first = len(known) if config.quorum is None else config.quorum.voters
        self.voters, self.others = known[:first], known[first:]
        self.controllers: dict[int, ControllerNode] = {}
        self.brokers: dict[int, Broker] = {}
        self.broker_metadata: dict[int, RaftDisk] = {}
        for voter in known:
            self.controllers[voter.id] = self._new_controller(voter.id, self.bootstrap)
        for broker in range(1, config.brokers + 1):
            self.broker_metadata[broker] = RaftDisk()
            self.brokers[broker] = self._new_broker(broker, draw)
        for process in self.processes():
            self.network.attach(process)

    # -- making it -------------------------------------------------------------------------------------------------
    def _new_voters(self, draw: random.Random) -> tuple[Voter, ...]:
        unaware = () if self.config.quorum is None else self.config.quorum.unaware
        return tuple(
            Voter(
                FIRST_CONTROLLER + place, name_of(FIRST_CONTROLLER + place), random_directory_id(draw), "localhost",
                9093 + place, max_kraft_version=int(place not in unaware),
            )
            for place in range(self.config.controllers)
        )  # fmt: skip

    @property
    def joining(self) -> tuple[int, ...]:
        """The controllers that become voters by themselves."""
        quorum = self.config.quorum
        return () if quorum is None else tuple(FIRST_CONTROLLER + place for place in quorum.joining)

    def _new_controller(self, node: int, bootstrap: tuple[Message, ...]) -> ControllerNode:
        config = ControllerConfig(
            node_id=node, cluster_id=self.cluster_id, voters=self.voters, settings=self.config.settings,
            name_of=name_of, bootstrap=bootstrap, dynamic=self.config.dynamic_quorum,
            others=self.others, auto_join=node in self.joining,
        )  # fmt: skip
        return self.controller_class(
            self.simulator, self.network, config, self.observer, self._ended, self._role_changed
        )

    def _new_broker(self, broker: int, draw: random.Random) -> Broker:
        config, racks = self.config, self.config.racks
        directories = [random_directory_id(draw) for _ in range(config.directories)]
        return self.broker_class(
            self.simulator,
            self.network,
            BrokerConfig(
                broker_id=broker,
                cluster_id=self.cluster_id,
                controllers=tuple(self.controllers),
                settings=config.settings,
                name_of=name_of,
                rack=f"rack-{(broker - 1) % racks}" if racks else None,
                listeners=(Endpoint("PLAINTEXT", "localhost", 9192 + broker),),
                recovery_ns=config.recovery_ns,
            ),
            BrokerDisk.formatted(self.cluster_id, broker, directories),
            self._new_raft_observer,
            self.broker_observer,
        )

    def _new_raft_observer(self, broker: Broker, loader: MetadataLoader) -> RaftNode:
        node = broker.config.broker_id
        raft = RaftNode(
            broker, self.network, node, self.voters, self.config.settings, self.broker_metadata[node],
            dynamic=self.config.dynamic_quorum, others=self.others,
        )  # fmt: skip
        raft.register(loader)
        return raft

    # -- running it ------------------------------------------------------------------------------------------------
    @property
    def now_ns(self) -> int:
        """The virtual clock."""
        return self.simulator.now_ns

    def processes(self) -> list[Process]:
        """Return all controllers, then all brokers."""
        return [*self.controllers.values(), *self.brokers.values()]

    def start(self) -> None:
        """Start all processes, and see to it that those that go down are started again."""
        for process in self.processes():
            process.start()
        self.simulator.after(SECOND, self._supervise)

    def run(self, seconds: float) -> None:
        """Let time pass."""
        self.simulator.run_until(self.now_ns + int(seconds * SECOND))

    def hold(self, process: Process) -> None:
        """Prevent the start of a process, until it is released as often as it was held."""
        self._held[process.name] = self._held.get(process.name, 0) + 1

    def release(self, process: Process) -> None:
        """Let a process be started again."""
        self._held[process.name] -= 1

    def _supervise(self) -> None:
        for process in self.processes():
            name = process.name
            if not process.alive and not self._held.get(name) and not self._starting.get(name):
                self._starting[name] = True
                delay_ns = self._random.randint(SECOND, 3 * SECOND)
                self.simulator.after(delay_ns, lambda process=process: self._start(process))  # type: ignore[misc]
        self._clean_brokers()
        self.simulator.after(SECOND, self._supervise)

    def _start(self, process: Process) -> None:
        self._starting[process.name] = False
        if not process.alive and not self._held.get(process.name):
            if isinstance(process, Broker):
                for directory in process.disk.directories:
                    process.repair_directory(directory.id)
            process.start()

    def _clean_brokers(self) -> None:
        """Let brokers forget the beginning of a long log.

        A broker makes its snapshots of the same image as a controller, so a controller's is taken for its own.
        """
        limit = self.config.settings.metadata_max_retention_bytes
        for broker, disk in self.broker_metadata.items():
            raft, log = self.brokers[broker].raft, disk.log
            if log.size > limit and isinstance(raft, RaftNode):
                last = log.latest_snapshot.end_offset if log.latest_snapshot else 0
                all_snapshots = [one for node in self.controllers.values() for one in node.disk.log.snapshots]
                fit = [one for one in all_snapshots if last < one.end_offset <= raft.high_watermark]
                if fit:
                    log.add_snapshot(max(fit, key=lambda one: one.end_offset))
                    log.clean(limit)

    def _ended(self, node: ControllerNode, exception: Exception) -> None:
        cause = f"{type(exception).__name__}: {exception}"
        self.fatal.append(Fatal(self.now_ns, node.config.node_id, cause))

    def _role_changed(self, raft: RaftNode) -> None:
        if raft.is_leader and self.raft_leaders.setdefault(raft.epoch, raft.id) != raft.id:
            raise RuntimeError(f"nodes {self.raft_leaders[raft.epoch]} and {raft.id} both lead in epoch {raft.epoch}")
        self.observer.role_changed(raft)

    # -- asking how it is ------------------------------------------------------------------------------------------
    @property
    def active(self) -> ControllerNode | None:
        """The active controller; of several that believe to be it, the one with the highest epoch."""
        active = [node for node in self.controllers.values() if node.active and node.controller is not None]
        return max(active, key=lambda node: node.controller.claim_epoch if node.controller else -1, default=None)

    @property
    def is_stuck(self) -> bool:
        """Whether every controller is up, none leads, and none can be elected with the logs that they have.

        So it is where a leader was removed and lost before its removal was committed: with the newest log it gives its
        vote to no other controller, and by that log it is no voter itself.
        """
        nodes = {node: one.raft for node, one in self.controllers.items() if one.raft is not None}
        if (
            self.config.quorum is None
            or len(nodes) < len(self.controllers)
            or any(one.is_leader for one in nodes.values())
        ):
            return False
        logs = {node: (one.disk.log.last_epoch, one.disk.log.end_offset) for node, one in nodes.items()}
        return not any(
            one.is_voter and sum(logs[voter] <= logs[node] for voter in one.voters) >= one.majority
            for node, one in nodes.items()
        )

    def image(self) -> MetadataImage | None:
        """Return the newest metadata that any broker has, None while none is up."""
        images = [broker.run.image for broker in self.brokers.values() if broker.run is not None]
        return max(images, key=lambda image: image.offset, default=None)

    def problems(self, moved: Collection[tuple[str, int]] = ()) -> list[str]:
        """Return what is not as it must be when nothing has been wrong for a while, a sentence each.

        One controller is active and all follow it; every broker runs and is unfenced; no partition is without a leader
        while a live member of its ISR, or of its eligible leaders, could lead, but for those of which a replica was
        `moved` since they had one: AssignReplicasToDirs elects no broker that comes back.
        """
        found = [f"{process.name} is down" for process in self.processes() if not process.alive]
        active = [node for node in self.controllers.values() if node.active]
        if len(active) != 1 or active[0].controller is None:
            return [*found, f"{len(active)} controllers are active"]
        leader, newest_ms = active[0].config.node_id, _newest_ms(active[0].disk)
        for node in self.controllers.values():
            if node.raft is not None and node.raft.leader != leader:
                found.append(f"controller {node.config.node_id} does not follow {leader}, but {node.raft.leader}")
            elif node.raft is not None and _newest_ms(node.disk) < newest_ms - BEHIND_MS:
                found.append(f"controller {node.config.node_id} is {newest_ms - _newest_ms(node.disk)} ms behind")
        managers = active[0].controller.managers
        for broker_id, broker in self.brokers.items():
            registration = managers.cluster.registrations.get(broker_id)
            if registration is None and broker.run is not None and broker.run.broker_epoch >= 0:
                # An administrator unregistered it while it ran: it continues under an epoch that no controller knows
                # any more, as a broker of Kafka does until it is started again.
                continue
            if registration is None or registration.fenced:
                found.append(f"broker {broker_id} is {'not registered' if registration is None else 'fenced'}")
            if broker.state is not BrokerState.RUNNING:
                found.append(f"broker {broker_id} is {broker.state.name}")
        for (topic, number), partition in managers.replication.partitions.items():
            if partition.leader == NO_LEADER and (topic, number) not in moved:
                # An eligible leader that a reassignment took away is no replica any more, and cannot lead (D15).
                able = [
                    broker
                    for broker in partition.isr or partition.elr
                    if broker in partition.replicas
                    and managers.cluster.is_active(broker)
                    and managers.cluster.has_online_directory(broker, partition.directory(broker))
                ]
                if able:
                    name = managers.replication.topics[topic].name
                    found.append(f"{name}-{number} has no leader, and {able} could lead")
        return found


def _newest_ms(disk: RaftDisk) -> int:
    """Return the time of the last batch of a log, of its snapshot where it has no batch."""
    log = disk.log
    if log.batches:
        return log.batches[-1].timestamp_ms
    return log.latest_snapshot.last_contained_timestamp_ms if log.latest_snapshot else 0
