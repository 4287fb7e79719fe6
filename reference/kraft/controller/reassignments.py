"""Replicas that move to other brokers: reassignments begun, overridden and cancelled (alterPartitionReassignments).

A reassignment that is under way completes in whatever change of the partition finds the added replicas in sync; that
is in the builder. `replicas` holds the target first and what is to be removed after it.
"""

from __future__ import annotations

from fencepost.reference.kraft.errors import ApiError, Errors
from fencepost.reference.kraft.messages import (
    AlterPartitionReassignmentsRequest,
    PartitionAnswer,
    ReassignablePartition,
)
from fencepost.reference.kraft.records import Message
from fencepost.reference.kraft.results import MAX_RECORDS_PER_USER_OP, ControllerResult

from .diskless import target_at_once
from .partition_change_builder import Election
from .partitions import PartitionRegistration, Topic, without
from .replication_state import ReplicationState
from .topics import check_manual_assignment


def alter_partition_reassignments(
    state: ReplicationState, request: AlterPartitionReassignmentsRequest
) -> ControllerResult[tuple[PartitionAnswer, ...]]:
    """Begin, override or cancel reassignments, each partition by itself, all that succeed in one batch."""
    records: list[Message] = []
    answers = []
    for target in request.partitions:
        try:
            record = _alter(state, target, request.allow_replication_factor_change)
            if record is not None and len(records) == MAX_RECORDS_PER_USER_OP:
                raise RuntimeError("no more records go into one batch")
        except ApiError as error:
            answers.append(PartitionAnswer(target.topic, target.partition, error.error, error.message))
            continue
        except (RuntimeError, ValueError) as error:
            # Kafka turns whatever goes wrong with one partition into its answer.
            answer = PartitionAnswer(target.topic, target.partition, Errors.UNKNOWN_SERVER_ERROR, str(error))
            answers.append(answer)
            continue
        if record is not None:
            records.append(record)
        answers.append(PartitionAnswer(target.topic, target.partition, Errors.NONE))
    return ControllerResult(tuple(records), tuple(answers), atomic=True)


def _alter(state: ReplicationState, target: ReassignablePartition, factor_may_change: bool) -> Message | None:
    topic = state.topic_named(target.topic)
    partition = None if topic is None else state.partitions.get((topic.id, target.partition))
    if topic is None or partition is None:
        raise ApiError(Errors.UNKNOWN_TOPIC_OR_PARTITION, f"Unable to find {target.topic}:{target.partition}.")
    if target.replicas is None:
        return _cancel(state, topic, target.partition, partition)
    return _change(state, topic, target.partition, partition, target.replicas, factor_may_change)


def _change(
    state: ReplicationState,
    topic: Topic,
    number: int,
    partition: PartitionRegistration,
    target: tuple[int, ...],
    factor_may_change: bool,
) -> Message | None:
    check_manual_assignment(state, target, None)
    at_once = target_at_once(state, topic, partition, target)
    if not factor_may_change:
        _check_factor(partition, target)
    # What a reassignment under way is adding counts as there already.
    removing = tuple(sorted(set(partition.replicas) - set(target)))
    adding = tuple(sorted(set(target) - set(partition.replicas)))
    builder = state.builder(topic, number, partition)
    if at_once is not None:
        if at_once != partition.replicas:
            builder.target_isr = builder.target_replicas = at_once
        return builder.build()
    builder.target_replicas = (*target, *removing)
    if removing or "D14" in state.repaired:
        builder.target_removing = removing
    if adding or "D14" in state.repaired:
        builder.target_adding = adding
    return builder.build()


def _check_factor(partition: PartitionRegistration, target: tuple[int, ...]) -> None:
    current = {*partition.replicas, *partition.adding_replicas} - set(partition.removing_replicas)
    if len(current) != len(target):
        message = f"The replication factor is changed from {len(current)} to {len(target)}"
        raise ApiError(Errors.INVALID_REPLICATION_FACTOR, message)


def _cancel(state: ReplicationState, topic: Topic, number: int, partition: PartitionRegistration) -> Message | None:
    """Go back to the replicas from before; where none of them is in sync, the first one only if unclean is allowed."""
    if not partition.is_reassigning:
        raise ApiError(Errors.NO_REASSIGNMENT_IN_PROGRESS, "No partition reassignment is in progress.")
    unclean_allowed = state.allows_unclean(topic, partition)
    replicas = without(partition.replicas, *partition.adding_replicas)
    isr = without(partition.isr, *partition.adding_replicas)
    clean = bool(isr)
    if "D8" in state.repaired and set(partition.elr) & set(replicas):
        # A replica from before can lead cleanly though none is in sync.
        clean = True
    if not clean:
        if not unclean_allowed:
            message = f"Unable to revert partition assignment for {topic.name}:{number}: no old replica is in sync."
            raise ApiError(Errors.INVALID_REPLICA_ASSIGNMENT, message)
        isr = replicas[:1]
    builder = state.builder(topic, number, partition)
    if unclean_allowed:
        builder.election = Election.UNCLEAN
    builder.target_isr, builder.target_replicas = isr, replicas
    builder.target_removing = builder.target_adding = ()
    return builder.build()
