"""Checks the send queues of a controller: each request must say what is written, and each batch be whole."""

from __future__ import annotations

from typing import Any

from fencepost.checkers.conformance.classes.frames import UNKNOWN
from fencepost.checkers.unexplained import UNEXPLAINED
from fencepost.traces.zk import Entry, TopicPartition
from fencepost.traces.zk.controller_lines import (
    LeaderAndIsrSent,
    LeaderAndIsrSummary,
    ReplicasMarkedOffline,
    StopReplicaOldSummary,
    StopReplicaSent,
    StopReplicaSummary,
)

from .checker import RecordingChecker
from .history import History
from .leaderships import Leadership, Leaderships
from .lines import place_of
from .term_lines import TermLines

DELETING = -2
"""The leader epoch of a StopReplica, and the leader in an UpdateMetadata, for a topic that is deleted."""


class Requests:
    """Compares the lines of requests with the writes; `sent` has the messages that brokers may receive."""

    def __init__(self, checker: RecordingChecker, leaderships: Leaderships, history: History | None) -> None:
        self.checker, self.leaderships, self.history = checker, leaderships, history
        self.sent: set[tuple[Any, ...]] = set()

    def line(self, lines: TermLines, entry: Entry) -> None:
        """Lines of the event thread that are no events: what it puts into its send queues."""
        message, c = entry.message, lines.term
        match message:
            case LeaderAndIsrSent():
                self._leader_and_isr(lines, entry, message)
            case LeaderAndIsrSummary():
                sent = lines.waiting.pop(message.broker, [])
                leaders = sum(getattr(one.message, "role", "") == "leader" for one in sent)
                lines.batches += 1
                if self._is_whole(lines) and (leaders, len(sent) - leaders) != (message.leaders, message.followers):
                    says = f"{message.leaders} become-leader and {message.followers} become-follower partitions"
                    self._count(entry, says, f"{leaders} and {len(sent) - leaders}")
            case StopReplicaSent():
                lines.stopping[message.broker] = lines.stopping.get(message.broker, 0) + 1
                self.sent.add(("stop", c, message.broker, message.partition, message.state))
                self._stop(lines, entry, message)
            case StopReplicaSummary() | StopReplicaOldSummary():
                found = lines.stopping.pop(message.broker, 0)
                lines.batches += 1
                if self._is_whole(lines) and found != message.replicas:
                    self._count(entry, f"{message.replicas} replicas", str(found))
            case ReplicasMarkedOffline():
                for p in message.partitions:
                    known = self.checker.state.value("lost", c, p)
                    known = frozenset() if known is UNKNOWN else known
                    self.checker.tell([("lost", (c, p), known | {message.broker})])
                    lines.mark(p, message.broker)
            case _:
                pass

    @staticmethod
    def _is_whole(lines: TermLines) -> bool:
        """Whether all lines of a batch should be there: the first one of a log that begins in a term may be cut."""
        return lines.traced and not (lines.cut and lines.batches == 1)

    def _count(self, entry: Entry, says: str, found: str) -> None:
        self.checker.report(
            "gap",
            place_of(entry),
            str(entry.sender.text),
            f"The line says {says}, and in front of it are {found}: a line is missing, or there is one too many.",
        )

    def _leader_and_isr(self, lines: TermLines, entry: Entry, message: LeaderAndIsrSent) -> None:
        c, state = lines.term, message.state
        lines.waiting.setdefault(message.broker, []).append(entry)
        self.sent.add(("lisr", c, message.broker, state))
        p = TopicPartition(state.topic, state.partition)
        told = Leadership.of(state)
        other = self.leaderships.agrees(p, told)
        if p != message.partition or (message.role == "leader") != (state.leader == message.broker):
            self.checker.report(
                UNEXPLAINED,
                place_of(entry),
                f"partition {p}",
                f"A become-{message.role} for {message.partition} does not go with what the request says.",
            )
        elif other is not None:
            disagree(self.checker, entry, p, told, other)
        else:
            not_newer(self.checker, entry, p, state.controller_epoch, c.epoch)
            self.checker.tell([("assigned", (c, p), state.replicas)])

    def _stop(self, lines: TermLines, entry: Entry, message: StopReplicaSent) -> None:
        p, epoch = message.partition, message.state.leader_epoch
        known = self.checker.state.value("leader_epoch", p)
        # A report of an earlier term may be older than what that term wrote last.
        reported = not lines.cut and (self.history is not None or p in lines.seen)
        if epoch >= 0 and known is not UNKNOWN and reported and epoch > max(known, self._highest(p)):
            self.checker.report(
                "epoch",
                place_of(entry),
                f"partition {p}",
                f"A replica is stopped under leader epoch {epoch}, and the partition's is {known}.",
            )
        if message.partition.partition != message.state.partition:
            self.checker.report(
                UNEXPLAINED,
                place_of(entry),
                f"partition {p}",
                f"The request is for {p} and speaks of partition {message.state.partition}.",
            )

    def _highest(self, p: TopicPartition) -> int:
        if self.history is None:
            return -1
        return max((w.leadership.leader_epoch for w in self.history.writes.values() if w.partition == p), default=-1)


def disagree(checker: RecordingChecker, entry: Entry, p: TopicPartition, told: Leadership, other: Leadership) -> None:
    """Report that a line says something else of a version of a partition than what is known of it."""
    have = f"is {other}" if other.version >= 0 else "was never written"
    message = f"The line says {told}, and version {told.version} {have}."
    checker.report(UNEXPLAINED, place_of(entry), f"partition {p}", message)


def not_newer(checker: RecordingChecker, entry: Entry, p: TopicPartition, written: int, epoch: int) -> None:
    """Report a request about a state that was written in a later epoch than the request's own."""
    if written > epoch:
        message = f"The state was written in epoch {written}, and the request is of epoch {epoch}."
        checker.report("epoch", place_of(entry), f"partition {p}", message)
