"""KIP-631's second version as one protocol; `slices.py` has the parts of it that are explored."""

from __future__ import annotations

from fencepost.model.language import Protocol, all_of, empty, forall, protocol

from .brokers import BROKERS, LOGS, NOT_RUNNING
from .lemmas import LEMMAS
from .membership import CONTROLLER, HEARTBEAT, REGISTRATION, SESSIONS, UNREGISTRATION
from .more_properties import MORE, SHOWN
from .partitions import ALTER_ISR, REASSIGNMENT
from .properties import ASSUMPTIONS, LIVENESS, PROPERTIES
from .state import *

FRESH = all_of(
    committed.is_(0),
    next_offset.is_(1),
    forall(b, ~registered[b]),
    forall(b, fenced[b]),
    forall(b, incarnation[b].is_(0)),
    forall(b, broker_epoch[b].is_(-1)),
    forall(b, last_contact[b].is_(-1)),
    forall(b, broker_state[b].is_(NOT_RUNNING)),
    forall(b, own_incarnation[b].is_(0)),
    forall(b, own_epoch[b].is_(-1)),
    forall(b, own_offset[b].is_(-1)),
    forall(b, ~recovered[b]),
    forall(b, ~serving[b]),
)
"""An active controller with an empty log; partitions with replicas, all of them in the ISR, and no broker registered."""

KIP631_V2: Protocol = protocol(
    "kip631-v2",
    CONTROLLER,
    REGISTRATION,
    HEARTBEAT,
    SESSIONS,
    UNREGISTRATION,
    BROKERS,
    LOGS,
    ALTER_ISR,
    REASSIGNMENT,
    properties=(*PROPERTIES, *MORE, *SHOWN, *LIVENESS, *LEMMAS),
    assumptions=ASSUMPTIONS,
    start=all_of(FRESH, (session >= 0) & (id_reuse >= 0), forall(p, ~empty(replicas[p]) & isr[p].is_(replicas[p]))),
    about="KIP-631, version 2: the metadata log, brokers that heartbeat with want-fence and want-shutdown, alterIsr, reassignment.",
)
