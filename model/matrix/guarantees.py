"""The nine guarantees that every design is asked for."""

from __future__ import annotations

from .cell import Guarantee

GUARANTEES: tuple[Guarantee, ...] = (
    Guarantee(
        "M1",
        "Fenced brokers lead nothing",
        "A broker that the controller takes for fenced or dead is not named as a leader.",
    ),
    Guarantee(
        "M2",
        "At most one leader an epoch",
        "A change of a partition's leader raises the leader epoch where it is written down, so replicas can tell old "
        "leaders by it.",
    ),
    Guarantee(
        "M3", "No two believers", "At no moment do two brokers serve one partition, each of them sure to be its leader."
    ),
    Guarantee(
        "M4",
        "Cut off, it stops serving",
        "A broker that can no longer reach the controller stops serving clients after a bounded time, by itself.",
    ),
    Guarantee(
        "M5",
        "No acknowledged record is lost",
        "A record that was acknowledged with acks=all, below the high watermark of a leader of any epoch, is in the log of every "
        "later leader at its offset, short of an unclean election.",
    ),
    Guarantee(
        "M6",
        "A bounce is noticed",
        "A broker that died and came back before the controller noticed still receives the full state again, as a new process.",
    ),
    Guarantee(
        "M7",
        "A stale controller changes nothing",
        "A controller that has been replaced, and does not know it, changes no state of the cluster any more.",
    ),
    Guarantee(
        "M8",
        "Failover loses no work",
        "What a controller had begun when it died is finished, or begun again, by the next one; asked where the "
        "tables hold something that a failover could lose.",
    ),
    Guarantee(
        "M9",
        "Every dead broker is handled",
        "A broker that dies and stays dead is fenced, or its replicas are moved, in the end: asked of every design as a "
        "claim of runs without end, under the fairness that its verdict names.",
    ),
)
