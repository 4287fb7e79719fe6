"""Roles of a node that does not lead: unattached, candidate, resigned, follower.

Kafka's names: Unattached, Prospective and Candidate (`Candidate` is both), Resigned, Follower; an observer follows too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .log import OffsetAndEpoch
from .messages import (
    NONE,
    EndQuorumEpoch,
    Fetch,
    FetchAnswer,
    FetchSnapshot,
    FetchSnapshotAnswer,
    Vote,
    VoteAnswer,
    VoterRequest,
)

if TYPE_CHECKING:
    from .node import RaftNode

NEVER = 2**63
MILLISECOND = 1_000_000
BACKOFF_START_MS = 50
"""The first election backoff is up to this; each further one up to twice as much."""


class Role:
    """A node's role until `deadline_ns`, when `expired` changes it."""

    name = ""

    def __init__(self, node: RaftNode) -> None:
        self.node = node
        self.deadline_ns = NEVER

    def begin(self) -> None:
        """Do what is to be done first."""

    def end(self) -> None:
        """Do what is to be done when the node becomes something else."""

    def expired(self) -> None:
        """Do what is to be done at the deadline."""

    def would_vote(self, log_is_up_to_date: bool) -> bool:
        """Whether a candidate that asked before its election would get the vote of this node (KIP-996)."""
        return log_is_up_to_date


class Unattached(Role):
    """Knows an epoch and no leader; starts an election when none is heard of for an election timeout."""

    name = "unattached"

    def begin(self) -> None:
        """Wait for a leader to make itself known."""
        self.deadline_ns = self.node.now_ns + self.node.election_timeout_ns()

    def expired(self) -> None:
        """Stand for election."""
        self.node.stand()


class Candidate(Role):
    """Asks the voters: first whether they would elect it (`pre_vote`), then for their votes in an epoch of its own.

    A prospective node remembers the leader that it lost, and returns to it when the others would not elect it.
    """

    def __init__(self, node: RaftNode, *, pre_vote: bool, attempt: int = 0, leader: int = NONE) -> None:
        super().__init__(node)
        self.leader = leader
        self.name = "prospective" if pre_vote else "candidate"
        self.pre_vote = pre_vote
        self.attempt = attempt
        self.granting = [node.id]
        self.refusing: list[int] = []
        self._backing_off = False

    def begin(self) -> None:
        """Ask all other voters."""
        node = self.node
        self.deadline_ns = node.now_ns + node.election_timeout_ns()
        log = node.disk.log
        for voter in node.voters.values():
            if voter.id != node.id:
                vote = Vote(node.epoch, node.id, log.last_epoch, log.end_offset, self.pre_vote)
                node.send(voter.process, vote)
        self._count()

    def answered(self, answer: VoteAnswer) -> None:
        """Count an answer to this election."""
        if answer.pre_vote != self.pre_vote or answer.epoch != self.node.epoch:
            return
        votes = self.granting if answer.granted else self.refusing
        if answer.voter not in votes:
            votes.append(answer.voter)
            self._count()

    def _count(self) -> None:
        node = self.node
        if len(self.granting) >= node.majority:
            if self.pre_vote:
                node.become_candidate(self.attempt)
            else:
                node.become_leader(tuple(self.granting))
        elif len(self.refusing) == len(node.voters) - node.majority + 1:
            self._lost()

    def expired(self) -> None:
        """Take the election for lost, or stand again after one that was."""
        if self.pre_vote or self._backing_off:
            self.node.lost_election(self.attempt, self.leader)
        else:
            self._lost()

    def _lost(self) -> None:
        node = self.node
        if self.pre_vote:
            node.lost_election(self.attempt, self.leader)
            return
        self._backing_off = True
        limit = min(BACKOFF_START_MS << min(self.attempt, 10), node.settings.controller_quorum_election_backoff_max_ms)
        self.deadline_ns = node.now_ns + node.random.randint(1, max(limit, 1)) * MILLISECOND
        node.arm()


class Resigned(Role):
    """Led in this epoch and resigned; notifies the voters, and starts an election after a while."""

    name = "resigned"

    def __init__(self, node: RaftNode, successors: tuple[int, ...]) -> None:
        super().__init__(node)
        self.successors = successors

    def begin(self) -> None:
        """Tell the voters."""
        node = self.node
        self.deadline_ns = node.now_ns + node.election_timeout_ns()
        for voter in self.successors:
            node.send(node.known[voter].process, EndQuorumEpoch(node.epoch, node.id, self.successors))

    def expired(self) -> None:
        """Stand for election."""
        self.node.stand()


