"""Steps of every controller's loop as trace values: for lock step with `kraft-loop`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from fencepost.reference.kraft.errors import ApiError
from fencepost.reference.kraft.records import Message
from fencepost.reference.timeline import TimelineMap
from fencepost.traces import loop_steps as told
from fencepost.traces.loop_steps import Appended, LoopState, LoopStep
from fencepost.traces.record_types import (
    ABORT_TRANSACTION_RECORD,
    BEGIN_TRANSACTION_RECORD,
    END_TRANSACTION_RECORD,
    FEATURE_LEVEL_RECORD,
)

from .controller.observer import Operation, SilentObserver
from .controller.quorum_controller import RaftEvent
from .levels import METADATA_VERSION

if TYPE_CHECKING:
    from .controller.quorum_controller import QuorumController
    from .controller.write_event import WriteEvent
    from .raft import CommittedBatch, RaftNode

_KINDS = {BEGIN_TRANSACTION_RECORD: told.BEGIN, END_TRANSACTION_RECORD: told.END, ABORT_TRANSACTION_RECORD: told.ABORT}


def kind_of(message: Message) -> str:
    """Return what a record is to the loop."""
    if message.type == FEATURE_LEVEL_RECORD and message.data["name"] == METADATA_VERSION:
        return told.VERSION
    return _KINDS.get(message.type, told.DATA)


@dataclass
class _Watched:
    """A controller: which data records are in its memory, as a collection that is reverted with all others."""

    memory: TimelineMap[int, int]
    first: int = 0
    highest: int = -1
    ids: dict[WriteEvent, int] = field(default_factory=dict)


class LoopWriter(SilentObserver):
    """An observer that hands every step of the loops it watches, and of the Raft under them, to a sink."""

    def __init__(self, sink: Callable[[LoopStep], None], now_ns: Callable[[], int] = lambda: 0) -> None:
        self.sink, self.now_ns = sink, now_ns
        self._watched: dict[QuorumController, _Watched] = {}
        self._count = 0
        self._operation: Operation | None = None
        self._appended: list[Appended] = []
        self._answers: list[tuple[int, str]] = []
        self._done: list[tuple[QuorumController, WriteEvent]] = []
        self._renounced = False

    def formatted(self, transactions: bool) -> None:
        """Tell with what the cluster was formatted."""
        self._tell(-1, told.FORMATTED, {"transactions": transactions})

    # -- what is gathered during a step ----------------------------------------------------------------------------
    def record_applied(self, controller: QuorumController, message: Message, offset: int, epoch: int) -> None:
        """Note a data record in memory."""
        watched = self._of(controller)
        watched.highest = max(watched.highest, offset)
        if message.type not in _KINDS:
            watched.memory[offset] = epoch

    def batch_appended(self, controller: QuorumController, last_offset: int, records: Sequence[Message]) -> None:
        """Note a batch."""
        self._appended.append(Appended(last_offset, tuple(map(kind_of, records))))

    def future_completed(self, controller: QuorumController, event: WriteEvent, error: ApiError | None) -> None:
        """Note an answer."""
        number = self._of(controller).ids.get(event)
        if number is not None:
            self._answers.append((number, "" if error is None else error.error.name))
            self._done.append((controller, event))

    def operation(self, operation: Operation, controller: QuorumController) -> None:
        """Note the outcome of the operation whose turn it is."""
        self._operation = operation

    def renounced(self, controller: QuorumController) -> None:
        """Note that the leadership is gone."""
        self._renounced = True

    # -- steps -----------------------------------------------------------------------------------------------------
    def request_queued(self, controller: QuorumController, event: WriteEvent) -> None:
        """Tell that a request is in the queue."""
        self._count += 1
        self._of(controller).ids[event] = self._count
        self._tell(controller.node_id, told.QUEUED, {"request": self._count})

    def turned(self, controller: QuorumController, event: WriteEvent, expired: bool) -> None:
        """Tell what came of a write."""
        operation, self._operation = self._operation, None
        renounced, self._renounced = self._renounced, False
        if controller.dead:
            return
        request = self._of(controller).ids.get(event)
        if expired:
            self._step(controller, told.EXPIRED, {"request": request})
            return
        self._step(controller, told.WRITES, {
            "request": request,
            "event": event.name,
            "error": "" if operation is None else operation.error.name,
            "fault": "" if operation is None else operation.fault,
            "atomic": operation is not None and operation.atomic,
            "renounced": renounced,
        })  # fmt: skip

    def batch_committed(self, controller: QuorumController, batch: CommittedBatch) -> None:
        """Tell that a batch was dealt with."""
        where = {"base": batch.base_offset, "last": batch.last_offset, "epoch": batch.epoch}
        self._step(controller, told.COMMITS, where)

    def snapshot_loaded(self, controller: QuorumController, end_offset: int) -> None:
        """Tell that a snapshot was loaded: its records have no offsets of their own any more."""
        self._of(controller).first = end_offset
        self._step(controller, told.LOADS, {"end": end_offset})

    def leader_changed(self, controller: QuorumController, leader: int | None, epoch: int) -> None:
        """Tell who leads."""
        self._renounced = False
        self._step(controller, told.HEARS, {"leader": leader, "epoch": epoch})

    def snapshot_made(self, controller: QuorumController, end_offset: int) -> None:
        """Tell that a snapshot was made."""
        self._step(controller, told.SNAPSHOT, {"end": end_offset})

    def process_ended(self, controller: QuorumController) -> None:
        """Tell that a process is gone."""
        running, watched = controller.running, self._watched.pop(controller, None)
        replaying = None
        if controller.dead and running is not None and watched is not None:
            replaying = watched.ids.get(running)
        dropped = tuple(
            (batch.last_offset, batch.epoch)
            for event in controller.queue.waiting
            if isinstance(event, RaftEvent)
            for batch in event.batches
            if batch.records
        )
        self._appended.clear()
        self._operation, self._renounced = None, False
        self._tell(controller.node_id, told.ENDS, {"replaying": replaying, "dropped": dropped})

    # -- Raft ------------------------------------------------------------------------------------------------------
    def role_changed(self, raft: RaftNode) -> None:
        """Tell that a node leads; its log is still as it was elected with it."""
        if raft.is_leader:
            log = raft.disk.log
            where = {"epoch": raft.epoch, "last_epoch": log.last_epoch, "end": log.end_offset}
            self._tell(raft.id, told.ELECTED, where)

    def high_watermark(self, raft: RaftNode) -> None:
        """Tell what is committed."""
        self._tell(raft.id, told.COMMITTED, {"epoch": raft.epoch, "end": raft.high_watermark})

    # -- telling ---------------------------------------------------------------------------------------------------
    def _of(self, controller: QuorumController) -> _Watched:
        watched = self._watched.get(controller)
        if watched is None:
            watched = self._watched[controller] = _Watched(TimelineMap(controller.registry))
        return watched

    def _step(self, controller: QuorumController, name: str, values: dict[str, Any]) -> None:
        self._tell(controller.node_id, name, values, self._state(controller))

    def _tell(self, node: int, name: str, values: dict[str, Any], state: LoopState | None = None) -> None:
        appended: tuple[Appended, ...] = ()
        answers: tuple[tuple[int, str], ...] = ()
        if state is not None:
            appended, answers = tuple(self._appended), tuple(self._answers)
            self._appended.clear()
            self._answers.clear()
            for controller, event in self._done:
                if controller in self._watched:
                    self._watched[controller].ids.pop(event, None)
            self._done.clear()
        self.sink(LoopStep(self.now_ns(), node, name, values, appended, answers, state))

    def _state(self, controller: QuorumController) -> LoopState:
        watched, offsets = self._of(controller), controller.offsets
        first = max(watched.first, offsets.last_stable_offset, 0)
        to = watched.highest
        memory, ids = watched.memory, watched.ids
        found = tuple([(at, epoch) for at in range(first, to + 1) if (epoch := memory.get(at)) is not None])
        return LoopState(
            controller.claim_epoch,
            offsets.next_write_offset,
            offsets.last_committed_offset,
            offsets.last_stable_offset,
            offsets.open_transaction,
            tuple(controller.registry.epochs()),
            bool(controller.queue.deferred),
            tuple([(ids[event], at) for at, event in controller.purgatory.pending if event in ids]),
            first,
            to,
            found,
        )
