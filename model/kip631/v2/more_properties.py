"""Further properties of version 2: unfencing, elections, ISR joins, validity of answers, and the life of a broker."""

from __future__ import annotations

from fencepost.model.language.vocabulary import *

from .brokers import BROKERS, LOGS, NOT_RUNNING, PENDING, RECOVERY, RUNNING, SHUTTING, STARTING, to
from .membership import (
    CONTROLLER,
    HEARTBEAT,
    REGISTRATION,
    SESSIONS,
    UNREGISTRATION,
    caught_up,
    cluster,
    epoch,
    i,
    in_contact,
    legacy,
    same,
    stale,
    supports,
    want_fence,
    want_shutdown,
)
from .partitions import ALTER_ISR, REASSIGNMENT, asked, asked_epoch, at_once, target
from .properties import HEARTBEATS
from .state import *

TABLES = (CONTROLLER, REGISTRATION, HEARTBEAT, SESSIONS, UNREGISTRATION, BROKERS, LOGS, ALTER_ISR, REASSIGNMENT)
ISR_CHANGES = ("V2.8c", "V2.8d", "AI5")
"""The rows in which the leader's request for another ISR is granted."""

_told = own_epoch[b].is_(epoch)
_leader_stays = next_(leader[p]).is_(leader[p])


@definition
def goes(b: Term[Broker], *ways: tuple[BrokerState, BrokerState]) -> Term[bool]:
    """The broker goes from one of these states to the other."""
    return any_of(*(broker_state[b].is_(one) & next_(broker_state[b]).is_(other) for one, other in ways))


@definition
def unnoted(b: Term[Broker]) -> Term[bool]:
    """Nothing that the controller remembers of the broker changes, and no answer goes out to it."""
    return (
        next_(last_contact[b]).is_(last_contact[b])
        & next_(shutting_down[b]).is_(shutting_down[b])
        & next_(told[b]).is_(told[b])
        & next_(granted[b]).is_(granted[b])
    )


OF_FENCING: tuple[Property, ...] = (
    always(
        "K14",
        forall(b, (~fenced[b] & own_epoch[b].is_(broker_epoch[b])).implies(recovered[b])),
        "A process that is unfenced has recovered its logs: until then it says that it wants to be fenced, and is.",
        "S2:59-60,71-73",
    ),
    result_step(
        "K15",
        when(want_fence, next_(fenced[b]), next_(fenced[b]).is_(fenced[b] & ~caught_up)),
        "A broker that wants to be fenced is fenced, and one that no longer wants it is unfenced if it has caught up.",
        "S2:59-60,406",
        rows=HEARTBEATS,
    ),
    result_step(
        "K16",
        forall(x, fenced[x].implies(next_(fenced[x]))),
        "Nothing but a heartbeat unfences a broker.",
        "S2:59-60,406",
        except_rows={"V2.1": "it is the heartbeat that unfences"},
    ),
    result_step(
        "K17",
        forall(x, (~fenced[x] & next_(fenced[x])).implies(now > last_contact[x] + session)),
        "Who has not asked for it, and is not registered anew or unregistered, is fenced only when its session is over.",
        "S2:62",
        except_rows={
            "V2.2": "the broker asks to be fenced",
            "V2.6": "the broker is registered anew",
            "V2.7": "the broker is unregistered",
        },
    ),
)

