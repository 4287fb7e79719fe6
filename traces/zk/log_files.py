"""Files of log lines: records of a line and those that continue it, read lazily, plain or gzipped, and written."""

from __future__ import annotations

import gzip
import io
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, cast

from fencepost.files import whole
from fencepost.traces.errors import TraceError
from fencepost.traces.storage import base_name, kind_of, open_file, text_lines

from .entries import is_head

_LEADING = 1000
"""How many lines without a date may stand before the first one with a date."""


def scan(path: str | Path, advice: str) -> Iterator[tuple[int, str, list[str]]]:
    """Yield the records of a log: the number of the first line, that line, and the lines that continue it.

    Lines are without their ends; bytes that are no UTF-8 are kept as surrogates. A file without bytes has no records.
    Raises `TraceError` for a file that is missing, damaged, or no log; `advice` ends its sentence.
    """
    name = str(path)
    if kind_of(name) != "file":
        raise TraceError(f"{name}: there is no such file; {advice}")
    if name.endswith(".gz") and Path(name).is_file() and Path(name).stat().st_size == 0:
        raise TraceError(f"{name}: the file is empty, which no gzipped file is; copy it again")
    head: str | None = None
    first = number = 0
    trailer: list[str] = []
    try:
        with open_file(name) as stream:
            lines = text_lines(stream, name, "surrogateescape")
            for number, line in enumerate(lines, 1):
                text = line[:-1] if line.endswith("\n") else line
                if text[:1] != "[" or not is_head(text):
                    trailer.append(text)
                    if not first and len(trailer) > _LEADING:
                        break
                    continue
                if head is not None:
                    yield first, head, trailer
                elif trailer:
                    # The end of a record whose beginning is in another file.
                    yield 1, trailer[0], trailer[1:]
                head, first, trailer = text, number, []
    except (OSError, EOFError, zlib.error) as error:
        raise TraceError(f"{name}: the log cannot be read to its end ({error}); copy it again") from error
    if head is not None:
        yield first, head, trailer
    elif number:
        raise TraceError(f"{name}: none of its first lines begins with a date in brackets; {advice}")


def write_lines(path: str | Path, lines: Iterable[str]) -> None:
    """Write texts with their line ends to a file, gzipped where its name ends with `.gz`, always the same bytes."""
    packed = base_name(str(path)).endswith(".gz")
    with whole(path) as file:
        target = gzip.GzipFile(filename="", mode="wb", fileobj=file, mtime=0) if packed else file
        text = io.TextIOWrapper(cast(IO[bytes], target), "utf-8", "surrogateescape", newline="\n")
        text.writelines(lines)
        text.detach()
        if packed:
            target.close()
