"""Failovers of version 2 as S2:20 describes them: a controller that does not know that it was replaced, and a tail that is lost."""

from __future__ import annotations

from dataclasses import replace

from fencepost.model.kip631.claimants import epochs_known, lose, replace_controller, replaced, slice_of, two_are_active
from fencepost.model.kip631.tail import tail
from fencepost.model.language.vocabulary import *

from .bounds import HONEST, NEVER, Given, running
from .brokers import NOT_RUNNING, PENDING, RECOVERY, STARTING
from .lemmas import LEMMAS
from .membership import CONTROLLER, HEARTBEAT, cluster, epoch, i, offset, supports, want_fence, want_shutdown
from .properties import overdue, unchanged
from .protocol import KIP631_V2
from .slices import EXPLORED
from .state import *

epoch_known = epochs_known(BROKER, OFFSET)
told_at = per(BROKER, "told_at", OFFSET, -1, what="message", about="the newest offset when the heartbeat was answered")

old_heartbeat = event("HeartbeatToReplaced", b, epoch, offset, want_fence, want_shutdown, source="S2:59-65")
learns = event("ReplacedLearns", environment=True, source="S2:409")

LOG = tail(
    OFFSET,
    next_offset,
    committed,
    *((one, b) for one in (registered, incarnation, broker_epoch, fenced)),
    *((one, p) for one in (replicas, isr, adding, removing, leader, leader_epoch)),
    *((one, t) for one in (created_at, removed_at)),
    known={leader: leader_at, leader_epoch: epoch_at},
)
_forgets = next(row for row in CONTROLLER.rows if row.id == "CF").effects
REPLACED = table(
    "controllers that were replaced",
    replace_controller(
        "CR",
        active & ~replaced,
        _forgets,
        replaced.becomes(TRUE),
        every(b, registered[b] & ~fenced[b], epoch_known[b].becomes(broker_epoch[b])),
    ),
    old_heartbeat(
        "CRh",
        replaced & (epoch >= 0) & epoch_known[b].is_(epoch) & ~want_fence & ~want_shutdown,
        only_if(
            own_epoch[b].is_(epoch),
            told[b].becomes(TRUE),
            told_caught_up[b].becomes(offset >= epoch),
            told_fenced[b].becomes(FALSE),
            told_shutdown[b].becomes(FALSE),
            told_at[b].becomes(committed),
        ),
    ),
    learns("CRl", replaced, replaced.becomes(FALSE), every(b, TRUE, epoch_known[b].becomes(-1))),
    lose(
        "CL",
        ~active & LOG.may_lose,
        LOG.restores(),
        every(b, granted[b] > committed, granted[b].becomes(-1)),
        every(b, told_at[b] > committed, told[b].becomes(FALSE), told_at[b].becomes(-1)),
    ),
    about="A controller that was replaced goes on until it learns of it; what it had not committed may be lost.",
    why={
        "CR": "The quorum has elected another one. What the next controller does not know is as after CF.",
        "CRh": "Of whom it has unfenced it answers what it did before: a heartbeat that changes nothing needs no record.",
        "CRl": "An append fails, or it hears of the newer epoch: from now on it answers NOT_CONTROLLER.",
        "CL": "The next leader's log ends where the committed one does; answers that waited for the rest are not given.",
    },
)
_WAITS = "S2:20: no request is answered before what the answer says is committed"


def losing(protocol: Protocol) -> Protocol:
    """Return the protocol with failovers that may lose the uncommitted tail, and answers that wait until it is committed."""
    made = LOG.kept_by(protocol, "what the metadata said at every offset, for a failover that loses the rest")
    for row in HEARTBEAT.rows:
        if row.id not in ("V2.5", "V2.5s"):
            newest = next_offset if row.id in ("V2.1", "V2.2") else next_offset - 1
            made = made.but(row.id, effects=(*made.row(row.id).effects, told_at[b].becomes(newest)), why=_WAITS)
    made = made.but("BS2", when=made.row("BS2").when & (granted[b] <= committed), why=_WAITS)
    for id in ("BS3", "BS5", "BS7"):
        made = made.but(id, when=made.row(id).when & (told_at[b] <= committed), why=_WAITS)
    made = made.but("BS8", effects=(*made.row("BS8").effects, told_at[b].becomes(-1)), why="the answer has no receiver")
    return replace(made, tables=(*made.tables, REPLACED), name=f"{protocol.name}+failovers", base=KIP631_V2)


