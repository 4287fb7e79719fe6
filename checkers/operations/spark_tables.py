"""Queries about many logs, as tables of Spark: their schemas, and a log's answers as rows of them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from fencepost.checkers.conformance.records.static_settings import StaticSettings
from fencepost.checkers.verdicts import Refusal
from fencepost.traces import LogSource, TraceError

from .about import About
from .health import health
from .intervals import intervals
from .moments import require_order, when
from .story import story
from .watching import CONDITIONS

TEXTS = pa.list_(pa.string())
NUMBERS = pa.list_(pa.int64())
COUNTS = pa.map_(pa.string(), pa.int64())
_LOG = {"number": pa.int64(), "path": pa.string(), "message": pa.string()}
_SENT = {"kind": pa.string(), "mismatch": pa.string()}
"""The answer of a worker with another package, in place of rows."""

OF_BROKERS = ("fenced", "in_controlled_shutdown", "never_unfenced", "flapping")
"""The lists of brokers of a log's health."""


def _schema(**columns: pa.DataType) -> pa.Schema:
    return pa.schema([*{**_LOG, **columns, **_SENT}.items()])


HEALTH = _schema(
    status=pa.string(),
    offset=pa.int64(),
    timestamp=pa.int64(),
    known_from=pa.int64(),
    controller=pa.int64(),
    metadata_version=pa.string(),
    **dict.fromkeys(CONDITIONS, TEXTS),
    unclean_elections=TEXTS,
    **dict.fromkeys(OF_BROKERS, NUMBERS),
    counts=COUNTS,
    notes=TEXTS,
    document=pa.string(),
)
STORY = _schema(
    offset=pa.int64(),
    last_offset=pa.int64(),
    timestamp=pa.int64(),
    last_timestamp=pa.int64(),
    records=pa.int64(),
    results=pa.int64(),
    words=pa.string(),
    rows=TEXTS,
    certain=pa.bool_(),
    explained=pa.bool_(),
    brokers=NUMBERS,
    partitions=TEXTS,
    counts=COUNTS,
    document=pa.string(),
)
INTERVALS = _schema(
    sort=pa.string(),
    name=pa.string(),
    condition=pa.string(),
    from_offset=pa.int64(),
    from_timestamp=pa.int64(),
    to_offset=pa.int64(),
    to_timestamp=pa.int64(),
    seconds=pa.float64(),
    exact=pa.bool_(),
)
SCHEMAS = {"health": HEALTH, "story": STORY, "intervals": INTERVALS}


@dataclass(frozen=True)
class Asked:
    """The query for every log: moments and what the answers are about, as the commands take them."""

    kind: str
    begin: str
    end: str
    about: About
    static: StaticSettings | None
    window: float
    most: int | None

    def rows(self, source: LogSource) -> Iterator[dict[str, Any]]:
        """Yield what a log answers as rows of the table; raises `Refusal` and `TraceError` as the single log does."""
        yield from _KINDS[self.kind](self, source)


def answered(number: int, path: str, source: LogSource, asked: Asked) -> list[dict[str, Any]]:
    """Return the rows of a log; where it cannot be read, or does not tell, one row with the sentence that says so."""
    log = {"number": number, "path": path}
    found: list[dict[str, Any]] = []
    with _sentence(found):
        for row in asked.rows(source):
            found.append(row)
    return [{**log, **row} for row in found]


@contextmanager
def _sentence(found: list[dict[str, Any]]) -> Iterator[None]:
    try:
        yield
    except (Refusal, TraceError) as error:
        found.append({"message": str(error)})
    except Exception as error:
        # A defect of ours in one log: the job goes on, and the log is not counted as read.
        said = " ".join(str(error).split())
        found.append({"message": f"something went wrong inside fencepost ({type(error).__name__}: {said})"})


def _health(asked: Asked, source: LogSource) -> Iterator[dict[str, Any]]:
    document = health(source, when(asked.end, source), asked.static, asked.window).document
    at, known, controller = document["at"], document["known_from"], document["controller"]
    yield {
        "status": document["status"],
        "offset": at["offset"],
        "timestamp": at["timestamp"],
        "known_from": None if known is None else known["offset"],
        "controller": None if controller is None else controller["id"],
        "metadata_version": document["metadata_version"],
        **{name: [one["partition"] for one in document["partitions"][name]] for name in CONDITIONS},
        "unclean_elections": [one["partition"] for one in document["unclean_elections"]],
        **{name: [one["broker"] for one in document["brokers"][name]] for name in OF_BROKERS},
        "counts": [*_numbers(document["counts"])],
        "notes": document["notes"],
        "document": _text(document),
    }


def _story(asked: Asked, source: LogSource) -> Iterator[dict[str, Any]]:
    first, last = when(asked.begin, source, "--from"), when(asked.end, source, "--to")
    require_order(first, last)
    document = story(source, first, last, asked.about, asked.static, asked.most, with_lanes=False)
    for event in document["events"]:
        yield {
            **{name: event[name] for name in ("offset", "last_offset", "timestamp", "last_timestamp", "records")},
            **{name: event[name] for name in ("results", "words", "certain", "explained", "brokers")},
            "rows": [row["id"] for row in event["rows"]],
            "partitions": [one["partition"] for one in event["partitions"]],
            "counts": [*_numbers(event["counts"])],
            "document": _text(event),
        }
    if document["ends"] is not None:
        yield {"message": document["ends"]}


def _intervals(asked: Asked, source: LogSource) -> Iterator[dict[str, Any]]:
    first, last = when(asked.begin, source, "--from"), when(asked.end, source, "--to")
    require_order(first, last)
    for one in intervals(source, first, last, asked.about, asked.static)["intervals"]:
        begin, end = one["from"], one["to"] or {}
        yield {
            **{name: one[name] for name in ("sort", "name", "condition", "seconds")},
            "from_offset": begin["offset"],
            "from_timestamp": begin["timestamp"],
            "to_offset": end.get("offset"),
            "to_timestamp": end.get("timestamp"),
            "exact": bool(begin["exact"] and end.get("exact", True)),
        }


_KINDS: Mapping[str, Callable[[Asked, LogSource], Iterator[dict[str, Any]]]] = {
    "health": _health,
    "story": _story,
    "intervals": _intervals,
}


def _numbers(counts: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, int]]:
    """Yield the counts by name, those that are grouped by group.name."""
    for name, value in counts.items():
        if isinstance(value, Mapping):
            yield from _numbers(value, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", int(value)


def _text(document: Any) -> str:
    return json.dumps(document, ensure_ascii=False)


__all__ = ["HEALTH", "INTERVALS", "SCHEMAS", "STORY", "Asked", "answered"]
