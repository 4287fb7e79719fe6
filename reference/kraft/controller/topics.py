"""Topics created, enlarged and deleted by administrators (ReplicationControlManager.createTopics)."""

from __future__ import annotations

import base64
import random
from collections.abc import Sequence

from fencepost.reference.kraft.errors import ApiError, Errors
from fencepost.reference.kraft.messages import (
    AUTO,
    CreatePartitionsRequest,
    CreateTopicAnswer,
    CreateTopicsRequest,
    DeleteTopicsRequest,
    PartitionAnswer,
    PartitionsRequest,
    TopicRequest,
)
from fencepost.reference.kraft.records import Message
from fencepost.reference.kraft.results import MAX_RECORDS_PER_USER_OP, ControllerResult

from .config_schema import LEGAL_TOPIC_NAME, LONGEST_TOPIC_NAME
from .hash_tables import first_of
from .partitions import Brokers, PartitionRegistration
from .replication_state import ReplicationState, bounded, has_collision_characters, unified

MAX_PARTITIONS_PER_REQUEST = MAX_RECORDS_PER_USER_OP


# -- creating topics ---------------------------------------------------------------------------------------------------
def create_topics(
    state: ReplicationState, request: CreateTopicsRequest
) -> ControllerResult[tuple[CreateTopicAnswer, ...]]:
    """Create topics, each by itself, all that succeed in one batch; raises POLICY_VIOLATION for too many partitions."""
    if sum(_wanted(state, topic) for topic in request.topics) > MAX_PARTITIONS_PER_REQUEST:
        raise ApiError(Errors.POLICY_VIOLATION, "Excessively large number of partitions per request.")
    records: list[Message] = []
    answers = []
    for topic in request.topics:
        try:
            _check_new(state, topic)
            answers.append(_create_topic(state, topic, records))
        except ApiError as error:
            answers.append(CreateTopicAnswer(topic.name, error.error, error.message))
        bounded(records)
    return ControllerResult(() if request.validate_only else tuple(records), tuple(answers), atomic=True)


def _wanted(state: ReplicationState, topic: TopicRequest) -> int:
    if topic.assignments:
        return len(topic.assignments)
    return state.settings.num_partitions if topic.num_partitions == AUTO else max(topic.num_partitions, 0)


def _check_new(state: ReplicationState, topic: TopicRequest) -> None:
    if topic.name in state.topic_ids:
        raise ApiError(Errors.TOPIC_ALREADY_EXISTS, f"Topic '{topic.name}' already exists.")
    check_name(topic.name)
    if has_collision_characters(topic.name) and unified(topic.name) in state.colliding_names:
        other = state.colliding_names[unified(topic.name)][0]
        raise ApiError(Errors.INVALID_TOPIC_EXCEPTION, f"Topic '{topic.name}' collides with existing topic: {other}")
    unset = [key for key, value in topic.configs if value is None]
    if unset:
        raise ApiError(Errors.INVALID_CONFIG, f"Null value not supported for topic configs: {','.join(unset)}")


def check_name(name: str) -> None:
    """Raise INVALID_TOPIC_EXCEPTION for what is no name of a topic."""
    if not LEGAL_TOPIC_NAME.fullmatch(name) or name in (".", "..") or len(name) > LONGEST_TOPIC_NAME:
        message = f"Topic name is invalid: '{name}': 1 to {LONGEST_TOPIC_NAME} letters, digits, '.', '_' and '-'."
        raise ApiError(Errors.INVALID_TOPIC_EXCEPTION, message)


def _create_topic(state: ReplicationState, topic: TopicRequest, records: list[Message]) -> CreateTopicAnswer:
    configs = state.configurations.for_new_topic(topic.name, topic.configs) if topic.configs else ()
    partitions = _assigned(state, topic) if topic.assignments else _placed(state, topic)
    topic_id = random_uuid(state.random)
    records.append(Message("TOPIC_RECORD", 0, {"name": topic.name, "topicId": topic_id}))
    records += configs
    level, elr_enabled = state.features.metadata_version_or_throw(), state.features.elr_enabled
    records += [
        partition.to_record(topic_id, number, level, elr_enabled) for number, partition in enumerate(partitions)
    ]
    factor = len(partitions[0].replicas)
    return CreateTopicAnswer(topic.name, Errors.NONE, "", topic_id, len(partitions), factor)


