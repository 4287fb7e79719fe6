"""State of KIP-343: what ZooKeeper holds, what the controller has in memory, what a broker's process knows, what is under way."""

from __future__ import annotations

import enum

from fencepost.model.language.vocabulary import *

__all__ = [
    "ACTIVE", "BROKER", "CZXID", "DURATION", "INACTIVE", "INITIAL", "LEADER_EPOCH", "LONGER", "PARTITION", "STOPPING",
    "TIME", "Answer", "Broker", "BrokerState", "Error", "Partition", "accepted", "answer_error", "answer_state",
    "answered", "asked", "asked_incarnation", "asked_target", "b", "believes", "broker_timeout", "controller",
    "controller_timeout", "czxid", "fenced", "heard", "incarnation", "isr", "known_legacy", "last_contact",
    "last_reply", "leader", "leader_epoch", "leader_in", "legacy", "metadata", "now", "of_former", "other",
    "own_incarnation", "p", "q", "registered", "replicas", "running", "shutting_down", "state", "timed_out",
    "unanswered", "x", "y",
]  # fmt: skip


class Broker(Entity):
    """A broker id."""


class Partition(Entity):
    """A partition of a topic."""


class BrokerState(enum.Enum):
    """The states of a broker at the controller, by the KIP's names (S0:70-73)."""

    INITIAL = "Initial"
    INACTIVE = "Inactive"
    ACTIVE = "Active"
    STOPPING = "Stopping"


class Error(enum.Enum):
    """The errors of requests, by the names that the KIP and Kafka give them."""

    NONE = "NONE"
    INVALID_INCARNATION_ID = "INVALID_INCARNATION_ID"
    INVALID_REQUEST = "INVALID_REQUEST"
    NOT_CONTROLLER = "NOT_CONTROLLER"
    NOT_LEADER_FOR_PARTITION = "NOT_LEADER_FOR_PARTITION"
    BAD_VERSION = "BAD_VERSION"


class Answer(enum.Enum):
    """The answer to a heartbeat: an error, or NONE and the state that the broker should go to."""

    ACTIVE = "NONE Active"
    STOPPING = "NONE Stopping"
    INACTIVE = "NONE Inactive"
    INITIAL = "NONE Initial"
    INVALID_INCARNATION_ID = "INVALID_INCARNATION_ID"
    INVALID_REQUEST = "INVALID_REQUEST"
    NOT_CONTROLLER = "NOT_CONTROLLER"


INITIAL, INACTIVE, ACTIVE, STOPPING = BrokerState

BROKER, PARTITION = sort(Broker), sort(Partition)
CZXID = counter("czxid")
LEADER_EPOCH = counter("leader epoch", lo=-1)
TIME, DURATION = counter("time"), counter("duration")

b, x, y = BROKER.var("b"), BROKER.var("x"), BROKER.var("y")
p, q = PARTITION.var("p"), PARTITION.var("q")

# -- time --------------------------------------------------------------------------------------------------------------
now = cell("now", TIME, initial=0, about="one clock for all: brokers and controllers count at one rate (S0:50)")
controller_timeout = cell(
    "controller_timeout", DURATION, initial=ANY, what="fixed", about="Tc, the controller's (S0:48)"
)
broker_timeout = cell("broker_timeout", DURATION, initial=ANY, what="fixed", about="Tb, the broker's (S0:42)")

LONGER = broker_timeout > controller_timeout
"""The broker's timeout is the longer one (S0:50)."""

# -- ZooKeeper ---------------------------------------------------------------------------------------------------------
registered = per(BROKER, "registered", CZXID, initial=0, about="czxid of /brokers/ids/b, 0 without the znode")
czxid = per(BROKER, "czxid", CZXID, initial=0, about="the last czxid that ZooKeeper gave to a znode of b")
legacy = per(BROKER, "legacy", BOOL, about="its BrokerInfo has version 4: the process is of the old protocol (S0:138)")
replicas = per(PARTITION, "replicas", set_of(BROKER), initial=ANY, what="fixed")
leader = per(PARTITION, "leader", maybe(BROKER), initial=NONE)
leader_epoch = per(PARTITION, "leader_epoch", LEADER_EPOCH, initial=0)
isr = per(PARTITION, "isr", set_of(BROKER), initial=ANY)

# -- the controller's memory -------------------------------------------------------------------------------------------
controller = cell("controller", BOOL, what="soft", about="a controller is in office")
incarnation = per(
    BROKER, "incarnation", CZXID, initial=0, what="soft", about="iid, what it takes for the broker's (S0:56)"
)
state = per(BROKER, "state", one_of(BrokerState), initial=INACTIVE, what="soft")
last_contact = per(BROKER, "last_contact", TIME, initial=0, what="soft", about="when a heartbeat was last accepted")
known_legacy = per(BROKER, "known_legacy", BOOL, what="soft", about="the registration that it saw was of version 4")

# -- a broker's process ------------------------------------------------------------------------------------------------
running = per(BROKER, "running", BOOL, what="soft", about="the process is up")
own_incarnation = per(
    BROKER, "own_incarnation", CZXID, initial=0, what="soft", about="the czxid of the znode that it made"
)
last_reply = per(BROKER, "last_reply", TIME, initial=0, what="soft", about="when it last heard from the controller")
fenced = per(BROKER, "fenced", BOOL, what="soft", about="it takes no new requests (S0:44)")
shutting_down = per(BROKER, "shutting_down", BOOL, what="soft", about="it wishes to stop")
believes = per2(
    BROKER, PARTITION, "believes", LEADER_EPOCH, initial=-1, what="soft",
    about="the leader epoch under which it takes itself for the leader, -1 where it does not",
)  # fmt: skip
metadata = per(BROKER, "metadata", set_of(BROKER), what="soft", about="the brokers in the metadata that it has")
other = per(BROKER, "other", BOOL, what="soft", about="the znode is that of another process with the same id (S0:118)")

# -- what is under way -------------------------------------------------------------------------------------------------
asked = per(BROKER, "asked", BOOL, what="message", about="a heartbeat is on its way")
asked_incarnation = per(BROKER, "asked_incarnation", CZXID, initial=0, what="message")
asked_target = per(BROKER, "asked_target", one_of(BrokerState), initial=ACTIVE, what="message")
answered = per(BROKER, "answered", BOOL, what="message", about="its answer is on its way")
answer_error = per(BROKER, "answer_error", one_of(Error), initial=Error.NONE, what="message")
answer_state = per(BROKER, "answer_state", one_of(BrokerState), initial=INITIAL, what="message")

# -- for properties only -----------------------------------------------------------------------------------------------
unanswered = per(
    BROKER, "unanswered", BOOL, what="ghost", about="a heartbeat was accepted whose answer has not arrived"
)
of_former = per(
    BROKER,
    "of_former",
    BOOL,
    what="ghost",
    about="the answer on its way was given by a controller that is no longer in office",
)
heard = per(
    BROKER, "heard", TIME, initial=0, what="ghost", about="when the process last got an answer without an error"
)
timed_out = per(BROKER, "timed_out", BOOL, what="ghost", about="the controller's timer made it Inactive")
accepted = per(
    BROKER, "accepted", CZXID, initial=0, what="ghost", about="the last incarnation that any controller took"
)
leader_in = per2(
    PARTITION, LEADER_EPOCH, "leader_in", maybe(BROKER), initial=NONE, what="ghost", about="who was made leader in it"
)
