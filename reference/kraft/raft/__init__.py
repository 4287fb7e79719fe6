"""An abstract Raft under the controllers: elections, replication, high watermark; what a crash leaves on disk."""

from .client import WALL_CLOCK_START_MS, CommittedBatch, LoadedSnapshot, RaftClient, RaftListener, Voter, wall_clock_ms
from .leading import Leading
from .log import OffsetAndEpoch, RaftDisk, ReplicatedLog
from .messages import MESSAGES, RaftMessage
from .node import RaftNode

__all__ = [
    "MESSAGES",
    "WALL_CLOCK_START_MS",
    "CommittedBatch",
    "Leading",
    "LoadedSnapshot",
    "OffsetAndEpoch",
    "RaftClient",
    "RaftDisk",
    "RaftListener",
    "RaftMessage",
    "RaftNode",
    "ReplicatedLog",
    "Voter",
    "wall_clock_ms",
]
