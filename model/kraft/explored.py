"""The slice of the KRaft controller that is explored of every release: brokers, partitions and elections."""

from __future__ import annotations

from fencepost.model.language.bounds import excusing
from fencepost.model.language.vocabulary import *

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
    brokers_in_order,
    in_order,
    slice_of,
    the,
)
from .brokers import FENCING, HEARTBEAT, REGISTRATION, migrates, off, previous, same_cluster, want_down, want_fence
from .elections import ELECTIONS
from .not_for import NOT_FOR
from .partitions import ALTER_PARTITION, LEADERS, proposal
from .state import *
from .topics import TOPICS

_DECLARED = ("P5", "P7s", "P13b", "P18", "W2", "P21r", "C2")
_EARLIER = p.is_(the(0, PARTITION))
_CROSSED = forall(p, index[p].is_(when(_EARLIER, the(0, INDEX), the(1, INDEX)))) & forall(
    p, placed[p].is_(when(_EARLIER, brokers_in_order(0, 1), brokers_in_order(1, 2)))
)
"""Two partitions that have one broker in common, which is not the first of both."""
_FIRST_OF_ALL = ~registered[b] & i.is_(ONCE) & previous.is_(epoch[b]) & forall(p, ~exists_[p])
_SECOND_AGAIN = (
    (registered[b] & b.is_(broker(1)) & i.is_(AGAIN) & incarnation[b].is_(some(ONCE)))
    # The first broker's epoch is 0: a broker that reports it as its own did not shut down cleanly.
    & (previous.is_(epoch[b]) | previous.is_(0))
)
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
        "changes": (
            "two brokers that have always read everything; a partition changes four times after its creation, so that an "
            "eligible leader replica is elected and the ISR grows again",
            NEW & at_home(2),
            {**LIFE, "Heartbeat": off.is_(log_end)},
            {"Broker": 2, "offset": 1, "leader_epoch": 4, "partition_epoch": 4},
        ),
        "pair": (
            "three brokers, the second of which may come back as a new process, cleanly or not; two partitions that begin with "
            "different leaders, each of which changes three times",
            NEW & at_home(3) & _CROSSED,
            {
                **LIFE,
                "RegisterBroker": HOME & WELL_TOLD & same_cluster & ~migrates & in_order(3) & (_FIRST_OF_ALL | _SECOND_AGAIN),
                "Heartbeat": off.is_(log_end) & ~want_fence & ~want_down,
                "ProposeIsr": proposal.is_(members(replicas[p]) & active) & proposal.isnt(members(isr[p])),
            },
            {"Broker": 3, "Directory": 4, "Incarnation": 2, "Partition": 2, "index": 1, "offset": 3, "leader_epoch": 3,
             "partition_epoch": 3},
        ),
    },
)  # fmt: skip
FIRST = excusing(EXPLORED, *NOT_FOR)
"""The slice with what its bounds are not for, as today's protocol has it."""
