"""A controller over a log in memory that commits at once, with the tables in lock step beside it.

Periodic tasks run only where a scenario lets time pass. The clock is virtual.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from fencepost.checkers.conformance.lockstep import Divergence, Given, LockStep
from fencepost.checkers.conformance.lockstep.results import changes_nothing
from fencepost.model.kraft.protocol import KRAFT
from fencepost.model.language import Protocol
from fencepost.reference.kraft import messages as m
from fencepost.reference.kraft.controller.observer import Operation
from fencepost.reference.kraft.controller.quorum_controller import QuorumController
from fencepost.reference.kraft.controller.write_event import WriteEvent
from fencepost.reference.kraft.errors import ApiError, Errors, NotLeaderError
from fencepost.reference.kraft.raft.client import CommittedBatch
from fencepost.reference.kraft.records import Message
from fencepost.reference.kraft.results import ControllerResult
from fencepost.reference.kraft.settings import Settings
from fencepost.reference.kraft.steps import StepWriter
from fencepost.reference.simulator import MILLISECOND, SECOND, Simulator
from fencepost.traces.record_types import LEADER_CHANGE
from fencepost.traces.steps import Step

from .following import adopt, follow

CLUSTER = "scenario"
NODE = 3000
"""The id of the controller, unless a log says another one."""

TASKS = ("maybeFenceStaleBroker", "electPreferred", "electUnclean")
"""The periodic tasks that decide something about brokers and partitions."""

_NOT_ASKED = ("rewrite", "claim")
"""Steps that no row is about: the scenario says them itself, or what lies in front of them is given."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A known defect that showed: its id, and the row or property that has it."""

    id: str
    by: str


@dataclass(frozen=True, slots=True)
class Done:
    """One operation of the controller: what was asked, answer, records from an offset on, and what the tables say.

    `response` is None where it was refused with `error` as a whole; `fault` is the text of an exception. `rows` are the
    ids of rows that explain it. `differs` is where reference and tables disagree, `unexplained` the reason why no row
    explains it, empty for none.
    """

    name: str
    request: m.Request | None
    response: Any
    error: Errors
    fault: str
    base_offset: int
    records: tuple[Message, ...]
    rows: tuple[str, ...]
    findings: tuple[Finding, ...]
    differs: Divergence | None
    unexplained: str
    now_ns: int


class MemoryRaft:
    """The log of a single voter: what is appended is committed at once."""

    def __init__(self, clock: Simulator, wall_clock_ms: int) -> None:
        self.clock, self.wall_clock_ms = clock, wall_clock_ms
        self.epoch = 0
        self.batches: list[CommittedBatch] = []
        self.end = 0
        self.commit: Callable[[list[CommittedBatch]], None] = lambda batches: None
        self._prepared: CommittedBatch | None = None

    def _batch(self, epoch: int, records: Sequence[Message], control: Any = ()) -> CommittedBatch:
        count = len(records) + len(control)
        now = self.wall_clock_ms + self.clock.now_ns // MILLISECOND
        return CommittedBatch(self.end, self.end + count - 1, epoch, now, tuple(records), control)

    def _append(self, batch: CommittedBatch) -> None:
        self.batches.append(batch)
        self.end = batch.last_offset + 1
        self.commit([batch])

    def lead(self, node: int) -> None:
        """Begin the next epoch with its LeaderChange."""
        self.epoch += 1
        voters = [{"voterId": node}]
        record = {"version": 0, "leaderId": node, "voters": voters, "grantingVoters": voters}
        self._append(self._batch(self.epoch, (), ((LEADER_CHANGE, record),)))

    # -- what a controller asks of Raft ----------------------------------------------------------------------------
    def prepare_append(self, epoch: int, records: Sequence[Message]) -> int:
        """Give records their offsets; raises NotLeaderError in another epoch than the present one."""
        if epoch != self.epoch:
            raise NotLeaderError(f"epoch {epoch}")
        self._prepared = self._batch(epoch, records)
        return self._prepared.last_offset

    def schedule_prepared_append(self) -> None:
        """Append and commit what was prepared."""
        assert self._prepared is not None
        self._append(self._prepared)

    def resign(self, epoch: int) -> None:
        """Nothing: there is no other voter."""

    def deliver_again(self, offset: int) -> None:
        """Nothing: all that is in the log was delivered as it was committed."""

    def log_end_offset(self) -> int:
        """Return the end of the log."""
        return self.end

    def create_snapshot(self, end_offset: int, epoch: int, messages: Sequence[Message]) -> None:
        """Keep nothing."""


class _Observer(StepWriter):
    """Takes every operation together with its step, which is written first."""

    def __init__(self, sink: Callable[[Step], None], operations: Callable[[Operation], None]) -> None:
        super().__init__(sink)
        self.operations = operations

    def operation(self, operation: Operation, controller: QuorumController) -> None:
        """Write the step of an operation, then hand the operation on."""
        super().operation(operation, controller)
        self.operations(operation)


