"""State of KIP-631 version 1: the metadata, the active controller's memory, the brokers, and messages on their way."""

from __future__ import annotations

import enum

from fencepost.model.language.vocabulary import *

__all__ = [
    "BROKER", "EXCHANGE", "INCARNATION", "LEADER_EPOCH", "OFFSET", "PARTITION", "TIME", "Broker", "BrokerState",
    "Current", "Error", "Exchange", "Next", "Partition", "Phase", "Target", "active", "answered", "answered_epoch",
    "asked", "asker", "b", "broker_epoch", "broker_state", "committed", "fenced", "fenced_at", "granted", "id_reuse",
    "incarnation", "isr", "last_contact", "leader", "leader_epoch", "leader_in", "leads", "lease_end", "led_at",
    "longest_lease", "m", "n", "next_lease", "next_offset", "now", "own_epoch", "own_incarnation", "own_lease_end",
    "own_offset", "p", "phase", "q", "registered", "registered_at", "replicas", "reported_offset", "says_current",
    "says_epoch", "says_lease", "says_next", "says_offset", "says_target", "seen_epoch", "sender", "sent_at", "serving",
    "shutting_down", "started", "supported", "to", "told_active", "x", "y",
]  # fmt: skip


class Broker(Entity):
    """A broker id."""


class Partition(Entity):
    """A partition, with replicas that stay as they are: version 1 has no rules of reassignment."""


class Exchange(Entity):
    """A heartbeat and its answer: a place for one message on its way."""


class BrokerState(enum.Enum):
    """The states of a broker (S2:123)."""

    NOT_RUNNING = "NOT_RUNNING"
    STARTING = "STARTING"
    RECOVERING = "RECOVERING_FROM_UNCLEAN_SHUTDOWN"
    REGISTERING = "REGISTERING"
    FENCED = "FENCED"
    RUNNING = "RUNNING"
    PENDING = "PENDING_CONTROLLED_SHUTDOWN"
    SHUTTING_DOWN = "SHUTTING_DOWN"


class Current(enum.Enum):
    """The state that a heartbeat reports for its broker (S2:440)."""

    FENCED = "FENCED"
    ACTIVE = "ACTIVE"


class Target(enum.Enum):
    """The state that a heartbeat's broker wants to reach (S2:431, 46)."""

    ACTIVE = "ACTIVE"
    SHUTDOWN = "SHUTDOWN"


class Next(enum.Enum):
    """To which state the answer says that the broker should go (S2:439); nothing, where it is an error."""

    NOTHING = ""
    FENCED = "FENCED"
    ACTIVE = "ACTIVE"
    SHUTDOWN = "SHUTDOWN"


class Phase(enum.Enum):
    """How far an exchange is."""

    FREE = "nothing is on its way"
    ASKED = "the heartbeat is on its way"
    ANSWERED = "the answer is on its way"


class Error(enum.Enum):
    """The error code of an answer; an answer to a heartbeat without error also has the next state."""

    NONE = "NONE"
    NOT_CONTROLLER = "NOT_CONTROLLER"
    DUPLICATE_BROKER_REGISTRATION = "DUPLICATE_BROKER_REGISTRATION"
    UNSUPPORTED_VERSION = "UNSUPPORTED_VERSION"
    STALE_BROKER_EPOCH = "STALE_BROKER_EPOCH"
    IGNORED = "IGNORED"
    NEXT_FENCED = "NONE FENCED"
    NEXT_ACTIVE = "NONE ACTIVE"
    NEXT_SHUTDOWN = "NONE SHUTDOWN"


BROKER, PARTITION, EXCHANGE = sort(Broker), sort(Partition), sort(Exchange)
TIME = counter("time", lo=-1)
OFFSET = counter("offset", lo=-1)
INCARNATION = counter("incarnation")
LEADER_EPOCH = counter("leader epoch")

b, x, y = BROKER.var("b"), BROKER.var("x"), BROKER.var("y")
p, q = PARTITION.var("p"), PARTITION.var("q")
m, n = EXCHANGE.var("m"), EXCHANGE.var("n")
to = TIME.var("to")

now = cell("now", TIME, initial=0, what="soft", about="the time, which all clocks show alike")
next_lease = cell("next_lease", TIME, initial=ANY, what="soft", about="how long the controller makes the next lease")
longest_lease = cell("longest_lease", TIME, initial=ANY, what="fixed", about="no lease is longer")
id_reuse = cell(
    "id_reuse", TIME, initial=ANY, what="fixed", about="silence after which an id may be used by another process"
)

