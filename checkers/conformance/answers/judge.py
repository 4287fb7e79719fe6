"""Recorded answers of Kafka's own classes, replayed through the rows: every line one row, every field compared.

An adapter renames: it says which state cell or parameter each input field is, and which field of the answer each output
field is. What an adapter may compute is listed in `adapters.py` with its reason; everything else comes from the rows.
"""

from __future__ import annotations

import difflib
import gzip
import json
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fencepost.checkers.conformance.lockstep.controller_state import ControllerState
from fencepost.checkers.conformance.lockstep.tables import tables_of
from fencepost.checkers.conformance.requests.outcomes import Outcome, Reading, kinds_of
from fencepost.checkers.verdicts import ExitCode, Refusal
from fencepost.model.language import TRUE, Protocol, Row, Step, Valuation, Var, World, event, run
from fencepost.model.language.effects import Write
from fencepost.model.language.interpreter import CellKey, Evaluation, EvaluationError
from fencepost.model.language.walk import free


@dataclass(frozen=True)
class Question:
    """One recorded input in the model's terms: an event with its parameters, in a state.

    Where it `may_rest` no row need apply: then nothing happens.
    """

    event: str
    binding: Mapping[Var[Any], Any]
    cells: Mapping[CellKey, Any]
    world: World
    may_rest: bool = False


@dataclass(frozen=True)
class Requested:
    """One recorded input as a request of a trace: read in a controller's state, in which compiled rows are asked.

    The kind's `tell` gets the outcome.
    """

    read: Callable[[ControllerState], Iterable[Reading]]
    cells: Mapping[CellKey, Any]

    def outcome(self, protocol: Protocol) -> Outcome:
        """Return what the rows make of it; raises `Refusal` where not exactly one row applies to each part."""
        tables = tables_of(protocol, plain=False)
        controller = ControllerState(tables.shape)
        controller.bring(self.cells, kinds_of(self.cells), {})
        [reading] = self.read(controller)
        lacks = next((why for part in reading.parts if (why := tables.rows.lacks(part))), "")
        if lacks:
            raise Refusal(f"{protocol.name}: {lacks}")
        tables.rows.bring(reading, controller)
        found = tables.rows.outcomes(reading, controller)
        if len(found) != 1:
            events = ", ".join(dict.fromkeys(part.event for part in reading.parts))
            raise _not_one(protocol, events, [id for one in found for id in one.rows])
        return found[0]


@dataclass(frozen=True)
class Replay:
    """One recorded input in the model's terms: records replayed one after the other, from a state."""

    writes: tuple[Write, ...]
    cells: Mapping[CellKey, Any]
    world: World


def _no_replay(line: Mapping[str, Any], refused: tuple[str, ...], after: Valuation) -> Mapping[str, Any]:
    raise TypeError("records are replayed, and the kind does not tell what comes of it")


@dataclass(frozen=True)
class Kind:
    """A kind of recorded answers: the protocol whose rows answer, and the adapter's two halves.

    `columns` are those that a line may have beside `out`, any where there are none; `words` are the values that some
    of them may have. `tell_replay` gets, for each record replayed, the claim that forbids it ("" for none), and the
    state after them all. `tell` gets None for the execution where no row applied and none need have.
    """

    name: str
    protocol: Protocol
    ask: Callable[[Mapping[str, Any]], Question | Requested | Replay]
    tell: Callable[[Mapping[str, Any], Any, Any], Mapping[str, Any]]
    skip: Callable[[Mapping[str, Any]], str] = field(default=lambda line: "")
    same: Callable[[str, Any, Any], bool] = field(default=lambda name, kafka, tables: bool(kafka == tables))
    tell_replay: Callable[[Mapping[str, Any], tuple[str, ...], Valuation], Mapping[str, Any]] = field(
        default=_no_replay
    )
    columns: frozenset[str] = frozenset()
    words: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)


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
    """What a replay of recorded answers found: `lines` judged, `skipped` by reason, rows that answered, differences."""

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
        with gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8") as lines:
            for number, line in enumerate(lines, 1):
                if line.strip():
                    yield _answer(f"{path}:{number}", line)
    except (OSError, UnicodeDecodeError, EOFError, zlib.error) as error:
        raise Refusal(f"{path}: cannot be read as NDJSON ({error}); give a text file or a gzipped one") from error


def _answer(place: str, line: str) -> Mapping[str, Any]:
    try:
        found = json.loads(line)
    except json.JSONDecodeError as error:
        raise Refusal(f"{place}: this line is no JSON object ({error.msg}); give NDJSON") from error
    if not isinstance(found, dict) or "out" not in found:
        raise Refusal(f"{place}: this line has no field `out`; give recorded answers, one object a line")
    return found


