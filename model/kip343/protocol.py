"""KIP-343 as one protocol; `slices.py` has the parts of it that are explored."""

from __future__ import annotations

from fencepost.model.language import Protocol, empty, forall, protocol

from .brokers import CLOCK, FORMATION, HEARTBEATS_OF_BROKERS, PROCESSES
from .controller import FAILOVERS, HEARTBEATS, REGISTRATIONS, TIMER
from .lemmas import LEMMAS
from .liveness import LIVENESS
from .more_properties import MORE, SHOWN
from .partitions import ISR_CHANGES, LEADERS
from .properties import ASSUMPTIONS, PROPERTIES
from .state import LONGER, isr, p, replicas

KIP343: Protocol = protocol(
    "kip343",
    HEARTBEATS,
    TIMER,
    HEARTBEATS_OF_BROKERS,
    CLOCK,
    REGISTRATIONS,
    FAILOVERS,
    LEADERS,
    ISR_CHANGES,
    PROCESSES,
    FORMATION,
    properties=(*PROPERTIES, *MORE, *SHOWN, *LIVENESS, *LEMMAS),
    assumptions=ASSUMPTIONS,
    start=LONGER & forall(p, isr[p].is_(replicas[p]) & ~empty(replicas[p])),
    ends=True,
    about="KIP-343: brokers heartbeat to the controller, which declares the silent ones Inactive; the cut off fence themselves.",
)
