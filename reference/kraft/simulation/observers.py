"""Several observers of the same controllers, notified one after the other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fencepost.reference.kraft.controller.observer import Operation, SilentObserver
from fencepost.reference.kraft.controller.quorum_controller import QuorumController
from fencepost.reference.kraft.controller.write_event import WriteEvent
from fencepost.reference.kraft.errors import ApiError
from fencepost.reference.kraft.messages import Request
from fencepost.reference.kraft.raft import CommittedBatch, RaftNode
from fencepost.reference.kraft.records import Message


class Observers(SilentObserver):
    """Passes every call on to several observers, in their order."""

    def __init__(self, *observers: SilentObserver) -> None:
        self.all = observers

    def operation(self, operation: Operation, controller: QuorumController) -> None:
        """An operation ran."""
        for one in self.all:
            one.operation(operation, controller)

    def claimed(self, controller: QuorumController) -> None:
        """A controller became active."""
        for one in self.all:
            one.claimed(controller)

    def renounced(self, controller: QuorumController) -> None:
        """A controller is active no longer."""
        for one in self.all:
            one.renounced(controller)

    def contact(self, controller: QuorumController, broker_id: int, broker_epoch: int, now_ns: int) -> None:
        """A heartbeat arrived."""
        for one in self.all:
            one.contact(controller, broker_id, broker_epoch, now_ns)

    def timed_out(self, controller: QuorumController, request: Request, now_ns: int) -> None:
        """A request waited past its deadline."""
        for one in self.all:
            one.timed_out(controller, request, now_ns)

    def answered(
        self, controller: QuorumController, request: Request, answer: Any | ApiError, arrived_ns: int, now_ns: int
    ) -> None:
        """A request got its answer."""
        for one in self.all:
            one.answered(controller, request, answer, arrived_ns, now_ns)

    def replayed(self, controller: QuorumController, base_offset: int, records: tuple[Message, ...]) -> None:
        """A standby replayed records."""
        for one in self.all:
            one.replayed(controller, base_offset, records)

    def loaded(self, controller: QuorumController, end_offset: int, records: tuple[Message, ...]) -> None:
        """A standby loaded a snapshot."""
        for one in self.all:
            one.loaded(controller, end_offset, records)

    def request_queued(self, controller: QuorumController, event: WriteEvent) -> None:
        """A request is in the queue."""
        for one in self.all:
            one.request_queued(controller, event)

    def record_applied(self, controller: QuorumController, message: Message, offset: int, epoch: int) -> None:
        """A record was applied."""
        for one in self.all:
            one.record_applied(controller, message, offset, epoch)

    def batch_appended(self, controller: QuorumController, last_offset: int, records: Sequence[Message]) -> None:
        """A batch was given to Raft."""
        for one in self.all:
            one.batch_appended(controller, last_offset, records)

    def future_completed(self, controller: QuorumController, event: WriteEvent, error: ApiError | None) -> None:
        """A future completes."""
        for one in self.all:
            one.future_completed(controller, event, error)

    def turned(self, controller: QuorumController, event: WriteEvent, expired: bool) -> None:
        """A write has had its turn."""
        for one in self.all:
            one.turned(controller, event, expired)

    def batch_committed(self, controller: QuorumController, batch: CommittedBatch) -> None:
        """A committed batch was dealt with."""
        for one in self.all:
            one.batch_committed(controller, batch)

    def snapshot_loaded(self, controller: QuorumController, end_offset: int) -> None:
        """A snapshot was loaded."""
        for one in self.all:
            one.snapshot_loaded(controller, end_offset)

    def leader_changed(self, controller: QuorumController, leader: int | None, epoch: int) -> None:
        """A leader change of Raft was handled."""
        for one in self.all:
            one.leader_changed(controller, leader, epoch)

    def snapshot_made(self, controller: QuorumController, end_offset: int) -> None:
        """A snapshot was made."""
        for one in self.all:
            one.snapshot_made(controller, end_offset)

    def process_ended(self, controller: QuorumController) -> None:
        """A process ends."""
        for one in self.all:
            one.process_ended(controller)

    def role_changed(self, raft: RaftNode) -> None:
        """A node of the quorum has another role."""
        for one in self.all:
            one.role_changed(raft)

    def high_watermark(self, raft: RaftNode) -> None:
        """The leader's high watermark has risen."""
        for one in self.all:
            one.high_watermark(raft)

    def log_changed(self, raft: RaftNode) -> None:
        """A follower's log changed."""
        for one in self.all:
            one.log_changed(raft)

    def asked_to_vote(self, raft: RaftNode) -> None:
        """A controller asks by itself to become a voter."""
        for one in self.all:
            one.asked_to_vote(raft)

    def voters_changed(self, raft: RaftNode, what: str, controller: int, own: bool, answer: str) -> None:
        """A request to change the voters was answered."""
        for one in self.all:
            one.voters_changed(raft, what, controller, own, answer)
