"""Topics and partitions as the controller keeps them in memory: what its records made of them (PartitionRegistration).

Lists of broker ids are ordered: replicas in order of preference, which decides elections.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from fencepost.reference.kraft.epochs import next_epoch
from fencepost.reference.kraft.inkless import switch
from fencepost.reference.kraft.levels import DIRECTORIES, partition_version
from fencepost.reference.kraft.records import MIGRATING_DIRECTORY, NO_LEADER, NO_LEADER_CHANGE, Message

RECOVERED, RECOVERING = 0, 1
"""Leader recovery states: RECOVERING after an unclean election, until the new leader says that it is done."""

Brokers = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Topic:
    """A topic by its id, with the numbers of its partitions in the order of their creation."""

    id: str
    name: str
    partitions: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PartitionRegistration:
    """One partition; `directories` are directory ids, one a replica, in the order of `replicas`.

    `elr` are the eligible leader replicas, `last_known_elr` holds the last known leader; `leader` is −1 for none.
    `switch` is what tags say of its switch to diskless storage, at a fork that has one.
    """

    replicas: Brokers
    directories: tuple[str, ...]
    isr: Brokers
    removing_replicas: Brokers = ()
    adding_replicas: Brokers = ()
    elr: Brokers = ()
    last_known_elr: Brokers = ()
    leader: int
    leader_recovery_state: int = RECOVERED
    leader_epoch: int = 0
    partition_epoch: int = 0
    switch: Mapping[str, Any] = field(default_factory=dict, hash=False)

    @staticmethod
    def of_record(data: Mapping[str, Any]) -> PartitionRegistration:
        """Return what a Partition record says."""
        replicas = tuple(data["replicas"])
        return PartitionRegistration(
            replicas=replicas,
            directories=tuple(data.get("directories") or ()) or (MIGRATING_DIRECTORY,) * len(replicas),
            isr=tuple(data["isr"]),
            removing_replicas=tuple(data["removingReplicas"]),
            adding_replicas=tuple(data["addingReplicas"]),
            elr=tuple(data.get("eligibleLeaderReplicas") or ()),
            last_known_elr=tuple(data.get("lastKnownElr") or ()),
            leader=data["leader"],
            leader_recovery_state=data.get("leaderRecoveryState", RECOVERED),
            leader_epoch=data["leaderEpoch"],
            partition_epoch=data["partitionEpoch"],
            switch=switch(data, {}),
        )

    def merge(self, change: Mapping[str, Any]) -> PartitionRegistration:
        """Return the partition after a PartitionChange record, given as its data.

        The partition epoch grows by 1 always, the leader epoch whenever the record names a leader, be it the old one.
        Raises ValueError where replicas and directories do not match.
        """
        replicas = _changed(change, "replicas", self.replicas)
        directories = tuple(change.get("directories") or ()) or self._directories_of(replicas)
        if len(directories) != len(replicas):
            raise ValueError(f"{len(replicas)} replicas, but {len(directories)} directories")
        leader, leader_epoch = change.get("leader", NO_LEADER_CHANGE), next_epoch(self.leader_epoch)
        if leader == NO_LEADER_CHANGE:
            leader, leader_epoch = self.leader, self.leader_epoch
        return PartitionRegistration(
            replicas=replicas,
            directories=directories,
            isr=_changed(change, "isr", self.isr),
            removing_replicas=_changed(change, "removingReplicas", self.removing_replicas),
            adding_replicas=_changed(change, "addingReplicas", self.adding_replicas),
            elr=_changed(change, "eligibleLeaderReplicas", self.elr),
            last_known_elr=_changed(change, "lastKnownElr", self.last_known_elr),
            leader=leader,
            leader_recovery_state=change.get("leaderRecoveryState", self.leader_recovery_state),
            leader_epoch=leader_epoch,
            partition_epoch=next_epoch(self.partition_epoch),
            switch=switch(change, self.switch),
        )

    def _directories_of(self, replicas: Brokers) -> tuple[str, ...]:
        """Return the directories of replicas where a record has none, as below 3.7-IV2: all are migrating then."""
        if replicas == self.replicas:
            return self.directories
        known = dict(zip(self.replicas, self.directories, strict=True))
        return tuple(known.get(broker, MIGRATING_DIRECTORY) for broker in replicas)

    def without_elr(self) -> PartitionRegistration:
        """Return the partition after its topic's eligible leader replicas were cleared."""
        return replace(self, elr=(), last_known_elr=(), partition_epoch=next_epoch(self.partition_epoch))

    def to_record(self, topic_id: str, partition: int, level: int, elr_enabled: bool) -> Message:
        """Return the Partition record of this state, as it is written at a level of metadata.version."""
        data: dict[str, Any] = {
            "partitionId": partition,
            "topicId": topic_id,
            "replicas": list(self.replicas),
            "isr": list(self.isr),
            "removingReplicas": list(self.removing_replicas),
            "addingReplicas": list(self.adding_replicas),
            "leader": self.leader,
        }
        if self.leader_recovery_state != RECOVERED:
            data["leaderRecoveryState"] = self.leader_recovery_state
        data |= {"leaderEpoch": self.leader_epoch, "partitionEpoch": self.partition_epoch}
        if level >= DIRECTORIES:
            data["directories"] = list(self.directories)
        if elr_enabled and self.elr:
            data["eligibleLeaderReplicas"] = list(self.elr)
        if elr_enabled and self.last_known_elr:
            data["lastKnownElr"] = list(self.last_known_elr)
        data |= self.switch
        return Message("PARTITION_RECORD", partition_version(level), data)

    def directory(self, broker: int) -> str:
        """Return the directory of a replica; raises ValueError for a broker that is none."""
        if broker not in self.replicas:
            raise ValueError(f"Replica {broker} is not assigned to this partition")
        return self.directories[self.replicas.index(broker)]

    @property
    def has_leader(self) -> bool:
        """Whether the partition has a leader."""
        return self.leader != NO_LEADER

    @property
    def has_preferred_leader(self) -> bool:
        """Whether the first replica leads."""
        return self.leader == self.replicas[0]

    @property
    def is_reassigning(self) -> bool:
        """Whether a reassignment is under way."""
        return bool(self.removing_replicas or self.adding_replicas)


def _changed(change: Mapping[str, Any], field: str, old: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return what a PartitionChange says of a field; null, or not there, is "no change"."""
    new = change.get(field)
    return old if new is None else tuple(new)


def without(brokers: Iterable[int], *left_out: int) -> Brokers:
    """Return brokers in their order without some of them."""
    return tuple(broker for broker in brokers if broker not in left_out)


def hash_set_order(brokers: Iterable[int]) -> Brokers:
    """Return brokers without repetition in the order in which a Java HashSet of them is iterated.

    Kafka collects eligible leader replicas in such a set, and compares the outcome with what it has as a list, so that
    the order alone can be a change.
    """
    distinct = list(dict.fromkeys(brokers))
    buckets = 16
    while len(distinct) > buckets * 3 // 4:
        buckets *= 2
    return tuple(sorted(distinct, key=lambda broker: (broker ^ (broker >> 16)) & (buckets - 1)))
