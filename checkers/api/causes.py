"""Why a broker, a partition or a controller is as it is."""

from __future__ import annotations

import os

from fencepost.checkers.operations.moments import END
from fencepost.checkers.operations.past import why as why_of
from fencepost.checkers.verdicts import Refusal
from fencepost.traces.forks import Fork
from fencepost.traces.zk_recordings import names_a_recording

from .answers import Why
from .given import Log, Static, fork_given, settings_of, source_of


def why(
    log: Log, what: str, name: str | int, at: str = END, *, static: Static = None, fork: str | Fork | None = None
) -> Why:
    """Return why a `broker`, a `partition` (orders-0) or a `controller` is as it is at a moment of its log.

    Raises `Refusal` for a name that is none, and for a moment that the log does not have; `TraceError` where the log
    cannot be read.
    """
    if names_a_recording(os.fspath(log)):
        raise Refusal(
            f"{log} is a recording of a ZooKeeper-era cluster: its znodes do not say why; fencepost story shows what "
            "happened, conform asks the rows"
        )
    document, table_hash = why_of(source_of(log, fork), what, str(name), at, settings_of(static), fork_given(fork))
    return Why(document, table_hash)


__all__ = ["why"]
