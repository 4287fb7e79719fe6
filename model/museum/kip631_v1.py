"""Variants of KIP-631 version 1: what its text leaves open, where its parts contradict each other, and flaws (S-e, S-f)."""

from __future__ import annotations

from dataclasses import replace

from fencepost.model.kip631.v1.heartbeats import gets_lease, heard, heartbeat, is_fenced, stops, unfence, wants_shutdown
from fencepost.model.kip631.v1.leases import end_lease
from fencepost.model.kip631.v1.messages import answer, offset
from fencepost.model.kip631.v1.partitions import advance, electable, leader_stops, left, may_lead
from fencepost.model.kip631.v1.records import FENCE_BROKER, ISR_CHANGE
from fencepost.model.kip631.v1.registration import conflict, contact_recent, process, supports
from fencepost.model.kip631.v1.slices import ALONE, MOVED, NEVER, NO_NEWS, QUIET, SLICES, given, running, until
from fencepost.model.kip631.v1.state import *
from fencepost.model.language.vocabulary import *

from .edits import but, redefine, reordered, without
from .entry import Entry, Expected

BASE = "kip631-v1"
AT: dict[str, Protocol] = {bound: one for one in SLICES for bound in one.bounds}
"""The slice that has a bound."""


# -- heartbeats ----------------------------------------------------------------------------------------------------------


def _reporting(effect: Effect) -> Effect:
    if isinstance(effect, Applied):
        body = tuple(_reporting(one) for one in effect.procedure.body)
        return replace(effect, procedure=replace(effect.procedure, body=body))
    if isinstance(effect, Assign) and effect.target is reported_offset[b]:
        return Assign(effect.target, own_offset[b] + 1)
    return effect


def registration_reports(base: Protocol) -> Protocol:
    """Record the offset that a registration reports, one more than what the broker has reached."""
    edited = base
    for id in ("V1.1", "V1.1b"):
        told = tuple(_reporting(one) for one in base.row(id).effects)
        edited = edited.but(id, effects=told, why="NextMetadataOffset is recorded as the last one.")
    return edited


_DENIED: Row = heartbeat(
    "V1.5d", is_fenced, heard, answer(Next.FENCED), say=Error.NEXT_FENCED, source="S2:41", why="The lease is denied."
)


def grant_when_registered(base: Protocol) -> Protocol:
    """Deny a lease to a broker that has not reached its own registration."""
    why = "Only who has reached its own registration gets a lease."
    edited = base.but("V1.5", when=is_fenced & (offset >= registered_at[b]), why=why)
    return edited.plus(_DENIED, table="heartbeats", before="V1.6", why=why)


def grant_when_fence_seen(base: Protocol) -> Protocol:
    """Deny a lease to a broker that has not read that it was fenced."""
    why = "Only who has read that it was fenced gets a lease."
    edited = base.but("V1.5", when=is_fenced & (offset >= fenced_at[b]), why=why)
    return edited.plus(_DENIED, table="heartbeats", before="V1.6", why=why)


# -- leases ------------------------------------------------------------------------------------------------------------


def only_controller_fences(base: Protocol) -> Protocol:
    """Let no broker stop by itself."""
    bounds = {
        name: replace(one, given={event: term for event, term in one.given.items() if event != "OwnLeaseExpires"})
        for name, one in base.bounds.items()
    }
    edited = replace(base, bounds=bounds, inputs=tuple(one for one in base.inputs if one.id != "VA6"))
    return edited.without("V1.9", why="A broker hears of the end of its lease only from the controller.")


# -- fences ------------------------------------------------------------------------------------------------------------
_who = FENCE_BROKER.field("broker")
_fences = (fenced[_who].becomes(TRUE), fenced_at[_who].becomes(next_offset))


def _by_one_record(base: Protocol, why: str, *replay: Effects) -> Protocol:
    """Let FenceBroker alone say what becomes of the partitions."""
    effects = (FENCE_BROKER(b, epoch=broker_epoch[b]), advance(), end_lease(b))
    return base.but("V1.8", effects=effects, why=why).replaying("FenceBroker", *_fences, *replay, why=why)


def implicit_fence(base: Protocol) -> Protocol:
    """Let who reads FenceBroker take the broker out of ISRs and its leaderships away, without an IsrChange."""
    loses = every(
        q,
        leader[q].is_(_who),
        leader[q].becomes(none_of(BROKER)),
        leader_epoch[q].becomes(leader_epoch[q] + 1),
        leader_in[q, leader_epoch[q] + 1].becomes(none_of(BROKER)),
        led_at[q].becomes(next_offset),
    )
    leaves = every(p, left(p, _who).isnt(isr[p]), isr[p].becomes(left(p, _who)))
    return _by_one_record(base, "FenceBroker says all that becomes of the partitions.", loses, leaves)


