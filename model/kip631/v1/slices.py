"""The bounds at which version 1 is explored."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from fencepost.model.language.vocabulary import *

from .brokers import error, length, next, sent
from .messages import current, epoch, offset, target
from .not_for import NOT_FOR
from .partitions import reached
from .protocol import KIP631_V1
from .registration import process, supports
from .state import *

Given = Mapping[str, Term[bool]]
NEVER = FALSE
SIZES = {
    "Broker": 1, "Partition": 1, "Exchange": 1, "time": 4, "offset": 6, "incarnation": 1, "leader epoch": 3,
}  # fmt: skip


def broker(number: int) -> Term[Broker]:
    """Return the broker of a bound with a number."""
    return Lit(number, BROKER)  # type: ignore[arg-type]


ALL_REPLICAS = forall(p, replicas[p].is_(ascending(those(x, TRUE))))


def settings(lease: int, longest: int, reuse: int) -> Term[bool]:
    """Return the assumption that these are the settings, in ticks, and every broker has a replica."""
    return next_lease.is_(lease) & longest_lease.is_(longest) & id_reuse.is_(reuse) & ALL_REPLICAS


QUIET: Given = {
    "Register": supports,
    "StartBroker": process.is_(started[b] + 1),
    "ChooseLease": NEVER,
    "ControllerFails": NEVER,
    "RecoverLogs": NEVER,
    "BeginShutdown": NEVER,
    "Commit": reached.is_(next_offset - 1),
    "ApplyMetadata": reached.is_(committed),
}


def until(last: int) -> Given:
    """Return the assumption that time passes by single ticks, up to a time."""
    return {"TimePasses": to.is_(now + 1) & (now < last)}


def led(times: int) -> Given:
    """Return the assumption that a partition has so many leader epochs, and those that it loses by fences."""
    return {"ElectLeader": leader_epoch[p] < times}


def given(*parts: Given) -> Given:
    """Return the assumptions of all the parts; a later one counts for an event."""
    return {event: term for part in parts for event, term in part.items()}


ONE: Term[Exchange] = Lit(0, EXCHANGE)  # type: ignore[arg-type]
ALONE: Given = {
    "Heartbeat": epoch.is_(says_epoch[ONE])
    & current.is_(says_current[ONE])
    & target.is_(says_target[ONE])
    & offset.is_(says_offset[ONE]),
    "HeartbeatReply": error.is_(Error.NONE)
    & next.is_(says_next[ONE])
    & sent.is_(sent_at[ONE])
    & length.is_(says_lease[ONE]),
    "RegisterReply": error.is_(Error.NONE),
}
"""With one message on its way at a time, what it says: the parameters need not be searched for."""

CURRENT = (next_offset <= committed + 1) & own_offset[b].is_(committed)
"""Everything is committed, and the broker has read it."""

# -- brokers that serve already --------------------------------------------------------------------------------------------
set_up = event("Running", environment=True, source="S2:123")
RUNNING = table(
    "a running cluster",
    set_up(
        "VS1",
        next_offset.is_(1),
        next_offset.becomes(2),
        committed.becomes(1),
        every(
            x,
            TRUE,
            registered[x].becomes(TRUE),
            incarnation[x].becomes(1),
            broker_epoch[x].becomes(0),
            fenced[x].becomes(FALSE),
            registered_at[x].becomes(1),
            fenced_at[x].becomes(1),
            last_contact[x].becomes(now),
            lease_end[x].becomes(now + next_lease),
            reported_offset[x].becomes(1),
            own_incarnation[x].becomes(1),
            own_epoch[x].becomes(0),
            broker_state[x].becomes(BrokerState.RUNNING),
            own_lease_end[x].becomes(now + next_lease),
            serving[x].becomes(TRUE),
            own_offset[x].becomes(1),
            started[x].becomes(1),
            asked[x].becomes(1),
            answered[x].becomes(1),
            answered_epoch[x].becomes(0),
            supported[x].becomes(TRUE),
            told_active[x].becomes(0),
            every(p, TRUE, leads[x, p].becomes(head(replicas[p]).is_(x)), seen_epoch[x, p].becomes(1)),
        ),
        every(
            p,
            TRUE,
            leader[p].becomes(head(replicas[p])),
            leader_epoch[p].becomes(1),
            leader_in[p, leader_epoch[p] + 1].becomes(head(replicas[p])),
            led_at[p].becomes(1),
        ),
    ),
    about="Where some bounds begin: every broker is registered, unfenced and in sync, and has a lease from now on.",
)
FIRST, SECOND = broker(0), broker(1)
begun = next_offset > 1
written = next_offset <= committed + 1


def running(*parts: Given) -> Given:
    """Return the assumptions of a bound that begins with a running cluster, and whose log is committed at once."""
    found = given(QUIET, {"StartBroker": process.is_(started[b] + 1)}, *parts)
    kept = {"Commit": begun, "Running": TRUE}
    return {event: all_of(found.get(event, TRUE), kept.get(event, written & begun)) for event in (*EVENTS, "Running")}


EVENTS = tuple(event.name for event in KIP631_V1.events)
_SET_UP = ("VS1", "it puts a running cluster there, in place of the steps that lead to one")
RUNNING_V1 = replace(
    KIP631_V1,
    name="kip631-v1_running",
    tables=(*KIP631_V1.tables, RUNNING),
    properties=tuple(
        replace(one, rows=(), left_out=(*one.left_out, _SET_UP)) if isinstance(one, Step) and not one.by_name else one
        for one in KIP631_V1.properties
    ),
    ends=True,
)

BOUNDS = {
    "tiny": Bound(
        {**SIZES, "offset": 6, "leader epoch": 2, "time": 3},
        start=settings(1, 1, 1),
        given=given(QUIET, ALONE, until(2), led(1), {"StopBroker": NEVER, "SendHeartbeat": CURRENT}),
        about="one broker that registers once and reads all metadata; its lease may end",
    )
}
second_reads = own_offset[SECOND].is_(committed)
MOVED = {"ElectLeader": absent(leader[p]) & (leader_epoch[p] < 3)}
"""Leaders are elected only where there is none."""
NO_NEWS: Given = {"StopBroker": NEVER, "Register": NEVER, "CatchUp": NEVER}


def second_prompt(found: Given) -> Given:
    """Return the assumptions, and that the second broker reads all metadata before anything else happens."""
    spared = {"Commit": TRUE, "Running": TRUE, "ApplyMetadata": b.is_(SECOND) | second_reads}
    return {event: all_of(term, spared.get(event, second_reads)) for event, term in found.items()}


def claims(protocol: Protocol, bounds: Mapping[str, Bound], *claimed: str) -> Protocol:
    """Return a slice with its bounds; it claims what holds always, and of all else these."""
    kept = tuple(
        one
        for one in protocol.properties
        if one.id in claimed or (isinstance(one, (Always, Step)) and one.expected == "holds")
    )
    return replace(protocol, properties=kept, bounds=dict(bounds), ends=True)


ONE_BROKER = {**SIZES, "offset": 6, "leader epoch": 4, "time": 4}
TWO_BROKERS = {**SIZES, "Broker": 2}
SERVING = {
    "moved": Bound(
        {**TWO_BROKERS, "offset": 6, "leader epoch": 3, "time": 1},
        start=settings(1, 1, 1),
        given=running(ALONE, until(0), led(3), NO_NEWS, {"SendHeartbeat": NEVER}),
        about="two brokers that serve, and an operator who moves the leader",
    ),
    "small": Bound(
        {**TWO_BROKERS, "offset": 9, "leader epoch": 4, "time": 3},
        start=settings(1, 1, 1),
        given=second_prompt(running(ALONE, until(2), NO_NEWS, MOVED, {"CatchUp": b.is_(SECOND)})),
        about="two brokers that serve, of which the second reads all metadata at once; the lease of each may end",
    ),
    "shutdown": Bound(
        {**TWO_BROKERS, "offset": 6, "leader epoch": 3, "time": 2},
        start=settings(1, 1, 1),
        given=running(ALONE, until(1), led(2), NO_NEWS, {"BeginShutdown": b.is_(FIRST)}),
        about="two brokers that serve, of which the first is asked to stop",
    ),
}
SOON = all_of(ALONE["Heartbeat"], now < 2)
"""So that time is left for a lease to end that a heartbeat of a dead process gives."""
FAILING = {
    "failover": Bound(
        ONE_BROKER,
        start=settings(1, 1, 1),
        given=running(ALONE, until(3), MOVED, NO_NEWS, {"ControllerFails": now < 1}),
        about="a broker that serves, and a controller that may fail",
    )
}
DYING = {
    "death": Bound(
        ONE_BROKER,
        start=settings(1, 1, 1),
        given=running(
            ALONE,
            MOVED,
            NO_NEWS,
            {"ControllerFails": now < 1, "StopBroker": now < 1, "Heartbeat": SOON},
            {"TimePasses": to.is_(now + 1) & (now < 3) & (active | (now < 1))},
        ),
        about="a broker that serves and may die, and a controller that may fail",
    )
}
LENGTHS = {
    "lengths": Bound(
        {**ONE_BROKER, "time": 5},
        start=settings(2, 2, 2),
        given=running(ALONE, until(3), MOVED, NO_NEWS, {"ChooseLease": TRUE}),
        about="a broker that serves, and a controller that chooses longer and shorter leases",
    )
}
OVERTAKING = {
    "overtaken": Bound(
        {**SIZES, "Exchange": 2, "offset": 3, "leader epoch": 1, "time": 1},
        start=settings(1, 1, 1),
        given=given(
            QUIET, until(0), {"StopBroker": NEVER, "ElectLeader": NEVER, "HeartbeatReply": error.is_(Error.NONE)}
        ),
        about="a broker that registers, two of whose heartbeats may be on their way at once",
    )
}
STOPPING = {
    "stopping": Bound(
        {**ONE_BROKER, "time": 3},
        start=settings(1, 1, 1),
        given=running(ALONE, until(2), MOVED, NO_NEWS, {"BeginShutdown": TRUE, "StopBroker": TRUE}),
        about="a broker that is asked to stop, and is the only replica",
    )
}
BOUNCING = {
    "bounce": Bound(
        {**ONE_BROKER, "offset": 8, "leader epoch": 3, "time": 5, "incarnation": 2},
        start=settings(1, 1, 1),
        given={
            **running(ALONE, until(4), MOVED),
            **given(
                QUIET,
                ALONE,
                until(4),
                {
                    "StartBroker": (process.is_(started[b] + 1)) & begun,
                    "StopBroker": own_incarnation[b].is_(1),
                    "CatchUp": NEVER,
                    "ElectLeader": NEVER,
                    "RecoverLogs": TRUE,
                    "Running": TRUE,
                    "TimePasses": to.is_(now + 1) & (now < 4) & begun,
                },
            ),
        },
        about="a broker that serves, dies, and comes back as another process, while what the first one sent is late",
    )
}
SLICES: tuple[Protocol, ...] = declaring(
    (
        claims(KIP631_V1, BOUNDS, "K11", "W1", "W4", "W5"),
        claims(RUNNING_V1, SERVING, "M3"),
        claims(replace(RUNNING_V1, name="kip631-v1_failover"), FAILING, "K10", "K11"),
        claims(replace(RUNNING_V1, name="kip631-v1_death"), DYING, "K10", "M9"),
        claims(replace(RUNNING_V1, name="kip631-v1_leases"), LENGTHS, "K10"),
        claims(replace(KIP631_V1, name="kip631-v1_reordering"), OVERTAKING, "K11"),
        claims(replace(RUNNING_V1, name="kip631-v1_shutdown"), STOPPING, "K12"),
        claims(replace(RUNNING_V1, name="kip631-v1_bounce"), BOUNCING, "K1", "K4", "M6h"),
    ),
    *NOT_FOR,
)
"""The slices, the one that begins with no broker registered first. The first bound of each is small enough for every run."""
