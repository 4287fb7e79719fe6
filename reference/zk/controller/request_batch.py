"""The batch in which a controller gathers requests, so that each broker gets one of a kind for an operation's part."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Protocol

from fencepost.reference.zk.log_lines import BrokerLog, leader_and_isr_struct, listed, stop_replica_struct
from fencepost.reference.zk.messages import (
    ControlRequest,
    LeaderAndIsrPartition,
    LeaderAndIsrRequest,
    StopReplicaPartition,
    StopReplicaRequest,
    UpdateMetadataPartition,
    UpdateMetadataRequest,
)
from fencepost.reference.zk.names import (
    EPOCH_DURING_DELETE,
    LEADER_DURING_DELETE,
    NO_EPOCH,
    Leadership,
    ReplicaAssignment,
    TopicPartition,
)
from fencepost.traces.zk.steps import SentRequest

from .context import ControllerContext


class Channels(Protocol):
    """The send queues: one for each broker, in each one request at a time under way."""

    def send(self, broker: int, make: Callable[[int], ControlRequest]) -> None:
        """Queue a request for a broker; `make` gets its correlation id."""

    def remove(self, broker: int) -> None:
        """Drop the queue of a broker that is gone."""

    def close(self) -> None:
        """Drop all queues."""


class RequestBatch:
    """Requests by broker: a later word about the same partition replaces an earlier one.

    LeaderAndIsr goes first, then UpdateMetadata, then StopReplica. Nothing leaves before `send`: an operation that is
    broken off by a newer controller has sent nothing.
    """

    def __init__(self, node: int, context: ControllerContext, channels: Channels, log: BrokerLog) -> None:
        self.node, self.context, self.channels, self.log = node, context, channels, log
        self._added: list[SentRequest] = []
        self.new()

    def new(self) -> None:
        """Begin a batch."""
        self._leader_and_isr: dict[int, dict[TopicPartition, LeaderAndIsrPartition]] = {}
        self._stop_replica: dict[int, dict[TopicPartition, StopReplicaPartition]] = {}
        self._metadata: dict[TopicPartition, UpdateMetadataPartition] = {}
        self._metadata_brokers: dict[int, None] = {}

    def told(self) -> tuple[SentRequest, ...]:
        """Return what was added since the last call."""
        added, self._added = tuple(self._added), []
        return added

    # -- adding ----------------------------------------------------------------------------------------------------
    def add_leader_and_isr(
        self,
        brokers: Iterable[int],
        partition: TopicPartition,
        leadership: Leadership,
        assignment: ReplicaAssignment,
        *,
        is_new: bool,
    ) -> None:
        """Tell brokers the leadership of a partition, and all registered brokers its metadata."""
        for broker in brokers:
            if broker < 0:
                continue
            states = self._leader_and_isr.setdefault(broker, {})
            already_new = partition in states and states[partition].is_new
            state = LeaderAndIsrPartition(
                leadership, assignment.replicas, assignment.adding, assignment.removing, is_new or already_new
            )
            states[partition] = state
            fields = _fields(leadership) | {
                "replicas": list(assignment.replicas),
                "adding": list(assignment.adding),
                "removing": list(assignment.removing),
                "is_new": state.is_new,
            }
            self._added.append(SentRequest("LeaderAndIsr", broker, str(partition), fields))
        self.add_update_metadata(self.context.live_or_shutting_down(), [partition])

    def add_stop_replica(self, broker: int, partition: TopicPartition, *, delete: bool) -> None:
        """Tell a broker to stop its replica, and to delete it if so."""
        known = self.context.leadership.get(partition)
        if partition.topic in self.context.queued:
            epoch = EPOCH_DURING_DELETE
        else:
            epoch = NO_EPOCH if known is None else known.leader_epoch
        states = self._stop_replica.setdefault(broker, {})
        delete = delete or (partition in states and states[partition].delete)
        states[partition] = StopReplicaPartition(epoch, delete)
        self._added.append(
            SentRequest("StopReplica", broker, str(partition), {"leader_epoch": epoch, "delete": delete})
        )

    def add_update_metadata(self, brokers: Iterable[int], partitions: Iterable[TopicPartition]) -> None:
        """Tell brokers who is alive, and of those partitions that have a leadership what it is."""
        brokers = list(brokers)
        self._metadata_brokers.update(dict.fromkeys(brokers))
        told = False
        for partition in partitions:
            known = self.context.leadership.get(partition)
            if known is None:
                continue
            replicas = self.context.replicas(partition)
            offline = tuple(one for one in replicas if not self.context.is_online(one, partition))
            if partition.topic in self.context.queued:
                known = replace(known, leader=LEADER_DURING_DELETE)
            self._metadata[partition] = UpdateMetadataPartition(known, replicas, offline)
            fields = _fields(known) | {"replicas": list(replicas), "offline_replicas": list(offline)}
            self._added += [SentRequest("UpdateMetadata", one, str(partition), fields) for one in brokers]
            told = True
        if not told:
            live = {"live": self.context.live_or_shutting_down()}
            self._added += [SentRequest("UpdateMetadata", one, "", live) for one in brokers]

    # -- sending ---------------------------------------------------------------------------------------------------
    def send(self) -> None:
        """Put the batch into the send queues of those brokers that are registered; no other broker is notified."""
        context = self.context
        for broker, states in self._leader_and_isr.items():
            if broker in context.live:
                self._send_leader_and_isr(broker, states)
        registered = [one for one in self._metadata_brokers if one in context.live]
        brokers = listed(sorted(self._metadata_brokers))
        self._line(
            "INFO", f"Sending UpdateMetadata request to brokers HashSet({brokers}) for {len(self._metadata)} partitions"
        )
        live = tuple(context.live_or_shutting_down())
        metadata = dict(self._metadata)
        for broker in registered:
            self._send_metadata(broker, metadata, live)
        for broker, stops in self._stop_replica.items():
            if broker in context.live:
                self._send_stop_replica(broker, stops)
        self.new()

    def _send_leader_and_isr(self, broker: int, states: dict[TopicPartition, LeaderAndIsrPartition]) -> None:
        leading = 0
        for partition, state in states.items():
            leads = broker == state.leadership.leader
            leading += leads
            kind = "become-leader" if leads else "become-follower"
            self._line(
                "TRACE",
                f"Sending {kind} LeaderAndIsr request {leader_and_isr_struct(partition, state)} to broker {broker} "
                f"for partition {partition}",
            )
        self._line(
            "INFO",
            f"Sending LeaderAndIsr request to broker {broker} with {leading} become-leader and "
            f"{len(states) - leading} become-follower partitions",
        )
        common, topics = self._common(broker), self.context.topics
        ids = {one.topic: topics.get(one.topic, "") for one in states}
        self.channels.send(
            broker, lambda number: LeaderAndIsrRequest(**common, correlation=number, partitions=states, topic_ids=ids)
        )

    def _send_metadata(
        self, broker: int, metadata: dict[TopicPartition, UpdateMetadataPartition], live: tuple[int, ...]
    ) -> None:
        common = self._common(broker)
        self.channels.send(
            broker,
            lambda number: UpdateMetadataRequest(**common, correlation=number, partitions=metadata, live_brokers=live),
        )

    def _send_stop_replica(self, broker: int, stops: dict[TopicPartition, StopReplicaPartition]) -> None:
        for partition, stop in stops.items():
            self._line(
                "TRACE",
                f"Sending StopReplica request {stop_replica_struct(partition, stop)} to broker {broker} "
                f"for partition {partition}",
            )
        self._line("INFO", f"Sending StopReplica request for {len(stops)} replicas to broker {broker}")
        common = self._common(broker)
        self.channels.send(broker, lambda number: StopReplicaRequest(**common, correlation=number, partitions=stops))

    def _common(self, broker: int) -> dict[str, int]:
        return {
            "controller": self.node,
            "controller_epoch": self.context.epoch,
            "broker_epoch": self.context.live[broker],
        }

    def _line(self, level: str, text: str) -> None:
        self.log.state_change(level, f"[Controller id={self.node} epoch={self.context.epoch}] {text}")


def _fields(leadership: Leadership) -> dict[str, object]:
    return {
        "controller_epoch": leadership.controller_epoch,
        "leader": leadership.leader,
        "leader_epoch": leadership.leader_epoch,
        "isr": list(leadership.isr),
        "version": leadership.version,
        "recovery": leadership.recovery,
    }
