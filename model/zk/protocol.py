"""The ZooKeeper-era controller as one protocol; `slices.py` has the parts of it that are explored."""

from __future__ import annotations

from fencepost.model.language import Protocol, protocol

from .alter import ALTER_PARTITION
from .answers import ANSWERS
from .beginnings import BEGINNINGS
from .deletion import DELETION
from .kept import KEPT
from .lemmas import LEMMAS
from .liveness import LIVENESS
from .messages import MESSAGES
from .operations import BROKER_CHANGES, CREATION, ELECTIONS, FAILOVER, LOG_DIRECTORIES
from .partitions import PARTITIONS
from .phases import PHASES
from .properties import ASSUMPTIONS, PROPERTIES
from .reassignment import REASSIGNMENT
from .replicas import REPLICAS
from .requests import REQUESTS
from .sessions import BROKERS_TABLE, SESSIONS
from .written import WRITTEN

ZK: Protocol = protocol(
    "zk",
    PARTITIONS,
    REPLICAS,
    SESSIONS,
    BROKERS_TABLE,
    CREATION,
    BROKER_CHANGES,
    LOG_DIRECTORIES,
    FAILOVER,
    ELECTIONS,
    REASSIGNMENT,
    DELETION,
    ALTER_PARTITION,
    REQUESTS,
    properties=(*PROPERTIES, *WRITTEN, *ANSWERS, *BEGINNINGS, *PHASES, *MESSAGES, *KEPT, *LIVENESS, *LEMMAS),
    assumptions=ASSUMPTIONS,
    about="The controller of Kafka 3.9 over ZooKeeper: two state machines, the operations that call them, and who may write.",
)