class Machine:
    """One active controller with lock step; `watch` is called with each operation right after it.

    `bootstrap` are the records of the formatted directory. Times are nanoseconds of the virtual clock, `wall_clock_ms`
    is when it shows 0. `protocol` has the tables; those of another than `kraft` lead, and the reference follows.
    """

    def __init__(
        self,
        settings: Settings,
        bootstrap: Sequence[Message],
        wall_clock_ms: int,
        *,
        cluster_id: str = CLUSTER,
        node: int = NODE,
        unclean: bool | None = None,
        protocol: Protocol = KRAFT,
    ) -> None:
        self.settings, self.node, self.protocol = settings, node, protocol
        self.clock = Simulator(seed=1)
        self.raft = MemoryRaft(self.clock, wall_clock_ms)
        given = Given(
            static_min=settings.min_insync_replicas,
            unclean=settings.unclean_leader_election_enable if unclean is None else unclean,
        )
        timeout_ms = settings.broker_session_timeout_ms
        self.tables = LockStep(protocol, session_timeout_ms=timeout_ms, given=given, reverts=False)
        self.watch: Callable[[Done], None] = lambda done: None
        self.last: Done | None = None
        self.differs: list[Divergence] = []
        self.fatal: Exception | None = None
        self.steps = 0
        self._evaluated: tuple[tuple[str, ...], tuple[Finding, ...], Divergence | None, str] = ((), (), None, "")
        self.observer = _Observer(self._step, self._operation)
        self.controller = QuorumController(
            node, cluster_id, settings, self.raft, self.clock, random.Random(1), bootstrap, [node], self.observer,
            self._died,
        )  # fmt: skip
        self.raft.commit = self.controller.handle_commit
        if protocol is not KRAFT:
            follow(self.controller, self.tables)
        self._due = {name: self._period(name) for name in TASKS}

    def lead(self) -> None:
        """Become the active controller in the next epoch, and write what an activation writes."""
        self.raft.lead(self.node)
        self.controller.handle_leader_change(self.node, self.raft.epoch)
        self.run()
        for name in self.controller.periodic.tasks:
            self.controller.cancel_task(name)
        self._due = {name: self.clock.now_ns + self._period(name) for name in TASKS}

    def fail_over(self) -> None:
        """Lose the leadership, and get it back in the next epoch with nothing but what the log says."""
        self.controller.handle_leader_change(None, self.raft.epoch)
        self.run()
        self.lead()

    # -- time ------------------------------------------------------------------------------------------------------
    def run(self, for_ns: int = 0) -> None:
        """Run all that is due within a time from now."""
        self.clock.run_until(self.clock.now_ns + for_ns)
        if self.fatal is not None:
            raise RuntimeError(f"the controller's process ended: {self.fatal}")

    def pass_time(self, for_ns: int) -> None:
        """Let time pass with the periodic tasks that are due in it, each at its time."""
        end = self.clock.now_ns + for_ns
        while True:
            name = min(self._due, key=lambda one: self._due[one])
            if self._due[name] > end:
                break
            self.run(self._due[name] - self.clock.now_ns)
            self.task(name)
        self.run(end - self.clock.now_ns)

    def task(self, name: str) -> None:
        """Run a periodic task now, again and again while it says that there is more to do."""
        self._due[name] = self.clock.now_ns + self._period(name)
        task = self.controller.periodic.tasks.get(name)
        if task is None:
            return
        more = True
        while more:
            self.last = None
            self.controller.schedule_task(task, 0)
            self.run()
            self.controller.cancel_task(name)
            more = _says_more(self.last)

    def _period(self, name: str) -> int:
        task = self.controller.periodic.tasks.get(name)
        return 10**30 if task is None else task.period_ns

    # -- requests --------------------------------------------------------------------------------------------------
    def ask(self, request: m.Request) -> Any:
        """Send a request and return its answer; an ApiError is returned, not raised.

        A controller that fails gives up its leadership; it gets it back at once.
        """
        answers: list[Any] = []
        self.controller.submit(request, answers.append)
        self.run()
        if not self.controller.active:
            self.lead()
        return answers[0]

    def append(self, name: str, records: Sequence[Message]) -> None:
        """Append records that no operation of a controller writes."""
        event = WriteEvent(self.controller, name, lambda: ControllerResult(tuple(records), None))
        self.controller.queue.append(event)
        self.run()

    def contact(self, broker: int, epoch: int) -> None:
        """Note that a broker was heard of, and nothing else of its heartbeat."""
        now = self.clock.now_ns
        if self.controller.managers.cluster.track(broker, epoch, now):
            self.observer.contact(self.controller, broker, epoch, now)

    # -- what is observed ------------------------------------------------------------------------------------------
    def _step(self, step: Step) -> None:
        """Evaluate a step by the tables; remember what they say of it."""
        self.steps += 1
        out = self.tables.out
        rows, not_judged, found = out.rows.copy(), out.not_judged.copy(), out.finding_counts.copy()
        differs = self.tables.step(step)
        new = [row for row, count in (out.rows - rows).items() for _ in range(count)]
        new_rules = out.finding_counts - found
        # The first steps of each rule are kept, with the finding that they show.
        shown = {one.rule: one.finding for one in out.findings} if new_rules else {}
        findings = tuple(Finding(shown[one], one) for one in new_rules)
        reasons = [why for _, why in out.not_judged - not_judged if not changes_nothing(why)]
        unexplained = reasons[0] if reasons and step.name not in _NOT_ASKED else ""
        if differs is not None:
            self.differs.append(differs)
        self._evaluated = (tuple(dict.fromkeys(new)), findings, differs, unexplained)

    def _operation(self, operation: Operation) -> None:
        rows, findings, differs, unexplained = self._evaluated
        if self.protocol is not KRAFT and operation.records:
            adopt(self.controller, self.tables)
        self.last = Done(
            operation.name,
            operation.request,
            operation.response,
            operation.error,
            operation.fault,
            operation.base_offset,
            operation.records,
            rows,
            findings,
            differs,
            unexplained,
            operation.now_ns,
        )
        self.watch(self.last)

    def _died(self, exception: Exception) -> None:
        self.fatal = exception


def _says_more(done: Done | None) -> bool:
    return done is not None and done.response is True


def is_refused(answer: Any) -> bool:
    """Whether the answer to a request is an error of the whole of it."""
    return isinstance(answer, ApiError)


__all__ = ["CLUSTER", "NODE", "SECOND", "TASKS", "Done", "Finding", "Machine", "MemoryRaft", "is_refused"]
