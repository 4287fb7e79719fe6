"""Failovers of version 2 as S2:20 describes them: a controller that does not know that it was replaced, and a tail that is lost."""

from __future__ import annotations

from dataclasses import replace

from fencepost.model.kip631.claimants import epochs_known, lose, replace_controller, replaced, slice_of, two_are_active
from fencepost.model.kip631.tail import tail
from fencepost.model.language.vocabulary import *

from .bounds import HONEST, NEVER, Given, running
from .membership import CONTROLLER, HEARTBEAT, epoch, offset, want_fence, want_shutdown
from .properties import ALIVE, unchanged
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


_registrations = LOG.same_since(broker_epoch, registered, incarnation, if_=registered)
_begins = broker_state[x].is_(BrokerState.STARTING) | broker_state[x].is_(BrokerState.RECOVERY)
FAILOVER_CLAIMS = (
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
    leads_to(
        "M8",
        exists(x, _begins),
        ~exists(x, _begins),
        (*ALIVE, "Register", "RegisterReply", "RecoverLogs"),
        "A process that starts runs in the end, whatever of its registration and unfencing a failover loses.",
        "S2:20,52-65",
    ),
    two_are_active(active),
    sometimes("W10", ~active & LOG.may_lose & exists(x, registered[x]), "A registration may be lost."),
)

WHOLE: Protocol = replace(
    losing(KIP631_V2),
    properties=(),
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
