"""Failovers of version 1 as S2:20 describes them: a controller that does not know that it was replaced, and a tail that is lost."""

from __future__ import annotations

from dataclasses import replace

from fencepost.model.kip631.claimants import epochs_known, lose, replace_controller, replaced, slice_of, two_are_active
from fencepost.model.kip631.tail import tail
from fencepost.model.language.rankings import Helps, Rank
from fencepost.model.language.vocabulary import *

from .brokers import next as next_state
from .leases import CONTROLLERS
from .lemmas import LEMMAS, registers
from .messages import answer, carried, current, epoch, offset, target
from .properties import due, leader_stays, over
from .protocol import KIP631_V1
from .registration import contact_recent, process, supports
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


# -- a process that asks to be registered ---------------------------------------------------------------------------------
@definition
def live(m: Term[Exchange]) -> Term[bool]:
    """The exchange is under way, and the process that began it is there."""
    return phase[m].isnt(Phase.FREE) & exists(y, sender[m].is_(y) & asker[m].is_(own_incarnation[y]))


ONE_BY_ONE = (
    assume(
        "VA7",
        process.is_(own_incarnation[b]),
        "Only the process that is there asks to be registered under an id.",
        "S2:34",
        event="Register",
    ),
    assume(
        "VA8",
        forall(m, live(m).implies(to <= sent_at[m] + 1)),
        "A heartbeat and its answer arrive or are lost before the shortest lease would be over.",
        "S2:42-43",
        event="TimePasses",
    ),
    assume(
        "VA9",
        forall(n, (live(n) & sender[n].is_(b) & asker[n].is_(own_incarnation[b])).implies(n.is_(m))),
        "A process has one heartbeat under way; the next one follows its answer, or its loss.",
        "S2:444",
        event="SendHeartbeat",
    ),
)
"""What M8 assumes: an id has one process at a time, whose heartbeats come one after another, within the shortest lease."""


@definition
def begins(x: Term[Broker]) -> Term[bool]:
    """The broker's process asks to be registered, or is registered and has no lease."""
    return broker_state[x].is_(BrokerState.REGISTERING) | broker_state[x].is_(BrokerState.FENCED)


@definition
def is_answered(x: Term[Broker]) -> Term[bool]:
    """The registration of the broker's process was answered."""
    return answered[x].is_(own_incarnation[x])


@definition
def id_taken(x: Term[Broker]) -> Term[bool]:
    """The id is kept for the process that had it before, which was heard of not long ago."""
    other = registered[x] & incarnation[x].isnt(own_incarnation[x])
    return broker_state[x].is_(BrokerState.REGISTERING) & other & contact_recent(x)


@definition
def late(m: Term[Exchange]) -> Term[bool]:
    """The exchange is under way, and holds time up until it arrives or is lost."""
    return live(m) & (sent_at[m] < now)


@definition
def asks_for_lease(m: Term[Exchange], x: Term[Broker]) -> Term[bool]:
    """The exchange is a heartbeat of the broker's process, which has no lease and wants one."""
    return (
        phase[m].is_(Phase.ASKED)
        & sender[m].is_(x)
        & asker[m].is_(own_incarnation[x])
        & says_epoch[m].is_(own_epoch[x])
        & says_current[m].is_(Current.FENCED)
        & says_target[m].is_(Target.ACTIVE)
    )


def _time_passes(here: Term[bool]) -> tuple[tuple[Helps, ...], tuple[Rank, ...]]:
    """Return what makes time pass where a condition holds, and the ranks that it lowers before."""
    arrives = phase[m].is_(Phase.ANSWERED) & sender[m].is_(b) & says_next[m].is_(next_state)
    asked_so = says_epoch[m].is_(epoch) & says_current[m].is_(current) & says_target[m].is_(target)
    comes = phase[m].is_(Phase.ASKED) & sender[m].is_(b) & asked_so
    beside = exists(m, late(m) & sender[m].is_(sender[n]))
    return (
        (
            helps("LeaseExpires", here & over(b)),
            helps("OwnLeaseExpires", here & due(b)),
            helps("HeartbeatReply", here & exists(m, late(m) & arrives)),
            helps("Heartbeat", here & exists(m, late(m) & comes)),
            helps("TimePasses", here & ~exists(y, over(y)) & ~exists(y, due(y)) & ~exists(m, late(m))),
        ),
        (
            phases(~(here & late(m)), phase[m].is_(Phase.ANSWERED), each=(m,)),
            number_of(n, here & phase[n].is_(Phase.ASKED) & ~live(n) & beside),
            number_of(y, here & due(y)),
            number_of(y, here & over(y)),
        ),
    )


