"""The nouns of the controller: partitions, their assignment and leadership, and the states of both machines."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import Enum
from typing import NamedTuple

NO_LEADER = -1
"""The leader of a partition that has none."""

LEADER_DURING_DELETE = -2
"""The leader that UpdateMetadata names for a partition of a topic that is being deleted."""

NO_EPOCH = -1
"""The leader epoch in a StopReplica of a partition whose leadership is not known."""

EPOCH_DURING_DELETE = -2
"""The leader epoch in a StopReplica for a topic that is queued for deletion."""

RECOVERED, RECOVERING = 0, 1
"""The leader recovery states: after an unclean election a leader is recovering until it says otherwise."""

RECOVERY_NAMES = ("RECOVERED", "RECOVERING")


class TopicPartition(NamedTuple):
    """A partition of a topic, written `topic-number`."""

    topic: str
    partition: int

    def __str__(self) -> str:
        return f"{self.topic}-{self.partition}"


class Replica(NamedTuple):
    """The replica of a partition on a broker."""

    partition: TopicPartition
    broker: int

    def __str__(self) -> str:
        return f"[Topic={self.partition.topic},Partition={self.partition.partition},Replica={self.broker}]"


class PartitionState(Enum):
    """The four states of a partition, each with those from which it may be entered."""

    NON_EXISTENT = "NonExistentPartition"
    NEW = "NewPartition"
    ONLINE = "OnlinePartition"
    OFFLINE = "OfflinePartition"

    @property
    def valid_previous(self) -> tuple[PartitionState, ...]:
        """The states from which this one may be entered."""
        return _PARTITION_FROM[self]


_PARTITION_FROM = {
    PartitionState.NON_EXISTENT: (PartitionState.OFFLINE,),
    PartitionState.NEW: (PartitionState.NON_EXISTENT,),
    PartitionState.ONLINE: (PartitionState.NEW, PartitionState.ONLINE, PartitionState.OFFLINE),
    PartitionState.OFFLINE: (PartitionState.NEW, PartitionState.ONLINE, PartitionState.OFFLINE),
}


class ReplicaState(Enum):
    """The seven states of a replica, each with those from which it may be entered."""

    NEW = "NewReplica"
    ONLINE = "OnlineReplica"
    OFFLINE = "OfflineReplica"
    DELETION_STARTED = "ReplicaDeletionStarted"
    DELETION_SUCCESSFUL = "ReplicaDeletionSuccessful"
    DELETION_INELIGIBLE = "ReplicaDeletionIneligible"
    NON_EXISTENT = "NonExistentReplica"

    @property
    def valid_previous(self) -> tuple[ReplicaState, ...]:
        """The states from which this one may be entered."""
        return _REPLICA_FROM[self]


_REPLICA_FROM = {
    ReplicaState.NEW: (ReplicaState.NON_EXISTENT,),
    ReplicaState.ONLINE: (
        ReplicaState.NEW, ReplicaState.ONLINE, ReplicaState.OFFLINE, ReplicaState.DELETION_INELIGIBLE,
    ),
    ReplicaState.OFFLINE: (
        ReplicaState.NEW, ReplicaState.ONLINE, ReplicaState.OFFLINE, ReplicaState.DELETION_INELIGIBLE,
    ),
    ReplicaState.DELETION_STARTED: (ReplicaState.OFFLINE,),
    ReplicaState.DELETION_SUCCESSFUL: (ReplicaState.DELETION_STARTED,),
    ReplicaState.DELETION_INELIGIBLE: (ReplicaState.OFFLINE, ReplicaState.DELETION_STARTED),
    ReplicaState.NON_EXISTENT: (ReplicaState.DELETION_SUCCESSFUL,),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class ReplicaAssignment:
    """The replicas of a partition, the preferred leader first; during a reassignment also which come and which go.

    >>> moved = ReplicaAssignment((1, 2)).reassign_to((2, 3))
    >>> moved
    ReplicaAssignment(replicas=(2, 3, 1), adding=(3,), removing=(1,))
    >>> moved.target, moved.origin
    ((2, 3), (2, 1))
    """

    replicas: tuple[int, ...]
    adding: tuple[int, ...] = ()
    removing: tuple[int, ...] = ()

    @property
    def target(self) -> tuple[int, ...]:
        """The replicas after the reassignment."""
        return without(self.replicas, self.removing)

    @property
    def origin(self) -> tuple[int, ...]:
        """The replicas before the reassignment; their order is the merged list's, not the original one."""
        return without(self.replicas, self.adding)

    @property
    def is_being_reassigned(self) -> bool:
        """Whether replicas are coming or going."""
        return bool(self.adding or self.removing)

    def reassign_to(self, target: Iterable[int]) -> ReplicaAssignment:
        """Return the assignment that leads to a target: the target first, then the original replicas."""
        target, origin = tuple(target), self.origin
        everyone = tuple(dict.fromkeys((*target, *origin)))
        return ReplicaAssignment(everyone, without(everyone, origin), without(everyone, target))

    def remove_replica(self, broker: int) -> ReplicaAssignment:
        """Return the assignment without one replica."""
        gone = (broker,)
        return ReplicaAssignment(without(self.replicas, gone), without(self.adding, gone), without(self.removing, gone))


@dataclass(frozen=True, slots=True)
class Leadership:
    """A partition's leadership: the content of its state znode, and the znode's version (Kafka's partition epoch)."""

    leader: int
    leader_epoch: int
    isr: tuple[int, ...]
    controller_epoch: int
    version: int
    recovery: int = RECOVERED

    def elected(self, leader: int, isr: Iterable[int], recovery: int | None = None) -> Leadership:
        """Return the leadership of the next leader epoch."""
        recovery = self.recovery if recovery is None else recovery
        return replace(self, leader=leader, isr=tuple(isr), leader_epoch=self.leader_epoch + 1, recovery=recovery)


def without(replicas: Iterable[int], gone: Iterable[int]) -> tuple[int, ...]:
    """Return a list without some brokers, in its order.

    >>> without((3, 1, 2), {1})
    (3, 2)
    """
    gone = set(gone)
    return tuple(one for one in replicas if one not in gone)
