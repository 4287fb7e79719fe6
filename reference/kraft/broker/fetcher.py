"""A follower's end of replication: one fetcher for each leader, one fetch under way, all partitions of that leader.

After Kafka's `AbstractFetcherThread` with truncation on fetch (KIP-595): nothing is looked up before fetching; where
the logs diverge the leader answers with the epoch and offset up to which they may agree, the follower truncates and
asks again.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from fencepost.reference.kraft.errors import Errors

from .partition import Partition
from .replica_log import EpochStart, ReplicaLog
from .replication_messages import FetchedPartition, FetchPartition, FetchRequest, FetchResponse, PartitionKey


class FetcherHost(Protocol):
    """The part of a broker that its fetchers need."""

    broker_id: int
    fetch_wait_ns: int
    fetch_backoff_ns: int

    @property
    def now_ns(self) -> int:
        """The time."""

    @property
    def broker_epoch(self) -> int:
        """The epoch of the broker's registration."""

    def send_fetch(
        self,
        leader: int,
        request: FetchRequest,
        on_answer: Callable[[FetchResponse], None],
        on_failure: Callable[[], None],
    ) -> None:
        """Send a fetch to a broker."""

    def after(self, delay_ns: int, callback: Callable[[], None]) -> object:
        """Run something later, unless the broker is gone by then."""

    def truncated(self, partition: Partition, offset: int) -> None:
        """Handle that a follower's log lost the entries from an offset on."""


class FetchState:
    """A partition that is fetched: the epoch in which, and until when it waits after an error."""

    __slots__ = ("asked", "delayed_until_ns", "leader_epoch", "partition", "told")

    def __init__(self, partition: Partition, leader_epoch: int) -> None:
        self.partition, self.leader_epoch = partition, leader_epoch
        self.delayed_until_ns = 0
        self.asked = FetchPartition(partition.key, leader_epoch, -1, -1, -1)
        self.told: tuple[int, int, int] | None = None

    def tell_fetch(self, end: int, last_epoch: int, broker_epoch: int) -> None:
        """Tell a fetch that asks for something else than the one before it."""
        self.told = end, last_epoch, broker_epoch
        if self.partition.tell is not None:
            self.partition.tell(
                "asks",
                {
                    "leader_epoch": self.leader_epoch, "from": end, "last_epoch": last_epoch,
                    "broker_epoch": broker_epoch,
                },
            )  # fmt: skip


