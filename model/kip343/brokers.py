"""Processes and their znodes, time and the broker's timer, heartbeats as a broker sends them and takes their answers."""

from __future__ import annotations

from fencepost.model.language.vocabulary import *

from .state import *

NOBODY = nobody(BROKER)

new_czxid, old_software = CZXID.var("czxid"), BOOL.var("legacy")
target, error, current_state = (
    one_of(BrokerState).var("target"),
    one_of(Error).var("error"),
    one_of(BrokerState).var("current_state"),
)
to, old_brokers = TIME.var("to"), set_of(BROKER).var("old_brokers")


@definition
def handles_traffic(b: Term[Broker]) -> Term[bool]:
    """The controller has the broker Active or Stopping (S0:36)."""
    return state[b].is_(ACTIVE) | state[b].is_(STOPPING)


@definition
def fences_itself(b: Term[Broker]) -> Term[bool]:
    """The broker takes requests and would fence itself: legacy brokers never do (S0:134)."""
    return running[b] & ~legacy[b] & ~fenced[b]


@definition
def watched(b: Term[Broker]) -> Term[bool]:
    """The controller waits for the broker's heartbeats: not for those of a legacy broker (S0:138)."""
    return controller & ~known_legacy[b] & handles_traffic(b)


@procedure(b)
def clears_messages(b: Term[Broker]) -> object:
    """Nothing of the broker is under way."""
    return (
        asked[b].becomes(FALSE),
        asked_incarnation[b].becomes(0),
        asked_target[b].becomes(ACTIVE),
        answered[b].becomes(FALSE),
        answer_error[b].becomes(Error.NONE),
        answer_state[b].becomes(INITIAL),
        of_former[b].becomes(FALSE),
    )


@procedure(b)
def knows_nothing(b: Term[Broker]) -> object:
    """The process has no metadata and leads nothing."""
    return metadata[b].becomes(NOBODY), every(p, TRUE, believes[b, p].becomes(-1))


# -- processes and their znodes ----------------------------------------------------------------------------------------
newer = new_czxid > czxid[b]
start = event("StartBroker", b, old_software, new_czxid, given=newer, environment=True, source="S0:28,136-138")
expire = event("ExpireSession", b, environment=True, source="S0:18,28")
again = event("Reregister", b, new_czxid, given=newer, environment=True, source="S0:28")
another = event("StartAnother", b, new_czxid, given=newer, environment=True, source="S0:26,118")
stop = event("StopBroker", b, environment=True, source="S0:36")
begin_shutdown = event("BeginShutdown", b, environment=True, source="S0:36")
cancel_shutdown = event("CancelShutdown", b, environment=True, source="S0:58")
registers = (czxid[b].becomes(new_czxid), registered[b].becomes(new_czxid))
PROCESSES = table(
    "processes and their znodes",
    start("HZ1", ~running[b] & registered[b].is_(0), registers, own_incarnation[b].becomes(new_czxid), legacy[b].becomes(old_software),
          running[b].becomes(TRUE), fenced[b].becomes(~old_software), last_reply[b].becomes(now), shutting_down[b].becomes(FALSE),
          heard[b].becomes(now), unanswered[b].becomes(FALSE), clears_messages(b), knows_nothing(b)),
    expire("HZ2", registered[b] > 0, registered[b].becomes(0), other[b].becomes(FALSE)),
    again("HZ3", running[b] & registered[b].is_(0), registers, own_incarnation[b].becomes(new_czxid)),
    another("HZ4", running[b] & registered[b].is_(0) & ~legacy[b], registers, other[b].becomes(TRUE)),
    stop("HZ5", running[b], running[b].becomes(FALSE), answered[b].becomes(FALSE), answer_error[b].becomes(Error.NONE), answer_state[b].becomes(INITIAL), of_former[b].becomes(FALSE)),
    begin_shutdown("HZ6", running[b] & ~legacy[b] & ~shutting_down[b], shutting_down[b].becomes(TRUE)),
    cancel_shutdown("HZ7", running[b] & shutting_down[b], shutting_down[b].becomes(FALSE)),
    about="Incarnations of a broker are distinguished by the czxid of its ephemeral znode; process and znode come and go apart.",
    why={
        "HZ1": "A new process is fenced until it hears from the controller; a legacy one serves at once.",
        "HZ2": "ZooKeeper drops the znode with the session; the process may be alive, and may not know.",
        "HZ3": "The same process, after its session expired: another incarnation (S0:28).",
        "HZ4": "Another process uses the broker id: what is followed here stays the process that had it first.",
        "HZ5": "Crash or exit: the session outlives the process, and so does a heartbeat that is under way.",
        "HZ7": "A heartbeat that asks for Active takes a shutdown back (S0:58).",
    },
)  # fmt: skip

