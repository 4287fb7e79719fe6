"""A driver's ledger: the records that were acknowledged to a producer with acks=all, with offset and time.

NDJSON, a line a record: `id` (the record's value is this text), `topic`, `partition`, `sent_ms`, and either `offset`
with `acknowledged_ms` or `error`: then the record may be in the log or not.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from fencepost.files import json_value
from fencepost.traces.errors import TraceError
from fencepost.traces.json_values import object_in, text_in, whole_in
from fencepost.traces.storage import open_file, text_lines


@dataclass(frozen=True, slots=True)
class Acknowledged:
    """An acknowledged record: its id, where it was said to be, and when it was sent and acknowledged (milliseconds)."""

    id: str
    topic: str
    partition: int
    offset: int
    sent_ms: int
    acknowledged_ms: int


@dataclass(frozen=True, slots=True)
class Ledger:
    """The acknowledged records in the file's order, and how many records the producer gave up."""

    acknowledged: tuple[Acknowledged, ...]
    given_up: int


def read_ledger(path: str) -> Ledger:
    """Read a ledger, gzipped or not; raises TraceError where a line is none of its kind."""
    try:
        with open_file(path) as stream:
            return parse_ledger(text_lines(stream, path), path)
    except (EOFError, OSError, UnicodeDecodeError, zlib.error) as error:
        raise TraceError(f"{path}: the ledger cannot be read ({error})") from error


def parse_ledger(lines: Iterable[str], path: str) -> Ledger:
    """Return the ledger that lines of NDJSON tell; `path` is for complaints."""
    acknowledged = []
    given_up = 0
    for number, line in enumerate(lines, start=1):
        try:
            told = object_in(json_value(line))
            found = None if "error" in told else _acknowledged(told)
        except (ValueError, KeyError) as error:
            missing = f"it has no {error}" if isinstance(error, KeyError) else error
            raise TraceError(f"{path}: line {number} is none of a ledger: {missing}") from error
        if found is None:
            given_up += 1
        else:
            acknowledged.append(found)
    return Ledger(tuple(acknowledged), given_up)


def _acknowledged(told: Any) -> Acknowledged:
    return Acknowledged(
        text_in(told["id"]),
        text_in(told["topic"]),
        whole_in(told["partition"]),
        whole_in(told["offset"]),
        whole_in(told["sent_ms"]),
        whole_in(told["acknowledged_ms"]),
    )