# -- a process that starts -----------------------------------------------------------------------------------------------
ALONE = (
    assume(
        "MA5",
        i.is_(own_incarnation[b]),
        "Only the process that is there asks to be registered under an id.",
        "S2:52",
        event="Register",
    ),
    assume(
        "MA6",
        (registered[b] & epoch.is_(broker_epoch[b])).implies(
            own_epoch[b].is_(epoch)
            & offset.is_(own_offset[b])
            & want_fence.is_(broker_state[b].is_(STARTING) | (broker_state[b].is_(RECOVERY) & ~recovered[b]))
            & want_shutdown.is_(broker_state[b].is_(PENDING))
        ),
        "A heartbeat that is not refused comes from the process that is there, and says what is so when it comes.",
        "S2:59-65",
        event="Heartbeat",
    ),
    assume(
        "MA7",
        told[b].implies(told_at[b] <= committed),
        "A process sends no heartbeat before its last one can be answered.",
        "S2:59-65",
        event="Heartbeat",
    ),
    assume(
        "MA8",
        broker_state[b].is_(NOT_RUNNING),
        "No operator unregisters a broker whose process is there.",
        "S2:410-420",
        event="Unregister",
    ),
)
"""What M8 assumes: an id has one process at a time, whose heartbeats come one after another, and an operator spares it."""


@definition
def begins(x: Term[Broker]) -> Term[bool]:
    """The broker's process has started, and has not been unfenced yet."""
    return broker_state[x].is_(STARTING) | broker_state[x].is_(RECOVERY)


@definition
def unknown(x: Term[Broker]) -> Term[bool]:
    """The process starts, and no registration of it was answered."""
    return broker_state[x].is_(STARTING) & own_epoch[x].is_(-1) & granted[x].is_(-1)


@definition
def id_taken(x: Term[Broker]) -> Term[bool]:
    """The id is kept for the process that had it before, which was heard of not long ago."""
    return unknown(x) & registered[x] & incarnation[x].isnt(own_incarnation[x]) & (now <= last_contact[x] + id_reuse)


@definition
def unread(x: Term[Broker]) -> Term[bool]:
    """The process knows its epoch, and has not applied its own registration yet."""
    return (own_epoch[x] >= 0) & (own_offset[x] < broker_epoch[x])


@definition
def answer_helps(x: Term[Broker]) -> Term[bool]:
    """The newest answer to a heartbeat says what moves the process on."""
    return told[x] & when(broker_state[x].is_(STARTING), told_caught_up[x], ~told_fenced[x])


_there = active & ~replaced
_is_x = b.is_(x)
_pending = told[x] & (told_at[x] > committed)
_asks = _is_x & _there & (own_epoch[x] >= 0) & ~unread(x) & (broker_state[x].is_(STARTING) | recovered[x])
RUNS = ranking(
    helps("ControllerFailover", ~active),
    helps("ReplacedLearns", active & replaced),
    helps("SessionExpires", _there & id_taken(x) & overdue(b)),
    helps("TimePasses", _there & id_taken(x) & ~exists(y, overdue(y))),
    helps("Register", _is_x & supports & cluster & _there & unknown(x) & ~id_taken(x)),
    helps("Commit", _there & (own_epoch[x] < 0) & (granted[x] > committed)),
    helps("RegisterReply", _is_x & _there & (own_epoch[x] < 0) & (granted[x] >= 0) & (granted[x] <= committed)),
    helps("ApplyMetadata", _is_x & _there & unread(x)),
    helps(
        "RecoverLogs", _is_x & _there & (own_epoch[x] >= 0) & ~unread(x) & broker_state[x].is_(RECOVERY) & ~recovered[x]
    ),
    helps(
        "HeartbeatReply",
        _asks,
        reached=ranking(
            helps("Commit", _pending),
            helps("Heartbeat", _is_x & ~_pending & ~answer_helps(x)),
            ranks=(phases(answer_helps(x)), distance(told_at[x], committed)),
        ),
    ),
    ranks=(
        phases(active, ~LOG.may_lose),
        phases(~replaced),
        phases(
            broker_state[x].is_(RECOVERY) & recovered[x],
            broker_state[x].is_(RECOVERY),
            own_epoch[x] >= 0,
            granted[x] >= 0,
        ),
        distance(when(id_taken(x), last_contact[x] + id_reuse + 1, now), now),
        number_of(y, id_taken(x) & overdue(y)),
        distance(granted[x], committed),
        distance(broker_epoch[x], own_offset[x]),
    ),
)
"""Why a process that starts runs: a controller takes office, the id becomes free, the registration is answered, the log is read."""

