"""Elections on request, and those of the periodic tasks (S3:274-280, electLeaders)."""

from __future__ import annotations

from fencepost.reference.kraft.errors import ApiError, Errors
from fencepost.reference.kraft.inkless import PENDING, SEAL
from fencepost.reference.kraft.messages import ElectLeadersRequest, PartitionAnswer
from fencepost.reference.kraft.records import NO_LEADER, Message
from fencepost.reference.kraft.results import ControllerResult

from .partition_change_builder import Election
from .replication_state import ReplicationState, bounded

PREFERRED, UNCLEAN = 0, 1
"""The types of elections in a request."""

MAX_ELECTIONS_PER_RUN = 1000
"""A periodic task that wrote as many is run again at once."""


def elect_leaders(
    state: ReplicationState, request: ElectLeadersRequest
) -> ControllerResult[tuple[PartitionAnswer, ...]]:
    """Elect leaders of some partitions, or of all; of all, those that need no election are not answered.

    Raises INVALID_REQUEST for another type of election, POLICY_VIOLATION for too many.
    """
    if request.election_type not in (PREFERRED, UNCLEAN):
        raise ApiError(Errors.INVALID_REQUEST, f"Unknown election type {request.election_type}")
    records: list[Message] = []
    answers = []
    for name, number in _all(state) if request.partitions is None else request.partitions:
        error = elect_leader(state, name, number, request.election_type, records)
        if request.partitions is not None or error is not Errors.ELECTION_NOT_NEEDED:
            answers.append(PartitionAnswer(name, number, error))
    return ControllerResult(tuple(bounded(records)), tuple(answers))


def _all(state: ReplicationState) -> list[tuple[str, int]]:
    topics = [state.topics[topic_id] for topic_id in state.topic_ids.values()]
    return [(topic.name, number) for topic in topics for number in topic.partitions]


def elect_leader(state: ReplicationState, name: str, number: int, kind: int, records: list[Message]) -> Errors:
    """Elect the leader of one partition: append its record, or return why there is none.

    An UNCLEAN election that was asked for does not look at the topic's configuration. A PREFERRED one of a partition
    without a leader may elect any replica that keeps it online.
    """
    topic = state.topic_named(name)
    partition = None if topic is None else state.partitions.get((topic.id, number))
    if topic is None or partition is None:
        return Errors.UNKNOWN_TOPIC_OR_PARTITION
    if partition.has_preferred_leader if kind == PREFERRED else partition.has_leader:
        return Errors.ELECTION_NOT_NEEDED
    if kind == UNCLEAN and partition.switch.get(SEAL) == PENDING:
        return Errors.INVALID_REQUEST
    builder = state.builder(topic, number, partition)
    builder.election = Election.PREFERRED if kind == PREFERRED else Election.UNCLEAN
    record = builder.build()
    if record is None:
        return Errors.PREFERRED_LEADER_NOT_AVAILABLE if kind == PREFERRED else Errors.ELIGIBLE_LEADERS_NOT_AVAILABLE
    records.append(record)
    return Errors.NONE


def maybe_balance_partition_leaders(state: ReplicationState) -> ControllerResult[bool]:
    """Give leaderships back to first replicas; true where there may be more than one run elects."""
    records: list[Message] = []
    for topic_id, number in state.indexes.imbalanced:
        if len(records) >= MAX_ELECTIONS_PER_RUN:
            break
        topic = state.topics.get(topic_id)
        if topic is None:
            continue
        builder = state.builder(topic, number, state.partitions[topic_id, number])
        builder.election = Election.PREFERRED
        record = builder.build()
        if record is not None:
            records.append(record)
    return ControllerResult(tuple(records), len(records) >= MAX_ELECTIONS_PER_RUN)


def maybe_elect_unclean_leaders(state: ReplicationState) -> ControllerResult[bool]:
    """Elect leaders of partitions without one, where the topic allows it unclean; true where there may be more."""
    records: list[Message] = []
    for topic_id, number in state.indexes.leaderships.of(NO_LEADER):
        if len(records) >= MAX_ELECTIONS_PER_RUN:
            break
        name = state.topics[topic_id].name
        if state.configurations.unclean_leader_election(name):
            elect_leader(state, name, number, UNCLEAN, records)
    return ControllerResult(tuple(records), len(records) >= MAX_ELECTIONS_PER_RUN)
