"""Where generated logs are written: folders of this machine, URIs by pyarrow's filesystems; nothing is written over."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO, cast

from fencepost.traces.errors import TraceError
from fencepost.traces.storage import base_name, is_uri, join


def _filesystem(uri: str) -> tuple[Any, str]:
    import pyarrow
    from pyarrow import fs

    try:
        found: tuple[Any, str] = fs.FileSystem.from_uri(uri)
    except (pyarrow.ArrowInvalid, OSError) as error:
        raise TraceError(f"{uri}: nothing can be written there ({_cause(error)}): check the scheme") from error
    return found


def refuse_used(place: str) -> None:
    """Raise TraceError where something lies in a folder already, or where that cannot be known."""
    try:
        if not is_uri(place):
            folder = Path(place)
            used = folder.exists() and (not folder.is_dir() or any(folder.iterdir()))
        else:
            from pyarrow import fs

            filesystem, inner = _filesystem(place)
            kind = filesystem.get_file_info([inner])[0].type.name
            used = kind == "File" or (
                kind == "Directory" and bool(filesystem.get_file_info(fs.FileSelector(inner, recursive=False)))
            )
    except OSError as error:
        raise TraceError(f"{place}: it cannot be looked at ({_cause(error)}): check its permissions") from error
    if used:
        raise TraceError(f"{place}: something is there already: name a new or an empty folder")


def made(place: str) -> Callable[[str], BinaryIO]:
    """Make a folder, and return what creates a file of a name in it; raises TraceError where that cannot be.

    A file of this machine that is there already is never opened.
    """
    try:
        if is_uri(place):
            _filesystem(place)[0].create_dir(_filesystem(place)[1], recursive=True)
        else:
            Path(place).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise TraceError(f"{place}: the folder cannot be made ({_cause(error)}): check its permissions") from error
    return lambda name: _created(join(place, name))


def _created(path: str) -> BinaryIO:
    try:
        if not is_uri(path):
            return cast(BinaryIO, Path(path).open("xb"))
        filesystem, inner = _filesystem(path)
        return cast(BinaryIO, filesystem.open_output_stream(inner))
    except OSError as error:
        raise TraceError(f"{path}: the file {base_name(path)} cannot be made ({_cause(error)})") from error


def _cause(error: Exception) -> str:
    text = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return " ".join(text.split())
