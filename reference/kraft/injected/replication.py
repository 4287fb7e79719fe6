"""Defects of Kafka's past in the replication of data: each can lose or diverge what was acknowledged.

`REPLICATION` has them by name. Where the source is a paper rule of KIP-101, 279 or 320, the rule before it is put back.
"""

from __future__ import annotations

from typing import Any

from fencepost.reference.kraft.broker import fetcher
from fencepost.reference.kraft.broker.alter_partition import AlterPartitionManager, Proposer
from fencepost.reference.kraft.broker.image import Delta, PartitionImage
from fencepost.reference.kraft.broker.partition import Partition
from fencepost.reference.kraft.broker.partition_state import (
    CommittedPartitionState,
    FollowerState,
    PendingPartitionChange,
    PendingShrinkIsr,
)
from fencepost.reference.kraft.broker.replica_log import EpochStart, ReplicaLog
from fencepost.reference.kraft.broker.replica_manager import ReplicaManager
from fencepost.reference.kraft.broker.replication_messages import FetchedPartition, FetchPartition, PartitionKey
from fencepost.reference.kraft.errors import Errors
from fencepost.reference.kraft.messages import AlterPartitionAnswer
from fencepost.reference.simulator.patching import Injection

_fetch = Partition.fetch
_make_follower = Partition.make_follower
_reset = FollowerState.reset
_apply = ReplicaManager.apply
_maybe_expand = Partition._maybe_expand_isr
_proposals_answered = AlterPartitionManager._answered


def _without_epochs(
    self: Partition, replica_id: int, broker_epoch: int, asked: FetchPartition, *, note: bool
) -> FetchedPartition | None:
    return _fetch(self, replica_id, broker_epoch, asked._replace(last_fetched_epoch=-1), note=note)


def _truncated_to_high_watermark(self: Partition, image: PartitionImage) -> bool:
    began = _make_follower(self, image)
    if began and self.log is not None:
        self.log.truncate_to(self.log.high_watermark)
    return began


def _one_round(
    self: Partition, replica_id: int, broker_epoch: int, asked: FetchPartition, *, note: bool
) -> FetchedPartition | None:
    found = _fetch(self, replica_id, broker_epoch, asked, note=note)
    if found is not None and found.diverging is not None and found.diverging[1] >= asked.fetch_offset:
        return _without_epochs(self, replica_id, broker_epoch, asked, note=note)
    return found


def _to_the_leaders_end(log: ReplicaLog, diverging: EpochStart) -> int:
    return min(diverging[1], log.end_offset)


def _zombies_answered(
    self: Partition, replica_id: int, broker_epoch: int, asked: FetchPartition, *, note: bool
) -> FetchedPartition | None:
    if asked.current_leader_epoch != self.leader_epoch:
        asked = asked._replace(current_leader_epoch=self.leader_epoch, last_fetched_epoch=-1)
    return _fetch(self, replica_id, broker_epoch, asked, note=note)


def _at_the_high_watermark(self: Partition, follower: FollowerState) -> bool:
    return self.log is not None and follower.end_offset >= self.log.high_watermark


def _any_incarnation(self: Partition, follower: FollowerState) -> bool:
    broker = self.host.image.brokers.get(follower.broker_id)
    return broker is not None and not broker.fenced and not broker.in_controlled_shutdown


def _members_by_id(self: Partition, isr: tuple[int, ...]) -> tuple[tuple[int, int], ...]:
    return tuple((broker, -1) for broker in isr)


def _followers_kept(self: Partition, image: PartitionImage) -> bool:
    followers = self.followers
    began = _make_follower(self, image)
    self.followers = followers
    return began


def _offsets_kept(
    self: FollowerState, now_ns: int, leader_end_offset: int, *, is_new_leader: bool, in_sync: bool
) -> None:
    _reset(self, now_ns, leader_end_offset, is_new_leader=False, in_sync=in_sync)


def _any_answer(self: Partition, change: object, answer: AlterPartitionAnswer) -> None:
    if answer.error is Errors.NONE:
        self.state = CommittedPartitionState(answer.isr, answer.leader_recovery_state)
        self._maybe_advance_high_watermark()


def _deaf_in_shutdown(self: ReplicaManager, delta: Delta) -> None:
    if not self.host.in_controlled_shutdown:
        _apply(self, delta)


def _always_enough(self: Partition) -> bool:
    return True


def _of_any_epoch(
    self: fetcher.ReplicaFetcher, asked: FetchPartition, state: fetcher.FetchState, log: ReplicaLog
) -> bool:
    return asked.fetch_offset == log.end_offset


