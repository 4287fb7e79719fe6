"""Recorded answers of Kafka's own classes, replayed through the interpreter: every line one row, every field compared.

An adapter renames: it says which state cell or parameter each input field is, and which field of the answer each output
field is. What an adapter may compute is listed in `adapters.py` with its reason; everything else comes from the rows.
"""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fencepost.checkers.verdicts import Refusal
from fencepost.model.language import Execution, Protocol, Row, Valuation, Var, World, run
from fencepost.model.language.interpreter import CellKey, Evaluation


@dataclass(frozen=True)
class Question:
    """One recorded input in the model's terms: an event with its parameters, in a state."""

    event: str
    binding: Mapping[Var[Any], Any]
    cells: Mapping[CellKey, Any]
    world: World


@dataclass(frozen=True)
class Kind:
    """A kind of recorded answers: the protocol whose rows answer, and the adapter's two halves."""

    name: str
    protocol: Protocol
    ask: Callable[[Mapping[str, Any]], Question]
    tell: Callable[[Mapping[str, Any], Execution, Evaluation], Mapping[str, Any]]
    skip: Callable[[Mapping[str, Any]], str] = field(default=lambda line: "")
    same: Callable[[str, Any, Any], bool] = field(default=lambda name, kafka, tables: bool(kafka == tables))


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


def applicable(protocol: Protocol, question: Question, state: Valuation) -> Row:
    """Return the one row of the event whose guard holds; raises `Refusal` where none or several do."""
    evaluation = Evaluation(question.world, state)
    rows = [
        row
        for row in protocol.rows
        if row.event.name == question.event and evaluation.value(protocol.guard(row), question.binding)
    ]
    if len(rows) != 1:
        found = ", ".join(row.id for row in rows) or "none"
        raise Refusal(
            f"{protocol.name}: on {question.event} exactly one row should apply to an input, and {found} does"
        )
    return rows[0]


def judge(kind: Kind, lines: Iterable[Mapping[str, Any]], limit: int = 1000) -> Answers:
    """Replay recorded answers; at most `limit` differences are kept."""
    count, skipped, rows, differences = 0, dict[str, int](), dict[str, int](), list[Difference]()
    for number, line in enumerate(lines, 1):
        reason = kind.skip(line)
        if reason:
            skipped[reason] = skipped.get(reason, 0) + 1
            continue
        count += 1
        try:
            question = kind.ask(line)
        except (KeyError, TypeError, ValueError) as error:
            raise Refusal(
                f"line {number}: not an input of kind {kind.name} ({type(error).__name__}: {error}); check --kind"
            ) from error
        state = Valuation(question.cells)
        try:
            row = applicable(kind.protocol, question, state)
        except Refusal as refusal:
            differences.append(Difference(number, "row", line["out"], str(refusal), ()))
            continue
        rows[row.id] = rows.get(row.id, 0) + 1
        execution = run(row, question.binding, state, question.world)
        told = kind.tell(line, execution, Evaluation(question.world, state))
        recorded = line["out"] if isinstance(line["out"], dict) else {"out": line["out"]}
        for name in dict.fromkeys((*recorded, *told)):
            kafka, tables = recorded.get(name), told.get(name)
            if not kind.same(name, kafka, tables) and len(differences) < limit:
                differences.append(Difference(number, name, kafka, tables, (row.id,)))
    if count == 0 and not skipped:
        raise Refusal("the file holds no recorded answers, so nothing was compared; give a file with at least one line")
    return Answers(kind.name, count, skipped, rows, tuple(differences))
