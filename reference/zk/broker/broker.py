"""A broker's process: it registers, runs its replicas, and takes part in controller elections beside that."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from fencepost.reference.simulator import MILLISECOND, SECOND, Network, Process
from fencepost.reference.zk import messages as m
from fencepost.reference.zk import paths
from fencepost.reference.zk.controller import Controller, EventThread, Shared
from fencepost.reference.zk.controller.channels import BrokerChannels
from fencepost.reference.zk.controller.shared import Steps
from fencepost.reference.zk.controller.store import ControllerStore
from fencepost.reference.zk.log_lines import BrokerLog
from fencepost.reference.zk.names import TopicPartition
from fencepost.reference.zk.zookeeper import Create, NodeExists, SessionExpired, SetData, ZooKeeper, ZooKeeperClient
from fencepost.traces.zk.steps import ZkStep, ZnodeWrite

from .leading import Followers, Leading, LeadingSettings
from .replica_manager import ReplicaManager

ASK_TIMEOUT_NS = 3 * SECOND
SHUTDOWN_TRIES = 3


@dataclass(frozen=True, slots=True)
class BrokerSettings:
    """Settings of a broker: its session's timeout in ms, and the times of its leaders."""

    session_timeout_ms: int = 3000
    leading: LeadingSettings = field(default_factory=LeadingSettings)


