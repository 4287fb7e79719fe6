"""The KRaft controller as one protocol; `slices.py` has the parts of it that are explored."""

from __future__ import annotations

from fencepost.model.language.vocabulary import *

from .brokers import EXPIRED, FENCING, HEARTBEAT, REGISTRATION, UNREGISTRATION
from .cluster import ACTIVATION, CONTROLLERS, FEATURES, IDLE, PRODUCERS
from .configurations import CONFIGURATIONS, SEVERAL
from .directories import ASSIGNMENT, BOTH, CORDONING, OFFLINE
from .elections import ELECTIONS
from .leadership_properties import PROPERTIES as LEADERSHIP
from .lemmas import LEMMAS
from .membership_properties import PROPERTIES as MEMBERSHIP
from .partitions import ALTER_PARTITION, LEADERS
from .properties import PROPERTIES
from .reach_properties import PROPERTIES as REACH
from .reassignment import REASSIGNMENT
from .request_properties import PROPERTIES as REQUESTS
from .security import SECURITY
from .security_properties import PROPERTIES as SECURED
from .state import *
from .topics import GROWTH, TOPICS

KRAFT: Protocol = protocol(
    "kraft",
    REGISTRATION,
    UNREGISTRATION,
    HEARTBEAT,
    EXPIRED,
    OFFLINE,
    BOTH,
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
    *SECURITY,
    properties=(*PROPERTIES, *LEADERSHIP, *MEMBERSHIP, *REQUESTS, *REACH, *SECURED, *LEMMAS),
    start=mv.is_(0)
    & elr_level.is_(0)
    & forall(p, forall(q, (topic[p].is_(topic[q]) & index[p].is_(index[q])).implies(p.is_(q)))),
    log_end=log_end,
    about="The KRaft controller of Kafka 4.4: brokers, partitions, topics, and what a real log needs beside them.",
)
