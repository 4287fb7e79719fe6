"""Common arguments of functions about a log: its path, static settings of its controllers, the fork that wrote it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace

from fencepost.checkers.conformance.records.static_settings import StaticSettings, static_settings
from fencepost.traces import LogSource, find_log
from fencepost.traces.forks import Fork, fork_of

Log = str | os.PathLike[str]
Static = StaticSettings | Mapping[str, object] | None
"""Settings of server.properties that no log shows, by Kafka's names."""


def source_of(log: Log, fork: str | Fork | None, skip_unknown: bool = False) -> LogSource:
    """Return the one log at a path; raises `TraceError` where there is none, or more than one."""
    return replace(find_log(os.fspath(log)), skip_unknown=skip_unknown, fork=fork_given(fork))


def fork_given(fork: str | Fork | None) -> Fork | None:
    """Return a fork by its name, or by the file that declares it; raises `TraceError` for what is neither."""
    return fork_of(fork) if isinstance(fork, str) else fork


def settings_of(static: Static) -> StaticSettings | None:
    """Return static settings, None where none are given; raises `Refusal` for what is none."""
    if static is None or isinstance(static, StaticSettings):
        return static
    values = {name: str(value).lower() if isinstance(value, bool) else value for name, value in static.items()}
    return static_settings([f"{name}={value}" for name, value in values.items()])


__all__ = ["Log", "Static", "fork_given", "settings_of", "source_of"]
