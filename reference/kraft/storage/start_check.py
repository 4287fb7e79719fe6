"""Checks of a node's directories before it starts; a mismatch keeps it from starting."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from fencepost.traces.names import METADATA_DIRECTORY

from .ensemble import Ensemble, load_ensemble, verify
from .errors import StorageError


def check_start(
    ensemble: Ensemble,
    *,
    node_id: int,
    cluster_id: str | None = None,
    has_metadata_log: Callable[[str], bool] = lambda directory: False,
) -> str:
    """Return the cluster id of a node that may start; raises StorageError for one that must not.

    Refused are: no formatted directory, one that is not formatted beside others that are, another node's or another
    cluster's directory, directories that disagree, a directory id that is reserved or there twice, a metadata
    directory that cannot be read, and a metadata log outside the metadata directory (`has_metadata_log` says where
    one lies). A data directory that cannot be read is no reason: the node starts with it offline.

    A node of Kafka learns its cluster id from its directories and is refused by the others where it is another one;
    with `cluster_id` the check says so at once. Source: KafkaRaftServer.initializeLogDirs, run on 4.4.0.
    """
    verify(ensemble, cluster_id=cluster_id, node_id=node_id, at_least_one=True, metadata_directory=True)
    for directory in ensemble.formatted:
        if directory != ensemble.metadata_directory and has_metadata_log(directory):
            raise StorageError(
                f"{Path(directory) / METADATA_DIRECTORY}: a metadata log lies outside the metadata directory, "
                f"{ensemble.metadata_directory}: correct metadata.log.dir"
            )
    if ensemble.empty:
        raise StorageError(
            f"{ensemble.empty[0]}: not formatted, as others of this node are: run `fencepost storage format "
            "--ignore-formatted`"
        )
    known = next((found.cluster_id for found in ensemble.formatted.values() if found.cluster_id is not None), None)
    if known is None:
        raise StorageError("no directory says the cluster id: they are of version 0; format them anew")
    return known


def check_start_on_disk(
    directories: tuple[str, ...], metadata_directory: str, *, node_id: int, cluster_id: str | None = None
) -> str:
    """Do `check_start` for directories on the disk."""
    return check_start(
        load_ensemble(directories, metadata_directory),
        node_id=node_id,
        cluster_id=cluster_id,
        has_metadata_log=lambda directory: (Path(directory) / METADATA_DIRECTORY).exists(),
    )
