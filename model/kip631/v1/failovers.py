"""Failovers of version 1 as S2:20 describes them: a controller that does not know that it was replaced, and a tail that is lost."""

from __future__ import annotations

from dataclasses import replace

from fencepost.model.kip631.claimants import epochs_known, lose, replace_controller, replaced, slice_of, two_are_active
from fencepost.model.kip631.tail import tail
from fencepost.model.language.vocabulary import *

from .leases import CONTROLLERS
from .messages import answer, carried, current, epoch, offset, target
from .properties import BEATS, leader_stays
from .protocol import KIP631_V1
from .slices import (
    ALONE,
    CURRENT,
    MOVED,
    NEVER,
    NO_NEWS,
    ONE,
    ONE_BROKER,
    QUIET,
    RUNNING,
    SIZES,
    Given,
    begun,
    given,
    led,
    running,
    settings,
    until,
    written,
)
from .state import *

epoch_known = epochs_known(BROKER, OFFSET)
old_heartbeat = event("HeartbeatToReplaced", b, epoch, current, target, offset, source="S2:440-447")
learns = event("ReplacedLearns", environment=True, source="S2:446")

LOG = tail(
    OFFSET,
    next_offset,
    committed,
    *(
        (one, b)
        for one in (registered, incarnation, broker_epoch, fenced, registered_at, fenced_at, answered, answered_epoch)
    ),
    *((one, p) for one in (isr, leader, leader_epoch, led_at)),
)
_forgets = next(row for row in CONTROLLERS.rows if row.id == "VF1").effects
REPLACED = table(
    "controllers that were replaced",
    replace_controller(
        "VF3",
        active & ~replaced,
        _forgets,
        replaced.becomes(TRUE),
        every(b, registered[b] & ~fenced[b], epoch_known[b].becomes(broker_epoch[b])),
    ),
    old_heartbeat(
        "VF4",
        replaced & epoch_known[b].is_(epoch) & (epoch >= 0) & target.is_(Target.ACTIVE) & exists(m, carried(m)),
        answer(Next.ACTIVE, next_lease),
    ),
    learns("VF5", replaced, replaced.becomes(FALSE), every(b, TRUE, epoch_known[b].becomes(-1))),
    lose("VF6", ~active & LOG.may_lose, LOG.restores()),
    about="A controller that was replaced goes on until it learns of it; what it had not committed may be lost.",
    why={
        "VF3": "The quorum has elected another one. What the next controller does not know is as after VF1.",
        "VF4": "A heartbeat that asks for a lease needs no record, so the controller does not learn that it was replaced.",
        "VF5": "An append fails, or it hears of the newer epoch: from now on it answers NOT_CONTROLLER.",
        "VF6": "The next leader's log ends where the committed one does. Only the controller had seen the rest.",
    },
)

