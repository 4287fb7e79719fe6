"""Properties of KIP-631's second version: by the ids that the pages of spec/ use, M2 to M8 by those of the matrix."""

from __future__ import annotations

from fencepost.model.language.vocabulary import *

from .brokers import ANSWERS, NOT_RUNNING, PENDING, RECOVERY, STARTING
from .brokers import new_incarnation as started_as
from .membership import epoch, offset, supports, want_fence
from .partitions import asked
from .state import *

HEARTBEATS = ("V2.1", "V2.1n", "V2.2", "V2.3r", "V2.4", "V2.4s")


@definition
def overdue(b: Term[Broker]) -> Term[bool]:
    """The broker is offered to clients, and has been silent for longer than its session."""
    return registered[b] & ~fenced[b] & (now > last_contact[b] + session)


@definition
def waits(b: Term[Broker]) -> Term[bool]:
    """The broker's process is registered, has recovered its logs, and waits to be unfenced."""
    return broker_state[b].is_(RECOVERY) & recovered[b] & registered[b] & own_epoch[b].is_(broker_epoch[b])


@definition
def shuts_down(b: Term[Broker]) -> Term[bool]:
    """The broker's process is registered, and waits for leave to shut down."""
    return broker_state[b].is_(PENDING) & registered[b] & own_epoch[b].is_(broker_epoch[b])


@definition
def under_way(p: Term[Partition]) -> Term[bool]:
    """A reassignment of the partition is under way, and all it waits for can be in sync."""
    return reassigning(p) & present(leader[p]) & ((replicas[p] - removing[p]) <= unfenced())


@definition
def leaves(b: Term[Broker]) -> Term[bool]:
    """The heartbeat is answered that its sender should shut down."""
    return own_epoch[b].is_(epoch) & next_(told_shutdown[b])


@definition
def unchanged() -> Term[bool]:
    """The metadata stays as it is."""
    brokers = (
        next_(registered[x]).is_(registered[x])
        & next_(fenced[x]).is_(fenced[x])
        & next_(broker_epoch[x]).is_(broker_epoch[x])
    )
    partitions = (
        next_(leader[p]).is_(leader[p])
        & next_(leader_epoch[p]).is_(leader_epoch[p])
        & next_(isr[p]).is_(isr[p])
        & next_(replicas[p]).is_(replicas[p])
        & next_(adding[p]).is_(adding[p])
        & next_(removing[p]).is_(removing[p])
    )
    return next_(next_offset).is_(next_offset) & forall(x, brokers) & forall(p, partitions)


MEMBERSHIP: tuple[Property, ...] = (
    step(
        "K1",
        forall(x, next_(broker_epoch[b]) > broker_epoch[x]),
        "The epoch of a registration is higher than every epoch there is.",
        "S2:52",
        rows=("V2.6",), scope=AT_RESULT_BOUNDARIES,
    ),
    step(
        "K2",
        ~registered[b] | (now > last_contact[b] + id_reuse),
        "Another incarnation is admitted only where the former one has not been heard of for long enough.",
        "S2:56-57",
        rows=("V2.6",), scope=AT_RESULT_BOUNDARIES,
    ),
    step(
        "K3",
        next_(broker_epoch[b]).is_(broker_epoch[b]) & next_(fenced[b]).is_(fenced[b]),
        "The same incarnation registers again: its epoch and its fencing stay.",
        "S2:53",
        rows=("V2.6s",), scope=AT_RESULT_BOUNDARIES,
    ),
    step(
        "K4", offset >= broker_epoch[b], "A broker that is unfenced has read its own registration.", "S2:60", rows=("V2.1",), scope=AT_RESULT_BOUNDARIES
    ),
    always(
        "K4a",
        forall(b, (~fenced[b] & own_epoch[b].is_(broker_epoch[b])).implies(own_offset[b] >= broker_epoch[b])),
        "A process that is unfenced has applied its own registration.",
        "S2:60",
    ),
    step("K5", registered[b], "Fences, unfences and unregistrations are of brokers that are registered.", "S2:435-492", rows=("V2.1", "V2.2", "V2.3", "V2.7"), scope=AT_RESULT_BOUNDARIES),
    step("K7", supports, "A registered broker supports the finalized features.", "S2:54", rows=("V2.6",), scope=AT_RESULT_BOUNDARIES),
    step(
        "K8",
        leaves(b).implies(~next_(leads(b))),
        "A broker that is answered to shut down leads nothing.",
        "S2:65,408",
        rows=HEARTBEATS, scope=AT_RESULT_BOUNDARIES,
    ),
    step(
        "K8o",
        leaves(b).implies(forall(x, forall(q, (serving[x] & ~fenced[x] & x.isnt(b)).implies(leader_seen(x, q).isnt(b))))),
        "No unfenced broker believes that a broker leads which leads nothing and was answered to shut down: violated, it is not checked.",
        "S2:408",
        rows=("V2.4s",), scope=AT_RESULT_BOUNDARIES,
        expected="violated",
        finding="S-g",
    ),
    always("K9", forall(x, fenced[x].implies(~leads(x))), "A fenced or unregistered broker leads nothing.", "S2:31"),
    always(
        "K10",
        active.implies(forall(b, (registered[b] & ~fenced[b]).implies(now <= last_contact[b] + session + 1))),
        "While a controller is active no unfenced broker has been silent for longer than a session and a tick.",
        "S2:62",
        scope=AT_RESULT_BOUNDARIES,
    ),
)  # fmt: skip

