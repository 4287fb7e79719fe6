"""Disks of a simulated cluster, written out in Kafka's layout: a log directory for every controller."""

from __future__ import annotations

from pathlib import Path

from fencepost.reference.kraft.raft import LoadedSnapshot
from fencepost.reference.kraft.raft.client import WALL_CLOCK_START_MS
from fencepost.reference.kraft.raft.leading import voters_data
from fencepost.reference.kraft.storage import MetaProperties
from fencepost.reference.kraft.storage.layout import ControllerDisk, write_controller
from fencepost.reference.kraft.storage.quorum_state import NO_DIRECTORY, NOBODY, QuorumState

from .cluster import Cluster
from .controller_node import ControllerNode


def write_controllers(cluster: Cluster, directory: Path) -> dict[int, Path]:
    """Write the disks of all controllers into `controller-ID` below a directory; returns their metadata logs by id.

    Raises StorageError where a log lies already.
    """
    segment_bytes = cluster.config.settings.metadata_log_segment_bytes
    return {
        node: write_controller(
            controller_disk(controller),
            directory / f"controller-{node}",
            written_ms=WALL_CLOCK_START_MS,
            segment_bytes=segment_bytes,
        )
        for node, controller in cluster.controllers.items()
    }


def controller_disk(node: ControllerNode) -> ControllerDisk:
    """Return what a controller has on disk: what was written when it was formatted, and what Raft keeps."""
    config, raft = node.config, node.disk
    known = (*config.voters, *config.others)
    directories = {voter.id: voter.directory_id for voter in known}
    first = tuple(voter.id for voter in config.voters)
    version = max(int(config.dynamic), raft.log.kraft_version())
    formatted = LoadedSnapshot(
        0, 0, config.bootstrap, WALL_CLOCK_START_MS, WALL_CLOCK_START_MS, int(config.dynamic), first
    )
    # The file forgets the vote once the leader of the epoch is known.
    voted = raft.voted_for if raft.leader < 0 else NOBODY
    begins_at_zero = raft.log.start_offset == 0
    return ControllerDisk(
        properties=MetaProperties(1, config.cluster_id, config.node_id, directories[config.node_id]),
        quorum_state=QuorumState(
            leader_id=raft.leader,
            leader_epoch=raft.epoch,
            voted_id=voted,
            voted_directory_id=directories.get(voted, NO_DIRECTORY),
            voters=first,
            kraft_version=max(int(config.dynamic), raft.state_version),
        ),
        batches=raft.log.batches,
        # Kafka deletes the checkpoint of offset 0 with the beginning of the log.
        snapshots=[*([formatted] if begins_at_zero else []), *raft.log.snapshots],
        kraft_version=version,
        voters=voters_data(known) if version else None,
    )
