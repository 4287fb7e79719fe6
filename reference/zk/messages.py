"""Messages between processes of the cluster: requests and responses by Kafka's names, one dataclass each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

from .names import Leadership, TopicPartition

Error = str
"""Kafka's name of an error, NONE for none."""

NONE: Error = "NONE"

ERROR_CODES: Mapping[Error, int] = {
    "UNKNOWN_SERVER_ERROR": -1,
    "NONE": 0,
    "UNKNOWN_TOPIC_OR_PARTITION": 3,
    "BROKER_NOT_AVAILABLE": 8,
    "STALE_CONTROLLER_EPOCH": 11,
    "INVALID_TOPIC_EXCEPTION": 17,
    "INVALID_REPLICA_ASSIGNMENT": 39,
    "NOT_CONTROLLER": 41,
    "INVALID_REQUEST": 42,
    "KAFKA_STORAGE_ERROR": 56,
    "FENCED_LEADER_EPOCH": 74,
    "STALE_BROKER_EPOCH": 77,
    "PREFERRED_LEADER_NOT_AVAILABLE": 80,
    "ELIGIBLE_LEADERS_NOT_AVAILABLE": 83,
    "ELECTION_NOT_NEEDED": 84,
    "NO_REASSIGNMENT_IN_PROGRESS": 85,
    "INVALID_UPDATE_VERSION": 95,
    "INCONSISTENT_TOPIC_ID": 103,
    "INELIGIBLE_REPLICA": 107,
}
"""The numbers by which errors go over the wire."""


@dataclass(frozen=True, slots=True)
class LeaderAndIsrPartition:
    """The part of a LeaderAndIsr for one partition: leadership, replicas, and whether the replica is new there."""

    leadership: Leadership
    replicas: tuple[int, ...]
    adding: tuple[int, ...]
    removing: tuple[int, ...]
    is_new: bool


@dataclass(frozen=True, slots=True)
class StopReplicaPartition:
    """The part of a StopReplica for one partition."""

    leader_epoch: int
    delete: bool


@dataclass(frozen=True, slots=True)
class UpdateMetadataPartition:
    """The part of an UpdateMetadata for one partition."""

    leadership: Leadership
    replicas: tuple[int, ...]
    offline_replicas: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ControlRequest:
    """The common fields of a controller's requests: its id and epoch, and the epoch of the broker meant."""

    controller: int
    controller_epoch: int
    broker_epoch: int
    correlation: int
    name: ClassVar[str] = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LeaderAndIsrRequest(ControlRequest):
    """Makes replicas leaders and followers."""

    partitions: Mapping[TopicPartition, LeaderAndIsrPartition]
    topic_ids: Mapping[str, str]
    name: ClassVar[str] = "LEADER_AND_ISR"


@dataclass(frozen=True, slots=True, kw_only=True)
class StopReplicaRequest(ControlRequest):
    """Stops replicas, and deletes them where it says so."""

    partitions: Mapping[TopicPartition, StopReplicaPartition]
    name: ClassVar[str] = "STOP_REPLICA"


@dataclass(frozen=True, slots=True, kw_only=True)
class UpdateMetadataRequest(ControlRequest):
    """Notifies a broker of the live brokers, and the leadership of some partitions."""

    partitions: Mapping[TopicPartition, UpdateMetadataPartition]
    live_brokers: tuple[int, ...]
    name: ClassVar[str] = "UPDATE_METADATA"


@dataclass(frozen=True, slots=True)
class ControlResponse:
    """A broker's answer to its controller: an error for all of it, or one for each partition."""

    error: Error = NONE
    partitions: Mapping[TopicPartition, Error] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AlterPartitionRequest:
    """A leader asks for other in-sync replicas; `version` is the znode's version (partition epoch) that it goes by."""

    broker: int
    broker_epoch: int
    partition: TopicPartition
    leader_epoch: int
    isr: tuple[int, ...]
    recovery: int
    version: int


@dataclass(frozen=True, slots=True)
class AlterPartitionResponse:
    """The answer: an error for the request, one for the partition, or the leadership as it now is."""

    top_error: Error = NONE
    error: Error = NONE
    leadership: Leadership | None = None


@dataclass(frozen=True, slots=True)
class ControlledShutdownRequest:
    """A broker wants to go down; a `broker_epoch` of -1 is a broker's that knows nothing of broker epochs."""

    broker: int
    broker_epoch: int


@dataclass(frozen=True, slots=True)
class ControlledShutdownResponse:
    """The partitions that the broker still leads, or the error."""

    error: Error = NONE
    remaining: tuple[TopicPartition, ...] = ()


@dataclass(frozen=True, slots=True)
class ReassignmentRequest:
    """An administrator wants partitions to have other replicas; None cancels."""

    targets: Mapping[TopicPartition, tuple[int, ...] | None]


@dataclass(frozen=True, slots=True)
class ElectLeadersRequest:
    """An administrator wants leaders to be elected: the preferred ones, or any live replica where there is none."""

    partitions: tuple[TopicPartition, ...]
    kind: Literal["PREFERRED", "UNCLEAN"]


@dataclass(frozen=True, slots=True)
class AdministratorResponse:
    """The errors of a reassignment or an election by partition, or one for all of it."""

    error: Error = NONE
    partitions: Mapping[TopicPartition, Error] | None = None
