"""One run of a broker, from its start to its end: everything that it has in memory."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from fencepost.reference.kraft.levels import DIRECTORIES, METADATA_VERSION
from fencepost.reference.simulator import MILLISECOND, SECOND, Timer

from .alter_partition import AlterPartitionManager
from .controller_channel import ControllerBelief, ControllerChannel
from .directory_assignments import AssignmentsManager
from .diskless import SealProposer
from .image import MetadataImage
from .lifecycle import BrokerLifecycleManager, BrokerState
from .loader import MetadataLoader
from .replica_manager import ReplicaManager
from .replication_messages import FetchRequest, FetchResponse, PartitionKey, ProduceRequest

if TYPE_CHECKING:
    from .broker import Broker


CONNECTION_NS = 2 * SECOND
"""When a broken connection shows. The network loses single messages, TCP does not: so silence is not waited out for
Kafka's 30 seconds (`controller.socket.timeout.ms`, `replica.socket.timeout.ms`)."""

SHUTDOWN_LIMIT_NS = 300 * SECOND
"""How long a controlled shutdown may take before the broker shuts down without the controller's consent."""


class BrokerRun:
    """A broker while it is up: its life, its image of the metadata, its replicas, its lines to the controller."""

    replicas_class: type[ReplicaManager] = ReplicaManager

    def __init__(self, broker: Broker, incarnation_id: str, previous_broker_epoch: int) -> None:
        config = broker.config
        self.broker, self.settings, self.disk = broker, config.settings, broker.disk
        self.broker_id, self.retained_entries = config.broker_id, config.retained_entries
        self.clean_start = previous_broker_epoch >= 0
        self.loader = MetadataLoader(self._published, self.settings.repaired)
        self._applying = False
        self._serving = False
        belief = ControllerBelief(config.controllers, lambda: self.loader.leader)

        def channel(timeout_ns: int, retry_ns: int | None = None) -> ControllerChannel:
            return ControllerChannel(self, belief, config.name_of, timeout_ns, retry_ns)

        half_session = self.settings.broker_session_timeout_ms * MILLISECOND // 2
        # A request that is retried for longer than the session would get live brokers fenced at a failover.
        heartbeats = channel(min(half_session, CONNECTION_NS), half_session)
        self.requests = channel(CONNECTION_NS)
        self.lifecycle = BrokerLifecycleManager(
            self,
            heartbeats,
            self.settings,
            broker_id=self.broker_id,
            cluster_id=config.cluster_id,
            incarnation_id=incarnation_id,
            listeners=config.listeners,
            features=config.features,
            rack=config.rack,
            directories=self.disk.ids(),
            previous_broker_epoch=previous_broker_epoch,
        )
        alter_partitions = AlterPartitionManager(
            self.broker_id, lambda: self.lifecycle.broker_epoch, channel(CONNECTION_NS), self.after
        )
        self.replicas = self.replicas_class(self, alter_partitions, broker.observer)
        self.seals = SealProposer(self, self.replicas.partitions)
        self.assignments = AssignmentsManager(self, channel(CONNECTION_NS).send)

    def start(self) -> None:
        """Register, and begin what is done from time to time."""
        self._tell_state(self.lifecycle.start)
        self.replicas.start()

    # -- what the parts need ---------------------------------------------------------------------------------------
    @property
    def now_ns(self) -> int:
        """The time."""
        return self.broker.simulator.now_ns

    @property
    def broker_epoch(self) -> int:
        """The epoch of the broker's registration, −1 before there is one."""
        return self.lifecycle.broker_epoch

    @property
    def image(self) -> MetadataImage:
        """The metadata that the broker has."""
        return self.loader.image

    @property
    def in_controlled_shutdown(self) -> bool:
        """Whether the broker has asked for its shutdown."""
        return self.lifecycle.state is BrokerState.PENDING_CONTROLLED_SHUTDOWN

    def after(self, delay_ns: int, callback: Callable[[], None]) -> Timer:
        """Run something later, unless the broker is gone by then."""
        return self.broker.after(delay_ns, callback)

    def call(
        self,
        target: str,
        request: Any,
        on_answer: Callable[[Any], None],
        timeout_ns: int,
        on_timeout: Callable[[], None],
    ) -> None:
        """Ask another process."""
        self.broker.network.call(self.broker, target, request, on_answer, timeout_ns, on_timeout)

    def send_fetch(
        self,
        leader: int,
        request: FetchRequest,
        on_answer: Callable[[FetchResponse], None],
        on_failure: Callable[[], None],
    ) -> None:
        """Send a fetch to a broker."""
        name = self.broker.config.name_of(leader)
        self.call(name, request, on_answer, request.max_wait_ns + CONNECTION_NS, on_failure)

    def assign_directory(self, key: PartitionKey, directory: str) -> None:
        """Tell the controller in which directory a replica is."""
        self.assignments.assign(key, directory)

    # -- requests of others ----------------------------------------------------------------------------------------
    def serve(self, request: Any, reply: Callable[[Any], None]) -> bool:
        """Take a request of a follower or a producer; False for any other."""
        if not isinstance(request, FetchRequest | ProduceRequest):
            return False
        if not self._serving:
            # The ports are not open before the broker has caught up: a caller gets no connection.
            return True
        if isinstance(request, FetchRequest):
            self.replicas.fetches.fetch(request, reply)
        else:
            self.replicas.produces.produce(request, reply)
        return True

    # -- metadata --------------------------------------------------------------------------------------------------
    def _published(self) -> None:
        """Apply what has changed, from the time on when the broker's own registration is in its image and answered.

        Kafka begins when the image has reached the high watermark of the log and a heartbeat was answered so. Either
        way
        nothing is applied that may be long past, not the leaderships of the broker's former life, not a cluster without
        its topics; and no fetch goes out without the broker epoch (KIP-903).
        """
        if not self._applying:
            mine = self.image.brokers.get(self.broker_id)
            if self.broker_epoch < 0 or mine is None or mine.incarnation_id != self.lifecycle.incarnation_id:
                return
            self._applying = True
            delta = self.image.take_everything()
        else:
            delta = self.image.take_delta()
        if not delta:
            return
        if len(self.disk.directories) > 1 and 0 < self.image.metadata_version < DIRECTORIES:
            # Kafka's MetadataVersionConfigValidator: a cluster must know of directories before a broker has several.
            self.halt()
            return
        self.replicas.apply(delta)
        self.seals.propose()
        if METADATA_VERSION in delta.features or self.broker_id in delta.brokers:
            self._maybe_register_again()

    def _maybe_register_again(self) -> None:
        """Register again where the registration was made before there were directories (metadata.version 3.7-IV2)."""
        mine = self.image.brokers.get(self.broker_id)
        if mine is None or mine.incarnation_id != self.lifecycle.incarnation_id:
            return
        if self.image.metadata_version >= DIRECTORIES and not mine.directories:
            self.lifecycle.resend_registration()

    # -- the broker's life -----------------------------------------------------------------------------------------
    def _tell_state(self, change: Callable[[], None]) -> None:
        before = self.lifecycle.state
        change()
        if self.lifecycle.state is not before and self.broker.run is self:
            self.broker.observer.state_changed(self.broker, self.lifecycle.state)

    def applied_offset(self) -> int:
        """Return the offset of the last metadata record that was applied, −1 for none."""
        return self.loader.image.offset

    def metadata_version(self) -> int:
        """Return the level of metadata.version as the broker knows it."""
        return self.loader.image.metadata_version

    def cordoned_directories(self) -> tuple[str, ...]:
        """Return the ids of the directories that get no new replicas."""
        return tuple(directory for directory in self.disk.ids() if directory in self.broker.cordoned)

    def caught_up(self) -> None:
        """Begin to apply what is not applied yet, recover the logs, then want to be unfenced."""
        self._published()
        self.broker.observer.state_changed(self.broker, BrokerState.RECOVERY)
        delay = self.broker.log_recovery_ns(clean=self.clean_start)
        self.after(delay, self._ready)
        self.assignments.resume()

    def _ready(self) -> None:
        self._serving = True
        self.lifecycle.set_ready_to_unfence()

    def unfenced(self) -> None:
        """Tell that the broker runs."""
        self.broker.observer.state_changed(self.broker, BrokerState.RUNNING)

    def terminate(self) -> None:
        """Begin a controlled shutdown, with a limit to its time."""
        self._tell_state(self.lifecycle.begin_controlled_shutdown)
        self.after(SHUTDOWN_LIMIT_NS, self.lifecycle.begin_shutdown)

    def shut_down(self) -> None:
        """End the broker in order."""
        self.broker.observer.state_changed(self.broker, BrokerState.SHUTTING_DOWN)
        self.broker.shut_down(self.lifecycle.broker_epoch)

    def halt(self) -> None:
        """End the broker at once."""
        self.broker.halted()

    def directory_failed(self, directory: str) -> None:
        """Give up what lies in a directory, and tell the controller; without any directory the broker halts."""
        if not self.disk.online():
            self.halt()
            return
        self.replicas.directory_failed(directory)
        self.lifecycle.propagate_directory_failure(directory)
