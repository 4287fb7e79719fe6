"""Properties of version 1: the invariants of brokers (K1 to K12) and the nine claims of all designs (M1 to M9)."""

from __future__ import annotations

from fencepost.model.language.vocabulary import *

from .brokers import THERE, length
from .brokers import epoch as answer_epoch
from .heartbeats import leads_nothing
from .leases import PROMPT
from .messages import carried, epoch, offset
from .registration import contact_recent, process
from .state import *


@definition
def believes(x: Term[Broker], p: Term[Partition]) -> Term[bool]:
    """The broker takes clients' writes for the partition: it has a lease, and leads by the metadata that it has."""
    return serving[x] & leads[x, p]


@definition
def alone(p: Term[Partition]) -> Term[bool]:
    """No other broker believes that it leads it."""
    return forall(x, forall(y, (believes(x, p) & believes(y, p)).implies(x.is_(y))))


_other_process = registered[x] & next_(incarnation[x]).isnt(incarnation[x])

REGISTRATIONS = (
    result_step(
        "K1",
        forall(x, _other_process.implies(next_(broker_epoch[x]) > broker_epoch[x])),
        "A process that takes over an id gets a higher epoch than the one before: not if nothing was committed since.",
        "S2:34",
        expected="violated",
        finding="S-e",
        by=("V1.1b",),
    ),
    result_step(
        "K1w",
        forall(x, registered[x].implies(next_(broker_epoch[x]) >= broker_epoch[x])),
        "The epoch of a broker id never goes back.",
        "S2:34",
    ),
    result_step(
        "K2",
        ~contact_recent(b),
        "Another process gets the id only when the registered one was silent for long enough.",
        "S2:38-39",
        rows=("V1.1b",),
    ),
    result_step(
        "K3",
        next_(broker_epoch[b]).is_(broker_epoch[b]) & next_(fenced[b]).is_(fenced[b]),
        "The same process that asks again keeps its epoch, and stays fenced or unfenced.",
        "S2:35",
        rows=("V1.2",),
    ),
    result_step(
        "K4",
        offset >= registered_at[b],
        "A broker is unfenced when it has reached its own registration: no criterion says so.",
        "S2:41",
        rows=("V1.6",),
        expected="violated",
        finding="S-f",
    ),
    always("K5", forall(x, (~registered[x]).implies(fenced[x])), "An unfenced broker is registered.", "S2:31"),
    result_step(
        "K5e",
        epoch.is_(broker_epoch[b]) & registered[b],
        "A broker is unfenced under its current epoch.",
        "S2:34",
        rows=("V1.6",),
    ),
    always(
        "K7",
        forall(x, registered[x].implies(supported[x])),
        "A registered broker supports the features.",
        "S2:36",
        scope=AT_RESULT_BOUNDARIES,
    ),
    result_step("K8", leads_nothing(b), "A broker may stop only when it leads nothing.", "S2:46", rows=("V1.11",)),
    always(
        "KU",
        forall(x, (registered[x] & ~fenced[x]).implies(told_active[x].is_(broker_epoch[x]))),
        "A broker is unfenced only if it has received its lease under its epoch.",
        "S2:440-444",
    ),
)

