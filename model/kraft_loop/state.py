"""State of `kraft-loop`: the metadata log as Raft keeps it, and on each controller what it has applied and whom it owes an answer.

- Offsets are ends: where a log ends, where what is committed ends. Each is one more than Kafka's offset of the last record, and 0
  represents -1. So is `transaction`: the offset after the open transaction's Begin record.
- A record is its offset and the leader epoch in which it was written: the leader of an epoch writes each offset once.
- The leader of an epoch has one log. That of a later epoch begins with a prefix of some earlier log, so the log of a node that does
  not know yet that it was replaced is there as well. `log_kind`, `log_ends` and `log_open` say of each log what its records are,
  where batches end and where transactions are open.
- A state is the set of the records that are in effect in it: data records that were applied and that no Abort has undone.
- Epochs begin at 1; 0 means none. Control records of Raft (leader change) have no offset here: no state depends on them.
"""

from __future__ import annotations

import enum

from fencepost.model.language.vocabulary import *

__all__ = [
    "CONTROLLER", "EPOCH", "FUTURE", "KIND", "NONE_YET", "OFFSET", "REQUEST", "Controller", "Future", "RecordKind",
    "Request", "activating", "applied", "armed", "asked", "at", "claim", "closes", "committed", "d", "e", "effect",
    "ends_batch", "epoch_start", "expired", "follows", "future", "high_watermark", "holds", "is_active", "is_data",
    "is_kind", "k", "kept", "known_epoch", "leader_of", "leads_yet", "left_epoch", "log", "log_end", "log_ends",
    "log_kind", "log_open", "m", "n", "next_write", "o", "p", "parked_at", "q", "r", "raft_epoch", "s", "snapshot",
    "stable", "to", "transaction", "transactions", "undone_by", "waits", "wrote_from", "wrote_in",
]  # fmt: skip


class Controller(Entity):
    """A node of the controller quorum."""


class Request(Entity):
    """A request to a controller; its future is answered once."""


class RecordKind(enum.Enum):
    """The kind of a record, as far as the loop reads it."""

    DATA = "data"
    VERSION = "metadata.version"
    BEGIN = "BeginTransaction"
    END = "EndTransaction"
    ABORT = "AbortTransaction"


class Future(enum.Enum):
    """The state of a request's future."""

    NONE = "not sent"
    QUEUED = "in the queue"
    PARKED = "in the purgatory"
    ANSWERED = "answered"
    REFUSED = "ApiException"
    NOT_CONTROLLER = "NOT_CONTROLLER"
    TIMED_OUT = "REQUEST_TIMED_OUT"
    UNKNOWN = "UNKNOWN_SERVER_ERROR"
    LOST = "not answered: the process has ended"


CONTROLLER, REQUEST = sort(Controller), sort(Request)
EPOCH, OFFSET = counter("leader epoch"), counter("offset")
KIND, FUTURE = one_of(RecordKind), one_of(Future)

n, m = CONTROLLER.var("n"), CONTROLLER.var("m")
r, q = REQUEST.var("r"), REQUEST.var("q")
e, d, k = EPOCH.var("e"), EPOCH.var("d"), EPOCH.var("k")
o, p, s, to, at = OFFSET.var("o"), OFFSET.var("p"), OFFSET.var("s"), OFFSET.var("to"), OFFSET.var("at")
NONE_YET = Lit(0, EPOCH)

# -- Raft --------------------------------------------------------------------------------------------------------------
raft_epoch = cell("raft_epoch", EPOCH, 0, about="the newest leader epoch")
leader_of = per(EPOCH, "leader_of", maybe(CONTROLLER), NONE, about="who was elected in the epoch")
log = per2(
    EPOCH, OFFSET, "log", EPOCH, 0, about="in which epoch the record at an offset of the epoch's log was written"
)
log_end = per(EPOCH, "log_end", OFFSET, 0, about="the end of that log")
epoch_start = per(EPOCH, "epoch_start", OFFSET, 0, about="where that log ended when the epoch began")
high_watermark = per(EPOCH, "high_watermark", OFFSET, 0, about="the end of what was committed up to the epoch")
log_kind = per2(EPOCH, OFFSET, "log_kind", KIND, RecordKind.DATA, about="what the record at an offset of that log is")
log_ends = per2(EPOCH, OFFSET, "log_ends", BOOL, about="a batch of that log ends at an offset")
log_open = per2(
    EPOCH,
    OFFSET,
    "log_open",
    OFFSET,
    0,
    about="the transaction that is open after what ends at an offset; 0 if none is",
)
transactions = cell("transactions", BOOL, ANY, "fixed", "metadata.version has transactions: 3.6-IV1 or newer")

