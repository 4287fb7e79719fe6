"""Further properties of version 1: leases, ISR joins, validity of answers, and the life of a broker."""

from __future__ import annotations

from fencepost.model.language.vocabulary import *

from .brokers import ANSWERS, STATE_MACHINE, lasts, lease_until, next, told
from .heartbeats import HEARTBEATS, is_active, is_fenced, leads_nothing, stale, wants_shutdown
from .leases import CONTROLLERS, LEASES
from .messages import carried, epoch, offset
from .partitions import PARTITIONS, reached
from .properties import leader_stays
from .registration import REGISTRATION, conflict, contact_recent, process, supports
from .state import *

S = BrokerState
TABLES = (REGISTRATION, HEARTBEATS, LEASES, CONTROLLERS, PARTITIONS, STATE_MACHINE, ANSWERS)
HEARD = tuple(row.id for row in HEARTBEATS.rows)
REGISTERS = ("V1.2", "V1.1", "V1.1b")
REPLIES = ("VH1", "VH2", "VH3", "VH4", "VH5")

_taken = active & ~stale(b, epoch) & (offset >= reported_offset[b])
_says = next_(says_next[m])


@definition
def goes(b: Term[Broker], *ways: tuple[BrokerState, BrokerState]) -> Term[bool]:
    """The broker goes from one of these states to the other."""
    return any_of(*(broker_state[b].is_(one) & next_(broker_state[b]).is_(other) for one, other in ways))


@definition
def nothing_said(m: Term[Exchange]) -> Term[bool]:
    """The exchange has no heartbeat on its way."""
    return (
        says_epoch[m].is_(-1)
        & says_current[m].is_(Current.FENCED)
        & says_target[m].is_(Target.ACTIVE)
        & says_offset[m].is_(-1)
    )


@definition
def nothing_answered(m: Term[Exchange]) -> Term[bool]:
    """The exchange has no answer on its way."""
    return says_next[m].is_(Next.NOTHING) & says_lease[m].is_(0)


OF_LEASES: tuple[Property, ...] = (
    always(
        "KE",
        active.implies(forall(x, (~fenced[x]).implies(lease_end[x].isnt(-1) & (now <= lease_end[x] + 1)))),
        "While a controller is active an unfenced broker has a lease that has not expired, or had one until this step.",
        "S2:41-43",
        scope=AT_RESULT_BOUNDARIES,
    ),
    result_step(
        "K17",
        forall(x, (~fenced[x] & next_(fenced[x])).implies(active & lease_end[x].isnt(-1) & (now > lease_end[x]))),
        "A broker is fenced only when its lease is over, also by another process that takes its id over.",
        "S2:43",
    ),
    result_step(
        "K16",
        forall(x, fenced[x].implies(next_(fenced[x]))),
        "Nothing but a heartbeat unfences a broker.",
        "S2:440-444",
        except_rows={"V1.6": "it is the heartbeat that unfences"},
    ),
)

