"""The names that Kafka gives to the files of a metadata log directory."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

_SEGMENT = re.compile(r"(\d{20})\.log(?:\.gz)?")
_SNAPSHOT = re.compile(r"(\d{20})-(\d{10})\.checkpoint(?:\.gz)?")
_BOOTSTRAP = re.compile(r"bootstrap\.checkpoint(?:\.gz)?")
_DUMP = re.compile(r"dump\.txt(?:\.gz)?")
_ENDED_OTHERWISE = re.compile(r"((\d{20})\.log|\d{20}-\d{10}\.checkpoint|dump\.txt)\.([A-Za-z0-9_-]+)")

METADATA_DIRECTORY = "__cluster_metadata-0"
META_PROPERTIES = "meta.properties"
"""The file in each of a node's directories that says whose it is."""
PARTITION_METADATA = "partition.metadata"
"""The file with a topic's id in the directory of each of its partitions."""
METADATA_TOPIC_ID = "AAAAAAAAAAAAAAAAAAAAAQ"
"""The id of the metadata log's own topic (Uuid.METADATA_TOPIC_ID)."""


class SnapshotId(NamedTuple):
    """The id in a snapshot's name: the end offset (exclusive) of what it contains, and the epoch of the last record."""

    end_offset: int
    epoch: int


def segment_name(base_offset: int) -> str:
    """The file name of a segment: its first offset in twenty digits."""
    return f"{base_offset:020d}.log"


def snapshot_name(end_offset: int, epoch: int) -> str:
    """The file name of a snapshot: end offset (exclusive) in twenty digits, epoch in ten."""
    return f"{end_offset:020d}-{epoch:010d}.checkpoint"


def parse_segment_name(name: str) -> int | None:
    """The base offset that a segment's name (gzipped or not) says, or None for another name."""
    match = _SEGMENT.fullmatch(name)
    return int(match[1]) if match else None


def parse_snapshot_name(name: str) -> SnapshotId | None:
    """Return the id in a snapshot's name, or None for another name; `bootstrap.checkpoint` counts as (0, 0)."""
    if _BOOTSTRAP.fullmatch(name):
        return SnapshotId(0, 0)
    match = _SNAPSHOT.fullmatch(name)
    return SnapshotId(int(match[1]), int(match[2])) if match else None


def is_bootstrap_name(name: str) -> bool:
    """Whether a file name is that of the bootstrap records which a node was formatted with, for itself alone."""
    return _BOOTSTRAP.fullmatch(name) is not None


def leftover_kind(name: str) -> str | None:
    """Return the kind of an unfinished or to be deleted segment or snapshot, None for another name."""
    for ending, parse, kind in _LEFTOVERS:
        if name.endswith(ending) and parse(name.removesuffix(ending)) is not None:
            return kind
    return None


def read_as(name: str) -> str | None:
    """The name under which a file would be read that is part of a log but for its ending, as `X.log` of `X.log.zst`;
    None for a name that is read, that of a leftover, and any other."""
    match = _ENDED_OTHERWISE.fullmatch(name)
    return match[1] if match and match[3] != "gz" and leftover_kind(name) is None else None


def is_dump_name(name: str) -> bool:
    """Whether a file name is one under which a dump's text is kept beside a log (`dump.txt`, `dump.txt.gz`)."""
    return _DUMP.fullmatch(name) is not None


def without_gz(name: str) -> str:
    """The name of the file that a gzipped file holds."""
    return name.removesuffix(".gz")


_LEFTOVERS: tuple[tuple[str, Callable[[str], object], str], ...] = (
    (".part", parse_snapshot_name, "an unfinished snapshot"),
    (".deleted", parse_snapshot_name, "a deleted snapshot"),
    (".deleted", parse_segment_name, "a deleted segment"),
)
