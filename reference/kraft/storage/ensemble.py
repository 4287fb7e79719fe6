"""All log directories of a node together: which are formatted, which are empty, which cannot be read; do they agree?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from .errors import StorageError
from .meta_properties import META_PROPERTIES, MetaProperties, read_meta_properties
from .uuids import is_reserved


@dataclass(frozen=True)
class Ensemble:
    """The log directories of a node, each in one of three classes, all in the order of their names.

    `formatted` has what meta.properties says, `empty` those without that file (or not there at all), `failed` the
    sentence why a file could not be read.
    """

    formatted: Mapping[str, MetaProperties]
    empty: tuple[str, ...]
    failed: Mapping[str, str]
    metadata_directory: str | None = None


def load_ensemble(directories: Iterable[str], metadata_directory: str | None = None) -> Ensemble:
    """Read the meta.properties of every directory; the metadata directory is one of them, named or not."""
    formatted: dict[str, MetaProperties] = {}
    empty: list[str] = []
    failed: dict[str, str] = {}
    names = {*directories} | ({metadata_directory} if metadata_directory is not None else set())
    for name in sorted(names):
        try:
            found = read_meta_properties(Path(name))
        except StorageError as error:
            failed[name] = str(error)
            continue
        if found is None:
            empty.append(name)
        else:
            formatted[name] = found
    return Ensemble(formatted, tuple(empty), failed, metadata_directory)


def verify(
    ensemble: Ensemble,
    *,
    cluster_id: str | None = None,
    node_id: int | None = None,
    at_least_one: bool = False,
    metadata_directory: bool = False,
) -> None:
    """Raise StorageError for the first thing that does not fit, directories in the order of their names.

    `cluster_id` and `node_id` are what is expected, None where the first file that says one decides. With
    `at_least_one` a formatted directory is demanded, with `metadata_directory` that one is named.
    Source: MetaPropertiesEnsemble.verify.
    """
    if at_least_one and not ensemble.formatted:
        raise StorageError(_none_formatted(ensemble))
    owners: dict[str, str] = {}
    for directory, found in ensemble.formatted.items():
        path = str(Path(directory) / META_PROPERTIES)
        if found.cluster_id is not None:
            if cluster_id is not None and found.cluster_id != cluster_id:
                raise StorageError(
                    f"{path}: the directory belongs to cluster {found.cluster_id}, not to {cluster_id}: "
                    "give the right cluster id, or other directories"
                )
            cluster_id = found.cluster_id
        if found.node_id is not None:
            if node_id is not None and found.node_id != node_id:
                raise StorageError(
                    f"{path}: the directory belongs to node {found.node_id}, not to node {node_id}: "
                    "correct node.id, or empty the directory if this is to be a new node"
                )
            node_id = found.node_id
        if found.directory_id is not None:
            if is_reserved(found.directory_id):
                raise StorageError(f"{path}: directory.id {found.directory_id} is reserved: format the directory anew")
            owner = owners.setdefault(found.directory_id, directory)
            if owner != directory:
                raise StorageError(
                    f"{path}: directory.id {found.directory_id} is that of {owner} too: one is a copy; take it away"
                )
    if metadata_directory and ensemble.metadata_directory is None:
        raise StorageError("no metadata log directory is named: set metadata.log.dir or log.dirs")
    failure = ensemble.failed.get(ensemble.metadata_directory or "")
    if failure is not None:
        raise StorageError(f"{failure} (it is the metadata log directory, which a node needs)")


def _none_formatted(ensemble: Ensemble) -> str:
    if ensemble.failed:
        return next(iter(ensemble.failed.values()))
    names = ", ".join(ensemble.empty) or "the node"
    return f"{names}: not formatted: run `fencepost storage format` before the first start"