def applicable(protocol: Protocol, question: Question, state: Valuation) -> Row | None:
    """Return the one row of the event whose guard holds, None for none where the question may rest.

    Raises `Refusal` where none or several do.
    """
    evaluation = Evaluation(question.world, state)
    rows = [
        row
        for row in protocol.rows
        if row.event.name == question.event and evaluation.value(protocol.guard(row), question.binding)
    ]
    if not rows and question.may_rest:
        return None
    if len(rows) != 1:
        raise _not_one(protocol, question.event, [row.id for row in rows])
    return rows[0]


def _not_one(protocol: Protocol, event: str, rows: Iterable[str]) -> Refusal:
    found = ", ".join(rows) or "none"
    return Refusal(f"{protocol.name}: on {event} exactly one row should apply to an input, and {found} does")


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
    kind: Kind, line: Mapping[str, Any], question: Question | Requested | Replay
) -> tuple[tuple[str, ...], Mapping[str, Any]]:
    """What answers, rows or claims, and the answer; raises `Refusal` where not exactly one row applies."""
    if isinstance(question, Replay):
        asked = dict.fromkeys(one.id for write in question.writes for one in claims_on(kind.protocol, write))
        return tuple(asked), kind.tell_replay(line, *replay(kind.protocol, question))
    if isinstance(question, Requested):
        outcome = question.outcome(kind.protocol)
        return outcome.rows, kind.tell(line, outcome, None)
    state = Valuation(question.cells)
    row = applicable(kind.protocol, question, state)
    if row is None:
        return (), kind.tell(line, None, Evaluation(question.world, state))
    execution = run(row, question.binding, state, question.world)
    return (row.id,), kind.tell(line, execution, Evaluation(question.world, state))


def _compared(
    kind: Kind, number: int, line: Mapping[str, Any], question: Question | Requested | Replay, rows: dict[str, int]
) -> list[Difference]:
    """Where Kafka and the tables differ on one line; counts what answers in `rows`."""
    answering, told = _replies(kind, line, question)
    for id in answering:
        rows[id] = rows.get(id, 0) + 1
    recorded = line["out"] if isinstance(line["out"], dict) else {"out": line["out"]}
    return [
        Difference(number, name, recorded.get(name), told.get(name), answering)
        for name in dict.fromkeys((*recorded, *told))
        if not kind.same(name, recorded.get(name), told.get(name))
    ]


def _unlike(kind: Kind, number: int, error: Exception) -> Refusal:
    said = f"no field or no such value: {error}" if isinstance(error, KeyError) else str(error)
    return Refusal(f"line {number}: not an input of kind {kind.name} ({said}); check --kind")


def _checked(kind: Kind, number: int, line: Mapping[str, Any]) -> None:
    """Raise `Refusal` for a column that nothing reads, and for a value that a column cannot have."""
    for name, value in line.items():
        if kind.columns and name != "out" and name not in kind.columns:
            close = difflib.get_close_matches(name, kind.columns, 1)
            hint = f"did you mean {close[0]}?" if close else f"it has {', '.join(sorted(kind.columns))}"
            raise _unlike(kind, number, ValueError(f"nothing reads a column {name}; {hint}"))
        words = kind.words.get(name, (value,))
        if not any(type(value) is type(word) and value == word for word in words):
            said = ", ".join(json.dumps(word) for word in words)
            raise _unlike(kind, number, ValueError(f"{name} is one of {said}, not {json.dumps(value)}"))


def judge(kind: Kind, lines: Iterable[Mapping[str, Any]], limit: int = 1000) -> Answers:
    """Replay recorded answers; at most `limit` differences are kept."""
    count, skipped, rows, differences = 0, dict[str, int](), dict[str, int](), list[Difference]()
    for number, line in enumerate(lines, 1):
        reason = kind.skip(line)
        if reason:
            skipped[reason] = skipped.get(reason, 0) + 1
            continue
        count += 1
        _checked(kind, number, line)
        try:
            question = kind.ask(line)
        except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
            raise _unlike(kind, number, error) from error
        try:
            found = _compared(kind, number, line, question, rows)
        except Refusal as refusal:
            found = [Difference(number, "row", line["out"], str(refusal), ())]
        except (EvaluationError, TypeError, ValueError, KeyError) as error:
            raise _unlike(kind, number, error) from error
        differences += found[: limit - len(differences)]
    if count == 0 and not skipped:
        message = "the file holds no recorded answers, so nothing was compared; give a file with at least one line"
        raise Refusal(message, ExitCode.INCONCLUSIVE)
    return Answers(kind.name, count, skipped, rows, tuple(differences))
