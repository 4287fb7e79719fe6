"""The tables of a run as Parquet: a folder a table, and in it a partition a run."""

from __future__ import annotations

import re
import secrets
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from fencepost.checkers.verdicts import ExitCode, Refusal

from .cluster import reason_of
from .hadoop import HadoopFiles, as_uri, is_elsewhere
from .tables import SCHEMAS

# A name that begins with a letter is a text to a reader of partitions: no number, no date.
_RUN = re.compile(r"[A-Za-z][A-Za-z0-9._-]*")
ORDER = ("violations", "findings", "rows", "logs")
"""The tables in the order in which they are written: a run whose `logs` are there is whole."""

ANSWERS_FOLDER = "_answers"
"""The folder of answers of runs that are not whole; readers of folders of Parquet skip such a name."""


def new_run() -> str:
    """Return a name for a run that no other has."""
    return f"run-{time.strftime('%Y%m%dT%H%M%SZ', time.gmtime())}-{secrets.token_hex(3)}"


def place(to: str, table: str, run: str) -> str:
    """Return the URI of a run's partition of a table; a path that is none is one of this machine."""
    folder = as_uri(to) if is_elsewhere(to) else Path(to).absolute().as_uri()
    return f"{folder.rstrip('/')}/{table}/run={run}"


def is_whole(session: Any, to: str, run: str, resume: bool) -> bool:
    """Whether a run is there with all its tables, which is only allowed where it is to go on.

    Raises `Refusal` for a name that is none, for a new run that is there, for one that is to go on and is not there,
    and where that cannot be known.
    """
    if not _RUN.fullmatch(run):
        option = "--resume" if resume else "--run"
        raise Refusal(f"{option} {run}: a run's name is letters, digits, dots, dashes and underscores, a letter first")
    files = HadoopFiles(session)
    try:
        there = [table for table in SCHEMAS if files.exists(place(to, table, run))]
        begun = files.exists(place(to, ANSWERS_FOLDER, run))
        whole = files.exists(f"{place(to, 'logs', run)}/_SUCCESS")
    except OSError as error:
        raise Refusal(f"--to {to}: Spark cannot look there ({error}); check the scheme and the access") from error
    if resume and not whole and not begun:
        raise Refusal(f"--to {to}: there is no run {run} that could go on; begin it with --run {run}")
    if not resume and begun and not whole:
        raise Refusal(
            f"--to {to}: run {run} was begun and is not whole; go on with it by --resume {run}, or name another by "
            "--run"
        )
    if not resume and there:
        raise Refusal(f"--to {to}: run {run} is there already, and no run is written over; name another by --run")
    return whole


def write(tables: Mapping[str, Any], to: str, run: str, anew: bool) -> None:
    """Write the tables of a run, `anew` those that an attempt at it left; raises `Refusal` where Spark cannot."""
    for table in ORDER:
        try:
            tables[table].write.mode("overwrite" if anew else "error").parquet(place(to, table, run))
        except Exception as error:
            raise Refusal(
                f"--to {to}: Spark could not write the {table} of run {run} ({reason_of(error)}); the run is not "
                f"whole, and goes on with --resume {run}",
                ExitCode.INCONCLUSIVE,
            ) from error
