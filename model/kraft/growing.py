"""The slice of KRaft in which a topic gets partitions later."""

from __future__ import annotations

from fencepost.model.language.vocabulary import *

from .bounds import HOME, LIFE, NEVER_HERE, NEW, STRAIGHT, at_home, broker, once, slice_of, the
from .brokers import HEARTBEAT, REGISTRATION, off, want_down, want_fence
from .configurations import n
from .protocol import KRAFT
from .records import TOPIC_RECORD
from .state import *
from .topics import GROWTH, TOPICS, adds, born, has_allows, has_smallest, manual

_EARLIER = p.is_(the(0, PARTITION))
_BEFORE = KRAFT.but(
    "CT3",
    effects=(TOPIC_RECORD(t, name=n), every(p, topic[p].is_(t) & ~adds[p], born(p, t))),
    name="kraft",
    why="a bound has so many partitions, and creation leaves those for later that the other request adds",
)
GROWING = slice_of(
    "kraft_growth",
    REGISTRATION.name,
    HEARTBEAT.name,
    TOPICS.name,
    GROWTH.name,
    of=_BEFORE,
    # Creation makes all partitions at once (C13), but not by the rows of this slice; one partition more shows no C2 (D30).
    unclaimed=(*NEVER_HERE, "P5", "P7s", "P13b", "P18", "P18d", "W2", "W4", "W5", "C2", "C13"),
    bounds={
        "growth": (
            "two brokers, the second of which may be fenced when a topic gets its second partition there",
            NEW
            & at_home(2)
            & forall(p, index[p].is_(when(_EARLIER, the(0, INDEX), the(1, INDEX))) & adds[p].is_(~_EARLIER))
            & forall(p, placed[p].is_(when(_EARLIER, only(some(broker(0))), only(some(broker(1)))))),
            {
                **LIFE,
                "RegisterBroker": HOME & STRAIGHT & once(2),
                "Heartbeat": off.is_(log_end) & ~want_down & want_fence.implies(b.is_(broker(1))),
                "CreateTopic": ~manual & ~has_smallest & ~has_allows,
            },
            {"Broker": 2, "Partition": 2, "index": 1, "offset": 1, "leader_epoch": 1, "partition_epoch": 1},
        )
    },
)
