"""Recorded answers of Kafka's own classes, replayed through the rows: every line one row, every field compared.

A kind renames: it says which state cell or column of a request each input field is, and which field of the answer each
output field is. What it may compute is listed in `adapters.py` with its reason; everything else comes from the rows.
"""

from __future__ import annotations

import difflib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, TypeVar

from fencepost.checkers.conformance.lockstep.compiled import CompiledRows
from fencepost.checkers.conformance.lockstep.controller_state import ControllerState, Shape
from fencepost.checkers.conformance.records.wire import BoundRecord
from fencepost.checkers.conformance.requests.adapters import ADAPTERS
from fencepost.checkers.conformance.requests.outcomes import Expected, Outcome, Part, PartOutcome, Reading, kinds_of
from fencepost.checkers.conformance.state.replay import Layout
from fencepost.checkers.verdicts import ExitCode, Refusal
from fencepost.model.language import TRUE, Protocol, Row, State, Step, Term, Valuation, Var, World, event, run
from fencepost.model.language.effects import Write
from fencepost.model.language.errors import EvaluationError
from fencepost.model.language.interpreter import CellKey, Evaluation
from fencepost.model.language.walk import free
from fencepost.traces import Record, TraceError
from fencepost.traces import events as trace
from fencepost.traces.event_files import lines_of


@dataclass(frozen=True)
class Question:
    """One recorded input in the model's terms: what is read as events with their parameters, in a state.

    `request` is None for one that no request is.
    """

    read: Callable[[CompiledRows, ControllerState], Iterable[Reading]]
    cells: Mapping[CellKey, Any]
    request: trace.Event | None = None


def put(request: trace.Event, cells: Mapping[CellKey, Any]) -> Question:
    """Return the question what the rows answer to a request, read as one of an event trace is."""
    adapter = ADAPTERS[request.request]
    return Question(lambda rows, controller: adapter.read(request, controller, ()), cells, request)


def asked(event: str, params: Mapping[str, Any], cells: Mapping[CellKey, Any]) -> Question:
    """Return the question what a row answers to an event of the tables that no request is."""
    return Question(lambda rows, controller: [Reading((Part(event, params),))], cells)


R = TypeVar("R", bound=trace.Event)


def sent(request: type[R], **columns: Any) -> R:
    """Return a request with these columns; the others, as those of its answer, are empty."""
    empty: dict[str, Any] = dict.fromkeys(one.name for one in fields(request))
    return request(**{**empty, "line": 1, "t_ms": 0, "log_end": 0, "error": "NONE", **columns})


class Answered:
    """The outcome of the rows for an input, without a part where no row applied, and the states before and after."""

    def __init__(self, question: Question, rows: CompiledRows, controller: ControllerState, outcome: Outcome) -> None:
        self.question, self.rows, self.controller, self.outcome = question, rows, controller, outcome

    @property
    def part(self) -> PartOutcome:
        """The result of an input of one part."""
        return self.outcome.parts[0]

    @property
    def records(self) -> list[Expected]:
        """The records, in order as far as there is one."""
        return [one for group in self.outcome.groups for one in group]

    @property
    def told(self) -> Mapping[str, Any]:
        """The answer to a request, as for one of an event trace."""
        assert self.question.request is not None
        return ADAPTERS[self.question.request.request].tell(self.question.request, self.outcome)

    def replies(self) -> dict[str, Any]:
        """Return what the event's declaration says of the answer, evaluated before and after the row."""
        part, before, after = self.part, self.controller.cells, self.after.cells
        replies = self.rows.replies(part.row.event.name)
        values = tuple(part.binding.values())
        return {name: one.around(before, after, values, part.answer) for name, one in replies.items()}

    @cached_property
    def after(self) -> ControllerState:
        """The state after the rows: their records are replayed."""
        found = self.controller.copy()
        found.cells.others = self.controller.cells.others
        for one in self.records:
            of = one.value.record
            self.rows.replay(BoundRecord(of, Record(-1, -1, of.type, 0, {}), one.value.fields), found)
        found.apply(self.rows.shape.changes(self.outcome.soft))
        return found

    def value_after(self, term: Term[Any], binding: Mapping[Var[Any], Any]) -> Any:
        """Return what a term is after the rows."""
        return self.rows.printer.function(term, tuple(binding))(self.after.cells, *binding.values())


