"""Log directories of brokers: replicas that move between them, and directories that fail (AssignReplicasToDirs)."""

from __future__ import annotations

from collections.abc import Sequence

from fencepost.reference.kraft.errors import ApiError, Errors
from fencepost.reference.kraft.inkless import INKLESS
from fencepost.reference.kraft.levels import DIRECTORIES
from fencepost.reference.kraft.messages import AssignReplicasToDirsRequest, DirectoryAnswer
from fencepost.reference.kraft.records import LOST_DIRECTORY, Message
from fencepost.reference.kraft.results import ControllerResult

from .fan_out import leader_and_isr_updates, registration_change
from .indexes import TopicPartition
from .replication_state import ReplicationState


def directories_offline(state: ReplicationState, broker: int, epoch: int, offline: Sequence[str]) -> list[Message]:
    """Return the records for directories that a broker says are offline; none for what is known already."""
    known = state.cluster.registrations[broker].directories
    failed = [directory for directory in known if directory in offline]
    if not failed:
        return []
    records = []
    for directory in failed:
        records += leader_and_isr_updates(state, state.indexes.in_directory(directory), remove=broker)
    remaining = [directory for directory in known if directory not in offline]
    if not remaining and "D12" in state.repaired:
        # An empty list would mean "no change"; a directory that is never online says that none is left.
        remaining = [LOST_DIRECTORY]
    changes = {"logDirs": remaining} if remaining else {}
    return [*records, registration_change(broker, epoch, 2, **changes)]


def directories_cordoned(
    state: ReplicationState, broker: int, epoch: int, cordoned: Sequence[str] | None
) -> list[Message]:
    """Return the record for the directories that a broker says take no new replicas, if they are others than known.

    A registration without any list differs from one with an empty list.
    """
    if cordoned is None:
        return []
    known = state.cluster.registrations[broker].cordoned_directories
    if known is not None and set(known) == set(cordoned):
        return []
    return [registration_change(broker, epoch, 3, cordonedLogDirs=list(cordoned))]


def assign_replicas_to_dirs(
    state: ReplicationState, request: AssignReplicasToDirsRequest
) -> ControllerResult[tuple[DirectoryAnswer, ...]]:
    """Note in which directories a broker has its replicas.

    A directory that is not registered counts as offline: its replica leaves the ISR, in a second record that was built
    from the same state as the first.
    """
    if state.features.metadata_version_or_throw() < DIRECTORIES:
        raise ApiError(Errors.UNSUPPORTED_VERSION, "Directory assignment is not supported yet.")
    broker = request.broker_id
    state.cluster.check_epoch(broker, request.broker_epoch)
    records: list[Message] = []
    offline: dict[TopicPartition, None] = {}
    answers = []
    for directory, topic_id, number in request.assignments:
        error = _assign(state, broker, directory, (topic_id, number), records)
        if error is Errors.NONE and not state.cluster.has_online_directory(broker, directory):
            offline[topic_id, number] = None
        answers.append(DirectoryAnswer(directory, topic_id, number, error))
    records += leader_and_isr_updates(state, offline, remove=broker)
    return ControllerResult(tuple(records), tuple(answers))


def _assign(
    state: ReplicationState, broker: int, directory: str, where: TopicPartition, records: list[Message]
) -> Errors:
    topic = state.topics.get(where[0])
    if topic is None:
        return Errors.UNKNOWN_TOPIC_ID
    partition = state.partitions.get(where)
    if partition is None:
        return Errors.UNKNOWN_TOPIC_OR_PARTITION
    if broker not in partition.replicas:
        return Errors.NOT_LEADER_OR_FOLLOWER
    # Inkless is made from Kafka 4.2, which forgot to tell the builder here that these are on.
    builder = state.builder(topic, where[1], partition, knows_elr=state.settings.fork != INKLESS)
    builder.target_directories[broker] = directory
    record = builder.build()
    if record is not None:
        records.append(record)
    return Errors.NONE