OF_ANSWERS: tuple[Property, ...] = (
    result_step(
        "K18",
        _told.implies(
            next_(told[b])
            & next_(told_caught_up[b]).is_(caught_up)
            & next_(told_fenced[b]).is_(next_(fenced[b]))
            & next_(told_shutdown[b]).is_(want_shutdown & ~next_(leads(b)))
        ),
        "A heartbeat is answered whether its broker has caught up, is fenced, and, if it asks, may shut down.",
        "S2:65,405,408",
        rows=HEARTBEATS,
    ),
    result_step(
        "K19",
        active
        & ~stale
        & next_(last_contact[b]).is_(now)
        & next_(shutting_down[b]).is_(shutting_down[b] | want_shutdown),
        "A heartbeat that is answered NONE is one under the broker's epoch: the contact is noted, and a wish to shut down.",
        "S2:57,65",
        rows=HEARTBEATS,
    ),
    result_step(
        "K20",
        next_(registered[b])
        & next_(incarnation[b]).is_(i)
        & next_(last_contact[b]).is_(now)
        & own_incarnation[b].is_(i).implies(next_(granted[b]).is_(next_(broker_epoch[b]))),
        "A process that is answered NONE is registered, which is contact, and hears of its epoch.",
        "S2:52-53,57",
        rows=("V2.6s", "V2.6"),
    ),
    result_step(
        "K21",
        next_(broker_epoch[b]).is_(next_offset) & ~next_(shutting_down[b]),
        "The epoch of a registration is the next offset of the log, and what an earlier process wished is forgotten.",
        "S2:52",
        rows=("V2.6",),
    ),
    result_step(
        "K22",
        active & cluster & supports & (same | ~(registered[b] & in_contact)),
        "No broker is registered that is of another cluster, lacks the features, while another process has its id, or by an inactive controller.",
        "S2:54-57,258-260,409",
        rows=("V2.6s", "V2.6"),
    ),
    result_step(
        "K23",
        ~next_(registered[b]) & ~next_(shutting_down[b]) & active & ~legacy,
        "An unregistration that is answered NONE has removed the registration, which the active controller did.",
        "S2:412-420",
        rows=("V2.7",),
    ),
    result_step(
        "K30",
        active,
        "Whatever is answered but NOT_CONTROLLER is answered by the active controller, and so is every refusal for another reason.",
        "S2:409,419",
        named_for="it is about answers; CF and CS answer no request, and change who is active",
        rows=tuple(
            row.id
            for table in (REGISTRATION, HEARTBEAT, UNREGISTRATION, ALTER_ISR, REASSIGNMENT)
            for row in table.rows
            if row.id not in ("V2.5r", "V2.5", "V2.7l", "V2.7c", "AI1", "RA1")
        ),
    ),
    result_step(
        "K31",
        ~legacy,
        "Where KIP-500 mode is not enabled an unregistration is answered UNSUPPORTED_VERSION, and nothing else.",
        "S2:420",
        rows=("V2.7c", "V2.7n", "V2.7"),
    ),
    result_step(
        "K24",
        (~active).implies(forall(x, unnoted(x))),
        "A node that is not the active controller records nothing of a request, and answers only NOT_CONTROLLER.",
        "S2:409",
        named_for="it is about requests; CF and CS change who is active, BS8 ends a process",
        rows=tuple(row.id for table in (REGISTRATION, HEARTBEAT, UNREGISTRATION) for row in table.rows),
    ),
)

OF_PROCESSES: tuple[Property, ...] = (
    result_step(
        "K25",
        forall(
            b,
            next_(broker_state[b]).is_(broker_state[b])
            | next_(broker_state[b]).is_(NOT_RUNNING)
            | goes(b, (NOT_RUNNING, STARTING))
            | (goes(b, (STARTING, RECOVERY)) & told[b] & told_caught_up[b])
            | (goes(b, (RECOVERY, RUNNING)) & recovered[b] & told[b] & ~told_fenced[b])
            | goes(b, (RUNNING, PENDING))
            | (goes(b, (PENDING, SHUTTING)) & told[b] & told_shutdown[b]),
        ),
        "A broker passes all of its states, each once the controller has answered that it may, or ends.",
        "S2:67-82",
    ),
    always(
        "K26",
        forall(b, serving[b].is_(broker_state[b].is_(RUNNING) | broker_state[b].is_(PENDING))),
        "A broker serves while it runs, and until its shutdown is granted.",
        "S2:65,73-79",
    ),
    always(
        "K27",
        forall(b, own_offset[b] <= committed),
        "No broker has applied uncommitted records.",
        "S2:18-20",
    ),
    result_step(
        "K28",
        (next_(committed) >= committed)
        & (next_(committed) < next_(next_offset))
        & (next_(next_offset).is_(next_offset) | next_(next_offset).is_(next_offset + 1))
        & forall(t, (created_at[t] >= 0).implies(next_(created_at[t]).is_(created_at[t])))
        & forall(t, (removed_at[t] >= 0).implies(next_(removed_at[t]).is_(removed_at[t]))),
        "The log only grows, by one batch a result, and what is committed stays: topics keep the offsets of their records.",
        "S2:18-22,279-280",
    ),
    result_step(
        "K29",
        forall(b, (next_(own_offset[b]) >= own_offset[b]) | next_(broker_state[b]).is_(NOT_RUNNING)),
        "A process never goes back to older metadata.",
        "S2:18,69-70",
    ),
    result_step(
        "K37",
        next_(own_offset[b]).is_(to),
        "Who has applied metadata up to an offset, record by record or as a snapshot, notes that it has.",
        "S2:18,69-70",
        rows=("BA1", "BA2", "BA3"),
    ),
    result_step(
        "K32",
        next_(next_offset).is_(next_offset + 1)
        | (
            forall(x, next_(registered[x]).is_(registered[x]) & next_(broker_epoch[x]).is_(broker_epoch[x]) & next_(fenced[x]).is_(fenced[x]))
            & forall(p, _leader_stays & next_(isr[p]).is_(isr[p]) & next_(replicas[p]).is_(replicas[p]))
            & forall(t, next_(created_at[t]).is_(created_at[t]) & next_(removed_at[t]).is_(removed_at[t]))
        ),
        "Metadata changes by what is written to the log: every operation that changes some takes an offset.",
        "S2:18-22",
    ),
    result_step(
        "K33",
        forall(t, next_(t.in_(logs[b])).is_(t.in_(logs[b]) & is_known(b, t))),
        "A broker that starts its log manager keeps the logs of the topics that its metadata has, and deletes all others.",
        "S2:281",
        rows=("BS3",),
    ),
    result_step(
        "K34",
        next_(broker_state[b]).isnt(broker_state[b]) | (next_(recovered[b]) & ~recovered[b]),
        "What a broker goes through takes it on, to another state or from recovering its logs to having done so.",
        "S2:67-79",
        rows=("BS1", "BS3", "BS4", "BS5", "BS6", "BS7", "BS8"),
    ),
    always(
        "K35",
        forall(
            b,
            broker_state[b]
            .is_(NOT_RUNNING)
            .implies(
                own_incarnation[b].is_(0) & own_epoch[b].is_(-1) & own_offset[b].is_(-1) & ~recovered[b]
                & granted[b].is_(-1) & ~told[b] & ~told_caught_up[b] & ~told_fenced[b] & ~told_shutdown[b]
            ),
        ),
        "Nothing is left of a process that has ended, and what it is answered is lost.",
        "S2:67-68,78-79",
    ),
    always(
        "K36",
        forall(t, removed_at[t].is_(-1) | ((created_at[t] >= 0) & (created_at[t] < removed_at[t]))),
        "Only a topic that there is is removed.",
        "S2:279-280",
    ),
)  # fmt: skip

