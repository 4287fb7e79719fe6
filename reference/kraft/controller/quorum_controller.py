"""The controller: one thread that turns requests into records, and applies records to memory (S3:7-19).

Follow a heartbeat: `submit` hands it to `process_broker_heartbeat`, which notes the contact at once and puts a
`WriteEvent` into the queue. Its turn comes in `WriteEvent.run`: `ReplicationControlManager.process_heartbeat` computes
records, Raft prepares them, `replay` applies them, and the answer is parked. When Raft calls `handle_commit` the stable
offset moves and the answer leaves.
"""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from fencepost.reference.kraft import messages as m
from fencepost.reference.kraft.errors import ApiError, Errors, ReplayError
from fencepost.reference.kraft.raft.client import CommittedBatch, LoadedSnapshot, RaftClient
from fencepost.reference.kraft.records import Message
from fencepost.reference.kraft.results import ControllerResult
from fencepost.reference.kraft.settings import Settings
from fencepost.reference.timeline import SnapshotRegistry

from .activation import activation_records
from .deferred_events import DeferredEventQueue
from .event_queue import EventQueue, Scheduler
from .features import KRaftVersionAccessor
from .managers import Managers, Operation
from .metrics import QuorumControllerMetrics
from .observer import SilentObserver
from .offset_control import OffsetControlManager
from .periodic_tasks import MILLISECOND, PeriodicTask, PeriodicTaskControlManager
from .write_event import WriteEvent

INACTIVE = -1
"""The claim epoch of a controller that is not active."""

Done = Callable[[Any], None]