def fence_leaves_leader(base: Protocol) -> Protocol:
    """Let FenceBroker take the broker out of ISRs, as its words are, and do nothing else."""
    leaves = every(p, left(p, _who).isnt(isr[p]), isr[p].becomes(left(p, _who)))
    return _by_one_record(base, 'FenceBroker is taken at its word: "will be removed from all ISRs".', leaves)


def fence_first(base: Protocol) -> Protocol:
    """Write the fence before the partitions."""
    return reordered(base, "fence", why="The fence comes before what becomes of the partitions.", name=base.name)


def last_member_leaves(base: Protocol) -> Protocol:
    """Take a fenced broker out of every ISR, even where it is alone."""
    edited = base.redefine("left", lambda old: old, why="All ISRs are meant.", rows=("V1.8",))
    lost = every(
        q,
        leader[q].is_(b) | b.in_(isr[q]),
        ISR_CHANGE(
            q,
            isr=isr[q] - just(b),
            leader=when(leader[q].is_(b), none_of(BROKER), leader[q]),
            leader_epoch=when(leader[q].is_(b), leader_epoch[q] + 1, leader_epoch[q]),
        ),
    )
    effects = (lost, FENCE_BROKER(b, epoch=broker_epoch[b]), advance(), end_lease(b))
    return edited.but("V1.8", effects=effects, why="FenceBroker says all ISRs: the last member leaves too.")


# -- controlled shutdown -------------------------------------------------------------------------------------------------
def leaderless_shutdown(base: Protocol) -> Protocol:
    """Let a broker stop that leads a partition that no other broker can lead: the partition is leaderless then."""
    why = "A partition that no other broker can lead is left without a leader."
    alone = ~exists(q, leader[q].is_(b) & exists(x, electable(q, x)))
    given_up = every(
        q, leader[q].is_(b), ISR_CHANGE(q, isr=isr[q], leader=none_of(BROKER), leader_epoch=leader_epoch[q] + 1)
    )
    row = heartbeat(
        "V1.10k", wants_shutdown & alone, given_up, advance(), heard, stops, answer(Next.SHUTDOWN),
        say=Error.NEXT_SHUTDOWN, source="S2:46",
    )  # fmt: skip
    return base.plus(row, table="heartbeats", before="V1.10", why=why)


def moves_wait(base: Protocol) -> Protocol:
    """Move no leader before its lease is over: who shuts down gets no more leases, and operators wait."""
    why = "A leader that may serve is not moved."
    over = exists(x, leader[p].is_(x) & (now > lease_end[x]))
    edited = base.but("V1.10m", when=may_lead & leader_stops(p) & over, why=why).without("VE2", why=why)
    return edited.but("V1.10", effects=(heard, stops, answer(Next.ACTIVE)), why=why)


ORDER = step(
    "V1.7r",
    next_(reported_offset[b]) >= reported_offset[b],
    "The offset that a broker reported never goes back under one registration.",
    "S2:447",
    AT_RESULT_BOUNDARIES,
    rows=("V1.5", "V1.6", "V1.6r", "V1.6f"),
)
_TWO_PROCESSES = given(
    QUIET, ALONE, until(0), {"ElectLeader": NEVER, "StartBroker": process.is_(started[b] + 1), "Register": supports}
)
_LATE = running(ALONE, until(3), MOVED, NO_NEWS)
_FAILED = running(ALONE, until(3), MOVED, NO_NEWS, {"ControllerFails": TRUE})

_heartbeats = reported_offset[b].isnt(-1) & contact_recent(b)
_no_leases = active.becomes(TRUE), every(b, registered[b], last_contact[b].becomes(now), lease_end[b].becomes(now))