OF_PARTITIONS: tuple[Property, ...] = (
    result_step(
        "P5",
        forall(p, next_(isr[p]) <= isr[p]),
        "A broker joins an ISR only by an alterIsr of the leader: neither fence, election nor reassignment adds a member.",
        "S2:89-94",
        except_rows=dict.fromkeys(ISR_CHANGES, "it is an alterIsr of the leader (P5a)"),
    ),
    result_step(
        "P5a",
        active
        & leader[p].is_(b)
        & asked_epoch.is_(leader_epoch[p])
        & next_(isr[p]).is_(asked - (removing[p] - next_(removing[p])))
        & (asked <= replicas[p]),
        "An alterIsr is granted to the leader in its leader epoch, and the ISR is the one asked for, without whom a reassignment "
        "removes.",
        "S2:89-95",
        rows=ISR_CHANGES,
    ),
    result_step(
        "P9e",
        forall(p, next_(leader_epoch[p]).is_(when(_leader_stays, leader_epoch[p], leader_epoch[p] + 1))),
        "A change of the leader raises the leader epoch by one, and nothing else does.",
        "S2:458",
    ),
    result_step(
        "P15",
        forall(p, forall(x, (next_(leader[p]).is_(x) & leader[p].isnt(x)).implies(~fenced[x] & ~shutting_down[x] & active))),
        "A new leader is unfenced and does not shut down, and the active controller elects it.",
        "S2:31,65",
    ),
    result_step(
        "P16",
        forall(p, (present(leader[p]) & ~next_(present(leader[p]))).implies(forall(x, leader[p].is_(x).implies(~next_(x.in_(isr[p])) | next_(fenced[x]))))),
        "A partition is left without a leader only by a leader that leaves the ISR, or is fenced.",
        "S2:31,95",
    ),
    result_step(
        "P17",
        active
        & ~empty(target)
        & forall(x, x.in_(target).implies(registered[x]))
        & (next_(replicas[p]) - next_(removing[p])).is_(target)
        & next_(reassigning(p)).is_(~at_once)
        & next_(isr[p]).is_(when(at_once, isr[p] & target, isr[p]))
        & ((target - replicas[p]) <= next_(adding[p]))
        & (at_once | ((target & adding[p]) <= next_(adding[p]))),
        "A reassignment that is answered NONE has the target as its replicas, at once or when those who are added are in sync, "
        "who was being added before among them.",
        "S2:84-90",
        rows=("V2.8", "V2.8a"),
    ),
    result_step(
        "P18",
        forall(
            p,
            next_(replicas[p]).is_(replicas[p]) & next_(adding[p]).is_(adding[p]) & next_(removing[p]).is_(removing[p]),
        ),
        "Nothing but an operator's request, and the alterIsr that ends one, changes whom a partition is on.",
        "S2:85-94",
        except_rows=dict.fromkeys(("V2.8", "V2.8a", "V2.8c", "V2.8d"), "an operator asks for it, or it ends what was asked for"),
    ),
)  # fmt: skip

MORE: tuple[Property, ...] = (*OF_FENCING, *OF_ANSWERS, *OF_PROCESSES, *OF_PARTITIONS)

SHOWN: tuple[Property, ...] = (
    sometimes(
        "W8",
        exists(b, (~registered[b] | fenced[b]) & (now > last_contact[b] + session + 1)),
        "A broker that is not registered, or is fenced, may be silent for any time.",
        "S2:48-49,62",
    ),
    sometimes(
        "W9",
        ~active & exists(b, ~fenced[b]),
        "No controller is active, and a broker is unfenced all the same.",
        "S2:91",
    ),
)
