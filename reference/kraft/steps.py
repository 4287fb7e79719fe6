"""Steps of a controller as trace values: requests, answers, records and its state."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from fencepost.reference.kraft import messages as m
from fencepost.reference.kraft.errors import Errors
from fencepost.reference.kraft.records import Message
from fencepost.traces import events as e
from fencepost.traces.steps import CLAIM, CONTACT, CONTROL, RENOUNCE, BrokerState, Step, WrittenRecord

from .answered_events import answered_event
from .controller.observer import Operation, SilentObserver

if TYPE_CHECKING:
    from .controller.cluster import ClusterControlManager
    from .controller.quorum_controller import QuorumController
    from .raft import RaftNode

EXPIRED_HEARTBEAT = "processExpiredBrokerHeartbeat"
"""The step in which a heartbeat that waited too long in the queue is noted."""


class StepWriter(SilentObserver):
    """An observer that hands every step of the controllers it watches to a sink, numbered from 1."""

    def __init__(self, sink: Callable[[Step], None]) -> None:
        self.sink, self.count = sink, 0
        self._claims: dict[int, int] = {}
        self._control: dict[int, int] = {}
        self._snapshots: dict[int, tuple[QuorumController, int]] = {}

    def operation(self, operation: Operation, controller: QuorumController) -> None:
        """Tell an operation with its request, its answer, its records, and the soft state after it."""
        self.count += 1
        request = None
        if operation.request is not None:
            request = event_of_operation(operation, self.count, controller)
        fault = operation.fault
        if operation.request is None and operation.error is not Errors.NONE:
            # A task has no answer: its error is in the place of an exception.
            fault = fault or operation.error.name
        # Who fails a request gives up its leadership, and all that it remembers, with it.
        gone = bool(operation.fault) and request is not None
        self.sink(
            Step(
                time_ns=operation.now_ns,
                node=operation.node,
                epoch=operation.claim_epoch,
                name=operation.name,
                base_offset=operation.base_offset,
                request=request,
                records=written(operation.records),
                fault=fault,
                soft=None if gone else soft_state(controller.managers.cluster, operation.now_ns),
                stable=controller.offsets.last_stable_offset + 1,
            )
        )

    def claimed(self, controller: QuorumController) -> None:
        """Tell that a controller became active, and where the log ended that it had."""
        offsets = controller.offsets
        owner, snapshot = self._snapshots.get(controller.node_id, (None, -1))
        self._tell(
            controller,
            CLAIM,
            base_offset=offsets.last_committed_offset + 1,
            last_epoch=offsets.last_committed_epoch,
            snapshot=snapshot if owner is controller else -1,
        )

    def loaded(self, controller: QuorumController, end_offset: int, records: tuple[Message, ...]) -> None:
        """Remember from which snapshot a node's memory is made: its records have no offsets of their own any more."""
        self._snapshots[controller.node_id] = (controller, end_offset - 1)

    def renounced(self, controller: QuorumController) -> None:
        """Tell that a controller is active no longer."""
        self._tell(controller, RENOUNCE)

    def contact(self, controller: QuorumController, broker_id: int, broker_epoch: int, now_ns: int) -> None:
        """Tell that a heartbeat arrived."""
        self._tell(controller, CONTACT, contact=(broker_id, broker_epoch))

    def timed_out(self, controller: QuorumController, request: m.Request, now_ns: int) -> None:
        """Tell of a heartbeat that waited too long; of any other request nothing is done."""
        if isinstance(request, m.BrokerHeartbeatRequest) and controller.active:
            common = {
                "line": self.count + 1,
                "t_ms": now_ns // 1_000_000,
                "log_end": max(controller.offsets.next_write_offset, 0),
                "error": Errors.REQUEST_TIMED_OUT.name,
            }
            event = answered_event(request, None, common, controller.managers.cluster)
            self._tell(controller, EXPIRED_HEARTBEAT, request=event)

    def voters_changed(self, raft: RaftNode, what: str, controller: int, own: bool, answer: str) -> None:
        """Tell of the voters that a leader has written between the records of the controller, if it has."""
        batch = raft.disk.log.batches[-1] if raft.disk.log.batches else None
        if answer != Errors.NONE.name or batch is None or not batch.control:
            return
        if batch.base_offset > self._control.get(raft.epoch, -1):
            self._control[raft.epoch] = batch.base_offset
            self.count += 1
            records = tuple(WrittenRecord(type_, 0, data) for type_, data in batch.control)
            self.sink(
                Step(
                    time_ns=raft.now_ns, node=raft.id, epoch=raft.epoch, name=CONTROL,
                    base_offset=batch.base_offset, records=records,
                )
            )  # fmt: skip

    def _tell(self, controller: QuorumController, name: str, **more: Any) -> None:
        self.count += 1
        now = controller.scheduler.now_ns
        epoch = controller.claim_epoch
        if name == RENOUNCE:
            epoch = self._claims.pop(controller.node_id, epoch)
        elif name == CLAIM:
            self._claims[controller.node_id] = epoch
        soft = soft_state(controller.managers.cluster, now)
        base = max(controller.offsets.next_write_offset, 0)
        self.sink(Step(**{
            "time_ns": now, "node": controller.node_id, "epoch": epoch, "name": name, "base_offset": base, "soft": soft,
            **more,
        }))  # fmt: skip


def written(records: Iterable[Message]) -> tuple[WrittenRecord, ...]:
    """Return records as a trace has them."""
    return tuple(WrittenRecord(one.type, one.version, one.data) for one in records)


def soft_state(cluster: ClusterControlManager, now_ns: int) -> tuple[BrokerState, ...] | None:
    """Return what an active controller remembers of its registered brokers, None of one that is not active."""
    heartbeats = cluster.heartbeats
    if heartbeats is None:
        return None
    tracker, found = heartbeats.tracker, []
    for broker, registration in cluster.registrations.items():
        state = heartbeats.brokers.get(broker)
        if state is None:
            continue
        contact: Any = "nothing"
        if tracker.last_contact(broker, registration.epoch) is not None:
            contact = "recent" if tracker.has_valid_session(broker, registration.epoch, now_ns) else "expired"
        found.append(
            BrokerState(
                broker,
                state.fenced,
                state.controlled_shutdown_offset,
                state.metadata_offset,
                contact,
                cluster.registration_offsets.get(broker, -1),
            )
        )
    return tuple(sorted(found))


# -- requests ----------------------------------------------------------------------------------------------------------
def event_of_operation(operation: Operation, line: int, controller: QuorumController) -> e.Event:
    """Return the request of an operation and its answer as an event of a trace."""
    request = operation.request
    assert request is not None
    common = {
        "line": line,
        "t_ms": operation.now_ns // 1_000_000,
        "log_end": operation.base_offset,
        "error": operation.error.name,
    }
    answer = operation.response if operation.error is Errors.NONE else None
    return answered_event(request, answer, common, controller.managers.cluster)
