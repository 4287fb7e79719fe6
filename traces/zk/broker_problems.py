"""Lines of brokers in state-change.log that cannot, or need not, apply a LeaderAndIsr request."""

from __future__ import annotations

from dataclasses import dataclass

from .broker_lines import BROKER
from .messages import Message
from .values import LeaderAndIsrPartitionState, TopicPartition

_says = BROKER.says
_FROM_CONTROLLER = "from controller {controller:int} epoch {controller_epoch:int}"
_LAST_UPDATE = "(last update controller epoch {state_controller_epoch:int})"


@_says(
    "B.follower.no-leader",
    "ERROR",
    f"Received LeaderAndIsrRequest with correlation id {{correlation_id:int}} {_FROM_CONTROLLER} "
    f"for partition {{partition:partition}} {_LAST_UPDATE} "
    "but cannot become follower since the new leader {leader:int} is unavailable.",
)
@dataclass(frozen=True, slots=True)
class LeaderUnavailable(Message):
    """A broker knows of no live broker with the id of the leader that it is to follow, −1 where there is none."""

    correlation_id: int
    controller: int
    controller_epoch: int
    partition: TopicPartition
    state_controller_epoch: int
    leader: int


@_says(
    "B.follower.skipped-fetcher",
    "TRACE",
    "Skipped the adding-fetcher step of the become-follower state change with correlation id {correlation_id:int} "
    f"{_FROM_CONTROLLER} for partition {{partition:partition}} with leader {{leader:int}} since it is shutting down",
)
@dataclass(frozen=True, slots=True)
class FetcherSkipped(Message):
    """A broker that shuts down follows without fetching."""

    correlation_id: int
    controller: int
    controller_epoch: int
    partition: TopicPartition
    leader: int


@_says(
    "B.follower.skipped-topic-id",
    "TRACE",
    "Skipped the update topic ID step of the become-follower state change with correlation id {correlation_id:int} "
    f"{_FROM_CONTROLLER} for partition {{partition:partition}} since it is shutting down",
)
@dataclass(frozen=True, slots=True)
class TopicIdSkipped(Message):
    """A broker that shuts down leaves its fetchers without a topic's new id."""

    correlation_id: int
    controller: int
    controller_epoch: int
    partition: TopicPartition


@_says(
    "B.recovered",
    "INFO",
    "The topic partition {partition:partition} was marked as RECOVERING. Marking the topic partition as RECOVERED.",
)
@dataclass(frozen=True, slots=True)
class MarkedRecovered(Message):
    """The leader of an unclean election takes the partition for recovered."""

    partition: TopicPartition


_SKIPPED = (
    "Skipped the become-{role:word} state change for {partition:partition} with topic id {topic_id:some_id} "
    "and partition state {state:lisr_state} since "
)


@_says(
    "B.skipped.partition-epoch",
    "INFO",
    f"{_SKIPPED}the {{role_again:word}} is already at a newer partition epoch {{partition_epoch:int}}.",
)
@dataclass(frozen=True, slots=True)
class NewerPartitionEpoch(Message):
    """A broker skipped a change of role since it knows a later partition epoch; Kafka names the role twice."""

    role: str
    partition: TopicPartition
    topic_id: str | None
    state: LeaderAndIsrPartitionState
    role_again: str
    partition_epoch: int


@_says(
    "B.leader.already",
    "INFO",
    f"{_SKIPPED}it is already the leader with leader epoch {{leader_epoch:int}}. "
    "Current high watermark {high_watermark:int}, ISR {isr:bracketed}, adding replicas {adding:bracketed} "
    "and removing replicas {removing:bracketed}.",
)
@dataclass(frozen=True, slots=True)
class AlreadyLeader(Message):
    """A broker leads the partition in this leader epoch already."""

    role: str
    partition: TopicPartition
    topic_id: str | None
    state: LeaderAndIsrPartitionState
    leader_epoch: int
    high_watermark: int
    isr: tuple[int, ...]
    adding: tuple[int, ...]
    removing: tuple[int, ...]


@_says("B.follower.already", "INFO", f"{_SKIPPED}it is already a follower with leader epoch {{leader_epoch:int}}.")
@dataclass(frozen=True, slots=True)
class AlreadyFollower(Message):
    """A broker follows in this leader epoch already."""

    role: str
    partition: TopicPartition
    topic_id: str | None
    state: LeaderAndIsrPartitionState
    leader_epoch: int


