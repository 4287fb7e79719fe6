"""`fencepost schema`: the JSON Schema of the document that a command prints with --json."""

from __future__ import annotations

from typing import Annotated

import typer

from fencepost.checkers.verdicts import ExitCode

from . import schemas
from .outcome import Json, Outcome
from .terminal import Unfolded


def schema(
    command: Annotated[
        list[str] | None,
        typer.Argument(metavar="[COMMAND]", help="A command, as in schema prove, schema storage info."),
    ] = None,
    json: Json = False,
) -> Outcome:
    """Print the JSON Schema of what a command prints with --json; without a command, list them."""
    if command:
        found = schemas.schema(" ".join(command))
        return Outcome("schema", "shown", ExitCode.AS_DECLARED, {"schema": found.document}, [Unfolded(found.text)])
    known = schemas.known()
    page = [*(f"{name}: {one.id}" for name, one in known.items()), f"sarif, what check --sarif writes: {schemas.SARIF}"]
    listed = [{"command": name, "id": one.id} for name, one in known.items()]
    return Outcome("schema", "listed", ExitCode.AS_DECLARED, {"schemas": listed, "sarif": schemas.SARIF}, page)
