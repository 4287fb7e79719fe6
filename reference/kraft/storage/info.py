"""The report of `kafka-storage info` on the directories of a node: their presence, content and errors."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from .errors import StorageError
from .meta_properties import META_PROPERTIES, MetaProperties, read_meta_properties
from .server_properties import ServerProperties
from .start_check import check_start_on_disk


@dataclass(frozen=True)
class StorageInfo:
    """The directories found, the first meta.properties that could be read, and the problems by directory.

    `refusal` is why a start would be refused, null where it would not: Kafka's own `info` says nothing of a node id
    that is not the configuration's, of a directory id that is there twice, or of a log outside its directory.
    """

    found: tuple[str, ...]
    metadata: MetaProperties | None
    problems: tuple[str, ...]
    refusal: str | None


def storage_info(server: ServerProperties) -> StorageInfo:
    """Look at every directory of a node, changing nothing. Source: StorageTool.infoCommand of Kafka 4.4, S2:113-124."""
    found: list[str] = []
    problems: list[str] = []
    first: MetaProperties | None = None
    for directory in server.directories:
        path = Path(directory)
        if not path.is_dir():
            problems.append(f"{directory} is not a directory" if path.exists() else f"{directory} does not exist")
            continue
        found.append(directory)
        try:
            metadata = read_meta_properties(path)
        except StorageError as error:
            problems.append(f"{path / META_PROPERTIES} cannot be used: {_without_path(path, error)}")
            continue
        if metadata is None:
            problems.append(f"{directory} is not formatted")
            continue
        first = first or metadata
        if metadata.cluster_id != first.cluster_id:
            problems.append(f"{directory} belongs to another cluster than {found[0]}: {metadata.cluster_id}")
        elif metadata.node_id != first.node_id:
            problems.append(f"{directory} belongs to another node than {found[0]}: {metadata.node_id}")
    if first is not None and first.version == 0:
        problems.append("the configuration is for KRaft, and the directories are formatted for ZooKeeper (version 0)")
    return StorageInfo(tuple(found), first, tuple(problems), _refusal(server))


def _without_path(directory: Path, error: StorageError) -> str:
    return str(error).removeprefix(f"{directory / META_PROPERTIES}: ")


def _refusal(server: ServerProperties) -> str | None:
    try:
        check_start_on_disk(server.directories, server.metadata_directory, node_id=server.node_id)
    except StorageError as error:
        return str(error)
    return None