leader_stays = next_(leader[p]).is_(leader[p])
MATRIX = (
    always("M1", forall(p, forall(x, leader[p].is_(x).implies(~fenced[x]))), "Fenced brokers lead nothing.", "S2:31"),
    always(
        "M2",
        forall(
            p,
            forall(
                x, forall(y, (leads[x, p] & leads[y, p] & seen_epoch[x, p].is_(seen_epoch[y, p])).implies(x.is_(y)))
            ),
        ),
        "At most one leader an epoch: no two brokers read of themselves as leaders in one.",
        "S2:479",
    ),
    result_step(
        "M2w",
        forall(p, leader_stays | (next_(leader_epoch[p]) > leader_epoch[p])),
        "Every change of the leader raises the leader epoch.",
        "S2:479",
    ),
    always(
        "M3",
        forall(p, alone(p)),
        "No two brokers serve as leaders at once: not if a leader that serves is moved, or one comes back with old metadata.",
        "S2:42",
        expected="violated",
        finding="M3",
        scope=AT_RESULT_BOUNDARIES,
        by=("VC2", "VH1"),
    ),
    result_step(
        "M3f",
        ~serving[b],
        "A broker that loses its leaderships by a fence, or to another process, has stopped serving before.",
        "S2:42-43",
        rows=("V1.8", "V1.1b"),
    ),
    always(
        "M4",
        forall(x, serving[x].implies((own_lease_end[x] >= now) & own_lease_end[x].isnt(-1))),
        "A broker serves no longer than its lease, which only answers of the controller make longer.",
        "S2:42-43",
    ),
    result_step(
        "M4w",
        forall(x, next_(own_lease_end[x]) <= own_lease_end[x]),
        "Nothing but an answer makes the lease of a broker longer.",
        "S2:43",
        except_rows=dict.fromkeys(("VH1", "VH2"), "it is the answer that gives a lease"),
    ),
    always(
        "M5",
        forall(p, exists(x, x.in_(isr[p])) & (absent(leader[p]) | leader[p].in_(isr[p]))),
        "The leader is in the ISR, which is never empty.",
        "S2:488,492",
    ),
    result_step(
        "M5e",
        forall(p, leader_stays | absent(next_(leader[p])) | next_(leader[p]).in_(isr[p])),
        "A new leader was in the ISR before.",
        "S2:46",
    ),
    result_step(
        "M6",
        next_(fenced[b]) & forall(p, next_(leader[p]).isnt(b)),
        "A process that takes over an id is fenced, and leads nothing of what its predecessor led.",
        "S2:38",
        rows=("V1.1b",),
    ),
    result_step(
        "M6h",
        forall(m, carried(m).implies(asker[m].is_(incarnation[b]))),
        "A broker is unfenced by a heartbeat of the process that is registered: not if two have one epoch.",
        "S2:34",
        rows=("V1.6",),
        expected="violated",
        finding="S-e",
    ),
    result_step(
        "M7",
        active
        | (
            next_(next_offset).is_(next_offset)
            & forall(x, next_(fenced[x]).is_(fenced[x]) & next_(broker_epoch[x]).is_(broker_epoch[x]))
            & forall(p, leader_stays & next_(isr[p]).is_(isr[p]))
        ),
        "Without an active controller the metadata stays as it is.",
        "S2:446",
    ),
    result_step(
        "M8",
        next_(next_offset).is_(next_offset)
        & forall(x, next_(fenced[x]).is_(fenced[x]) & next_(registered[x]).is_(registered[x]))
        & forall(p, leader_stays & next_(isr[p]).is_(isr[p])),
        "A failover keeps the metadata; handshakes and shutdowns under way are taken up again by the next heartbeats.",
        "S2:20",
        named_for="it is about a failover; other rows write the metadata",
        rows=("VF1", "VF2"),
    ),
)

# -- what comes to pass ------------------------------------------------------------------------------------------------
BEATS = ("SendHeartbeat", "Heartbeat", "HeartbeatReply", "Commit", "ApplyMetadata", "ControllerFailover")
S = BrokerState


@definition
def known(x: Term[Broker]) -> Term[bool]:
    """The controller has the process registered under the epoch that the process has."""
    return registered[x] & own_epoch[x].is_(broker_epoch[x]) & own_incarnation[x].is_(incarnation[x])


@definition
def overdue(x: Term[Broker]) -> Term[bool]:
    """The lease of an unfenced broker is over."""
    return active & ~fenced[x] & lease_end[x].isnt(-1) & (now > lease_end[x])


@definition
def waits(x: Term[Broker]) -> Term[bool]:
    """The broker runs, heartbeats, and is fenced."""
    return known(x) & fenced[x] & (broker_state[x].is_(S.FENCED) | broker_state[x].is_(S.RUNNING))


@definition
def winds_down(x: Term[Broker]) -> Term[bool]:
    """The broker waits for leave to stop."""
    return known(x) & broker_state[x].is_(S.PENDING)


