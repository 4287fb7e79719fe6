"""A write: an operation that returns records, from the head of the queue to its answer (S3:88-130).

The life of a write, in order: is this controller active; compute the records; for each batch of them prepare the
append, replay the records in memory, schedule the append; then wait in the purgatory until the last is stable.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from fencepost.reference.kraft.errors import ApiError, Errors, NotLeaderError
from fencepost.reference.kraft.messages import Request
from fencepost.reference.kraft.records import Message
from fencepost.reference.kraft.results import ControllerResult

from .observer import Operation

if TYPE_CHECKING:
    from .quorum_controller import QuorumController

Generate = Callable[[], ControllerResult[Any]]
Answered = Callable[[Any], None]


class WriteEvent:
    """An operation in the queue, and then in the purgatory.

    `generate` computes records and response, `batch_end` receives the offset at which they ended, `done` gets the
    response or an ApiError. A `task` is no request: what it throws costs no leadership.
    """

    def __init__(
        self,
        controller: QuorumController,
        name: str,
        generate: Generate,
        *,
        request: Request | None = None,
        done: Answered | None = None,
        batch_end: Callable[[Any, int], None] | None = None,
        expired: Callable[[], None] | None = None,
        task: bool = False,
    ) -> None:
        self.controller, self.name, self.generate, self.request = controller, name, generate, request
        self.done, self.batch_end, self.expired, self.task = done, batch_end, expired, task
        self.arrived_ns = controller.scheduler.now_ns
        self.response: Any = None
        self.atomic = False

    # -- an event of the queue -------------------------------------------------------------------------------------
    def run(self) -> None:
        """Compute the records, write them, and wait for them; or answer with the error."""
        controller = self.controller
        controller.running = self
        self._run()
        controller.running = None
        controller.observer.turned(controller, self, expired=False)

    def _run(self) -> None:
        controller = self.controller
        controller.metrics.operations_started += 1
        controller.metrics.event_queue_time.record(controller.scheduler.now_ns - self.arrived_ns)
        if not controller.active:
            self.complete(ApiError(Errors.NOT_CONTROLLER, controller.wrong_controller_message()))
            return
        base, epoch = controller.offsets.next_write_offset, controller.claim_epoch
        records: tuple[Message, ...] = ()
        batches: tuple[int, ...] = ()
        try:
            result = self.generate()
            records, self.response, self.atomic = result.records, result.response, result.atomic
            batches = self._append(result, epoch)
        except Exception as exception:
            self._failed(exception, base, epoch)
            return
        if controller.dead:
            return
        last = controller.offsets.next_write_offset - 1
        if self.batch_end is not None:
            self.batch_end(self.response, last)
        self._tell(base, epoch, records, batches, Errors.NONE)
        self._wait(records, last)

    def time_out(self) -> None:
        """Waited past the deadline: nothing is run and nothing is written (S3:83)."""
        controller = self.controller
        controller.metrics.operations_timed_out += 1
        if self.expired is not None:
            self.expired()
        if self.request is not None:
            controller.observer.timed_out(controller, self.request, controller.scheduler.now_ns)
        self.complete(ApiError(Errors.REQUEST_TIMED_OUT, f"{self.name} waited too long in the queue"))
        controller.observer.turned(controller, self, expired=True)

    # -- write, and apply ------------------------------------------------------------------------------------------
    def _append(self, result: ControllerResult[Any], epoch: int) -> tuple[int, ...]:
        if not result.records:
            return ()
        most = self.controller.settings.max_records_per_batch
        if result.atomic:
            if len(result.records) > most:
                raise RuntimeError(f"{len(result.records)} records in an atomic result; the most is {most}")
            return (self._append_batch(result.records, epoch),)
        sizes, start = [], 0
        while True:
            # As Kafka does it: a result of exactly k full batches makes one more, empty append.
            chunk = result.records[start : start + most]
            sizes.append(self._append_batch(chunk, epoch))
            start += most
            if start > len(result.records) or self.controller.dead:
                return tuple(sizes)

    def _append_batch(self, records: Sequence[Message], epoch: int) -> int:
        """Stage a batch, apply it to memory, and only then let it be replicated: a record that cannot be applied is
        found before any other node has it (S3:122).
        """
        controller = self.controller
        if not records:
            return 0
        last = controller.raft.prepare_append(epoch, records)
        controller.replay_all(records, last - len(records) + 1, epoch)
        if not controller.dead:
            controller.raft.schedule_prepared_append()
            controller.offsets.handle_schedule_append(last)
            controller.observer.batch_appended(controller, last, records)
        return len(records)

    def _wait(self, records: Sequence[Message], last: int) -> None:
        """Wait for the own records, or without any for those that were written before: the answer may rest on them."""
        purgatory = self.controller.purgatory
        until = last if records else purgatory.highest_pending_offset
        if until is None:
            self.complete(None)
        else:
            purgatory.add(until, self)

    # -- the end ---------------------------------------------------------------------------------------------------
    def complete(self, error: ApiError | None) -> None:
        """Answer: with the response, or with an error."""
        controller, now = self.controller, self.controller.scheduler.now_ns
        controller.metrics.event_queue_processing_time.record(now - self.arrived_ns)
        answer = self.response if error is None else error
        if self.request is not None:
            controller.observer.answered(controller, self.request, answer, self.arrived_ns, now)
            controller.observer.future_completed(controller, self, error)
        if self.done is not None:
            self.done(answer)

    def _failed(self, exception: Exception, base: int, epoch: int) -> None:
        """Answer an exception as EventHandlerExceptionInfo does it, and renounce where it says so."""
        controller = self.controller
        renounces, fault = False, ""
        if isinstance(exception, ApiError):
            error = exception
        elif isinstance(exception, NotLeaderError):
            error, renounces = ApiError(Errors.NOT_CONTROLLER, str(exception)), True
        else:
            fault = f"{type(exception).__name__}: {exception}"
            error, renounces = ApiError(Errors.UNKNOWN_SERVER_ERROR, fault), not self.task
            controller.metrics.metadata_errors += 1
        self._tell(base, epoch, (), (), error.error, fault)
        self.complete(error)
        if renounces and controller.active:
            controller.renounce()

    def _tell(
        self,
        base: int,
        epoch: int,
        records: tuple[Message, ...],
        batches: tuple[int, ...],
        error: Errors,
        fault: str = "",
    ) -> None:
        controller = self.controller
        response = self.response if error is Errors.NONE else None
        operation = Operation(
            controller.node_id,
            epoch,
            controller.scheduler.now_ns,
            self.arrived_ns,
            self.name,
            self.request,
            base,
            records,
            batches,
            response,
            error,
            fault,
            self.atomic,
        )
        controller.observer.operation(operation, controller)