def _assigned(state: ReplicationState, topic: TopicRequest) -> list[PartitionRegistration]:
    """Return the partitions of a topic whose replicas the request names."""
    if topic.replication_factor != AUTO or topic.num_partitions != AUTO:
        message = "A manual partition assignment was specified, and a replication factor or a number of partitions too."
        raise ApiError(Errors.INVALID_REQUEST, message)
    partitions: dict[int, PartitionRegistration] = {}
    factor: int | None = None
    for number, replicas in topic.assignments:
        if number in partitions:
            raise _assignment(f"Found multiple manual partition assignments for partition {number}")
        check_manual_assignment(state, replicas, factor)
        factor = len(replicas)
        partitions[number] = _new_partition(state, replicas, Errors.INVALID_REPLICA_ASSIGNMENT)
    if sorted(partitions) != list(range(len(partitions))):
        raise _assignment("partitions should be a consecutive 0-based integer sequence")
    return [partitions[number] for number in range(len(partitions))]


def _placed(state: ReplicationState, topic: TopicRequest) -> list[PartitionRegistration]:
    """Return the partitions of a topic whose replicas the controller places."""
    if topic.replication_factor < AUTO or topic.replication_factor == 0:
        raise ApiError(Errors.INVALID_REPLICATION_FACTOR, "Replication factor must be larger than 0, or -1.")
    if topic.num_partitions < AUTO or topic.num_partitions == 0:
        raise ApiError(Errors.INVALID_PARTITIONS, "Number of partitions was set to an invalid non-positive value.")
    count = state.settings.num_partitions if topic.num_partitions == AUTO else topic.num_partitions
    factor = topic.replication_factor
    if factor == AUTO:
        factor = state.settings.default_replication_factor
    placements = state.place(count, factor)
    return [_new_partition(state, replicas, Errors.INVALID_REPLICATION_FACTOR) for replicas in placements]


def _new_partition(
    state: ReplicationState, replicas: Brokers, nobody_active: Errors, diskless: bool = False, manual: bool = False
) -> PartitionRegistration:
    """Return a partition whose active replicas are in sync; raises the given error where there are none.

    All replicas of a diskless one are in sync; if an operator has chosen them the active ones come first.
    """
    isr = tuple(broker for broker in replicas if state.cluster.is_active(broker))
    if not isr:
        message = f"All brokers of the replicas {list(replicas)} are fenced or in controlled shutdown."
        raise ApiError(nobody_active, message)
    directories = tuple(state.cluster.default_directory(broker) for broker in replicas)
    leader = isr[0]
    if diskless:
        isr = (*isr, *(broker for broker in replicas if broker not in isr)) if manual else tuple(replicas)
    return PartitionRegistration(replicas=replicas, directories=directories, isr=isr, leader=leader)


def check_manual_assignment(state: ReplicationState, replicas: Sequence[int], factor: int | None) -> None:
    """Raise INVALID_REPLICA_ASSIGNMENT for replicas that cannot be; `factor` is how many there must be, None for any.

    A fenced broker is allowed, one with every log directory cordoned is not.
    """
    if not replicas:
        raise _assignment("The manual partition assignment includes an empty replica list.")
    for broker in sorted(replicas):
        if broker not in state.cluster.registrations:
            raise _assignment(f"The manual partition assignment includes broker {broker}, which is not registered.")
        if state.cluster.all_directories_cordoned(broker):
            raise _assignment(
                f"The manual partition assignment includes broker {broker}, whose directories are cordoned."
            )
    if len(set(replicas)) != len(replicas):
        raise _assignment(f"The manual partition assignment {list(replicas)} includes a broker more than once.")
    if factor is not None and len(replicas) != factor:
        raise _assignment(f"{len(replicas)} replicas are not consistent with other partitions, which have {factor}.")


def _assignment(message: str) -> ApiError:
    return ApiError(Errors.INVALID_REPLICA_ASSIGNMENT, message)


