"""The algorithm that decides leader, ISR and eligible leader replicas of a partition (S3:205-216).

Whatever happens to a partition, a broker fenced, an ISR proposed, a reassignment requested, is given to a builder as a
target; `build` works out what really changes, and returns it as one PartitionChange record, or None.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Sequence
from typing import Any

from fencepost.reference.kraft.levels import DIRECTORIES, LEVELS, NO_SHRINK_BUMP, partition_version
from fencepost.reference.kraft.records import NO_LEADER, NO_LEADER_CHANGE, Message

from .partitions import RECOVERING, Brokers, PartitionRegistration, hash_set_order, without

_RECOVERY_STATE = LEVELS["3.2-IV0"]
_ORDER = (
    "partitionId",
    "topicId",
    "isr",
    "leader",
    "replicas",
    "removingReplicas",
    "addingReplicas",
    "leaderRecoveryState",
    "directories",
    "eligibleLeaderReplicas",
    "lastKnownElr",
)
"""The order in which a dump prints the fields."""


class Election(enum.Enum):
    """The rule by which a leader is elected."""

    PREFERRED = "P"
    """The first replica, if it may."""
    ONLINE = "O"
    """Elect any replica that keeps the partition online; the old leader, if it may."""
    UNCLEAN = "U"
    """As ONLINE, and if no replica may, then one that can have missed records."""


class PartitionChangeBuilder:
    """Targets for one partition, and the record that leads there.

    `acceptable` says of a broker id whether it can be a leader now. `level` is that of metadata.version, `min_isr` the
    effective min.insync.replicas. `default_directory` names the directory of a replica that has none. Set the targets
    that differ from what is, then `build` once. With `waits_for_all` no reassignment is complete before its whole
    target is in sync, as up to Kafka 4.2.
    """

    def __init__(
        self,
        partition: PartitionRegistration,
        topic_id: str,
        partition_id: int,
        acceptable: Callable[[int], bool],
        level: int,
        min_isr: int,
        elr_enabled: bool,
        default_directory: Callable[[int], str],
        repaired: frozenset[str] = frozenset(),
    ) -> None:
        self._old = partition
        self._topic_id, self._partition_id = topic_id, partition_id
        self._acceptable, self._default_directory = acceptable, default_directory
        self._level, self._min_isr, self._elr_enabled, self._repaired = level, min_isr, elr_enabled, repaired
        self.election = Election.ONLINE
        self.waits_for_all = False
        self.target_isr: Brokers = partition.isr
        self.target_replicas: Brokers = partition.replicas
        self.target_removing: Brokers = partition.removing_replicas
        self.target_adding: Brokers = partition.adding_replicas
        self.target_recovery = partition.leader_recovery_state
        self.unclean_shutdown_replicas: Brokers = ()
        self.target_directories = dict(zip(partition.replicas, partition.directories, strict=True))
        self._target_elr: Brokers = partition.elr
        self._record: dict[str, Any] = {}

    def build(self) -> Message | None:
        """Return the PartitionChange record, or None where nothing changes."""
        self._complete_reassignment_if_needed()
        self._populate_target_elr()
        self._try_election()
        self._bump_leader_epoch_for_reassignment()
        self._update_elr()
        self._update_isr()
        self._bump_leader_epoch_for_isr_shrink()
        self._update_last_known_leader()
        self._update_assignment()
        if self.target_recovery != self._old.leader_recovery_state:
            self._record["leaderRecoveryState"] = self.target_recovery
        if not self._record:
            return None
        told = {"partitionId": self._partition_id, "topicId": self._topic_id, **self._record}
        data = {field: _printed(told[field]) for field in _ORDER if field in told}
        return Message("PARTITION_CHANGE_RECORD", partition_version(self._level), data)

    # -- reassignments ---------------------------------------------------------------------------------------------
    def _complete_reassignment_if_needed(self) -> None:
        removing, adding = self.target_removing, self.target_adding
        if not removing and not adding:
            return
        isr, replicas = without(self.target_isr, *removing), without(self.target_replicas, *removing)
        if removing and not (isr and replicas):
            return
        if not set(adding) <= set(isr):
            return
        # A target with fewer replicas waits for all of them: else it could end with too few in sync (KAFKA-19975).
        if (self.waits_for_all or len(adding) < len(removing)) and not set(replicas) <= set(isr):
            return
        self.target_isr, self.target_replicas = isr, replicas
        self.target_removing = self.target_adding = ()

    def _bump_leader_epoch_for_reassignment(self) -> None:
        # A replica that is to go must learn that it is none any more.
        if "leader" not in self._record and not set(self._old.replicas) <= set(self.target_replicas):
            self._record["leader"] = self._old.leader

    # -- eligible leader replicas ----------------------------------------------------------------------------------
    def _populate_target_elr(self) -> None:
        """Keep a broker that leaves an ISR that is too small eligible: it has all committed records."""
        if not self._elr_enabled:
            return
        if len(self.target_isr) >= self._min_isr:
            self._target_elr = ()
            return
        candidates = hash_set_order((*self._old.elr, *self._old.isr))
        if "D15" in self._repaired:
            # A replica that a reassignment took away is none: it may not lead.
            candidates = tuple(broker for broker in candidates if broker in self.target_replicas)
        self._target_elr = without(candidates, *self.target_isr, *self.unclean_shutdown_replicas)

    def _update_elr(self) -> None:
        if "isr" in self._record or not self._elr_enabled:
            # After an unclean election no other replica has what the new leader will have.
            self._target_elr = ()
        if self._target_elr != self._old.elr:
            self._record["eligibleLeaderReplicas"] = self._target_elr

    def _update_last_known_leader(self) -> None:
        """Remember who led when a partition loses its leader, until it has one again."""
        if not self._elr_enabled:
            return
        leader = self._record.get("leader", NO_LEADER_CHANGE)
        if leader == NO_LEADER and not self._old.last_known_elr:
            self._record["lastKnownElr"] = (self._old.leader,)
        elif leader >= 0 and self._old.last_known_elr:
            self._record["lastKnownElr"] = ()

    # -- election --------------------------------------------------------------------------------------------------
    def _try_election(self) -> None:
        leader, unclean = self._elect()
        if leader == self._old.leader:
            return
        if leader in self._target_elr:
            self.target_isr = (leader,)
            self._target_elr = without(self._target_elr, leader)
        self._record["leader"] = leader
        if unclean:
            # Records may be lost: the others must copy this leader, even what they have and it has not.
            self._record["isr"] = (leader,)
            if self._old.leader_recovery_state != RECOVERING and self._level >= _RECOVERY_STATE:
                self._record["leaderRecoveryState"] = RECOVERING

    def _elect(self) -> tuple[int, bool]:
        """Return the leader, −1 for none, and whether the election is unclean."""
        if self.election is Election.PREFERRED:
            preference = (self.target_replicas[0], self._old.leader, *self.target_replicas[1:])
        else:
            preference = (self._old.leader, *self.target_replicas)
        for broker in preference:
            if self._is_valid_new_leader(broker):
                return broker, False
        if self._can_elect_last_known_leader():
            return self._old.last_known_elr[0], True
        if self.election is Election.UNCLEAN:
            for broker in self.target_replicas:
                if self._acceptable(broker):
                    return broker, True
        return NO_LEADER, False

    def _is_valid_new_leader(self, broker: int) -> bool:
        if broker in self.target_isr or (not self.target_isr and broker in self._target_elr):
            return self._acceptable(broker)
        return False

    def _can_elect_last_known_leader(self) -> bool:
        if not self._elr_enabled or self._target_elr or self.target_isr:
            return False
        return len(self._old.last_known_elr) == 1 and self._acceptable(self._old.last_known_elr[0])

    # -- ISR, replicas, directories --------------------------------------------------------------------------------
    def _update_isr(self) -> None:
        if "isr" in self._record:
            return
        # Without eligible leader replicas the last member stays, though it cannot lead.
        if (self.target_isr or self._elr_enabled) and self.target_isr != self._old.isr:
            self._record["isr"] = self.target_isr

    def _bump_leader_epoch_for_isr_shrink(self) -> None:
        # Brokers before 3.6 needed it (KAFKA-15021).
        if self._level >= NO_SHRINK_BUMP or "leader" in self._record or "isr" not in self._record:
            return
        if not set(self._old.isr) <= set(self._record["isr"]):
            self._record["leader"] = self._old.leader

    def _update_assignment(self) -> None:
        if self.target_replicas:
            if self._level >= DIRECTORIES:
                directories = tuple(
                    self.target_directories[broker]
                    if broker in self.target_directories
                    else self._default_directory(broker)
                    for broker in self.target_replicas
                )
                if directories != self._old.directories:
                    self._record["directories"] = directories
            if self.target_replicas != self._old.replicas:
                self._record["replicas"] = self.target_replicas
        if self.target_removing != self._old.removing_replicas:
            self._record["removingReplicas"] = self.target_removing
        if self.target_adding != self._old.adding_replicas:
            self._record["addingReplicas"] = self.target_adding


def _printed(value: Any) -> Any:
    return list(value) if isinstance(value, Sequence) and not isinstance(value, str) else value