# -- a controller ------------------------------------------------------------------------------------------------------
known_epoch = per(CONTROLLER, "known_epoch", EPOCH, 0, about="the newest epoch of which the node's Raft client knows")
left_epoch = per(
    CONTROLLER, "left_epoch", EPOCH, 0, about="the newest epoch that the node has claimed, or can not claim any more"
)
claim = per(CONTROLLER, "claim", EPOCH, 0, what="soft", about="the epoch in which it is active; 0 is Kafka's -1")
next_write = per(CONTROLLER, "next_write", OFFSET, 0, what="soft", about="where an active controller writes next")
applied = per(CONTROLLER, "applied", OFFSET, 0, about="the end of what the node has applied")
committed = per(CONTROLLER, "committed", OFFSET, 0, about="the end of what it knows to be committed")
stable = per(CONTROLLER, "stable", OFFSET, 0, about="the end of what reads may show")
transaction = per(CONTROLLER, "transaction", OFFSET, 0, about="the open transaction, as far as it has applied the log")
effect = per2(
    CONTROLLER, OFFSET, "effect", EPOCH, 0, about="the state: the epoch of the record at an offset that is in effect"
)
snapshot = per2(CONTROLLER, OFFSET, "snapshot", BOOL, about="there is an in-memory snapshot of what ends at an offset")
kept = per3(CONTROLLER, OFFSET, OFFSET, "kept", EPOCH, 0, about="the state of an in-memory snapshot")
activating = per(CONTROLLER, "activating", BOOL, what="soft", about="completeActivation is at the head of the queue")
armed = per(CONTROLLER, "armed", BOOL, what="soft", about="the periodic tasks are scheduled")

# -- requests ----------------------------------------------------------------------------------------------------------
future = per(REQUEST, "future", FUTURE, Future.NONE, what="soft")
asked = per(REQUEST, "asked", maybe(CONTROLLER), NONE, what="soft", about="the controller that has the request")
expired = per(REQUEST, "expired", BOOL, what="soft", about="its deadline is over")
wrote_in = per(REQUEST, "wrote_in", EPOCH, 0, what="ghost", about="the epoch of its records, 0 if it has none")
wrote_from = per(REQUEST, "wrote_from", OFFSET, 0, what="ghost", about="the first of its records")
parked_at = per(REQUEST, "parked_at", OFFSET, 0, what="soft", about="where the purgatory has it: the end it waits for")

# -- for the proof -----------------------------------------------------------------------------------------------------
undone_by = per2(
    EPOCH, OFFSET, "undone_by", OFFSET, 0, what="ghost",
    about="the offset of the Abort record that undoes a record in the epoch's log; 0 if there is none: no log begins with one",
)  # fmt: skip


def is_kind(e: Term[int], o: Term[int], kind: RecordKind) -> Term[bool]:
    """The record of a log at an offset is of a kind."""
    return log_kind[e, o].is_(kind)


def is_data(e: Term[int], o: Term[int]) -> Term[bool]:
    """The record of a log at an offset changes the state."""
    return is_kind(e, o, RecordKind.DATA) | is_kind(e, o, RecordKind.VERSION)


def closes(e: Term[int], o: Term[int]) -> Term[bool]:
    """The record of a log at an offset ends its transaction."""
    return is_kind(e, o, RecordKind.END) | is_kind(e, o, RecordKind.ABORT)


@definition
def ends_batch(e: Term[int], o: Term[int]) -> Term[bool]:
    """A log has the end of a batch at an offset."""
    return o.is_(0) | log_ends[e, o]


def follows(n: Term[Controller]) -> Term[int]:
    """The epoch whose log the node applies: its own while it is active, else the newest that it knows."""
    return when(claim[n].is_(0), known_epoch[n], claim[n])


def holds(e: Term[int], o: Term[int], end: Term[int]) -> Term[int]:
    """The record in effect at an offset of a log applied to an end: the epoch of a data record that no Abort has undone."""
    stays = (o < end) & is_data(e, o) & (undone_by[e, o].is_(0) | (undone_by[e, o] >= end))
    return when(stays, log[e, o], NONE_YET)


def waits(r: Term[Request], n: Term[Controller]) -> Term[bool]:
    """A request is in the purgatory of a node."""
    return future[r].is_(Future.PARKED) & asked[r].is_(n)


is_active = let("is_active", claim[n] > 0, n)
"""The node is the active controller, as far as it knows."""
leads_yet = let("leads_yet", (claim[n] > 0) & known_epoch[n].is_(claim[n]), n)
"""Raft takes what the node appends: its client knows of no newer epoch."""