# -- more partitions, fewer topics -------------------------------------------------------------------------------------
def create_partitions(
    state: ReplicationState, request: CreatePartitionsRequest
) -> ControllerResult[tuple[PartitionAnswer, ...]]:
    """Enlarge topics, each by itself, all that succeed in one batch; an answer's partition is the topic's new count.

    Raises POLICY_VIOLATION for too many partitions.
    """
    if sum(_additional(state, topic) for topic in request.topics) > MAX_PARTITIONS_PER_REQUEST:
        raise ApiError(Errors.POLICY_VIOLATION, "Excessively large number of partitions per request.")
    records: list[Message] = []
    answers = []
    for topic in request.topics:
        try:
            _create_partitions(state, topic, records)
            answers.append(PartitionAnswer(topic.name, topic.count, Errors.NONE))
        except ApiError as error:
            answers.append(PartitionAnswer(topic.name, topic.count, error.error, error.message))
    return ControllerResult(() if request.validate_only else tuple(records), tuple(answers), atomic=True)


def _additional(state: ReplicationState, wanted: PartitionsRequest) -> int:
    topic = state.topic_named(wanted.name)
    return 0 if topic is None else max(wanted.count - len(topic.partitions), 0)


def _create_partitions(state: ReplicationState, wanted: PartitionsRequest, records: list[Message]) -> None:
    """Add the records of a topic's new partitions to those given.

    Raises ApiError where the topic is refused; what was added before a partition that no broker could lead remains
    (D30).
    """
    topic = state.topic_named(wanted.name)
    if topic is None:
        raise ApiError(Errors.UNKNOWN_TOPIC_OR_PARTITION)
    start = len(topic.partitions)
    additional = wanted.count - start
    if additional <= 0:
        message = f"The topic {wanted.name} has {start} partition(s); {wanted.count} would not be an increase."
        raise ApiError(Errors.INVALID_PARTITIONS, message)
    if wanted.assignments is not None and len(wanted.assignments) != additional:
        raise _assignment(f"{additional} partition(s) were to be added, with {len(wanted.assignments)} assignment(s).")
    # As many replicas as the first partition that a hash table names; while it is reassigned these are too many.
    changed = any(partition.partition_epoch > 0 for _, partition in state.partitions_of(topic))
    model = state.partitions[topic.id, first_of(start, changed)]
    factor = len(model.replicas)
    if "D17" in state.repaired:
        factor -= len(model.removing_replicas)
    level, elr_enabled = state.features.metadata_version_or_throw(), state.features.elr_enabled
    chosen: Sequence[Sequence[int]]
    if wanted.assignments is None:
        chosen = state.place(additional, factor)
        refusal, keeps = Errors.INVALID_REPLICATION_FACTOR, "D30" not in state.repaired
    else:
        for replicas in wanted.assignments:
            check_manual_assignment(state, replicas, factor)
        chosen, refusal, keeps = wanted.assignments, Errors.INVALID_REPLICA_ASSIGNMENT, False
    made: list[Message] = records if keeps else []
    for number, replicas in enumerate(chosen, start):
        one = _new_partition(state, replicas, refusal, state.is_diskless(topic.name), wanted.assignments is not None)
        made.append(one.to_record(topic.id, number, level, elr_enabled))
    if not keeps:
        records += made


def delete_topics(state: ReplicationState, request: DeleteTopicsRequest) -> ControllerResult[dict[str, Errors]]:
    """Delete topics, each by itself, all that exist in one batch; their reassignments do not matter."""
    records: list[Message] = []
    answers: dict[str, Errors] = {}
    for topic_id in dict.fromkeys(request.topic_ids):
        known = topic_id in state.topics
        answers[topic_id] = Errors.NONE if known else Errors.UNKNOWN_TOPIC_ID
        if known:
            records.append(Message("REMOVE_TOPIC_RECORD", 0, {"topicId": topic_id}))
    return ControllerResult(tuple(bounded(records)), answers, atomic=True)


def random_uuid(randomness: random.Random) -> str:
    """Return a random id as Kafka makes one: version 4, in base64url, and with no dash in front."""
    while True:
        number = randomness.getrandbits(128)
        number = number & ~(0xF << 76) | 0x4 << 76
        number = number & ~(0x3 << 62) | 0x2 << 62
        text = base64.urlsafe_b64encode(number.to_bytes(16))[:22].decode("ascii")
        if not text.startswith("-"):
            return text