@_says(
    "B.error",
    "ERROR",
    f"Skipped the become-{{role:word}} state change with correlation id {{correlation_id:int}} {_FROM_CONTROLLER} "
    f"for partition {{partition:partition}} {_LAST_UPDATE}<( with leader {{leader:int}})> "
    "since the replica for the partition is offline due to storage error {error:rest}",
)
@dataclass(frozen=True, slots=True)
class StorageFailed(Message):
    """A broker's log directory failed while it was to lead or follow; `leader` is given for a follower."""

    role: str
    correlation_id: int
    controller: int
    controller_epoch: int
    partition: TopicPartition
    state_controller_epoch: int
    leader: int | None
    error: str


@_says(
    "B.error",
    "ERROR",
    f"Error while processing LeaderAndIsr request correlationId {{correlation_id:int}} received {_FROM_CONTROLLER} "
    "for partition {partition:partition}",
)
@dataclass(frozen=True, slots=True)
class BecomeLeaderFailed(Message):
    """An exception ended a change to leader, for each of its partitions; the entry's cause names it."""

    correlation_id: int
    controller: int
    controller_epoch: int
    partition: TopicPartition


@_says(
    "B.error",
    "ERROR",
    f"Error while processing LeaderAndIsr request with correlationId {{correlation_id:int}} received {_FROM_CONTROLLER}"
    "<( when trying to update {step:words})>",
)
@dataclass(frozen=True, slots=True)
class BecomeFollowerFailed(Message):
    """An exception ended a change to follower; `step` is given where only the fetchers' topic ids were updated."""

    correlation_id: int
    controller: int
    controller_epoch: int
    step: str | None


@_says(
    "B.error",
    "ERROR",
    "A ZooKeeper client exception has occurred and makeLeader will be skipping the state change "
    "for the partition {partition:partition} with leader epoch: {leader_epoch:int}.",
)
@dataclass(frozen=True, slots=True)
class MakeLeaderSkipped(Message):
    """A broker could not read ZooKeeper when it was to lead; the entry's cause names the exception."""

    partition: TopicPartition
    leader_epoch: int


@_says(
    "B.error",
    "ERROR",
    "A ZooKeeper client exception has occurred. makeFollower will be skipping the state change "
    "for the partition {partition:partition} with leader epoch: {leader_epoch:int}.",
)
@dataclass(frozen=True, slots=True)
class MakeFollowerSkipped(Message):
    """A broker could not read ZooKeeper when it was to follow; the entry's cause names the exception."""

    partition: TopicPartition
    leader_epoch: int


@_says(
    "B.error",
    "ERROR",
    "Topic ID in memory: {known:topic_id} does not match the topic ID for partition {partition:partition} "
    "received: {received:topic_id}.",
)
@dataclass(frozen=True, slots=True)
class TopicIdInconsistent(Message):
    """A request names another topic id than the replica's log has."""

    known: str
    partition: TopicPartition
    received: str


@_says(
    "B.topic-id.assigned",
    "INFO",
    "Updating log for {partition:partition} to assign topic ID {topic_id:topic_id} from LeaderAndIsr request "
    "from controller {controller:int} with correlation id {correlation_id:int} epoch {controller_epoch:int}",
)
@dataclass(frozen=True, slots=True)
class TopicIdAssigned(Message):
    """A replica's log got its topic id."""

    partition: TopicPartition
    topic_id: str
    controller: int
    correlation_id: int
    controller_epoch: int


@_says(
    "B.topic-id.removed",
    "INFO",
    "Updating PartitionFetchState for {partition:partition} to remove log topic ID {topic_id:topic_id} "
    "since LeaderAndIsr request from controller {controller:int} with correlation id {correlation_id:int} "
    "epoch {controller_epoch:int} did not contain a topic ID",
)
@dataclass(frozen=True, slots=True)
class TopicIdRemoved(Message):
    """A fetcher lost its topic id, since a request has none."""

    partition: TopicPartition
    topic_id: str
    controller: int
    correlation_id: int
    controller_epoch: int


@_says(
    "B.strays",
    "INFO",
    "While handling full LeaderAndIsr request from KRaft controller {controller:int} "
    "with correlation id {correlation_id:int}, found {partitions:int} stray partition(s).",
)
@dataclass(frozen=True, slots=True)
class StraysFound(Message):
    """A broker in migration to KRaft found replicas that a full request does not name."""

    controller: int
    correlation_id: int
    partitions: int


@_says("B.error", "ERROR", "Received UpdateMetadataRequest with Type=FULL (2), but {reason:rest}")
@dataclass(frozen=True, slots=True)
class NotTakenAsFull(Message):
    """A broker takes a full UpdateMetadata request of a KRaft controller for an ordinary one."""

    reason: str