@definition
def over(x: Term[Broker]) -> Term[bool]:
    """The controller has a lease of the broker that is over."""
    return active & lease_end[x].isnt(-1) & (now > lease_end[x])


@definition
def due(x: Term[Broker]) -> Term[bool]:
    """The broker has a lease that ends now."""
    return own_lease_end[x].isnt(-1) & (now >= own_lease_end[x])


@definition
def dead(x: Term[Broker]) -> Term[bool]:
    """The process is gone, and the controller has the broker unfenced."""
    return broker_state[x].is_(S.NOT_RUNNING) & ~fenced[x]


LIVENESS = (
    leads_to(
        "K10",
        overdue(x),
        ~overdue(x),
        ("LeaseExpires",),
        "A lease that is over ends.",
        "S2:43",
        each=(x,),
        fair_by={"LeaseExpires": b},
        by=ranking(helps("LeaseExpires", overdue(b) & b.is_(x))),
    ),
    leads_to(
        "K11",
        exists(x, waits(x)),
        ~exists(x, waits(x)),
        BEATS,
        "A broker that heartbeats is unfenced in the end.",
        "S2:440-444",
    ),
    leads_to(
        "K12",
        exists(x, winds_down(x)),
        ~exists(x, winds_down(x)),
        (*BEATS, "ElectLeader"),
        "A controlled shutdown ends: violated where no other broker is in sync.",
        "S2:46",
        expected="violated",
        finding="K12",
    ),
    leads_to(
        "M9",
        dead(x),
        ~dead(x),
        ("TimePasses", "LeaseExpires", "OwnLeaseExpires", "ControllerFailover"),
        "A broker that died is fenced in the end.",
        "S2:43",
        each=(x,),
        fair_by={"LeaseExpires": b, "OwnLeaseExpires": b},
        finitely=("ControllerFails",),
        by=ranking(
            helps("ControllerFailover", ~active),
            helps("LeaseExpires", over(b)),
            helps("OwnLeaseExpires", active & due(b)),
            helps("TimePasses", active & ~exists(y, over(y)) & ~exists(y, due(y))),
            ranks=(
                phases(active),
                number_of(m, phase[m].is_(Phase.ASKED) & sender[m].is_(some(x))),
                distance(lease_end[x] + 1, now),
                number_of(m, active & phase[m].isnt(Phase.FREE) & (sent_at[m] < now)),
                number_of(y, active & due(y)),
                number_of(y, over(y)),
            ),
        ),
    ),
)

WITNESSES = (
    sometimes(
        "W1", exists(p, exists(x, believes(x, p) & leader[p].is_(x))), "A broker serves as the leader that it is."
    ),
    sometimes(
        "W4",
        exists(x, broker_state[x].is_(S.FENCED) & known(x) & ~fenced[x]),
        "A broker has fenced itself, and the controller has not yet.",
    ),
)

PROPERTIES: tuple[Property, ...] = (*REGISTRATIONS, *MATRIX, *LIVENESS, *WITNESSES)

ASSUMPTIONS: tuple[Assumption, ...] = (
    assume("VA1", exists(m, carried(m)), "A heartbeat that comes was sent.", "S2:431", event="Heartbeat"),
    assume(
        "VA2", process <= asked[b], "A process that is to be registered has asked for it.", "S2:405", event="Register"
    ),
    assume("VA3", THERE, "An answer that comes was given to the process that runs.", "S2:439", event="HeartbeatReply"),
    assume(
        "VA4",
        answered[b].is_(own_incarnation[b]) & answer_epoch.is_(answered_epoch[b]) & length.is_(next_lease),
        "An answer to a registration was given to the process that runs.",
        "S2:425",
        event="RegisterReply",
    ),
    assume("VA5", process > started[b], "No two processes have one incarnation.", "S2:35", event="StartBroker"),
    assume("VA6", PROMPT, "No broker sleeps over the end of its lease.", "S2:43", event="TimePasses"),
)
