"""The operations of the page: creation, broker startup and failure, elections, controlled shutdown, failed disks."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

from fencepost.reference.zk.log_lines import listed
from fencepost.reference.zk.messages import NONE, ControlledShutdownRequest, ControlledShutdownResponse, Error
from fencepost.reference.zk.names import PartitionState, Replica, ReplicaState, TopicPartition

from .elections import CONTROLLED_SHUTDOWN, OFFLINE, OFFLINE_UNCLEAN, PREFERRED
from .partition_states import PartitionStateMachine
from .reassignment import Reassignments
from .replica_states import ReplicaStateMachine
from .shared import Shared, Steps
from .topic_deletion import TopicDeletionManager


class Operations:
    """Operations of a controller on brokers and partitions, as chains of state changes."""

    def __init__(self, shared: Shared) -> None:
        self.shared = shared
        self.partitions = PartitionStateMachine(shared)
        self.replicas = ReplicaStateMachine(shared)
        self.deletion = TopicDeletionManager(shared, self.partitions, self.replicas)
        self.reassignments = Reassignments(shared, self.partitions, self.replicas, self.deletion)

    # -- topics ----------------------------------------------------------------------------------------------------
    def on_new_partition_creation(self, partitions: list[TopicPartition]) -> Steps[None]:
        """Create partitions: new, their replicas new, then led, then their replicas running."""
        context = self.shared.context
        yield from self.partitions.handle(partitions, PartitionState.NEW)
        yield from self.replicas.handle(context.replicas_of(partitions), ReplicaState.NEW)
        yield from self.partitions.handle(partitions, PartitionState.ONLINE, OFFLINE)
        yield from self.replicas.handle(context.replicas_of(partitions), ReplicaState.ONLINE)

    # -- brokers ---------------------------------------------------------------------------------------------------
    def on_broker_startup(self, brokers: list[int]) -> Steps[None]:
        """Take up brokers that have come: tell them everything, let their replicas run, lead what had no leader."""
        shared, context, new = self.shared, self.shared.context, set(brokers)
        for broker in brokers:
            if broker in context.offline_replicas:
                context.set_offline_replicas(broker, ())
        yield from shared.update_metadata([one for one in context.live_or_shutting_down() if one not in new], [])
        yield from shared.update_metadata(brokers, self.metadata_for(brokers))
        here = context.replicas_on(brokers)
        yield from self.replicas.handle(here, ReplicaState.ONLINE)
        yield from self.partitions.trigger_online()
        yield from self.reassignments.resume(lambda _, assignment: bool(new & set(assignment.target)))
        queued = {one.partition.topic for one in here} & context.queued
        if queued:
            yield from self.deletion.resume_for(queued)

    def metadata_for(self, brokers: list[int]) -> list[TopicPartition]:
        """Return the partitions that new brokers are sent: all."""
        return list(self.shared.context.leadership)

    def on_broker_failure(self, brokers: list[int]) -> Steps[None]:
        """Deal with brokers that are gone: forget what was remembered of them, then of their replicas."""
        context = self.shared.context
        for broker in brokers:
            if broker in context.offline_replicas:
                context.set_offline_replicas(broker, ())
            if broker in context.shutting_down:
                context.set_shutting_down(broker, False)
        yield from self.on_replicas_become_offline(context.replicas_on(brokers))

    def on_replicas_become_offline(self, replicas: Iterable[Replica]) -> Steps[None]:
        """Elect leaders for what lost its own, and take the replicas out of the in-sync replicas."""
        context, replicas = self.shared.context, list(replicas)
        leaderless = context.partitions_with_offline_leader()
        yield from self.partitions.handle(leaderless, PartitionState.OFFLINE)
        elected = yield from self.partitions.trigger_online()
        kept = [one for one in replicas if one.partition.topic not in context.queued]
        yield from self.replicas.handle(kept, ReplicaState.OFFLINE)
        yield from self.deletion.fail(one for one in replicas if one.partition.topic in context.queued)
        if not kept and not elected:
            yield from self.tell_of_death()

    def tell_of_death(self) -> Steps[None]:
        """Send the brokers the live brokers, where no change of a partition shows them that one is gone."""
        yield from self.shared.update_metadata(self.shared.context.live_or_shutting_down(), [])

    def controlled_shutdown(self, request: ControlledShutdownRequest) -> Steps[ControlledShutdownResponse]:
        """Move the leaderships of a broker that wants to go down, and stop its followers.

        Partitions with one replica stay: no broker could take them over.
        """
        shared, context, broker = self.shared, self.shared.context, request.broker
        parameters: dict[str, Any] = {"broker": broker, "broker_epoch": request.broker_epoch}
        error = self.refused_shutdown(request)
        if error != NONE:
            shared.tell("Begin", error, operation="doControlledShutdown", **parameters)
            yield
            return ControlledShutdownResponse(error)
        context.set_shutting_down(broker, True)
        yield from shared.operation("doControlledShutdown", self._shut_down(broker), parameters)
        return ControlledShutdownResponse(remaining=tuple(self._led_by(broker)))

    def refused_shutdown(self, request: ControlledShutdownRequest) -> Error:
        """Return why a controlled shutdown is refused, NONE if it is not."""
        known = self.shared.context.live.get(request.broker)
        if known is not None and -1 < request.broker_epoch < known:
            return "STALE_BROKER_EPOCH"
        if known is not None:
            return NONE
        # Its epoch is looked up before its presence is checked; the look-up fails, and that is the answer.
        return "UNKNOWN_SERVER_ERROR" if request.broker_epoch > -1 else "BROKER_NOT_AVAILABLE"

    def _shut_down(self, broker: int) -> Steps[None]:
        shared, context = self.shared, self.shared.context
        affected = [
            one
            for one, assignment in context.assignments.items()
            if broker in assignment.replicas
            and len(assignment.replicas) > 1
            and one in context.leadership
            and one.topic not in context.queued
        ]
        led = [one for one in affected if context.leadership[one].leader == broker]
        followed = [one for one in affected if one not in led]
        yield from self.partitions.handle(led, PartitionState.ONLINE, CONTROLLED_SHUTDOWN)
        shared.batch.new()
        for partition in followed:
            shared.batch.add_stop_replica(broker, partition, delete=False)
        shared.tell("SendStopReplica", broker=broker, partitions=[str(one) for one in followed])
        yield
        shared.batch.send()
        yield from self.replicas.handle((Replica(one, broker) for one in followed), ReplicaState.OFFLINE)

    def _led_by(self, broker: int) -> list[TopicPartition]:
        context = self.shared.context
        return [
            one
            for one, known in context.leadership.items()
            if known.leader == broker and len(context.replicas(one)) > 1
        ]

    def on_log_directory_failure(self, brokers: list[int]) -> Steps[None]:
        """Ask brokers with a failed directory which replicas are lost, by telling them all of their leaderships."""
        yield from self.replicas.handle(self.shared.context.replicas_on(brokers), ReplicaState.ONLINE)

    def mark_offline(
        self, broker: int, partitions: Iterable[TopicPartition], usable: Iterable[TopicPartition]
    ) -> Steps[None]:
        """Take a broker's answer to LeaderAndIsr: some replicas lie in a failed directory, others (again) do not."""
        shared, context = self.shared, self.shared.context
        before = context.offline_replicas.get(broker, set())
        now = (before - set(usable)) | set(partitions)
        if now != before:
            context.set_offline_replicas(broker, now)
        new = sorted(now - before)
        if new:
            shared.log.state_change(
                "INFO", f"[Controller id={shared.node}] Mark replicas {listed(new, ',')} on broker {broker} as offline"
            )
            lost = [Replica(one, broker) for one in new]
            parameters = {"broker": broker, "partitions": [str(one) for one in new]}
            steps = self.on_replicas_become_offline(lost)
            yield from shared.operation("onReplicasBecomeOffline", steps, parameters)

    # -- elections -------------------------------------------------------------------------------------------------
    def elect(
        self, partitions: Iterable[TopicPartition], kind: Literal["PREFERRED", "UNCLEAN"]
    ) -> Steps[dict[TopicPartition, Error]]:
        """Elect leaders where that can change something; what cannot be elected stays as it is."""
        shared, context = self.shared, self.shared.context
        results, electable = dict[TopicPartition, Error](), list[TopicPartition]()
        for partition in partitions:
            known = context.leadership.get(partition)
            if known is None:
                results[partition] = "UNKNOWN_TOPIC_OR_PARTITION"
            elif partition.topic in context.queued:
                results[partition] = "INVALID_TOPIC_EXCEPTION"
            elif self._needed(partition, known.leader, kind):
                electable.append(partition)
            else:
                results[partition] = "ELECTION_NOT_NEEDED"
        strategy = PREFERRED if kind == "PREFERRED" else OFFLINE_UNCLEAN
        steps = self.partitions.handle(electable, PartitionState.ONLINE, strategy)
        parameters = {"partitions": [str(one) for one in electable], "strategy": kind}
        outcomes = yield from shared.operation("onReplicaElection", steps, parameters)
        missing = "PREFERRED_LEADER_NOT_AVAILABLE" if kind == "PREFERRED" else "ELIGIBLE_LEADERS_NOT_AVAILABLE"
        return results | {one: missing if outcome else NONE for one, outcome in outcomes.items()}

    def _needed(self, partition: TopicPartition, leader: int, kind: str) -> bool:
        context = self.shared.context
        if kind == "PREFERRED":
            return leader != context.replicas(partition)[0]
        return leader not in context.live_brokers()
