"""KIP-631 version 1 as one protocol; `slices.py` has its bounds."""

from __future__ import annotations

from fencepost.model.language import Protocol, forall, members, protocol

from .brokers import ANSWERS, STATE_MACHINE
from .heartbeats import HEARTBEATS
from .leases import CONTROLLERS, LEASES
from .lemmas import LEMMAS
from .more_properties import MORE, SHOWN
from .partitions import PARTITIONS
from .properties import ASSUMPTIONS, PROPERTIES
from .registration import REGISTRATION
from .state import id_reuse, isr, longest_lease, next_lease, p, replicas

SETTINGS_FIT = (next_lease > 0) & (next_lease <= longest_lease) & (longest_lease <= id_reuse)
"""An id is not given away while its last holder may have a lease; S2 says no more than "a certain amount of time"."""

KIP631_V1: Protocol = protocol(
    "kip631-v1",
    REGISTRATION,
    HEARTBEATS,
    LEASES,
    CONTROLLERS,
    PARTITIONS,
    STATE_MACHINE,
    ANSWERS,
    properties=(*PROPERTIES, *MORE, *SHOWN, *LEMMAS),
    assumptions=ASSUMPTIONS,
    start=SETTINGS_FIT & forall(p, isr[p].is_(members(replicas[p])) & ~isr[p].is_(isr[p] - isr[p])),
    about="The first version of KIP-631: leases, the handshake of two heartbeats, and brokers that fence themselves.",
)
