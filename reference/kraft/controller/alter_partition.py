"""A leader proposes an ISR: `AlterPartition`, checked in Kafka's order (S3:218-220)."""

from __future__ import annotations

from fencepost.reference.kraft.errors import Errors
from fencepost.reference.kraft.messages import AlterPartitionAnswer, AlterPartitionData, AlterPartitionRequest
from fencepost.reference.kraft.records import NO_LEADER_CHANGE, Message
from fencepost.reference.kraft.results import ControllerResult

from .indexes import TopicPartition
from .partition_change_builder import Election
from .partitions import RECOVERED, RECOVERING, PartitionRegistration, Topic
from .replication_state import ReplicationState

NOT_TOLD = -1
"""The broker epoch of a member where the request does not tell it: it is not compared."""

_CARRIES_EPOCHS = 3
"""The first version of AlterPartition that has the broker epochs of the members."""


def alter_partition(
    state: ReplicationState, request: AlterPartitionRequest
) -> ControllerResult[tuple[AlterPartitionAnswer, ...]]:
    """Accept or refuse the ISRs that a leader proposes, each by itself; raises STALE_BROKER_EPOCH for all."""
    state.cluster.check_epoch(request.broker_id, request.broker_epoch)
    records: list[Message] = []
    seen: dict[TopicPartition, PartitionRegistration] = {}
    answers = tuple(_alter(state, request, data, records, seen) for data in request.partitions)
    return ControllerResult(tuple(records), answers)


def _alter(
    state: ReplicationState,
    request: AlterPartitionRequest,
    data: AlterPartitionData,
    records: list[Message],
    seen: dict[TopicPartition, PartitionRegistration],
) -> AlterPartitionAnswer:
    """Answer for one partition; `seen` holds what it was made by the same request, at which Kafka does not look."""
    where = (data.topic_id, data.partition)
    topic = state.topics.get(data.topic_id)
    if topic is None:
        return AlterPartitionAnswer(*where, Errors.UNKNOWN_TOPIC_ID)
    partition = state.partitions.get(where)
    if "D16" in state.repaired:
        partition = seen.get(where, partition)
    if partition is None:
        return AlterPartitionAnswer(*where, Errors.UNKNOWN_TOPIC_OR_PARTITION)
    error = _validate(state, request, data, partition)
    if error is not Errors.NONE:
        return AlterPartitionAnswer(*where, error)
    record = _build(state, topic, data, partition)
    if record is not None:
        records.append(record)
        partition = seen[where] = partition.merge(record.data)
        if record.data.get("leader", NO_LEADER_CHANGE) not in (NO_LEADER_CHANGE, request.broker_id):
            # The change completed a reassignment that takes the leadership away: written, and refused as well, so that
            # the old leader asks for metadata.
            return AlterPartitionAnswer(*where, Errors.NEW_LEADER_ELECTED)
    return AlterPartitionAnswer(
        *where,
        Errors.NONE,
        leader=partition.leader,
        leader_epoch=partition.leader_epoch,
        isr=partition.isr,
        leader_recovery_state=partition.leader_recovery_state,
        partition_epoch=partition.partition_epoch,
    )


def _validate(
    state: ReplicationState, request: AlterPartitionRequest, data: AlterPartitionData, partition: PartitionRegistration
) -> Errors:
    # A leader that knows more than this controller has found a newer one.
    if data.leader_epoch > partition.leader_epoch or data.partition_epoch > partition.partition_epoch:
        return Errors.NOT_CONTROLLER
    if data.leader_epoch < partition.leader_epoch:
        return Errors.FENCED_LEADER_EPOCH
    if request.broker_id != partition.leader:
        return Errors.INVALID_REQUEST
    if data.partition_epoch < partition.partition_epoch:
        return Errors.INVALID_UPDATE_VERSION
    isr = [broker for broker, _ in data.new_isr]
    if len(set(isr)) != len(isr) or not set(isr) <= set(partition.replicas) or partition.leader not in isr:
        return Errors.INVALID_REQUEST
    if data.leader_recovery_state == RECOVERING and (len(isr) > 1 or partition.leader_recovery_state == RECOVERED):
        return Errors.INVALID_REQUEST
    epochs_told = request.version >= _CARRIES_EPOCHS
    if not all(_is_eligible(state, broker, epoch if epochs_told else NOT_TOLD) for broker, epoch in data.new_isr):
        return Errors.INELIGIBLE_REPLICA
    return Errors.NONE


def _is_eligible(state: ReplicationState, broker: int, epoch: int) -> bool:
    """Whether a broker may be in an ISR: active, and still the process that the leader saw (KIP-903)."""
    if not state.cluster.is_active(broker):
        return False
    return epoch in (NOT_TOLD, state.cluster.registrations[broker].epoch)


def _build(
    state: ReplicationState, topic: Topic, data: AlterPartitionData, partition: PartitionRegistration
) -> Message | None:
    if data.leader_recovery_state not in (RECOVERED, RECOVERING):
        # LeaderRecoveryState.of: only a broken broker sends another byte, and nothing of the request is written.
        raise ValueError(f"Unknown leader recovery state {data.leader_recovery_state}")
    builder = state.builder(topic, data.partition, partition)
    if state.allows_unclean(topic, partition):
        builder.election = Election.UNCLEAN
    builder.target_isr = tuple(broker for broker, _ in data.new_isr)
    builder.target_recovery = data.leader_recovery_state
    return builder.build()
