"""Topic deletion: queued in ZooKeeper, carried out replica by replica, its progress only in memory.

A new controller begins it anew, and replicas that were deleted are deleted again.
"""

from __future__ import annotations

from collections.abc import Iterable

from fencepost.reference.zk.messages import NONE
from fencepost.reference.zk.names import PartitionState, Replica, ReplicaState, TopicPartition

from .partition_states import PartitionStateMachine
from .replica_states import ReplicaStateMachine
from .shared import Shared, Steps

STARTED, SUCCESSFUL = ReplicaState.DELETION_STARTED, ReplicaState.DELETION_SUCCESSFUL
INELIGIBLE = ReplicaState.DELETION_INELIGIBLE


class TopicDeletionManager:
    """Deletes topics that are queued, not held back, and not on their way already."""

    def __init__(self, shared: Shared, partitions: PartitionStateMachine, replicas: ReplicaStateMachine) -> None:
        self.shared, self.partitions, self.replicas = shared, partitions, replicas

    def initialize(self, queued: Iterable[str]) -> None:
        """Queue what ZooKeeper says; topics with replicas that are down, or being reassigned, have to wait."""
        context = self.shared.context
        context.queue_deletion(one for one in queued if one in context.topics)
        down = {
            one.partition.topic
            for one in context.replicas_of(context)
            if not context.is_online(one.broker, one.partition)
        }
        moving = {one.topic for one in context.reassigning}
        context.set_ineligible((down | moving) & context.queued, True)

    def enqueue(self, topics: Iterable[str]) -> Steps[None]:
        """Queue topics, and begin with those that may be deleted."""
        self.shared.context.queue_deletion(topics)
        self.shared.tell("EnqueueTopicDeletion", topics=sorted(topics))
        yield
        yield from self.resume_deletions()

    def mark_ineligible(self, topics: Iterable[str]) -> None:
        """Hold topics back; of those that are not queued nothing is remembered, so that it must happen again later."""
        context = self.shared.context
        halted = context.queued & set(topics)
        if halted:
            context.set_ineligible(halted, True)

    def resume_for(self, topics: Iterable[str]) -> Steps[None]:
        """Let topics that were held back go on: a broker is back, or a reassignment is over."""
        context = self.shared.context
        resumed = context.queued & set(topics)
        if resumed:
            context.set_ineligible(resumed, False)
            yield from self.resume_deletions()

    # -- what brokers answer ---------------------------------------------------------------------------------------
    def answered(self, broker: int, errors: dict[TopicPartition, str]) -> Steps[None]:
        """Take a broker's answer to StopReplica: which replicas it has deleted, and which it could not."""
        failed, done = list[Replica](), list[Replica]()
        for partition, error in errors.items():
            self.shared.tell("StopReplicaResponse", broker=broker, partition=str(partition), error=error)
            yield
            (done if error == NONE else failed).append(Replica(partition, broker))
        yield from self.fail(failed)
        if done:
            yield from self.complete(done)

    def fail(self, replicas: Iterable[Replica]) -> Steps[None]:
        """Give up on replicas for now: their broker is down, or could not delete them."""
        context = self.shared.context
        queued = [one for one in replicas if one.partition.topic in context.queued]
        if queued:
            yield from self.replicas.handle(queued, INELIGIBLE)
            self.mark_ineligible({one.partition.topic for one in queued})
            yield from self.resume_deletions()

    def complete(self, replicas: Iterable[Replica]) -> Steps[None]:
        """Take replicas for deleted."""
        queued = [one for one in replicas if one.partition.topic in self.shared.context.queued]
        yield from self.replicas.handle(queued, SUCCESSFUL)
        yield from self.resume_deletions()

    # -- going on --------------------------------------------------------------------------------------------------
    def resume_deletions(self) -> Steps[None]:
        """Finish topics whose replicas are all deleted, retry what failed, and begin what may begin."""
        context, retry, eligible = self.shared.context, list[str](), list[str]()
        for topic in sorted(context.queued):
            states = [context.replica_state(one) for one in context.replicas_of_topic(topic)]
            if all(one is SUCCESSFUL for one in states):
                yield from self._complete_topic(topic)
            elif STARTED not in states and INELIGIBLE in states:
                retry.append(topic)
            if self._eligible(topic):
                eligible.append(topic)
        for topic in retry:
            failed = self._in_state(topic, INELIGIBLE)
            yield from self.replicas.handle(failed, ReplicaState.OFFLINE)
        if eligible:
            begun = self.shared.operation("onTopicDeletion", self._delete(eligible), {"topics": eligible})
            yield from begun

    def _eligible(self, topic: str) -> bool:
        context = self.shared.context
        return topic in context.queued and topic not in context.ineligible and not self._in_state(topic, STARTED)

    def _in_state(self, topic: str, state: ReplicaState) -> list[Replica]:
        context = self.shared.context
        return [one for one in context.replicas_of_topic(topic) if context.replica_state(one) is state]

    def _delete(self, topics: list[str]) -> Steps[None]:
        """Delete topics: their partitions at once, their replicas by asking the brokers."""
        shared, context = self.shared, self.shared.context
        unseen = [one for one in topics if one not in context.deletion_started]
        gone = [one for topic in unseen for one in context.partitions_of(topic)]
        yield from self.partitions.handle(gone, PartitionState.OFFLINE)
        yield from self.partitions.handle(gone, PartitionState.NON_EXISTENT)
        context.deletion_started.update(unseen)
        everyone = [one for topic in topics for one in context.partitions_of(topic)]
        yield from shared.update_metadata(context.live_or_shutting_down(), everyone)
        dead, alive, waiting = list[Replica](), list[Replica](), set[str]()
        for replica in context.replicas_of(everyone):
            if not context.is_online(replica.broker, replica.partition):
                dead.append(replica)
                waiting.add(replica.partition.topic)
            elif context.replica_state(replica) is not SUCCESSFUL:
                alive.append(replica)
        yield from self.replicas.handle(dead, INELIGIBLE)
        yield from self.replicas.handle(alive, ReplicaState.OFFLINE)
        yield from self.replicas.handle(alive, STARTED)
        self.mark_ineligible(waiting)

    def _complete_topic(self, topic: str) -> Steps[None]:
        """Forget a topic whose replicas are all deleted, here and in ZooKeeper."""
        shared, context = self.shared, self.shared.context
        yield from self.replicas.handle(self._in_state(topic, SUCCESSFUL), ReplicaState.NON_EXISTENT)
        shared.store.delete_topic(topic)
        context.remove_topic(topic)
        shared.tell("DeleteTopic", topic=topic)
        yield
