"""State of the lease tables. Time is counted in units of real time; a timer that drift lengthens lasts more of them."""

from __future__ import annotations

import enum

from fencepost.model.language.vocabulary import *

__all__ = [
    "BROKER", "EPOCH", "UNITS", "Broker", "Exchange", "b", "believes", "due", "epoch", "exchange", "fenced",
    "from_send", "in_time", "last", "leader", "leads", "lease", "less", "longest_delay", "longest_lease",
    "longest_session", "offered", "read_epoch", "session", "shortest_lease", "shortest_session", "x", "y",
]  # fmt: skip


class Broker(Entity):
    """A broker, which leads the one partition or does not."""


class Exchange(enum.Enum):
    """Where a broker's heartbeat is: a broker has one exchange with the controller at a time."""

    NONE = "none"
    SENT = "sent"
    ANSWERED = "answered"
    REFUSED = "refused"


BROKER = sort(Broker)
UNITS, EPOCH = counter("units"), counter("leader epoch")
b, x, y = BROKER.var("b"), BROKER.var("x"), BROKER.var("y")

# -- settings ------------------------------------------------------------------------------------------------------------
from_send = cell("from_send", BOOL, ANY, "fixed", "the broker's timer counts from the send, not from the answer")
shortest_lease = cell("shortest_lease", UNITS, ANY, "fixed", "the broker's timer if its clock is fast: Tb/(1+ρb)")
longest_lease = cell("longest_lease", UNITS, ANY, "fixed", "the broker's timer if its clock is slow: Tb/(1-ρb)")
shortest_session = cell(
    "shortest_session", UNITS, ANY, "fixed", "the controller's timer if its clock is fast: Tc/(1+ρc)"
)
longest_session = cell("longest_session", UNITS, ANY, "fixed", "the controller's timer if its clock is slow: Tc/(1-ρc)")
in_time = cell("in_time", BOOL, ANY, "fixed", "an answer arrives within the longest delay, or not at all")
longest_delay = cell("longest_delay", UNITS, ANY, "fixed", "the longest that an answer is under way")

# -- the broker's side -----------------------------------------------------------------------------------------------------
lease = per(BROKER, "lease", UNITS, 0, "soft", "what is left of the broker's timer; 0 where it is over")
leads = per(BROKER, "leads", BOOL, what="soft", about="the newest record that the broker has read says that it leads")
read_epoch = per(BROKER, "read_epoch", EPOCH, 0, "soft", "the leader epoch in that record")

# -- the controller's side -------------------------------------------------------------------------------------------------
session = per(BROKER, "session", UNITS, 0, "soft", "what is left of the controller's timer for the broker")
fenced = per(BROKER, "fenced", BOOL, TRUE, "hard", "the controller has given the broker up, or never met it")
leader = cell("leader", maybe(BROKER), NONE, about="who leads, as the controller decided last")
epoch = cell("epoch", EPOCH, 0, about="the partition's leader epoch")

# -- messages --------------------------------------------------------------------------------------------------------------
exchange = per(BROKER, "exchange", one_of(Exchange), Exchange.NONE, "soft", "where the broker's heartbeat is")
offered = per(BROKER, "offered", UNITS, 0, "soft", "what is left of the lease that counts from this heartbeat's send")
due = per(BROKER, "due", UNITS, 0, "soft", "how much longer the answer may be under way")

last = cell("last", maybe(BROKER), NONE, "ghost", "who appended last")


@definition
def believes(b: Term[Broker]) -> Term[bool]:
    """The broker takes itself for the leader, and its timer is not over."""
    return leads[b] & (lease[b] > 0)


@definition
def less(units: Term[int]) -> Term[int]:
    """One unit less, never below 0."""
    return when(units > 0, units - 1, units)
