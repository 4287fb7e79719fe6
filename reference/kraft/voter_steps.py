"""Steps of Raft nodes while their voters change, as trace values: for lock step with `kraft-voters`."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING, Any

from fencepost.traces import voter_steps as told
from fencepost.traces.record_types import KRAFT_VOTERS
from fencepost.traces.voter_steps import ControlBatch, VoterStep

from .controller.observer import SilentObserver

if TYPE_CHECKING:
    from .raft import CommittedBatch, RaftNode, Voter

NOBODY = -1
"""Whose step it is that a quorum was formatted."""


class VoterWriter(SilentObserver):
    """An observer that hands every step of the Raft nodes that it watches to a sink.

    What a node fetches or commits without a control batch in it is no step: these tables have no other records.
    """

    def __init__(self, sink: Callable[[VoterStep], None]) -> None:
        self.sink = sink
        self._leading: set[int] = set()
        self._fetched: dict[int, tuple[int, list[CommittedBatch]]] = {}
        self._committed: dict[int, tuple[int, int]] = {}

    def formatted(
        self, voters: Sequence[Voter], others: Sequence[Voter], dynamic: bool, joining: Collection[int]
    ) -> None:
        """Write how the quorum begins: its voters, controllers that may become some, those that do so by themselves."""
        every = [*voters, *others]
        values = {
            "controllers": tuple(one.id for one in every),
            "voters": tuple(one.id for one in voters),
            "dynamic": dynamic,
            "knowing": tuple(one.id for one in every if one.max_kraft_version),
            "joining": tuple(joining),
        }
        self.sink(VoterStep(NOBODY, told.FORMATTED, values))

    def role_changed(self, raft: RaftNode) -> None:
        """Write that a controller leads, with the log that it was elected with, or leads no more."""
        if raft.is_leader:
            self._leading.add(raft.id)
            self._write(raft, told.ELECTED, epoch=raft.epoch, granting=raft.granting)
        elif raft.id in self._leading:
            self._leading.discard(raft.id)
            self._write(raft, told.LEFT)

    def high_watermark(self, raft: RaftNode) -> None:
        """Write what a leader has committed."""
        end = sum(one.last_offset < raft.high_watermark for one in raft.disk.log.control)
        if self._committed.get(raft.id) != (raft.epoch, end):
            self._committed[raft.id] = raft.epoch, end
            self._write(raft, told.COMMITTED, end=end)

    def log_changed(self, raft: RaftNode) -> None:
        """Write that the control batches of a follower's log changed, or the epoch whose leader it follows."""
        if self._fetched.get(raft.id) != (raft.epoch, raft.disk.log.control):
            self._fetched[raft.id] = raft.epoch, list(raft.disk.log.control)
            self._write(raft, told.FETCHED, epoch=raft.epoch)

    def asked_to_vote(self, raft: RaftNode) -> None:
        """Write that a controller asks to become a voter."""
        self._write(raft, told.ASKED)

    def voters_changed(self, raft: RaftNode, what: str, controller: int, own: bool, answer: str) -> None:
        """Write how a request to change the voters was answered."""
        seen = answer == "NONE" or raft.has_seen(controller)
        self._write(raft, told.CHANGED, what=what, controller=controller, own=own, seen=seen, answer=answer)

    def _write(self, raft: RaftNode, name: str, **values: Any) -> None:
        log = raft.disk.log
        if log.start_offset:
            self.sink(VoterStep(raft.id, told.LOST, {}, (), raft.now_ns))
            return
        batches = tuple(ControlBatch(one.epoch, _ids(one)) for one in log.control)
        self.sink(VoterStep(raft.id, name, values, batches, raft.now_ns))


def _ids(batch: CommittedBatch) -> tuple[int, ...]:
    """Return the ids of the voters that a control batch names, ascending."""
    named = (data["voters"] for type_, data in batch.control if type_ == KRAFT_VOTERS)
    return tuple(sorted(voter["voterId"] for voter in next(named, ())))
