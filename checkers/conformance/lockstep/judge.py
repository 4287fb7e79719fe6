"""Lock step: every step of a running controller is checked by the tables, in the state that they have for it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from fencepost.checkers.conformance.records.static_settings import StaticSettings
from fencepost.checkers.conformance.records.wire import BoundRecord, WireBinding, entity_text
from fencepost.checkers.conformance.requests.adapters import ADAPTERS
from fencepost.checkers.conformance.requests.adapting import FAILED, INACTIVE, Adapter, Beforehand, Tried
from fencepost.checkers.conformance.requests.outcomes import Outcome, Reading
from fencepost.checkers.conformance.requests.results import Answer, different
from fencepost.checkers.conformance.state.replay import Layout, is_mark, marks_of
from fencepost.checkers.unexplained import no_row_applies
from fencepost.model.language import Protocol
from fencepost.model.language.errors import EvaluationError
from fencepost.model.language.state import State
from fencepost.model.language.terms import Get
from fencepost.model.language.walk import nodes
from fencepost.traces import Record
from fencepost.traces.events import Event
from fencepost.traces.steps import CLAIM, CONTACT, CONTROL, RENOUNCE, SILENCE, Step, WrittenRecord

from . import gaps
from .cells import Change, earlier
from .claims import Breach, CompiledClaims, Known
from .classes import Classes, Partition, copy_known
from .compiled import CompiledRows
from .controller_state import ControllerState, Shape
from .leader_logs import DELETION, LeaderLog, after_replay
from .results import (
    BEFORE_THE_ROWS,
    GOES_BACK,
    LEADS_NO_MORE,
    NOTED,
    NOTHING_TO_DO,
    OF_RAFT,
    Divergence,
    LockStepResult,
    StepFinding,
)
from .soft import SoftState
from .tasks import TASKS, Asked, Given


@dataclass(frozen=True, slots=True)
class Tables:
    """A protocol's records, states, rows and claims, compiled when they are first asked."""

    wire: WireBinding
    shape: Shape
    rows: CompiledRows
    claims: CompiledClaims


@lru_cache(maxsize=16)
def tables_of(protocol: Protocol, unclean: bool = False) -> Tables:
    """Return a compiled protocol, which has no state of any run, once a process.

    `unclean` is the static unclean.leader.election.enable of the controllers.
    """
    shape = Shape(protocol, Layout(protocol, StaticSettings(unclean).given))
    rows = CompiledRows(protocol, shape)
    return Tables(WireBinding.of(protocol), shape, rows, CompiledClaims(protocol, rows.printer))


MOST_FINDINGS = 5
"""The number of steps that are kept of each finding."""

LOGS = 8
"""The number of claims that are remembered: a log may go on from any of them."""

_TOO_LITTLE = (EvaluationError, ValueError, KeyError, IndexError, TypeError)


