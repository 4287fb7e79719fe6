"""`kraft-voters` as one protocol; `slices.py` has the bounds at which it is explored."""

from __future__ import annotations

from fencepost.model.kraft_data.quantified import for_all
from fencepost.model.language import Protocol, exists, protocol

from .changes import ADDED, JOINS, REMOVED, UPDATED, UPGRADED
from .lemmas import LEMMAS
from .properties import PROPERTIES
from .raft import ASSUMED, RAFT
from .state import *

START = (
    exists(k, k.in_(configured))
    & for_all(c, k, (c.in_(configured) & k.in_(configured) & node_id[c].is_(node_id[k])).implies(c.is_(k)))
    & formatted.implies(for_all(k, k.in_(configured).implies(supports[k])))
)
"""There is a voter, no node twice, and a node that is formatted with kraft.version 1 knows it."""
KRAFT_VOTERS: Protocol = protocol(
    "kraft-voters",
    RAFT,
    ADDED,
    REMOVED,
    UPDATED,
    UPGRADED,
    JOINS,
    properties=(*PROPERTIES, *LEMMAS),
    assumptions=ASSUMED,
    start=START,
    about="The voters of the controller quorum: who elects and commits while AddRaftVoter and RemoveRaftVoter change who does.",
)
