"""The KRaft controller as one protocol, and the slice of it that is explored: brokers and partitions."""

from __future__ import annotations

from fencepost.model.language import (
    TRUE,
    Bound,
    Protocol,
    Term,
    Threshold,
    ascending,
    assume,
    forall,
    nobody,
    protocol,
    those,
)

from .brokers import CORDONING, FENCING, HEARTBEAT, REGISTRATION, dirs, off, want_down, want_fence
from .cluster import ACTIVATION, CONFIGURATIONS, CONTROLLERS, FEATURES, IDLE, PRODUCERS
from .lemmas import LEMMAS
from .partitions import ALTER_PARTITION, ELECTIONS, LEADERS, TOPICS, has_allows, has_smallest, smallest
from .properties import PROPERTIES
from .state import DIRECTORY, asks, b, elr_level, ics, index, log_end, mv, p, placed, reported, s, x

KRAFT: Protocol = protocol(
    "kraft",
    REGISTRATION,
    HEARTBEAT,
    CORDONING,
    FENCING,
    LEADERS,
    ALTER_PARTITION,
    ELECTIONS,
    TOPICS,
    ACTIVATION,
    FEATURES,
    CONFIGURATIONS,
    CONTROLLERS,
    PRODUCERS,
    IDLE,
    properties=(*PROPERTIES, *LEMMAS),
    assumptions=(
        assume(
            "AS1",
            ics[b].implies(want_down),
            "A broker that shuts down goes on asking for it: the mark on its registration cannot be taken back (D11).",
            "BrokerLifecycleManager.scala",
            event="Heartbeat",
        ),
    ),
    start=mv.is_(0) & elr_level.is_(0),
    log_end=log_end,
    about="The KRaft controller of Kafka 4.4: brokers, partitions, topics, and what a real log needs beside them.",
)

_BROKERS_AND_PARTITIONS = (
    REGISTRATION.name,
    HEARTBEAT.name,
    FENCING.name,
    LEADERS.name,
    ALTER_PARTITION.name,
    ELECTIONS.name,
    TOPICS.name,
)


everybody = ascending(those(x, TRUE))


def _bound(about: str, heartbeats: Term[bool], **sizes: int) -> Bound:
    every = {
        "Directory": 1, "Incarnation": 1, "Name": 1, "Partition": 1, "Request": 1, "Setting": 1, "Topic": 1, "Value": 1,
        "index": 0, "level": 33,
    }  # fmt: skip
    return Bound(
        {**every, **{name.replace("_", " "): size for name, size in sizes.items()}},
        start=mv.is_(33)
        & elr_level.is_(1)
        & forall(p, index[p].is_(0) & placed[p].is_(everybody))
        & forall(s, ~asks[s]),
        given={
            "RegisterBroker": dirs.is_(nobody(DIRECTORY)),
            "Heartbeat": heartbeats,
            "CreateTopic": has_smallest & smallest.is_(Threshold(2)) & ~has_allows,
        },
        about=about,
    )


EXPLORED: Protocol = KRAFT.slice(
    *_BROKERS_AND_PARTITIONS,
    name="kraft",
    # The bounds begin with the eligible leader replicas enabled, and with no minimum of the cluster that could change.
    properties=tuple(one.id for one in KRAFT.properties if one.id != "N10"),
    bounds={
        "tiny": _bound(
            "two brokers that have always read everything, one partition",
            off.is_(log_end),
            Broker=2, offset=1, leader_epoch=1, partition_epoch=1, size=2,
        ),
        "restart": _bound(
            "two brokers, each of which may come back as a new process",
            off.is_(log_end) & ~want_fence,
            Broker=2, Incarnation=2, offset=2, leader_epoch=1, partition_epoch=1, size=2,
        ),
        "lag": _bound(
            "two brokers that read the log late",
            (off <= log_end) & (reported[b] <= off),
            Broker=2, offset=2, leader_epoch=1, partition_epoch=1, size=2,
        ),
        "small": _bound(
            "three brokers, three replicas",
            off.is_(log_end) & ~want_fence,
            Broker=3, offset=2, leader_epoch=1, partition_epoch=1, size=3,
        ),
    },
)  # fmt: skip
