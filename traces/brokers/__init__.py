"""Files of brokers: log directories with checkpoints, segments of users' data, and a driver's ledger."""

from fencepost.traces.broker_recordings import is_broker_recording, recording_of

from .checkpoints import (
    Checkpoint,
    EpochEntry,
    LeaderEpochs,
    PartitionMetadata,
    format_leader_epochs,
    format_offsets,
    format_partition_metadata,
    parse_leader_epochs,
    parse_offsets,
    parse_partition_metadata,
)
from .directories import BrokerDirectory, PartitionDirectory, Recording, read_broker, read_partition, read_recording
from .ledger import Acknowledged, Ledger, parse_ledger, read_ledger

__all__ = [
    "Acknowledged",
    "BrokerDirectory",
    "Checkpoint",
    "EpochEntry",
    "LeaderEpochs",
    "Ledger",
    "PartitionDirectory",
    "PartitionMetadata",
    "Recording",
    "format_leader_epochs",
    "format_offsets",
    "format_partition_metadata",
    "is_broker_recording",
    "parse_leader_epochs",
    "parse_ledger",
    "parse_offsets",
    "parse_partition_metadata",
    "read_broker",
    "read_ledger",
    "read_partition",
    "read_recording",
    "recording_of",
]
