"""KIP-631's second version as one protocol; `slices.py` has the parts of it that are explored."""

from __future__ import annotations

from fencepost.model.language import FALSE, Protocol, all_of, empty, forall, nobody, none_of, protocol

from .brokers import BROKERS, LOGS, NOT_RUNNING
from .lemmas import LEMMAS
from .membership import CONTROLLER, HEARTBEAT, REGISTRATION, SESSIONS, UNREGISTRATION
from .partitions import ALTER_ISR, REASSIGNMENT
from .properties import ASSUMPTIONS, LIVENESS, PROPERTIES
from .state import (
    BROKER,
    LEADER_EPOCH,
    OFFSET,
    TOPIC,
    active,
    adding,
    b,
    broker_epoch,
    broker_state,
    committed,
    created_at,
    epoch_at,
    fenced,
    granted,
    id_reuse,
    incarnation,
    isr,
    last_contact,
    leader,
    leader_at,
    leader_epoch,
    leader_in,
    logs,
    next_offset,
    now,
    own_epoch,
    own_incarnation,
    own_offset,
    p,
    recovered,
    registered,
    removed_at,
    removing,
    replicas,
    serving,
    session,
    shutting_down,
    t,
    told,
    told_caught_up,
    told_fenced,
    told_shutdown,
)

_o, _e = OFFSET.var("o"), LEADER_EPOCH.var("e")
NO_ANSWER = all_of(
    forall(b, granted[b].is_(-1)), forall(b, ~told[b] & ~told_caught_up[b] & ~told_fenced[b] & ~told_shutdown[b])
)
NO_HISTORY = all_of(
    forall(p, forall(_o, leader_at[p, _o].is_(None) & epoch_at[p, _o].is_(0))),
    forall(t, created_at[t].is_(-1) & removed_at[t].is_(-1)),
    forall(b, logs[b].is_(nobody(TOPIC))),
)
NO_PROCESS = all_of(
    forall(b, broker_state[b].is_(NOT_RUNNING) & own_incarnation[b].is_(0) & own_epoch[b].is_(-1) & own_offset[b].is_(-1)),
    forall(b, ~recovered[b] & ~serving[b]),
    NO_ANSWER,
)
NO_REASSIGNMENT = forall(p, empty(adding[p]) & empty(removing[p]))
NO_LEADERS = forall(p, leader[p].is_(none_of(BROKER)) & leader_epoch[p].is_(0) & forall(_e, leader_in[p, _e].is_(None)))
FRESH = all_of(
    active,
    now.is_(0),
    committed.is_(0),
    next_offset.is_(1),
    forall(b, ~registered[b] & fenced[b] & incarnation[b].is_(0) & broker_epoch[b].is_(-1)),
    forall(b, last_contact[b].is_(-1) & shutting_down[b].is_(FALSE)),
    NO_PROCESS,
    NO_HISTORY,
    NO_LEADERS,
    NO_REASSIGNMENT,
)
"""An active controller with an empty log; partitions with replicas, all of them in the ISR, and nobody registered."""

KIP631_V2: Protocol = protocol(
    "kip631-v2",
    CONTROLLER,
    REGISTRATION,
    HEARTBEAT,
    SESSIONS,
    UNREGISTRATION,
    BROKERS,
    LOGS,
    ALTER_ISR,
    REASSIGNMENT,
    properties=(*PROPERTIES, *LIVENESS, *LEMMAS),
    assumptions=ASSUMPTIONS,
    start=all_of(
        FRESH, (session >= 0) & (id_reuse >= 0), forall(p, ~empty(replicas[p]) & isr[p].is_(replicas[p]))
    ),
    about="KIP-631, version 2: the metadata log, brokers that heartbeat with want-fence and want-shutdown, alterIsr, reassignment.",
)
