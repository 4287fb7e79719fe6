"""`fencepost answers`: recorded answers of Kafka's own classes, put to the rows and to the reference controller."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import dataclass
from json import dumps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from fencepost.checkers.verdicts import ExitCode, Refusal

from .outcome import Json, Outcome

if TYPE_CHECKING:
    from fencepost.checkers.conformance.answers.judge import Answers, Difference, Kind

EVENTS = "events"
"""The kind of an event trace: every request that a real controller was sent, and its answer."""

SHOWN = 10
"""Differences that the page shows; the JSON document has them all, up to the checker's limit."""


def answers(
    file: Annotated[Path, typer.Argument(help="NDJSON, gzipped or not, one recorded answer a line.")],
    kind: Annotated[str | None, typer.Option(help="What was asked; by default the file's name says it.")] = None,
    log: Annotated[
        Path | None,
        typer.Option(help="With --kind events: the log directory of the controller that answered the requests."),
    ] = None,
    json: Json = False,
) -> Outcome:
    """Replay recorded answers of Kafka's own classes through the rows and the reference, and compare every field.

    An event trace (--kind events) is put to the reference; `conform --events` checks it against the rows.
    """
    if kind == EVENTS:
        from .answers_events import recorded_events

        return recorded_events(file, log)
    if log is not None:
        raise Refusal(
            f"--log {log}: only requests of an event trace stand in a log; say --kind {EVENTS} or leave it out"
        )
    result, protocol = replay(file, kind)
    asked = ask_reference(file, result)
    differs = bool(asked.differences)
    fields = {
        "file": str(file),
        "kind": result.kind,
        "lines": result.lines,
        "skipped": dict(result.skipped),
        "rows": dict(sorted(result.rows.items())),
        "reference": asked.lines,
        "differences": list(asked.differences),
    }
    code = ExitCode.DOES_NOT_CONFORM if differs else ExitCode.AS_DECLARED if result.lines else ExitCode.INCONCLUSIVE
    verdict = "violates" if differs else "conforms" if result.lines else "inconclusive"
    return Outcome("answers", verdict, code, fields, _page(file, result, asked, verdict), protocol.hash)


def replay(file: Path, kind: str | None = None) -> tuple[Answers, Any]:
    """Return what a replay found, and the protocol whose rows answered; raises `Refusal` where nothing can be."""
    from fencepost.checkers.conformance.answers.adapters import KINDS
    from fencepost.checkers.conformance.answers.judge import judge, read_lines

    if not file.exists():
        raise Refusal(f"{file}: there is no such file; name an NDJSON file of recorded answers")
    chosen = kind_of(file, kind, KINDS)
    try:
        return judge(chosen, read_lines(file)), chosen.protocol
    except Refusal as refusal:
        place = "" if str(refusal).startswith(str(file)) else f"{file}: "
        raise Refusal(f"{place}{refusal}", refusal.code) from refusal


def kind_of(file: Path, kind: str | None, kinds: Mapping[str, Kind]) -> Kind:
    """Return the kind by its name, or by the file's name without `-sample` and extensions; raises `Refusal`."""
    name = kind or file.name.split(".")[0].removesuffix("-sample")
    if name in kinds:
        return kinds[name]
    close = difflib.get_close_matches(name, list(kinds), 1)
    hint = f"did you mean --kind {close[0]}?" if close else f"say --kind, one of {', '.join(sorted(kinds))}"
    raise Refusal(f"{file}: no adapter is called {name}; {hint}")


@dataclass(frozen=True)
class Asked:
    """How many lines the reference answered, and where it or the rows differ from Kafka, as the document has it."""

    lines: int
    differences: tuple[Mapping[str, Any], ...]


def ask_reference(file: Path, result: Answers) -> Asked:
    """Put every line to the reference too, those that no row is asked about as well, and add its differences to theirs.

    `reference` is null in a difference where the reference has no answer to questions of this kind.
    """
    from fencepost.checkers.conformance.answers.judge import read_lines

    differences = {(one.line, one.field): _as_json(one) for one in result.differences}
    asked = 0
    for number, line in enumerate(read_lines(file), 1):
        told = _reference_says(result.kind, line)
        if told is None:
            continue
        asked += 1
        recorded = line["out"] if isinstance(line["out"], dict) else {"out": line["out"]}
        for name in dict.fromkeys((*recorded, *told)):
            kafka, reference = recorded.get(name), told.get(name)
            if (number, name) in differences:
                differences[number, name]["reference"] = reference
            elif kafka != reference:
                # The rows have no difference here: they say what Kafka said.
                rows: list[str] = []
                difference = {"line": number, "field": name, "kafka": kafka, "tables": kafka, "rows": rows}
                differences[number, name] = {**difference, "reference": reference}
    return Asked(asked, tuple(differences[key] for key in sorted(differences)))


def _reference_says(kind: str, line: Mapping[str, Any]) -> dict[str, Any] | None:
    from fencepost.reference.kraft.answers.kinds import answer

    try:
        return answer(kind, line)
    except Exception as fault:
        # A controller that fails on a question that Kafka answered is a difference, whatever it fails with.
        return {"fault": f"{type(fault).__name__}: {fault}"}


def _as_json(one: Difference) -> dict[str, Any]:
    return {
        "line": one.line,
        "field": one.field,
        "kafka": one.kafka,
        "tables": one.tables,
        "reference": None,
        "rows": list(one.rows),
    }


def _value(found: Any) -> str:
    """A value as the file has it; a field that an answer lacks is no value."""
    return "nothing" if found is None else dumps(found, separators=(",", ":"))


def _page(file: Path, result: Answers, asked: Asked, verdict: str) -> list[str]:
    skipped = "".join(f", {count} left out ({reason})" for reason, count in result.skipped.items())
    found = asked.differences
    lines = [
        f"{file}: {verdict}: {result.lines} answers of {result.kind}{skipped}, {len(found)} differences",
        "  rows that answered: "
        + (", ".join(f"{row} {count}" for row, count in sorted(result.rows.items())) or "none"),
        f"  the reference controller answered {asked.lines} of them",
    ]
    for one in found[:SHOWN]:
        rows = f" by {', '.join(one['rows'])}" if one["rows"] else ""
        reference = f", reference {_value(one['reference'])}" if asked.lines else ""
        said = f"Kafka {_value(one['kafka'])}, tables {_value(one['tables'])}{rows}{reference}"
        lines.append(f"  line {one['line']}, {one['field']}: {said}")
    if len(found) > SHOWN:
        lines.append(f"  and {len(found) - SHOWN} more; --json has them")
    return lines
