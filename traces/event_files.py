"""Files of event traces: NDJSON, plain or gzipped, and Parquet with the same columns."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from fencepost.files import json_value, write_whole

from .errors import TraceError
from .events import Event, event_of, is_internal
from .storage import open_file, text_lines


def read_events(path: str | Path) -> Iterator[Event]:
    """Yield the events of a trace in order, lazily; raises `TraceError` for what is none, with file and line."""
    file = Path(path)
    if not file.is_file():
        raise TraceError(f"{file}: there is no such file; name an event trace, NDJSON or Parquet")
    rows = _parquet(file) if file.suffix == ".parquet" else lines_of(file)
    number = 0
    for number, columns in rows:
        if not is_internal(columns):
            yield event_of(columns, number, f"{file}:{number}")
    if number == 0:
        raise TraceError(f"{file}: the trace holds no event; give a file with one request a line")


def lines_of(file: Path) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """Yield the objects of an NDJSON file, gzipped or not, with their lines; raises `TraceError` for what is none."""
    try:
        with open_file(str(file)) as stream:
            for number, line in enumerate(text_lines(stream, str(file)), 1):
                if line.strip():
                    yield number, _object(f"{file}:{number}", line)
    except (OSError, UnicodeDecodeError, EOFError, zlib.error) as error:
        raise TraceError(f"{file}: cannot be read as NDJSON ({error}); give a text file or a gzipped one") from error


def write_lines(path: str | Path, lines: Iterable[str]) -> None:
    """Write lines to a file, gzipped where the name ends so; the same lines give the same bytes."""
    data = "".join(lines).encode()
    write_whole(path, gzip.compress(data, mtime=0) if str(path).endswith(".gz") else data)


def _object(place: str, line: str) -> Mapping[str, Any]:
    try:
        found = json_value(line)
    except ValueError as error:
        said = getattr(error, "msg", error)
        raise TraceError(f"{place}: this line is no JSON object ({said}); give NDJSON") from None
    if not isinstance(found, dict):
        raise TraceError(f"{place}: this line is no JSON object; give NDJSON")
    return found


def _parquet(file: Path) -> Iterator[tuple[int, Mapping[str, Any]]]:
    # Loading pyarrow takes a third of a second, which NDJSON need not pay.
    import pyarrow
    from pyarrow import parquet

    try:
        batches = parquet.ParquetFile(file).iter_batches()
        number = 0
        for batch in batches:
            for row in batch.to_pylist():
                number += 1
                yield number, row
    except (OSError, pyarrow.ArrowException) as error:
        raise TraceError(f"{file}: cannot be read as Parquet ({error}); give an event trace") from error
