"""The bounds at which `zk-data` is explored: the theorem without the ghosts of the proof, all lemmas with them, what comes about."""

from __future__ import annotations

from dataclasses import replace

from fencepost.model.kraft_data.slices import without_ghosts
from fencepost.model.language import FALSE, Always, Bound, Protocol, Step, declaring

from .more_properties import MORE, SEEN
from .not_for import NOT_FOR
from .properties import STATES, WITNESSES
from .protocol import ZK_DATA

SIZES = ("Broker", "offset", "leader epoch", "partition epoch", "broker epoch")


def bound(*sizes: int, without: tuple[str, ...] = ()) -> Bound:
    """Return the bound of so many brokers, records, leader epochs, versions of the znode, and broker epochs, without some events."""
    return Bound(dict(zip(SIZES, sizes, strict=True)), given=dict.fromkeys(without, FALSE))


CLAIMS: Protocol = replace(
    without_ghosts(ZK_DATA, "ZDM1", "ZDM2"),
    name="zk-data",
    base=None,
    why="",
    properties=(*STATES, *WITNESSES),
    bounds={
        "tiny": bound(1, 1, 3, 3, 2),
        "members": bound(2, 1, 2, 3, 1),
        "records": bound(2, 2, 2, 2, 1),
        "restarts": bound(2, 1, 3, 3, 2),
    },
    ends=True,
)
"""The theorem of every state, without what is noted for the proof."""
STEPS: tuple[Step, ...] = tuple(one for one in MORE if isinstance(one, Step))
LEMMATA: Protocol = replace(
    ZK_DATA,
    name="zk-data_lemmas",
    properties=(*STATES, *(one for one in ZK_DATA.properties if isinstance(one, Always)), *STEPS, *WITNESSES),
    bounds={"one": bound(1, 1, 3, 3, 2), "pair": bound(2, 1, 2, 2, 1), "deep": bound(2, 2, 2, 2, 1)},
    ends=True,
)
"""All lemmas, too, and what is claimed of steps."""
COMES_ABOUT: Protocol = replace(
    CLAIMS,
    name="zk-data_seen",
    properties=SEEN,
    bounds={
        "quiet": bound(2, 1, 2, 3, 1, without=("Stop",)),
        "logs": bound(2, 2, 2, 2, 1, without=("Stop", "ReplicaOffline", "ExpandIsr", "ShrinkIsr")),
        "back": bound(2, 1, 2, 2, 2, without=("Elect", "ExpandIsr", "ShrinkIsr", "Append")),
    },
)
"""Reachability properties, at bounds that leave out every event that they do not need."""
SLICES: tuple[Protocol, ...] = declaring((CLAIMS, LEMMATA, COMES_ABOUT), *NOT_FOR)
