"""The state of KIP-631's second version: what the metadata says, what the active controller remembers, what brokers are.

An offset is that of a result: whatever one operation of the controller writes is one batch, and takes one offset. What is
appended survives a failover: a lost record was reported to no client, so that it is as if it had not been requested.
"""

from __future__ import annotations

import enum

from fencepost.model.language.vocabulary import *

__all__ = [
    "BROKER", "INCARNATION", "LEADER_EPOCH", "OFFSET", "PARTITION", "TIME", "TOPIC", "Broker", "BrokerState",
    "Partition", "Topic", "active", "adding", "b", "believes", "broker_epoch", "broker_state", "committed",
    "created_at", "epoch_at", "epoch_seen", "fenced", "granted", "id_reuse", "incarnation", "is_known", "isr",
    "last_contact", "leader", "leader_at", "leader_epoch", "leader_in", "leader_seen", "leads", "logs", "next_offset",
    "now", "own_epoch", "own_incarnation", "own_offset", "p", "q", "reassigning", "recovered", "registered",
    "removed_at", "removing", "replicas", "serving", "session", "shutting_down", "t", "told", "told_caught_up",
    "told_fenced", "told_shutdown", "unfenced", "x", "y",
]  # fmt: skip


class Broker(Entity):
    """A broker id."""


class Partition(Entity):
    """A partition."""


class Topic(Entity):
    """A topic id; it is never used again."""


class BrokerState(enum.Enum):
    """The states of a broker (S2:66-79)."""

    NOT_RUNNING = "NOT_RUNNING"
    STARTING = "STARTING"
    RECOVERY = "RECOVERY"
    RUNNING = "RUNNING"
    PENDING_CONTROLLED_SHUTDOWN = "PENDING_CONTROLLED_SHUTDOWN"
    SHUTTING_DOWN = "SHUTTING_DOWN"


BROKER, PARTITION, TOPIC = sort(Broker), sort(Partition), sort(Topic)
OFFSET, LEADER_EPOCH = counter("offset", lo=-1), counter("leader epoch")
INCARNATION, TIME = counter("incarnation"), counter("time", lo=-1)

b, x, y = BROKER.var("b"), BROKER.var("x"), BROKER.var("y")
p, q = PARTITION.var("p"), PARTITION.var("q")
t = TOPIC.var("t")

# -- chosen by the operator --------------------------------------------------------------------------------------------
now = cell("now", TIME, 0, about="the clock, in ticks")
session = cell("session", TIME, ANY, what="fixed", about="how long a broker may be silent before it is fenced")
id_reuse = cell(
    "id_reuse", TIME, ANY, what="fixed", about="how long an id is kept for a process that is silent (S2:56)"
)

# -- the log, and what it says of brokers ------------------------------------------------------------------------------
committed = cell("committed", OFFSET, ANY, about="the last committed offset")
next_offset = cell("next_offset", OFFSET, ANY, about="the offset that the next result gets")
registered = per(BROKER, "registered", BOOL, ANY)
incarnation = per(BROKER, "incarnation", INCARNATION, ANY, about="of the registered process; 0 for none")
broker_epoch = per(BROKER, "broker_epoch", OFFSET, ANY, about="of the registration; −1 for none")
fenced = per(BROKER, "fenced", BOOL, ANY, about="an unregistered broker counts as fenced")

# -- the log, and what it says of partitions ---------------------------------------------------------------------------
replicas = per(PARTITION, "replicas", set_of(BROKER), ANY, about="who has the partition, those who are added included")
isr = per(PARTITION, "isr", set_of(BROKER), ANY)
adding = per(PARTITION, "adding", set_of(BROKER))
removing = per(PARTITION, "removing", set_of(BROKER))
leader = per(PARTITION, "leader", maybe(BROKER), NONE)
leader_epoch = per(PARTITION, "leader_epoch", LEADER_EPOCH, 0)
leader_at = per2(PARTITION, OFFSET, "leader_at", maybe(BROKER), NONE, about="who led when an offset was the newest")
epoch_at = per2(PARTITION, OFFSET, "epoch_at", LEADER_EPOCH, 0, about="and the leader epoch")
leader_in = per2(PARTITION, LEADER_EPOCH, "leader_in", maybe(BROKER), NONE, what="ghost", about="who leads in an epoch")
created_at = per(TOPIC, "created_at", OFFSET, -1, about="the offset of the topic's record; −1 before it")
removed_at = per(TOPIC, "removed_at", OFFSET, -1, about="the offset of its RemoveTopic record; −1 before it")

