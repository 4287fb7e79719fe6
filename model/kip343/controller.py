"""The controller's side: heartbeats (H1 to H6), registrations that it sees (H-reg, H9, H-gone), its failover (H12)."""

from __future__ import annotations

from typing import Any

from fencepost.model.language.vocabulary import *

from .brokers import target, watched
from .state import *

iid, valid = CZXID.var("incarnation"), BOOL.var("valid")
_error, _state = one_of(Error).var("error"), one_of(BrokerState).var("state")


@procedure(b, iid, error=(_error, lambda b, i: literal(Error.NONE)), state=(_state, lambda b, i: literal(INITIAL)))
def answers(b: Term[Broker], i: Term[int], error: Term[Error], state: Term[BrokerState]) -> object:
    """The heartbeat is no longer on its way; its answer is, if the process that sent it is there."""
    arrives = running[b] & (i <= own_incarnation[b])
    return (
        asked[b].becomes(FALSE),
        asked_target[b].becomes(ACTIVE),
        answered[b].becomes(arrives),
        answer_error[b].becomes(when(arrives, error, literal(Error.NONE))),
        answer_state[b].becomes(when(arrives, state, literal(INITIAL))),
        of_former[b].becomes(FALSE),
    )


@procedure(b, iid, _state)
def accepts(b: Term[Broker], i: Term[int], to: Term[BrokerState]) -> object:
    """The heartbeat counts as contact: of this incarnation, and of no legacy broker."""
    return (
        incarnation[b].becomes(i),
        state[b].becomes(to),
        last_contact[b].becomes(now),
        known_legacy[b].becomes(FALSE),
        accepted[b].becomes(i),
        unanswered[b].becomes(TRUE),
        timed_out[b].becomes(FALSE),
        answers(b, i, state=to),
    )


wants_stopping, wants_active = let("wants_stopping", target.is_(STOPPING)), let("wants_active", target.is_(ACTIVE))
_stopping, _active = literal(STOPPING), literal(ACTIVE)

heartbeat = event("Heartbeat", b, iid, target, valid, given=controller, source="S0:54-58")
timer = event("ControllerTimer", b, environment=True, source="S0:48")
HEARTBEATS = table(
    "heartbeats at the controller",
    heartbeat("H1",  ~valid,                                answers(b, iid, error=literal(Error.INVALID_REQUEST)),        say=Answer.INVALID_REQUEST, source="S0:90"),
    heartbeat("H2",  iid < incarnation[b],                  answers(b, iid, error=literal(Error.INVALID_INCARNATION_ID)), say=Answer.INVALID_INCARNATION_ID, source="S0:56,88"),
    heartbeat("H3s", (iid > incarnation[b]) & wants_stopping, accepts(b, iid, _stopping), say=Answer.STOPPING, source="S0:26,56"),
    heartbeat("H3a", (iid > incarnation[b]) & wants_active,   accepts(b, iid, _active),   say=Answer.ACTIVE,   source="S0:26,56"),
    heartbeat("H4",  wants_stopping,                          accepts(b, iid, _stopping), say=Answer.STOPPING, source="S0:58"),
    heartbeat("H5",  wants_active,                            accepts(b, iid, _active),   say=Answer.ACTIVE,   source="S0:58"),
    mode="first match",
    total=True,
    about="A heartbeat names the broker's incarnation and the state that it would like; the answer is the state that it has now.",
    why={
        "H1": "A negative broker id; the endpoint fields of S0:90 are in no message (contradiction 34).",
        "H2": "An old incarnation: nothing changes.",
        "H3a": "A higher id is taken over, whatever ZooKeeper says; the new instance is sent all metadata (UpdateMetadata).",
        "H5": "From Inactive or Initial, or from Stopping: a shutdown can be taken back.",
    },
)  # fmt: skip

TIMER = table(
    "the controller's timer",
    timer("H6", watched(b) & (now > last_contact[b] + controller_timeout), state[b].becomes(INACTIVE), timed_out[b].becomes(TRUE)),
    about="A broker that does not heartbeat for the controller's timeout is Inactive; its leaders are elected elsewhere (HE1).",
)  # fmt: skip


@definition
def gone(b: Term[Broker]) -> Term[bool]:
    """The broker's znode is gone, and the controller has not dealt with that."""
    return registered[b].is_(0) & (state[b].isnt(INACTIVE) | known_legacy[b])


see = event("SeeRegistration", b, given=controller & (registered[b] > incarnation[b]), source="S0:28,34,138")
see_gone = event("SeeDeregistration", b, given=controller & gone(b), source="S0:34")
takes_over: tuple[Any, ...] = (
    incarnation[b].becomes(registered[b]),
    timed_out[b].becomes(FALSE),
    accepted[b].becomes(registered[b]),
)
REGISTRATIONS = table(
    "registrations at the controller",
    see("H-reg", ~legacy[b], takes_over, known_legacy[b].becomes(FALSE), state[b].becomes(INACTIVE)),
    see("H9",     legacy[b], takes_over, known_legacy[b].becomes(TRUE),  state[b].becomes(ACTIVE), source="S0:138"),
    see_gone("H-gone", TRUE, known_legacy[b].becomes(FALSE), state[b].becomes(INACTIVE), timed_out[b].becomes(FALSE)),
    total=True,
    about="The controller sees znodes come and go in ZooKeeper, in its own time; BrokerInfo's version distinguishes old software from new.",
    why={
        "H-reg": "Inactive until its first heartbeat; the new instance is sent all metadata.",
        "H9": "A legacy broker sends no heartbeats: it is Active as long as its znode is there.",
        "H-gone": "As a broker that is absent (S0:34); its incarnation id is kept, which H2 needs.",
    },
)  # fmt: skip

fail = event("ControllerFails", environment=True, source="S0:42,56")
failover = event("ControllerFailover", environment=True, source="S0:34,56")
reads_znode = let("reads_znode", legacy[x] & (registered[x] > 0))
FAILOVERS = table(
    "controllers",
    fail("HC1", controller, controller.becomes(FALSE), every(x, TRUE, of_former[x].becomes(answered[x]))),
    failover("H12", ~controller, controller.becomes(TRUE),
             every(x, TRUE, incarnation[x].becomes(registered[x]), known_legacy[x].becomes(reads_znode),
                   state[x].becomes(when(reads_znode, _active, literal(INACTIVE))),
                   last_contact[x].becomes(now), timed_out[x].becomes(FALSE))),
    about="State, incarnation and contact are in memory only (S0:56): the next controller knows of them only what it reads from ZooKeeper.",
    why={"H12": "All Inactive (S0:34) but the legacy ones: every leader moves, an election of everything at each failover."},
)  # fmt: skip
