"""Kafka's names of the states, in its logs and on the page."""

from __future__ import annotations

import enum

from .state import PartitionState, ReplicaState

STATE_NAMES: dict[enum.Enum, str] = {
    PartitionState.NEW: "NewPartition",
    PartitionState.ONLINE: "OnlinePartition",
    PartitionState.OFFLINE: "OfflinePartition",
    PartitionState.NONEXISTENT: "NonExistentPartition",
    ReplicaState.NEW: "NewReplica",
    ReplicaState.ONLINE: "OnlineReplica",
    ReplicaState.OFFLINE: "OfflineReplica",
    ReplicaState.DELETION_STARTED: "ReplicaDeletionStarted",
    ReplicaState.DELETION_SUCCESSFUL: "ReplicaDeletionSuccessful",
    ReplicaState.DELETION_INELIGIBLE: "ReplicaDeletionIneligible",
    ReplicaState.NONEXISTENT: "NonExistentReplica",
}
"""The names that controllers log."""
