"""Lines of brokers in state-change.log about requests of a controller (Kafka 3.9), and the controller epoch.

Read in Kafka's sources, and seen in recordings. In every class `controller` and `controller_epoch` are those of the
request, `correlation_id` its number. Errors are in `broker_problems`.
"""

from __future__ import annotations

from dataclasses import dataclass

from .messages import Message, Speaker
from .values import (
    LeaderAndIsrPartitionState,
    Refusal,
    StopReplicaPartitionState,
    TopicPartition,
    UpdateMetadataPartitionState,
)

BROKER = Speaker()
"""Every message of a broker."""

_says = BROKER.says
_CONTROLLER = "controller {controller:int} epoch {controller_epoch:int}"
_FROM_CONTROLLER = "from controller {controller:int} epoch {controller_epoch:int}"


@_says(
    "B.umr.cached",
    "TRACE",
    "Cached leader info {state:umr_state} for partition {partition:partition} in response to UpdateMetadata request "
    f"sent by {_CONTROLLER} with correlation id {{correlation_id:int}}",
)
@dataclass(frozen=True, slots=True)
class LeaderCached(Message):
    """A broker took over what an UpdateMetadata request says of a partition."""

    state: UpdateMetadataPartitionState
    partition: TopicPartition
    controller: int
    controller_epoch: int
    correlation_id: int


@_says(
    "B.umr.deleted",
    "TRACE",
    "Deleted partition {partition:partition} from metadata cache in response to UpdateMetadata request "
    f"sent by {_CONTROLLER} with correlation id {{correlation_id:int}}",
)
@dataclass(frozen=True, slots=True)
class PartitionForgotten(Message):
    """A broker dropped a partition from its metadata cache, since its topic is being deleted."""

    partition: TopicPartition
    controller: int
    controller_epoch: int
    correlation_id: int


@_says(
    "B.umr.summary",
    "INFO",
    "Add {added:int} partitions and deleted {deleted:int} partitions from metadata cache "
    f"in response to UpdateMetadata request sent by {_CONTROLLER} with correlation id {{correlation_id:int}}",
)
@dataclass(frozen=True, slots=True)
class MetadataUpdated(Message):
    """A broker is done with an UpdateMetadata request."""

    added: int
    deleted: int
    controller: int
    controller_epoch: int
    correlation_id: int


@_says(
    "B.umr.stale",
    "WARN",
    "Received update metadata request with correlation id {correlation_id:int} from an old controller "
    "{controller:int} with epoch {controller_epoch:int}. Latest known controller epoch is {known_epoch:int}",
)
@dataclass(frozen=True, slots=True)
class StaleUpdateMetadata(Message):
    """A broker refused an UpdateMetadata request of an old controller."""

    correlation_id: int
    controller: int
    controller_epoch: int
    known_epoch: int


@_says(
    "B.lisr.received",
    "TRACE",
    f"Received LeaderAndIsr request {{state:lisr_state}} correlation id {{correlation_id:int}} {_FROM_CONTROLLER}",
)
@dataclass(frozen=True, slots=True)
class LeaderAndIsrReceived(Message):
    """A broker got one partition of a LeaderAndIsr request."""

    state: LeaderAndIsrPartitionState
    correlation_id: int
    controller: int
    controller_epoch: int


@_says(
    "B.lisr.start",
    "TRACE",
    f"Handling LeaderAndIsr request correlationId {{correlation_id:int}} {_FROM_CONTROLLER} "
    "starting the become-{role:word} transition for partition {partition:partition}<( with leader {leader:int})>",
)
@dataclass(frozen=True, slots=True)
class TransitionStarted(Message):
    """A broker begins to lead or follow a partition; `role` is leader or follower, `leader` is given for a follower."""

    correlation_id: int
    controller: int
    controller_epoch: int
    role: str
    partition: TopicPartition
    leader: int | None


