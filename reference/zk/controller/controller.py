"""One broker's controller: it takes part in elections, and if elected handles events until it resigns or dies."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fencepost.reference.zk import messages as m
from fencepost.reference.zk import paths
from fencepost.reference.zk.log_lines import listed
from fencepost.reference.zk.names import PartitionState, TopicPartition
from fencepost.reference.zk.zookeeper import BadVersion, NodeExists, NoNode, SessionExpired, WatchEvent

from .alter_partition import AlterPartition
from .event_thread import EventThread
from .operations import Operations
from .reassignment import StateChangeFailed
from .shared import Shared, Steps
from .store import ControllerMoved

Reply = Callable[[Any], None]


class Controller:
    """A candidate, and while it is elected the controller.

    Everything happens on its event thread; what arrives from elsewhere is put into the queue there.
    """

    def __init__(self, shared: Shared, thread: EventThread, register: Callable[[], Steps[None]]) -> None:
        self.shared, self.thread, self.register = shared, thread, register
        self.active_id = -1
        self._begin_anew()

    @property
    def is_active(self) -> bool:
        """Whether it believes to be the controller."""
        return self.active_id == self.shared.node

    def _begin_anew(self) -> None:
        self.operations = Operations(self.shared)
        self.alter_partition = AlterPartition(self.shared)

    # -- election --------------------------------------------------------------------------------------------------
    def start(self) -> None:
        """Stand for election."""
        self.thread.put("Startup", self._reelect)

    def _reelect(self) -> Steps[None]:
        self.maybe_resign()
        yield from self._elect()

    def maybe_resign(self) -> None:
        """Look who is the controller, and resign if it no longer is this one."""
        was_active = self.is_active
        self.active_id = self.shared.store.controller()
        if was_active and not self.is_active:
            self.resign("another controller was elected" if self.active_id >= 0 else "/controller is gone")

    def _elect(self) -> Steps[None]:
        shared = self.shared
        self.active_id = shared.store.controller()
        if self.active_id >= 0:
            return
        try:
            epoch, version = shared.store.register_controller(shared.node, shared.time_ms())
        except (NodeExists, BadVersion) as error:
            shared.tell("Elect", error.name, node=shared.node)
            yield
            self.active_id = shared.store.controller()
            return
        shared.context.epoch, shared.context.epoch_version = epoch, version
        self.active_id = shared.node
        shared.log.controller(
            "INFO",
            f"{shared.node} successfully elected as the controller. Epoch incremented to {epoch} and epoch zk version "
            f"is now {version}",
        )
        self._load()
        shared.tell("Elect", node=shared.node, whole=True)
        yield
        yield from shared.operation("onControllerFailover", self._failover(), {})

    def _load(self) -> None:
        """Leave watches, drop old notifications, and read everything into memory."""
        shared, context, store = self.shared, self.shared.context, self.shared.store
        for path in (paths.LOG_DIR_EVENTS, paths.ISR_CHANGES):
            store.delete_notifications(path, store.notifications(path))
        context.add_live(store.broker_epochs(watch=True))
        for topic in store.topics():
            topic_id, assignments = store.topic(topic, watch=True)
            context.add_topic(topic, topic_id)
            for partition, assignment in assignments.items():
                context.set_assignment(partition, assignment)
                if assignment.is_being_reassigned:
                    context.set_reassigning(partition, True)
        self._load_leadership()
        self.operations.deletion.initialize(store.topic_deletions())
        self.operations.replicas.initialize()
        self.operations.partitions.initialize()
        live = listed(context.live_or_shutting_down(), ", ")
        shared.log.controller("INFO", f"Currently active brokers in the cluster: Set({live})")

    def _load_leadership(self) -> None:
        """Read the leadership of every partition that has one."""
        context = self.shared.context
        for partition in context:
            leadership = self.shared.store.leadership(partition)
            if leadership is not None:
                context.set_leadership(partition, leadership)

    def _failover(self) -> Steps[None]:
        """Take over: all brokers first learn who is alive, then come replicas, partitions, and what was under way."""
        shared, context, operations = self.shared, self.shared.context, self.operations
        yield from shared.update_metadata(context.live_or_shutting_down(), [])
        yield from operations.replicas.startup()
        yield from operations.partitions.trigger_online()
        self._log_start_states()
        wished = yield from operations.reassignments.wished()
        yield from operations.reassignments.resume(lambda one, _: one not in wished)
        yield from operations.deletion.resume_deletions()
        yield from self._wished_elections()

    def _log_start_states(self) -> None:
        shared, context = self.shared, self.shared.context
        states = listed(f"{one} -> {state.value}" for one, state in context.partition_states.items())
        shared.log.controller(
            "DEBUG", f"Started partition state machine with initial state -> HashMap({states})",
            "kafka.controller.ZkPartitionStateMachine", f"[PartitionStateMachine controllerId={shared.node}]",
        )  # fmt: skip

    # -- the end of a claim ----------------------------------------------------------------------------------------
    def resign(self, why: str) -> None:
        """Forget everything, and send nothing more."""
        shared = self.shared
        shared.log.controller("DEBUG", "Resigning")
        shared.channels.close()
        shared.tell("Resign", node=shared.node, why=why)
        shared.log.controller("INFO", "Resigned")
        shared.forget()
        self._begin_anew()

    def crashed(self) -> None:
        """Forget everything without a word: the process is dead."""
        self.active_id = -1
        self.thread.crashed()
        self.shared.store.told()
        self.shared.channels.close()
        self.shared.forget()
        self._begin_anew()

    def failed(self, error: Exception) -> None:
        """Deal with what ended an event; raises what is no part of the protocol."""
        if isinstance(error, ControllerMoved):
            try:
                self.maybe_resign()
            except SessionExpired:
                return
        elif not isinstance(error, (SessionExpired, StateChangeFailed, NoNode)):
            raise error

    # -- the session -----------------------------------------------------------------------------------------------
    def session_expired(self) -> None:
        """Learn that the session is gone: what is under way goes on, what waits is dropped, then a new one begins."""
        self.thread.clear_and_put("Expire", self._expire)

    def _expire(self) -> Steps[None]:
        if self.is_active:
            self.resign("the session expired")
            yield
        self.active_id = -1
        yield from self.register()
        yield from self._reelect()

    # -- watches ---------------------------------------------------------------------------------------------------
    def watched(self, event: WatchEvent) -> None:
        """Queue what a watch is about."""
        if event.path == paths.CONTROLLER:
            self.thread.put("ControllerChange", self._reelect)
            return
        begin = {
            paths.BROKER_IDS: self._broker_change,
            paths.TOPICS: self._topic_change,
            paths.DELETE_TOPICS: self._topic_deletion,
            paths.REASSIGN_PARTITIONS: self._wished_reassignment,
            paths.PREFERRED_ELECTION: self._wished_elections,
            paths.ISR_CHANGES: self._isr_changes,
            paths.LOG_DIR_EVENTS: self._log_directory_failures,
        }.get(event.path)
        if begin is not None:
            self.thread.put(begin.__name__, lambda: self._if_active(begin))
        elif event.path.startswith(f"{paths.TOPICS}/"):
            topic = event.path.rsplit("/", 1)[1]
            self.thread.put("PartitionModifications", lambda: self._if_active(lambda: self._new_partitions(topic)))

    def _if_active(self, begin: Callable[[], Steps[None]]) -> Steps[None]:
        if self.is_active:
            yield from begin()

    def _broker_change(self) -> Steps[None]:
        """Compare who is registered with who was: new, bounced (the same id with a later epoch), and dead brokers."""
        shared, context, operations = self.shared, self.shared.context, self.operations
        found = shared.store.broker_epochs(watch=True)
        new, bounced, dead = self.compared(found)
        shared.log.controller(
            "INFO",
            f"Newly added brokers: {listed(new, ',')}, deleted brokers: {listed(dead, ',')}, bounced brokers: "
            f"{listed(bounced, ',')}, all live brokers: {listed(found, ',')}",
        )
        for broker in (*bounced, *dead):
            shared.channels.remove(broker)
        if new:
            context.add_live({one: found[one] for one in new})
            yield from shared.operation("onBrokerStartup", operations.on_broker_startup(new), {"brokers": new})
        if bounced:
            context.remove_live(bounced)
            told = {"brokers": bounced}
            yield from shared.operation("onBrokerFailure", operations.on_broker_failure(bounced), told)
            context.add_live({one: found[one] for one in bounced})
            yield from shared.operation("onBrokerStartup", operations.on_broker_startup(bounced), told)
        if dead:
            context.remove_live(dead)
            yield from shared.operation("onBrokerFailure", operations.on_broker_failure(dead), {"brokers": dead})

    def compared(self, found: dict[int, int]) -> tuple[list[int], list[int], list[int]]:
        """Return which brokers are new, bounced and dead, given who is registered with which epoch."""
        known = self.shared.context.live
        new = [one for one in found if one not in known]
        bounced = [one for one in found if one in known and found[one] > known[one]]
        return new, bounced, [one for one in sorted(known) if one not in found]

    def _topic_change(self) -> Steps[None]:
        shared, context = self.shared, self.shared.context
        found = shared.store.topics()
        for topic in [one for one in context.topics if one not in found]:
            context.remove_topic(topic)
        created = list[TopicPartition]()
        for topic in found:
            if topic in context.topics:
                continue
            try:
                topic_id, assignments = shared.store.topic(topic, watch=True)
            except NoNode:
                continue
            context.add_topic(topic, topic_id)
            for partition, assignment in assignments.items():
                context.set_assignment(partition, assignment)
                created.append(partition)
        yield from self._create(created)

    def _new_partitions(self, topic: str) -> Steps[None]:
        """Create partitions that a topic got; one that is to be deleted gets none, its znode is written back."""
        shared, context = self.shared, self.shared.context
        if topic not in context.topics:
            return
        try:
            topic_id, assignments = shared.store.topic(topic, watch=True)
        except NoNode:
            return
        added = {one: found for one, found in assignments.items() if one not in context.assignments}
        if not added:
            return
        if not self.may_grow(topic):
            known = {one.partition: context.assignment(one) for one in context.partitions_of(topic)}
            shared.store.set_topic(topic, topic_id, known)
            shared.tell("RestorePartitions", topic=topic)
            yield
            return
        for partition, assignment in added.items():
            context.set_assignment(partition, assignment)
        yield from self._create(list(added))

    def may_grow(self, topic: str) -> bool:
        """Whether a topic may get more partitions: not while it waits to be deleted."""
        return topic not in self.shared.context.queued

    def _create(self, created: list[TopicPartition]) -> Steps[None]:
        if created:
            steps = self.operations.on_new_partition_creation(created)
            told = {"partitions": [str(one) for one in created]}
            yield from self.shared.operation("onNewPartitionCreation", steps, told)

    def _topic_deletion(self) -> Steps[None]:
        shared, context, deletion = self.shared, self.shared.context, self.operations.deletion
        wished = shared.store.topic_deletions()
        unknown = [one for one in wished if one not in context.topics]
        if unknown:
            for topic in unknown:
                shared.store.delete_topic_deletion(topic)
            shared.tell("ForgetTopicDeletions", topics=unknown)
            yield
        topics = [one for one in wished if one in context.topics]
        if topics:
            # Too early: what is not queued yet is not held back, so a running reassignment does not stop a deletion.
            deletion.mark_ineligible({one.topic for one in context.reassigning} & set(topics))
            yield from deletion.enqueue(topics)

    def _wished_reassignment(self) -> Steps[None]:
        yield from self.operations.reassignments.wished()

    def _wished_elections(self) -> Steps[None]:
        wished = self.shared.store.wished_elections()
        if wished:
            yield from self.operations.elect(wished, "PREFERRED")
            self.shared.store.delete_wished_elections()
            self.shared.tell("ForgetElections", partitions=[str(one) for one in wished])
            yield
            # The watch of the znode that is gone has to be left again.
            self.shared.store.wished_elections()

    def _isr_changes(self) -> Steps[None]:
        """Read leaderships again that leaders wrote to ZooKeeper themselves, as brokers before AlterPartition did."""
        shared, context = self.shared, self.shared.context
        notices = shared.store.notifications(paths.ISR_CHANGES)
        if not notices:
            return
        changed = [one for data in notices.values() for one in paths.elections_of(data) if one in context.assignments]
        for partition in changed:
            leadership = shared.store.leadership(partition)
            if leadership is not None:
                context.set_leadership(partition, leadership)
        yield from shared.update_metadata(context.live_or_shutting_down(), changed)
        shared.store.delete_notifications(paths.ISR_CHANGES, notices)
        shared.tell("ForgetNotifications", names=list(notices))
        yield

    def _log_directory_failures(self) -> Steps[None]:
        shared = self.shared
        notices = shared.store.notifications(paths.LOG_DIR_EVENTS)
        if not notices:
            return
        brokers = sorted({int(data["broker"]) for data in notices.values()})
        partitions = [str(one.partition) for one in shared.context.replicas_on(brokers)]
        told = {"brokers": brokers, "partitions": partitions}
        steps = self.operations.on_log_directory_failure(brokers)
        yield from shared.operation("onBrokerLogDirFailure", steps, told)
        shared.store.delete_notifications(paths.LOG_DIR_EVENTS, notices)
        shared.tell("ForgetNotifications", names=list(notices))
        yield

    # -- requests --------------------------------------------------------------------------------------------------
    def serve(self, request: Any, reply: Reply) -> None:
        """Queue a request; the answer may come much later, or never."""
        handlers: dict[type, Callable[[Any, Reply], Steps[None]]] = {
            m.AlterPartitionRequest: self._alter_partition,
            m.ControlledShutdownRequest: self._controlled_shutdown,
            m.ReassignmentRequest: self._reassign,
            m.ElectLeadersRequest: self._elect_leaders,
        }
        handler = handlers[type(request)]
        self.thread.put(type(request).__name__, lambda: handler(request, reply))

    def _alter_partition(self, request: m.AlterPartitionRequest, reply: Reply) -> Steps[None]:
        if not self.is_active:
            reply(m.AlterPartitionResponse(top_error="NOT_CONTROLLER"))
            return
        answer = self.alter_partition.decide(request)
        yield
        if answer.top_error == m.NONE:
            self.shared.batch.send()
        reply(answer)
        if answer.leadership is not None:
            yield from self.operations.reassignments.altered(request.partition)

    def _controlled_shutdown(self, request: m.ControlledShutdownRequest, reply: Reply) -> Steps[None]:
        if not self.is_active:
            reply(m.ControlledShutdownResponse("STALE_CONTROLLER_EPOCH"))
            return
        try:
            answer = yield from self.operations.controlled_shutdown(request)
        except ControllerMoved:
            # Whatever fails is the answer: only the other events make a controller resign that was replaced.
            answer = m.ControlledShutdownResponse("STALE_CONTROLLER_EPOCH")
        reply(answer)

    def _reassign(self, request: m.ReassignmentRequest, reply: Reply) -> Steps[None]:
        if not self.is_active:
            reply(m.AdministratorResponse("NOT_CONTROLLER"))
            return
        errors = yield from self.operations.reassignments.requested(request.targets)
        reply(m.AdministratorResponse(partitions=errors))

    def _elect_leaders(self, request: m.ElectLeadersRequest, reply: Reply) -> Steps[None]:
        if not self.is_active:
            reply(m.AdministratorResponse("NOT_CONTROLLER"))
            return
        errors = yield from self.operations.elect(request.partitions, request.kind)
        reply(m.AdministratorResponse(partitions=errors))

    # -- answers of brokers ----------------------------------------------------------------------------------------
    def answered(self, broker: int, request: m.ControlRequest, response: m.ControlResponse) -> None:
        """Queue what a broker's answer asks for: deleted replicas, or replicas in failed directories."""
        if request.controller_epoch != self.shared.context.epoch:
            return
        errors = response.partitions or {}
        if isinstance(request, m.StopReplicaRequest):
            # A request that was refused as a whole names no partition: then all are meant.
            deleted = {
                one: response.error if response.error != m.NONE else errors.get(one, m.NONE)
                for one, state in request.partitions.items()
                if state.delete and one.topic in self.shared.context.queued
            }
            if deleted:
                begin = lambda: self._if_active(lambda: self.operations.deletion.answered(broker, deleted))  # noqa: E731
                self.thread.put("TopicDeletionStopReplicaResponseReceived", begin)
        elif isinstance(request, m.LeaderAndIsrRequest) and errors:
            lost = [one for one, error in errors.items() if error == "KAFKA_STORAGE_ERROR"]
            usable = [one for one, error in errors.items() if error == m.NONE]
            if lost or self.shared.context.offline_replicas.get(broker):
                begin = lambda: self._if_active(lambda: self.operations.mark_offline(broker, lost, usable))  # noqa: E731
                self.thread.put("LeaderAndIsrResponseReceived", begin)

    # -- looking at it ---------------------------------------------------------------------------------------------
    def leaderless(self) -> list[TopicPartition]:
        """Return the partitions that are not online in this controller's memory."""
        states = self.shared.context.partition_states.items()
        return [one for one, state in states if state in (PartitionState.NEW, PartitionState.OFFLINE)]
