"""Life cycles of KIP-46: a broker that fails, and a task of the queue."""

from __future__ import annotations

from fencepost.model.language.lives import Life

from .state import alive, b, controller, failed, healing, k, live, queued, running, timer

LIVES = (
    Life(
        "a broker that fails",
        "What the controller knows of it, and what it prepares (S1:29-31, 63-68): an entry in /admin/failed_brokers, the timer "
        "of kafka.heal.failure.interval, then the healing.",
        b,
        {
            "being healed": healing[b],
            "no controller": ~controller,
            "live": live[b] & (failed[b] < 0),
            "live, entry left": live[b],
            "failed, timer runs": timer[b] >= 0,
            "failed, no entry": failed[b] < 0,
            "failed, no timer": ~live[b],
        },
        "live",
        also=(alive[b], timer[b]),
    ),
    Life(
        "a task of the queue",
        "A sequential znode under /admin/reassign_partitions: a chunk of the partitions of a failed broker, or an operator's "
        "reassignment (S1:50-54, 68-76). One runs at a time.",
        k,
        {"no znode": ~queued[k] & ~running[k], "queued": queued[k] & ~running[k], "running": queued[k] & running[k]},
        "no znode",
    ),
)
"""The life cycles of KIP-46; their transitions are derived from the rows."""
