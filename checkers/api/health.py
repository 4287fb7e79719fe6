"""How a cluster is at a moment of its metadata log."""

from __future__ import annotations

import os

from fencepost.checkers.conformance.printed_rows.stored import save, use
from fencepost.checkers.conformance.records.static_settings import StaticSettings
from fencepost.checkers.operations.health import WINDOW
from fencepost.checkers.operations.health import health as health_of
from fencepost.checkers.operations.moments import END, when
from fencepost.model.kraft.protocol import KRAFT
from fencepost.traces.forks import Fork
from fencepost.traces.zk_recordings import names_a_recording

from .answers import Health
from .given import Log, Static, settings_of, source_of


def health(
    log: Log,
    at: str = END,
    *,
    window: float = WINDOW,
    static: Static = None,
    fork: str | Fork | None = None,
    skip_unknown: bool = False,
) -> Health:
    """Return how the cluster is at a moment of its log: an offset, a time, or the end.

    A broker's fences and registrations count `window` seconds back. Known defects are what `conform` finds. A recording
    of a ZooKeeper-era cluster is read by its znodes. Raises `Refusal` where the log has no such moment, or its state
    there is not known, `TraceError` where it cannot be read.
    """
    if names_a_recording(os.fspath(log)):
        from fencepost.checkers.operations.zk_cluster import zk_health

        return Health(zk_health(os.fspath(log), at))
    settings = settings_of(static) or StaticSettings()
    source = source_of(log, fork, skip_unknown)
    use()
    found = health_of(source, when(at, source), settings, window)
    save()
    return Health({**found.document, "judged": None, "assumed": settings.as_json()}, KRAFT.hash)


__all__ = ["health"]
