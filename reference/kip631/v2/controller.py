"""The controller that decides who is fenced: by what brokers want, by how current they are, and by their silence."""

from __future__ import annotations

from typing import Any

from fencepost.reference.kip631.controller import Controller, ElectRequest, FetchRequest, Refused, Reply
from fencepost.reference.kip631.quorum import Quorum
from fencepost.reference.kip631.records import (
    PartitionRecord,
    Record,
    RemoveTopicRecord,
    TopicRecord,
    UnregisterBrokerRecord,
)
from fencepost.reference.kip631.settings import Settings
from fencepost.reference.simulator import Cells

from .messages import (
    AlterIsrAnswer,
    AlterIsrRequest,
    AlterReassignmentRequest,
    CreateTopicRequest,
    HeartbeatAnswer,
    HeartbeatRequest,
    RegisterAnswer,
    RegisterRequest,
    RemoveTopicRequest,
    UnregisterRequest,
    Wish,
)

TOPICS = range(1, 13)
"""The ids that topics may have; each is used once."""


class WishController(Controller):
    """The controller; `adding` and `removing` are the replicas that a running reassignment brings and takes."""

    def __init__(self, settings: Settings, cells: Cells, quorum: Quorum) -> None:
        self.adding = cells.column("adding", frozenset[int](), settings.replicas)
        self.removing = cells.column("removing", frozenset[int](), settings.replicas)
        super().__init__(settings, cells, quorum)
        self.created_at = cells.column("created_at", -1, TOPICS)
        self.removed_at = cells.column("removed_at", -1, TOPICS)

    def serve(self, request: Any, reply: Reply) -> None:
        """Take a request."""
        if isinstance(request, HeartbeatRequest):
            self._heartbeat(request, reply)
        elif isinstance(request, RegisterRequest):
            self._register(request, reply)
        elif isinstance(request, UnregisterRequest):
            self._finish(request, reply, self.unregister(request))
        elif isinstance(request, AlterIsrRequest):
            self._alter_isr(request, reply)
        elif isinstance(request, AlterReassignmentRequest):
            self._finish(request, reply, self.alter_reassignment(request))
        elif isinstance(request, CreateTopicRequest):
            self._create_topic(request.topic)
        elif isinstance(request, RemoveTopicRequest):
            self._remove_topic(request.topic)
        elif isinstance(request, ElectRequest):
            self.elect(request.partition, request.leader)
        elif isinstance(request, FetchRequest):
            reply(self.fetched(request.after))

    def _finish(self, request: Wish, reply: Reply, error: str) -> None:
        self.done(*request.as_step(), error)
        self.answer(reply, Refused(error))

    # -- registration ----------------------------------------------------------------------------------------------
    def _register(self, request: RegisterRequest, reply: Reply) -> None:
        error = self.register(request)
        epoch = self.broker_epoch[request.broker]
        self.done(*request.as_step(), error or f"NONE {epoch}")
        self.answer(reply, Refused(error) if error else RegisterAnswer(epoch))

    def register(self, request: RegisterRequest) -> str:
        """Register a process; returns the error, empty if it is registered, by this request or by an earlier one."""
        broker = request.broker
        if not request.cluster:
            return "INVALID_CLUSTER_ID"
        if self.conflicts(broker, request.incarnation):
            return "DUPLICATE_BROKER_REGISTRATION"
        if not request.supports:
            return "UNSUPPORTED_VERSION"
        if self.is_registered(broker, request.incarnation):
            # The answer to an earlier request of this process was lost: it gets the same once more.
            self.last_contact[broker] = self.now
            return ""
        self.register_anew(broker, request.incarnation, self.new_epoch())
        return ""

    def is_registered(self, broker: int, incarnation: int) -> bool:
        """Whether this very process has the id."""
        return self.registered[broker] and self.incarnation[broker] == incarnation

    def new_epoch(self) -> int:
        """Return the epoch of a broker that registers now: the next available offset of the log."""
        return self.log.next_offset.value

    def unregister(self, request: UnregisterRequest) -> str:
        """Remove a broker from the cluster; one that is not there need not be removed."""
        broker = request.broker
        if self.registered[broker]:
            self.leave_partitions(broker)
            self._remove(broker)
            self.last_contact[broker] = -1
            self.shutting_down[broker] = False
            self._batch.append(UnregisterBrokerRecord(broker))
        return "NONE"

    # -- heartbeats ------------------------------------------------------------------------------------------------
    def _heartbeat(self, request: HeartbeatRequest, reply: Reply) -> None:
        if self.is_stale(request):
            self.done(*request.as_step(), "STALE_BROKER_EPOCH")
            self.answer(reply, Refused("STALE_BROKER_EPOCH"))
        else:
            message = self.heartbeat(request)
            self.watch(request.broker)
            self.done(*request.as_step(), str(message))
            self.answer(reply, message)

    def is_stale(self, request: HeartbeatRequest) -> bool:
        """Whether a heartbeat is of a process that is not the registered one."""
        return not self.registered[request.broker] or request.epoch != self.broker_epoch[request.broker]

    def heartbeat(self, request: HeartbeatRequest) -> HeartbeatAnswer:
        """Fence a broker that wants it, unfence one that does not and is current; let one go that leads nothing.

        A broker that wants to shut down is made leader of nothing more, and what it leads is moved after this.
        """
        broker = request.broker
        self.last_contact[broker] = self.now
        if request.want_shutdown:
            self.shutting_down[broker] = True
        caught_up = self.is_caught_up(request)
        if request.want_fence and not self.fenced[broker]:
            self.fence(broker)
        elif self.fenced[broker] and not request.want_fence and caught_up:
            self.unfence(broker)
        return HeartbeatAnswer(caught_up, self.fenced[broker], self.may_shut_down(request))

    def is_caught_up(self, request: HeartbeatRequest) -> bool:
        """Whether a broker's metadata are reasonably current: they have its own registration, which is at its epoch."""
        return request.offset >= self.broker_epoch[request.broker]

    def may_shut_down(self, request: HeartbeatRequest) -> bool:
        """Whether a broker that wants to shut down may: it leads nothing."""
        return request.want_shutdown and not self.leads(request.broker)

    def deadline(self, broker: int) -> int | None:
        """Return when a broker's session is over, None if it is fenced already."""
        return None if self.fenced[broker] else self.last_contact[broker] + self.settings.session

    def overdue(self, broker: int) -> None:
        """Fence a broker that was silent for a whole session."""
        self.fence(broker)
        self.done("SessionExpires", {"b": broker})

    # -- partitions ------------------------------------------------------------------------------------------------
    def _alter_isr(self, request: AlterIsrRequest, reply: Reply) -> None:
        error = self.alter_isr(request)
        answer = AlterIsrAnswer(self.applied(request)) if error == "NONE" else Refused(error)
        self.done(*request.as_step(), error if isinstance(answer, Refused) else str(answer))
        self.answer(reply, answer)

    def applied(self, request: AlterIsrRequest) -> frozenset[int]:
        """Return the replicas in sync that the answer names: those that there are now, not those asked for."""
        return self.isr[request.partition]

    def alter_isr(self, request: AlterIsrRequest) -> str:
        """Have other replicas in sync, as the leader asks; a reassignment that waited for them is completed by it.

        A leader that the reassignment removes is answered that its epoch is over.
        """
        one, isr = request.partition, request.isr
        if not self.is_leader(request):
            return "FENCED_LEADER_EPOCH"
        if request.broker not in isr or not isr <= self.replicas[one]:
            return "INVALID_REQUEST"
        if any(self.fenced[broker] for broker in isr):
            return "INELIGIBLE_REPLICA"
        if self.is_complete(one, isr):
            self._complete(one, isr - self.removing[one], self.replicas[one] - self.removing[one])
        else:
            self.change(one, isr=isr, leader=self.leader[one])
        self._batch.append(self.record(one))
        return "NONE" if self.leader[one] == request.broker else "FENCED_LEADER_EPOCH"

    def is_leader(self, request: AlterIsrRequest) -> bool:
        """Whether a request is of the partition's leader, in its epoch."""
        leadership = (self.leader[request.partition], self.leader_epoch[request.partition])
        return leadership == (request.broker, request.leader_epoch)

    def is_complete(self, partition: int, isr: frozenset[int]) -> bool:
        """Whether these replicas in sync complete a reassignment: all that it brings are there, and some remain."""
        adding, removing = self.adding[partition], self.removing[partition]
        return bool(adding | removing) and adding <= isr and bool(isr - removing)

    def alter_reassignment(self, request: AlterReassignmentRequest) -> str:
        """Begin to move a partition, or do it at once where nothing has to be copied."""
        one, target = request.partition, request.target
        if not target or not all(self.registered[broker] for broker in target):
            return "INVALID_REPLICA_ASSIGNMENT"
        replicas, isr = self.replicas[one], self.isr[one]
        if target <= replicas and target & isr:
            self._complete(one, isr & target, target)
        else:
            self.adding[one] = (target - replicas) | (self.adding[one] & target)
            self.removing[one] = replicas - target
            self.change(one, isr=isr, leader=self.leader[one], replicas=replicas | target)
        self._batch.append(self.record(one))
        return "NONE"

    def _complete(self, partition: int, isr: frozenset[int], replicas: frozenset[int]) -> None:
        self.adding[partition] = self.removing[partition] = frozenset()
        leader = self.leader[partition]
        self.change(partition, isr=isr, leader=leader if leader in isr else None, replicas=replicas)

    # -- the metadata as the log has it ----------------------------------------------------------------------------
    def record(self, partition: int) -> PartitionRecord:
        """Return the record that says how a partition is, and what a reassignment makes of it."""
        record = super().record(partition)
        return record._replace(adding=self.adding[partition], removing=self.removing[partition])

    def forget_metadata(self) -> None:
        """Know of no topic either."""
        super().forget_metadata()
        for topic in TOPICS:
            self.created_at[topic] = self.removed_at[topic] = -1

    def replay(self, record: Record, offset: int) -> None:
        """Change topics and reassignments too as a record says."""
        super().replay(record, offset)
        if isinstance(record, PartitionRecord):
            self.adding[record.partition], self.removing[record.partition] = record.adding, record.removing
        elif isinstance(record, TopicRecord):
            self.created_at[record.topic] = offset
        elif isinstance(record, RemoveTopicRecord):
            self.removed_at[record.topic] = offset

    # -- topics ----------------------------------------------------------------------------------------------------
    def _create_topic(self, topic: int) -> None:
        if self.created_at[topic] < 0:
            self.created_at[topic] = self.log.next_offset.value
            self._batch.append(TopicRecord(topic))
            self.done("CreateTopic", {"t": topic})

    def _remove_topic(self, topic: int) -> None:
        if self.created_at[topic] >= 0 and self.removed_at[topic] < 0:
            self.removed_at[topic] = self.log.next_offset.value
            self._batch.append(RemoveTopicRecord(topic))
            self.done("RemoveTopic", {"t": topic})
