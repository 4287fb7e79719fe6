"""The slice of the KRaft controller that is explored of every release: brokers, partitions and elections."""

from __future__ import annotations

from fencepost.model.language import (
    members,
    some,
)

from .bounds import (
    AGAIN,
    HOME,
    LIFE,
    NEVER_HERE,
    NEW,
    ONCE,
    STRAIGHT,
    WELL_TOLD,
    at_home,
    broker,
    in_order,
    slice_of,
)
from .brokers import (
    FENCING,
    HEARTBEAT,
    REGISTRATION,
    migrates,
    off,
    same_cluster,
    want_down,
    want_fence,
)
from .elections import ELECTIONS
from .partitions import ALTER_PARTITION, LEADERS, proposal
from .state import (
    active,
    b,
    i,
    incarnation,
    isr,
    log_end,
    p,
    registered,
    replicas,
    reported,
)
from .topics import TOPICS

_DECLARED = ("P5", "P7s", "P13b", "P18", "W2", "P21r", "C2")
EXPLORED = slice_of(
    "kraft",
    REGISTRATION.name,
    HEARTBEAT.name,
    FENCING.name,
    LEADERS.name,
    ALTER_PARTITION.name,
    ELECTIONS.name,
    TOPICS.name,
    unclaimed=(*NEVER_HERE, *_DECLARED),
    bounds={
        "tiny": (
            "two brokers that have always read everything, one partition",
            NEW & at_home(2),
            {**LIFE, "Heartbeat": off.is_(log_end)},
            {"Broker": 2, "offset": 1, "leader_epoch": 1, "partition_epoch": 1},
        ),
        "restart": (
            "two brokers, each of which may come back as a new process",
            NEW & at_home(2),
            {**LIFE, "RegisterBroker": HOME & WELL_TOLD & same_cluster & ~migrates, "Heartbeat": off.is_(log_end) & ~want_fence},
            {"Broker": 2, "Incarnation": 2, "offset": 2, "leader_epoch": 1, "partition_epoch": 1},
        ),
        "lag": (
            "two brokers that read the log late",
            NEW & at_home(2),
            {**LIFE, "Heartbeat": (off <= log_end) & (reported[b] <= off)},
            {"Broker": 2, "offset": 2, "leader_epoch": 1, "partition_epoch": 1},
        ),
        "small": (
            "three brokers, three replicas; the first broker may come back as a new process",
            NEW & at_home(3),
            {
                **LIFE,
                "RegisterBroker": HOME
                & STRAIGHT
                & in_order(3)
                & registered[b].is_(i.is_(AGAIN))
                & (~registered[b] | b.is_(broker(0)) & incarnation[b].is_(some(ONCE))),
                "Heartbeat": off.is_(log_end) & ~want_fence & want_down.implies(b.is_(broker(0))),
                "ProposeIsr": proposal.is_(members(replicas[p]) & active) & proposal.isnt(members(isr[p])),
            },
            {"Broker": 3, "Directory": 4, "Incarnation": 2, "offset": 3, "leader_epoch": 1, "partition_epoch": 1, "size": 3},
        ),
    },
)  # fmt: skip
