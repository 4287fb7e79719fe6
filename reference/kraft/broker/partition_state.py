"""A leader's state: the ISR, committed by the controller or proposed to it, and its followers."""

from __future__ import annotations

from dataclasses import dataclass

RECOVERED, RECOVERING = 0, 1
"""The leader recovery states of a partition (KIP-704)."""

UNKNOWN_OFFSET = -1


@dataclass(frozen=True, slots=True)
class CommittedPartitionState:
    """The ISR as the controller committed it."""

    isr: tuple[int, ...]
    recovery_state: int = RECOVERED

    @property
    def maximal_isr(self) -> tuple[int, ...]:
        """The replicas whose logs the high watermark waits for."""
        return self.isr


@dataclass(frozen=True, slots=True)
class PendingExpandIsr:
    """A follower was proposed for the ISR; the high watermark waits for it already (KIP-497)."""

    joining: int
    sent_isr: tuple[tuple[int, int], ...]
    leader_epoch: int
    partition_epoch: int
    last_committed: CommittedPartitionState

    @property
    def isr(self) -> tuple[int, ...]:
        """The ISR that the controller committed last."""
        return self.last_committed.isr

    @property
    def maximal_isr(self) -> tuple[int, ...]:
        """The replicas whose logs the high watermark waits for."""
        return (*self.last_committed.isr, self.joining)


@dataclass(frozen=True, slots=True)
class PendingShrinkIsr:
    """Followers are to leave the ISR; until the controller says so the high watermark waits for them."""

    leaving: tuple[int, ...]
    sent_isr: tuple[tuple[int, int], ...]
    leader_epoch: int
    partition_epoch: int
    last_committed: CommittedPartitionState

    @property
    def isr(self) -> tuple[int, ...]:
        """The ISR that the controller committed last."""
        return self.last_committed.isr

    @property
    def maximal_isr(self) -> tuple[int, ...]:
        """The replicas whose logs the high watermark waits for."""
        return self.last_committed.isr


PendingPartitionChange = PendingExpandIsr | PendingShrinkIsr
PartitionState = CommittedPartitionState | PendingExpandIsr | PendingShrinkIsr


class FollowerState:
    """A leader's state of one follower, from its fetches; times in nanoseconds, offsets −1 while unknown."""

    __slots__ = (
        "broker_epoch",
        "broker_id",
        "end_offset",
        "last_caught_up_ns",
        "last_fetch_end_offset",
        "last_fetch_ns",
    )

    def __init__(self, broker_id: int) -> None:
        self.broker_id = broker_id
        self.end_offset = UNKNOWN_OFFSET
        self.broker_epoch: int | None = None
        self.last_fetch_ns: int | None = None
        self.last_fetch_end_offset = 0
        self.last_caught_up_ns: int | None = None

    def fetched(self, offset: int, leader_end_offset: int, broker_epoch: int, now_ns: int) -> None:
        """Note a fetch from an offset while the leader's log ended at `leader_end_offset`.

        A follower was caught up at this fetch if it reached the leader's end, and at the one before if it reached
        what was the end then: a leader that is written to all the time is never reached otherwise.
        """
        if offset >= leader_end_offset:
            self.last_caught_up_ns = now_ns
        elif offset >= self.last_fetch_end_offset and self.last_fetch_ns is not None:
            self.last_caught_up_ns = max(self.last_caught_up_ns or 0, self.last_fetch_ns)
        self.end_offset = offset
        if leader_end_offset > self.last_fetch_end_offset:
            self.last_fetch_end_offset = leader_end_offset
        self.last_fetch_ns = now_ns
        self.broker_epoch = broker_epoch

    def reset(self, now_ns: int, leader_end_offset: int, *, is_new_leader: bool, in_sync: bool) -> None:
        """Begin a leader epoch; a leader that led before keeps the offsets that it knows."""
        self.last_caught_up_ns = now_ns if in_sync else None
        if is_new_leader:
            self.end_offset, self.broker_epoch = UNKNOWN_OFFSET, None
            self.last_fetch_end_offset, self.last_fetch_ns = 0, None
        else:
            self.last_fetch_end_offset = leader_end_offset
            self.last_fetch_ns = now_ns if in_sync else None

    def is_caught_up(self, leader_end_offset: int, now_ns: int, lag_ns: int) -> bool:
        """Whether the follower is at the leader's end, or was not longer ago than `replica.lag.time.max.ms`."""
        if self.end_offset == leader_end_offset:
            return True
        return self.last_caught_up_ns is not None and now_ns - self.last_caught_up_ns <= lag_ns
