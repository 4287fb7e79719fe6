"""Runs as ITF files: what `trace to-itf`, `--itf` and `save` write, and what any command reads that takes a run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from fencepost.checkers.counting import counted
from fencepost.checkers.verdicts import Refusal

from .outcome import Outcome
from .stepping import candidate_of, write_new

if TYPE_CHECKING:
    from fencepost.checkers.stepping.as_tests import Candidate

Itf = Annotated[
    Path | None,
    typer.Option(
        "--itf",
        metavar="FILE",
        help="Write the first run that breaks a property as ITF, for Apalache's and Quint's tools: NAME.itf.json.",
    ),
]


def refuse_itf(path: Path | None) -> None:
    """Raise `Refusal` for a file that is there, before anything runs."""
    if path is not None and path.exists():
        raise Refusal(f"--itf {path}: is there already; name another file")


def with_itf(outcome: Outcome, path: Path | None, name: str) -> Outcome:
    """Write the first run of an outcome that breaks a property, if that is asked for; the page says what was written.

    `name` finds the protocol.
    """
    if path is None:
        return outcome
    found = candidate_of(outcome.document(0.0), name)
    if found is None:
        said = f"{path}: is not written: no run breaks a property"
    else:
        document = itf_of(found)
        write_itf(path, document)
        rows = counted(len(found.run["trace"]["steps"]), "row")
        said = f"{path}: a run of {rows}, which ends with {found.property}, as ITF"
        said += f"; it returns to state {document['loop']} for ever" if "loop" in document else ""
    return replace(outcome, page=[*outcome.page, f"  {said}"])


def itf_of(found: Candidate, variants: bool = False) -> dict[str, Any]:
    """Return a run as the JSON object of an ITF file; raises `Refusal` for a run that the tables do not have so."""
    from fencepost.checkers.stepping import written
    from fencepost.checkers.stepping.runs import tables_of
    from fencepost.checkers.tlc.itf import about_run, itf

    tables = tables_of(found.run)
    run = written(found.run, tables, complete=False)
    loop = None if found.loop is None else written(found.loop, tables, complete=False)
    return itf(tables, run, loop, about_run(found.run, tables, found.violated), variants)


def write_itf(path: Path, document: Mapping[str, Any]) -> None:
    """Write the JSON object of an ITF file to a new file."""
    from fencepost.checkers.tlc.itf import itf_text

    write_new(path, itf_text(document))
