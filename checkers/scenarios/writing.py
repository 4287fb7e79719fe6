"""The records of a scenario as the log directory of a controller, as Kafka's own tools read it."""

from __future__ import annotations

import base64
import hashlib
from pathlib import Path

from fencepost.reference.kraft.storage import MetaProperties
from fencepost.reference.kraft.storage.layout import ControllerDisk, write_controller
from fencepost.reference.kraft.storage.quorum_state import QuorumState
from fencepost.reference.kraft.storage.segment_writer import METADATA_TOPIC_ID

from .machine import Machine


def write(machine: Machine, directory: Path) -> Path:
    """Write the log of a scenario that began from nothing, and return the path of its metadata log.

    Raises StorageError where a log lies there already, or the directory cannot be made.
    """
    raft = machine.raft
    disk = ControllerDisk(
        properties=MetaProperties(1, _cluster_id(repr(raft.batches)), machine.node, METADATA_TOPIC_ID[:-1] + "w"),
        quorum_state=QuorumState(machine.node, raft.epoch, voters=(machine.node,), kraft_version=0),
        batches=raft.batches,
    )
    return write_controller(disk, directory, written_ms=raft.wall_clock_ms)


def _cluster_id(written: str) -> str:
    """Return the cluster id of a log: logs that differ are of different clusters, and not compared as one quorum's."""
    # Its first byte is fixed, as no id of Kafka's begins with a dash.
    return base64.urlsafe_b64encode(b"s" + hashlib.sha256(written.encode()).digest()[:15]).decode().rstrip("=")
