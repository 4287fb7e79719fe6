"""Brokers' log directories read whole: a recording has one or more of each broker below its folder `brokers`."""

from __future__ import annotations

import re
from dataclasses import dataclass

from fencepost.files import json_value
from fencepost.traces.broker_recordings import BROKERS
from fencepost.traces.errors import TraceError
from fencepost.traces.json_values import object_in, whole_in
from fencepost.traces.names import (
    META_PROPERTIES,
    METADATA_DIRECTORY,
    PARTITION_METADATA,
    parse_segment_name,
    without_gz,
)
from fencepost.traces.records import Batch, Quarantined
from fencepost.traces.segments import scan_data
from fencepost.traces.storage import base_name, join, list_directory, open_file, read_text

from .checkpoints import (
    HIGH_WATERMARKS,
    LEADER_EPOCHS,
    LOG_STARTS,
    RECOVERY_POINTS,
    Checkpoint,
    LeaderEpochs,
    PartitionMetadata,
    parse_leader_epochs,
    parse_offsets,
    parse_partition_metadata,
)
from .ledger import Ledger, read_ledger

LEDGER = "ledger.ndjson"
CLEAN_SHUTDOWN = ".kafka_cleanshutdown"

_PARTITION = re.compile(r"([A-Za-z0-9._-]{1,249})-([0-9]{1,10})")
_NODE = re.compile(r"node\.id\s*=\s*([0-9]{1,10})\s*")


@dataclass(frozen=True, slots=True)
class PartitionDirectory:
    """A partition's folder of a broker: None for a file that is not there.

    `batches` are those of its segments in the order of their names, `quarantined` the ranges of bytes that cannot be
    read; `base_offset` is the offset that the first segment's name says, None without one.
    """

    path: str
    topic: str
    partition: int
    metadata: PartitionMetadata | None
    epochs: LeaderEpochs | None
    base_offset: int | None
    batches: tuple[Batch, ...]
    quarantined: tuple[Quarantined, ...]

    @property
    def end_offset(self) -> int:
        """The offset after the last record, that of the first segment where there is none."""
        return self.batches[-1].last_offset + 1 if self.batches else self.base_offset or 0


@dataclass(frozen=True, slots=True)
class BrokerDirectory:
    """A log directory of a broker: None for a checkpoint that is not there.

    `stopped_cleanly` says whether the file is there that a broker leaves when it has shut down by itself. `unread` are
    the names of folders that are no current partition (deleted, stray, future).
    """

    path: str
    broker: int
    stopped_cleanly: bool
    high_watermarks: Checkpoint | None
    recovery_points: Checkpoint | None
    log_starts: Checkpoint | None
    partitions: tuple[PartitionDirectory, ...]
    unread: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Recording:
    """The data of a recorded cluster: brokers' log directories in the order of their names, and the ledger if any.

    `lost_tails` are the brokers that lost writes when they last stopped (a power failure, or tails cut by hand), as
    meta.json says: kill -9 alone loses none.
    """

    path: str
    directories: tuple[BrokerDirectory, ...]
    ledger: Ledger | None
    lost_tails: frozenset[int] = frozenset()


def read_recording(path: str) -> Recording:
    """Read brokers' directories, ledger and meta.json of a recording; raises TraceError for a file that is damaged.

    Unreadable bytes of segments are no error: they are reported in `quarantined`.
    """
    below = join(path, BROKERS)
    directories = tuple(read_broker(join(below, name)) for name in list_directory(below).directories)
    files = list_directory(path).files
    ledgers = [name for name in files if without_gz(name) == LEDGER]
    lost = _lost_tails(join(path, "meta.json")) if "meta.json" in files else frozenset()
    return Recording(path, directories, read_ledger(join(path, ledgers[0])) if ledgers else None, lost)


def read_broker(path: str) -> BrokerDirectory:
    """Read one log directory; the broker is that of its meta.properties, or of its name where there is none."""
    listing = list_directory(path)
    partitions, unread = [], []
    for name in listing.directories:
        match = _PARTITION.fullmatch(name)
        if match is None:
            unread.append(name)
        elif name != METADATA_DIRECTORY:
            partitions.append(read_partition(join(path, name)))

    def offsets(name: str) -> Checkpoint | None:
        return parse_offsets(read_text(join(path, name)), join(path, name)) if name in listing.files else None

    return BrokerDirectory(
        path,
        _broker(path, listing.files),
        CLEAN_SHUTDOWN in listing.files,
        offsets(HIGH_WATERMARKS),
        offsets(RECOVERY_POINTS),
        offsets(LOG_STARTS),
        tuple(partitions),
        tuple(unread),
    )


def read_partition(path: str) -> PartitionDirectory:
    """Read the folder of a partition; raises TraceError where its name is none of a partition, or a file is damaged."""
    match = _PARTITION.fullmatch(base_name(path))
    if match is None:
        raise TraceError(f"{path}: a partition's folder is named after topic and number, as orders-0")
    files = list_directory(path).files
    epochs, metadata = join(path, LEADER_EPOCHS), join(path, PARTITION_METADATA)
    segments = sorted(
        name
        for name in files
        if parse_segment_name(name) is not None and (name == without_gz(name) or without_gz(name) not in files)
    )
    items = []
    for name in segments:
        with open_file(join(path, name)) as stream:
            items += list(scan_data(stream, without_gz(name)))
    return PartitionDirectory(
        path,
        match[1],
        int(match[2]),
        parse_partition_metadata(read_text(metadata), metadata) if PARTITION_METADATA in files else None,
        parse_leader_epochs(read_text(epochs), epochs) if LEADER_EPOCHS in files else None,
        parse_segment_name(segments[0]) if segments else None,
        tuple(item for item in items if isinstance(item, Batch)),
        tuple(item for item in items if isinstance(item, Quarantined)),
    )


def _broker(path: str, files: tuple[str, ...]) -> int:
    if META_PROPERTIES in files:
        for line in read_text(join(path, META_PROPERTIES)).splitlines():
            match = _NODE.fullmatch(line)
            if match:
                return int(match[1])
        raise TraceError(f"{join(path, META_PROPERTIES)}: it has no line node.id=NUMBER")
    if not base_name(path).isdecimal():
        raise TraceError(f"{path}: it has no meta.properties and its name is no broker's id, so whose it is is unknown")
    return int(base_name(path))


def _lost_tails(path: str) -> frozenset[int]:
    try:
        said = object_in(json_value(read_text(path))).get("lost_tails", [])
        return frozenset(whole_in(one) for one in said)
    except (TypeError, ValueError) as error:
        raise TraceError(f"{path}: lost_tails should be a list of brokers' ids ({error})") from error
