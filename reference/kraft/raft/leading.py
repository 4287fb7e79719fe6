"""The role of a leader: it appends, answers fetches, moves the high watermark, and resigns when it is left alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from fencepost.reference.kraft.records import Message
from fencepost.reference.simulator import Timer
from fencepost.traces.record_types import KRAFT_VERSION, KRAFT_VOTERS, LEADER_CHANGE

from .accumulator import BatchAccumulator, control_batch
from .client import Voter, wall_clock_ms
from .log import OffsetAndEpoch, ReplicatedLog
from .messages import BeginQuorumEpoch, Fetch, FetchAnswer, FetchSnapshot, FetchSnapshotAnswer
from .roles import MILLISECOND, NEVER, Role

if TYPE_CHECKING:
    from .node import RaftNode

MAX_FETCH_WAIT_NS = 500 * MILLISECOND
"""A fetch that finds nothing new is answered after this (KafkaRaftClient.MAX_FETCH_WAIT_MS)."""


class Leading(Role):
    """Leads in one epoch, from `epoch_start` on, where the control batch of the epoch is.

    `known_levels` has the highest kraft.version that voters said they know, in memory alone: the log has it from 1 on.
    """

    name = "leader"

    def __init__(self, node: RaftNode, granting: tuple[int, ...]) -> None:
        super().__init__(node)
        self.granting = granting
        self.epoch_start = node.disk.log.end_offset
        self.ends: dict[int, int] = dict.fromkeys(node.voters, -1)
        self.observed: dict[int, int] = {}
        self.known_levels = {node.id: node.known[node.id].max_kraft_version}
        self._accumulator = BatchAccumulator(node.epoch, self.epoch_start)
        self._linger: Timer | None = None
        self._parked: dict[str, tuple[Fetch, int]] = {}
        self._sequences: dict[str, int] = {}
        self._fetched_ns: dict[int, int] = {}
        self._fetched_lately: dict[int, bool] = {}
        fetch_timeout_ns = node.settings.controller_quorum_fetch_timeout_ms * MILLISECOND
        self._begin_every_ns, self._quorum_timeout_ns = fetch_timeout_ns // 2, fetch_timeout_ns * 3 // 2
        self._begin_ns = self._quorum_ns = NEVER

    def would_vote(self, log_is_up_to_date: bool) -> bool:
        """A leader wants no other."""
        return False

    # -- the epoch -------------------------------------------------------------------------------------------------
    def begin(self) -> None:
        """Open the epoch with its control batch, and make the leader known."""
        node, log = self.node, self.node.disk.log
        control = opening_records(node.id, list(node.voters.values()), self.granting, log if node.dynamic else None)
        batch = control_batch(self.epoch_start, node.epoch, wall_clock_ms(node.now_ns), control)
        self._accumulator = BatchAccumulator(node.epoch, batch.last_offset + 1)
        log.append(batch)
        if len(node.voters) > 1:
            self._quorum_ns = node.now_ns + self._quorum_timeout_ns
            self._make_known()
        self._appended()

    def _make_known(self) -> None:
        node = self.node
        self._begin_ns = node.now_ns + self._begin_every_ns
        for voter in node.voters.values():
            silent = self._fetched_ns.get(voter.id, -NEVER) + 2 * self._begin_every_ns < node.now_ns
            if voter.id != node.id and silent:
                node.send(voter.process, BeginQuorumEpoch(node.epoch, node.id))
        self._set_deadline()

    def expired(self) -> None:
        """Answer the fetches that have waited long enough; make the leader known again; resign without a quorum."""
        node, now_ns = self.node, self.node.now_ns
        if now_ns >= self._quorum_ns:
            node.step_down()
            return
        for source, (request, until_ns) in list(self._parked.items()):
            if until_ns > now_ns:
                break
            self._answer(source, request)
        if now_ns >= self._begin_ns:
            self._make_known()
        self._set_deadline()

    def end(self) -> None:
        """Let those that wait for records know that none will come from here."""
        if self._linger is not None:
            self._linger.cancel()
        for source, (request, _) in self._parked.items():
            self.node.send(source, FetchAnswer(self.node.epoch, self.node.leader, request.sequence))
        self._parked = {}

    def successors(self) -> tuple[int, ...]:
        """Return the other voters, the one with the longest log first."""
        others = [voter for voter in self.ends if voter != self.node.id]
        return tuple(sorted(others, key=lambda voter: -self.ends[voter]))

    def _set_deadline(self) -> None:
        waits = next(iter(self._parked.values()))[1] if self._parked else NEVER
        self.deadline_ns = min(waits, self._begin_ns, self._quorum_ns)
        self.node.arm()

    # -- appending -------------------------------------------------------------------------------------------------
    def prepare(self, records: Sequence[Message]) -> int:
        """Put records into the batch that is being filled and return the offset of the last."""
        return self._accumulator.append(records, wall_clock_ms(self.node.now_ns))

    def schedule(self) -> None:
        """See to it that what waits is in the log after the linger."""
        if self._linger is None or not self._linger.pending:
            linger_ns = self.node.settings.controller_quorum_append_linger_ms * MILLISECOND
            self._linger = self.node.process.after(linger_ns, self._drain)

    def _drain(self) -> None:
        if self.node.role is self and not self._accumulator.empty:
            for batch in self._accumulator.drain():
                self.node.disk.log.append(batch)
            self._appended()

    # -- changing the voters -----------------------------------------------------------------------------------------
    @property
    def is_established(self) -> bool:
        """Whether a record of the epoch is committed."""
        return self.node.high_watermark > self.epoch_start

    @property
    def is_changing(self) -> bool:
        """Whether the last voters of the log are not committed."""
        found = self.node.disk.log.voters()
        return found is not None and found[0] >= self.node.high_watermark

    def has_seen(self, controller: int) -> bool:
        """Whether a controller has fetched from the end of the log."""
        return self.observed.get(controller, -1) >= self.node.disk.log.end_offset

    def append_voters(self, voters: Sequence[Voter], level: int = 0) -> None:
        """Append the voters behind all that was prepared, with a new level of kraft.version where one is given.

        The leader counts with them from now on.
        """
        node, log = self.node, self.node.disk.log
        for batch in self._accumulator.drain():
            log.append(batch)
        control = [voters_record(voters)]
        if level:
            control.insert(0, (KRAFT_VERSION, {"version": 0, "kRaftVersion": level}))
        log.append(control_batch(log.end_offset, node.epoch, wall_clock_ms(node.now_ns), control))
        self._accumulator = BatchAccumulator(node.epoch, log.end_offset)
        before = {**self.observed, **self.ends}
        self.ends = {voter: before.get(voter, -1) for voter in node.voters}

    def voters_appended(self) -> None:
        """Replicate voters that were appended, and commit them where a majority of them has all."""
        self._fetched_lately = {}
        if self._quorum_ns == NEVER and len(self.node.voters) > 1:
            self._quorum_ns = self.node.now_ns + self._quorum_timeout_ns
            self._make_known()
        self._appended()

    def _appended(self) -> None:
        end = self.node.disk.log.end_offset
        if self.node.id in self.ends:
            self.ends[self.node.id] = end
        self._advance()
        for source, (request, _) in list(self._parked.items()):
            if request.replica in self.ends and request.offset < end:
                self._answer(source, request)

    def _advance(self) -> None:
        node = self.node
        committed = sorted(self.ends.values(), reverse=True)[node.majority - 1]
        # What earlier epochs left is committed only together with a record of this one.
        if committed > self.epoch_start and committed > node.high_watermark:
            node.advance(committed)
            if node.role is self and not node.is_voter and not self.is_changing:
                node.step_down()
            if node.role is self:
                for source, (request, _) in list(self._parked.items()):
                    if request.high_watermark < node.high_watermark:
                        self._answer(source, request)

    # -- being fetched from ----------------------------------------------------------------------------------------
    def fetch(self, source: str, request: Fetch) -> None:
        """Answer a fetch, now or when there is something new; one that was overtaken by a later one is forgotten."""
        if request.sequence < self._sequences.get(source, 0):
            return
        self._sequences[source] = request.sequence
        node, log = self.node, self.node.disk.log
        offset, epoch = request.offset, request.last_epoch
        if behind_start(log, offset, epoch):
            latest = log.snapshots[-1]
            found = OffsetAndEpoch(latest.end_offset, latest.epoch)
            node.send(source, FetchAnswer(node.epoch, node.id, request.sequence, node.high_watermark, (), None, found))
            self._heard_of(request.replica)
            return
        if not log.covers(offset, epoch):
            parts = log.end_of_epoch(epoch)
            node.send(source, FetchAnswer(node.epoch, node.id, request.sequence, node.high_watermark, (), parts))
            self._heard_of(request.replica)
            return
        is_voter = request.replica in self.ends
        self.observed[request.replica] = offset
        if is_voter:
            self.ends[request.replica] = offset
            self._heard_of(request.replica)
            self._advance()
        self._parked.pop(source, None)
        until_ns = node.now_ns + MAX_FETCH_WAIT_NS
        if (
            log.end_offset if is_voter else node.high_watermark
        ) > offset or request.high_watermark < node.high_watermark:
            self._answer(source, request)
        else:
            self._parked[source] = (request, until_ns)
            if until_ns < self.deadline_ns:
                self._set_deadline()

    def fetch_snapshot(self, source: str, request: FetchSnapshot) -> None:
        """Send a snapshot."""
        node = self.node
        end = request.snapshot.offset
        found = next((one for one in node.disk.log.snapshots if one.end_offset == end), None)
        self._heard_of(request.replica)
        node.send(source, FetchSnapshotAnswer(node.epoch, node.id, request.sequence, found))

    def _heard_of(self, replica: int) -> None:
        if replica in self.ends and replica != self.node.id:
            self._fetched_ns[replica] = self.node.now_ns
            self._fetched_lately[replica] = True
            if len(self._fetched_lately) >= self.node.majority - 1:
                self._fetched_lately = {}
                self._quorum_ns = self.node.now_ns + self._quorum_timeout_ns

    def _answer(self, source: str, request: Fetch) -> None:
        node, log = self.node, self.node.disk.log
        self._parked.pop(source, None)
        # Brokers get what is committed only: what may yet be truncated would be of no use to them.
        end = log.end_offset if request.replica in self.ends else node.high_watermark
        batches = log.read(request.offset, end) if request.offset < end else ()
        node.send(source, FetchAnswer(node.epoch, node.id, request.sequence, node.high_watermark, batches))


def behind_start(log: ReplicatedLog, offset: int, epoch: int) -> bool:
    """Whether a log that ends so can only be continued by a snapshot, since what follows it is no longer there."""
    if offset < log.start_offset:
        return True
    return offset == log.start_offset != 0 and epoch != log.start_epoch


def opening_records(
    leader: int, voters: Sequence[Voter], granting: Sequence[int], log: ReplicatedLog | None
) -> list[tuple[str, Mapping[str, Any]]]:
    """Return the control records that open an epoch: who leads, elected by whom.

    Given the log of a quorum whose voters can change, the first leader puts the voters in, as the log has none yet.
    """
    records: list[tuple[str, Mapping[str, Any]]] = [
        (LEADER_CHANGE, {
            "version": 0,
            "leaderId": leader,
            "voters": [{"voterId": voter.id} for voter in voters],
            "grantingVoters": [{"voterId": voter} for voter in granting],
        })
    ]  # fmt: skip
    if log is not None and log.start_offset == 0 and not any(len(batch.control) > 1 for batch in log.batches):
        records += [(KRAFT_VERSION, {"version": 0, "kRaftVersion": 1}), voters_record(voters)]
    return records


def voters_record(voters: Sequence[Voter]) -> tuple[str, Mapping[str, Any]]:
    """Return a KRaftVoters record: its type and its data."""
    return KRAFT_VOTERS, voters_data(voters)


def voters_data(voters: Sequence[Voter]) -> dict[str, Any]:
    """Return the data of a KRaftVoters record."""
    return {
        "version": 0,
        "voters": [
            {
                "voterId": voter.id,
                "voterDirectoryId": voter.directory_id,
                "endpoints": [{"name": "CONTROLLER", "host": voter.host, "port": voter.port}],
                "kRaftVersionFeature": {"minSupportedVersion": 0, "maxSupportedVersion": voter.max_kraft_version},
            }
            for voter in voters
        ],
    }
