"""The broker's side: its state machine (S2:123), the heartbeats that it sends, and what it makes of answers."""

from __future__ import annotations

from fencepost.model.language.vocabulary import *

from .messages import free
from .registration import process
from .state import *

S = BrokerState


def at(*states: BrokerState) -> Term[bool]:
    """Return that the broker is in one of these states."""
    return any_of(*(broker_state[b].is_(one) for one in states))


def goes(state: BrokerState) -> Effects:
    """Return that the broker goes to a state."""
    return broker_state[b].becomes(state)


# -- the state machine -------------------------------------------------------------------------------------------------
start = event("StartBroker", b, process, environment=True, source="S2:123")
recover = event("RecoverLogs", b, environment=True, source="S2:123")
begin = event("BeginRegistration", b, environment=True, source="S2:123")
shut_down = event("BeginShutdown", b, environment=True, source="S2:123")
stop = event("StopBroker", b, environment=True, source="S2:123")

STATE_MACHINE = table(
    "broker states",
    start("VB1", at(S.NOT_RUNNING) & (process > 0), goes(S.STARTING), own_incarnation[b].becomes(process), started[b].becomes(process)),
    recover("VB2", at(S.STARTING), goes(S.RECOVERING)),
    begin("VB3", at(S.STARTING, S.RECOVERING), goes(S.REGISTERING), asked[b].becomes(own_incarnation[b])),
    shut_down("VB6", at(S.FENCED, S.RUNNING), goes(S.PENDING)),
    stop(
        "VB8",
        ~at(S.NOT_RUNNING),
        goes(S.NOT_RUNNING),
        own_incarnation[b].becomes(0),
        own_epoch[b].becomes(-1),
        own_offset[b].becomes(-1),
        own_lease_end[b].becomes(-1),
        serving[b].becomes(FALSE),
        every(p, TRUE, leads[b, p].becomes(FALSE), seen_epoch[b, p].becomes(0)),
    ),
    about="How a process comes and goes. From REGISTERING on it is answers that move it, and the end of its lease.",
    why={
        "VB2": "After an unclean shutdown; what the logs say about the last one is not kept here.",
        "VB6": "SIGTERM. The drawing has an arrow from RUNNING; one from FENCED cannot be distinguished from it.",
        "VB8": "The process is gone, in good order or by a crash: the controller hears of neither.",
    },
)  # fmt: skip


# -- answers -----------------------------------------------------------------------------------------------------------
error, next = one_of(Error).var("error"), one_of(Next).var("next")
sent, length = TIME.var("sent"), TIME.var("lease")
epoch = OFFSET.var("epoch")


@definition
def told(m: Term[Exchange]) -> Term[bool]:
    """The exchange has this answer on its way, to the process that runs."""
    return (
        phase[m].is_(Phase.ANSWERED)
        & sender[m].is_(b)
        & asker[m].is_(own_incarnation[b])
        & says_next[m].is_(next)
        & sent_at[m].is_(sent)
        & says_lease[m].is_(length)
    )


@definition
def lease_begins() -> Term[int]:
    """From when the broker counts its lease: from when it sent the heartbeat."""
    return sent


@definition
def lease_until() -> Term[int]:
    """When the lease of the answer ends."""
    return lease_begins() + length


@procedure(b)
def extend(b: Term[Broker]) -> object:
    """The broker has its lease until then, unless an earlier answer gave it a longer one."""
    return own_lease_end[b].becomes(when(lease_until() > own_lease_end[b], lease_until(), own_lease_end[b]))


@procedure(b)
def cease(b: Term[Broker]) -> object:
    """The broker answers clients no more: it disconnects them."""
    return (
        own_lease_end[b].becomes(-1),
        serving[b].becomes(FALSE),
        broker_state[b].becomes(when(broker_state[b].is_(S.RUNNING), literal(S.FENCED), broker_state[b])),
    )


taken = every(m, told(m), free(m))
lasts = now <= lease_until()
knows = told_active[b].becomes(own_epoch[b])
send = event("SendHeartbeat", b, m, environment=True, source="S2:444")
registered_answer = event("RegisterReply", b, error, epoch, length, source="S2:35")
reply = event("HeartbeatReply", b, error, next, sent, length, source="S2:439-444")
expire = event("OwnLeaseExpires", b, environment=True, source="S2:42-43")
ANSWERS = table(
    "heartbeats of brokers",
    send(
        "VB5",
        at(S.FENCED, S.RUNNING, S.PENDING) & (phase[m].is_(Phase.FREE) | (now > sent_at[m])),
        phase[m].becomes(Phase.ASKED),
        sender[m].becomes(some(b)),
        asker[m].becomes(own_incarnation[b]),
        says_epoch[m].becomes(own_epoch[b]),
        says_current[m].becomes(when(serving[b], literal(Current.ACTIVE), literal(Current.FENCED))),
        says_target[m].becomes(when(at(S.PENDING), literal(Target.SHUTDOWN), literal(Target.ACTIVE))),
        says_offset[m].becomes(own_offset[b]),
        sent_at[m].becomes(now),
        says_next[m].becomes(Next.NOTHING),
        says_lease[m].becomes(0),
    ),
    registered_answer("VB4", at(S.REGISTERING) & error.is_(Error.NONE), goes(S.FENCED), own_epoch[b].becomes(epoch)),
    registered_answer("VB4k", TRUE, source="S2:38"),
    reply("VH0", error.isnt(Error.NONE), source="S2:446"),
    reply("VH1", at(S.FENCED) & next.is_(Next.ACTIVE) & lasts, goes(S.RUNNING), serving[b].becomes(TRUE), extend(b), taken, knows),
    reply("VH2", at(S.RUNNING, S.PENDING) & next.is_(Next.ACTIVE) & lasts, extend(b), taken, knows),
    reply("VH3", at(S.FENCED, S.RUNNING, S.PENDING) & next.is_(Next.FENCED), cease(b), taken),
    reply("VH4", at(S.PENDING) & next.is_(Next.SHUTDOWN), own_lease_end[b].becomes(-1), serving[b].becomes(FALSE), taken, goes(S.SHUTTING_DOWN)),
    reply("VH5", TRUE, taken),
    expire("V1.9", own_lease_end[b].isnt(-1) & (now >= own_lease_end[b]), cease(b)),
    mode="first match",
    total=True,
    about="What a broker sends, and what it does when answers come, or none.",
    why={
        "VB5": "The place of a message that was sent earlier may be taken: that message is lost.",
        "VB4k": "A refusal changes nothing: the process may ask again, or stop.",
        "VH1": "S2 does not say from when the lease counts: from the sending, as the controller cannot have begun earlier.",
        "VH2": "Answers may come in another order than they were given: the longest counts.",
        "VH5": "An answer that came when its lease was over, or one that the broker no longer asks for.",
        "V1.9": "At its end, and thus before the controller acts, which waits until the end is over.",
    },
)  # fmt: skip

THERE = error.isnt(Error.NONE) | exists(m, told(m))
"""The answer exists: one without error is a message in flight, one with an error has no effect and is not stored."""
