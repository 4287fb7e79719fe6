"""Options by which commands leave out records of a log, and how they take its moments."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from fencepost.traces.forks import Fork

AT_HELP = (
    "An offset; a time of ISO 8601, UTC unless it says otherwise; 10:32 of the log's own day; or end. A time stands "
    "for all records in front of the first later one."
)
"""The help of an option that takes a moment of a log."""

Type = Annotated[
    list[str] | None,
    typer.Option(
        "--type",
        metavar="RECORD",
        help="Only records of a type, as Kafka's dumps print it (PARTITION_CHANGE_RECORD) or PartitionChange; more "
        "than once for several.",
    ),
]

ForkOption = Annotated[
    str | None,
    typer.Option(
        "--fork",
        metavar="NAME|FILE",
        help="Read records and tags that no release of Kafka has by the declaration of a fork: automq, inkless, a TOML "
        "file of yours (docs/forks.md), or none. Left out: by a shipped one whose sign is in the log.",
    ),
]


def fork_given(name: str | None) -> Fork | None:
    """Return the fork that --fork names, None where it is left out; raises TraceError for a file that is wrong."""
    from fencepost.traces.forks import fork_of

    return None if name is None else fork_of(name)


SkipUnknown = Annotated[
    bool,
    typer.Option(
        "--skip-unknown",
        help="Read over records of a type, or a version, that no known release has, as forks write them. Without "
        "it nothing is decided from the first one on.",
    ),
]
