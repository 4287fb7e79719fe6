"""The tables of a run as Parquet: a folder a table, and in it a partition a run."""

from __future__ import annotations

import re
import secrets
import time
from pathlib import Path
from typing import Any

from fencepost.checkers.verdicts import ExitCode, Refusal

from .cluster import first_line
from .hadoop import HadoopFiles, as_uri, is_elsewhere
from .tables import SCHEMAS

# What begins with a letter is a text to whoever reads partitions: no number, no date.
_RUN = re.compile(r"[A-Za-z][A-Za-z0-9._-]*")
ORDER = ("violations", "findings", "rows", "logs")
"""The tables in the order in which they are written: a run whose `logs` are there is whole."""


def new_run() -> str:
    """Return a name for a run that no other has."""
    return f"run-{time.strftime('%Y%m%dT%H%M%SZ', time.gmtime())}-{secrets.token_hex(3)}"


def place(to: str, table: str, run: str) -> str:
    """Return the URI of a run's partition of a table; a path that is none is one of this machine."""
    folder = as_uri(to) if is_elsewhere(to) else Path(to).absolute().as_uri()
    return f"{folder.rstrip('/')}/{table}/run={run}"


def refuse_written(session: Any, to: str, run: str) -> None:
    """Raise `Refusal` for a name that is none, for a run that is there, and where that cannot be known."""
    if not _RUN.fullmatch(run):
        raise Refusal(f"--run {run}: a run's name is letters, digits, dots, dashes and underscores, a letter first")
    files = HadoopFiles(session)
    for table in SCHEMAS:
        uri = place(to, table, run)
        try:
            there = files.at(uri)[0].get_file_info([uri])[0].type.name != "NotFound"
        except OSError as error:
            raise Refusal(f"--to {to}: Spark cannot look there ({error}); check the scheme and the access") from error
        if there:
            raise Refusal(f"--to {to}: run {run} is there already, and no run is written over; name another by --run")


def write(tables: dict[str, Any], to: str, run: str) -> None:
    """Write the tables of a run; raises `Refusal` where Spark cannot."""
    for table in ORDER:
        try:
            tables[table].write.mode("error").parquet(place(to, table, run))
        except Exception as error:
            raise Refusal(
                f"--to {to}: Spark could not write the {table} of run {run} ({first_line(error)}); the run is not "
                "whole",
                ExitCode.INCONCLUSIVE,
            ) from error
