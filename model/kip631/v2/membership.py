"""The active controller and the brokers' membership: registrations, heartbeats, sessions, unregistration, elections, failover."""

from __future__ import annotations

from fencepost.model.language.vocabulary import *

from .answers import Error
from .records import FENCE_BROKER, PARTITION_CHANGE, REGISTER_BROKER, UNFENCE_BROKER, UNREGISTER_BROKER
from .state import *

NEVER_HEARD = Lit(-1, TIME)
NO_LEADER = Lit(None, leader.state.kind)


@procedure()
def appends() -> object:
    """The result takes the next offset; what was the newest becomes history."""
    return (
        next_offset.becomes(next_offset + 1),
        every(
            q,
            TRUE,
            leader_at[q, next_offset - 1].becomes(leader[q]),
            epoch_at[q, next_offset - 1].becomes(leader_epoch[q]),
        ),
    )


@procedure(b)
def retreats(b: Term[Broker]) -> object:
    """The broker leaves the ISR of all its partitions, save as their last member, and leads none of them any more."""
    others = exists(x, x.in_(isr[p]) & x.isnt(b))
    return every(
        p,
        b.in_(isr[p]) | leader[p].is_(b),
        PARTITION_CHANGE(
            p, isr=said(isr[p] - just(b), if_=b.in_(isr[p]) & others), leader=said(NO_LEADER, if_=leader[p].is_(b))
        ),
    )


@procedure(b)
def fences(b: Term[Broker]) -> object:
    """The partitions, then the broker."""
    return retreats(b), FENCE_BROKER(b, epoch=broker_epoch[b]), appends()


# -- time, and who is the controller -----------------------------------------------------------------------------------
to = TIME.var("to")
in_time = let("in_time", forall(x, (active & registered[x] & ~fenced[x]).implies(to <= last_contact[x] + session + 1)))
passes = event("TimePasses", to, given=to > now, environment=True, source="S2:62")
fails = event("ControllerFails", environment=True, source="S2:91")
succeeds = event("ControllerFailover", environment=True, source="S2:91")
upto = OFFSET.var("to")
commit = event("Commit", upto, given=(committed < upto) & (upto < next_offset), environment=True, source="S2:18-20")
CONTROLLER = table(
    "controller",
    passes("TP", in_time, now.becomes(to)),
    commit("CM", active, committed.becomes(upto)),
    fails(
        "CF",
        active,
        active.becomes(FALSE),
        every(x, TRUE, last_contact[x].becomes(NEVER_HEARD), shutting_down[x].becomes(FALSE)),
    ),
    succeeds("CS", ~active, active.becomes(TRUE), every(x, registered[x], last_contact[x].becomes(now))),
    about="Time passes, results are committed, and one controller takes the place of another.",
    why={
        "TP": "No controller misses a session that is over: an active controller ends it within a tick.",
        "CM": "The log's last stable offset moves. Brokers apply what is committed, and nothing else.",
        "CF": "What the metadata says stays, reassignments included; who was heard of when, and who wants to shut down, is lost.",
        "CS": "S2 is silent on sessions at a failover: each registered broker is given a whole one.",
    },
)

# -- registration --------------------------------------------------------------------------------------------------------
i = INCARNATION.var("incarnation")
supports, cluster = BOOL.var("supports"), BOOL.var("cluster")
same = let("same_incarnation", registered[b] & incarnation[b].is_(i))
in_contact = let("in_contact", now <= last_contact[b] + id_reuse)
new_epoch = let("new_epoch", next_offset)
register = event(
    "Register", b, i, supports, cluster,
    given=i > 0,
    reply={"epoch": next_(broker_epoch[b])},
    source="S2:52-57",
)  # fmt: skip


@procedure(b, i, OFFSET.var("epoch"))
def answers_registration(b: Term[Broker], i: Term[int], epoch: Term[int]) -> object:
    """The contact is noted, and the epoch goes to the process that asked, if it is there still."""
    return last_contact[b].becomes(now), only_if(own_incarnation[b].is_(i), granted[b].becomes(epoch))


REGISTRATION = table(
    "registration",
    register("V2.5r", ~active,                             say=Error.NOT_CONTROLLER, source="S2:409"),
    register("V2.6c", ~cluster,                            say=Error.INVALID_CLUSTER_ID, source="S2:260,287"),
    register("V2.6d", registered[b] & ~same & in_contact,  say=Error.DUPLICATE_BROKER_REGISTRATION, source="S2:56-57,258"),
    register("V2.6f", ~supports,                           say=Error.UNSUPPORTED_VERSION, source="S2:54"),
    register("V2.6s", same, answers_registration(b, i, broker_epoch[b]), say=Error.NONE, source="S2:53"),
    register(
        "V2.6", TRUE,
        retreats(b), REGISTER_BROKER(b, incarnation=i, epoch=new_epoch), appends(),
        answers_registration(b, i, new_epoch), shutting_down[b].becomes(FALSE),
        say=Error.NONE,
    ),
    mode="first match",
    total=True,
    about="A process registers under a broker id: V2.6, which is V1.1 to V1.4 with a cluster id.",
    why={
        "V2.6d": "V1.3: registrations and heartbeats count as contact, of a fenced broker too; a refused stranger is none.",
        "V2.6s": "V1.2: an answer that was lost is given again, whatever became of the broker meanwhile.",
        "V2.6": "V1.1: fenced from now on. S2 does not say what becomes of what the former process led; it leads no more.",
    },
)  # fmt: skip

