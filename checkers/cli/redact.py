"""`fencepost redact`: a metadata log without names, hosts and secrets of its owner, to be sent with a bug report."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from fencepost.checkers.counting import counted
from fencepost.checkers.verdicts import ExitCode

from .log_filters import ForkOption, fork_given
from .outcome import Json, Outcome
from .terminal import watching


def redact(
    log: Annotated[str, typer.Argument(help="A metadata log: a directory, segments or snapshots; no dump's text.")],
    to: Annotated[
        Path, typer.Option("--to", metavar="DIRECTORY", help="Where it is written; must be empty, or not be there.")
    ],
    fork: ForkOption = None,
    json: Json = False,
) -> Outcome:
    """Write a metadata log with other names: topics, hosts, racks, users, clients, secrets, values of settings.

    Each name becomes one other name everywhere, at the same offsets, so that `conform` says the same of both logs.
    """
    from fencepost.checkers.api.redacting import redact as written
    from fencepost.traces.redaction import KEPT

    with watching(f"reading {log} and writing {to}"):
        document = written(log, to, fork=fork_given(fork))
    told = ", ".join(f"{count} {kind}" for kind, count in document["replaced"].items())
    page = [
        f"{log}: {counted(document['records'], 'record')} written to {to} in {counted(len(document['files']), 'file')}",
        f"  replaced, each by one other name: {told or 'nothing'}",
        f"  kept: {', '.join(KEPT)}",
        *([f"  made blank: strings and bytes of the records of {document['fork']}"] if document["fork"] else []),
        "",
        "That both say the same:",
        f"  fencepost conform {log} {to}",
    ]
    return Outcome("redact", "written", ExitCode.AS_DECLARED, document.as_json(), page)