_later = broker_state[b].isnt(NOT_RUNNING) & broker_state[b].isnt(STARTING)
LOGS: tuple[Property, ...] = (
    always(
        "K13",
        forall(b, forall(t, (_later & t.in_(logs[b])).implies(is_known(b, t)))),
        "From RECOVERY on a broker has no log of a topic that its metadata lacks: not so, if a snapshot comes while it runs.",
        "S2:280-281",
        expected="violated",
        finding="K13",
        by=("BA3",),
    ),
    step(
        "K13r",
        forall(t, next_(t.in_(logs[b])).implies(is_known(b, t))),
        "A broker enters RECOVERY without logs of topics that its metadata lacks.",
        "S2:281",
        rows=("BS3",),
        scope=AT_RESULT_BOUNDARIES,
    ),
)

_moves = next_(leader[p]).isnt(leader[p])
PARTITIONS: tuple[Property, ...] = (
    always("P1", forall(p, absent(leader[p]) | leader[p].in_(isr[p])), "The leader is none or in the ISR.", "S2:89-95"),
    always("P2", forall(p, isr[p] <= replicas[p]), "The ISR is within the replicas.", "S2:458"),
    always("P3", forall(p, ~empty(isr[p])), "The ISR is never empty.", "S2:85-86"),
    step(
        "P7",
        forall(p, forall(x, (~x.in_(isr[p]) & next_(x.in_(isr[p]))).implies(~fenced[x]))),
        "No fenced broker joins an ISR.",
        "S2:488",
    ),
    step(
        "P7f",
        forall(p, ~b.in_(next_(isr[p])) | forall(x, x.in_(next_(isr[p])).implies(x.is_(b)))),
        "A broker that is fenced leaves every ISR, save as its last member.",
        "S2:488",
        rows=("V2.2", "V2.3", "V2.6", "V2.7"),
        scope=AT_RESULT_BOUNDARIES,
    ),
    step(
        "P9",
        forall(p, _moves.implies(next_(leader_epoch[p]) > leader_epoch[p])),
        "Every change of the leader raises the leader epoch.",
        "S2:458",
    ),
    always(
        "P13",
        forall(p, (adding[p] <= replicas[p]) & (removing[p] <= replicas[p]) & empty(adding[p] & removing[p])),
        "Who is added or removed is a replica, and not both.",
        "S2:88",
    ),
    step(
        "P14",
        next_(replicas[p]).is_(replicas[p] - removing[p])
        & (adding[p] <= asked)
        & next_(isr[p]).is_(asked - removing[p])
        & ~next_(reassigning(p)),
        "A reassignment ends with the target as replicas, and with those added who were asked to be in the ISR.",
        "S2:89-94",
        rows=("V2.8c", "V2.8d"), scope=AT_RESULT_BOUNDARIES,
    ),
    step(
        "P25",
        next_(leader[p]).is_(b),
        "An alterIsr that is answered NONE leaves its sender leader.",
        "S2:95",
        rows=("V2.8c", "AI5"), scope=AT_RESULT_BOUNDARIES,
    ),
)  # fmt: skip