class ReplicaFetcher:
    """Fetches from one leader until it is stopped or has no partition left."""

    def __init__(self, host: FetcherHost, leader: int) -> None:
        self.host, self.leader = host, leader
        self.states: dict[PartitionKey, FetchState] = {}
        self._in_flight = False
        self._asleep = False
        self._began_ns, self._sequence = host.now_ns, 0

    def add(self, partition: Partition, leader_epoch: int) -> None:
        """Fetch a partition from the end of its log on, in an epoch of its leader."""
        self.states[partition.key] = FetchState(partition, leader_epoch)
        self._next()

    def remove(self, key: PartitionKey) -> None:
        """Stop fetching a partition; an answer that is under way is ignored for it."""
        self.states.pop(key, None)

    # -- asking ----------------------------------------------------------------------------------------------------
    def _next(self) -> None:
        if self._in_flight or not self.states:
            return
        now, broker_epoch, asked = self.host.now_ns, self.host.broker_epoch, []
        soonest = None
        for key, state in self.states.items():
            log = state.partition.log
            if log is None:
                continue
            if state.delayed_until_ns > now:
                soonest = state.delayed_until_ns if soonest is None else min(soonest, state.delayed_until_ns)
                continue
            end, last_epoch = log.end_offset, log.epochs[-1][0] if log.epochs else -1
            if state.partition.tell is not None and state.told != (end, last_epoch, broker_epoch):
                state.tell_fetch(end, last_epoch, broker_epoch)
            fetch = key, state.leader_epoch, end, last_epoch, log.high_watermark
            if fetch != state.asked:
                # Most partitions are asked for as they were the last time.
                state.asked = FetchPartition(*fetch)
            asked.append(state.asked)
        if asked:
            self._in_flight = True
            host = self.host
            self._sequence += 1
            session = self._began_ns, self._sequence
            request = FetchRequest(host.broker_id, broker_epoch, session, host.fetch_wait_ns, tuple(asked))
            host.send_fetch(self.leader, request, lambda answer: self._answered(request, answer), self._failed)
        elif soonest is not None and not self._asleep:
            self._asleep = True
            self.host.after(soonest - now, self._wake)

    def _wake(self) -> None:
        self._asleep = False
        self._next()

    def _failed(self) -> None:
        """Wait after a connection that broke, as if every partition had failed."""
        until = self.host.now_ns + self.host.fetch_backoff_ns
        for state in self.states.values():
            state.delayed_until_ns = until
        self._in_flight = False
        self._next()

    # -- taking the answer -----------------------------------------------------------------------------------------
    def _answered(self, request: FetchRequest, response: FetchResponse) -> None:
        asked: dict[PartitionKey, FetchPartition] | None = None
        now = self.host.now_ns
        for fetched in response.partitions:
            state = self.states.get(fetched.key)
            log = None if state is None else state.partition.log
            if state is None or log is None:
                continue
            if asked is None:
                asked = {one.key: one for one in request.partitions}
            one = asked[fetched.key]
            if state.delayed_until_ns <= now and self.is_current(one, state, log):
                if fetched.error is Errors.NONE and fetched.diverging is None:
                    self._append(state, log, one, fetched, now)
                else:
                    self._take(state, log, one, fetched)
        self._in_flight = False
        self._next()

    def is_current(self, asked: FetchPartition, state: FetchState, log: ReplicaLog) -> bool:
        """Whether an answer is of use: it was asked for at this offset and in this leader epoch (KAFKA-18723)."""
        return asked.fetch_offset == log.end_offset and asked.current_leader_epoch == state.leader_epoch

    def _take(self, state: FetchState, log: ReplicaLog, asked: FetchPartition, fetched: FetchedPartition) -> None:
        """Take an answer that has no entries: where the logs diverge, or an error."""
        error = fetched.error
        if fetched.diverging is not None:
            self._truncate(state, log, truncation_offset(log, fetched.diverging), asked, fetched.diverging)
        elif error is Errors.OFFSET_OUT_OF_RANGE:
            self._out_of_range(state, log, asked, fetched)
        elif error is Errors.FENCED_LEADER_EPOCH and asked.current_leader_epoch == state.leader_epoch:
            # There is a newer epoch that the metadata here do not show yet: they will bring the partition back.
            self.remove(fetched.key)
        else:
            state.delayed_until_ns = self.host.now_ns + self.host.fetch_backoff_ns

    def _append(
        self, state: FetchState, log: ReplicaLog, asked: FetchPartition, fetched: FetchedPartition, now: int
    ) -> None:
        tell = state.partition.tell
        if fetched.values:
            base = log.end_offset
            log.append_fetched(fetched.epochs, fetched.values, now)
            if tell is not None:
                epochs = [[epoch, max(start, base)] for epoch, start in fetched.epochs]
                tell(
                    "takes",
                    {
                        "asked": asked.current_leader_epoch, "leader_epoch": state.leader_epoch, "base": base,
                        "epochs": epochs, "end": log.end_offset,
                    },
                )  # fmt: skip
        if log.follow_high_watermark(fetched.high_watermark, now) and tell is not None:
            tell("learns", {"asked": asked.current_leader_epoch, "to": log.high_watermark, "end": log.end_offset})
        if fetched.log_start_offset > log.start_offset:
            log.advance_start(fetched.log_start_offset)

    def _truncate(
        self, state: FetchState, log: ReplicaLog, offset: int, asked: FetchPartition, answered: EpochStart
    ) -> None:
        before = log.end_offset
        log.truncate_to(offset)
        if log.end_offset < before:
            if state.partition.tell is not None:
                state.partition.tell(
                    "truncates",
                    {
                        "asked": asked.current_leader_epoch, "leader_epoch": state.leader_epoch,
                        "last_epoch": asked.last_fetched_epoch, "answered": answered[0],
                        "answered_end": answered[1], "end": log.end_offset,
                    },
                )  # fmt: skip
            self.host.truncated(state.partition, log.end_offset)

    def _out_of_range(
        self, state: FetchState, log: ReplicaLog, asked: FetchPartition, fetched: FetchedPartition
    ) -> None:
        """Begin where the leader's log is: at its end if it is the shorter one, else at its start with nothing."""
        end = fetched.log_end_offset
        if end < log.end_offset:
            self._truncate(state, log, end, asked, (-1, end))
        elif fetched.log_start_offset > log.end_offset:
            log.restart_at(fetched.log_start_offset)
            if state.partition.tell is not None:
                state.partition.tell("begins", {"end": log.end_offset})
            self.host.truncated(state.partition, fetched.log_start_offset)


def truncation_offset(log: ReplicaLog, diverging: EpochStart) -> int:
    """Return where a follower truncates when the leader knows its last epoch only up to an epoch and its end.

    If the follower does not know that epoch, it goes back to the end of the one below it, and asks again (KIP-279).
    """
    epoch, end = diverging
    known = log.end_of_epoch(epoch)
    if known is None:
        return min(end, log.end_offset)
    if known[0] != epoch:
        return min(known[1], log.end_offset)
    return min(known[1], end, log.end_offset)
