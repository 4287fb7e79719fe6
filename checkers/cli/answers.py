"""`fencepost answers`: recorded answers of Kafka's own classes, replayed through the rows."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from fencepost.checkers.verdicts import ExitCode, Refusal

from .outcome import Json, Outcome

if TYPE_CHECKING:
    from fencepost.checkers.conformance.answers import Answers, Difference, Kind

SHOWN = 10
"""Differences that the page shows; the JSON document has them all, up to the limit of the judge."""


def answers(
    file: Annotated[Path, typer.Argument(help="NDJSON, gzipped or not, one recorded answer a line.")],
    kind: Annotated[str | None, typer.Option(help="What was asked; by default the file's name says it.")] = None,
    json: Json = False,
) -> Outcome:
    """Replay recorded answers of Kafka's own classes through the rows, and compare every field."""
    found = replay(file, kind)
    result, protocol = found
    differs = bool(result.differences)
    fields = {
        "file": str(file),
        "kind": result.kind,
        "lines": result.lines,
        "skipped": dict(result.skipped),
        "rows": dict(sorted(result.rows.items())),
        "differences": [_as_json(one) for one in result.differences],
    }
    code = ExitCode.DOES_NOT_CONFORM if differs else ExitCode.AS_DECLARED if result.lines else ExitCode.INCONCLUSIVE
    verdict = "violates" if differs else "conforms" if result.lines else "inconclusive"
    return Outcome("answers", verdict, code, fields, _page(file, result, verdict), protocol.hash)


def replay(file: Path, kind: str | None = None) -> tuple[Answers, Any]:
    """Return what a replay found, and the protocol whose rows answered; raises `Refusal` where nothing can be."""
    from fencepost.checkers.conformance.adapters import KINDS
    from fencepost.checkers.conformance.answers import judge, read_lines

    if not file.exists():
        raise Refusal(f"{file}: there is no such file; name an NDJSON file of recorded answers")
    chosen = kind_of(file, kind, KINDS)
    return judge(chosen, read_lines(file)), chosen.protocol


def kind_of(file: Path, kind: str | None, kinds: Mapping[str, Kind]) -> Kind:
    """Return the kind by its name, or by the file's name without `-sample` and extensions; raises `Refusal`."""
    name = kind or file.name.split(".")[0].removesuffix("-sample")
    if name in kinds:
        return kinds[name]
    close = difflib.get_close_matches(name, list(kinds), 1)
    hint = f"did you mean --kind {close[0]}?" if close else f"say --kind, one of {', '.join(sorted(kinds))}"
    raise Refusal(f"{file}: no adapter is called {name}; {hint}")


def _as_json(one: Difference) -> dict[str, Any]:
    """A difference; `reference` is null as long as there is no reference controller to ask."""
    return {
        "line": one.line,
        "field": one.field,
        "kafka": one.kafka,
        "tables": one.tables,
        "reference": None,
        "rows": list(one.rows),
    }


def _page(file: Path, result: Answers, verdict: str) -> list[str]:
    skipped = "".join(f", {count} left out ({reason})" for reason, count in result.skipped.items())
    lines = [
        f"{file}: {verdict}: {result.lines} answers of {result.kind}{skipped}, {len(result.differences)} differences",
        "  rows that answered: "
        + (", ".join(f"{row} {count}" for row, count in sorted(result.rows.items())) or "none"),
    ]
    for one in result.differences[:SHOWN]:
        rows = f" by {', '.join(one.rows)}" if one.rows else ""
        lines.append(f"  line {one.line}, {one.field}: Kafka {one.kafka!r}, tables {one.tables!r}{rows}")
    if len(result.differences) > SHOWN:
        lines.append(f"  and {len(result.differences) - SHOWN} more; --json has them")
    return lines