# -- the metadata ------------------------------------------------------------------------------------------------------
committed = cell("committed", OFFSET, initial=0, about="offset of the last committed batch")
next_offset = cell("next_offset", OFFSET, initial=1, about="offset of the next batch; an operation writes one")
registered = per(BROKER, "registered", BOOL)
incarnation = per(BROKER, "incarnation", INCARNATION, initial=0, about="of the process that is registered, 0 for none")
broker_epoch = per(BROKER, "broker_epoch", OFFSET, initial=-1)
fenced = per(BROKER, "fenced", BOOL, initial=TRUE, about="who is not registered counts as fenced")
replicas = per(PARTITION, "replicas", list_of(BROKER), initial=ANY, what="fixed", about="in order of preference")
isr = per(PARTITION, "isr", set_of(BROKER), initial=ANY)
leader = per(PARTITION, "leader", maybe(BROKER), initial=NONE)
leader_epoch = per(PARTITION, "leader_epoch", LEADER_EPOCH, initial=0)
registered_at = per(BROKER, "registered_at", OFFSET, initial=-1, about="offset of the broker's last registration")
fenced_at = per(BROKER, "fenced_at", OFFSET, initial=-1, about="offset at which the broker was fenced last")
led_at = per(PARTITION, "led_at", OFFSET, initial=0, about="offset at which the leader changed last")

# -- the active controller ---------------------------------------------------------------------------------------------
active = cell("active", BOOL, initial=TRUE, what="soft", about="a controller is active")
last_contact = per(BROKER, "last_contact", TIME, initial=-1, what="soft", about="when it last heard from the broker")
lease_end = per(BROKER, "lease_end", TIME, initial=-1, what="soft", about="when the lease ends that it has given")
granted = per(BROKER, "granted", BOOL, what="soft", about="answered that it may be active, not yet unfenced")
reported_offset = per(BROKER, "reported_offset", OFFSET, initial=-1, what="soft", about="in its last heartbeat")
shutting_down = per(BROKER, "shutting_down", BOOL, what="soft", about="it asked for its controlled shutdown")

# -- the brokers -------------------------------------------------------------------------------------------------------
own_incarnation = per(BROKER, "own_incarnation", INCARNATION, initial=0, what="soft", about="0 where no process runs")
own_epoch = per(BROKER, "own_epoch", OFFSET, initial=-1, what="soft", about="as answered to its registration")
broker_state = per(BROKER, "broker_state", one_of(BrokerState), initial=BrokerState.NOT_RUNNING, what="soft")
own_lease_end = per(BROKER, "own_lease_end", TIME, initial=-1, what="soft", about="when it stops, if it hears no more")
serving = per(BROKER, "serving", BOOL, what="soft", about="it answers clients")
own_offset = per(
    BROKER, "own_offset", OFFSET, initial=-1, what="soft", about="the highest metadata offset that it reached"
)
leads = per2(BROKER, PARTITION, "leads", BOOL, what="soft", about="by the metadata that it has it is the leader")
seen_epoch = per2(BROKER, PARTITION, "seen_epoch", LEADER_EPOCH, initial=0, what="soft", about="leader epoch, likewise")

# -- messages ----------------------------------------------------------------------------------------------------------
started = per(
    BROKER, "started", INCARNATION, initial=0, what="message", about="the id's newest process, running or not"
)
asked = per(
    BROKER, "asked", INCARNATION, initial=0, what="message", about="the newest of them that asked to be registered"
)
answered = per(
    BROKER, "answered", INCARNATION, initial=0, what="message", about="to whom the last registration was answered"
)
answered_epoch = per(BROKER, "answered_epoch", OFFSET, initial=-1, what="message", about="the epoch in that answer")
phase = per(EXCHANGE, "phase", one_of(Phase), initial=Phase.FREE, what="message")
sender = per(EXCHANGE, "sender", maybe(BROKER), initial=NONE, what="message")
asker = per(EXCHANGE, "asker", INCARNATION, initial=0, what="message", about="the process that sent it")
says_epoch = per(EXCHANGE, "says_epoch", OFFSET, initial=-1, what="message")
says_current = per(EXCHANGE, "says_current", one_of(Current), initial=Current.FENCED, what="message")
says_target = per(EXCHANGE, "says_target", one_of(Target), initial=Target.ACTIVE, what="message")
says_offset = per(EXCHANGE, "says_offset", OFFSET, initial=-1, what="message")
sent_at = per(EXCHANGE, "sent_at", TIME, initial=-1, what="message", about="when the heartbeat was sent")
says_next = per(EXCHANGE, "says_next", one_of(Next), initial=Next.NOTHING, what="message")
says_lease = per(EXCHANGE, "says_lease", TIME, initial=0, what="message", about="how long the lease is that it gives")

# -- for claims only ---------------------------------------------------------------------------------------------------
supported = per(BROKER, "supported", BOOL, what="ghost", about="its software supports the finalized features")
told_active = per(
    BROKER, "told_active", OFFSET, initial=-1, what="ghost", about="epoch under which it was last answered so"
)
leader_in = per2(PARTITION, LEADER_EPOCH, "leader_in", maybe(BROKER), initial=NONE, what="ghost")
