"""`fencepost new`: files to begin with."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from fencepost.checkers.verdicts import ExitCode, Refusal

from .outcome import Json, Outcome
from .protocols import HELP
from .stepping import write_new


def new(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The file's name without .py, in small letters.")],
    of: Annotated[
        str | None,
        typer.Option("--from", metavar="PROTOCOL", help=f"Write a change of this protocol in one row: {HELP}."),
    ] = None,
    row: Annotated[
        str | None,
        typer.Option("--row", metavar="ID", help="The row that --from changes; one of its first if left out."),
    ] = None,
    to: Annotated[Path, typer.Option("--to", metavar="FOLDER", help="Where to write, in place of here.")] = Path(),
    json: Json = False,
) -> Outcome:
    """Write the skeleton of a protocol of your own, or of a change of another one: NAME.py and test_NAME.py.

    It passes every command as it is; its comments say what to change, and its first lines which commands there are.
    Nothing is written over.
    """
    from fencepost.checkers.skeletons import of_change, of_protocol

    if row is not None and of is None:
        raise Refusal("--row: is the row of another protocol; name that with --from")
    skeleton = of_protocol(name) if of is None else of_change(name, of, row, to)
    files = {to / file: text for file, text in skeleton.files.items()}
    there = [str(path) for path in files if path.exists()]
    if there:
        raise Refusal(f"{there[0]}: is there already, and nothing was written; take another name, or --to FOLDER")
    if not to.is_dir():
        raise Refusal(f"{to}: there is no such folder; make it first")
    for path, text in files.items():
        write_new(path, text)
    first = f"{to / skeleton.protocol}"
    ask = f"fencepost prove {first}" if of is None else f"fencepost whatif {first}"
    return Outcome(
        "new",
        "written",
        ExitCode.AS_DECLARED,
        {"files": [str(path) for path in files], "protocol": first},
        [f"{' and '.join(map(str, files))} are written; next:", f"  {ask}"],
    )