class LockStep:
    """The tables beside a running cluster: `step` checks one step of one of its controllers.

    `session_timeout_ms` is the controllers' broker.session.timeout.ms, None where steps report which contact is over.
    Without `reverts` a leader never loses what it wrote. `classes` are partitions with equal cells, None for none.
    """

    def __init__(
        self,
        protocol: Protocol,
        *,
        session_timeout_ms: int | None = 9000,
        given: Given | None = None,
        reverts: bool = True,
    ) -> None:
        self.given, self.reverts = given or Given(), reverts
        self.classes: Classes | None = None
        tables = tables_of(protocol, self.given.unclean)
        self.wire, self.shape, self.rows, self.claims = tables.wire, tables.shape, tables.rows, tables.claims
        self.broken: Known = {}
        self.soft = SoftState(self.shape, self.rows, session_timeout_ms)
        self.logs: dict[int, LeaderLog] = {}
        self.active: set[int] = set()
        self.control: dict[int, int] = {}
        self.done: set[str] = set()
        self.marks = marks_of(protocol)
        self.marked: dict[tuple[State[Any], str], str] = {}
        self.out = LockStepResult()

    # -- one step --------------------------------------------------------------------------------------------------
    def step(self, step: Step) -> Divergence | None:
        """Check a step; return where it differs from the outcome of the tables, None where it does not.

        After a divergence the state goes on as the controller's did.
        """
        self.out.steps += 1
        if step.name == CLAIM:
            return self._claim(step)
        if step.name == CONTROL:
            self.control[step.epoch] = self.control.get(step.epoch, 0) + len(step.records)
            self._unjudged(step, OF_RAFT)
            return None
        log = self._log(step)
        if log is None:
            return self._differs(step, "order", f"Controller {step.node} is not active in epoch {step.epoch}.")
        if step.name == RENOUNCE:
            # What it wrote and was not committed is gone with its state; the next claim says what is left.
            self.active.discard(step.epoch)
            self._unjudged(step, GOES_BACK)
            return None
        self.out.rows.update(self.soft.expire(log, step))
        if step.name == SILENCE:
            self.out.steps_judged += 1
            return self._soft(step, log)
        if step.name == CONTACT:
            self.soft.note(log, step)
            self._unjudged(step, NOTED)
            return self._soft(step, log)
        if self._gap(step, log):
            message = f"The step begins at offset {step.base_offset}, but the one before it ended at {log.end}."
            self._adopt(step, log, self._bound(step, log))
            return self._differs(step, "log", message)
        log.controller.at_offset(step.base_offset)
        written = self._bound(step, log)
        found = self._judge(step, log, written)
        log.end = step.base_offset + len(step.records)
        log.controller.at_offset(log.end)
        if step.stable >= 0:
            log.settle(self.rows, step.stable)
        return found

    def _judge(self, step: Step, log: LeaderLog, written: Sequence[BoundRecord | None]) -> Divergence | None:
        if None in written:
            return self._unmodelled(step, log, written)
        readings = self._readings(step, log, written)
        if INACTIVE in (step.fault, step.request.error if step.request is not None else "") and not written:
            # What a leader that is none any more would have written was refused by Raft: that it gives up comes next.
            self._unjudged(step, LEADS_NO_MORE)
            return None
        if step.request is not None and self._in_front(step, written):
            return self._soft(step, log)
        if readings is None:
            self._adopt(step, log, written)
            own = step.request is None
            self._unjudged(step, "no row is about it" if own else "a form of the request that no row reads")
            return None
        tried: list[Tried] = []
        try:
            count = 0
            for reading in readings:
                count += 1
                lacks = self.rows.lacks(reading)
                if lacks:
                    self._adopt(step, log, written)
                    self._unjudged(step, lacks)
                    return None
                fits, found = self._ask(step, log, reading, written, tried)
                if fits:
                    return found
        except Beforehand as refusal:
            return self._beforehand(step, log, written, refusal.error)
        except _TOO_LITTLE as error:
            self._adopt(step, log, written)
            self._unjudged(step, f"the rows need a value that is not reported ({error})")
            return None
        if not count:
            return self._nothing_to_do(step, log, written)
        beyond = gaps.throws_beyond_the_rows(step.fault) or gaps.throws_in_a_reassignment(step, log.controller)
        if beyond and not written:
            self._unjudged(step, gaps.UNASSIGNED_LEADER)
            return None
        if gaps.crowded(log.controller) and any(one.answered and gaps.alike(one.outcome, written) for one in tried):
            self._adopt(step, log, written)
            self._unjudged(step, gaps.CROWDED)
            return None
        return self._wrong(step, log, written, tried)

    def _readings(self, step: Step, log: LeaderLog, written: Sequence[BoundRecord | None]) -> Iterable[Reading] | None:
        """Return what a step may be, in the order in which it is tried; None where no row is about it."""
        if step.request is not None:
            adapter = ADAPTERS.get(step.request.request)
            return None if adapter is None else adapter.read(step.request, log.controller, written)
        task = TASKS.get(step.name)
        return None if task is None else task(step, Asked(self.rows, log.controller, written, self.given))  # type: ignore[arg-type]

    def otherwise(self, step: Step) -> Tried | None:
        """Return what the tables do instead of a step that is about to be, None where they do it or have no row for it.

        Nothing of the step becomes part of the state, but that the sessions are over that end before it.
        """
        log = self._log(step)
        if log is None or self._gap(step, log):
            return None
        self.out.rows.update(self.soft.expire(log, step))
        log.controller.at_offset(step.base_offset)
        written = self._bound(step, log)
        readings = None if None in written else self._readings(step, log, written)
        if readings is None:
            return None
        tried: list[Tried] = []
        try:
            for reading in readings:
                if self.rows.lacks(reading):
                    return None
                with self.rows.brought(reading, log.controller):
                    tried += [self._try(step, one, written) for one in self.rows.outcomes(reading, log.controller)]
        except (Beforehand, *_TOO_LITTLE):
            return None
        if any(one.fits for one in tried):
            return None
        return next((one for one in tried if not one.outcome.thrown), None)

    def _ask(
        self, step: Step, log: LeaderLog, reading: Reading, written: Sequence[BoundRecord | None], tried: list[Tried]
    ) -> tuple[bool, Divergence | None]:
        """Try a reading; return whether rows of it fit, and what differs beside their answer and records."""
        controller = log.controller
        with self.rows.brought(reading, controller):
            for outcome in self.rows.outcomes(reading, controller):
                one = self._try(step, outcome, written)
                if one.fits:
                    return True, self._take(step, log, outcome, written)
                tried.append(one)
        return False, None

    def _try(self, step: Step, outcome: Outcome, written: Sequence[BoundRecord | None]) -> Tried:
        adapter, request = _adapter(step)
        found = adapter.tried(request, outcome, written)
        answered = found.answered and bool(step.fault) is bool(outcome.thrown)
        if answered is found.answered and found.length in (len(written), None):
            return found
        return replace(found, answered=answered, length=found.length if found.length == len(written) else None)

    # -- what fits -------------------------------------------------------------------------------------------------
    def _take(
        self, step: Step, log: LeaderLog, outcome: Outcome, written: Sequence[BoundRecord | None]
    ) -> Divergence | None:
        """Replay an outcome that fits: its records, then its soft cells; evaluate the properties on the way."""
        changed: list[Change] = []
        breaches: list[Breach] = []
        for record in written:
            assert record is not None
            breaches += self._replayed(log, record.wire.offset, record, changed)
        last = step.base_offset + len(step.records) - 1
        changed += self.soft.settle(log, outcome, last, step.time_ns)
        if written and self.shape.log_end is not None:
            log.controller.at_offset(last + 1)
            changed.append((self.shape.log_end, (), step.base_offset - 1))
        self.out.rows.update(outcome.rows)
        self.out.steps_judged += 1
        for part in outcome.parts:
            if part.row.finding:
                self._finding(part.row.id, part.row.finding, "")
            for mark in self.marks.get(part.row.id, ()):
                about = [one for record in written if record is not None for one in record.entities]
                self.marked.update({(mark, entity_text(one)): part.row.finding for one in about})
        if changed or outcome.parts:
            breaches += self._whole(log, outcome, changed)
        return self._breached(step, outcome, breaches) or self._soft(step, log)

    def _replayed(self, log: LeaderLog, offset: int, record: BoundRecord, changed: list[Change]) -> Iterable[Breach]:
        log.controller.at_offset(offset)
        now = self.rows.replay(record, log.controller)
        mended = after_replay(log.controller, offset, record, now)
        if mended:
            self.out.mended += 1
            now += mended
        log.replayed(offset, record)
        changed += now
        if not now:
            return ()
        cells = log.controller.cells
        return list(self.claims.touched(now, earlier(cells, now), cells, self.broken, whole=False))

    def _whole(self, log: LeaderLog, outcome: Outcome, changed: Sequence[Change]) -> list[Breach]:
        cells = log.controller.cells
        before = earlier(cells, changed)
        found = list(self.claims.touched(changed, before, cells, self.broken, whole=True)) if changed else []
        # What an exception ends changes nothing: only the row that says so has a result.
        changing = [part for part in outcome.parts if (part.row.throws if outcome.thrown else part.row.changes)]
        # Each part of a request is computed from the state before: what a row promises of its own result, the result of
        # several need not keep; and what changes beside a part that is refused, another part has changed.
        for part in (changing or outcome.parts) if len(changing) < 2 else ():
            found += self.claims.of_row(part.row.id, part.binding, before, changed)
        return found

    def _breached(self, step: Step, outcome: Outcome, breaches: Sequence[Breach]) -> Divergence | None:
        """Report breaches: as findings where they are declared, as a divergence otherwise."""
        found: Divergence | None = None
        self.done |= {part.row.id for part in outcome.parts}
        for one in breaches:
            claim = one.claim
            if claim.expected == "violated" and not (claim.by and self.done.isdisjoint(claim.by)):
                self._finding(claim.id, claim.finding, one.entity)
            elif finding := self._left_out(one):
                self._finding(claim.id, finding, one.entity)
            elif found is None:
                of = f" of {one.entity}" if one.entity else ""
                found = self._differs(step, "property", f"{claim.id} does not hold{of}: {claim.about}")
        return found

    def _left_out(self, breach: Breach) -> str:
        """Return the finding of a row that has marked an entity which a claim leaves out where it is marked, else "".

        No cell has the marks: they are noted of what the row's records are about.
        """
        entities = [one.partition("=")[2] for one in breach.entity.split(", ")]
        marks = {node.state for node in nodes(breach.claim.term) if isinstance(node, Get) and is_mark(node.state)}
        return next((self.marked[mark, one] for mark in marks for one in entities if (mark, one) in self.marked), "")

    def _finding(self, rule: str, finding: str, entity: str) -> None:
        self.out.finding_counts[rule] += 1
        if self.out.finding_counts[rule] <= MOST_FINDINGS:
            self.out.findings.append(StepFinding(self.out.steps, rule, finding, entity))

    # -- what does not ---------------------------------------------------------------------------------------------
    def _in_front(self, step: Step, written: Sequence[BoundRecord | None]) -> bool:
        """Count a refusal by a check that comes before the checks of the tables."""
        assert step.request is not None
        if written or step.fault or step.request.error not in _adapter(step)[0].in_front:
            return False
        self._unjudged(step, f"{BEFORE_THE_ROWS}, {step.request.error}")
        return True

    def _beforehand(
        self, step: Step, log: LeaderLog, written: Sequence[BoundRecord | None], error: str
    ) -> Divergence | None:
        assert step.request is not None
        if step.request.error == error and not written and not step.fault:
            self._unjudged(step, f"{BEFORE_THE_ROWS}, {error}")
            return self._soft(step, log)
        self._adopt(step, log, written)
        return self._differs(step, "answer", f"It must be answered {error}, before any row is asked.")

    def _nothing_to_do(self, step: Step, log: LeaderLog, written: Sequence[BoundRecord | None]) -> Divergence | None:
        if written or step.fault:
            self._adopt(step, log, written)
            what = f"ended with {step.fault}" if step.fault else "wrote records"
            return self._differs(step, "row", f"No row of the tables has {step.name} do anything here, but it {what}.")
        self._unjudged(step, NOTHING_TO_DO)
        return self._soft(step, log)

    def _wrong(
        self, step: Step, log: LeaderLog, written: Sequence[BoundRecord | None], tried: Sequence[Tried]
    ) -> Divergence:
        what, message, answers = unlike(step, tried)
        self._adopt(step, log, written)
        return self._differs(step, what, message, answers, _seen(step))

    def _unmodelled(self, step: Step, log: LeaderLog, written: Sequence[BoundRecord | None]) -> Divergence:
        types = [one.type for one, bound in zip(step.records, written, strict=True) if bound is None]
        self._adopt(step, log, written)
        return self._differs(step, "records", f"No record of the tables is a {types[0]}.")

    def _adopt(self, step: Step, log: LeaderLog, written: Sequence[BoundRecord | None]) -> None:
        """Take over the controller's step, without evaluating a row."""
        for record in written:
            if record is not None:
                offset = record.wire.offset
                log.controller.at_offset(offset)
                changed = self.rows.replay(record, log.controller)
                after_replay(log.controller, offset, record, changed)
                log.replayed(offset, record)
        log.end = step.base_offset + len(step.records)
        self.soft.adopt(log, step)

    def _soft(self, step: Step, log: LeaderLog) -> Divergence | None:
        differ = self.soft.differences(log, step)
        if not differ:
            return None
        self.soft.adopt(log, step)
        message = f"After {step.name} the controller remembers other things of {len(differ)} broker(s) than the tables."
        return self._differs(step, "soft", message, soft=differ)

    def _differs(
        self,
        step: Step,
        what: str,
        message: str,
        expected: tuple[Answer, ...] = (),
        seen: dict[str, Any] | None = None,
        soft: Any = (),
    ) -> Divergence:
        found = Divergence(self.out.steps, step, what, message, expected, seen or {}, soft)
        self.out.divergences.append(found)
        return found

    def _unjudged(self, step: Step, reason: str) -> None:
        name = step.name if step.request is None else f"{step.name} ({step.request.request})"
        self.out.not_judged[name, reason] += 1

    # -- claims ----------------------------------------------------------------------------------------------------
    def _gap(self, step: Step, log: LeaderLog) -> bool:
        """Advance the log over records that Raft wrote; return whether the step is still not where it ends."""
        between = 0 if log.end is None else step.base_offset - log.end
        if not 0 <= between <= self.control.get(step.epoch, 0):
            return True
        if between:
            self.control[step.epoch] -= between
            log.end = step.base_offset
        return False

    def _log(self, step: Step) -> LeaderLog | None:
        """Return the claim that a step belongs to: a leader that is elected again stays active, under the new epoch."""
        if step.epoch in self.active:
            return self.logs[step.epoch]
        former = next((epoch for epoch in sorted(self.active) if self.logs[epoch].node == step.node), None)
        if former is None or step.epoch < former or step.epoch in self.logs:
            return None
        log = self.logs[step.epoch] = self.logs[former]
        log.end = None
        self.active = (self.active - {former}) | {step.epoch}
        return log

    def _claim(self, step: Step) -> Divergence | None:
        """Begin with what the new active controller's log says, as the tables' own event has it."""
        former = self.logs.get(step.last_epoch)
        if former is None and self.logs and step.last_epoch < 0:
            former = self.logs[max(self.logs)]
        if former is None:
            controller = ControllerState(self.shape)
            if step.base_offset > 0:
                self._unjudged(step, "the state before it in the log was not reported")
        else:
            controller = former.state_below(self.rows, step.base_offset)
        self.soft.forget(controller)
        log = LeaderLog(step.node, controller, controller.copy() if self.reverts else None)
        log.raise_registrations(step.snapshot)
        self.logs[step.epoch] = log
        self.active = {epoch for epoch in self.active if self.logs[epoch].node != step.node} | {step.epoch}
        for epoch in sorted(self.logs)[:-LOGS]:
            if epoch not in self.active:
                del self.logs[epoch]
        self.out.rows.update(self.soft.begin(log, step))
        self.out.steps_judged += 1
        return self._soft(step, log)

    def load(
        self,
        node: int,
        epoch: int,
        records: Iterable[Record],
        snapshot: int = -1,
        classes: Sequence[Sequence[Partition]] = (),
    ) -> None:
        """Begin with the log of a leader that was read elsewhere, before any step; the next claim goes on from it.

        `epoch` is that of its last record. Records up to the offset `snapshot` are those of a snapshot, −1 without one:
        their offsets are its own. Records that the tables do not have change nothing. Any row may have been done in it:
        of a claim that is declared violated by a row the log is not asked which. The partitions of each of the
        `classes` have equal cells at the end: the first one represents all, records about the others do not count.
        """
        controller = ControllerState(self.shape)
        found = Classes(self.shape, classes)
        if classes:
            self.classes, controller.count = found, found.count
        for record in records:
            if found.has_another_for(record):
                continue
            bound = self.wire.bind(record)
            if bound is not None:
                offset = max(record.offset, snapshot)
                controller.at_offset(offset)
                after_replay(controller, offset, bound, self._alone(bound, controller))
        self.logs[epoch] = LeaderLog(node, controller, controller.copy() if self.reverts else None)
        self.done |= {row.id for row in self.rows.protocol.rows}

    def _alone(self, record: BoundRecord, controller: ControllerState) -> list[Change]:
        """Replay a record; the deletion of a topic among its own partitions alone, as it changes no others."""
        if record.record.name != DELETION:
            return self.rows.replay(record, controller)
        every = controller.domains["Partition"]
        controller.cells.set_domain("Partition", {one: None for one in every if one[0] == record.entities[0]})
        try:
            return self.rows.replay(record, controller)
        finally:
            controller.cells.set_domain("Partition", every)

    def _bound(self, step: Step, log: LeaderLog) -> list[BoundRecord | None]:
        """Return the records of a step; of partitions in a class only those about its representative."""
        records: Iterable[tuple[int, WrittenRecord]] = enumerate(step.records, step.base_offset)
        if self.classes is not None:
            for former, new in self.classes.set_apart(step, log.controller):
                copy_known(former, new, self.broken, self.marked)
            records = self.classes.written(step)
        time = step.time_ns // 1_000_000
        return [self.wire.bind(Record(at, time, one.type, one.version, dict(one.data))) for at, one in records]