@_says(
    "B.lisr.handling",
    "INFO",
    "Handling LeaderAndIsr request correlationId {correlation_id:int} from controller {controller:int} "
    "for {partitions:int} partitions",
)
@dataclass(frozen=True, slots=True)
class LeaderAndIsrHandling(Message):
    """A broker begins with a LeaderAndIsr request."""

    correlation_id: int
    controller: int
    partitions: int


@_says(
    "B.lisr.completed",
    "TRACE",
    f"Completed LeaderAndIsr request correlationId {{correlation_id:int}} {_FROM_CONTROLLER} "
    "for the become-{role:word} transition for partition {partition:partition}<( with leader {leader:int})>",
)
@dataclass(frozen=True, slots=True)
class TransitionCompleted(Message):
    """A broker is done with a partition of a LeaderAndIsr request, which need not have succeeded."""

    correlation_id: int
    controller: int
    controller_epoch: int
    role: str
    partition: TopicPartition
    leader: int | None


@_says(
    "B.lisr.finished",
    "INFO",
    "Finished LeaderAndIsr request in {elapsed_ms:int}ms correlationId {correlation_id:int} "
    "from controller {controller:int} for {partitions:int} partitions",
)
@dataclass(frozen=True, slots=True)
class LeaderAndIsrFinished(Message):
    """A broker is done with a LeaderAndIsr request, after so many milliseconds."""

    elapsed_ms: int
    correlation_id: int
    controller: int
    partitions: int


@_says(
    "B.lisr.fetchers",
    "INFO",
    f"Stopped fetchers as part of LeaderAndIsr request correlationId {{correlation_id:int}} {_FROM_CONTROLLER} "
    "as part of the become-leader transition for {partitions:int} partitions",
)
@dataclass(frozen=True, slots=True)
class LeaderFetchersStopped(Message):
    """A broker stopped fetching partitions that it is to lead."""

    correlation_id: int
    controller: int
    controller_epoch: int
    partitions: int


@_says(
    "B.lisr.fetchers",
    "INFO",
    f"Stopped fetchers as part of become-follower request {_FROM_CONTROLLER} "
    "with correlation id {correlation_id:int} for {partitions:int} partitions",
)
@dataclass(frozen=True, slots=True)
class FollowerFetchersStopped(Message):
    """A broker stopped fetching partitions that it is to follow another leader of."""

    controller: int
    controller_epoch: int
    correlation_id: int
    partitions: int


@_says(
    "B.leader",
    "INFO",
    "Leader {partition:partition} with topic id {topic_id:some_id} starts at leader epoch {leader_epoch:int} "
    "from offset {offset:int} with partition epoch {partition_epoch:int}, high watermark {high_watermark:int}, "
    "ISR {isr:bracketed}, adding replicas {adding:bracketed} and removing replicas {removing:bracketed} "
    "{is_under_min_isr:below_minimum}. "
    "Previous leader {previous_leader:some_int} and previous leader epoch was {previous_leader_epoch:int}.",
)
@dataclass(frozen=True, slots=True)
class LeaderStarted(Message):
    """A broker leads a partition in a new leader epoch, from an offset of its log on."""

    partition: TopicPartition
    topic_id: str | None
    leader_epoch: int
    offset: int
    partition_epoch: int
    high_watermark: int
    isr: tuple[int, ...]
    adding: tuple[int, ...]
    removing: tuple[int, ...]
    is_under_min_isr: bool
    previous_leader: int | None
    previous_leader_epoch: int


@_says(
    "B.leader",
    "INFO",
    "Leader {partition:partition} with topic id {topic_id:some_id} starts at leader epoch {leader_epoch:int} "
    "from offset {offset:int} with partition epoch {partition_epoch:int}, high watermark {high_watermark:int}, "
    "ISR {isr:bracketed}, adding replicas {adding:bracketed} and removing replicas {removing:bracketed}. "
    "Previous leader epoch was {previous_leader_epoch:int}.",
)
@dataclass(frozen=True, slots=True)
class LeaderStartedOf33(LeaderStarted):
    """The same as brokers up to 3.3 write it: without the leader before, and whether the ISR is too small."""

    is_under_min_isr: bool = False
    previous_leader: int | None = None
    previous_leader_epoch: int = -1