@lru_cache(maxsize=16)
def _rows(protocol: Protocol) -> CompiledRows:
    shape = Shape(protocol, Layout(protocol))
    if shape.log_end is not None:
        # No log shows where a result ends: the row that writes it does.
        shape.hard -= {shape.log_end}
    return CompiledRows(protocol, shape)


def answered(protocol: Protocol, question: Question) -> Answered:
    """Return what the rows make of an input; raises `Refusal` where not exactly one applies to each part."""
    rows = _rows(protocol)
    controller, states = ControllerState(rows.shape), rows.shape.numbers
    cells = _within(question.cells, states)
    controller.bring(cells, kinds_of(cells), {})
    [reading] = question.read(rows, controller)
    parts = tuple(replace(part, cells=_within(part.cells, states)) for part in reading.parts)
    others = {state: one for state, one in reading.others.items() if state in states}
    reading = replace(reading, parts=parts, others=others)
    found: list[Outcome] = []
    if not rows.lacks(reading):
        rows.bring(reading, controller)
        found = rows.outcomes(reading, controller)
    if len(found) != 1:
        events = ", ".join(dict.fromkeys(part.event for part in reading.parts))
        ids = ", ".join(id for one in found for id in one.rows) or "none"
        raise Refusal(f"{protocol.name}: on {events} exactly one row should apply to an input, and {ids} does")
    return Answered(question, rows, controller, found[0])


def _within(cells: Mapping[CellKey, Any], states: Mapping[State[Any], int]) -> dict[CellKey, Any]:
    """Leave out cells of variables that a part of the tables does not have."""
    return {cell: value for cell, value in cells.items() if cell[0] in states}


@dataclass(frozen=True)
class Replay:
    """One recorded input in the model's terms: records replayed one after the other, from a state."""

    writes: tuple[Write, ...]
    cells: Mapping[CellKey, Any]
    world: World


def _no_replay(line: Mapping[str, Any], refused: tuple[str, ...], after: Valuation) -> Mapping[str, Any]:
    raise TypeError("records are replayed, and the kind has no answer for a replay")


@dataclass(frozen=True)
class Kind:
    """A kind of recorded answers: the protocol whose rows answer, and the adapter's two halves.

    `columns` are those that a line may have beside `out`, with the values of those that have few. `tell_replay` gets,
    for each record replayed, the claim that forbids it ("" for none), and the state after them all.
    """

    name: str
    protocol: Protocol
    ask: Callable[[Mapping[str, Any]], Question | Replay]
    tell: Callable[[Mapping[str, Any], Answered], Mapping[str, Any]]
    skip: Callable[[Mapping[str, Any]], str] = field(default=lambda line: "")
    same: Callable[[str, Any, Any], bool] = field(default=lambda name, kafka, tables: bool(kafka == tables))
    tell_replay: Callable[[Mapping[str, Any], tuple[str, ...], Valuation], Mapping[str, Any]] = field(
        default=_no_replay
    )
    columns: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)


@dataclass(frozen=True)
class Difference:
    """A field of a line on which Kafka and the tables differ; lines count from 1."""

    line: int
    field: str
    kafka: Any
    tables: Any
    rows: tuple[str, ...]


@dataclass(frozen=True)
class Answers:
    """The results of a replay of recorded answers: `lines` checked, `skipped` by reason, rows, differences."""

    kind: str
    lines: int
    skipped: Mapping[str, int]
    rows: Mapping[str, int]
    differences: tuple[Difference, ...]


def read_lines(path: Path) -> Iterator[Mapping[str, Any]]:
    """Yield the objects of an NDJSON file, gzipped or not; raises `Refusal` for anything else."""
    if not path.exists():
        raise Refusal(f"{path}: there is no such file; name an NDJSON file of recorded answers")
    try:
        for number, found in lines_of(path):
            if "out" not in found:
                said = "this line has no field `out`; give recorded answers, one object a line"
                raise Refusal(f"{path}:{number}: {said}")
            yield found
    except TraceError as error:
        raise Refusal(str(error)) from error


