"""One partition at one broker: leading it (high watermark, ISR) or following it (its log, its epoch).

After Kafka's `Partition`: what is written here about ISRs and high watermarks is decided by the leader alone; the
controller only accepts or refuses (Partition).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from fencepost.reference.kraft.errors import Errors
from fencepost.reference.kraft.inkless import NO_SWITCH
from fencepost.reference.kraft.messages import AlterPartitionAnswer, DisklessSeal
from fencepost.reference.kraft.records import NO_LEADER

from .diskless import producer_states
from .image import MetadataImage, PartitionImage
from .partition_state import (
    RECOVERED,
    UNKNOWN_OFFSET,
    CommittedPartitionState,
    FollowerState,
    PartitionState,
    PendingExpandIsr,
    PendingPartitionChange,
    PendingShrinkIsr,
)
from .replica_log import ReplicaLog
from .replication_messages import FetchedPartition, FetchPartition, PartitionKey

FETCH_LIMIT = 500
"""How many entries of a partition one fetch returns at most."""


class PartitionHost(Protocol):
    """The part of a broker that its partitions need."""

    broker_id: int
    replica_lag_ns: int
    retained_entries: int
    repaired: frozenset[str]

    @property
    def now_ns(self) -> int:
        """The time."""

    @property
    def broker_epoch(self) -> int:
        """The epoch of the broker's registration."""

    @property
    def image(self) -> MetadataImage:
        """The metadata that the broker has."""

    def min_insync_replicas(self, topic_id: str) -> int:
        """Return `min.insync.replicas` of a topic as this broker knows it."""

    def submit_alter_partition(self, partition: Partition, change: PendingPartitionChange) -> bool:
        """Propose an ISR to the controller; False where a proposal for the partition is on its way still."""

    def high_watermark_moved(self, partition: Partition) -> None:
        """Answer the produce requests that waited for it."""


Tell = Callable[[str, dict[str, Any]], None]
"""Receives the steps that a replica makes, each with its name and fields (`traces.broker_steps`)."""

_RESET = frozenset({Errors.OPERATION_NOT_ATTEMPTED, Errors.INELIGIBLE_REPLICA})
"""The controller says that nothing was changed and that the epoch was right: the last committed ISR holds."""

_WAIT_FOR_METADATA = frozenset(
    {
        Errors.UNKNOWN_TOPIC_OR_PARTITION,
        Errors.UNKNOWN_TOPIC_ID,
        Errors.FENCED_LEADER_EPOCH,
        Errors.INVALID_UPDATE_VERSION,
        Errors.INVALID_REQUEST,
        Errors.NEW_LEADER_ELECTED,
    }
)
"""Errors that leave the controller's state unknown: the proposal is kept until the metadata say more."""


