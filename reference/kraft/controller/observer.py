"""Notifications of a controller to its observers: each operation with its records and its answer, as it happens."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fencepost.reference.kraft.errors import ApiError, Errors
from fencepost.reference.kraft.messages import Request
from fencepost.reference.kraft.records import Message

if TYPE_CHECKING:
    from fencepost.reference.kraft.raft.client import CommittedBatch
    from fencepost.reference.kraft.raft.node import RaftNode

    from .quorum_controller import QuorumController
    from .write_event import WriteEvent


@dataclass(frozen=True, slots=True)
class Operation:
    """An event that ran on the active controller, reported when its records were replayed and scheduled.

    `base_offset` is the next write offset before it, `batches` how many records went into each append. `error` is NONE
    with a response; `fault` is the text of an unexpected exception. `atomic` is that of the result.
    """

    node: int
    claim_epoch: int
    now_ns: int
    arrived_ns: int
    name: str
    request: Request | None
    base_offset: int
    records: tuple[Message, ...]
    batches: tuple[int, ...]
    response: Any
    error: Errors
    fault: str = ""
    atomic: bool = False


class SilentObserver:
    """An observer that does nothing; others override what they want to know."""

    def operation(self, operation: Operation, controller: QuorumController) -> None:
        """An operation ran, and was refused, failed, or wrote its records."""

    def claimed(self, controller: QuorumController) -> None:
        """A controller became active; its activation comes next."""

    def renounced(self, controller: QuorumController) -> None:
        """A controller is active no longer and took its uncommitted state back."""

    def contact(self, controller: QuorumController, broker_id: int, broker_epoch: int, now_ns: int) -> None:
        """A heartbeat arrived and was noted, before its event runs."""

    def timed_out(self, controller: QuorumController, request: Request, now_ns: int) -> None:
        """A request waited in the queue past its deadline and was not run."""

    def answered(
        self, controller: QuorumController, request: Request, answer: Any | ApiError, arrived_ns: int, now_ns: int
    ) -> None:
        """A request got its answer: a response, or an error."""

    def replayed(self, controller: QuorumController, base_offset: int, records: tuple[Message, ...]) -> None:
        """A standby replayed committed records."""

    def loaded(self, controller: QuorumController, end_offset: int, records: tuple[Message, ...]) -> None:
        """A standby loaded a snapshot that ends below an offset."""

    # -- the loop itself, on every node ----------------------------------------------------------------------------
    def request_queued(self, controller: QuorumController, event: WriteEvent) -> None:
        """A request is in the queue."""

    def record_applied(self, controller: QuorumController, message: Message, offset: int, epoch: int) -> None:
        """A record was applied to memory, on the active controller or on a standby; `epoch` is that of the record."""

    def batch_appended(self, controller: QuorumController, last_offset: int, records: Sequence[Message]) -> None:
        """A batch was applied and given to Raft, which gave it offsets up to this one."""

    def future_completed(self, controller: QuorumController, event: WriteEvent, error: ApiError | None) -> None:
        """The future of a request completes: with a response, which may say what was refused of it, or an error."""

    def turned(self, controller: QuorumController, event: WriteEvent, expired: bool) -> None:
        """A write has had its turn in the queue, or was taken out of it past its deadline."""

    def batch_committed(self, controller: QuorumController, batch: CommittedBatch) -> None:
        """A batch that is committed was dealt with."""

    def snapshot_loaded(self, controller: QuorumController, end_offset: int) -> None:
        """The state was replaced by a snapshot that ends below an offset, and the offsets are its own."""

    def leader_changed(self, controller: QuorumController, leader: int | None, epoch: int) -> None:
        """A leader change of Raft was handled: claimed, renounced, or noted."""

    def snapshot_made(self, controller: QuorumController, end_offset: int) -> None:
        """The stable state, which ends below an offset, was read to make a snapshot of it."""

    def process_ended(self, controller: QuorumController) -> None:
        """The process of a controller ends; what waits in its queue is neither run nor answered."""

    # -- Raft ------------------------------------------------------------------------------------------------------
    def role_changed(self, raft: RaftNode) -> None:
        """A node of the quorum has another role; a leader has not yet begun its epoch."""

    def high_watermark(self, raft: RaftNode) -> None:
        """The leader's high watermark has risen."""

    def log_changed(self, raft: RaftNode) -> None:
        """A follower's fetch changed its log."""

    def asked_to_vote(self, raft: RaftNode) -> None:
        """A controller asks by itself to become a voter."""

    def voters_changed(self, raft: RaftNode, what: str, controller: int, own: bool, answer: str) -> None:
        """A request to change the voters was answered, of an administrator or of the controller itself."""
