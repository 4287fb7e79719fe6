"""A partition's replica on a broker, as far as leadership is concerned: no data is kept."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from fencepost.reference.zk.names import RECOVERED

Role = Literal["leader", "follower", "stopped"]


@dataclass(slots=True)
class Proposal:
    """Other in-sync replicas for which a leader has asked; `given_up` ones wait for the next LeaderAndIsr."""

    isr: tuple[int, ...]
    leader_epoch: int
    version: int
    recovery: int = RECOVERED
    given_up: bool = False


@dataclass(slots=True)
class HostedPartition:
    """A broker's state of a replica of its own.

    `since_ns` is when it took up its role, `late_ns` when a leader first missed a follower. A follower whose leader
    its broker does not know as alive does not begin to follow: it stays what it was. `topic_id` is the id of the topic
    that its log was made for, empty where no request has said.
    """

    topic_id: str = ""
    leader: int = -1
    leader_epoch: int = -1
    isr: tuple[int, ...] = ()
    replicas: tuple[int, ...] = ()
    version: int = -1
    role: Role = "stopped"
    since_ns: int = 0
    proposal: Proposal | None = None
    late_ns: dict[int, int] = field(default_factory=dict)
