"""`zk-data` as one protocol; `slices.py` has the bounds at which it is explored."""

from __future__ import annotations

from fencepost.model.language import Protocol, protocol

from .brokers import ASSUMED as ASSUMED_OF_BROKERS
from .brokers import CRASHES, FOLLOWERS, LEADERS, METADATA
from .controller import ASSUMED as ASSUMED_OF_CONTROLLER
from .controller import CONTROLLER
from .lemmas import LEMMAS
from .more_properties import MORE
from .properties import PROPERTIES

ZK_DATA: Protocol = protocol(
    "zk-data",
    CONTROLLER,
    METADATA,
    LEADERS,
    FOLLOWERS,
    CRASHES,
    properties=(*PROPERTIES, *MORE, *LEMMAS),
    assumptions=(*ASSUMED_OF_CONTROLLER, *ASSUMED_OF_BROKERS),
    about="Replication of one partition in the ZooKeeper era: a record acknowledged with acks=all survives every clean election.",
)