MATRIX: tuple[Property, ...] = (
    always(
        "M2",
        forall(
            p,
            forall(
                x,
                forall(y, (believes(x, p) & believes(y, p) & epoch_seen(x, p).is_(epoch_seen(y, p))).implies(x.is_(y))),
            ),
        ),
        "No two brokers serve a partition as leader in one leader epoch.",
        "S2:458",
        scope=AT_RESULT_BOUNDARIES,
    ),
    always(
        "M3",
        forall(p, forall(x, forall(y, (believes(x, p) & believes(y, p)).implies(x.is_(y))))),
        "No two brokers serve a partition as leader: not so, a leader goes on until it applies the record that moves it.",
        "S2:18,274",
        scope=AT_RESULT_BOUNDARIES,
        expected="violated",
        finding="#41",
        by=("BA1", "BA3", "BS5"),
    ),
    step(
        "M5",
        forall(p, (_moves & present(next_(leader[p]))).implies(next_(leader[p]).in_(isr[p]))),
        "A new leader was in the ISR.",
        "S2:85-95",
    ),
    step(
        "M6",
        next_(fenced[b]) & ~next_(leads(b)) & (next_(broker_epoch[b]).isnt(broker_epoch[b])),
        "Another incarnation of a broker begins fenced, without leaderships, and with an epoch of its own.",
        "S2:52-57",
        rows=("V2.6",), scope=AT_RESULT_BOUNDARIES,
    ),
    step("M7", (~active).implies(unchanged()), "While no controller is active the metadata stays as it is.", "S2:18-20"),
    step(
        "M8",
        unchanged(),
        "A failover changes nothing of the metadata: what was begun is still under way.",
        "S2:91",
        named_for="it is about a failover; other rows write the metadata",
        rows=("CF", "CS"), scope=AT_RESULT_BOUNDARIES,
    ),
)  # fmt: skip

ALIVE = ("Heartbeat", "HeartbeatReply", "ApplyMetadata", "Commit", "ControllerFailover", "TimePasses")
"""Events that nothing holds up while broker and controller can communicate."""

LIVENESS: tuple[LeadsTo, ...] = (
    leads_to(
        "K11",
        exists(b, waits(b)),
        forall(b, ~waits(b)),
        ALIVE,
        "A broker that heartbeats, has caught up and wants to be fenced no more is unfenced.",
        "S2:59-60",
    ),
    leads_to(
        "K12",
        exists(b, shuts_down(b)),
        forall(b, ~shuts_down(b)),
        (*ALIVE, "ElectLeader"),
        "A controlled shutdown ends: violated, while it leads a partition that no other broker can lead.",
        "S2:65,407-408",
        expected="violated",
        finding="#27",
    ),
    leads_to(
        "M4",
        exists(b, serving[b] & fenced[b]),
        forall(b, serving[b].implies(~fenced[b])),
        ("TimePasses", "ControllerFailover", "Commit"),
        "A broker that is cut off from the controller, and so is fenced, stops serving: not so, only the controller fences.",
        "S2:62",
        expected="violated",
        finding="#41",
    ),
    leads_to(
        "M9",
        overdue(b) & (session >= 0),
        ~overdue(b),
        ("SessionExpires", "ControllerFailover"),
        "A broker that is silent for longer than a session is fenced eventually.",
        "S2:62",
        each=(b,),
        fair_by={"SessionExpires": b},
        by=ranking(helps("SessionExpires", active), helps("ControllerFailover", ~active), ranks=(phases(~active),)),
    ),
    leads_to(
        "P23",
        exists(p, under_way(p)),
        forall(p, ~under_way(p)),
        ("AlterIsr", "ControllerFailover", "TimePasses"),
        "A reassignment ends, while the partition has a leader and no broker of the target is fenced.",
        "S2:86-91",
    ),
)

WITNESSES: tuple[Property, ...] = (
    sometimes("W1", exists(p, exists(x, x.in_(replicas[p]) & ~x.in_(isr[p]) & fenced[x])), "A fenced broker is a replica.", "S2:49"),
    sometimes("W2", exists(p, exists(x, x.in_(adding[p]) & fenced[x])), "A reassignment waits for a fenced broker.", "S2:49,91"),
    sometimes("W5", exists(b, told_shutdown[b]), "A broker is answered to shut down.", "S2:65"),
    sometimes("W6", exists(p, exists(x, believes(x, p))), "A broker serves as a leader.", "S2:75"),
    sometimes("W7", exists(b, exists(t, t.in_(logs[b]) & ~is_known(b, t))), "A broker has a log of a topic that it no longer knows.", "S2:281"),
)  # fmt: skip

ASSUMPTIONS: tuple[Assumption, ...] = (
    *ANSWERS,
    assume(
        "MA3",
        (own_incarnation[b].is_(incarnation[b]) & epoch.is_(broker_epoch[b])).implies(
            own_epoch[b].is_(epoch) & (offset <= own_offset[b]) & (want_fence | recovered[b])
        ),
        "Only the process that has an epoch names it, with an offset that it has reached, and wants to be fenced until it has "
        "recovered its logs.",
        "S2:52,59,371-386",
        event="Heartbeat",
    ),
    assume(
        "MA4",
        started_as.isnt(incarnation[b]),
        "No two processes have one incarnation id.",
        "S2:53",
        event="StartBroker",
    ),
)

PROPERTIES: tuple[Property, ...] = (*MEMBERSHIP, *LOGS, *PARTITIONS, *MATRIX, *WITNESSES)
