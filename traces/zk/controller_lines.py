"""Lines of controllers in state-change.log (Kafka 3.9): a class for each kind of line, fields in the line's order.

Read in Kafka's sources, and seen in recordings. `source` and `target` are the states' names; an attempt that failed
or was refused names them too, and keeps the state.
"""

from __future__ import annotations

from dataclasses import dataclass

from .messages import Message, Speaker
from .values import (
    LeaderAndIsr,
    LeaderAndIsrPartitionState,
    LeaderIsrAndControllerEpoch,
    Node,
    ReplicaAssignment,
    Response,
    StopReplicaPartitionState,
    TopicPartition,
)

CONTROLLER = Speaker()
"""Every message of a controller."""

_says = CONTROLLER.says


@_says(
    "C.partition.new",
    "INFO",
    "Changed partition {partition:partition} state from {source:word} to {target:word} "
    "with assigned replicas {replicas:ids}",
)
@dataclass(frozen=True, slots=True)
class PartitionAssigned(Message):
    """A partition became a NewPartition, with its replicas."""

    partition: TopicPartition
    source: str
    target: str
    replicas: tuple[int, ...]


@_says(
    "C.partition.online",
    "INFO",
    "Changed partition {partition:partition} from {source:word} to {target:word} with state {state:leader_and_isr}",
)
@dataclass(frozen=True, slots=True)
class PartitionElected(Message):
    """A partition became an OnlinePartition: `state` was written to ZooKeeper."""

    partition: TopicPartition
    source: str
    target: str
    state: LeaderAndIsr


@_says(
    "C.partition.other", "TRACE", "Changed partition {partition:partition} state from {source:word} to {target:word}"
)
@dataclass(frozen=True, slots=True)
class PartitionChanged(Message):
    """A partition became an OfflinePartition or NonExistentPartition."""

    partition: TopicPartition
    source: str
    target: str


@_says(
    "C.replica",
    "TRACE",
    "Changed state of replica {replica:int} for partition {partition:partition} from {source:word} to {target:word}",
)
@dataclass(frozen=True, slots=True)
class ReplicaChanged(Message):
    """A replica entered another state, or its own once more."""

    replica: int
    partition: TopicPartition
    source: str
    target: str


@_says(
    "C.isr-after-removal",
    "INFO",
    "Partition {partition:partition} state changed to {state:leadership} after removing replica {replica:int} "
    "from the ISR as part of transition to {target:word}",
)
@dataclass(frozen=True, slots=True)
class RemovedFromIsr(Message):
    """The leadership after a replica was taken out of the ISR; nothing was written where it was not a member."""

    partition: TopicPartition
    state: LeaderIsrAndControllerEpoch
    replica: int
    target: str


@_says(
    "C.reassign.sent",
    "INFO",
    "Sent LeaderAndIsr request {state:leadership} with new replica assignment {assignment:assignment} "
    "to leader {leader:int} for partition being reassigned {partition:partition}",
)
@dataclass(frozen=True, slots=True)
class ReassignmentSent(Message):
    """The leader epoch of a partition under reassignment was raised in ZooKeeper, and its replicas were notified."""

    state: LeaderIsrAndControllerEpoch
    assignment: ReplicaAssignment
    leader: int
    partition: TopicPartition


@_says(
    "C.reassign.failed",
    "ERROR",
    "Failed to send LeaderAndIsr request with new replica assignment {assignment:assignment} "
    "to leader for partition being reassigned {partition:partition}",
)
@dataclass(frozen=True, slots=True)
class ReassignmentNotSent(Message):
    """The leader epoch of a partition under reassignment could not be raised."""

    assignment: ReplicaAssignment
    partition: TopicPartition


@_says(
    "C.partition.failed",
    "ERROR",
    "Controller {controller:int} epoch {epoch:int} failed to change state for partition {partition:partition} "
    "from {source:word} to {target:word}",
)
@dataclass(frozen=True, slots=True)
class PartitionChangeFailed(Message):
    """An attempt to change a partition's state that failed; the entry's cause says why."""

    controller: int
    epoch: int
    partition: TopicPartition
    source: str
    target: str