class Following(Role):
    """Fetches from the leader; an observer that knows of none asks any controller, as Kafka does its bootstrap servers.

    A voter that fetched nothing for `controller.quorum.fetch.timeout.ms` starts an election, an observer looks
    elsewhere.
    """

    name = "follower"

    def __init__(self, node: RaftNode, leader: int) -> None:
        super().__init__(node)
        self.leader = leader
        self.has_fetched = False
        self._waiting = False
        self._sequence = 0
        self._retry_ns = NEVER
        self._timeout_ns = node.settings.controller_quorum_fetch_timeout_ms * MILLISECOND
        self._lost_ns = NEVER
        self._asked_ns = node.now_ns

    def begin(self) -> None:
        """Fetch."""
        self._lost_ns = self.node.now_ns + self._timeout_ns
        self._fetch()

    def would_vote(self, log_is_up_to_date: bool) -> bool:
        """Whether the leader has yet to be heard of and the candidate will do."""
        return log_is_up_to_date and not self.has_fetched

    def expired(self) -> None:
        """Give the leader up, or fetch again."""
        if self.node.now_ns >= self._lost_ns:
            self.node.lost_leader()
        else:
            self._fetch()

    def ended(self, message: EndQuorumEpoch) -> None:
        """Note that the leader resigned: the first successor starts an election at once, the others some time later."""
        if message.leader == self.leader and self.node.id in message.successors:
            place = message.successors.index(self.node.id)
            delay = self.node.random.randint(0, BACKOFF_START_MS << place) * MILLISECOND if place else 0
            self._lost_ns = min(self._lost_ns, self.node.now_ns + delay)
            self._wait_until(self._retry_ns)

    def fetched(self, answer: FetchAnswer) -> None:
        """Take what a leader sent."""
        if not self._is_awaited(answer.sequence):
            return
        node = self.node
        if answer.high_watermark < 0 or answer.epoch != node.epoch:
            self._back_off()
            return
        self._heard()
        log = node.disk.log
        if answer.snapshot is not None:
            self._request(FetchSnapshot(node.epoch, node.id, self._next(), answer.snapshot))
            return
        if answer.diverging is not None:
            # What is left may part from the leader's log still, so nothing of it counts as committed yet.
            self._truncate(answer.diverging)
            node.on_log(node)
            self._fetch()
            return
        for batch in answer.batches:
            log.append(batch)
        if answer.batches:
            node.on_log(node)
        node.advance(min(answer.high_watermark, log.end_offset))
        if node.role is self:
            self._ask_for_itself()
            self._fetch()

    def fetched_snapshot(self, answer: FetchSnapshotAnswer) -> None:
        """Take a snapshot in place of the log, unless it is behind what is known to be committed."""
        if not self._is_awaited(answer.sequence):
            return
        node = self.node
        if answer.snapshot is None or answer.epoch != node.epoch:
            self._back_off()
            return
        self._heard()
        if answer.snapshot.end_offset > node.high_watermark:
            node.disk.log.start_at(answer.snapshot)
            node.on_log(node)
            node.advance(answer.snapshot.end_offset)
        if node.role is self:
            self._fetch()

    def _ask_for_itself(self) -> None:
        """Send the leader a request about the own vote, once in each fetch timeout.

        With kraft.version 1 an observer with auto-join asks to become a voter. With 0 each voter lets each leader know
        which versions it knows, as leaders keep that in memory alone (KafkaRaftClient.shouldSendUpdateVoteRequest).
        """
        node = self.node
        if self.leader == NONE or node.now_ns - self._asked_ns < self._timeout_ns:
            return
        if node.kraft_version and node.auto_join and not node.is_voter:
            what = "add"
        elif not node.kraft_version and node.is_voter:
            what = "update"
        else:
            return
        self._asked_ns = node.now_ns
        if what == "add":
            node.on_ask(node)
        node.send(node.known[self.leader].process, VoterRequest(node.epoch, what, node.id))

    def _truncate(self, diverging: OffsetAndEpoch) -> None:
        log = self.node.disk.log
        local = log.end_of_epoch(diverging.epoch)
        offset = min(local.offset, diverging.offset) if local.epoch == diverging.epoch else local.offset
        if offset < self.node.high_watermark:
            raise RuntimeError(
                f"node {self.node.id} is to truncate its log to {offset}, and all below {self.node.high_watermark} "
                "is committed: committed records are lost"
            )
        log.truncate_to(offset)

    def _is_awaited(self, sequence: int) -> bool:
        awaited = self._waiting and sequence == self._sequence
        self._waiting = self._waiting and not awaited
        return awaited

    def _heard(self) -> None:
        self.has_fetched = True
        self._lost_ns = self.node.now_ns + self._timeout_ns

    def _next(self) -> int:
        self._sequence = self.node.next_sequence()
        return self._sequence

    def _fetch(self) -> None:
        node, log = self.node, self.node.disk.log
        self._request(Fetch(node.epoch, node.id, self._next(), log.end_offset, log.last_epoch, node.high_watermark))

    def _request(self, request: Fetch | FetchSnapshot) -> None:
        node = self.node
        leader = (
            self.leader if self.leader != NONE else node.random.choice([one for one in node.known if one != node.id])
        )
        self._waiting = True
        node.send(node.known[leader].process, request)
        self._wait_until(node.now_ns + node.settings.controller_quorum_request_timeout_ms * MILLISECOND)

    def _back_off(self) -> None:
        self._wait_until(self.node.now_ns + self.node.settings.controller_quorum_retry_backoff_ms * MILLISECOND)

    def _wait_until(self, retry_ns: int) -> None:
        self._retry_ns = retry_ns
        self.deadline_ns = min(retry_ns, self._lost_ns)
        self.node.arm()
