"""The edits of KIP-631's second version: other readings of S2, what Kafka does instead, and what would repair it."""

from __future__ import annotations

from dataclasses import replace

from fencepost.model.kip631.v2 import brokers, membership
from fencepost.model.kip631.v2.answers import Error
from fencepost.model.kip631.v2.membership import appends, heartbeat, told_that
from fencepost.model.kip631.v2.properties import LIVENESS
from fencepost.model.kip631.v2.records import FENCE_BROKER, PARTITION_CHANGE
from fencepost.model.kip631.v2.state import *
from fencepost.model.language.vocabulary import *

from .edits import reordered

HEARD = ("V2.1", "V2.1n", "V2.2", "V2.3r", "V2.4", "V2.4s")


def log_end(base: Protocol) -> Protocol:
    """Return the variant in which a broker has caught up at the log's end (#38)."""
    return base.redefine("caught_up", lambda _: membership.offset >= next_offset - 1, why="caught up is the log's end")


def within_one(base: Protocol) -> Protocol:
    """Return the variant in which a broker has caught up one offset before the log's end (#38, "reasonably current")."""
    return base.redefine(
        "caught_up", lambda _: membership.offset >= next_offset - 2, why="caught up is nearly the log's end"
    )


# -- fences ----------------------------------------------------------------------------------------------------------------
def fence_first(base: Protocol) -> Protocol:
    """Return the variant in which the fence comes before the partitions (#37)."""
    return reordered(base, "fences", why="the broker, then the partitions")


def implicit_fence(base: Protocol) -> Protocol:
    """Return the variant in which the FenceBroker record itself removes the broker from all ISRs (#37)."""
    why = "the record takes the broker out of all ISRs"
    who = FENCE_BROKER.field("broker")
    others = exists(x, x.in_(isr[p]) & x.isnt(who))
    led = leader[p].is_(who)
    replay = (
        every(p, who.in_(isr[p]) & others, isr[p].becomes(isr[p] - just(who))),
        every(
            p,
            led,
            leader[p].becomes(membership.NO_LEADER),
            leader_epoch[p].becomes(leader_epoch[p] + 1),
            leader_in[p, leader_epoch[p] + 1].becomes(membership.NO_LEADER),
        ),
        fenced[who].becomes(TRUE),
    )
    record = replace(FENCE_BROKER, replay=replay)
    fences = (record(b, epoch=broker_epoch[b]), appends())
    variant = base.but("V2.2", effects=(*fences, told_that(TRUE, membership.want_shutdown)), why=why)
    return variant.but("V2.3", effects=fences, why=why)


def keeps_leaders(base: Protocol) -> Protocol:
    """Return the variant in which a registration says nothing of what the former process led."""
    row = base.row("V2.6")
    return base.but("V2.6", effects=row.effects[1:], why="only the registration is written")


# -- shutdown ----------------------------------------------------------------------------------------------------------------
reported = per(BROKER, "reported", OFFSET, -1, what="soft", about="the offset in the newest heartbeat")
moved_at = per(BROKER, "moved_at", OFFSET, -1, what="soft", about="the offset at which it lost a leadership last")


def shutdown_offset(base: Protocol) -> Protocol:
    """Return the variant in which a shutdown waits until all who are unfenced have applied the last move (#28, S-g)."""
    why = "the others must have seen that it leads no more"
    waited = forall(x, (~fenced[x] & x.isnt(b)).implies(reported[x] >= moved_at[b]))
    variant = base
    for id in HEARD:
        row = variant.row(id)
        variant = variant.but(id, effects=(row.effects, reported[b].becomes(membership.offset)), why=why)
    moved = every(x, leader[p].is_(x), moved_at[x].becomes(next_offset))
    variant = variant.but("EL", effects=(variant.row("EL").effects, moved), why=why)
    lost = only_if(leads(b), moved_at[b].becomes(next_offset))
    for id in ("V2.2", "V2.3"):
        variant = variant.but(id, effects=(variant.row(id).effects, lost), why=why)
    for id in ("V2.6", "V2.7"):
        fresh = (reported[b].becomes(-1), moved_at[b].becomes(-1))
        variant = variant.but(id, effects=(variant.row(id).effects, fresh), why=why)
    variant = variant.but("V2.4s", when=waited, why=why)
    last = heartbeat(
        "V2.4w", TRUE, told_that(FALSE, FALSE), reported[b].becomes(membership.offset), say=Error.NONE, source="#28"
    )
    return variant.plus(last, table="heartbeats", why=why)


def leaderless_shutdown(base: Protocol) -> Protocol:
    """Return the variant in which a leadership that no other broker can take is given up at a shutdown (#27, KRaft)."""
    why = "a partition is left without a leader where no other broker can lead it"
    other = exists(x, x.in_(isr[p]) & x.isnt(b) & ~fenced[x] & ~shutting_down[x])
    stuck = exists(p, leader[p].is_(b) & ~other)
    gives_up = every(p, leader[p].is_(b) & ~other, PARTITION_CHANGE(p, leader=membership.NO_LEADER))
    row = heartbeat("V2.4g", stuck, gives_up, appends(), told_that(FALSE, FALSE), say=Error.NONE, source="#27")
    return base.plus(row, table="heartbeats", before="V2.4", why=why)


# -- the broker's own session -------------------------------------------------------------------------------------------------
told_at = per(BROKER, "told_at", TIME, -1, what="message", about="when the answered heartbeat was sent")
own_contact = per(BROKER, "own_contact", TIME, -1, about="when the newest heartbeat that was answered was sent")
own_expiry = event("OwnSessionExpires", b, environment=True, source="S2:62")
_running = broker_state[b].is_(brokers.RUNNING) | broker_state[b].is_(brokers.PENDING)


def self_fencing(base: Protocol) -> Protocol:
    """Return the variant in which a broker stops serving when its own session is over (#41, v1's V1.9)."""
    why = "the broker's session ends at the broker too"
    fresh = now <= told_at[b] + session
    variant = base
    for id in HEARD:
        row = variant.row(id)
        variant = variant.but(id, effects=(row.effects, told_at[b].becomes(now)), why=why)
    renewed = own_contact[b].becomes(told_at[b])
    entered = variant.row("BS5")
    variant = variant.but("BS5", when=entered.when & fresh, effects=(entered.effects, renewed), why=why)
    rows: tuple[Row, ...] = (
        brokers.answered("BS9", brokers.fine & _running & ~brokers.shutdown & ~brokers.is_fenced & fresh, renewed),
        own_expiry(
            "BS10",
            _running & serving[b] & (now > own_contact[b] + session),
            serving[b].becomes(FALSE),
            broker_state[b].becomes(brokers.RECOVERY),
            told[b].becomes(FALSE),
        ),
    )
    for row in rows:
        variant = variant.plus(row, table="broker states", why=why)
    stopped = variant.row("BS8")
    return variant.but("BS8", effects=(stopped.effects, told_at[b].becomes(-1), own_contact[b].becomes(-1)), why=why)


M4 = next(one for one in LIVENESS if one.id == "M4")
STOPS: LeadsTo = leads_to(
    "M4",
    M4.trigger,
    M4.goal,
    (*M4.fair, "OwnSessionExpires"),
    "A broker that is cut off from the controller, and so is fenced, stops serving when its own session is over.",
    "S2:62",
)


# -- partitions ------------------------------------------------------------------------------------------------------------------