@_says(
    "B.follower",
    "INFO",
    "Follower {partition:partition} starts at leader epoch {leader_epoch:int} from offset {offset:int} "
    "with partition epoch {partition_epoch:int} and high watermark {high_watermark:int}. "
    "Current leader is {leader:int}. "
    "Previous leader {previous_leader:some_int} and previous leader epoch was {previous_leader_epoch:int}.",
)
@dataclass(frozen=True, slots=True)
class FollowerStarted(Message):
    """A broker follows a leader in a new leader epoch; Kafka prints the new leader as the previous one, too."""

    partition: TopicPartition
    leader_epoch: int
    offset: int
    partition_epoch: int
    high_watermark: int
    leader: int
    previous_leader: int | None
    previous_leader_epoch: int


@_says(
    "B.lisr.ignored.partition",
    "INFO",
    "Ignoring LeaderAndIsr request from controller {controller:int} with correlation id {correlation_id:int} "
    "epoch {controller_epoch:int} for partition {partition:partition} {reason:refusal}",
)
@dataclass(frozen=True, slots=True)
class LeaderAndIsrIgnored(Message):
    """A broker ignored one partition of a LeaderAndIsr request; WARN but where the leader epochs are the same."""

    controller: int
    correlation_id: int
    controller_epoch: int
    partition: TopicPartition
    reason: Refusal


@_says(
    "B.lisr.ignored.controller-epoch",
    "WARN",
    "Ignoring LeaderAndIsr request from controller {controller:int} with correlation id {correlation_id:int} "
    "since its controller epoch {controller_epoch:int} is old. Latest known controller epoch is {known_epoch:int}",
)
@dataclass(frozen=True, slots=True)
class StaleLeaderAndIsr(Message):
    """A broker refused a LeaderAndIsr request of an old controller."""

    controller: int
    correlation_id: int
    controller_epoch: int
    known_epoch: int


@_says(
    "B.stop.received",
    "TRACE",
    f"Received StopReplica request {{state:stop_state}} correlation id {{correlation_id:int}} {_FROM_CONTROLLER} "
    "for partition {partition:partition}",
)
@dataclass(frozen=True, slots=True)
class StopReplicaReceived(Message):
    """A broker got one partition of a StopReplica request."""

    state: StopReplicaPartitionState
    correlation_id: int
    controller: int
    controller_epoch: int
    partition: TopicPartition


@_says(
    "B.stop.handling",
    "INFO",
    "Handling StopReplica request correlationId {correlation_id:int} from controller {controller:int} "
    "for {partitions:int} partitions",
)
@dataclass(frozen=True, slots=True)
class StopReplicaHandling(Message):
    """A broker begins with a StopReplica request."""

    correlation_id: int
    controller: int
    partitions: int


@_says(
    "B.stop.ignored.partition",
    "WARN",
    "Ignoring StopReplica request (delete={delete:truth}) from controller {controller:int} "
    "with correlation id {correlation_id:int} epoch {controller_epoch:int} "
    "for partition {partition:partition} {reason:refusal}",
)
@dataclass(frozen=True, slots=True)
class StopReplicaIgnored(Message):
    """A broker ignored one partition of a StopReplica request, or failed to delete a replica (then ERROR)."""

    delete: bool
    controller: int
    correlation_id: int
    controller_epoch: int
    partition: TopicPartition
    reason: Refusal


@_says(
    "B.stop.ignored.controller-epoch",
    "WARN",
    "Ignoring StopReplica request from controller {controller:int} with correlation id {correlation_id:int} "
    "since its controller epoch {controller_epoch:int} is old. Latest known controller epoch is {known_epoch:int}",
)
@dataclass(frozen=True, slots=True)
class StaleStopReplica(Message):
    """A broker refused a StopReplica request of an old controller."""

    controller: int
    correlation_id: int
    controller_epoch: int
    known_epoch: int