_o, _past = OFFSET.var("o"), {one: past for one, past, _ in LOG.kept}
KNOWN = (
    next(one for one in LEMMAS if one.id == "VL6"),
    lemma(
        "FL1",
        forall(x, (granted[x] < next_offset) & (told_at[x] < next_offset) & (granted[x] >= -1) & (own_epoch[x] >= -1)),
        "For M8: what is answered is in the log.",
    ),
    lemma(
        "FL2",
        forall(
            x,
            (granted[x] >= 0).implies(
                registered[x] & broker_epoch[x].is_(granted[x]) & incarnation[x].is_(own_incarnation[x])
            ),
        ),
        "For M8: what a process is answered is its registration,",
    ),
    lemma(
        "FL3",
        forall(x, (own_epoch[x] >= 0).implies(granted[x].is_(own_epoch[x]) & (own_epoch[x] <= committed))),
        "For M8: and what it has heard of it is committed.",
    ),
    lemma(
        "FL4",
        forall(x, broker_state[x].is_(NOT_RUNNING) | (own_incarnation[x] > 0))
        & forall(x, told[x].implies(own_epoch[x] >= 0))
        & forall(x, (broker_state[x].isnt(NOT_RUNNING) & broker_state[x].isnt(STARTING)).implies(own_epoch[x] >= 0)),
        "For M8: a process has an incarnation, and knows its epoch before it recovers.",
    ),
    lemma(
        "FL5",
        forall(x, registered[x].implies((broker_epoch[x] >= 0) & (broker_epoch[x] < next_offset))),
        "For M8: who is registered has an epoch,",
    ),
    lemma(
        "FL6",
        forall(
            x,
            forall(
                _o,
                ((_o >= 0) & (_o < next_offset - 1) & _past[registered][x, _o]).implies(
                    (_past[broker_epoch][x, _o] >= 0) & (_past[broker_epoch][x, _o] <= _o)
                ),
            ),
        ),
        "For M8: and so had who was registered at an earlier offset.",
    ),
)

_registrations = LOG.same_since(broker_epoch, registered, incarnation, if_=registered)
FAILOVER_CLAIMS: tuple[Property, ...] = (
    step(
        "M7", unchanged(), "A controller that was replaced changes no metadata.", "S2:20,409", rows=("CR", "CRh", "CRl")
    ),
    step(
        "M7a",
        next_(told_fenced[b]).is_(fenced[b]),
        "The answer to a heartbeat says whether the broker is fenced: not that of a controller that was replaced, if the active one "
        "has fenced the broker since.",
        "S2:405",
        rows=("CRh",),
        expected="violated",
        finding="M7a",
    ),
    step(
        "M8c",
        forall(
            x,
            (registered[x] & (broker_epoch[x] <= committed)).implies(
                next_(registered[x])
                & next_(incarnation[x]).is_(incarnation[x])
                & next_(broker_epoch[x]).is_(broker_epoch[x])
            ),
        ),
        "A registration that is committed outlives a failover that loses the rest.",
        "S2:18,20",
        rows=("CL",),
    ),
    step(
        "M8p",
        forall(x, forall(p, (own_offset[x] <= committed).implies(next_(leader_seen(x, p)).is_(leader_seen(x, p))))),
        "Who leads, as far as a broker has read, stays so in a failover that loses what is not committed.",
        "S2:18,20",
        rows=("CL",),
    ),
    step(
        "M8l",
        LOG.loses(),
        "Work that is not committed is lost: the next controller begins with what the metadata said when the last committed "
        "offset was the newest.",
        "S2:20",
        rows=("CL",),
    ),
    step(
        "M8a",
        granted[b] <= committed,
        "The answer to a registration reaches the broker only once its record is committed.",
        "S2:20",
        rows=("BS2",),
    ),
    step(
        "M8h",
        told_at[b] <= committed,
        "The answer to a heartbeat moves the broker on only once the records that there were when it was given are committed.",
        "S2:20",
        rows=("BS3", "BS5", "BS7"),
    ),
    *LOG.claims("TL0"),
    *_registrations.claims("TL1", "TL2", "For M8c: who is registered is so since the record that says it."),
    *KNOWN,
    leads_to(
        "M8",
        begins(x) & (session >= 0),
        ~begins(x),
        (
            "ControllerFailover",
            "ReplacedLearns",
            "SessionExpires",
            "TimePasses",
            "Register",
            "Commit",
            "RegisterReply",
            "ApplyMetadata",
            "RecoverLogs",
            "Heartbeat",
        ),
        "A process that starts runs in the end, whatever of its registration and unfencing a failover loses.",
        "S2:20,52-65",
        strongly_fair=("HeartbeatReply",),
        each=(x,),
        fair_by={
            "SessionExpires": b,
            "Register": (b, supports, cluster),
            **dict.fromkeys(("RegisterReply", "ApplyMetadata", "RecoverLogs", "Heartbeat", "HeartbeatReply"), b),
        },
        finitely=("ControllerFails", "ControllerIsReplaced"),
        by=RUNS,
    ),
    two_are_active(active),
    sometimes("W10", ~active & LOG.may_lose & exists(x, registered[x]), "A registration may be lost."),
)