class QuorumController:
    """One node's controller, active or standby.

    `bootstrap` are the records of the formatted directory, `voters` the ids in controller.quorum.voters. `on_fatal` is
    called when a record cannot be replayed: the process must end. `kraft_version` is its level, or who knows it. Times
    are nanoseconds of the scheduler's clock.
    """

    def __init__(
        self,
        node_id: int,
        cluster_id: str,
        settings: Settings,
        raft: RaftClient,
        scheduler: Scheduler,
        randomness: random.Random,
        bootstrap: Sequence[Message],
        voters: Sequence[int],
        observer: SilentObserver | None = None,
        on_fatal: Callable[[Exception], None] | None = None,
        kraft_version: KRaftVersionAccessor | int = 0,
    ) -> None:
        self.node_id, self.settings, self.raft, self.scheduler = node_id, settings, raft, scheduler
        self.bootstrap, self.voters = tuple(bootstrap), tuple(voters)
        self.observer = observer or SilentObserver()
        self.on_fatal = on_fatal
        self.metrics = QuorumControllerMetrics()
        self.queue = EventQueue(scheduler)
        self.registry = SnapshotRegistry()
        self.offsets = OffsetControlManager(self.registry, settings.repaired)
        self.managers = Managers(self.registry, cluster_id, settings, randomness, self.voters, node_id, kraft_version)
        tokens = self.managers.security.tokens
        tokens.published = lambda: self.offsets.last_stable_offset
        tokens.now_ms = lambda: scheduler.now_ns // MILLISECOND
        self.purgatory = DeferredEventQueue()
        self.periodic = PeriodicTaskControlManager(self)
        self.claim_epoch = INACTIVE
        self.leader: int | None = None
        self.dead = False
        # Counts how often Raft was asked to deliver again: what it had delivered before is dropped.
        self.deliveries = 0
        self.running: WriteEvent | None = None
        self.operations: dict[type, tuple[str, Operation]] = {
            m.BrokerRegistrationRequest: ("registerBroker", self._register_broker),
            **self.managers.operations(),
        }
        self._register_tasks()

    @property
    def active(self) -> bool:
        """Whether this controller is the one that writes, as far as it knows."""
        return self.claim_epoch != INACTIVE

    def wrong_controller_message(self) -> str:
        """Say who is the active controller instead."""
        return f"the active controller is {'not known' if self.leader is None else self.leader}"

    # -- requests --------------------------------------------------------------------------------------------------
    def submit(self, request: m.Request, done: Done, deadline_ns: int | None = None) -> None:
        """Take a request; `done` gets its response, or an ApiError, when what it wrote is stable.

        A request that still waits in the queue at its deadline is not run. A heartbeat goes its own way.
        """
        if isinstance(request, m.BrokerHeartbeatRequest):
            self.process_broker_heartbeat(request, done, deadline_ns)
            return
        name, operation = self.operations[type(request)]
        self._write(name, lambda: operation(request), deadline_ns, request=request, done=done)

    def process_broker_heartbeat(
        self, request: m.BrokerHeartbeatRequest, done: Done, deadline_ns: int | None = None
    ) -> None:
        """Take a heartbeat: the contact counts from now on, however long the queue is (S3:232-236)."""
        cluster, replication = self.managers.cluster, self.managers.replication
        now = self.scheduler.now_ns
        if self.active and cluster.track(request.broker_id, request.broker_epoch, now):
            self.observer.contact(self, request.broker_id, request.broker_epoch, now)

        def generate() -> ControllerResult[m.BrokerHeartbeatResponse]:
            return replication.process_heartbeat(request, cluster.registration_offsets.get(request.broker_id))

        def batch_end(response: m.BrokerHeartbeatResponse, offset: int) -> None:
            # Other brokers must have seen the leaders move before this one may go.
            if response.in_controlled_shutdown:
                cluster.active_heartbeats().begin_controlled_shutdown(request.broker_id, offset)

        def expired() -> None:
            self.metrics.timed_out_broker_heartbeats += 1
            if self.active:
                # What Kafka's callback throws is lost: the answer is REQUEST_TIMED_OUT, also for a stale epoch.
                with suppress(ApiError):
                    replication.process_expired_heartbeat(request)

        self._write(
            "processBrokerHeartbeat", generate, deadline_ns, request=request, done=done, batch_end=batch_end,
            expired=expired,
        )  # fmt: skip

    def _register_broker(self, request: m.BrokerRegistrationRequest) -> ControllerResult[m.BrokerRegistrationResponse]:
        """Register a broker: its epoch is the offset of the first record that this writes."""
        managers, epoch = self.managers, self.offsets.next_write_offset
        return managers.cluster.register(request, epoch, self.scheduler.now_ns, managers.replication.cleanup)

    def _write(self, name: str, generate: Any, deadline_ns: int | None, **more: Any) -> None:
        event = WriteEvent(self, name, generate, **more)
        if event.request is not None:
            self.observer.request_queued(self, event)
        self.queue.append(event, deadline_ns)

    # -- what Raft says --------------------------------------------------------------------------------------------
    def handle_commit(self, batches: Sequence[CommittedBatch]) -> None:
        """Learn that batches are committed; the active controller has replayed them already."""
        told = self.deliveries
        self.queue.append(
            RaftEvent(self, lambda: self._committed(batches) if told == self.deliveries else None, batches)
        )

    def handle_load_snapshot(self, snapshot: LoadedSnapshot) -> None:
        """Replace all state by a snapshot of the log; fatal for an active controller."""
        told = self.deliveries
        self.queue.append(RaftEvent(self, lambda: self._load(snapshot) if told == self.deliveries else None))

    def handle_leader_change(self, leader: int | None, epoch: int) -> None:
        """Handle the log's leader from an epoch on, None if there is none yet."""
        self.queue.append(RaftEvent(self, lambda: self._leader_changed(leader, epoch)))

    def _committed(self, batches: Sequence[CommittedBatch]) -> None:
        was_active = self.active
        for whole in batches:
            batch = self._not_yet_committed(whole)
            if not batch.records:
                # A control batch is Raft's own: the offsets of the state machine stay where they are.
                continue
            if not was_active:
                self.replay_all(batch.records, batch.base_offset, batch.epoch)
                if self.dead:
                    return
                self.observer.replayed(self, batch.base_offset, batch.records)
            self.offsets.handle_commit_batch(batch.last_offset, batch.epoch)
            if was_active:
                self.purgatory.complete_up_to(self.offsets.last_stable_offset)
            self.observer.batch_committed(self, batch)

    def _not_yet_committed(self, batch: CommittedBatch) -> CommittedBatch:
        """Return what is new in a batch: one that is delivered again may begin before the stable offset."""
        known = self.offsets.last_committed_offset + 1 - batch.base_offset
        if "D1" not in self.settings.repaired or known <= 0:
            return batch
        return dataclasses.replace(batch, base_offset=batch.base_offset + known, records=batch.records[known:])

    def _load(self, snapshot: LoadedSnapshot) -> None:
        if self.active:
            self._fatal(ReplayError(f"asked to load a snapshot at {snapshot.end_offset} while active"))
            return
        self.offsets.begin_load_snapshot(snapshot.end_offset)
        for message in snapshot.records:
            try:
                self.managers.replay(message, snapshot.end_offset - 1)
            except Exception as exception:
                self._fatal(exception)
                return
        self.offsets.end_load_snapshot(snapshot.epoch)
        self.observer.loaded(self, snapshot.end_offset, snapshot.records)
        self.observer.snapshot_loaded(self, snapshot.end_offset)

    def _leader_changed(self, leader: int | None, epoch: int) -> None:
        self._follow(leader, epoch)
        if not self.dead:
            self.observer.leader_changed(self, leader, epoch)

    def _follow(self, leader: int | None, epoch: int) -> None:
        self.leader = leader
        if leader == self.node_id and not self.active:
            self._claim(epoch)
        elif leader == self.node_id:
            # Elected again before it heard that it was not: what is in memory is its own log still.
            self.claim_epoch = epoch
        elif self.active:
            self.renounce()

    # -- active and standby ----------------------------------------------------------------------------------------
    def _claim(self, epoch: int) -> None:
        """Become active: what the log has is what is in memory, so the only thing to do is to begin to write."""
        self.claim_epoch = epoch
        self.metrics.new_active_controllers += 1
        self.offsets.activate(self.raft.log_end_offset())
        self.managers.cluster.activate(self.scheduler.now_ns, self.offsets.next_write_offset - 1)
        self.observer.claimed(self)
        # Before whatever clients have put into the queue.
        self.queue.prepend(
            WriteEvent(
                self, "completeActivation", self._activation, batch_end=self._activated, done=self._check_activated
            )
        )

    def _activation(self) -> ControllerResult[None]:
        return activation_records(
            transaction_start_offset=self.offsets.transaction_start_offset,
            bootstrap=self.bootstrap,
            metadata_version=self.managers.features.metadata_version,
            min_insync_replicas=self.settings.min_insync_replicas,
            repaired=self.settings.repaired,
        )

    def _activated(self, response: None, offset: int) -> None:
        # Only now: the tasks are to see the metadata.version that the activation may have written.
        self.periodic.activate()

    def _check_activated(self, answer: Any) -> None:
        if isinstance(answer, ApiError) and answer.error is Errors.UNKNOWN_SERVER_ERROR:
            self._fatal(answer)

    def renounce(self) -> None:
        """Become standby: waiting requests are answered NOT_CONTROLLER, and uncommitted state is reverted."""
        self.raft.resign(self.claim_epoch)
        self.claim_epoch = INACTIVE
        self.purgatory.fail_all(ApiError(Errors.NOT_CONTROLLER, self.wrong_controller_message()))
        committed = self.offsets.last_committed_offset
        try:
            self.offsets.deactivate()
        except RuntimeError as error:
            self._fatal(error)
            return
        self.managers.cluster.deactivate()
        self.periodic.deactivate()
        if self.offsets.last_committed_offset < committed:
            self.deliveries += 1
            self.raft.deliver_again(self.offsets.last_committed_offset + 1)
        self.observer.renounced(self)

    # -- replay ----------------------------------------------------------------------------------------------------
    def replay_all(self, records: Sequence[Message], base_offset: int, epoch: int) -> None:
        """Apply a batch of an epoch: what is committed, or what this controller is about to replicate."""
        for offset, message in enumerate(records, base_offset):
            try:
                self.replay(message, offset)
            except Exception as exception:
                self._fatal(exception)
                return
            self.observer.record_applied(self, message, offset, epoch)

    def replay(self, message: Message, offset: int) -> None:
        """Apply one record to memory: the only way in which hard state changes (S3:181-194)."""
        match message.type:
            case "BEGIN_TRANSACTION_RECORD":
                self.offsets.replay_begin(offset)
            case "END_TRANSACTION_RECORD":
                self.offsets.replay_end(offset)
            case "ABORT_TRANSACTION_RECORD":
                self.offsets.replay_abort(offset)
            case _:
                self.managers.replay(message, offset)

    def _fatal(self, exception: Exception) -> None:
        """End the process: memory and log would differ (S3:122)."""
        self.dead = True
        self.queue.close()
        if self.on_fatal is not None:
            self.on_fatal(exception)

    # -- tasks -----------------------------------------------------------------------------------------------------
    def _register_tasks(self) -> None:
        settings, replication = self.settings, self.managers.replication
        timeout = settings.broker_session_timeout_ms * MILLISECOND

        def fence() -> ControllerResult[bool]:
            return replication.maybe_fence_stale_broker(self.scheduler.now_ns)

        # Eight looks in a timeout: a silent broker is fenced within nine eighths of it (S3:248).
        tasks = [PeriodicTask("maybeFenceStaleBroker", fence, timeout // 8)]
        if settings.auto_leader_rebalance_enable:
            period = settings.leader_imbalance_check_interval_seconds * 1000 * MILLISECOND
            tasks.append(PeriodicTask("electPreferred", replication.maybe_balance_partition_leaders, period))
        period = settings.unclean_leader_election_interval_ms * MILLISECOND
        tasks.append(PeriodicTask("electUnclean", replication.maybe_elect_unclean_leaders, period))
        period = settings.delegation_token_expiry_check_interval_ms * MILLISECOND
        tasks.append(PeriodicTask("expireDelegationTokens", self.managers.security.tokens.sweep, period))
        if settings.metadata_max_idle_interval_ms:
            period = settings.metadata_max_idle_interval_ms * MILLISECOND
            tasks.append(PeriodicTask("writeNoOpRecord", _no_op, period))
        for task in tasks:
            self.periodic.register(task)

    def schedule_task(self, task: PeriodicTask, delay_ns: int) -> None:
        """Run a periodic task later, as a write operation like any other."""
        event = WriteEvent(self, task.name, lambda: self.periodic.run(task), task=True)
        event.arrived_ns += delay_ns
        self.queue.schedule_deferred(task.name, self.scheduler.now_ns + delay_ns, event)

    def cancel_task(self, name: str) -> None:
        """Run a periodic task no longer."""
        self.queue.cancel_deferred(name)


def _no_op() -> ControllerResult[bool]:
    return ControllerResult((Message("NO_OP_RECORD", 0, {}),), False)


class RaftEvent:
    """Something that Raft said, in the queue; with the batches, where it said that they are committed."""

    def __init__(
        self, controller: QuorumController, action: Callable[[], None], batches: Sequence[CommittedBatch] = ()
    ) -> None:
        self.controller, self.action, self.batches = controller, action, batches

    def run(self) -> None:
        """Do it, unless the process has ended."""
        if not self.controller.dead:
            self.action()

    def time_out(self) -> None:
        """Never happens: what Raft says has no deadline."""