_there, _is_x = active & ~replaced, b.is_(x)
_registers = _there & broker_state[x].is_(BrokerState.REGISTERING)
_fenced = _is_x & _there & broker_state[x].is_(BrokerState.FENCED)
_passes, _before = _time_passes(_there & id_taken(x))
_idle, _first = _time_passes(TRUE)
RUNS = ranking(
    helps("ControllerFailover", ~active),
    helps("ReplacedLearns", active & replaced),
    *_passes,
    helps("Register", _is_x & supports & _registers & ~is_answered(x) & ~id_taken(x)),
    helps("Commit", _registers & is_answered(x) & (registered_at[x] > committed)),
    helps("RegisterReply", _is_x & _registers & is_answered(x) & (registered_at[x] <= committed)),
    helps("ApplyMetadata", _fenced & (own_offset[x] < reported_offset[x])),
    helps(
        "HeartbeatReply",
        _fenced & next_state.is_(Next.ACTIVE) & (own_offset[x] >= reported_offset[x]),
        reached=ranking(
            helps(
                "Heartbeat",
                _is_x & epoch.is_(own_epoch[x]) & current.is_(Current.FENCED) & target.is_(Target.ACTIVE),
                reached=ranking(helps("SendHeartbeat", _is_x, reached=ranking(*_idle, ranks=_first))),
            ),
            ranks=(number_of(m, asks_for_lease(m, x) & (says_offset[m] < reported_offset[x])),),
        ),
    ),
    ranks=(
        phases(active, ~LOG.may_lose),
        phases(~replaced),
        phases(broker_state[x].is_(BrokerState.FENCED), is_answered(x)),
        number_of(m, phase[m].is_(Phase.ASKED) & sender[m].is_(x) & ~asks_for_lease(m, x)),
        distance(when(id_taken(x), last_contact[x] + id_reuse + 1, now), now),
        *_before,
        distance(registered_at[x], committed),
        distance(reported_offset[x], own_offset[x]),
    ),
)
"""Why a process that asks runs: a controller takes office, the id becomes free, it is registered, a heartbeat gets through."""

