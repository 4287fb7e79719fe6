"""The logs that a user gives: as paths, as a DataFrame of paths, or as one of files with their content."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from fencepost.checkers.conformance.many import Job
from fencepost.checkers.verdicts import Refusal
from fencepost.traces import LogSource, TraceError, find_logs
from fencepost.traces.logs import log_of_files
from fencepost.traces.names import METADATA_DIRECTORY
from fencepost.traces.storage import base_name, directory_of, is_uri

from .hadoop import HadoopFiles, as_uri, is_elsewhere, through_spark
from .schema import PATHS, Found

_BESIDE = "content://"
"""The prefix of a URI for a path whose file is not looked for there, since its content is in a DataFrame."""


@dataclass(frozen=True)
class Contents:
    """A DataFrame with the columns `path` and `content`, and the paths of the files of each log by its number, with the
    URI by which the log names them."""

    frame: Any
    files: Mapping[int, Mapping[str, str]]


def jobs_of(session: Any, paths: Any) -> tuple[list[Job[LogSource]], Contents | None]:
    """Return the logs that are given, with their sizes where they lie, and their content where it is given.

    Raises `TraceError` for paths without a log, and `Refusal` for a DataFrame without usable paths.
    """
    frame = paths if hasattr(paths, "columns") else None
    if frame is not None and Found(frame).has("content"):
        return _of_contents(frame)
    listed = paths_of(paths)
    with through_spark(session):
        sources = find_logs([as_uri(path) for path in listed], keep=True)
    return sized(session, sources), None


def sized(session: Any, sources: Sequence[LogSource]) -> list[Job[LogSource]]:
    """Return logs with their sizes where they lie."""
    files = HadoopFiles(session)
    return [
        Job(
            one.path, one, sum(map(files.size, (*one.segments, *one.snapshots))) if is_elsewhere(one.path) else one.size
        )
        for one in sources
    ]


def paths_of(paths: Any) -> list[str]:
    """Return paths, given as one, several, or the column `path` of a DataFrame; raises `Refusal` for what is none."""
    if isinstance(paths, str | os.PathLike):
        return [os.fspath(paths)]
    if hasattr(paths, "columns"):
        rows = paths.selectExpr(*Found(paths).read({"path": "string"}, ("path",))).collect()
        return _whole([row["path"] for row in rows])
    listed = list(paths)
    for path in listed:
        if not isinstance(path, str | os.PathLike):
            raise Refusal(f"a path is {type(path).__name__} ({path!r}) and should be a string: give paths of logs")
    return [os.fspath(path) for path in listed]


def _whole(paths: list[str | None]) -> list[str]:
    found = [path for path in paths if path is not None]
    if len(found) < len(paths):
        raise Refusal(
            f"the DataFrame: the column path has a null in {len(paths) - len(found)} of {len(paths)} rows: leave them "
            "out"
        )
    if not found:
        raise TraceError("the DataFrame has no row: there is no log to check")
    return found


def _of_contents(frame: Any) -> tuple[list[Job[LogSource]], Contents]:
    """Return the logs whose files are the rows of a DataFrame: those of one folder are one log, as on a disk."""
    found = Found(frame)
    chosen = frame.selectExpr(*found.read(PATHS, ("path", "content")))
    # Spark's `binaryFile` knows the length without reading the file.
    size = "length" if found.has("length") else "octet_length(content)"
    rows = frame.selectExpr(*found.read({"path": "string"}, ("path",)), f"{size} as size").collect()
    sizes = dict(zip(_whole([row["path"] for row in rows]), (row["size"] or 0 for row in rows), strict=True))
    if len(sizes) < len(rows):
        raise Refusal(f"the DataFrame: of {len(rows)} rows only {len(sizes)} have another path: leave one of each")
    folders: dict[str, dict[str, str]] = {}
    for path in sizes:
        uri = as_uri(path) if is_uri(as_uri(path)) else f"{_BESIDE}{path}"
        folders.setdefault(directory_of(uri), {})[uri] = path
    nodes = {directory_of(one) for one in folders if base_name(one) == METADATA_DIRECTORY}
    jobs, files = list[Job[LogSource]](), dict[int, Mapping[str, str]]()
    for folder, paths in folders.items():
        # What else a node's directory has are partitions of other topics, and files of its own.
        if folder in nodes or (directory_of(folder) in nodes and base_name(folder) != METADATA_DIRECTORY):
            continue
        names = {base_name(uri): uri for uri in paths}
        source = log_of_files(folder, tuple(sorted(names)))
        if source is None:
            sentence = f"{folder}: none of its files ({', '.join(list(names)[:3])}) is called as those of a log are"
            source = LogSource(folder, "binary", (), unreadable=sentence)
        mine = [*source.segments, *source.snapshots]
        files[len(jobs)] = {paths[uri]: uri for uri in mine}
        path = folder.removeprefix(_BESIDE)
        jobs.append(Job(path, replace(source, path=path), sum(sizes[paths[uri]] for uri in mine)))
    return jobs, Contents(chosen, files)
