"""The lives of brokers, and of what else has one, in each protocol: the states by the names that its source uses.

Which row leads from which state to which is not said here: it is found from the rows.
"""

from __future__ import annotations

from .kip46 import state as kip46
from .kip343 import state as kip343
from .kip631.v1 import state as v1
from .kip631.v2 import state as v2
from .kraft import state as kraft
from .language.lives import Life

KIP343 = (
    Life(
        "a broker, as the controller sees it",
        "The states of S0:70-73. Initial is not among them: it is the state in which a broker asks, and the controller never "
        "keeps it.",
        kip343.b,
        {one.value: kip343.state[kip343.b].is_(one) for one in kip343.BrokerState},
        "Inactive",
        apart=("HF1",),
    ),
    Life(
        "a broker's own process",
        "Whether it takes new requests (S0:44): it fences itself when its own timer is over, whatever the controller thinks.",
        kip343.b,
        {
            "not running": ~kip343.running[kip343.b],
            "fenced": kip343.fenced[kip343.b],
            "serving": ~kip343.fenced[kip343.b],
        },
        "not running",
        apart=("HF1",),
    ),
)

KIP46 = (
    Life(
        "a broker that fails",
        "What the controller knows of it, and what it prepares (S1:29-31, 63-68): an entry in /admin/failed_brokers, the timer "
        "of kafka.heal.failure.interval, then the healing.",
        kip46.b,
        {
            "being healed": kip46.healing[kip46.b],
            "no controller": ~kip46.controller,
            "live": kip46.live[kip46.b] & (kip46.failed[kip46.b] < 0),
            "live, entry left": kip46.live[kip46.b],
            "failed, timer runs": kip46.timer[kip46.b] >= 0,
            "failed, no entry": kip46.failed[kip46.b] < 0,
            "failed, no timer": ~kip46.live[kip46.b],
        },
        "live",
        also=(kip46.alive[kip46.b], kip46.timer[kip46.b]),
    ),
    Life(
        "a task of the queue",
        "A sequential znode under /admin/reassign_partitions: a chunk of the partitions of a failed broker, or an operator's "
        "reassignment (S1:50-54, 68-76). One runs at a time.",
        kip46.k,
        {
            "no znode": ~kip46.queued[kip46.k] & ~kip46.running[kip46.k],
            "queued": kip46.queued[kip46.k] & ~kip46.running[kip46.k],
            "running": kip46.queued[kip46.k] & kip46.running[kip46.k],
        },
        "no znode",
    ),
)

KIP631_V1 = (
    Life(
        "a broker, as the metadata has it",
        "Registered and fenced are what records say; a broker that asked for its controlled shutdown is known to the active "
        "controller only.",
        v1.b,
        {
            "not registered": ~v1.registered[v1.b],
            "fenced": v1.fenced[v1.b],
            "active": ~v1.shutting_down[v1.b],
            "active, shutting down": v1.shutting_down[v1.b],
        },
        "not registered",
    ),
    Life(
        "a broker's own process",
        "The states of S2:123. FENCED and RUNNING are what the controller's answers and the end of its own lease make of it.",
        v1.b,
        {one.value: v1.broker_state[v1.b].is_(one) for one in v1.BrokerState},
        "NOT_RUNNING",
    ),
)

KIP631_V2 = (
    Life(
        "a broker, as the metadata has it",
        "Registered and fenced are what records say; a broker that wants to shut down is known to the active controller only.",
        v2.b,
        {
            "not registered": ~v2.registered[v2.b],
            "fenced": v2.fenced[v2.b],
            "active": ~v2.shutting_down[v2.b],
            "active, shutting down": v2.shutting_down[v2.b],
        },
        "not registered",
    ),
    Life(
        "a broker's own process",
        "The states of S2:66-79. No arrow leads back from RUNNING to a fenced state: a broker that is fenced serves on.",
        v2.b,
        {one.value: v2.broker_state[v2.b].is_(one) for one in v2.BrokerState},
        "NOT_RUNNING",
    ),
)

KRAFT = (
    Life(
        "a broker, as the metadata has it",
        "The states of Kafka's BrokerControlState, from the registration: fenced, and in controlled shutdown.",
        kraft.b,
        {
            "not registered": ~kraft.registered[kraft.b],
            "FENCED": kraft.fenced[kraft.b],
            "UNFENCED": ~kraft.ics[kraft.b],
            "CONTROLLED_SHUTDOWN": kraft.ics[kraft.b],
        },
        "not registered",
        also=(kraft.soft_fenced[kraft.b], kraft.shutdown_offset[kraft.b]),
    ),
)

LIVES: dict[str, tuple[Life, ...]] = {
    "kip343": KIP343,
    "kip46": KIP46,
    "kip631-v1": KIP631_V1,
    "kip631-v2": KIP631_V2,
    "kraft": KRAFT,
}
"""By the name of the protocol."""
