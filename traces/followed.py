"""A metadata log that grows while it is read: what it holds, then what is appended to it, segment after segment."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from .errors import TraceError
from .logs import LogSource, find_log
from .names import without_gz
from .records import Batch, Item, Quarantined
from .storage import is_uri, size_of
from .stretches import end_of, items_from


def followed(source: LogSource, wait: Callable[[], bool]) -> Iterator[Item]:
    """Read the segments of a log item by item as `iterate_log` does; at its end `wait` says whether to look again.

    A batch that is written in part, and unused space, are looked at again; where a later segment is there, they are
    damage. A segment that is deleted is passed over: a gap in the offsets is the reader's to see.
    Raises `TraceError` for what cannot grow (a dump's text, a gzipped file, a URI), and where the last segment was cut
    back behind what was read of it, as the log of a controller that had records which were never committed is.
    """
    _require_growing(source)
    done, at = "", 0
    while True:
        segments = find_log(source.path).segments
        for number, path in enumerate(segments):
            if path < done:
                continue
            start = at if path == done else 0
            done, at = path, start
            for item in _appended(path, start, number + 1 == len(segments)):
                at = end_of(item)
                yield item
        if not wait():
            return


def _require_growing(source: LogSource) -> None:
    """Refuse a log to which nothing is ever appended where it lies; raises `TraceError`."""
    packed = any(without_gz(path) != path for path in source.segments)
    if source.source != "binary" or packed or is_uri(source.path) or not source.segments:
        raise TraceError(
            f"{source.path}: nothing is appended to a dump, a gzipped file, a snapshot or a URI: give the "
            "log directory of a controller, or its newest segment, on this machine"
        )


def _appended(path: str, start: int, is_last: bool) -> Iterator[Item]:
    """Yield the items of a segment from a byte on, without a last one that may be incomplete."""
    if not Path(path).exists():
        return
    size = size_of(path)
    if size < start:
        raise TraceError(
            f"{path}: the file was cut back from byte {start} to {size}: reported records are no longer in the "
            "log; begin again"
        )
    for item in items_from(path, start):
        may_grow = not isinstance(item, Batch) and (not isinstance(item, Quarantined) or item.kind == "torn")
        if is_last and may_grow:
            return
        yield item
