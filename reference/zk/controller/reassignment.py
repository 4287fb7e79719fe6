"""Partition reassignment: replicas are added, catch up, take over, and only then are the old ones removed.

The page has twelve steps; these are the phases of Kafka's code, in which a reassignment may also be changed and
cancelled: U1-U3 update the assignment, A1-A2 start what is added, B1-B8 finish when the whole target is in sync. A
controller that dies anywhere is followed by one that goes on from what the topic's znode holds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from fencepost.reference.zk.log_lines import assignment_value, old_leadership
from fencepost.reference.zk.messages import NONE, Error
from fencepost.reference.zk.names import Leadership, Replica, ReplicaAssignment, ReplicaState, TopicPartition, without
from fencepost.reference.zk.names import PartitionState as State
from fencepost.reference.zk.zookeeper import NoNode

from .elections import REASSIGN
from .partition_states import PartitionStateMachine
from .replica_states import ReplicaStateMachine
from .shared import Shared, Steps
from .store import ControllerMoved
from .topic_deletion import TopicDeletionManager

Target = tuple[int, ...] | None
"""The replicas that a partition is to have, None to cancel what is under way."""


class StateChangeFailed(Exception):
    """A phase could not be done: the partition has no leadership in ZooKeeper, or a newer controller wrote it."""


class Reassignments:
    """Moves partitions to other replicas."""

    def __init__(
        self,
        shared: Shared,
        partitions: PartitionStateMachine,
        replicas: ReplicaStateMachine,
        deletion: TopicDeletionManager,
    ) -> None:
        self.shared, self.partitions, self.replicas, self.deletion = shared, partitions, replicas, deletion

    # -- what asks for one -----------------------------------------------------------------------------------------
    def requested(self, targets: Mapping[TopicPartition, Target]) -> Steps[dict[TopicPartition, Error]]:
        """Begin, change or cancel reassignments as an administrator asks; the latest word counts.

        Only replicas that would be added have to be on live brokers.
        """
        errors, accepted = dict[TopicPartition, Error](), dict[TopicPartition, ReplicaAssignment]()
        for partition, target in targets.items():
            error = NONE if target is None else self._invalid(partition, target)
            assignment = self._built(partition, target)
            if error == NONE and assignment is None:
                error = "NO_REASSIGNMENT_IN_PROGRESS"
            if error == NONE and assignment is not None:
                accepted[partition] = assignment
            else:
                errors[partition] = error
        yield from self._forget_wishes(lambda one, _: one in accepted)
        for partition, assignment in accepted.items():
            errors[partition] = yield from self._trigger(partition, assignment, targets[partition])
        return errors

    def wished(self) -> Steps[set[TopicPartition]]:
        """Begin what /admin/reassign_partitions wishes; returns the partitions that it named and that could begin."""
        wishes = self.shared.store.wished_reassignments()
        if wishes is None:
            return set()
        errors = dict[TopicPartition, Error]()
        for partition, target in wishes.items():
            assignment = self._built(partition, target)
            if assignment is None:
                errors[partition] = "NO_REASSIGNMENT_IN_PROGRESS"
            else:
                errors[partition] = yield from self._trigger(partition, assignment, target)
        failed = {one for one, error in errors.items() if error != NONE}
        if failed:
            yield from self._forget_wishes(lambda one, _: one in failed)
        return set(errors) - failed

    def resume(self, should: Callable[[TopicPartition, ReplicaAssignment], bool]) -> Steps[None]:
        """Go on with reassignments that are under way; one that cannot go on does not keep others from it.

        In Kafka a partition without leadership fails the whole event, and a failover with it: the controller then
        resigns, and its successors too until a replica of the partition is up.
        """
        context = self.shared.context
        for partition in list(context.reassigning):
            assignment = context.assignment(partition)
            if should(partition, assignment):
                try:
                    yield from self.run(partition, assignment, assignment.target, resumed=True)
                except (StateChangeFailed, NoNode):
                    continue

    def altered(self, partition: TopicPartition) -> Steps[None]:
        """Finish the reassignment of a partition whose in-sync replicas have grown, if they now hold the target."""
        context = self.shared.context
        if partition in context.reassigning:
            assignment = context.assignment(partition)
            if self._complete(partition, assignment):
                yield from self.run(partition, assignment, assignment.target, resumed=True)

    def _invalid(self, partition: TopicPartition, target: tuple[int, ...]) -> Error:
        context = self.shared.context
        added = without(target, context.replicas(partition))
        live = context.live_brokers()
        fits = target and len(set(target)) == len(target) and min(target) >= 0 and all(one in live for one in added)
        return NONE if fits else "INVALID_REPLICA_ASSIGNMENT"

    def _built(self, partition: TopicPartition, target: Target) -> ReplicaAssignment | None:
        assignment = self.shared.context.assignment(partition)
        if target is not None:
            return assignment.reassign_to(target)
        return assignment.reassign_to(assignment.origin) if assignment.is_being_reassigned else None

    def _trigger(self, partition: TopicPartition, assignment: ReplicaAssignment, target: Target) -> Steps[Error]:
        context = self.shared.context
        if partition.topic in context.queued or partition not in context.assignments:
            return "UNKNOWN_TOPIC_OR_PARTITION"
        try:
            yield from self.run(partition, assignment, target)
        except ControllerMoved:
            raise
        except (StateChangeFailed, NoNode):
            return "UNKNOWN_SERVER_ERROR"
        return NONE

    # -- the phases ------------------------------------------------------------------------------------------------
    def run(
        self, partition: TopicPartition, assignment: ReplicaAssignment, target: Target, *, resumed: bool = False
    ) -> Steps[None]:
        """Take a reassignment as far as it can go now: to its end if the target is in sync."""
        parameters = {
            "partition": str(partition),
            "target": None if target is None else list(target),
            "resumed": resumed,
        }
        yield from self.shared.operation("onPartitionReassignment", self._run(partition, assignment), parameters)

    def _run(self, partition: TopicPartition, assignment: ReplicaAssignment) -> Steps[None]:
        # Works only for a topic that is queued already; one that is queued later is held back when that happens.
        self.deletion.mark_ineligible([partition.topic])
        yield from self._update(partition, assignment)
        if self._complete(partition, assignment):
            yield from self._finish(partition, assignment)
        else:
            yield from self._raise_leader_epoch(partition, assignment, "A1")
            for broker in assignment.adding:
                yield from self.replicas.handle([Replica(partition, broker)], ReplicaState.NEW)

    def _update(self, partition: TopicPartition, assignment: ReplicaAssignment) -> Steps[None]:
        """U1-U3: the assignment with what comes and goes, in ZooKeeper, then in memory; what is not needed stops."""
        context, current = self.shared.context, self.shared.context.assignment(partition)
        if current != assignment:
            self._write(partition, assignment, "U1")
            yield
            context.set_assignment(partition, assignment)
            self._phase(partition, "U2")
            yield
            unneeded = without(current.replicas, assignment.replicas)
            if unneeded:
                self._phase(partition, "U3", replicas=list(unneeded))
                yield
                yield from self._remove(partition, unneeded)
        context.set_reassigning(partition, True)

    def _finish(self, partition: TopicPartition, assignment: ReplicaAssignment) -> Steps[None]:
        """B1-B8: the target takes over, the others are removed, and only then ZooKeeper forgets them."""
        shared, context = self.shared, self.shared.context
        adding = [Replica(partition, broker) for broker in assignment.adding]
        yield from self.replicas.handle(adding, ReplicaState.ONLINE)
        completed = ReplicaAssignment(assignment.target)
        context.set_assignment(partition, completed)
        self._phase(partition, "B2")
        yield
        yield from self._move_leader(partition, completed)
        yield from self._remove(partition, assignment.removing)
        self._write(partition, completed, "B6")
        yield
        yield from self._done(partition, completed)
        shared.batch.new()
        shared.batch.add_update_metadata(context.live_or_shutting_down(), [partition])
        self._phase(partition, "B8")
        yield
        shared.batch.send()
        yield from self.deletion.resume_for([partition.topic])

    def _move_leader(self, partition: TopicPartition, completed: ReplicaAssignment) -> Steps[None]:
        """B3: a leader from the target; one that is in it already learns of its new replicas by a new epoch."""
        context = self.shared.context
        known = context.leadership.get(partition)
        leader = -1 if known is None else known.leader
        if leader in completed.replicas and context.is_online(leader, partition):
            yield from self._raise_leader_epoch(partition, completed, "B3")
        else:
            yield from self.partitions.handle([partition], State.ONLINE, REASSIGN)

    def _remove(self, partition: TopicPartition, brokers: tuple[int, ...]) -> Steps[None]:
        """B4-B5: stop replicas, take them out of the in-sync replicas, delete them; no answer is waited for."""
        removed = [Replica(partition, broker) for broker in brokers]
        for state in (
            ReplicaState.OFFLINE,
            ReplicaState.DELETION_STARTED,
            ReplicaState.DELETION_SUCCESSFUL,
            ReplicaState.NON_EXISTENT,
        ):
            yield from self.replicas.handle(removed, state)

    def _done(self, partition: TopicPartition, completed: ReplicaAssignment) -> Steps[None]:
        """B7: the partition is no longer being reassigned; a wish that is fulfilled leaves ZooKeeper."""
        context = self.shared.context
        if partition in context.reassigning:
            wishes = self.shared.store.wished_reassignments()
            if wishes is not None and wishes.get(partition) == completed.replicas:
                self.shared.store.set_wished_reassignments({one: t for one, t in wishes.items() if one != partition})
            context.set_reassigning(partition, False)
        self._phase(partition, "B7")
        yield

    # -- parts of phases -------------------------------------------------------------------------------------------
    def _complete(self, partition: TopicPartition, assignment: ReplicaAssignment) -> bool:
        """Whether the whole target is in sync, as ZooKeeper has it."""
        if not assignment.is_being_reassigned:
            return True
        now = self.shared.store.leadership(partition)
        return now is not None and set(assignment.target) <= set(now.isr)

    def _write(self, partition: TopicPartition, assignment: ReplicaAssignment, phase: str) -> None:
        """Write the topic's znode: one partition's new assignment, the others' as this controller knows them."""
        shared, context = self.shared, self.shared.context
        topic = partition.topic
        assignments = {one.partition: context.assignment(one) for one in context.partitions_of(topic)}
        assignments[partition.partition] = assignment
        try:
            shared.store.set_topic(topic, context.topics.get(topic, ""), assignments)
        except ControllerMoved:
            self._phase(partition, phase, "epoch moved")
            raise
        except NoNode:
            self._phase(partition, phase, "no znode")
            raise
        self._phase(partition, phase)

    def _raise_leader_epoch(self, partition: TopicPartition, assignment: ReplicaAssignment, phase: str) -> Steps[None]:
        """A1 and B3: write the next leader epoch, and send it with the assignment to all its replicas."""
        shared = self.shared
        try:
            leadership = self._next_epoch(partition)
        except ControllerMoved:
            self._phase(partition, phase, "epoch moved")
            raise
        except StateChangeFailed as error:
            self._phase(partition, phase, str(error))
            raise
        shared.batch.new()
        self.remember(partition, leadership)
        # What is added is new to its broker, so that it may be put into any directory that is in order.
        shared.batch.add_leader_and_isr(assignment.origin, partition, leadership, assignment, is_new=False)
        shared.batch.add_leader_and_isr(assignment.adding, partition, leadership, assignment, is_new=True)
        self._phase(partition, phase)
        yield
        shared.batch.send()
        shared.state_change(
            "INFO",
            f"Sent LeaderAndIsr request {old_leadership(leadership)} with new replica assignment "
            f"{assignment_value(assignment)} to leader {leadership.leader} for partition being reassigned {partition}",
        )

    def remember(self, partition: TopicPartition, leadership: Leadership) -> None:
        """Take up the leadership with the next epoch, so that the metadata has it too."""
        self.shared.context.set_leadership(partition, leadership)

    def _next_epoch(self, partition: TopicPartition) -> Leadership:
        shared, epoch = self.shared, self.shared.context.epoch
        now = shared.store.leadership(partition)
        if now is None:
            raise StateChangeFailed("no znode")
        if now.controller_epoch > epoch:
            raise StateChangeFailed("newer controller")
        leadership = replace(now.elected(now.leader, now.isr), controller_epoch=epoch)
        return replace(leadership, version=shared.store.set_leadership(partition, leadership))

    def _forget_wishes(self, which: Callable[[TopicPartition, tuple[int, ...]], bool]) -> Steps[None]:
        wishes = self.shared.store.wished_reassignments()
        if wishes is None:
            return
        left = {one: target for one, target in wishes.items() if not which(one, target)}
        if left != wishes:
            self.shared.store.set_wished_reassignments(left)
            self.shared.tell("ForgetReassignments", partitions=[str(one) for one in wishes if one not in left])
            yield

    def _phase(self, partition: TopicPartition, phase: str, outcome: str = "", **more: Any) -> None:
        self.shared.tell("Reassignment", outcome, partition=str(partition), phase=phase, **more)
