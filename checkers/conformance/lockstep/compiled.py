"""The rows of a protocol in the state of a controller: what they write and answer, and what records replay."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from fencepost.checkers.conformance.classes.classed import replayed
from fencepost.checkers.conformance.records.wire import BoundRecord, said_by
from fencepost.checkers.conformance.requests.outcomes import (
    Expected,
    Outcome,
    Part,
    PartOutcome,
    Reading,
    brought_by,
    lacking,
    outcomes,
)
from fencepost.model.language import Protocol, Record, Row, Term, Var
from fencepost.model.language.errors import EvaluationError
from fencepost.model.language.interpreter import CellKey, RecordValue
from fencepost.model.language.walk import free

from .cells import Cells, Change
from .controller_state import ControllerState, Shape
from .printing import Function, Printer
from .replies import Reply, compiled_reply
from .rows import CompiledRow, Rows

SILENCE, FAILOVER = "Silence", "Failover"
"""The events of the tables that leave no record: a contact is over; a controller becomes active."""


@dataclass(frozen=True, slots=True)
class _FieldVars:
    """A record's fields: the variables of their values and of being said, and the lists that may be left out."""

    vars: tuple[tuple[str, Var[Any], Var[Any] | None], ...]
    already: tuple[tuple[str, Term[Any]], ...]
    asks: bool

    @staticmethod
    def of(record: Record) -> _FieldVars:
        fields = (*record.about, *record.fields)
        already = tuple((one.name, one.already) for one in fields if one.already is not None)
        found = tuple((one.name, one.value, one.said if isinstance(one.said, Var) else None) for one in fields)
        return _FieldVars(found, already, bool(already) or record.version is not None)


