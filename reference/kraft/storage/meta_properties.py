"""The file meta.properties of a log directory: which cluster, which node, which directory."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from .errors import StorageError
from .files import properties_text, read_properties, write_whole
from .uuids import uuid_value

META_PROPERTIES = "meta.properties"
"""The file's name in every log directory."""


@dataclass(frozen=True, slots=True)
class MetaProperties:
    """The content of a meta.properties file.

    Version 1 (KRaft) has cluster and node; version 0 (the age of ZooKeeper) may lack both, and calls the node
    `broker.id`. `directory_id` is null where a release before 3.7 formatted the directory. Source: S2:96-112, S3:25.
    """

    version: int
    cluster_id: str | None
    node_id: int | None
    directory_id: str | None

    def pairs(self) -> dict[str, str]:
        """Return the names and values of the file, in the order in which Kafka stores them."""
        pairs = {}
        if self.node_id is not None:
            pairs["broker.id" if self.version == 0 else "node.id"] = str(self.node_id)
        if self.directory_id is not None:
            pairs["directory.id"] = self.directory_id
        pairs["version"] = str(self.version)
        if self.cluster_id is not None:
            pairs["cluster.id"] = self.cluster_id
        return pairs


def read_meta_properties(directory: Path) -> MetaProperties | None:
    """Return what the directory's file says, None where there is no such file.

    Raises StorageError, a sentence that begins with the file's path, for a file that cannot be read or believed.
    """
    path = directory / META_PROPERTIES
    try:
        pairs = read_properties(path)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise StorageError(f"{path}: the file cannot be read ({error.strerror}): check path and permissions") from error
    try:
        return _parsed(pairs)
    except StorageError as error:
        raise StorageError(f"{path}: {error}") from None


def write_meta_properties(directory: Path, properties: MetaProperties, written_ms: int) -> Path:
    """Write the file, whole or not at all, and return its path; raises StorageError if it cannot be written."""
    path = directory / META_PROPERTIES
    write_whole(path, properties_text(properties.pairs(), written_ms).encode("ascii"))
    return path


def _parsed(pairs: dict[str, str]) -> MetaProperties:
    version = pairs.get("version", "0")
    if version not in ("0", "1"):
        raise StorageError(f"version={version}: versions 0 and 1 are known; was this formatted by a later release?")
    name = "broker.id" if version == "0" else "node.id"
    node = _number(name, pairs[name]) if name in pairs else None
    cluster_id = pairs.get("cluster.id")
    if version == "1" and (node is None or cluster_id is None):
        missing = "node.id" if node is None else "cluster.id"
        raise StorageError(f"{missing} is missing: every file of version 1 has it; restore the file")
    directory_id = pairs.get("directory.id")
    if directory_id is not None:
        try:
            uuid_value(directory_id)
        except StorageError as error:
            raise StorageError(f"directory.id: {error}") from None
    return MetaProperties(int(version), cluster_id, node, directory_id)


def _number(name: str, text: str) -> int:
    if not text.lstrip("+-").isascii() or not text.lstrip("+-").isdigit():
        raise StorageError(f"{name}={text}: write a whole number")
    return int(text)