_TASK = Adapter(
    (),
    lambda step, controller, written: iter(()),
    lambda step, outcome: {"error": "NONE"},
    lambda step: {"error": FAILED if step.fault else "NONE"},
)
"""The answer of a task is whether it threw; `TASKS` reads it."""


def _adapter(step: Step) -> tuple[Adapter, Event | Step]:
    """Return the adapter of what a step is, and what it compares: the request, of a task the step itself."""
    adapter = None if step.request is None else ADAPTERS.get(step.request.request)
    return (_TASK, step) if adapter is None or step.request is None else (adapter, step.request)


def _seen(step: Step) -> dict[str, Any]:
    """Return the part of a step's answer that is compared: of a task whether it threw."""
    adapter, request = _adapter(step)
    return dict(adapter.recorded(request))


def unlike(step: Step, tried: Sequence[Tried]) -> tuple[str, str, tuple[Answer, ...]]:
    """Return what does not fit (`row`, `records`, `answer` or `both`), a sentence, and what would have been right."""
    answers = different(one.answer() for one in tried)
    answered, wrote = [one for one in tried if one.answered], [one for one in tried if one.length is not None]
    name = step.name if step.request is None else step.request.request
    rows = ", ".join(dict.fromkeys(row for one in (answered or wrote or tried) for row in one.outcome.rows))
    if not tried:
        return "row", no_row_applies(name), answers
    if answered:
        return "records", f"The answer of this {name} is that of {rows}, the records are not.", answers
    if wrote:
        return "answer", f"The records of this {name} are those of {rows}, the answer is not.", answers
    return "both", f"Neither the answer nor the records of this {name} are those of {rows}.", answers