class CompiledRows(Rows):
    """The rows of a protocol, for any state of its shape; each is compiled at first use."""

    def __init__(self, protocol: Protocol, shape: Shape) -> None:
        super().__init__(protocol, shape.numbers, Printer(shape.numbers, shape.initial), shape.hard)
        self.shape = shape
        self._replies: dict[str, Mapping[str, Reply]] = {}
        self._replays: dict[Record, tuple[Function, tuple[Var[Any], ...]]] = {}
        self._fields: dict[Record, _FieldVars] = {}
        self._params: dict[Term[Any], tuple[Var[Any], ...]] = {}
        self._beside: dict[tuple[Row, tuple[Var[Any], ...]], Function] = {}

    # -- outcomes --------------------------------------------------------------------------------------------------
    def lacks(self, reading: Reading) -> str:
        """Return why the tables cannot be evaluated for a reading, empty where they can."""
        return next((why for part in reading.parts if (why := self._lacks(part))), "")

    def _lacks(self, part: Part) -> str:
        names = self.names.get(part.event)
        return "" if names is not None and part.params.keys() == set(names) else lacking(part, self.events)

    def bring(self, reading: Reading, controller: ControllerState) -> None:
        """Add to the state what a reading brings along, until it is taken away."""
        cells, kinds = brought_by(reading, self.events)
        controller.bring(cells, kinds, reading.others)

    @contextmanager
    def brought(self, reading: Reading, controller: ControllerState) -> Iterator[None]:
        """Add to the state what a reading brings along, until the end of the block."""
        self.bring(reading, controller)
        try:
            yield
        finally:
            controller.take_away()

    def outcomes(self, reading: Reading, controller: ControllerState, guarded: bool = True) -> list[Outcome]:
        """Return what the rows make of a reading that was brought: an outcome for each choice of rows that apply."""

        def outcomes_of(part: Part) -> Iterable[PartOutcome]:
            if not reading.apart:
                return self._part(part, controller, guarded)
            controller.take_away()
            self.bring(replace(reading, parts=(part,)), controller)
            return list(self._part(part, controller, guarded))

        found = list(outcomes(reading, outcomes_of))
        if reading.apart:
            controller.take_away()
            self.bring(reading, controller)
        return found

    def alone(self, event: str, params: Mapping[str, Any], controller: ControllerState) -> Outcome | None:
        """Return what the first row that applies makes of an event that comes with no request, None without one."""
        if event not in self.events:
            return None
        reading = Reading((Part(event, params),))
        with self.brought(reading, controller):
            return next(iter(self.outcomes(reading, controller)), None)

    def _part(self, part: Part, controller: ControllerState, guarded: bool) -> Iterator[PartOutcome]:
        values = tuple([part.params[name] for name in self.names[part.event]])
        for run in self.runs(part.event):
            if guarded:
                for at in run.applying(controller.cells, *values):
                    yield self._run(run.rows[at], values, controller)
                continue
            for row in run.rows:
                try:
                    yield self._run(row, values, controller)
                except (EvaluationError, KeyError, IndexError, TypeError):
                    # A row that does not apply may ask for what is not there.
                    continue

    def _run(self, row: CompiledRow, values: tuple[Any, ...], controller: ControllerState) -> PartOutcome:
        cells = controller.cells
        groups = tuple(
            [
                tuple(
                    [
                        self._expected(cells, record, fields)
                        for record, write in stage
                        for fields in write(cells, *values)
                    ]
                )
                for stage in row.written
            ]
        )
        answer = row.say(cells, *values) if row.say is not None else None
        soft: list[Change] = row.soft(cells, *values)
        binding = dict(zip(row.row.event.params, values, strict=True))
        named = {self._cell(number, key): value for number, key, value in soft}
        replies = self.replies(row.row.event.name)
        reply = {name: _Told(one, values, answer, soft, controller) for name, one in replies.items()}
        return PartOutcome(row.row, binding, answer, groups, named, reply)

    def _cell(self, number: int, key: Any) -> CellKey:
        state = self.shape.states[number]
        return state, (key,) if len(state.keys) == 1 else key

    def replies(self, event: str) -> Mapping[str, Reply]:
        """Return what the answer to an event says besides its error."""
        found = self._replies.get(event)
        if found is None:
            one = self.events[event]
            found = {name: compiled_reply(self.printer, term, one) for name, term in one.reply.items()}
            self._replies[event] = found
        return found

    def holds(self, row: Row, binding: Mapping[Var[Any], Any], controller: ControllerState) -> bool:
        """Whether a row's guard holds in the state."""
        guard = self.printer.function(self.protocol.guard(row), row.event.params)
        return bool(guard(controller.cells, *[binding[var] for var in row.event.params]))

    # -- with parameters that no step reports ----------------------------------------------------------------------
    def may_apply(self, row: Row, binding: Mapping[Var[Any], Any], controller: ControllerState) -> bool:
        """Whether a row's guard can hold: it may ask for a parameter that is not bound, or a cell without a value."""
        params = tuple(var for var in row.event.params if var in binding)
        guard = self.printer.function(self.protocol.guard(row), params, may=True)
        try:
            return bool(guard(controller.cells, *[binding[var] for var in params]))
        except EvaluationError:
            return True

    def soft_changes(
        self, row: Row, binding: Mapping[Var[Any], Any], controller: ControllerState
    ) -> dict[CellKey, Any] | None:
        """Return what a row does to soft cells, None where that takes a parameter that is not bound."""
        params = tuple(var for var in row.event.params if var in binding)
        made = self._beside.get((row, params))
        if made is None:
            made = self._beside[row, params] = self.soft(row, params)
        values = [binding[var] for var in params]
        try:
            found = made(controller.cells, *values)
        except EvaluationError:
            return None
        return {self._cell(number, key): value for number, key, value in found}

    # -- records ---------------------------------------------------------------------------------------------------
    def replay(self, record: BoundRecord, controller: ControllerState) -> list[Change]:
        """Replay a record; return what it changed, each cell with the value before it."""
        controller.meet(record)
        found = self._replays.get(record.record)
        if found is None:
            found = self._replays[record.record] = self._replay(record.record)
        function, variables = found
        said = said_by(record)
        return controller.apply(function(controller.cells, *[said.get(var) for var in variables]))

    def _replay(self, record: Record) -> tuple[Function, tuple[Var[Any], ...]]:
        variables = tuple(
            var
            for field in (*record.about, *record.fields)
            for var in ((field.value, field.said) if isinstance(field.said, Var) else (field.value,))
            if isinstance(var, Var)
        )
        return self.changes(list(replayed(record)), variables), variables

    def _expected(self, cells: Cells, record: Record, fields: Mapping[str, Any]) -> Expected:
        """Return the record with its version; a list parallel to another is left out where the record stores it."""
        made = self._fields.get(record)
        if made is None:
            made = self._fields[record] = _FieldVars.of(record)
        if not made.asks:
            return Expected(RecordValue(record, fields), None)
        said: dict[Var[Any], Any] = {}
        for name, value, flag in made.vars:
            if name in fields:
                said[value] = fields[name]
            if flag is not None:
                said[flag] = name in fields
        for name, already in made.already:
            if name in fields and self._of(cells, already, said) == fields[name]:
                fields = {one: value for one, value in fields.items() if one != name}
        version = None if record.version is None else self._of(cells, record.version, said)
        return Expected(RecordValue(record, fields), version)

    def _of(self, cells: Cells, term: Term[Any], said: Mapping[Var[Any], Any]) -> Any:
        params = self._params.get(term)
        if params is None:
            params = self._params[term] = tuple(sorted(free(term), key=lambda var: var.name))
        return self.printer.function(term, params)(cells, *[said[var] for var in params])


@dataclass(slots=True, eq=False)
class _Told:
    """A value of the answer that is evaluated at first use, before the state changes."""

    reply: Reply
    values: tuple[Any, ...]
    answer: Any
    soft: Sequence[Change]
    controller: ControllerState

    def __call__(self) -> Any:
        controller = self.controller
        found: list[Any] = []
        if self.reply.asked:
            changed = controller.apply(self.soft)
            try:
                found = [ask(controller.cells, *self.values) for ask in self.reply.asked]
            finally:
                controller.undo(changed)
        answers = [self.answer] * self.reply.answers
        return self.reply.value(controller.cells, *self.values, *found, *answers)