OF_ANSWERS: tuple[Property, ...] = (
    result_step(
        "K19",
        when(
            _taken,
            next_(last_contact[b]).is_(now)
            & next_(reported_offset[b]).is_(offset)
            & next_(shutting_down[b]).is_(shutting_down[b] | wants_shutdown),
            next_(last_contact[b]).is_(last_contact[b])
            & next_(reported_offset[b]).is_(reported_offset[b])
            & next_(shutting_down[b]).is_(shutting_down[b])
            & next_(lease_end[b]).is_(lease_end[b])
            & next_(granted[b]).is_(granted[b])
            & next_(fenced[b]).is_(fenced[b])
            & forall(m, carried(m).implies(next_(phase[m]).is_(Phase.FREE))),
        ),
        "A heartbeat is contact and reports how far its broker has read; one of another epoch or a lower offset changes nothing.",
        "S2:34,39,447",
        rows=HEARD,
    ),
    result_step(
        "K18s",
        (_taken & wants_shutdown).implies(
            forall(m, carried(m).implies(_says.is_(Next.SHUTDOWN).is_(leads_nothing(b))))
        ),
        "A broker that asks for its shutdown is answered to proceed once it leads nothing, and not before.",
        "S2:46",
        rows=HEARD,
    ),
    result_step(
        "K18",
        (_taken & ~wants_shutdown).implies(
            is_fenced.implies(next_(granted[b]) & next_(fenced[b]).is_(fenced[b]))
            & is_active.implies(next_(fenced[b]).is_(fenced[b] & ~granted[b]) & ~next_(granted[b]))
            & forall(
                m,
                carried(m).implies(
                    _says.is_(when(is_active & next_(fenced[b]), literal(Next.FENCED), literal(Next.ACTIVE)))
                ),
            )
        ),
        "A broker that says fenced and wants active is answered active, and is unfenced by its next heartbeat, in which it says active.",
        "S2:440-444",
        rows=HEARD,
    ),
    result_step(
        "KL",
        _taken.implies(
            forall(
                m,
                carried(m).implies(
                    next_(phase[m]).is_(Phase.ANSWERED)
                    & when(
                        _says.is_(Next.ACTIVE),
                        next_(says_lease[m]).is_(next_lease) & (next_(lease_end[b]) >= now + next_lease),
                        next_(says_lease[m]).is_(0) & next_(lease_end[b]).is_(lease_end[b]),
                    )
                ),
            )
        ),
        "A broker that is answered active has a lease of the length that the answer says, and no other answer gives one.",
        "S2:43",
        rows=HEARD,
    ),
    result_step(
        "K20",
        next_(registered[b])
        & next_(incarnation[b]).is_(process)
        & next_(last_contact[b]).is_(now)
        & next_(answered[b]).is_(process)
        & next_(answered_epoch[b]).is_(next_(broker_epoch[b])),
        "A process that is answered NONE is registered, which is contact, and receives its epoch.",
        "S2:34-39",
        rows=REGISTERS,
    ),
    result_step(
        "K21",
        next_(broker_epoch[b]).is_(committed)
        & next_(fenced[b])
        & next_(lease_end[b]).is_(-1)
        & ~next_(granted[b])
        & ~next_(shutting_down[b])
        & next_(reported_offset[b]).is_(-1),
        "The epoch of a registration is the latest committed offset; the process has no lease, and nothing of an earlier one.",
        "S2:34,41",
        rows=("V1.1", "V1.1b"),
    ),
    result_step(
        "K22",
        active & (~conflict(b, process) | ~contact_recent(b)) & supports,
        "No broker is registered while another process has the id, without the features, or by a controller that is not active.",
        "S2:36-39,446",
        rows=REGISTERS,
    ),
    result_step(
        "K30",
        active,
        "Whatever is answered but NOT_CONTROLLER is answered by the active controller, and so is every refusal for another reason.",
        "S2:446",
        named_for="it is about answers; VF1 and VF2 answer no request, and change who is active",
        rows=tuple(row.id for table in (REGISTRATION, HEARTBEATS) for row in table.rows if row.id not in ("V1.1n", "V1.5n")),
    ),
    result_step(
        "K31",
        registered[b] & incarnation[b].isnt(process) & (now <= last_contact[b] + id_reuse),
        "A process is refused an id only while another one has it that was heard of a short time ago.",
        "S2:38",
        rows=("V1.3",),
    ),
    result_step(
        "K32",
        forall(
            m,
            carried(m)
            | (
                next_(phase[m]).is_(phase[m])
                & next_(sender[m]).is_(sender[m])
                & next_(says_epoch[m]).is_(says_epoch[m])
                & next_(says_next[m]).is_(says_next[m])
                & next_(says_lease[m]).is_(says_lease[m])
            ),
        ),
        "A heartbeat that comes is answered by itself: whatever else is on its way, of this broker or of others, stays.",
        "S2:427-444",
        rows=HEARD,
    ),
    always(
        "K33",
        forall(x, registered[x] | (lease_end[x].is_(-1) & last_contact[x].is_(-1) & ~granted[x] & ~shutting_down[x])),
        "Who is not registered has no lease, and the controller has heard nothing of it.",
        "S2:34,41",
        scope=AT_RESULT_BOUNDARIES,
    ),
    always(
        "KM",
        forall(
            m,
            (phase[m].is_(Phase.ASKED) | nothing_said(m))
            & (phase[m].is_(Phase.ANSWERED) | nothing_answered(m))
            & (phase[m].isnt(Phase.FREE) | (sender[m].is_(none_of(BROKER)) & asker[m].is_(0) & sent_at[m].is_(-1))),
        ),
        "What is on its way is a heartbeat or its answer, and nothing is left of one that has come.",
        "S2:427-444",
        scope=AT_RESULT_BOUNDARIES,
    ),
    result_step(
        "KH",
        next_(sender[m]).is_(some(b))
        & next_(asker[m]).is_(own_incarnation[b])
        & next_(says_epoch[m]).is_(own_epoch[b])
        & next_(says_offset[m]).is_(own_offset[b])
        & next_(sent_at[m]).is_(now)
        & next_(says_current[m]).is_(when(serving[b], literal(Current.ACTIVE), literal(Current.FENCED)))
        & next_(says_target[m]).is_(when(broker_state[b].is_(S.PENDING), literal(Target.SHUTDOWN), literal(Target.ACTIVE))),
        "A heartbeat has the epoch of its broker, how far it has read, in which state it is, and in which it would like to be.",
        "S2:431-440",
        rows=("VB5",),
    ),
)  # fmt: skip

