"""The lines of state-change.log and controller.log, as Kafka 3.9 writes them with logging at TRACE."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import UTC, datetime

from .messages import LeaderAndIsrPartition, StopReplicaPartition, UpdateMetadataPartition
from .names import RECOVERY_NAMES, Leadership, ReplicaAssignment, TopicPartition

STATE_CHANGE = "state.change.logger"
CONTROLLER = "kafka.controller.KafkaController"


class BrokerLog:
    """The two logs of one broker: lines in the order in which they were written, without their ends."""

    def __init__(self, broker: int, time_ms: Callable[[], int]) -> None:
        self.broker, self.time_ms = broker, time_ms
        self.state_change_lines: list[str] = []
        self.controller_lines: list[str] = []

    def state_change(self, level: str, text: str, exception: str = "") -> None:
        """Write to state-change.log; an exception follows on a line of its own."""
        self.state_change_lines.append(f"[{stamp(self.time_ms())}] {level} {text} ({STATE_CHANGE})")
        if exception:
            self.state_change_lines.append(exception)

    def from_broker(self, level: str, text: str) -> None:
        """Write to state-change.log what the broker, not its controller, has to say."""
        self.state_change(level, f"[Broker id={self.broker}] {text}")

    def controller(self, level: str, text: str, logger: str = CONTROLLER, sender: str = "") -> None:
        """Write to controller.log."""
        sender = sender or f"[Controller id={self.broker}]"
        self.controller_lines.append(f"[{stamp(self.time_ms())}] {level} {sender} {text} ({logger})")


def stamp(time_ms: int) -> str:
    """Return a time as the logs have it, in UTC.

    >>> stamp(1795244449218)
    '2026-11-21 07:00:49,218'
    """
    seconds, rest = divmod(time_ms, 1000)
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%d %H:%M:%S},{rest:03d}"


# -- values ------------------------------------------------------------------------------------------------------------
def listed(values: Iterable[object], between: str = ", ") -> str:
    """Return values with something between them.

    >>> listed([1, 2], ",")
    '1,2'
    """
    return between.join(map(str, values))


def new_leadership(leadership: Leadership) -> str:
    """Return a leadership as the lines of elections have it."""
    isr = listed(f"BrokerState(brokerId={one}, brokerEpoch=-1)" for one in leadership.isr)
    return (
        f"LeaderAndIsr(leader={leadership.leader}, leaderEpoch={leadership.leader_epoch}, "
        f"isrWithBrokerEpoch=List({isr}), leaderRecoveryState={RECOVERY_NAMES[leadership.recovery]}, "
        f"partitionEpoch={leadership.version})"
    )


def old_leadership(leadership: Leadership) -> str:
    """Return a leadership as the lines of shrinking and of reassignments have it."""
    return (
        f"(Leader:{leadership.leader},ISR:{listed(leadership.isr, ',')},"
        f"LeaderRecoveryState:{RECOVERY_NAMES[leadership.recovery]},LeaderEpoch:{leadership.leader_epoch},"
        f"ZkVersion:{leadership.version},ControllerEpoch:{leadership.controller_epoch})"
    )


def assignment_value(assignment: ReplicaAssignment) -> str:
    """Return an assignment as the lines of reassignments have it."""
    return (
        f"ReplicaAssignment(replicas={listed(assignment.replicas, ',')}, "
        f"addingReplicas={listed(assignment.adding, ',')}, removingReplicas={listed(assignment.removing, ',')})"
    )


def leader_and_isr_struct(partition: TopicPartition, state: LeaderAndIsrPartition) -> str:
    """Return what a LeaderAndIsr says of a partition."""
    one = state.leadership
    return (
        f"LeaderAndIsrPartitionState(topicName='{partition.topic}', partitionIndex={partition.partition}, "
        f"controllerEpoch={one.controller_epoch}, leader={one.leader}, leaderEpoch={one.leader_epoch}, "
        f"isr=[{listed(one.isr)}], partitionEpoch={one.version}, replicas=[{listed(state.replicas)}], "
        f"addingReplicas=[{listed(state.adding)}], removingReplicas=[{listed(state.removing)}], "
        f"isNew={'true' if state.is_new else 'false'}, leaderRecoveryState={one.recovery})"
    )


def stop_replica_struct(partition: TopicPartition, state: StopReplicaPartition) -> str:
    """Return what a StopReplica says of a partition."""
    delete = "true" if state.delete else "false"
    return (
        f"StopReplicaPartitionState(partitionIndex={partition.partition}, leaderEpoch={state.leader_epoch}, "
        f"deletePartition={delete})"
    )


def update_metadata_struct(partition: TopicPartition, state: UpdateMetadataPartition) -> str:
    """Return what an UpdateMetadata says of a partition."""
    one = state.leadership
    return (
        f"UpdateMetadataPartitionState(topicName='{partition.topic}', partitionIndex={partition.partition}, "
        f"controllerEpoch={one.controller_epoch}, leader={one.leader}, leaderEpoch={one.leader_epoch}, "
        f"isr=[{listed(one.isr)}], zkVersion={one.version}, replicas=[{listed(state.replicas)}], "
        f"offlineReplicas=[{listed(state.offline_replicas)}])"
    )


def state_change_failed(text: str) -> str:
    """Return the line of an exception by which a state change was given up."""
    return f"kafka.common.StateChangeFailedException: {text}"