# -- time --------------------------------------------------------------------------------------------------------------
passes = event("TimePasses", to, given=to > now, environment=True, source="S0:50")
broker_timer = event("BrokerTimer", b, environment=True, source="S0:42-44")
CLOCK = table(
    "time and the broker's timer",
    passes("HT1", TRUE, now.becomes(to)),
    broker_timer("H7", fences_itself(b) & (now > last_reply[b] + broker_timeout), fenced[b].becomes(TRUE)),
    about="A broker that hears nothing for its timeout fences itself: running requests finish, new ones are refused.",
    why={"HT1": "Not past the moment at which a timer fires: timers are punctual (HA4)."},
)  # fmt: skip

# -- heartbeats at the broker ------------------------------------------------------------------------------------------
send = event("SendHeartbeat", b, target, given=running[b] & ~legacy[b] & target.is_(when(shutting_down[b], literal(STOPPING), literal(ACTIVE))),
             environment=True, source="S0:42,54")  # fmt: skip
send_other = event("SendOtherHeartbeat", b, environment=True, source="S0:118")
reply = event("HeartbeatReply", b, error, current_state, given=running[b], source="S0:54")
lose = event("LoseMessage", b, environment=True, source="S0:18")
no_error = error.is_(Error.NONE)
in_cluster = let("in_cluster", current_state.is_(ACTIVE) | current_state.is_(STOPPING))
HEARTBEATS_OF_BROKERS = table(
    "heartbeats at the broker",
    send("HS1", TRUE, asked[b].becomes(TRUE), asked_incarnation[b].becomes(own_incarnation[b]), asked_target[b].becomes(target)),
    send_other("HS2", other[b] & ~asked[b] & ~answered[b],
               asked[b].becomes(TRUE), asked_incarnation[b].becomes(registered[b]), asked_target[b].becomes(ACTIVE)),
    reply("H8e", ~no_error,             clears_messages(b)),
    reply("H8",  no_error & in_cluster, last_reply[b].becomes(now), fenced[b].becomes(FALSE), heard[b].becomes(now), unanswered[b].becomes(FALSE), clears_messages(b), source="S0:54,72-73"),
    reply("H8'", no_error,              last_reply[b].becomes(now), fenced[b].becomes(TRUE),  heard[b].becomes(now), unanswered[b].becomes(FALSE), clears_messages(b), source="S0:71"),
    lose("HS3", asked[b] | answered[b], clears_messages(b)),
    mode="first match",
    total=True,
    about="A broker sends one heartbeat at a time, with its incarnation and the state that it would like to be in.",
    why={
        "H8": "Contact is an answer without an error; the broker's timer starts anew when it arrives.",
        "H8e": "An error is no contact: the text does not say which answers are.",
        "H8'": "A broker that is answered Inactive or Initial should be fenced (S0:71); H4 and H5 never answer so.",
        "HS2": "The other process with the same id heartbeats too.",
    },
)  # fmt: skip

# -- where short runs begin --------------------------------------------------------------------------------------------
form = event("FormCluster", old_brokers, environment=True, source="S0:34,138")
FORMATION = table(
    "a cluster that is up",
    form("HF1", now.is_(0) & ~controller & forall(x, czxid[x].is_(0)),
         controller.becomes(TRUE),
         every(x, TRUE,
               czxid[x].becomes(1), registered[x].becomes(1), own_incarnation[x].becomes(1), incarnation[x].becomes(1), accepted[x].becomes(1),
               running[x].becomes(TRUE), fenced[x].becomes(FALSE), state[x].becomes(ACTIVE),
               legacy[x].becomes(x.in_(old_brokers)), known_legacy[x].becomes(x.in_(old_brokers)))),
    about="All that a start takes in one step, so that short runs need not begin with it: every broker is registered and Active.",
)  # fmt: skip