OF_PROCESSES: tuple[Property, ...] = (
    result_step(
        "K25",
        forall(
            b,
            next_(broker_state[b]).is_(broker_state[b])
            | next_(broker_state[b]).is_(S.NOT_RUNNING)
            | goes(b, (S.NOT_RUNNING, S.STARTING), (S.STARTING, S.RECOVERING), (S.STARTING, S.REGISTERING))
            | goes(b, (S.RECOVERING, S.REGISTERING), (S.FENCED, S.PENDING), (S.RUNNING, S.PENDING))
            | (
                goes(b, (S.REGISTERING, S.FENCED))
                & answered[b].is_(own_incarnation[b])
                & next_(own_epoch[b]).is_(answered_epoch[b])
            )
            | (goes(b, (S.FENCED, S.RUNNING)) & next_(serving[b]))
            | (goes(b, (S.RUNNING, S.FENCED)) & ~next_(serving[b]))
            | (goes(b, (S.PENDING, S.SHUTTING_DOWN)) & ~next_(serving[b])),
        ),
        "A broker goes through its states along the arrows of the drawing.",
        "S2:123",
    ),
    always(
        "K26",
        forall(
            b,
            broker_state[b].is_(S.RUNNING).implies(serving[b])
            & broker_state[b]
            .is_(S.NOT_RUNNING)
            .implies(
                own_incarnation[b].is_(0)
                & own_epoch[b].is_(-1)
                & own_offset[b].is_(-1)
                & forall(p, ~leads[b, p] & seen_epoch[b, p].is_(0))
            ),
        ),
        "A broker that runs serves, and nothing is left of a process that has ended.",
        "S2:42-43,123",
        scope=AT_RESULT_BOUNDARIES,
    ),
    result_step(
        "KA",
        forall(m, told(m).implies(next_(phase[m]).is_(Phase.FREE)))
        & (next.is_(Next.ACTIVE) & lasts & broker_state[b].is_(S.FENCED)).implies(next_(broker_state[b]).is_(S.RUNNING))
        & (next.is_(Next.ACTIVE) & lasts & (broker_state[b].is_(S.FENCED) | serving[b])).implies(
            next_(own_lease_end[b]) >= lease_until()
        )
        & (
            next.is_(Next.FENCED) & (broker_state[b].is_(S.FENCED) | broker_state[b].is_(S.RUNNING) | broker_state[b].is_(S.PENDING))
        ).implies(~next_(serving[b]))
        & broker_state[b].is_(S.PENDING).implies(next_(broker_state[b]).is_(S.SHUTTING_DOWN).is_(next.is_(Next.SHUTDOWN))),
        "A broker that is answered active runs for as long as the lease lasts, one answered fenced stops serving, and one shuts down "
        "only if it wishes to and is answered so.",
        "S2:42-46,439",
        rows=REPLIES,
    ),
    always(
        "K27",
        forall(
            b,
            (own_offset[b] <= committed)
            & forall(
                p,
                (own_offset[b] >= led_at[p]).implies(
                    leads[b, p].is_(leader[p].is_(b)) & seen_epoch[b, p].is_(leader_epoch[p])
                ),
            ),
        ),
        "No broker has applied uncommitted records, and one that has read the last change of leader knows whether it leads.",
        "S2:18-20",
        scope=AT_RESULT_BOUNDARIES,
    ),
    result_step(
        "K28",
        (next_(committed) >= committed)
        & (next_(committed) < next_(next_offset))
        & (next_(next_offset).is_(next_offset) | next_(next_offset).is_(next_offset + 1))
        & forall(b, (next_(own_offset[b]) >= own_offset[b]) | next_(broker_state[b]).is_(S.NOT_RUNNING)),
        "The log only grows, by one batch an operation; what is committed stays, and no process goes back to older metadata.",
        "S2:18-22",
    ),
    result_step(
        "K38",
        next_(own_offset[b]).is_(reached),
        "Who has applied metadata up to an offset notes that it has.",
        "S2:18,397",
        rows=("VC2",),
    ),
)  # fmt: skip