KIP631_V1_MUSEUM: tuple[Entry, ...] = (
    Entry(
        "one_heartbeat", BASE, "S2:440-444, contradiction 10",
        "A broker is unfenced that never heard of its lease: the answer was lost, or the broker is gone.",
        but("V1.5", effects=(heard, gets_lease, only_if(fenced[b], unfence(b))), why="The second heartbeat is not waited for."),
        (Expected("KU", 8, "tiny", row="V1.5"),), also=("S-f",),
    ),
    Entry(
        "lease_from_answer", BASE, "S2:43, S-f",
        "An answer that comes late gives a lease that is over for the controller, and a leader that serves is replaced.",
        redefine("lease_begins", now, why="The broker counts from when the answer came."),
        (Expected("M3f", 8, "lengths", row="V1.8", given=_LATE),), within=AT["lengths"],
    ),
    Entry(
        "only_controller_fences", BASE, "S2:43,62, contradiction 41",
        "Who is cut off from the controller serves on, beside the leader that is elected in its place.",
        only_controller_fences,
        (Expected("M3f", 4, "failover", row="V1.8"), Expected("M4", 3, "failover", row="VT1")),
        within=AT["failover"],
    ),
    Entry(
        "shorter_lease", BASE, "S2:43",
        "A second, shorter answer is lost: the broker still has the longer lease of the first.",
        redefine("new_lease_end", now + next_lease, why="The last answer counts, which may be lost."),
        (Expected("M3f", 7, "lengths", row="V1.8"),), within=AT["lengths"],
    ),
    Entry(
        "failover_forgets_leases", BASE, "S2:20",
        "The controller that granted the leases is gone; the next one fences a leader that has one.",
        but("VF2", effects=_no_leases, why="A new controller knows of no lease."),
        (Expected("M3f", 5, "failover", row="V1.8", given=_FAILED),), within=AT["failover"],
    ),
    Entry(
        "next_offset_epoch", BASE, "S2:34,52, contradiction 8",
        "While nothing is committed, the last committed offset gives two processes of an id one epoch.",
        redefine("new_epoch", next_offset, why="The epoch is the next offset."),
        (Expected("K1", 10, "bounce", row="V1.1b"), Expected("M6h", 17, "bounce", row="V1.6")),
        also=("S-e",), within=AT["bounce"], repairs=True,
    ),
    Entry(
        "only_heartbeats_count", BASE, "S2:39, contradiction 30",
        "The process that has just registered is displaced by another one before its first heartbeat.",
        but("V1.3", when=conflict(b, process) & _heartbeats, why="A registration alone is no contact."),
        (Expected("K2", 6, "tiny", {"incarnation": 2}, row="V1.1b", given=_TWO_PROCESSES),), within=AT["tiny"],
    ),
    Entry(
        "fenced_has_no_session", BASE, "S2:39, contradiction 30",
        "A fenced process that heartbeats is displaced.",
        but("V1.3", when=conflict(b, process) & contact_recent(b) & ~fenced[b], why="Who is fenced has no session."),
        (Expected("K2", 6, "tiny", {"incarnation": 2}, row="V1.1b", given=_TWO_PROCESSES),), within=AT["tiny"],
    ),
    Entry(
        "registration_reports", BASE, "S2:405,447, contradictions 9 and 40",
        "Heartbeats are ignored until the broker has read one batch more: its own registration is that batch.",
        registration_reports, (),
    ),
    Entry(
        "off_by_one", BASE, "S2:382,431, contradiction 9",
        "An offset that means the next one to read is compared as if it had been reached.",
        but("V1.5", when=is_fenced & (offset + 1 >= registered_at[b]), why="The offset is one too high."),
        (Expected("K4", 15, "bounce", row="V1.6"),), ground=grant_when_registered, within=AT["bounce"],
    ),
    Entry(
        "any_order", BASE, "S2:447",
        "An old heartbeat takes the broker's offset back.",
        without("V1.7", why="Heartbeats count in the order in which they come."),
        (Expected("V1.7r", 9, "overtaken", row="V1.5"),), claims=(ORDER,), within=AT["overtaken"],
    ),
    Entry(
        "grant_when_registered", BASE, "S2:41,60",
        "Without a criterion a broker is unfenced that has not read of its own registration.",
        grant_when_registered, (Expected("K4", 14, "bounce", row="V1.6"),), within=AT["bounce"], repairs=True,
    ),
    Entry(
        "grant_when_fence_seen", BASE, "S2:41-42",
        "A broker whose lease was over gets another one, and leads by metadata from before it was fenced.",
        grant_when_fence_seen, (Expected("M3", 16, "small", row="VC2"),), within=AT["small"], repairs=True,
    ),
    Entry(
        "moves_wait", BASE, "S2:46",
        "The leader that is moved serves until it reads of it, beside the new one.",
        moves_wait,
        (Expected("M3", 4, "moved", row="VC2"), Expected("M3", 4, "shutdown", row="VC2")),
        within=AT["moved"], repairs=True,
    ),
    Entry(
        "implicit_fence", BASE, "S2:505, contradiction 37",
        "FenceBroker alone, with all that becomes of the partitions, is as good as IsrChanges before it.",
        implicit_fence, (),
    ),
    Entry(
        "fence_leaves_leader", BASE, "S2:505, contradiction 37",
        "A fenced broker goes on as leader, outside the ISR.",
        fence_leaves_leader,
        (Expected("M1", 6, "small", row="V1.8"), Expected("M5", 6, "small", row="V1.8")), within=AT["small"],
    ),
    Entry(
        "fence_first", BASE, "S2:189-193, contradiction 37",
        "Between the fence and the partitions a fenced broker leads.",
        fence_first, (Expected("M1", 6, "small", row="V1.8"),), within=AT["small"],
    ),
    Entry(
        "last_member_leaves", BASE, "S2:505",
        "The ISR is empty, and a leader that is elected then may lack committed records.",
        last_member_leaves, (Expected("M5", 6, "lengths", row="V1.8"),), within=AT["lengths"],
    ),
    Entry(
        "leaderless_shutdown", BASE, "S2:46",
        "A broker that is the only one in sync waits for ever for leave to stop.",
        leaderless_shutdown, (Expected("K12", 4, "stopping", row="V1.10"),), within=AT["stopping"], repairs=True,
    ),
)  # fmt: skip
