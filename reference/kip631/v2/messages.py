"""Messages between brokers, operators and the controller in the second version."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class RegisterRequest:
    """A process wants to be the broker of an id.

    `supports`: it has all features that the cluster uses; `cluster`: it was made for this cluster.
    """

    broker: int
    incarnation: int
    supports: bool
    cluster: bool

    def as_step(self) -> tuple[str, dict[str, Any]]:
        """Return the step that taking this request is, and its parameters."""
        parameters = {"incarnation": self.incarnation, "supports": self.supports, "cluster": self.cluster}
        return "Register", {"b": self.broker, **parameters}


@dataclass(frozen=True, slots=True)
class RegisterAnswer:
    """The broker is registered under an epoch."""

    epoch: int


@dataclass(frozen=True, slots=True)
class HeartbeatRequest:
    """A broker lives: how far it has applied the metadata, and whether it wants to be fenced or to shut down."""

    broker: int
    epoch: int
    offset: int
    want_fence: bool
    want_shutdown: bool

    def as_step(self) -> tuple[str, dict[str, Any]]:
        """Return the step that taking this request is, and its parameters."""
        parameters: dict[str, Any] = {"epoch": self.epoch, "offset": self.offset}
        parameters |= {"want_fence": self.want_fence, "want_shutdown": self.want_shutdown}
        return "Heartbeat", {"b": self.broker, **parameters}


@dataclass(frozen=True, slots=True)
class HeartbeatAnswer:
    """Whether the broker's metadata are current, whether it is fenced now, and whether it may shut down."""

    caught_up: bool
    fenced: bool
    shutdown: bool

    def __str__(self) -> str:
        """Return the request as a step has it."""
        return " ".join(["NONE", *(str(one).lower() for one in (self.caught_up, self.fenced, self.shutdown))])


@dataclass(frozen=True, slots=True)
class UnregisterRequest:
    """An operator removes a broker from the cluster; `legacy`: the node that is asked still works with ZooKeeper."""

    broker: int
    legacy: bool = False

    def as_step(self) -> tuple[str, dict[str, Any]]:
        """Return the step that taking this request is, and its parameters."""
        return "Unregister", {"b": self.broker, "legacy": self.legacy}


@dataclass(frozen=True, slots=True)
class AlterIsrRequest:
    """A leader wants other replicas in sync."""

    broker: int
    partition: int
    leader_epoch: int
    isr: frozenset[int]

    def as_step(self) -> tuple[str, dict[str, Any]]:
        """Return the step that taking this request is, and its parameters."""
        parameters: dict[str, Any] = {"p": self.partition, "leader_epoch": self.leader_epoch, "isr": self.isr}
        return "AlterIsr", {"b": self.broker, **parameters}


@dataclass(frozen=True, slots=True)
class AlterIsrAnswer:
    """The replicas that are in sync now: without those that a completed reassignment removes."""

    isr: frozenset[int]

    def __str__(self) -> str:
        """Return the request as a step has it."""
        return f"NONE {','.join(map(str, sorted(self.isr)))}"


@dataclass(frozen=True, slots=True)
class AlterReassignmentRequest:
    """An operator wants a partition on other brokers."""

    partition: int
    target: frozenset[int]

    def as_step(self) -> tuple[str, dict[str, Any]]:
        """Return the step that taking this request is, and its parameters."""
        return "AlterReassignment", {"p": self.partition, "target": self.target}


@dataclass(frozen=True, slots=True)
class CreateTopicRequest:
    """An operator wants a topic, under an id that was never used."""

    topic: int


@dataclass(frozen=True, slots=True)
class RemoveTopicRequest:
    """An operator wants a topic deleted."""

    topic: int


Wish = UnregisterRequest | AlterReassignmentRequest
"""A request that is answered with an error or NONE, and nothing else."""
