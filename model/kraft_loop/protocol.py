"""`kraft-loop` as one protocol; `slices.py` has the bounds at which it is explored."""

from __future__ import annotations

from fencepost.model.language import Protocol, protocol

from .answers import CLAIMS
from .commits import COMMITS, LOADS
from .leadership import ACTIVATION, LEADERSHIP
from .lemmas import LEMMAS
from .liveness import LIVENESS
from .properties import PROPERTIES
from .raft import RAFT
from .requests import READS, REQUESTS, TASKS

KRAFT_LOOP: Protocol = protocol(
    "kraft-loop",
    RAFT,
    LEADERSHIP,
    ACTIVATION,
    REQUESTS,
    TASKS,
    COMMITS,
    LOADS,
    READS,
    properties=(*PROPERTIES, *CLAIMS, *LIVENESS, *LEMMAS),
    about="The event loop of the KRaft controller: what every node of the quorum does between a request and its committed records.",
)
