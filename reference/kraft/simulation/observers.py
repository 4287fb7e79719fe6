"""Several observers of the same controllers, told one after the other."""

from __future__ import annotations

from typing import Any

from fencepost.reference.kraft.controller.observer import Operation, SilentObserver
from fencepost.reference.kraft.controller.quorum_controller import QuorumController
from fencepost.reference.kraft.errors import ApiError
from fencepost.reference.kraft.messages import Request
from fencepost.reference.kraft.records import Message


class Observers(SilentObserver):
    """Passes on all that it is told; whoever comes first is told first."""

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
