"""KIP-46 as one protocol; `slices.py` has the bounds at which it is explored."""

from __future__ import annotations

from fencepost.model.language import Protocol, assume, protocol

from .discovery import DISCOVERY, FAILOVER, PROCESSES
from .mitigation import HEALING, TASKS
from .more_properties import MORE
from .properties import PROPERTIES
from .state import interval

KIP46: Protocol = protocol(
    "kip46",
    PROCESSES,
    DISCOVERY,
    HEALING,
    TASKS,
    FAILOVER,
    properties=(*PROPERTIES, *MORE),
    assumptions=(assume("SA1", interval >= -1, "The interval is a time, or -1.", "S1:112"),),
    about="A cluster that heals itself: the partitions of a broker that stays away are moved in chunks, one after the other.",
)