def _one_proposal_more(self: Partition, follower: FollowerState) -> None:
    if not isinstance(self.state, CommittedPartitionState) and follower.broker_id not in self.state.maximal_isr:
        self.state = self.state.last_committed
    _maybe_expand(self, follower)


def _always_queued(self: AlterPartitionManager, partition: Proposer, change: PendingPartitionChange) -> bool:
    self._unsent[partition.key] = partition, change
    self._propagate()
    return True


def _answered_or_gone(
    self: AlterPartitionManager, sent: dict[PartitionKey, tuple[Proposer, PendingPartitionChange]], answer: Any
) -> None:
    for key in sent:
        self._unsent.setdefault(key, sent[key])
    _proposals_answered(self, sent, answer)


REPLICATION: dict[str, Injection] = {
    one.name: one
    for one in (
        Injection(
            "truncate-to-high-watermark",
            "before KIP-101 (0baea2ac135, 0.11)",
            "a follower truncates to its own high watermark, which lags, and may be elected before it fetches again",
            ((Partition, "make_follower", _truncated_to_high_watermark), (Partition, "fetch", _without_epochs)),
        ),
        Injection(
            "one-round-of-epochs",
            "KAFKA-6361, before KIP-279 (9679c44d2b5, 2.0)",
            "a leader that does not know the follower's last epoch answers with an offset alone: a tail stays diverged",
            ((Partition, "fetch", _one_round), (fetcher, "truncation_offset", _to_the_leaders_end)),
        ),
        Injection(
            "zombie-fetches",
            "KAFKA-7395, before KIP-320 (ed3bd79633a, 2.1)",
            "fetches bear no leader epoch: a follower that missed elections moves the high watermark over what differs",
            ((Partition, "fetch", _zombies_answered),),
        ),
        Injection(
            "join-at-high-watermark",
            "KAFKA-7128 (70c51633f2f, 2.1)",
            "a follower joins the ISR at the high watermark of a new leader, which lags behind what was acknowledged",
            ((Partition, "is_in_sync", _at_the_high_watermark),),
        ),
        Injection(
            "members-by-id",
            "KAFKA-14139, before KIP-903 (8c88cdb7186, 3.5)",
            "a fetch of the last incarnation lets a broker into the ISR that has come back with an empty disk",
            ((Partition, "is_eligible", _any_incarnation), (Partition, "_with_epochs", _members_by_id)),
        ),
        Injection(
            "late-answers",
            "KAFKA-12686 (aefe0e4d8cb, 3.0)",
            "the answer to an ISR proposal is applied although the partition has moved on since",
            ((Partition, "alter_partition_answered", _any_answer),),
        ),
        Injection(
            "offsets-of-an-earlier-term",
            "Vanlightly/kafka-tlaplus: follower state is reset on a new leader epoch",
            "a leader elected again counts what its followers had fetched in an earlier term",
            ((Partition, "make_follower", _followers_kept), (FollowerState, "reset", _offsets_kept)),
        ),
        Injection(
            "shrink-at-once",
            "KIP-497: the maximal ISR of a shrink is the old one",
            "the high watermark moves without a follower that the controller still has in the ISR",
            (
                (
                    PendingShrinkIsr,
                    "maximal_isr",
                    property(lambda self: tuple(b for b in self.isr if b not in self.leaving)),
                ),
            ),
        ),
        Injection(
            "acknowledges-below-minimum",
            "before KIP-966: the high watermark moved with an ISR of any size",
            "the high watermark moves while the ISR is below min.insync.replicas",
            ((Partition, "has_enough", _always_enough),),
        ),
        Injection(
            "answers-of-another-epoch",
            "KAFKA-18723, before 4.0",
            "a fetch answer of an earlier leader epoch is used if only the offset is the same",
            ((fetcher.ReplicaFetcher, "is_current", _of_any_epoch),),
        ),
        Injection(
            "two-proposals",
            "KAFKA-12686, KIP-497: one AlterPartition of a partition is under way at a time",
            "a leader proposes another member before it has an answer to the last proposal",
            (
                (Partition, "_maybe_expand_isr", _one_proposal_more),
                (AlterPartitionManager, "submit", _always_queued),
                (AlterPartitionManager, "_answered", _answered_or_gone),
            ),
        ),
        Injection(
            "deaf-in-shutdown",
            "KAFKA-13858 (76477ffd2d8, 3.3), KAFKA-14296 (5cff8f67b06, 3.4)",
            "a broker in controlled shutdown does not hear that it leads no longer: there are two acting leaders",
            ((ReplicaManager, "apply", _deaf_in_shutdown),),
        ),
    )
}
"""The defects by name."""
