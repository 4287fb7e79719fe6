"""`fencepost trace`: what is done with a run that was written down."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fencepost.checkers.counting import counted
from fencepost.checkers.verdicts import ExitCode, Refusal

from .outcome import Json, Outcome
from .stepping import candidate, write_new

if TYPE_CHECKING:
    from fencepost.checkers.stepping.as_tests import Candidate

app = typer.Typer(rich_markup_mode=None)

Run = Annotated[
    Path,
    typer.Argument(help="A run: saved by `explore --step`, in ITF, or the --json of explore, prove, check or whatif."),
]
PropertyId = Annotated[
    str | None, typer.Option("--property", metavar="ID", help="The property whose run is meant, of several.")
]
Name = Annotated[
    str | None, typer.Option(help="The protocol, where the document does not name it so that it is found.")
]


@app.callback(invoke_without_command=True)
def trace(context: typer.Context, json: Json = False) -> None:
    """Turn a run that was written down into something else: a test, TLA+, or ITF."""
    if context.invoked_subcommand is None:
        raise Refusal("trace: say what to do, as in trace to-test FILE, trace to-tla FILE, or trace to-itf FILE")


@app.command("to-test")
def to_test(
    file: Run,
    to: Annotated[
        Path | None, typer.Option("--to", metavar="FILE", help="The pytest file to write; it must not be there yet.")
    ] = None,
    property_: PropertyId = None,
    protocol: Name = None,
    json: Json = False,
) -> Outcome:
    """Write a pytest file that replays a run, or a counterexample, and fails where the tables no longer have it."""
    from fencepost.checkers.stepping.as_tests import file_name, pytest_text

    found = candidate(file, property_, protocol)
    try:
        path = to or Path(file_name(found.run))
        text = pytest_text(found.run, path.parent)
    except (KeyError, TypeError) as error:
        raise Refusal(f"{file}: is no document that fencepost wrote ({type(error).__name__}: {error})") from error
    write_new(path, text)
    return Outcome(
        "trace to-test",
        "written",
        ExitCode.AS_DECLARED,
        {"path": str(path), "property": found.property, "steps": steps_of(found)},
        [f"{path}: a test of {told(found)}; run it with pytest"],
    )


@app.command("to-tla")
def to_tla(
    file: Run,
    to: Annotated[Path, typer.Option("--to", metavar="FOLDER", help="Where the modules are written, over nothing.")],
    property_: PropertyId = None,
    protocol: Name = None,
    json: Json = False,
) -> Outcome:
    """Write a run as a TLA+ module beside its protocol's, with a configuration by which TLC replays it."""
    from .tlc_runs import exported

    paths, found = exported(file, to, property_, protocol)
    return Outcome(
        "trace to-tla",
        "written",
        ExitCode.AS_DECLARED,
        {"paths": [str(one) for one in paths], "property": found.property, "steps": steps_of(found)},
        [
            f"{to}: {told(found)}, the module that it extends, and a configuration:",
            *(f"  {one.name}" for one in paths),
            f"  in that folder: java -cp tla2tools.jar tlc2.TLC -config {paths[2].name} {paths[1].name}",
        ],
    )


@app.command("to-itf")
def to_itf(
    file: Run,
    to: Annotated[Path, typer.Option("--to", metavar="FILE", help="The file to write, over nothing: NAME.itf.json.")],
    property_: PropertyId = None,
    protocol: Name = None,
    variants: Annotated[
        bool,
        typer.Option(
            "--variants",
            help="Options as values tagged Some and None, and the parameters of each step as a variable, as Quint has "
            "them; itf-py refuses that.",
        ),
    ] = False,
    json: Json = False,
) -> Outcome:
    """Write a run in ITF, the JSON format for traces of Apalache and Quint; a run without end, too."""
    from .itf_files import itf_of, write_itf

    found = candidate(file, property_, protocol, endless=True)
    try:
        document = itf_of(found, variants)
    except Refusal as error:
        raise Refusal(f"{file}: {error}", error.code) from error
    write_itf(to, document)
    states = len(document["states"])
    ends = f", the last of which returns to state {document['loop']}" if "loop" in document else ""
    return Outcome(
        "trace to-itf",
        "written",
        ExitCode.AS_DECLARED,
        {"path": str(to), "property": found.property, "states": states, "loop": document.get("loop")},
        [f"{to}: {told(found)}, as {counted(states, 'state')}{ends}"],
    )


def steps_of(found: Candidate) -> int:
    """Return how many rows a run has."""
    return len(found.run["trace"]["steps"])


def told(found: Candidate) -> str:
    """Return a run in words: how many rows, and what it ends with."""
    ends = f", which ends with {found.property}" if found.property else ""
    return f"a run of {counted(steps_of(found), 'row')}{ends}"