def claims_on(protocol: Protocol, write: Write) -> tuple[Step, ...]:
    """Return what is claimed of every row that writes a record: of its replay, that is, wherever the record is from."""
    return tuple(
        one
        for one in protocol.properties
        if isinstance(one, Step)
        and one.rows
        and not free(one.term)
        and all(_writes(protocol.row(id), write) for id in one.rows)
    )


def _writes(row: Row, write: Write) -> bool:
    return any(one.record is write.record for stage in row.stages for one in stage.written)


def replay(protocol: Protocol, question: Replay) -> tuple[tuple[str, ...], Valuation]:
    """Replay records: return for each the claim that forbids it ("" for none), and the state after them.

    A record that is forbidden leaves the state as it is.
    """
    state, refused = Valuation(question.cells), []
    for write in question.writes:
        after = run(event("Replay")("replay", TRUE, write), {}, state, question.world).after
        step = Evaluation(question.world, state, after=after)
        refused.append(next((one.id for one in claims_on(protocol, write) if not step.value(one.term, {})), ""))
        state = state if refused[-1] else after
    return tuple(refused), state


def _replies(
    kind: Kind, line: Mapping[str, Any], question: Question | Replay
) -> tuple[tuple[str, ...], Mapping[str, Any]]:
    """Return the row or claims that answer, and the answer; raises `Refusal` where not exactly one row applies."""
    if isinstance(question, Replay):
        asked = dict.fromkeys(one.id for write in question.writes for one in claims_on(kind.protocol, write))
        return tuple(asked), kind.tell_replay(line, *replay(kind.protocol, question))
    found = answered(kind.protocol, question)
    return found.outcome.rows, kind.tell(line, found)


def _compared(
    kind: Kind, number: int, line: Mapping[str, Any], question: Question | Replay, rows: dict[str, int]
) -> list[Difference]:
    """Return where Kafka and the tables differ on one line; counts the rows that answer in `rows`."""
    answering, told = _replies(kind, line, question)
    for id in answering:
        rows[id] = rows.get(id, 0) + 1
    recorded = line["out"] if isinstance(line["out"], dict) else {"out": line["out"]}
    return [
        Difference(number, name, recorded.get(name), told.get(name), answering)
        for name in dict.fromkeys((*recorded, *told))
        if not kind.same(name, recorded.get(name), told.get(name))
    ]


def _checked(kind: Kind, line: Mapping[str, Any]) -> None:
    """Raise `ValueError` for a column that nothing reads, and for a value that a column cannot have."""
    for name, value in line.items():
        if name != "out" and name not in kind.columns:
            close = difflib.get_close_matches(name, kind.columns, 1)
            hint = f"did you mean {close[0]}?" if close else f"it has {', '.join(sorted(kind.columns))}"
            raise ValueError(f"nothing reads a column {name}; {hint}")
        words = kind.columns.get(name) or (value,)
        if not any(type(value) is type(word) and value == word for word in words):
            raise ValueError(f"{name} is one of {', '.join(map(json.dumps, words))}, not {json.dumps(value)}")


def judge(kind: Kind, lines: Iterable[Mapping[str, Any]], limit: int = 1000) -> Answers:
    """Replay recorded answers; at most `limit` differences are kept."""
    count, skipped, rows, differences = 0, dict[str, int](), dict[str, int](), list[Difference]()
    for number, line in enumerate(lines, 1):
        try:
            reason = kind.skip(line)
            if reason:
                skipped[reason] = skipped.get(reason, 0) + 1
                continue
            count += 1
            _checked(kind, line)
            found = _compared(kind, number, line, kind.ask(line), rows)
        except Refusal as refusal:
            found = [Difference(number, "row", line["out"], str(refusal), ())]
        except (EvaluationError, KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
            said = f"no field or no such value: {error}" if isinstance(error, KeyError) else str(error)
            unlike = f"line {number}: not an input of kind {kind.name} ({said}); check --kind"
            raise Refusal(unlike) from error
        differences += found[: limit - len(differences)]
    if count == 0 and not skipped:
        message = "the file holds no recorded answers, so nothing was compared; give a file with at least one line"
        raise Refusal(message, ExitCode.INCONCLUSIVE)
    return Answers(kind.name, count, skipped, rows, tuple(differences))
