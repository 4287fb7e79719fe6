"""The switch of a classic topic to diskless storage, as the controller of Inkless makes it (ReplicationControlManager).

Setting diskless.enable marks every partition of the topic with the leader that it has, in the batch of the setting; the
leader says where its sealed log ends, once all of it is acknowledged.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from fencepost.reference.kraft.errors import ApiError, Errors
from fencepost.reference.kraft.inkless import (
    DISKLESS_ENABLE,
    EPOCH_AT_SEAL,
    INKLESS,
    NO_SWITCH,
    PENDING,
    PRODUCERS,
    SEAL,
)
from fencepost.reference.kraft.messages import (
    TOPIC_RESOURCE,
    ConfigResource,
    DisklessSeal,
    InitDisklessLogRequest,
    PartitionAnswer,
)
from fencepost.reference.kraft.records import Message
from fencepost.reference.kraft.results import ControllerResult

from .config_schema import UNCLEAN_LEADER_ELECTION
from .partitions import RECOVERED, PartitionRegistration, Topic
from .replication_state import ReplicationState


def install(state: ReplicationState) -> None:
    """Let the manager of configurations ask about switches, and mark partitions, if this is a controller of Inkless."""
    if state.settings.fork == INKLESS:
        state.configurations.allows = lambda resource, changes: _check(state, resource, changes)
        state.configurations.behind = lambda records: _marks(state, records)


def _check(state: ReplicationState, resource: ConfigResource, changes: Mapping[str, str | None]) -> None:
    """Raise INVALID_CONFIG for a topic that cannot be switched, or could not go back."""
    if resource.type != TOPIC_RESOURCE or DISKLESS_ENABLE not in changes:
        return
    topic = state.topic_named(resource.name)
    if changes[DISKLESS_ENABLE] is None or (state.is_diskless(resource.name) and changes[DISKLESS_ENABLE] != "true"):
        raise ApiError(Errors.INVALID_CONFIG, f"{DISKLESS_ENABLE} of {resource.name} cannot be taken back.")
    if topic is None or changes[DISKLESS_ENABLE] != "true" or state.is_diskless(resource.name):
        return
    if state.configurations.unclean_leader_election(topic.name) or changes.get(UNCLEAN_LEADER_ELECTION) == "true":
        raise ApiError(Errors.INVALID_CONFIG, f"Cannot switch topic {topic.name}, which allows unclean elections.")
    for number, partition in state.partitions_of(topic):
        reason = _unfit(partition)
        if reason:
            message = f"Cannot switch topic {topic.name} to diskless: partition {number} {reason}."
            raise ApiError(Errors.INVALID_CONFIG, message)


def _unfit(partition: PartitionRegistration) -> str:
    """Return why a partition cannot be switched, in Inkless's order; empty where it can."""
    if not partition.has_leader:
        return "is offline"
    if partition.leader_recovery_state != RECOVERED:
        return "recovers from an unclean election"
    if partition.is_reassigning:
        return "is being reassigned"
    if partition.elr or partition.last_known_elr:
        return "has eligible leader replicas"
    return "is under-replicated" if len(partition.isr) < len(partition.replicas) else ""


def _marks(state: ReplicationState, records: Iterable[Message]) -> list[Message]:
    """Return what marks the partitions of topics that settings make diskless."""
    marks: list[Message] = []
    for record in records:
        data = record.data
        is_switch = (data["resourceType"], data["name"], data["value"]) == (TOPIC_RESOURCE, DISKLESS_ENABLE, "true")
        topic = state.topic_named(data["resourceName"]) if is_switch else None
        if topic is None or state.is_diskless(topic.name):
            continue
        for number, partition in state.partitions_of(topic):
            if not partition.switch:
                marks.append(_change(topic, number, {"leader": partition.leader, SEAL: PENDING}))
    return marks


def init_diskless_log(
    state: ReplicationState, request: InitDisklessLogRequest
) -> ControllerResult[tuple[PartitionAnswer, ...]]:
    """Commit the seals that a leader proposes, each by itself; raises STALE_BROKER_EPOCH for all."""
    state.cluster.check_epoch(request.broker_id, request.broker_epoch)
    records: list[Message] = []
    answers = []
    for seal in request.seals:
        error = _refusal(state, request.broker_id, seal)
        if error is Errors.NONE:
            said: dict[str, object] = {SEAL: seal.offset, EPOCH_AT_SEAL: seal.leader_epoch}
            if seal.producers:
                said[PRODUCERS] = seal.producers
            records.append(_change(state.topics[seal.topic_id], seal.partition, said))
        answers.append(PartitionAnswer(seal.topic_id, seal.partition, error))
    return ControllerResult(tuple(records), tuple(answers))


def _refusal(state: ReplicationState, broker: int, seal: DisklessSeal) -> Errors:
    if seal.topic_id not in state.topics:
        return Errors.UNKNOWN_TOPIC_ID
    partition = state.partitions.get((seal.topic_id, seal.partition))
    if partition is None:
        return Errors.UNKNOWN_TOPIC_OR_PARTITION
    if seal.leader_epoch != partition.leader_epoch:
        return Errors.NOT_CONTROLLER if seal.leader_epoch > partition.leader_epoch else Errors.FENCED_LEADER_EPOCH
    if partition.leader != broker or seal.offset < 0 or partition.switch.get(SEAL, NO_SWITCH) != PENDING:
        return Errors.INVALID_REQUEST
    return Errors.NONE


def _change(topic: Topic, number: int, said: Mapping[str, object]) -> Message:
    """Return a change that Inkless makes without the builder: of version 0, without any field that it does not name."""
    return Message("PARTITION_CHANGE_RECORD", 0, {"partitionId": number, "topicId": topic.id, **said})


def target_at_once(
    state: ReplicationState, topic: Topic, partition: PartitionRegistration, target: Sequence[int]
) -> tuple[int, ...] | None:
    """Return the ISR that a reassignment of a diskless partition gets at once, None for a classic one.

    With the repair I8 a switched partition does not get it, either: new replicas have no classic record. Raises
    INVALID_REPLICA_ASSIGNMENT where no broker of the target is active.
    """
    if not state.is_diskless(topic.name) or (partition.switch and "I8" in state.repaired):
        return None
    if not any(map(state.cluster.is_active, target)):
        message = f"None of the target replicas {list(target)} are active."
        raise ApiError(Errors.INVALID_REPLICA_ASSIGNMENT, message)
    return tuple(target)