WHOLE: Protocol = replace(
    losing(KIP631_V2),
    properties=(),
    inputs=(*KIP631_V2.inputs, *ALONE),
    why="a controller that does not know that it was replaced, and a tail that is lost",
).claiming(*FAILOVER_CLAIMS)


_LOSING = replace(losing(EXPLORED), properties=(), bounds={}).claiming(*FAILOVER_CLAIMS)


def _bound(about: str, *givens: Given) -> Bound:
    base = EXPLORED.bounds["tiny"]
    assumed = dict(base.given)
    for given in givens:
        assumed.update(given)
    return Bound({**base.sizes, "offset": 8, "incarnation": 1}, base.start, assumed, about)


_CALM: Given = {"StopBroker": NEVER, "BeginShutdown": NEVER, "Unregister": NEVER}
SLICES: tuple[Protocol, ...] = (
    slice_of(
        _LOSING,
        "kip631-v2_tail",
        {
            "tail": _bound(
                "one broker that starts, while the first controller fails with what it had not committed; one tick",
                _CALM,
                {"TimePasses": HONEST["TimePasses"] & (now < 1), "ControllerIsReplaced": NEVER},
            )
        },
        "M8",
        "M8c",
        "M8l",
        "M8a",
        "M8h",
        "W10",
    ),
    slice_of(
        _LOSING,
        "kip631-v2_led",
        {
            "led": replace(
                _bound(
                    "two brokers that run, whose leader moves twice, while the first controller fails with what it had not committed",
                    _CALM,
                    {
                        "ControllerIsReplaced": NEVER,
                        "ElectLeader": leader_epoch[p] < 2,
                        "Heartbeat": NEVER,
                        "Register": NEVER,
                        "TimePasses": NEVER,
                        "ControllerFailover": TRUE,
                    },
                ),
                sizes={
                    **EXPLORED.bounds["tiny"].sizes,
                    "Broker": 2,
                    "offset": 6,
                    "leader epoch": 3,
                    "incarnation": 1,
                    "time": 1,
                },
                start=running(2, 0, 1),
            )
        },
        "M8p",
        "W10",
    ),
    slice_of(
        _LOSING,
        "kip631-v2_claimants",
        {
            "claimants": _bound(
                "one broker that starts, and a first controller that is replaced and answers on until it learns of it",
                _CALM,
                {
                    "ControllerFails": NEVER,
                    "ControllerIsReplaced": now.is_(0),
                    "ControllerFailover": TRUE,
                    "TailIsLost": NEVER,
                    "HeartbeatToReplaced": HONEST["Heartbeat"],
                },
            )
        },
        "M7",
        "M7a",
        "W7",
    ),
)
