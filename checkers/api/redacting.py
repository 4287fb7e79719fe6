"""A copy of a log to be sent with a report: without names, hosts and secrets of its owner."""

from __future__ import annotations

import os
from pathlib import Path

from fencepost.checkers.conformance.records.forks import fork_in
from fencepost.checkers.verdicts import Refusal
from fencepost.reference.kraft.controller import config_schema
from fencepost.traces import find_log, read_log, write_log
from fencepost.traces.forks import Fork
from fencepost.traces.redaction import KEPT, OTHER_SETTINGS, Redaction

from .answers import Redacted
from .given import Log, fork_given


def redact(log: Log, to: Log, *, fork: str | Fork | None = None) -> Redacted:
    """Write a log with other names of topics, hosts, users, secrets and values of settings, each one everywhere.

    Offsets are the same, so that `conform` says the same of both. `to` is a folder that is empty or not there. Raises
    `Refusal` for another, and where it cannot be written; `TraceError` where the log cannot be read.
    """
    folder = Path(to)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise Refusal(f"{to} is there already, and nothing is overwritten: give a directory that is empty or not there")
    keys = config_schema.TOPIC_KEYS.keys() | config_schema.BROKER_LISTS.keys() | OTHER_SETTINGS
    read = read_log(find_log(os.fspath(log)))
    own = fork_in(read, fork_given(fork))
    redaction = Redaction(keys.union(*config_schema.OTHER_KEYS.values()), own)
    found = redaction.log(read)
    try:
        paths = write_log(found, folder)
    except OSError as error:
        raise Refusal(f"{to}: cannot be written ({error.strerror}): choose another place") from None
    return Redacted(
        {
            "path": os.fspath(log),
            "to": str(to),
            "files": [path.name for path in paths],
            "records": sum(len(batch.records) for batch in found.batches),
            "fork": own.name if own is not None and own.name else None,
            "replaced": redaction.counts,
            "kept": list(KEPT),
        }
    )


__all__ = ["redact"]
