"""A node of the quorum, or an observer of it: its role, its part of the log, and calls to its state machine."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from fencepost.reference.kraft.errors import NotLeaderError
from fencepost.reference.kraft.records import Message
from fencepost.reference.kraft.settings import Settings
from fencepost.reference.simulator import Network, Process, Timer

from . import changes
from .client import CommittedBatch, LoadedSnapshot, RaftListener, Voter, wall_clock_ms
from .leading import Leading
from .log import RaftDisk
from .messages import (
    NONE,
    BeginQuorumEpoch,
    EndQuorumEpoch,
    Fetch,
    FetchAnswer,
    FetchSnapshot,
    FetchSnapshotAnswer,
    RaftMessage,
    Vote,
    VoteAnswer,
    VoterRequest,
)
from .roles import MILLISECOND, Candidate, Following, Resigned, Role, Unattached


class RaftNode:
    """Raft in the shape of KafkaRaftClient, over a simulated network; a new one for each start of its process.

    The voters are those that the log has last, committed or not, and `voters` where it has none. `others` are
    controllers that may become voters; one with `auto_join` asks for it by itself. A node that is no voter is an
    observer: it fetches what is committed and does not stand for election. What it must not forget is on `disk`. The
    process hands it its messages (`receive`); with `dynamic` the first leader writes the voters into the log, as with
    kraft.version 1. `on_role` is called at each change of its role, `on_commit` when it leads and more is committed,
    `on_log` when what it has fetched changed its log, `on_ask` when it asks by itself to become a voter, `on_change` of
    each request to change the voters, with what was asked, of whom, whether by itself, and the answer.
    """

    def __init__(
        self,
        process: Process,
        network: Network,
        node_id: int,
        voters: Sequence[Voter],
        settings: Settings,
        disk: RaftDisk,
        *,
        dynamic: bool = True,
        on_role: Callable[[RaftNode], None] = lambda node: None,
        on_commit: Callable[[RaftNode], None] = lambda node: None,
        others: Sequence[Voter] = (),
        auto_join: bool = False,
        on_log: Callable[[RaftNode], None] = lambda node: None,
        on_ask: Callable[[RaftNode], None] = lambda node: None,
        on_change: Callable[[RaftNode, str, int, bool, str], None] = lambda node, what, whom, own, answer: None,
    ) -> None:
        self.process, self.network, self.id, self.settings, self.disk = process, network, node_id, settings, disk
        self.known: Mapping[int, Voter] = {voter.id: voter for voter in (*voters, *others)}
        self.configured: Mapping[int, Voter] = {voter.id: voter for voter in voters}
        self._listed: tuple[object, Mapping[int, Voter]] = None, {}
        self.dynamic, self.auto_join = dynamic, auto_join
        self.random = process.simulator.random(f"raft {process.name}")
        self.role: Role = Role(self)
        snapshot = disk.log.latest_snapshot
        self.high_watermark = snapshot.end_offset if snapshot else 0
        self._on_role, self._on_commit, self.on_log = on_role, on_commit, on_log
        self.on_ask, self._on_change = on_ask, on_change
        self._timer: Timer | None = None
        self._timer_ns = 0
        self._sequence = 0
        self._listener: RaftListener | None = None
        self._listener_next = 0
        self._told: tuple[int, int] = (NONE, 0)
        self._handlers: dict[type, Callable[[str, Any], None]] = {
            Vote: self._on_vote,
            VoteAnswer: self._on_vote_answer,
            BeginQuorumEpoch: self._on_begin,
            EndQuorumEpoch: self._on_end,
            Fetch: self._on_fetch,
            FetchAnswer: self._on_fetch_answer,
            FetchSnapshot: self._on_fetch_snapshot,
            FetchSnapshotAnswer: self._on_fetch_snapshot_answer,
            VoterRequest: self._on_voter_request,
        }

    # -- what is known ---------------------------------------------------------------------------------------------
    @property
    def voters(self) -> Mapping[int, Voter]:
        """The voters by id: the last of the log, committed or not, else those of the configuration."""
        found = self.disk.log.voters()
        if found is None:
            return self.configured
        if found is not self._listed[0]:
            self._listed = found, {voter: self.known[voter] for voter in found[1]}
        return self._listed[1]

    @property
    def majority(self) -> int:
        """How many of the voters are more than half."""
        return len(self.voters) // 2 + 1

    @property
    def is_voter(self) -> bool:
        """Whether the node is among the voters."""
        return self.id in self.voters

    @property
    def now_ns(self) -> int:
        """The virtual clock."""
        return self.process.simulator.now_ns

    @property
    def epoch(self) -> int:
        """The epoch that the node is in."""
        return self.disk.epoch

    @property
    def leader(self) -> int:
        """The leader that is known in this epoch, −1 for none."""
        if isinstance(self.role, (Following, Candidate)):
            return self.role.leader
        return self.id if isinstance(self.role, Leading) else NONE

    def has_seen(self, controller: int) -> bool:
        """Whether the node leads and a controller has fetched from the end of its log."""
        return isinstance(self.role, Leading) and self.role.has_seen(controller)

    @property
    def granting(self) -> tuple[int, ...]:
        """The voters that elected the node, while it leads."""
        return self.role.granting if isinstance(self.role, Leading) else ()

    @property
    def is_leader(self) -> bool:
        """Whether the node leads."""
        return isinstance(self.role, Leading)

    # -- what the state machine may ask ----------------------------------------------------------------------------
    def register(self, listener: RaftListener) -> None:
        """Tell this listener from now on, and no other; it is given the newest snapshot and the log from there."""
        self._listener, self._listener_next, self._told = listener, 0, (NONE, 0)
        self.process.after(0, self._feed)

    def prepare_append(self, epoch: int, records: Sequence[Message]) -> int:
        """Give records their offsets and return the last of them; raises NotLeaderError."""
        if not isinstance(self.role, Leading) or epoch != self.epoch:
            raise NotLeaderError(f"node {self.id} is {self.role.name} in epoch {self.epoch}, not leader in {epoch}")
        return self.role.prepare(records)

    def schedule_prepared_append(self) -> None:
        """Let what was prepared be written after the linger."""
        if isinstance(self.role, Leading):
            self.role.schedule()

    def resign(self, epoch: int) -> None:
        """Give up the leadership of an epoch, soon."""
        self.process.after(0, lambda: self.step_down() if self.is_leader and self.epoch == epoch else None)

    @property
    def kraft_version(self) -> int:
        """The level of kraft.version: the last that the log says, committed or not, or the one it was formatted at."""
        return max(int(self.dynamic), self.disk.log.kraft_version())

    def upgrade_kraft_version(self, level: int) -> str:
        """Raise kraft.version, which has no level above 1; return Kafka's name of the error, NONE for none."""
        return self.change_voters("upgrade", self.id) if level else changes.NONE

    def change_voters(self, what: str, controller: int, own: bool = False) -> str:
        """Add, remove or update a controller, or "upgrade" kraft.version; return Kafka's name of the error, or NONE."""
        answer, end = changes.NOT_LEADER, self.log_end_offset()
        if isinstance(self.role, Leading) and what == "upgrade":
            answer = changes.upgrade(self.role)
        elif isinstance(self.role, Leading):
            change = {"add": changes.add_voter, "remove": changes.remove_voter, "update": changes.update_voter}[what]
            answer = change(self.role, controller)
        self._on_change(self, what, controller, own, answer)
        if self.log_end_offset() > end:
            # The state machine asks for an upgrade, and hears of nothing that is committed before it has its answer.
            self.process.after(0, self._voters_appended) if what == "upgrade" else self._voters_appended()
        return answer

    def _voters_appended(self) -> None:
        if isinstance(self.role, Leading):
            self.role.voters_appended()

    def log_end_offset(self) -> int:
        """Return the offset after the last one of the log."""
        return self.disk.log.end_offset

    def create_snapshot(self, end_offset: int, epoch: int, messages: Sequence[Message]) -> None:
        """Keep a snapshot, and forget what `metadata.max.retention.bytes` has no room for."""
        log = self.disk.log
        if end_offset > self.high_watermark:
            raise ValueError(f"a snapshot up to {end_offset} would hold more than is committed, {self.high_watermark}")
        if log.latest_snapshot is not None and end_offset <= log.latest_snapshot.end_offset:
            return
        last = log.read(end_offset - 1, end_offset)
        contained = last[-1].timestamp_ms if last else 0
        level = max(int(self.dynamic), log.kraft_version(end_offset))
        made_ms = wall_clock_ms(self.now_ns)
        found = log.voters(end_offset)
        voters = () if found is None else found[1]
        log.add_snapshot(LoadedSnapshot(end_offset, epoch, tuple(messages), made_ms, contained, level, voters))
        log.clean(self.settings.metadata_max_retention_bytes)

    # -- becoming something ----------------------------------------------------------------------------------------
    def start(self) -> None:
        """Take up from what is on disk: after the leader that was known, or waiting for one."""
        disk = self.disk
        leader = disk.leader if disk.leader in self.known and disk.leader != self.id else NONE
        if not self.is_voter or leader != NONE:
            self._become(Following(self, leader))
        else:
            self._become(Unattached(self))

    def stand(self, attempt: int = 0, leader: int = NONE) -> None:
        """Ask the voters whether they would elect this node, in place of a leader that was lost, if it is a voter."""
        if not self.is_voter:
            self._become(Following(self, NONE))
            return
        self._become(Candidate(self, pre_vote=True, attempt=attempt, leader=leader))

    def become_candidate(self, attempt: int) -> None:
        """Begin an epoch and ask for votes in it, the own vote being cast."""
        self._persist(self.epoch + 1, self.id, NONE)
        self._become(Candidate(self, pre_vote=False, attempt=attempt))

    def become_leader(self, granting: tuple[int, ...]) -> None:
        """Lead."""
        self._persist(self.epoch, self.id, self.id)
        self._become(Leading(self, granting))

    def step_down(self) -> None:
        """Resign."""
        if isinstance(self.role, Leading):
            self._become(Resigned(self, self.role.successors()))

    def lost_leader(self) -> None:
        """Look for another leader: a voter by an election, an observer by asking around."""
        if self.is_voter:
            self.stand(leader=self.leader)
        else:
            self._persist(self.epoch, NONE, NONE)
            self._become(Following(self, NONE))

    def lost_election(self, attempt: int, leader: int) -> None:
        """Return to the lost leader, if any; a candidate starts another election, others wait for a leader."""
        role = self.role
        if leader != NONE:
            self._become(Following(self, leader))
        elif isinstance(role, Candidate) and not role.pre_vote:
            self.stand(attempt + 1)
        else:
            self._become(Unattached(self))

    def _learn(self, epoch: int, leader: int) -> None:
        """Move on to a higher epoch, or follow the leader of this one, if another node knows it."""
        if epoch > self.epoch:
            self._persist(epoch, NONE, leader)
            if leader in self.known and leader != self.id:
                self._become(Following(self, leader))
            else:
                self._become(Unattached(self) if self.is_voter else Following(self, NONE))
        elif epoch == self.epoch and leader in self.known and self.leader == NONE and leader != self.id:
            self._persist(epoch, self.disk.voted_for, leader)
            self._become(Following(self, leader))

    def _persist(self, epoch: int, voted_for: int, leader: int) -> None:
        self.disk.epoch, self.disk.voted_for, self.disk.leader = epoch, voted_for, leader
        self.disk.state_version = self.kraft_version

    def _become(self, role: Role) -> None:
        before, self.role = self.role, role
        before.end()
        self._on_role(self)
        role.begin()
        if self.role is role:
            self.arm()
            self._tell_leader()

    def arm(self) -> None:
        """See to it that the role's deadline is kept."""
        deadline_ns = self.role.deadline_ns
        if self._timer is None or not self._timer.pending or deadline_ns < self._timer_ns:
            if self._timer is not None:
                self._timer.cancel()
            self._timer_ns = max(deadline_ns, self.now_ns)
            self._timer = self.process.after(self._timer_ns - self.now_ns, self._due)

    def _due(self) -> None:
        # Deadlines are mostly put off, so the timer is late only in being set, never in firing.
        if self.now_ns >= self.role.deadline_ns:
            self.role.expired()
        self.arm()

    def election_timeout_ns(self) -> int:
        """Return a random time between one and two `controller.quorum.election.timeout.ms`."""
        timeout_ms = self.settings.controller_quorum_election_timeout_ms
        return (timeout_ms + self.random.randrange(max(timeout_ms, 1))) * MILLISECOND

    def next_sequence(self) -> int:
        """Return a number for a request, higher than all before, those before a crash too."""
        self._sequence = max(self._sequence + 1, self.now_ns)
        return self._sequence

    # -- telling the state machine ---------------------------------------------------------------------------------
    def advance(self, high_watermark: int) -> None:
        """Take note that all below an offset is committed, if it is more than was known."""
        if high_watermark > self.high_watermark:
            self.high_watermark = high_watermark
            if self.is_leader:
                self._on_commit(self)
            self._feed()

    def _feed(self) -> None:
        listener, log = self._listener, self.disk.log
        if listener is None:
            return
        snapshot = log.latest_snapshot
        if snapshot is not None and (self._listener_next == 0 or self._listener_next < log.start_offset):
            self._listener_next = snapshot.end_offset
            listener.handle_load_snapshot(snapshot)
        while self._listener_next < self.high_watermark:
            batches: tuple[CommittedBatch, ...] = log.read(self._listener_next, self.high_watermark)
            self._listener_next = batches[-1].last_offset + 1
            listener.handle_commit(batches)
        self._tell_leader()

    def _tell_leader(self) -> None:
        listener, now = self._listener, (self.leader, self.epoch)
        if listener is None or now == self._told or (now[0] == NONE and self._told[0] == NONE):
            return
        if isinstance(self.role, Leading) and self._listener_next <= self.role.epoch_start:
            return
        self._told = now
        listener.handle_leader_change(None if now[0] == NONE else now[0], now[1])

    def deliver_again(self, offset: int) -> None:
        """Deliver what is committed from an offset on once more, when the caller is done."""
        self._listener_next = min(self._listener_next, offset)
        self.process.after(0, self._feed)

    # -- the network -----------------------------------------------------------------------------------------------
    def send(self, target: str, message: RaftMessage) -> None:
        """Send a message to another node."""
        self.network.send(self.process, target, message)

    def receive(self, source: str, message: RaftMessage) -> None:
        """Take a message from another node."""
        self._handlers[type(message)](source, message)

    def serve(self, source: str, request: Any, reply: Callable[[Any], None]) -> None:
        """Refuse a request that is none of Raft's: its messages are no calls. Raises TypeError."""
        raise TypeError(f"{source} asks node {self.id} for {type(request).__name__}, which no role there handles")

    def _on_voter_request(self, source: str, request: VoterRequest) -> None:
        self.change_voters(request.what, request.controller, own=request.what == "add")

    def _on_vote(self, source: str, vote: Vote) -> None:
        if self.id not in self.known:
            return
        self._learn(vote.epoch, NONE)
        granted = vote.epoch == self.epoch and self._grants(vote)
        if granted and not vote.pre_vote and self.disk.voted_for == NONE:
            self._persist(self.epoch, vote.candidate, NONE)
            self._become(Unattached(self))
        self.send(source, VoteAnswer(self.epoch, self.leader, self.id, granted, vote.pre_vote))

    def _grants(self, vote: Vote) -> bool:
        log = self.disk.log
        up_to_date = (vote.last_epoch, vote.end_offset) >= (log.last_epoch, log.end_offset)
        if vote.pre_vote:
            return self.role.would_vote(up_to_date)
        if self.leader != NONE or isinstance(self.role, Resigned):
            return False
        return self.disk.voted_for == vote.candidate or (self.disk.voted_for == NONE and up_to_date)

    def _on_vote_answer(self, source: str, answer: VoteAnswer) -> None:
        self._learn(answer.epoch, answer.leader)
        if isinstance(self.role, Candidate):
            self.role.answered(answer)

    def _on_begin(self, source: str, message: BeginQuorumEpoch) -> None:
        self._learn(message.epoch, message.leader)

    def _on_end(self, source: str, message: EndQuorumEpoch) -> None:
        self._learn(message.epoch, message.leader)
        if message.epoch == self.epoch and isinstance(self.role, Following):
            self.role.ended(message)

    def _on_fetch(self, source: str, request: Fetch) -> None:
        if isinstance(self.role, Leading) and request.epoch == self.epoch:
            self.role.fetch(source, request)
        else:
            self.send(source, FetchAnswer(self.epoch, self.leader, request.sequence))

    def _on_fetch_answer(self, source: str, answer: FetchAnswer) -> None:
        self._learn(answer.epoch, answer.leader)
        if isinstance(self.role, Following):
            self.role.fetched(answer)

    def _on_fetch_snapshot(self, source: str, request: FetchSnapshot) -> None:
        if isinstance(self.role, Leading) and request.epoch == self.epoch:
            self.role.fetch_snapshot(source, request)
        else:
            self.send(source, FetchSnapshotAnswer(self.epoch, self.leader, request.sequence, None))

    def _on_fetch_snapshot_answer(self, source: str, answer: FetchSnapshotAnswer) -> None:
        self._learn(answer.epoch, answer.leader)
        if isinstance(self.role, Following):
            self.role.fetched_snapshot(answer)
