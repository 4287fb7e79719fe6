"""The KRaft controller as one protocol, and the slice of it that is explored: brokers and partitions."""

from __future__ import annotations

from fencepost.model.language import Bound, Protocol, empty, forall, nobody, protocol

from .brokers import CORDONING, FENCING, HEARTBEAT, REGISTRATION, dirs, off
from .cluster import ACTIVATION, CONFIGURATIONS, CONTROLLERS, FEATURES, IDLE, PRODUCERS
from .partitions import ALTER_PARTITION, ELECTIONS, LEADERS, TOPICS, has_allows, has_smallest, smallest
from .properties import PROPERTIES
from .state import DIRECTORY, asks, elr_level, index, log_end, mv, p, placed, s

try:
    from .lemmas import LEMMAS
except ImportError:
    LEMMAS = ()

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


def _bound(about: str, **sizes: int) -> Bound:
    every = {
        "Directory": 1, "Incarnation": 1, "Name": 1, "Partition": 1, "Request": 1, "Setting": 1, "Topic": 1, "Value": 1,
        "index": 0, "level": 33,
    }  # fmt: skip
    return Bound(
        {**every, **{name.replace("_", " "): size for name, size in sizes.items()}},
        start=mv.is_(33) & elr_level.is_(1) & forall(p, index[p].is_(0) & ~empty(placed[p])) & forall(s, ~asks[s]),
        given={
            "RegisterBroker": dirs.is_(nobody(DIRECTORY)),
            "Heartbeat": off <= log_end,
            "CreateTopic": has_smallest & ~has_allows,
        },
        about=about,
    )


EXPLORED: Protocol = KRAFT.slice(
    *_BROKERS_AND_PARTITIONS,
    name="kraft",
    bounds={
        "tiny": _bound("two brokers, one partition", Broker=2, offset=2, leader_epoch=2, partition_epoch=2, size=2),
        "small": _bound(
            "three brokers, three replicas", Broker=3, Incarnation=2, offset=3, leader_epoch=2, partition_epoch=2, size=2
        ),
    },
)
del smallest