# -- the active controller's memory ------------------------------------------------------------------------------------
active = cell("active", BOOL, TRUE, what="soft", about="some controller is active")
last_contact = per(
    BROKER, "last_contact", TIME, ANY, what="soft", about="when the broker was last heard of; −1 for never"
)
shutting_down = per(BROKER, "shutting_down", BOOL, FALSE, what="soft", about="the broker has asked to shut down")

# -- brokers -----------------------------------------------------------------------------------------------------------
own_incarnation = per(BROKER, "own_incarnation", INCARNATION, ANY, about="of the process; 0 while none runs")
own_epoch = per(BROKER, "own_epoch", OFFSET, ANY, about="as the process received it; −1 before that")
broker_state = per(BROKER, "broker_state", one_of(BrokerState), ANY)
recovered = per(BROKER, "recovered", BOOL, ANY, about="log recovery is done: the broker wants to be fenced no more")
serving = per(BROKER, "serving", BOOL, ANY, about="the broker serves clients")
own_offset = per(BROKER, "own_offset", OFFSET, ANY, about="the highest offset that the broker has applied; −1 for none")
logs = per(BROKER, "logs", set_of(TOPIC), about="the topics of which the broker has local logs")

# -- answers on their way: the newest of each kind; it may come late, more than once, or never ---------------------------
granted = per(
    BROKER, "granted", OFFSET, -1, what="message", about="the epoch in the answer to a registration; −1: no answer"
)
told = per(BROKER, "told", BOOL, FALSE, what="message", about="an answer to a heartbeat is on its way; its content:")
told_caught_up = per(BROKER, "told_caught_up", BOOL, FALSE, what="message")
told_fenced = per(BROKER, "told_fenced", BOOL, FALSE, what="message")
told_shutdown = per(BROKER, "told_shutdown", BOOL, FALSE, what="message")


@definition
def leads(b: Term[Broker]) -> Term[bool]:
    """Whether the broker leads a partition."""
    return exists(q, leader[q].is_(b))


@definition
def unfenced() -> Term[frozenset[Broker]]:
    """The brokers that metadata offers."""
    return those(x, ~fenced[x])


@definition
def reassigning(p: Term[Partition]) -> Term[bool]:
    """A reassignment of the partition is under way."""
    return exists(x, x.in_(adding[p]) | x.in_(removing[p]))


@definition
def leader_seen(b: Term[Broker], p: Term[Partition]) -> Term[Broker | None]:
    """The partition's leader in the metadata that the broker has applied."""
    return when(own_offset[b] >= next_offset - 1, leader[p], leader_at[p, own_offset[b]])


@definition
def epoch_seen(b: Term[Broker], p: Term[Partition]) -> Term[int]:
    """The leader epoch of the partition as far as the broker has applied the metadata."""
    return when(own_offset[b] >= next_offset - 1, leader_epoch[p], epoch_at[p, own_offset[b]])


@definition
def believes(b: Term[Broker], p: Term[Partition]) -> Term[bool]:
    """The broker serves the partition as its leader."""
    return serving[b] & leader_seen(b, p).is_(b)


@definition
def is_known(b: Term[Broker], t: Term[Topic]) -> Term[bool]:
    """The metadata that the broker has applied has the topic."""
    there = (created_at[t] >= 0) & (created_at[t] <= own_offset[b])
    return there & ~((removed_at[t] >= 0) & (removed_at[t] <= own_offset[b]))
