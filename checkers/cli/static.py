"""The options for values in server.properties of the controllers, which no log shows."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fencepost.checkers.verdicts import Refusal

if TYPE_CHECKING:
    from fencepost.checkers.conformance.records.static_settings import StaticSettings

Static = Annotated[
    list[str] | None,
    typer.Option(
        "--static",
        metavar="NAME=VALUE",
        help="unclean.leader.election.enable or min.insync.replicas in server.properties of the controllers: no log "
        "shows them. Left out, the first is false and the second any.",
    ),
]
ServerProperties = Annotated[
    Path | None,
    typer.Option(
        "--server-properties",
        metavar="FILE",
        help="A controller's server.properties to take both from, with Kafka's defaults for what it leaves out; "
        "--static goes before.",
    ),
]


def settings_of(static: Sequence[str] | None, file: Path | None) -> StaticSettings:
    """Return the static settings that the options say; raises `Refusal` for what is none, or a file not to be read."""
    from fencepost.checkers.conformance.records.static_settings import static_settings

    pairs = None if file is None else _pairs(file)
    return static_settings(static or (), pairs, "" if file is None else f"--server-properties {file}")


def refuse_static(static: Sequence[str] | None, file: Path | None, what: str) -> None:
    """Raise `Refusal` where static settings are given for something that they do not decide."""
    if static or file is not None:
        option = "--static" if static else "--server-properties"
        raise Refusal(f"{option} is about metadata logs, and {what}; leave it out")


def _pairs(file: Path) -> dict[str, str]:
    from fencepost.reference.kraft.storage.files import cause, read_properties

    try:
        return read_properties(file)
    except OSError as error:
        raise Refusal(
            f"--server-properties {file}: it cannot be read ({cause(error)}); name a properties file"
        ) from None
