"""What a controller tells whoever watches it: each operation with its records and its answer, as it happens."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fencepost.reference.kraft.errors import ApiError, Errors
from fencepost.reference.kraft.messages import Request
from fencepost.reference.kraft.records import Message

if TYPE_CHECKING:
    from .quorum_controller import QuorumController


@dataclass(frozen=True, slots=True)
class Operation:
    """An event that ran on the active controller, told when its records were replayed and scheduled.

    `base_offset` is the next write offset before it, `batches` how many records went into each append. `error` is NONE
    with a response; `fault` is the text of an exception that nobody expected.
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
