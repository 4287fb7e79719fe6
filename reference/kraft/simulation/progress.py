"""Progress that a run must make, each within a bound: requests leave the queue, silent brokers are fenced.

A run is looked at once in a second of its clock. Something is *due* from the look that first finds it until it is done.
Time in which a fault is under way does not count where the promise is about a cluster without faults: that is what
"after the last fault" means, and a stretch without faults in the middle of a run is as good as the one at its end. What
is not done within its bound is a violation by the id that the tables have for it. What ceases to be due without being
done, because the controller in question is gone, counts for nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, field

from fencepost.reference.kraft.controller.observer import Operation, SilentObserver
from fencepost.reference.kraft.controller.partitions import PartitionRegistration
from fencepost.reference.kraft.controller.periodic_tasks import AFTER_ERROR_NS, MILLISECOND
from fencepost.reference.kraft.controller.quorum_controller import QuorumController
from fencepost.reference.kraft.controller.write_event import WriteEvent
from fencepost.reference.kraft.errors import ApiError
from fencepost.reference.kraft.records import NO_LEADER
from fencepost.reference.simulator import SECOND

from .cluster import Cluster
from .watch import Watch

ACTIVATION = "completeActivation"
ASSIGNMENT = "assignReplicasToDirs"
FENCES, BALANCES = "maybeFenceStaleBroker", "electPreferred"
"""The tasks without which a silent broker is not fenced, and a preferred replica does not lead."""


@dataclass(frozen=True, slots=True)
class Promise:
    """A promise of progress: the id that the tables have, the bound, and whether it needs a cluster without faults.

    One that does not is a promise of a controller that goes on being active and is not kept busy.
    """

    id: str
    bound_s: float
    about: str
    calm: bool = False


PROMISES: dict[str, Promise] = {
    one.id: one
    for one in (
        Promise("QV1", 5, "a request leaves the queue"),
        Promise("QV2", 10, "who waits in the purgatory is answered", calm=True),
        Promise("QV3", 5, "an activation that was begun ends"),
        Promise("QV4", 20, "a transaction that was left open is closed by the next controller (L13)", calm=True),
        Promise("QW12", 5, "a periodic task that is scheduled runs when it is due"),
        Promise("QK1", 20, "a controller is active where the former one is none any more", calm=True),
        Promise("K10", 2, "a broker silent for 9/8 of its session is fenced"),
        Promise("K12", 20, "a controlled shutdown ends where the broker leads nothing", calm=True),
        Promise("P22", 20, "a partition has a leader where a member of its ISR could lead", calm=True),
        Promise("P23", 40, "a reassignment whose targets are live completes", calm=True),
        Promise("P24", 5, "a preferred replica that is in sync leads, one period of balancing later"),
    )
}
"""All that is watched. K10 and P24 have the session or the period on top of their bounds."""


@dataclass(slots=True)
class _Due:
    """Something that is to come to pass: what to say of it, whether it has, and since when time counts against it.

    `extra_ns` is what the promise's bound has on top.
    """

    text: str
    done: Callable[[], bool]
    extra_ns: int = 0
    since_ns: int = 0
    told: bool = False


Key = tuple[str, Hashable]


@dataclass
class Progress(SilentObserver):
    """Watches that things come to pass; `applied` counts by promise what did, or was found not to.

    `moved` are partitions without a leader of which a replica was said to lie elsewhere since they had one.
    """

    watch: Watch
    applied: Counter[str] = field(default_factory=Counter)
    moved: set[tuple[str, int]] = field(default_factory=set)
    _due: dict[Key, _Due] = field(default_factory=dict)
    _queued: dict[tuple[int, int], tuple[WriteEvent, int]] = field(default_factory=dict)
    _parked: dict[tuple[int, int], tuple[WriteEvent, int]] = field(default_factory=dict)
    _activating: dict[int, tuple[int, int]] = field(default_factory=dict)
    _contacts: dict[tuple[int, int], int] = field(default_factory=dict)
    _claimed_ns: dict[int, int] = field(default_factory=dict)
    _ran: dict[tuple[int, str], tuple[int, bool]] = field(default_factory=dict)
    _threw: dict[tuple[int, str], bool] = field(default_factory=dict)
    _idle_since: dict[int, int] = field(default_factory=dict)
    _leaderless: frozenset[tuple[str, int]] = frozenset()
    _calm_since: int = 0

    # -- what controllers tell -------------------------------------------------------------------------------------
    def request_queued(self, controller: QuorumController, event: WriteEvent) -> None:
        """A request is to leave the queue from now on."""
        self._queued[controller.node_id, id(event)] = event, controller.scheduler.now_ns

    def turned(self, controller: QuorumController, event: WriteEvent, expired: bool) -> None:
        """A request has left the queue, a task or the activation ran."""
        node, now = controller.node_id, controller.scheduler.now_ns
        if self._queued.pop((node, id(event)), None) is not None:
            self.applied["QV1"] += 1
            pending = controller.purgatory.pending
            if pending and pending[-1][1] is event:
                self._parked[node, id(event)] = event, now
        elif event.task:
            self._ran[node, event.name] = now, self._threw.pop((node, event.name), False)
            self.applied["QW12"] += 1
        elif event.name == ACTIVATION and self._activating.pop(node, None) is not None:
            self.applied["QV3"] += 1
            for name in controller.periodic.tasks:
                self._ran[node, name] = now, False

    def operation(self, operation: Operation, controller: QuorumController) -> None:
        """A task that threw runs again much later; where a replica is said to lie elsewhere, nothing elects."""
        if operation.fault:
            self._threw[operation.node, operation.name] = True
        if operation.name == ASSIGNMENT:
            self.moved |= {(data["topicId"], data["partitionId"]) for _, _, data in operation.records}

    def future_completed(self, controller: QuorumController, event: WriteEvent, error: ApiError | None) -> None:
        """A waiting request is answered."""
        if self._parked.pop((controller.node_id, id(event)), None) is not None:
            self.applied["QV2"] += 1

    def contact(self, controller: QuorumController, broker_id: int, broker_epoch: int, now_ns: int) -> None:
        """A broker is not silent."""
        self._contacts[controller.node_id, broker_id] = now_ns

    def claimed(self, controller: QuorumController) -> None:
        """An activation is begun, and every broker counts as heard of."""
        node, now = controller.node_id, controller.scheduler.now_ns
        self._forget(node)
        self._claimed_ns[node] = now
        self._activating[node] = controller.claim_epoch, now

    def renounced(self, controller: QuorumController) -> None:
        """Nothing is expected any more of the controller as the active one; who was in its queue still is."""
        self._forget(controller.node_id)

    def process_ended(self, controller: QuorumController) -> None:
        """Nothing is expected any more of the process."""
        node = controller.node_id
        self._forget(node)
        for waiting in (self._queued, self._parked):
            for key in [key for key in waiting if key[0] == node]:
                del waiting[key]

    def _forget(self, node: int) -> None:
        self._activating.pop(node, None)
        self._claimed_ns.pop(node, None)
        self._contacts = {key: at for key, at in self._contacts.items() if key[0] != node}
        self._ran = {key: ran for key, ran in self._ran.items() if key[0] != node}
        self._threw = {key: threw for key, threw in self._threw.items() if key[0] != node}

    # -- the look --------------------------------------------------------------------------------------------------
    def look(self, cluster: Cluster, faults_under_way: bool) -> None:
        """See what is due, what was done since the last look, and what has been due for too long."""
        now = cluster.now_ns
        if faults_under_way or not all(process.alive for process in cluster.processes()):
            self._calm_since = now
        for number, node in cluster.controllers.items():
            if node.controller is not None and node.controller.queue.processing_ns:
                self._idle_since[number] = now
        found = {(promise, key): (node, due) for promise, key, node, due in self._all(cluster)}
        for known, due in list(self._due.items()):
            if known not in found:
                del self._due[known]
                if not due.told and due.done():
                    self.applied[known[0]] += 1
        for key, (owes, due) in found.items():
            self._judge(key, self._due.setdefault(key, due), owes, now)

    def _judge(self, key: Key, due: _Due, node: int, now: int) -> None:
        promise = PROMISES[key[0]]
        since = max(due.since_ns, self._calm_since if promise.calm else self._idle_since.get(node, 0))
        since = max(since, self.watch.last_fault_ns) if promise.calm else since
        bound_ns = int(promise.bound_s * SECOND) + due.extra_ns
        if not due.told and now - since > bound_ns:
            due.told = True
            self.applied[promise.id] += 1
            self.watch.violated(now, promise.id, f"not within {bound_ns / SECOND:g} s: {promise.about}: {due.text}")

    def _all(self, cluster: Cluster) -> Iterator[tuple[str, Hashable, int, _Due]]:
        """Yield due promises: the promise, its key, the controller that owes it, and the rest."""
        now = cluster.now_ns
        for promise, waiting in (("QV1", self._queued), ("QV2", self._parked)):
            for (node, number), (event, since) in waiting.items():
                # The outcome of these is counted where it is reported.
                yield promise, (node, number, since), node, _Due(f"{event.name} on controller {node}", _never, 0, since)
        for node, (epoch, since) in self._activating.items():
            yield "QV3", (node, epoch), node, _Due(f"controller {node} in epoch {epoch}", _never, 0, since)
        active = cluster.active
        controller = None if active is None else active.controller
        if controller is None or controller.node_id in self._activating:
            yield "QK1", None, -1, _Due("no controller is active", lambda: cluster.active is not None, 0, now)
        if controller is not None:
            for promise, key, due in (
                *self._tasks(controller),
                *self._transaction(controller),
                *self._brokers(controller, now),
                *self._partitions(controller, now),
            ):
                yield promise, (controller.node_id, controller.claim_epoch, key), controller.node_id, due

    def _tasks(self, controller: QuorumController) -> Iterator[tuple[str, Hashable, _Due]]:
        node = controller.node_id
        for name, task in controller.periodic.tasks.items():
            ran = self._ran.get((node, name))
            if ran is not None:
                period = AFTER_ERROR_NS if ran[1] else task.period_ns
                yield "QW12", (name, ran[0]), _Due(f"{name} on controller {node}", _never, period, ran[0])

    def _transaction(self, controller: QuorumController) -> Iterator[tuple[str, Hashable, _Due]]:
        offsets = controller.offsets
        begin = offsets.open_transaction
        if begin >= 0:
            text = f"the transaction at {begin} is open on controller {controller.node_id}"
            yield (
                "QV4",
                begin,
                _Due(text, lambda: offsets.open_transaction != begin, 0, self._claimed_ns[controller.node_id]),
            )

    def _brokers(self, controller: QuorumController, now: int) -> Iterator[tuple[str, Hashable, _Due]]:
        cluster, node = controller.managers.cluster, controller.node_id
        heartbeats = cluster.active_heartbeats()
        registrations = cluster.registrations
        timeout = controller.settings.broker_session_timeout_ms * MILLISECOND
        for broker, registration in registrations.items():
            heard = max(self._contacts.get((node, broker), 0), self._claimed_ns[node])
            if not registration.fenced and now - heard > timeout and not self._has_thrown(node, FENCES):

                def fenced(broker: int = broker) -> bool:
                    return broker not in registrations or registrations[broker].fenced

                yield "K10", (broker, heard), _Due(f"broker {broker}", fenced, timeout + timeout // 8, heard)
        leaderships = controller.managers.replication.state.indexes.leaderships
        for broker, state in heartbeats.brokers.items():
            if state.shutting_down and not leaderships.any_of(broker):

                def ended(broker: int = broker) -> bool:
                    return broker not in heartbeats.brokers or not heartbeats.brokers[broker].shutting_down

                began = state.controlled_shutdown_offset
                yield "K12", (broker, began), _Due(f"broker {broker} since offset {began}", ended, 0, now)

    def _partitions(self, controller: QuorumController, now: int) -> Iterator[tuple[str, Hashable, _Due]]:
        replication, cluster = controller.managers.replication, controller.managers.cluster
        node, settings, state = controller.node_id, controller.settings, replication.state
        period = settings.leader_imbalance_check_interval_seconds * SECOND
        balances = settings.auto_leader_rebalance_enable and not self._has_thrown(node, BALANCES)

        def can_lead(partition: PartitionRegistration, broker: int) -> bool:
            return (
                broker in partition.replicas
                and cluster.is_active(broker)
                and cluster.has_online_directory(broker, partition.directory(broker))
            )

        def due(key: tuple[str, int], done: Callable[[PartitionRegistration], bool], extra_ns: int = 0) -> _Due:
            def is_done() -> bool:
                after = replication.partitions.get(key)
                return after is not None and done(after)

            return _Due(f"{replication.topics[key[0]].name}-{key[1]}", is_done, extra_ns, now)

        leaderless = frozenset(state.indexes.leaderships.of(NO_LEADER))
        led = (replication.partitions.get(key) for key in self._leaderless - leaderless)
        self.applied["P22"] += sum(partition is not None and partition.has_leader for partition in led)
        self._leaderless = leaderless
        self.moved &= leaderless
        for key in state.indexes.imbalanced:
            partition = replication.partitions[key]
            preferred = partition.replicas[0]
            waits = not partition.has_leader and key not in self.moved
            if waits and any(can_lead(partition, one) for one in partition.isr or partition.elr):
                yield "P22", key, due(key, lambda after: False)
            if balances and preferred in partition.isr and can_lead(partition, preferred):
                yield "P24", (key, preferred), due(key, lambda after: after.has_preferred_leader, period)
        for topic_id, numbers in state.indexes.reassigning.items():
            for number in numbers:
                key = topic_id, number
                partition = replication.partitions[key]
                target = frozenset(partition.replicas) - frozenset(partition.removing_replicas)
                if set(partition.adding_replicas) & set(partition.removing_replicas):
                    # Kafka's D14: who is added and taken away keeps the reassignment from ever being complete.
                    continue
                if partition.has_leader and all(can_lead(partition, one) for one in target):

                    def completed(after: PartitionRegistration, target: frozenset[int] = target) -> bool:
                        return not after.is_reassigning and target == frozenset(after.replicas)

                    yield "P23", (key, target), due(key, completed)

    def _has_thrown(self, node: int, task: str) -> bool:
        return self._ran.get((node, task), (0, False))[1]


def _never() -> bool:
    return False
