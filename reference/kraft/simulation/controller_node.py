"""A controller as a simulated process: its Raft node, its QuorumController, and what else its server does."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from fencepost.reference.kraft.broker.controller_channel import ControllerBelief, ControllerChannel
from fencepost.reference.kraft.controller.observer import SilentObserver
from fencepost.reference.kraft.controller.quorum_controller import QuorumController
from fencepost.reference.kraft.levels import SUPPORTED_FEATURES
from fencepost.reference.kraft.messages import (
    BrokerHeartbeatRequest,
    ControllerRegistrationRequest,
    Endpoint,
    FeatureRange,
)
from fencepost.reference.kraft.raft import CommittedBatch, LoadedSnapshot, RaftDisk, RaftNode, Voter
from fencepost.reference.kraft.records import Message
from fencepost.reference.kraft.settings import Settings
from fencepost.reference.kraft.storage.uuids import random_uuid
from fencepost.reference.simulator import MILLISECOND, SECOND, Network, Process, Simulator

from .controller_registration import ControllerRegistrationManager
from .snapshot_generator import SnapshotGenerator
from .voters import ChangeVoters

CONNECTION_NS = 2 * SECOND
"""When a controller that asks another notices that its connection is broken."""

FEATURES = tuple(FeatureRange(name, *levels) for name, levels in sorted(SUPPORTED_FEATURES.items()))


@dataclass(frozen=True, kw_only=True)
class ControllerConfig:
    """Identity of a controller: its id, its cluster, the first voters, and the records of its formatted directory.

    `others` are the controllers that may become voters; with `auto_join` it does so by itself.
    """

    node_id: int
    cluster_id: str
    voters: tuple[Voter, ...]
    settings: Settings
    name_of: Callable[[int], str]
    bootstrap: tuple[Message, ...]
    dynamic: bool = True
    others: tuple[Voter, ...] = ()
    auto_join: bool = False


class ControllerNode(Process):
    """A controller that may crash: each start makes a new Raft node and a new controller over the same disk.

    `on_fatal` receives fatal faults; the process has crashed by then. `on_role` is called at each change of
    the Raft node's role.
    """

    controller_class: type[QuorumController] = QuorumController

    def __init__(
        self,
        simulator: Simulator,
        network: Network,
        config: ControllerConfig,
        observer: SilentObserver,
        on_fatal: Callable[[ControllerNode, Exception], None],
        on_role: Callable[[RaftNode], None] = lambda node: None,
    ) -> None:
        super().__init__(simulator, config.name_of(config.node_id))
        self.network, self.config, self.observer = network, config, observer
        self.disk = RaftDisk()
        self.raft: RaftNode | None = None
        self.controller: QuorumController | None = None
        self.starts = 0
        self._on_fatal, self._on_role = on_fatal, on_role
        self._registration: ControllerRegistrationManager | None = None
        self._snapshots: SnapshotGenerator | None = None
        self._random = simulator.random(f"controller {config.node_id}")

    @property
    def active(self) -> bool:
        """Whether the controller is up and believes that it is the active one."""
        return self.alive and self.controller is not None and self.controller.active

    def started(self) -> None:
        """Begin with what is on disk."""
        config = self.config
        self.starts += 1
        self.raft = raft = RaftNode(
            self, self.network, config.node_id, config.voters, config.settings, self.disk,
            dynamic=config.dynamic, on_role=self._on_role, on_commit=self.observer.high_watermark,
            others=config.others, auto_join=config.auto_join, on_log=self.observer.log_changed,
            on_ask=self.observer.asked_to_vote, on_change=self.observer.voters_changed,
        )  # fmt: skip
        self.controller = controller = self.controller_class(
            config.node_id, config.cluster_id, config.settings, raft, self, self._random, config.bootstrap,
            () if config.dynamic else [voter.id for voter in config.voters], self.observer, self._fatal,
            kraft_version=raft,
        )  # fmt: skip
        self._snapshots = SnapshotGenerator(controller, raft, self.after)
        self._registration = self._new_registration(raft)
        raft.register(self)
        raft.start()

    def _new_registration(self, raft: RaftNode) -> ControllerRegistrationManager:
        config = self.config
        mine = raft.known[config.node_id]
        request = ControllerRegistrationRequest(
            controller_id=config.node_id,
            incarnation_id=random_uuid(self._random),
            listeners=(Endpoint("CONTROLLER", mine.host, mine.port),),
            features=FEATURES,
        )
        controllers = [one.id for one in (*config.voters, *config.others)]
        belief = ControllerBelief(controllers, lambda: raft.leader if raft.leader >= 0 else None)
        return ControllerRegistrationManager(
            request, ControllerChannel(self, belief, config.name_of, CONNECTION_NS), self.after
        )

    def crashed(self) -> None:
        """Forget what was in memory."""
        if self.controller is not None:
            self.observer.process_ended(self.controller)
        self.raft = self.controller = self._registration = self._snapshots = None

    def _fatal(self, exception: Exception) -> None:
        self.crash()
        self._on_fatal(self, exception)

    # -- the network -----------------------------------------------------------------------------------------------
    def receive(self, source: str, payload: Any) -> None:
        """Take a message of another Raft node."""
        if self.raft is not None:
            self.raft.receive(source, payload)

    def serve(self, source: str, request: Any, reply: Callable[[Any], None]) -> None:
        """Take a request for the controller, or for its Raft node."""
        if isinstance(request, ChangeVoters):
            if self.raft is not None:
                reply(self.raft.change_voters(request.what, request.controller))
        elif self.controller is not None:
            self.controller.submit(request, reply, self._deadline_ns(request))

    def call(
        self,
        target: str,
        request: Any,
        on_answer: Callable[[Any], None],
        timeout_ns: int,
        on_timeout: Callable[[], None],
    ) -> None:
        """Ask another process, or this one."""
        self.network.call(self, target, request, on_answer, timeout_ns, on_timeout)

    def _deadline_ns(self, request: Any) -> int:
        """Until when a request may wait in the queue: heartbeats half their interval, all others request.timeout.ms."""
        settings = self.config.settings
        if isinstance(request, BrokerHeartbeatRequest):
            return self.now_ns + settings.broker_heartbeat_interval_ms * MILLISECOND // 2
        return self.now_ns + settings.request_timeout_ms * MILLISECOND

    # -- Raft ------------------------------------------------------------------------------------------------------
    def handle_commit(self, batches: Sequence[CommittedBatch]) -> None:
        """Hand committed batches to all that are interested."""
        if self.controller is not None and self._registration is not None and self._snapshots is not None:
            self.controller.handle_commit(batches)
            self._registration.committed(record for batch in batches for record in batch.records)
            self._snapshots.committed(batches)

    def handle_load_snapshot(self, snapshot: LoadedSnapshot) -> None:
        """Hand on a snapshot."""
        if self.controller is not None and self._registration is not None and self._snapshots is not None:
            self.controller.handle_load_snapshot(snapshot)
            self._registration.loaded(snapshot.records)
            self._snapshots.loaded()

    def handle_leader_change(self, leader: int | None, epoch: int) -> None:
        """Hand on who leads."""
        if self.controller is not None:
            self.controller.handle_leader_change(leader, epoch)