@_says(
    "C.replica.failed",
    "ERROR",
    "Controller {controller:int} epoch {epoch:int} initiated state change of replica {replica:int} "
    "for partition {partition:partition} from {source:word} to {target:word} failed",
)
@dataclass(frozen=True, slots=True)
class ReplicaChangeFailed(Message):
    """An attempt to change a replica's state that failed; the entry's cause says why."""

    controller: int
    epoch: int
    replica: int
    partition: TopicPartition
    source: str
    target: str


@_says("C.log-dir.offline", "INFO", "Mark replicas {partitions:partitions} on broker {broker:int} as offline")
@dataclass(frozen=True, slots=True)
class ReplicasMarkedOffline(Message):
    """A broker reported replicas in a failed log directory; this line's head has no epoch."""

    partitions: tuple[TopicPartition, ...]
    broker: int


@_says(
    "C.send.lisr",
    "TRACE",
    "Sending become-{role:word} LeaderAndIsr request {state:lisr_state} to broker {broker:int} "
    "for partition {partition:partition}",
)
@dataclass(frozen=True, slots=True)
class LeaderAndIsrSent(Message):
    """One partition of a LeaderAndIsr request was put in the batch; `role` is leader or follower."""

    role: str
    state: LeaderAndIsrPartitionState
    broker: int
    partition: TopicPartition


@_says(
    "C.send.lisr.summary",
    "INFO",
    "Sending LeaderAndIsr request to broker {broker:int} with {leaders:int} become-leader "
    "and {followers:int} become-follower partitions",
)
@dataclass(frozen=True, slots=True)
class LeaderAndIsrSummary(Message):
    """A LeaderAndIsr request was put in the batch, with that many partitions of either role."""

    broker: int
    leaders: int
    followers: int


@_says(
    "C.send.stop",
    "TRACE",
    "Sending StopReplica request {state:stop_state} to broker {broker:int} for partition {partition:partition}",
)
@dataclass(frozen=True, slots=True)
class StopReplicaSent(Message):
    """One partition of a StopReplica request was put in the batch."""

    state: StopReplicaPartitionState
    broker: int
    partition: TopicPartition


@_says("C.send.stop.summary2", "INFO", "Sending StopReplica request for {replicas:int} replicas to broker {broker:int}")
@dataclass(frozen=True, slots=True)
class StopReplicaSummary(Message):
    """A StopReplica request was put in the batch, with that many replicas (inter.broker.protocol.version from 2.6)."""

    replicas: int
    broker: int


@_says(
    "C.send.stop.summary",
    "INFO",
    "Sending StopReplica request (delete = {delete:truth}) for {replicas:int} replicas to broker {broker:int}",
)
@dataclass(frozen=True, slots=True)
class StopReplicaOldSummary(Message):
    """A StopReplica request was put in the batch, in the form before inter.broker.protocol.version 2.6."""

    delete: bool
    replicas: int
    broker: int


@_says(
    "C.send.umr.summary",
    "INFO",
    "Sending UpdateMetadata request to brokers {collection:word}({brokers:spaced}) for {partitions:int} partitions",
)
@dataclass(frozen=True, slots=True)
class UpdateMetadataSummary(Message):
    """An UpdateMetadata request was put in the batch; without brokers nothing is sent.

    `collection` is what Scala calls the set.
    """

    collection: str
    brokers: tuple[int, ...]
    partitions: int


@_says(
    "C.response",
    "TRACE",
    "Received response {response:response} for request {request:word} with correlation id {correlation_id:int} "
    "sent to broker {node:node}",
)
@dataclass(frozen=True, slots=True)
class ResponseReceived(Message):
    """A broker answered; `request` is LEADER_AND_ISR, STOP_REPLICA or UPDATE_METADATA."""

    response: Response
    request: str
    correlation_id: int
    node: Node


@_says(
    "C.response.error",
    "ERROR",
    "Received error {error:word} in {request:word} response {response:response} from broker {broker:int}",
)
@dataclass(frozen=True, slots=True)
class ResponseRefused(Message):
    """A broker refused a whole request: `error` by Kafka's name; this line's head has no epoch."""

    error: str
    request: str
    response: Response
    broker: int


TRANSITIONS = (PartitionAssigned, PartitionElected, PartitionChanged, ReplicaChanged)
"""The messages of changes that were made, each with `partition`, `source` and `target`."""

ATTEMPTS = (PartitionChangeFailed, ReplicaChangeFailed)
"""The messages of changes that were refused or failed, with the same fields."""
