"""Locations of recordings of ZooKeeper-era clusters, found by file names without loading their readers."""

from __future__ import annotations

import re
from pathlib import Path

from .errors import TraceError
from .storage import base_name, expand_glob, join, kind_of, list_directory

_NUMBER = r"(?:[.-]?(?:broker|node|server)?[.-]?(\d+))?"
# A rolled file has a date or a number after its name, the larger number the older file.
_ROLLED = r"(?:\.(\d{4}-\d\d-\d\d(?:-\d\d)?|\d+))?"
STATE_CHANGE = re.compile(rf"state-change{_NUMBER}\.log{_ROLLED}(?:\.gz)?")
CONTROLLER = re.compile(rf"controller{_NUMBER}\.log{_ROLLED}(?:\.gz)?")
HISTORY = re.compile(r"znode-history.*\.ndjson(?:\.gz)?")


def is_zk_recording(path: str | Path) -> bool:
    """Whether a path is a directory with a state-change.log or a znode history, or such a file itself."""
    return any(
        pattern.fullmatch(base_name(name)) for name in files_of(str(path)) for pattern in (STATE_CHANGE, HISTORY)
    )


def files_of(path: str) -> tuple[str, ...]:
    """Return the files right below a directory, a file itself, nothing of what is neither."""
    match kind_of(path):
        case "file":
            return (path,)
        case "directory":
            return tuple(join(path, name) for name in list_directory(path).files)
        case _:
            return ()


def recordings_below(path: str) -> tuple[str, ...]:
    """Return the recordings that a path names: itself, what a glob finds, or the folders right below it.

    There is none in what cannot be looked into.
    """
    there = expand_glob(path)
    if there != (path,):
        return tuple(found for one in there for found in recordings_below(one))
    if _is_recording(path):
        return (path,)
    try:
        below = [join(path, name) for name in list_directory(path).directories] if kind_of(path) == "directory" else []
    except TraceError:
        return ()
    return tuple(one for one in below if _is_recording(one))


def names_a_recording(path: str) -> bool:
    """Return whether a path is one recording; raises `TraceError` for several."""
    found = recordings_below(path)
    if len(found) > 1 or (found and found[0] != path):
        raise TraceError(f"{path}: {len(found)} recordings of ZooKeeper-era clusters lie here; name one, as {found[0]}")
    return bool(found)


def _is_recording(path: str) -> bool:
    """Whether a path is a recording; what cannot be looked into says nothing of it."""
    try:
        return is_zk_recording(path)
    except TraceError:
        return False
