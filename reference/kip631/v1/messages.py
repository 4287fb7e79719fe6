"""Messages between brokers and the controller in the first version."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

FENCED, ACTIVE, SHUTDOWN = "FENCED", "ACTIVE", "SHUTDOWN"
"""The states in heartbeats: those that a broker is in and wants, and that the answer names."""


@dataclass(frozen=True, slots=True)
class RegisterRequest:
    """A process wants to be the broker of an id; `supports`: it has all features that the cluster uses."""

    broker: int
    incarnation: int
    supports: bool

    def as_step(self) -> tuple[str, dict[str, Any]]:
        """Return the step that taking this request is, and its parameters."""
        return "Register", {"b": self.broker, "incarnation": self.incarnation, "supports": self.supports}


@dataclass(frozen=True, slots=True)
class RegisterAnswer:
    """The broker is registered under an epoch; `lease` milliseconds are what a lease lasts here."""

    epoch: int
    lease: int


@dataclass(frozen=True, slots=True)
class HeartbeatRequest:
    """A broker lives: the state it is in, the one it wants, and how far it has applied the metadata."""

    broker: int
    epoch: int
    current: str
    target: str
    offset: int

    def as_step(self) -> tuple[str, dict[str, Any]]:
        """Return the step that taking this request is, and its parameters."""
        parameters = {"epoch": self.epoch, "current": self.current, "target": self.target, "offset": self.offset}
        return "Heartbeat", {"b": self.broker, **parameters}


@dataclass(frozen=True, slots=True)
class HeartbeatAnswer:
    """The state that the broker is to be in, and the lease in milliseconds, 0 for none."""

    next: str
    lease: int


@dataclass(frozen=True, slots=True)
class CatchUpRequest:
    """A leader reports that a replica has caught up with it."""

    partition: int
    broker: int