# -- heartbeats ----------------------------------------------------------------------------------------------------------
epoch, offset = OFFSET.var("epoch"), OFFSET.var("offset")
want_fence, want_shutdown = BOOL.var("want_fence"), BOOL.var("want_shutdown")
stale = let("stale", ~registered[b] | epoch.isnt(broker_epoch[b]))
caught_up = let("caught_up", offset >= broker_epoch[b])
may_go = let("may_go", want_shutdown & ~leads(b))
heartbeat = event(
    "Heartbeat", b, epoch, offset, want_fence, want_shutdown,
    reply={"caught_up": caught_up, "fenced": next_(fenced[b]), "shutdown": want_shutdown & next_(~leads(b))},
    source="S2:59-65",
)  # fmt: skip


@procedure(b, epoch, want_shutdown, BOOL.var("says_caught_up"), BOOL.var("says_fenced"), BOOL.var("says_shutdown"))
def hears(
    b: Term[Broker],
    epoch: Term[int],
    want_shutdown: Term[bool],
    says_caught_up: Term[bool],
    says_fenced: Term[bool],
    says_shutdown: Term[bool],
) -> object:
    """The contact is noted and the wish to shut down, and the answer goes to the process that asked, if it is there still."""
    return (
        last_contact[b].becomes(now),
        only_if(want_shutdown, shutting_down[b].becomes(TRUE)),
        only_if(
            own_epoch[b].is_(epoch),
            told[b].becomes(TRUE),
            told_caught_up[b].becomes(says_caught_up),
            told_fenced[b].becomes(says_fenced),
            told_shutdown[b].becomes(says_shutdown),
        ),
    )


def told_that(is_fenced: Term[bool], shutdown: Term[bool]) -> Applied:
    """Return what a heartbeat does besides: note the contact, and answer."""
    return hears(b, epoch, want_shutdown, caught_up, is_fenced, shutdown)


HEARTBEAT = table(
    "heartbeats",
    heartbeat("V2.5",  ~active,                               say=Error.NOT_CONTROLLER, source="S2:409"),
    heartbeat("V2.5s", stale,                                 say=Error.STALE_BROKER_EPOCH, source="S2:371-386"),
    heartbeat("V2.1",  fenced[b] & ~want_fence & caught_up,   UNFENCE_BROKER(b, epoch=broker_epoch[b]), appends(), told_that(FALSE, may_go), say=Error.NONE, source="S2:59-60"),
    heartbeat("V2.1n", fenced[b],                             told_that(TRUE, may_go), say=Error.NONE, source="S2:59-60"),
    heartbeat("V2.2",  want_fence,                            fences(b), told_that(TRUE, want_shutdown), say=Error.NONE, source="S2:59,383-384"),
    heartbeat("V2.3r", ~want_shutdown,                        told_that(FALSE, FALSE), say=Error.NONE, source="S2:62"),
    heartbeat("V2.4",  leads(b),                              told_that(FALSE, FALSE), say=Error.NONE, source="S2:65"),
    heartbeat("V2.4s", TRUE,                                  told_that(FALSE, TRUE), say=Error.NONE, source="S2:65,408"),
    mode="first match",
    total=True,
    about="A broker says how far it has read, and whether it wants to be fenced or to shut down.",
    why={
        "V2.1": "Caught up is read as: the broker has applied its own registration (#38). A wish to shut down is no exception.",
        "V2.1n": "A fenced broker stays so while it wants to, or has not read enough.",
        "V2.3r": "The session is renewed.",
        "V2.4": "The wish is noted; elections take the leaderships away, where another broker can lead.",
        "V2.4s": "No leaderships: whether the others know it yet is not checked (S-g, #28).",
    },
)  # fmt: skip

# -- sessions, unregistration, elections -----------------------------------------------------------------------------------
expires = event("SessionExpires", b, environment=True, source="S2:62")
legacy = BOOL.var("legacy")
unregister = event("Unregister", b, legacy, source="S2:410-420")
chosen = BROKER.var("leader")
elect = event("ElectLeader", p, chosen, environment=True, source="S2:65")
SESSIONS = table(
    "sessions and elections",
    expires("V2.3", active & registered[b] & ~fenced[b] & (now > last_contact[b] + session), fences(b)),
    elect(
        "EL", active & chosen.in_(isr[p]) & ~fenced[chosen] & ~shutting_down[chosen] & leader[p].isnt(chosen),
        PARTITION_CHANGE(p, leader=chosen), appends(),
    ),
    about="The controller fences brokers that are silent, and gives partitions leaders.",
    why={
        "V2.3": "S2 does not say who fences; the controller does (#41), and no broker fences itself.",
        "EL": "Where there is no leader, where it wants to shut down, or where an operator wishes it: the guard does not ask why.",
    },
)  # fmt: skip
UNREGISTRATION = table(
    "unregistration",
    unregister("V2.7l", legacy,         say=Error.UNSUPPORTED_VERSION),
    unregister("V2.7c", ~active,        say=Error.NOT_CONTROLLER),
    unregister("V2.7n", ~registered[b], say=Error.NONE),
    unregister(
        "V2.7", TRUE,
        retreats(b), UNREGISTER_BROKER(b, epoch=broker_epoch[b]), appends(),
        last_contact[b].becomes(NEVER_HEARD), shutting_down[b].becomes(FALSE), say=Error.NONE,
    ),
    mode="first match",
    total=True,
    about="An operator takes a broker's registration away; one that is alive is not spared.",
    why={"V2.7n": "Idempotent in S2; Kafka answers BROKER_ID_NOT_REGISTERED (#14)."},
)  # fmt: skip
