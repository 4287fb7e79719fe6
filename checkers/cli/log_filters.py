"""Options by which commands leave out records of a log."""

from __future__ import annotations

from typing import Annotated

import typer

Type = Annotated[
    list[str] | None,
    typer.Option(
        "--type",
        metavar="RECORD",
        help="Only records of a type, as Kafka's dumps print it (PARTITION_CHANGE_RECORD) or PartitionChange; more "
        "than once for several.",
    ),
]

SkipUnknown = Annotated[
    bool,
    typer.Option(
        "--skip-unknown",
        help="Read over records of a type, or a version, that no known release has, as forks write them. Without "
        "it nothing is decided from the first one on.",
    ),
]