_o, _past = OFFSET.var("o"), {one: past for one, past, _ in LOG.kept}
_then = (_o >= 0) & (_o < next_offset - 1)
KNOWN = (
    *(one for one in LEMMAS if one.id in ("L1", "L6c", "L7")),
    lemma(
        "FL1",
        forall(x, (own_incarnation[x] > 0) | broker_state[x].is_(BrokerState.NOT_RUNNING))
        & forall(x, broker_state[x].is_(BrokerState.NOT_RUNNING).implies(own_incarnation[x].is_(0)))
        & forall(x, own_incarnation[x] <= started[x])
        & forall(x, broker_state[x].is_(BrokerState.REGISTERING).implies(asked[x] >= own_incarnation[x]))
        & forall(
            x, serving[x].implies(broker_state[x].is_(BrokerState.RUNNING) | broker_state[x].is_(BrokerState.PENDING))
        ),
        "For M8: who has no process serves nothing.",
    ),
    lemma(
        "FL2",
        forall(
            x,
            (answered[x] > 0).implies(
                registered[x] & incarnation[x].is_(answered[x]) & answered_epoch[x].is_(broker_epoch[x])
            ),
        ),
        "For M8: what a process was answered is its registration,",
    ),
    lemma(
        "FL3",
        forall(
            x,
            forall(
                _o,
                _then.implies(
                    (_past[registered_at][x, _o] <= _o)
                    & (_past[answered][x, _o] > 0).implies(
                        _past[registered][x, _o]
                        & _past[incarnation][x, _o].is_(_past[answered][x, _o])
                        & _past[answered_epoch][x, _o].is_(_past[broker_epoch][x, _o])
                    )
                ),
            ),
        ),
        "For M8: and it was so at each earlier offset.",
    ),
    lemma(
        "FL4",
        forall(
            x,
            any_of(
                *(
                    broker_state[x].is_(one)
                    for one in (BrokerState.FENCED, BrokerState.RUNNING, BrokerState.PENDING, BrokerState.SHUTTING_DOWN)
                )
            ).implies(
                registered[x]
                & incarnation[x].is_(own_incarnation[x])
                & own_epoch[x].is_(broker_epoch[x])
                & (registered_at[x] <= committed)
            ),
        ),
        "For M8: who has heard of its registration is registered, and that is committed.",
    ),
    lemma(
        "FL5",
        forall(x, (reported_offset[x] <= committed) & (own_offset[x] <= committed) & (registered_at[x] < next_offset))
        & forall(m, says_offset[m] <= committed),
        "For M8: no broker has read what is not committed.",
    ),
    lemma(
        "FL6",
        forall(
            m,
            forall(
                x,
                (phase[m].isnt(Phase.FREE) & sender[m].is_(x)).implies(
                    (asker[m] > 0)
                    & (asker[m] <= started[x])
                    & asker[m].is_(own_incarnation[x]).implies((says_offset[m] <= own_offset[x]) & ~registers(x))
                ),
            ),
        ),
        "For M8: a heartbeat says what its process has read at most,",
    ),
    lemma("FL7", forall(m, live(m).implies(now <= sent_at[m] + 1)), "For M8: is not late,"),
    lemma(
        "FL8",
        forall(m, forall(n, (live(m) & live(n) & sender[m].is_(sender[n])).implies(m.is_(n)))),
        "For M8: and is the only one of its process.",
    ),
)

KEPT = ("M3f", "M4")
_registrations = LOG.same_since(registered_at, registered, incarnation, broker_epoch)
_leaders = LOG.same_since(led_at, leader, leader_epoch)
FAILOVER_CLAIMS: tuple[Property, ...] = (
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
    *KNOWN,
    leads_to(
        "M8",
        begins(x),
        ~begins(x),
        (
            "ControllerFailover",
            "ReplacedLearns",
            "TimePasses",
            "LeaseExpires",
            "OwnLeaseExpires",
            "Register",
            "Commit",
            "RegisterReply",
            "ApplyMetadata",
        ),
        "A process that asks to be registered runs in the end, whatever of its handshake a failover loses.",
        "S2:20,440-444",
        strongly_fair=("SendHeartbeat", "Heartbeat", "HeartbeatReply"),
        each=(x,),
        fair_by={
            "Register": (b, supports),
            "Heartbeat": (b, epoch, current, target),
            "HeartbeatReply": (b, next_state),
            **dict.fromkeys(("LeaseExpires", "OwnLeaseExpires", "RegisterReply", "ApplyMetadata", "SendHeartbeat"), b),
        },
        finitely=("ControllerFails", "ControllerIsReplaced"),
        by=RUNS,
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
    inputs=(*LOSING.inputs, *ONE_BY_ONE),
    base=KIP631_V1,
    why="a controller that does not know that it was replaced, and an uncommitted tail that a failover loses",
).claiming(*FAILOVER_CLAIMS)

_EXPLORED = replace(WHOLE, inputs=LOSING.inputs)
_BEGUN = replace(_EXPLORED, tables=(*WHOLE.tables, RUNNING))
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
    slice_of(_EXPLORED, "kip631-v1_tail", LOST, "M8", "M8c", "M8l", "M8a", "M4", "W8"),
    slice_of(_BEGUN, "kip631-v1_claimants", CLAIMANTS, "M7", "M7w", "M3f", "M4", "W7"),
)