class Broker(Process):
    """A broker with its candidate for the controller; a crash loses both, a pause lets both stand still."""

    def __init__(
        self,
        id: int,
        network: Network,
        server: ZooKeeper,
        followers: Followers,
        name_of: Callable[[int], str],
        tell: Callable[[ZkStep], None],
        settings: BrokerSettings,
    ) -> None:
        super().__init__(network.simulator, name_of(id))
        self.id, self.network, self.server, self.followers = id, network, server, followers
        self.name_of, self.settings, self._tell_step = name_of, settings, tell
        self.draw = network.simulator.random(self.name)
        self.log = BrokerLog(id, lambda: server.time_ms)
        self.asleep_until_ns = 0
        self.shutting_down = False
        self.starts = 0
        self._asked = -1
        self._backlog: list[Callable[[], None]] = []
        self.client = ZooKeeperClient(
            self, server, network.faults, self.draw, writer=id, timeout_ms=settings.session_timeout_ms,
            on_watch=lambda event: self.controller.watched(event),
            on_expired=lambda: self.controller.session_expired(), asleep=lambda: self.asleep,
        )  # fmt: skip
        self.channels = BrokerChannels(
            self, network, self.log, name_of, lambda *answer: self.awake(lambda: self.controller.answered(*answer))
        )
        self.thread = EventThread(
            self,
            self.draw,
            lambda: self.asleep or not self.client.connected,
            lambda error: self.controller.failed(error),
        )
        self.shared = Shared(
            id, ControllerStore(self.client), self.channels, self.log, lambda: server.time_ms, self._tell_step
        )
        self.controller = Controller(self.shared, self.thread, self._new_session)
        self.replicas: ReplicaManager | None = None
        self.leading: Leading | None = None

    # -- telling ---------------------------------------------------------------------------------------------------
    def tell(self, name: str, outcome: str = "", **parameters: Any) -> None:
        """Tell a step of the broker itself."""
        self._told(name, outcome, parameters)

    def _told(self, name: str, outcome: str, parameters: dict[str, Any], *writes: ZnodeWrite) -> None:
        server = self.server
        self._tell_step(
            ZkStep(
                time_ms=server.time_ms, node=self.id, name=name, parameters=parameters, outcome=outcome,
                epoch=self.shared.context.epoch, zxid=server.zxid, writes=writes,
            )
        )  # fmt: skip

    # -- its life --------------------------------------------------------------------------------------------------
    @property
    def registered(self) -> bool:
        """Whether it is registered, as far as it knows."""
        return self.replicas is not None

    def started(self) -> None:
        """Come up: get a session and register, as soon as the registration of an earlier life is gone."""
        self.starts += 1
        self.tell("Start", node=self.id)
        self._begin()

    def _begin(self) -> None:
        if not self.client.connected or self.server.nodes.get(paths.broker_path(self.id)) is not None:
            self.after(100 * MILLISECOND, self._begin)
            return
        self.client.connect()
        self._make_persistent()
        self._register()
        self.controller.start()

    def _make_persistent(self) -> None:
        for path in paths.PERSISTENT:
            if self.client.exists(path) is None:
                self.client.write(Create(path))

    def _register(self) -> None:
        path, data = paths.broker_path(self.id), paths.broker_data(self.id, self.server.time_ms)
        self.client.multi(Create(path, None, ephemeral=True), SetData(path, data))
        epoch = self.server.nodes[path].czxid
        earlier, self.replicas = (
            self.replicas,
            ReplicaManager(self.id, epoch, self.log, self.tell, lambda: self.now_ns, self._read_config),
        )
        if earlier is not None:
            # Only the registration is new: the process keeps its replicas, and what it knows of controllers.
            new = self.replicas
            new.hosted, new.offline, new.live = earlier.hosted, earlier.offline, earlier.live
            new.metadata, new.controller = earlier.metadata, earlier.controller
            new.controller_epoch = earlier.controller_epoch
        self._lead(self.replicas)
        parameters = {"broker": self.id, "broker_epoch": epoch, "restarted": earlier is None}
        self._told(
            "RegisterBroker", "", parameters, ZnodeWrite(path, "create", None, 0), ZnodeWrite(path, "set", data, 1)
        )

    def _read_config(self, topic: str) -> None:
        """Read the configuration of a topic; raises SessionExpired. Who is cut off has to do with what it knows."""
        if self.client.connected:
            self.client.exists(f"/config/topics/{topic}")

    def _lead(self, replicas: ReplicaManager) -> None:
        if self.leading is not None:
            self.leading.over = True
        for hosted in replicas.hosted.values():
            if hosted.proposal is not None and not hosted.proposal.given_up:
                hosted.proposal = None
        self.leading = Leading(
            self, replicas, self.followers, self._ask_as_leader, lambda: self.asleep, self.draw, self.settings.leading
        )

    def _new_session(self) -> Steps[None]:
        """Get a new session after one that expired, and register again, on the controller's event thread."""
        self.client.connect()
        self.tell("SessionEstablished", node=self.id)
        yield
        try:
            self._register()
        except NodeExists:
            # No other broker has this id; ZooKeeper removes the old registration with the session.
            raise AssertionError(f"broker {self.id} is registered twice") from None
        yield

    def crashed(self) -> None:
        """Lose everything but the data."""
        self.client.crashed()
        self.controller.crashed()
        if self.leading is not None:
            self.leading.over = True
        self.replicas, self.leading, self.shutting_down = None, None, False
        self._backlog, self.asleep_until_ns, self._asked = [], 0, -1

    def kill(self) -> None:
        """Die at once; ZooKeeper finds out when the session's time is over."""
        if self.alive:
            epoch = self.shared.context.epoch
            self.crash()
            self._tell_step(
                ZkStep(
                    time_ms=self.server.time_ms, node=self.id, name="Crash", parameters={"node": self.id},
                    epoch=epoch, zxid=self.server.zxid,
                )
            )  # fmt: skip

    def stop(self) -> None:
        """End in order: close the session, then the process."""
        if self.alive:
            if self.client.connected:
                self.client.close()
            self.kill()

    # -- pauses ----------------------------------------------------------------------------------------------------
    @property
    def asleep(self) -> bool:
        """Whether the process is paused."""
        return self.now_ns < self.asleep_until_ns

    def pause(self, duration_ns: int) -> None:
        """Pause, as in a long garbage collection: time goes on for all other processes."""
        self.asleep_until_ns = max(self.asleep_until_ns, self.now_ns + duration_ns)
        self.after(duration_ns, self._wake)

    def _wake(self) -> None:
        if not self.asleep:
            waiting, self._backlog = self._backlog, []
            for one in waiting:
                one()

    def awake(self, action: Callable[[], None]) -> None:
        """Do something now, or when the process moves again."""
        if self.asleep:
            self._backlog.append(action)
        else:
            action()

    # -- requests --------------------------------------------------------------------------------------------------
    def serve(self, source: str, request: Any, reply: Callable[[Any], None]) -> None:
        """Take a request of a controller, or one to a controller."""
        self.awake(lambda: self._serve(request, reply))

    def _serve(self, request: Any, reply: Callable[[Any], None]) -> None:
        if not isinstance(request, m.ControlRequest):
            self.controller.serve(request, reply)
        elif self.replicas is not None:
            reply(self.replicas.handle(request))

    def _controller_now(self) -> int:
        """Return who is the controller, as far as this broker knows."""
        if self.replicas is not None and self.replicas.controller >= 0 and self.draw.random() < 0.7:
            return self.replicas.controller
        node = self.server.nodes.get(paths.CONTROLLER) if self.client.connected else None
        return -1 if node is None else int(node.data["brokerid"])

    def _ask_as_leader(
        self,
        request: m.AlterPartitionRequest,
        answered: Callable[[m.AlterPartitionResponse], None],
        silent: Callable[[], None],
    ) -> None:
        """Ask the controller that was asked last, until it says that it is none, or nothing.

        The connection outlives what the broker hears of other controllers: Kafka looks for another one only then.
        """
        if self._asked < 0:
            self._asked = self._controller_now()

        def heard(answer: m.AlterPartitionResponse) -> None:
            if "NOT_CONTROLLER" in (answer.top_error, answer.error):
                self._asked = -1
            answered(answer)

        def disconnected() -> None:
            self._asked = -1
            silent()

        self._ask(self._asked, request, heard, disconnected)

    def _ask_controller(self, request: Any, answered: Callable[[Any], None], silent: Callable[[], None]) -> None:
        self._ask(self._controller_now(), request, answered, silent)

    def _ask(self, controller: int, request: Any, answered: Callable[[Any], None], silent: Callable[[], None]) -> None:
        if controller < 0:
            self.after(ASK_TIMEOUT_NS // 10, silent)
        elif controller == self.id:
            self.controller.serve(request, lambda answer: self.awake(lambda: answered(answer)))
        else:
            self.network.call(
                self, self.name_of(controller), request, lambda answer: self.awake(lambda: answered(answer)),
                ASK_TIMEOUT_NS, silent,
            )  # fmt: skip

    # -- going down ------------------------------------------------------------------------------------------------
    def terminate(self) -> None:
        """Go down in order: have the controller move the leaderships first."""
        if self.alive and not self.shutting_down:
            self.shutting_down = True
            self._shut_down(SHUTDOWN_TRIES)

    def _shut_down(self, tries: int) -> None:
        if tries == 0 or self.replicas is None:
            self.stop()
            return

        def answered(answer: m.ControlledShutdownResponse) -> None:
            if answer.error == m.NONE and not answer.remaining:
                self.stop()
            else:
                silent()

        def silent() -> None:
            self.after(500 * MILLISECOND, lambda: self._shut_down(tries - 1))

        request = m.ControlledShutdownRequest(self.id, self.replicas.broker_epoch)
        self._ask_controller(request, answered, silent)

    # -- disks -----------------------------------------------------------------------------------------------------
    def fail_directory(self, partitions: set[TopicPartition]) -> None:
        """Lose the directory of some partitions, and say so in ZooKeeper."""
        if self.replicas is None or not self.client.connected:
            return
        data = {"version": 1, "broker": self.id, "event": 1}
        try:
            path = self.client.write(Create(f"{paths.LOG_DIR_EVENTS}/log_dir_event_", data, sequential=True))
        except SessionExpired:
            return
        self.replicas.fail_directory(partitions)
        parameters = {"broker": self.id, "partitions": sorted(map(str, partitions))}
        self._told("FailLogDirectory", "", parameters, ZnodeWrite(path, "create", data, 0))
