"""The records that a cluster begins with: made when a controller is formatted, read when it first starts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from fencepost.reference.kraft.levels import KRAFT_VERSION, LATEST_PRODUCTION, METADATA_VERSION
from fencepost.reference.kraft.records import Message
from fencepost.traces import Snapshot, TraceError, build_snapshot, read_snapshot, snapshot_name
from fencepost.traces.log_writer import file_bytes
from fencepost.traces.names import METADATA_DIRECTORY

from .errors import StorageError
from .files import cause, write_whole

BOOTSTRAP_SNAPSHOT = snapshot_name(0, 0)
"""The name of the checkpoint that formatting writes: nothing of the log is in it."""

LEGACY_BOOTSTRAP = "bootstrap.checkpoint"
"""The name of the file of bootstrap records that releases before 4.4 write beside meta.properties."""


def bootstrap_records(levels: Mapping[str, int], more: Sequence[Message] = ()) -> tuple[Message, ...]:
    """Return the bootstrap records: metadata.version, then the other features above 0 by name, then `more`.

    kraft.version is no record of the controller's (Raft keeps it). Source: BootstrapMetadata.fromVersions, S3:26.
    """
    others = [name for name in sorted(levels) if name not in (METADATA_VERSION, KRAFT_VERSION) and levels[name] > 0]
    features = tuple(
        Message("FEATURE_LEVEL_RECORD", 0, {"name": name, "featureLevel": levels[name]})
        for name in (METADATA_VERSION, *others)
    )
    return (*features, *more)


def build_bootstrap(
    records: Sequence[Message], *, kraft_version: int, voters: Mapping[str, Any] | None, now_ms: int
) -> Snapshot:
    """Return the checkpoint of a formatted controller; `voters` is the data of a KRaftVoters record."""
    return build_snapshot(
        records,
        end_offset=0,
        epoch=0,
        timestamp=now_ms,
        last_contained_timestamp=now_ms,
        kraft_version=kraft_version,
        voters=voters,
    )


def write_bootstrap(metadata_directory: Path, snapshot: Snapshot) -> Path:
    """Write the checkpoint into the metadata log below a log directory, which is made; returns the file's path."""
    directory = metadata_directory / METADATA_DIRECTORY
    try:
        directory.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StorageError(f"{directory}: the directory cannot be made ({cause(error)})") from error
    path = directory / BOOTSTRAP_SNAPSHOT
    write_whole(path, file_bytes(snapshot.batches))
    return path


def read_bootstrap(metadata_directory: Path) -> tuple[tuple[Message, ...], str]:
    """Return the bootstrap records of a log directory, and a text that says where they come from.

    The checkpoint of offset 0 is asked first, then the legacy file (of releases whose checkpoint holds only the
    voters), and where there is neither, the record is that of the latest metadata.version. Raises StorageError for a
    file that cannot be read or whose records set no metadata.version. Source: BootstrapMetadata.fromDirectory, S3:26.
    """
    for path in (metadata_directory / METADATA_DIRECTORY / BOOTSTRAP_SNAPSHOT, metadata_directory / LEGACY_BOOTSTRAP):
        if not path.exists():
            continue
        try:
            read = read_snapshot(path)
        except TraceError as error:
            raise StorageError(str(error)) from error
        records = tuple(Message(record.type, record.version, record.data) for record in read.records)
        if not records and path.name == BOOTSTRAP_SNAPSHOT:
            continue
        if not any(_is_metadata_version(record) for record in records):
            raise StorageError(f"{path}: no record sets metadata.version: format the directory anew")
        return records, str(path)
    return bootstrap_records({METADATA_VERSION: LATEST_PRODUCTION}), "the latest metadata.version"


def _is_metadata_version(record: Message) -> bool:
    return record.type == "FEATURE_LEVEL_RECORD" and record.data["name"] == METADATA_VERSION