KEPT = ("M3f", "M4")
_registrations = LOG.same_since(registered_at, registered, incarnation, broker_epoch)
_leaders = LOG.same_since(led_at, leader, leader_epoch)
FAILOVER_CLAIMS = (
    step(
        "M7",
        ~serving[b],
        "A broker that loses its leaderships by a fence has stopped serving before: violated if a controller that was replaced has made its "
        "lease longer, of which the active one knows nothing.",
        "S2:42-43",
        rows=("V1.8", "V1.1b"),
        expected="violated",
        finding="M7",
    ),
    step(
        "M7w",
        next_(next_offset).is_(next_offset)
        & next_(committed).is_(committed)
        & forall(x, next_(fenced[x]).is_(fenced[x]) & next_(registered[x]).is_(registered[x]))
        & forall(p, leader_stays & next_(isr[p]).is_(isr[p])),
        "A controller that was replaced changes no metadata.",
        "S2:446",
        rows=("VF3", "VF4", "VF5"),
    ),
    step(
        "M8c",
        forall(
            x,
            (registered_at[x] <= committed).implies(
                next_(registered[x]).is_(registered[x])
                & next_(incarnation[x]).is_(incarnation[x])
                & next_(broker_epoch[x]).is_(broker_epoch[x])
            ),
        )
        & forall(p, (led_at[p] <= committed).implies(leader_stays & next_(leader_epoch[p]).is_(leader_epoch[p]))),
        "What is committed outlives a failover that loses the rest: registrations and leaders.",
        "S2:18,20",
        rows=("VF6",),
    ),
    step(
        "M8l",
        LOG.loses(),
        "Work that is not committed is lost: the next controller begins with what the metadata said when the last committed "
        "offset was the newest.",
        "S2:20",
        rows=("VF6",),
    ),
    step(
        "M8a",
        registered_at[b] <= committed,
        "The answer to a registration reaches the broker only once its record is committed.",
        "S2:20",
        rows=("VB4",),
    ),
    *LOG.claims("TL0"),
    *_registrations.claims("TL1", "TL2", "For M8c: who is registered is so since the record that says it."),
    *_leaders.claims("TL3", "TL4", "For M8c: who leads does so since the record that says it."),
    leads_to(
        "M8",
        exists(x, broker_state[x].is_(BrokerState.REGISTERING) | broker_state[x].is_(BrokerState.FENCED)),
        ~exists(x, broker_state[x].is_(BrokerState.REGISTERING) | broker_state[x].is_(BrokerState.FENCED)),
        (*BEATS, "Register", "RegisterReply", "TimePasses"),
        "A process that asks to be registered runs in the end, whatever of its handshake a failover loses.",
        "S2:20,440-444",
    ),
    two_are_active(active),
    sometimes("W8", ~active & LOG.may_lose & ~forall(x, ~registered[x]), "A registration is about to be lost."),
)

_vb4 = next(row for row in KIP631_V1.rows if row.id == "VB4")
LOSING: Protocol = LOG.kept_by(
    KIP631_V1, "what the metadata said at every offset, for a failover that loses the rest"
).but(
    "VB4",
    when=_vb4.when & (registered_at[b] <= committed),
    why="S2:20: no request is answered before what the answer says is committed",
)

WHOLE: Protocol = replace(
    LOSING,
    name="kip631-v1+failovers",
    tables=(*LOSING.tables, REPLACED),
    properties=tuple(
        replace(one, expected="violated", finding="M7") if isinstance(one, Step) and one.id == "M3f" else one
        for one in KIP631_V1.properties
        if one.id in KEPT
    ),
    base=KIP631_V1,
    why="a controller that does not know that it was replaced, and an uncommitted tail that a failover loses",
).claiming(*FAILOVER_CLAIMS)

_BEGUN = replace(WHOLE, tables=(*WHOLE.tables, RUNNING))
_OLD: Given = {
    "HeartbeatToReplaced": epoch.is_(says_epoch[ONE])
    & current.is_(says_current[ONE])
    & target.is_(says_target[ONE])
    & offset.is_(says_offset[ONE])
}
CLAIMANTS = {
    "claimants": Bound(
        ONE_BROKER,
        start=settings(1, 1, 1),
        given={
            **running(ALONE, until(3), MOVED, NO_NEWS),
            **_OLD,
            "TailIsLost": NEVER,
            "ControllerIsReplaced": begun & now.is_(0) & written,
            "ReplacedLearns": TRUE,
            "ControllerFailover": TRUE,
        },
        about="a broker that serves, and a controller that is replaced and answers on until it learns of it",
    )
}
LOST = {
    "tail": Bound(
        {**SIZES, "offset": 7, "leader epoch": 3, "time": 2},
        start=settings(1, 1, 1),
        given=given(
            QUIET,
            ALONE,
            until(1),
            led(1),
            {
                "StopBroker": NEVER,
                "SendHeartbeat": CURRENT,
                "Register": QUIET["Register"] & broker_state[b].is_(BrokerState.REGISTERING),
                "Commit": TRUE,
                "ControllerFails": now.is_(0),
                "ControllerFailover": now > 0,
                "ControllerIsReplaced": NEVER,
            },
        ),
        about="one broker that registers, while the controller fails with what it had not committed",
    )
}
SLICES: tuple[Protocol, ...] = (
    slice_of(WHOLE, "kip631-v1_tail", LOST, "M8", "M8c", "M8l", "M8a", "M4", "W8"),
    slice_of(_BEGUN, "kip631-v1_claimants", CLAIMANTS, "M7", "M7w", "M3f", "M4", "W7"),
)
