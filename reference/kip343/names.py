"""The states, the errors and the records of KIP-343's public interface."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

NOT_REGISTERED = 0
"""The incarnation of a broker without a registration: czxids begin at 1."""


class BrokerState(Enum):
    """The controller's state of a broker."""

    INITIAL = "Initial"
    INACTIVE = "Inactive"
    ACTIVE = "Active"
    STOPPING = "Stopping"

    @property
    def handles_requests(self) -> bool:
        """Whether a broker in this state is in the metadata that brokers and clients get."""
        return self in (BrokerState.ACTIVE, BrokerState.STOPPING)


class Error(Enum):
    """Errors of answers; the last one is ZooKeeper's answer to a write that comes too late."""

    NONE = "NONE"
    INVALID_REQUEST = "INVALID_REQUEST"
    INVALID_INCARNATION_ID = "INVALID_INCARNATION_ID"
    NOT_CONTROLLER = "NOT_CONTROLLER"
    NOT_LEADER_FOR_PARTITION = "NOT_LEADER_FOR_PARTITION"
    BAD_VERSION = "BAD_VERSION"


class MetadataHeartbeatRequest(NamedTuple):
    """A broker is there, in this incarnation, and would like to get to a state."""

    broker: int
    incarnation: int
    target_state: BrokerState


class MetadataHeartbeatResponse(NamedTuple):
    """The state that the controller has determined, which says nothing with an error."""

    error: Error
    current_state: BrokerState = BrokerState.INITIAL

    def __str__(self) -> str:
        return f"{self.error.value} {self.current_state.value}" if self.error is Error.NONE else self.error.value


class IsrChange(NamedTuple):
    """The replicas of a partition that are to count as in sync, as its leader in an epoch wants it."""

    partition: int
    leader_epoch: int
    isr: frozenset[int]


class IsrChangeRequest(NamedTuple):
    """A broker wants other replicas of partitions that it leads to count as in sync."""

    broker: int
    incarnation: int
    changes: tuple[IsrChange, ...]


class IsrChangeResponse(NamedTuple):
    """An error of the whole request, or without one a result for each partition in the order of the request."""

    error: Error
    results: tuple[Error, ...] = ()


class Leadership(NamedTuple):
    """The leader of a partition, and its leader epoch."""

    leader: int | None
    leader_epoch: int


class UpdateMetadataRequest(NamedTuple):
    """All metadata, from the controller to a broker: the leadership of every partition in their order."""

    leaderships: tuple[Leadership, ...]


class Settings(NamedTuple):
    """The two timeouts and how often brokers heartbeat, in milliseconds; `mixed` is whether some brokers are older."""

    controller_timeout: int
    broker_timeout: int
    heartbeat_period: int
    session_timeout: int
    mixed: bool