OF_TIMES: tuple[Property, ...] = (
    always(
        "K34",
        forall(x, broker_state[x].is_(S.RUNNING) | broker_state[x].is_(S.PENDING) | own_lease_end[x].is_(-1)),
        "Who neither runs nor waits for its shutdown has no lease.",
        "S2:41-43",
        scope=AT_RESULT_BOUNDARIES,
    ),
    result_step(
        "K35",
        next_(broker_state[b]).isnt(broker_state[b]),
        "A process that starts, recovers, registers, begins its shutdown or ends was not there yet.",
        "S2:123",
        rows=("VB1", "VB2", "VB3", "VB6", "VB8"),
    ),
    result_step(
        "K36",
        next_(active).is_(~active),
        "There is one active controller at most: who fails was it, and another takes over when there is none.",
        "S2:20,34",
        rows=("VF1", "VF2"),
    ),
    result_step(
        "K37",
        (next_(now) > now)
        | (next_(committed) > committed)
        | exists(x, next_(own_offset[x]) > own_offset[x])
        | next_(next_lease).isnt(next_lease),
        "Time passes, what was written is committed, brokers read on, and a controller that makes its leases longer or shorter does.",
        "S2:18-20,43",
        named_for="each of these rows does one of the four; VB8 ends a process, which forgets how far it had read",
        rows=("VT1", "VT2", "VC1", "VC2"),
    ),
)

OF_PARTITIONS: tuple[Property, ...] = (
    result_step(
        "P5",
        forall(p, next_(isr[p]) <= isr[p]),
        "Only a replica that has caught up joins an ISR: neither a fence nor an election adds a member.",
        "S2:488,505",
        except_rows={"VE3": "the replica that joins has caught up (P5a)"},
    ),
    result_step(
        "P5a",
        active
        & b.in_(replicas[p])
        & ~fenced[b]
        & present(leader[p])
        & leader_stays
        & forall(x, next_(x.in_(isr[p])).is_(x.in_(isr[p]) | x.is_(b))),
        "A broker that joins an ISR is an unfenced replica, and the partition has a leader that it caught up with.",
        "S2:488",
        rows=("VE3",),
    ),
    result_step(
        "P9e",
        forall(p, next_(leader_epoch[p]).is_(when(leader_stays, leader_epoch[p], leader_epoch[p] + 1))),
        "A change of the leader raises the leader epoch by one, and nothing else does.",
        "S2:479,492",
    ),
    result_step(
        "P15",
        forall(p, forall(x, (next_(leader[p]).is_(x) & leader[p].isnt(x)).implies(~fenced[x] & ~shutting_down[x] & active))),
        "A new leader is unfenced and has not asked for its shutdown, and the active controller elects it.",
        "S2:31,46",
    ),
    result_step(
        "P16",
        forall(p, (present(leader[p]) & ~next_(present(leader[p]))).implies(forall(x, leader[p].is_(x).implies(next_(fenced[x]))))),
        "A partition is left without a leader only where this is fenced.",
        "S2:31,505",
    ),
    result_step(
        "P7f",
        forall(p, (next_(fenced[b]) & next_(b.in_(isr[p]))).implies(forall(x, next_(x.in_(isr[p])).implies(x.is_(b))))),
        "A broker that is fenced leaves every ISR, save as its last member.",
        "S2:505",
        rows=("V1.8", "V1.1", "V1.1b"),
    ),
)  # fmt: skip

MORE: tuple[Property, ...] = (*OF_LEASES, *OF_ANSWERS, *OF_PROCESSES, *OF_TIMES, *OF_PARTITIONS)

SHOWN: tuple[Property, ...] = (
    sometimes(
        "W5",
        exists(x, active & registered[x] & lease_end[x].is_(-1) & reported_offset[x].is_(-1) & (last_contact[x] < now)),
        "A broker is registered for a while and has no lease yet.",
        "S2:41",
    ),
)
