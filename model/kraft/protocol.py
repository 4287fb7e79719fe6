"""The KRaft controller as one protocol, and the slice of it that is explored: brokers and partitions."""

from __future__ import annotations

from fencepost.model.language import (
    TRUE,
    Bound,
    Protocol,
    Term,
    Threshold,
    all_of,
    ascending,
    forall,
    only,
    protocol,
    some,
    those,
)
from fencepost.model.language.terms import Lit

from .brokers import (
    FENCING,
    HEARTBEAT,
    REGISTRATION,
    UNREGISTRATION,
    dirs,
    off,
    tells_epoch,
    told,
    want_fence,
)
from .cluster import ACTIVATION, CONTROLLERS, FEATURES, IDLE, PRODUCERS
from .configurations import CONFIGURATIONS, SEVERAL
from .directories import ASSIGNMENT, CORDONING, OFFLINE
from .elections import ELECTIONS
from .lemmas import LEMMAS
from .partitions import ALTER_PARTITION, LEADERS
from .properties import PROPERTIES
from .reassignment import REASSIGNMENT
from .state import (
    BROKER,
    DIRECTORY,
    FEATURE,
    RANGE,
    asks,
    b,
    elr_level,
    elr_version,
    highest,
    home,
    index,
    log_end,
    lost_directory,
    lowest,
    metadata_version,
    migrating,
    mv,
    p,
    placed,
    r,
    range_feature,
    reported,
    s,
    unassigned,
    x,
)
from .topics import GROWTH, TOPICS, has_allows, has_smallest, smallest

KRAFT: Protocol = protocol(
    "kraft",
    REGISTRATION,
    UNREGISTRATION,
    HEARTBEAT,
    OFFLINE,
    CORDONING,
    ASSIGNMENT,
    FENCING,
    LEADERS,
    ALTER_PARTITION,
    REASSIGNMENT,
    ELECTIONS,
    TOPICS,
    GROWTH,
    ACTIVATION,
    FEATURES,
    CONFIGURATIONS,
    SEVERAL,
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


everybody = ascending(those(x, TRUE))


def _bound(about: str, heartbeats: Term[bool], **sizes: int) -> Bound:
    brokers = sizes["Broker"]
    every = {
        "Feature": 1, "Incarnation": 1, "Name": 1, "Partition": 1, "Range": 1, "Request": 1, "Setting": 1, "Topic": 1,
        "Value": 1, "copies": 1, "index": 0, "level": 33,
    }  # fmt: skip
    reserved, feature, levels = Lit(0, DIRECTORY), Lit(0, FEATURE), Lit(0, RANGE)
    return Bound(
        {"Directory": brokers + 1, **every, **{name.replace("_", " "): size for name, size in sizes.items()}},
        start=mv.is_(33)
        & elr_level.is_(1)
        # The reserved directories need not be told apart: none of them is ever assigned here.
        & unassigned.is_(reserved)
        & migrating.is_(reserved)
        & lost_directory.is_(reserved)
        & all_of(*(home[Lit(number, BROKER)].is_(Lit(number + 1, DIRECTORY)) for number in range(brokers)))
        & metadata_version.is_(feature)
        & elr_version.is_(feature)
        & range_feature[levels].is_(feature)
        & lowest[levels].is_(0)
        & highest[levels].is_(33)
        & forall(p, index[p].is_(0) & placed[p].is_(everybody))
        & forall(s, ~asks[s]),
        given={
            "RegisterBroker": dirs.is_(only(some(home[b]))) & told.is_(those(r, TRUE)) & tells_epoch,
            "Heartbeat": heartbeats,
            "CreateTopic": has_smallest & smallest.is_(Threshold(2)) & ~has_allows,
        },
        about=about,
    )


EXPLORED: Protocol = KRAFT.slice(
    *_BROKERS_AND_PARTITIONS,
    name="kraft",
    # The bounds begin with the eligible leader replicas enabled, and with no minimum of the cluster that could change.
    properties=tuple(one.id for one in KRAFT.properties if one.id not in ("K7", "K7c", "L9", "L10", "L11", "P21r", "P28")),
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