class Partition:
    """One partition at one broker. `log` is None while the broker has no log of it (no directory is online)."""

    def __init__(self, host: PartitionHost, key: PartitionKey) -> None:
        self.host, self.key = host, key
        self.log: ReplicaLog | None = None
        self.directory = ""
        self.leader = NO_LEADER
        self.leader_epoch = -1
        self.partition_epoch = -1
        self.epoch_start: int | None = None
        self.state: PartitionState = CommittedPartitionState(())
        self.followers: dict[int, FollowerState] = {}
        self.tell: Tell | None = None
        self.sealed = False

    # -- what the metadata say -------------------------------------------------------------------------------------
    @property
    def is_leader(self) -> bool:
        """Whether this broker leads the partition, as far as it knows."""
        return self.leader == self.host.broker_id

    def make_leader(self, image: PartitionImage) -> bool:
        """Become the leader, or take over a change of the ISR as the leader; returns whether a new epoch began.

        The partition epoch may be the one that is known already, from the answer to an AlterPartition.
        """
        if image.partition_epoch < self.partition_epoch or self.log is None:
            return False
        self.sealed = image.seal != NO_SWITCH
        me, now = self.host.broker_id, self.host.now_ns
        is_new_leader, is_new_epoch = not self.is_leader, image.leader_epoch > self.leader_epoch
        if "D29" in self.host.repaired and image.leader_epoch > self.leader_epoch + 1:
            # Another broker may have led in between: what followers had fetched here they may have truncated there.
            is_new_leader = True
        old = self.followers
        self.followers = {b: old.get(b) or FollowerState(b) for b in image.replicas if b != me}
        # A leader elected uncleanly has nothing to recover in Kafka, so its next proposal says RECOVERED.
        self.state = CommittedPartitionState(image.isr, RECOVERED)
        if is_new_epoch:
            start = self.log.end_offset
            self.log.assign_epoch(image.leader_epoch, start)
            for follower in self.followers.values():
                in_sync = follower.broker_id in image.isr
                follower.reset(now, start, is_new_leader=is_new_leader, in_sync=in_sync)
            self.leader_epoch, self.epoch_start = image.leader_epoch, start
        self.partition_epoch, self.leader = image.partition_epoch, me
        if self.tell is not None:
            self._tell_leading(image.isr)
        self._maybe_advance_high_watermark()
        return is_new_epoch

    def _tell_leading(self, isr: tuple[int, ...]) -> None:
        assert self.tell is not None
        assert self.log is not None
        kept = [
            [one.broker_id, one.end_offset, -1 if one.broker_epoch is None else one.broker_epoch]
            for one in self.followers.values()
            if one.end_offset != UNKNOWN_OFFSET
        ]
        self.tell(
            "leads",
            {
                "leader_epoch": self.leader_epoch, "partition_epoch": self.partition_epoch, "isr": list(isr),
                "minimum": self.effective_min_isr(), "offset": self.host.image.offset, "start": self.epoch_start,
                "end": self.log.end_offset, "kept": kept,
            },
        )  # fmt: skip

    def make_follower(self, image: PartitionImage) -> bool:
        """Follow a leader, or wait for one; returns whether a new epoch began, so that fetching begins anew."""
        if image.partition_epoch < self.partition_epoch:
            return False
        is_new_epoch = image.leader_epoch > self.leader_epoch
        self.leader, self.leader_epoch, self.partition_epoch = image.leader, image.leader_epoch, image.partition_epoch
        self.epoch_start, self.followers = None, {}
        self.state = CommittedPartitionState((), image.recovery_state)
        if is_new_epoch and self.tell is not None and self.log is not None:
            self.tell(
                "follows",
                {
                    "leader": image.leader, "leader_epoch": image.leader_epoch, "offset": self.host.image.offset,
                    "partition_epoch": image.partition_epoch, "end": self.log.end_offset,
                },
            )  # fmt: skip
        return is_new_epoch

    def mark_offline(self) -> None:
        """Give the partition up: its directory failed, or it was taken away from this broker."""
        self.log, self.leader, self.epoch_start, self.followers = None, NO_LEADER, None, {}
        self.state = CommittedPartitionState(())

    # -- what producers and followers ask ----------------------------------------------------------------------------
    def append(self, values: tuple[int, ...]) -> tuple[Errors, int]:
        """Write entries as the leader for a producer that wants all acks; returns an error, or NONE and an offset."""
        if not self.is_leader or self.log is None:
            return Errors.NOT_LEADER_OR_FOLLOWER, -1
        if self.sealed:
            return Errors.REPLICA_NOT_AVAILABLE, -1
        if len(self.state.isr) < self.effective_min_isr():
            return Errors.NOT_ENOUGH_REPLICAS, -1
        offset = self.log.append(self.leader_epoch, values, self.host.now_ns)
        if self.tell is not None:
            end = self.log.end_offset
            self.tell("appends", {"leader_epoch": self.leader_epoch, "base": offset, "end": end})
        self._maybe_advance_high_watermark()
        self.log.retain(self.host.retained_entries)
        return Errors.NONE, offset

    def seal_to_propose(self) -> DisklessSeal | None:
        """Return where the sealed log ends, None while some of it is not acknowledged (Inkless)."""
        if not self.sealed or self.log is None or self.log.high_watermark != self.log.end_offset:
            return None
        return DisklessSeal(*self.key, self.leader_epoch, self.log.end_offset, producer_states(self.log))

    def acknowledgement(self, required_offset: int) -> Errors | None:
        """Return what to answer a producer whose entries end at an offset; None while it has to wait."""
        if not self.is_leader or self.log is None:
            return Errors.NOT_LEADER_OR_FOLLOWER
        if self.log.high_watermark < required_offset:
            return None
        enough = self.effective_min_isr() <= len(self.state.maximal_isr)
        return Errors.NONE if enough else Errors.NOT_ENOUGH_REPLICAS_AFTER_APPEND

    def fetch(
        self, replica_id: int, broker_epoch: int, asked: FetchPartition, *, note: bool
    ) -> FetchedPartition | None:
        """Answer the fetch of a follower; None where there is nothing new for it.

        `note` is False when a fetch that has waited is answered: the follower's offset was noted on its arrival.
        """
        log = self.log
        known = self.leader == self.host.broker_id and replica_id in self.followers
        if log is None or not known or asked.current_leader_epoch != self.leader_epoch:
            return FetchedPartition(asked.key, self._error_of(asked.current_leader_epoch))
        end, offset, last_epoch = log.end_offset, asked.fetch_offset, asked.last_fetched_epoch
        if last_epoch >= 0 and (offset != end or last_epoch != log.latest_epoch):
            agreed = log.end_of_epoch(last_epoch)
            if agreed is None or offset < log.start_offset:
                return FetchedPartition(asked.key, Errors.OFFSET_OUT_OF_RANGE, -1, log.start_offset, log_end_offset=end)
            if agreed[0] < last_epoch or agreed[1] < offset:
                return FetchedPartition(asked.key, Errors.NONE, log.high_watermark, log.start_offset, agreed)
        if not log.start_offset <= offset <= end:
            return FetchedPartition(asked.key, Errors.OFFSET_OUT_OF_RANGE, -1, log.start_offset, log_end_offset=end)
        high_watermark = log.high_watermark
        epochs, values = log.read(offset, FETCH_LIMIT) if offset < end else ((), ())
        if note and not self._fetched(replica_id, broker_epoch, offset, end):
            return FetchedPartition(asked.key, Errors.NOT_LEADER_OR_FOLLOWER)
        if not values and high_watermark == asked.high_watermark:
            return None
        return FetchedPartition(asked.key, Errors.NONE, high_watermark, log.start_offset, None, epochs, values)

    def _error_of(self, leader_epoch: int) -> Errors:
        if leader_epoch < self.leader_epoch:
            return Errors.FENCED_LEADER_EPOCH
        if leader_epoch > self.leader_epoch:
            return Errors.UNKNOWN_LEADER_EPOCH
        if not self.is_leader or self.log is None:
            return Errors.NOT_LEADER_OR_FOLLOWER
        # A replica that a reassignment just added is not known here yet: it tries again.
        return Errors.UNKNOWN_LEADER_EPOCH

    def _fetched(self, replica_id: int, broker_epoch: int, offset: int, end: int) -> bool:
        host, follower = self.host, self.followers[replica_id]
        alive = host.image.alive_epoch(replica_id)
        if alive is not None and alive > broker_epoch != -1:
            return False
        before = follower.end_offset
        news = before != offset or follower.broker_epoch != broker_epoch
        follower.fetched(offset, end, broker_epoch, host.now_ns)
        if news and self.tell is not None:
            self.tell(
                "notes",
                {
                    "leader_epoch": self.leader_epoch, "follower": replica_id, "from": offset,
                    "broker_epoch": broker_epoch,
                },
            )  # fmt: skip
        if replica_id not in self.state.isr:
            self._maybe_expand_isr(follower)
        if before != offset:
            self._maybe_advance_high_watermark()
        return True

    # -- the high watermark ----------------------------------------------------------------------------------------
    def effective_min_isr(self) -> int:
        """Return `min.insync.replicas`, at most the number of replicas."""
        return min(self.host.min_insync_replicas(self.key[0]), len(self.followers) + 1)

    def has_enough(self) -> bool:
        """Whether the ISR has `min.insync.replicas` members."""
        return len(self.state.isr) >= self.effective_min_isr()

    def _maybe_advance_high_watermark(self) -> None:
        """Raise the high watermark to the least end of those who are in the maximal ISR or about to join it.

        Not while the ISR is below the minimum, so that what lies below it is on enough replicas (KIP-966).
        """
        log, host = self.log, self.host
        if log is None or self.leader != host.broker_id:
            return
        now, end, lag = host.now_ns, log.end_offset, host.replica_lag_ns
        least, maximal = end, self.state.maximal_isr
        for follower in self.followers.values():
            if follower.end_offset < least and (
                follower.broker_id in maximal or (follower.is_caught_up(end, now, lag) and self.is_eligible(follower))
            ):
                least = follower.end_offset
        if least != log.high_watermark and self.has_enough() and log.set_high_watermark(least, now):
            if self.tell is not None:
                self.tell(
                    "acknowledges",
                    {
                        "leader_epoch": self.leader_epoch, "to": log.high_watermark, "isr": list(self.state.isr),
                        "maximal": list(maximal), "minimum": self.effective_min_isr(), "end": end,
                    },
                )  # fmt: skip
            host.high_watermark_moved(self)

    # -- the ISR ---------------------------------------------------------------------------------------------------
    def is_eligible(self, follower: FollowerState) -> bool:
        """Whether a follower may be in the ISR: not fenced, not shutting down, fetching with its current epoch."""
        broker = self.host.image.brokers.get(follower.broker_id)
        if broker is None or broker.fenced or broker.in_controlled_shutdown or follower.broker_epoch is None:
            return False
        return follower.broker_epoch in (-1, broker.epoch)

    def is_in_sync(self, follower: FollowerState) -> bool:
        """Whether a follower has all that is or was acknowledged.

        The high watermark alone does not say so: that of a new leader may lag behind what its predecessor
        acknowledged, but never behind the start of its own epoch.
        """
        assert self.log is not None
        start = self.epoch_start
        return start is not None and follower.end_offset >= max(self.log.high_watermark, start)

    def _maybe_expand_isr(self, follower: FollowerState) -> None:
        state = self.state
        if not isinstance(state, CommittedPartitionState) or follower.broker_id in state.isr:
            return
        if self.is_eligible(follower) and self.is_in_sync(follower):
            isr = (*state.isr, follower.broker_id)
            self._propose(
                PendingExpandIsr(
                    follower.broker_id, self._with_epochs(isr), self.leader_epoch, self.partition_epoch, state
                )
            )

    def maybe_shrink_isr(self) -> None:
        """Propose an ISR without the followers that were not caught up for too long."""
        state, log = self.state, self.log
        if not isinstance(state, CommittedPartitionState) or not self.is_leader or log is None:
            return
        now, end, lag = self.host.now_ns, log.end_offset, self.host.replica_lag_ns
        leaving = tuple(
            b
            for b in state.isr
            if b != self.host.broker_id
            and (b not in self.followers or not self.followers[b].is_caught_up(end, now, lag))
        )
        if leaving:
            isr = tuple(b for b in state.isr if b not in leaving)
            self._propose(
                PendingShrinkIsr(leaving, self._with_epochs(isr), self.leader_epoch, self.partition_epoch, state)
            )

    def _with_epochs(self, isr: tuple[int, ...]) -> tuple[tuple[int, int], ...]:
        """Pair members with their broker epochs; −1 for one that has not fetched from this leader yet (KIP-903)."""
        pairs = []
        for broker in isr:
            follower = self.followers.get(broker)
            epoch = None if follower is None else follower.broker_epoch
            if broker == self.host.broker_id:
                epoch = self.host.broker_epoch
            pairs.append((broker, -1 if epoch is None else epoch))
        return tuple(pairs)

    def _propose(self, change: PendingPartitionChange) -> None:
        self.state = change
        if not self.host.submit_alter_partition(self, change):
            self._refused(change, Errors.OPERATION_NOT_ATTEMPTED)
        elif self.tell is not None:
            self.tell(
                "proposes",
                {
                    "leader_epoch": change.leader_epoch, "partition_epoch": change.partition_epoch,
                    "isr": [broker for broker, _ in change.sent_isr], "epochs": [epoch for _, epoch in change.sent_isr],
                },
            )  # fmt: skip

    def alter_partition_answered(self, change: PendingPartitionChange, answer: AlterPartitionAnswer) -> None:
        """Take the controller's answer to a proposal; one that is no longer the pending one is ignored."""
        if self.state is not change:
            return
        if answer.error is not Errors.NONE:
            self._refused(change, answer.error)
            if self.state is not change:
                self._tell_heard(self.state.isr, answer.error)
        elif answer.leader_epoch == self.leader_epoch and answer.partition_epoch >= self.partition_epoch:
            self.state = CommittedPartitionState(answer.isr, answer.leader_recovery_state)
            self.partition_epoch = answer.partition_epoch
            self._tell_heard(answer.isr, Errors.NONE)
            self._maybe_advance_high_watermark()

    def _tell_heard(self, isr: tuple[int, ...], error: Errors) -> None:
        if self.tell is not None:
            told = {"leader_epoch": self.leader_epoch, "partition_epoch": self.partition_epoch, "isr": list(isr)}
            self.tell("hears", {**told, "error": error.name, "offset": self.host.image.offset})

    def _refused(self, change: PendingPartitionChange, error: Errors) -> None:
        if error in _WAIT_FOR_METADATA:
            return
        if error in _RESET or not self.host.submit_alter_partition(self, change):
            self.state = change.last_committed
