"""Runs the rows of a protocol by the plain interpreter, as the compiled ones are: slow, obvious, and their oracle."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from fencepost.checkers.conformance.classes.classed import replayed
from fencepost.checkers.conformance.lockstep.cells import Change
from fencepost.checkers.conformance.lockstep.compiled import CompiledRows
from fencepost.checkers.conformance.lockstep.controller_state import ControllerState
from fencepost.checkers.conformance.lockstep.judge import LockStep
from fencepost.checkers.conformance.records.wire import BoundRecord, said_by
from fencepost.checkers.conformance.requests.outcomes import Expected, PartOutcome
from fencepost.checkers.conformance.requests.traces import EventMonitor
from fencepost.model.language import Row, Var, World
from fencepost.model.language.effects import Update
from fencepost.model.language.errors import EvaluationError
from fencepost.model.language.interpreter import CellKey, Evaluation, RecordValue, bindings, written
from fencepost.model.language.walk import free
from tests.conformance.interpreted import Before


class PlainRows(CompiledRows):
    """The rows of a protocol, evaluated by the interpreter: no compiled code has a part in it."""

    def _part(self, part: Any, controller: ControllerState, guarded: bool) -> Iterable[PartOutcome]:  # type: ignore[override]
        event = self.events[part.event]
        binding = {var: part.params[var.name] for var in event.params}
        evaluation = _evaluation(controller)
        for row in self.protocol.rows:
            if row.event is not event:
                continue
            if guarded:
                if evaluation.value(self.protocol.guard(row), binding):
                    yield self._ran(row, binding, evaluation, controller)
                continue
            try:
                yield self._ran(row, binding, evaluation, controller)
            except EvaluationError:
                continue

    def _ran(
        self, row: Row, binding: Mapping[Var[Any], Any], evaluation: Evaluation, controller: ControllerState
    ) -> PartOutcome:
        groups: tuple[tuple[Expected, ...], ...] = tuple(
            tuple(_expected(one, evaluation) for one in written(stage, binding, evaluation)) for stage in row.stages
        )
        answer = evaluation.value(row.say, binding) if row.say is not None else None
        soft = self._beside_records(row, binding, evaluation)
        around = _evaluation(controller, soft)
        reply: dict[str, Callable[[], Any]] = {}
        for name, term in row.event.reply.items():
            answers = {var: answer for var in free(term) if var.name == "answer"}
            reply[name] = lambda term=term, answers=answers: around.value(term, {**binding, **answers})  # type: ignore[misc]
        return PartOutcome(row, binding, answer, groups, soft, reply)

    def _beside_records(self, row: Row, binding: Mapping[Var[Any], Any], evaluation: Evaluation) -> dict[CellKey, Any]:
        updates = (one for stage in row.stages if not stage.written for one in stage.updates)
        soft = (one for one in updates if self.shape.numbers[one.target.state] not in self.shape.hard)
        return _made(soft, binding, evaluation)

    def may_apply(self, row: Row, binding: Mapping[Var[Any], Any], controller: ControllerState) -> bool:
        """Whether a row's guard can hold: it may ask for a parameter that is not bound, or a cell without a value."""
        try:
            return self.holds(row, binding, controller)
        except EvaluationError:
            return True

    def soft_changes(
        self, row: Row, binding: Mapping[Var[Any], Any], controller: ControllerState
    ) -> dict[CellKey, Any] | None:
        """Return what a row does to soft cells, None where that takes a parameter that is not bound."""
        try:
            return self._beside_records(row, binding, _evaluation(controller))
        except EvaluationError:
            return None

    def holds(self, row: Row, binding: Mapping[Var[Any], Any], controller: ControllerState) -> bool:
        """Whether a row's guard holds in the state."""
        return bool(_evaluation(controller).value(self.protocol.guard(row), binding))

    def replay(self, record: BoundRecord, controller: ControllerState) -> list[Change]:
        """Replay a record; return what it changed, each cell with the value before it."""
        controller.meet(record)
        evaluation, said = _evaluation(controller), said_by(record)
        return controller.apply(self.shape.changes(_made(replayed(record.record), said, evaluation)))


def of_the_interpreter(judge: LockStep | EventMonitor) -> None:
    """Have the interpreter evaluate the rows of a checker that has not begun."""
    judge.rows = PlainRows(judge.rows.protocol, judge.rows.shape)
    if isinstance(judge, LockStep):
        judge.soft.rows = judge.rows


def _evaluation(controller: ControllerState, after: Mapping[CellKey, Any] | None = None) -> Evaluation:
    world = World({sort: tuple(seen) for sort, seen in controller.domains.items()}, {})
    return Evaluation(world, Before(controller, {}), after=None if after is None else Before(controller, after))


def _made(updates: Iterable[Update], binding: Mapping[Var[Any], Any], evaluation: Evaluation) -> dict[CellKey, Any]:
    """Return what updates make of cells."""
    found: dict[CellKey, Any] = {}
    for update in updates:
        for inner in bindings(update.binders, binding, evaluation.world):
            if evaluation.value(update.when, inner):
                keys = tuple(evaluation.value(key, inner) for key in update.target.keys)
                found[update.target.state, keys] = evaluation.value(update.value, inner)
    return found


def _expected(value: RecordValue, evaluation: Evaluation) -> Expected:
    """Return the record with its version; a list parallel to another is left out where the record stores it."""
    record = value.record
    said: dict[Var[Any], Any] = {}
    for one in (*record.about, *record.fields):
        if one.name in value.fields:
            said[one.value] = value.fields[one.name]
        if isinstance(one.said, Var):
            said[one.said] = one.name in value.fields
    left_out = {
        f.name
        for f in record.fields
        if f.already is not None
        and f.name in value.fields
        and evaluation.value(f.already, said) == value.fields[f.name]
    }
    if left_out:
        value = RecordValue(record, {name: one for name, one in value.fields.items() if name not in left_out})
    return Expected(value, None if record.version is None else evaluation.value(record.version, said))
