"""Recordings with brokers' log directories: where they are, without reading any of them."""

from __future__ import annotations

from .names import METADATA_DIRECTORY
from .storage import base_name, join, kind_of, list_directory

BROKERS = "brokers"
"""The folder of a recording that holds the log directories."""


def is_broker_recording(path: str) -> bool:
    """Whether a path is a directory with brokers' log directories in its folder `brokers`."""
    if kind_of(path) != "directory" or BROKERS not in list_directory(path).directories:
        return False
    return bool(list_directory(join(path, BROKERS)).directories)


def recording_of(log: str) -> str | None:
    """Return the recording that a metadata log belongs to: its directory, or that of its __cluster_metadata-0."""
    places = [log]
    if base_name(log) == METADATA_DIRECTORY:
        places.append(log[: -len(METADATA_DIRECTORY)].rstrip("/") or "/")
    return next((place for place in places if is_broker_recording(place)), None)
