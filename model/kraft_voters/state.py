"""State of `kraft-voters`: the metadata log with its control records, and how much of it each controller has.

- A controller is a replica key: a node id with the id of a log directory. One node id may have several.
- A log has the control records of Raft alone: the LeaderChange that opens an epoch, KRaftVoters, and KRaftVersion with the
  voters, in one batch. Records of the controller change no voters, and have no offset here.
- Offsets are ends: 0 is the empty log. The leader of an epoch has one log, which begins with that of the controller that was elected;
  every controller has a beginning of the log of some epoch.
- Epochs begin at 1; 0 means none.
"""

from __future__ import annotations

import enum

from fencepost.model.language.vocabulary import *

__all__ = [
    "CONTROLLER", "EPOCH", "NODE", "OFFSET", "SIZE", "Answer", "Controller", "Node", "at", "auto_join", "c", "changes",
    "committed_by", "configured", "d", "e", "end", "epoch", "epoch_start", "follows", "formatted", "has_level", "has_log",
    "high_watermark", "holds", "joins", "k", "last_epoch", "leader_of", "leads", "level", "log_end", "m", "majority_of", "n",
    "node_id", "o", "own", "p", "q", "raft_epoch", "replaces", "s", "seen", "supports", "told", "voters", "voters_at", "was_voter",
    "wrote",
]  # fmt: skip


class Controller(Entity):
    """A controller with one log directory: Kafka's replica key, a node id and a directory id."""


class Node(Entity):
    """A node id."""


class Answer(enum.Enum):
    """Error codes by Kafka's names and numbers; NONE is success."""

    NONE = 0
    NOT_LEADER_OR_FOLLOWER = 6
    REQUEST_TIMED_OUT = 7
    UNSUPPORTED_VERSION = 35
    INVALID_REQUEST = 42
    INVALID_UPDATE_VERSION = 95
    DUPLICATE_VOTER = 126
    VOTER_NOT_FOUND = 127


CONTROLLER, NODE = sort(Controller), sort(Node)
EPOCH, OFFSET = counter("leader epoch"), counter("offset")
SIZE = threshold("size")

n, m, c, k = CONTROLLER.var("n"), CONTROLLER.var("m"), CONTROLLER.var("c"), CONTROLLER.var("k")
e, d = EPOCH.var("e"), EPOCH.var("d")
o, p, s, at = OFFSET.var("o"), OFFSET.var("p"), OFFSET.var("s"), OFFSET.var("at")
q = set_of(CONTROLLER).var("q")
own, seen = BOOL.var("own"), BOOL.var("seen")

# -- settings ----------------------------------------------------------------------------------------------------------
node_id = part_of(CONTROLLER, "node_id", NODE, "id", about="the node id of the replica key")
supports = per(CONTROLLER, "supports", BOOL, ANY, "fixed", "its software knows kraft.version 1")
auto_join = per(
    CONTROLLER,
    "auto_join",
    BOOL,
    ANY,
    "fixed",
    "controller.quorum.auto.join.enable, on a node with the controller role",
)
configured = cell(
    "configured", set_of(CONTROLLER), ANY, "fixed",
    "the voters before the log has any: controller.quorum.voters, or those in the bootstrap checkpoint",
)  # fmt: skip
formatted = cell("formatted", BOOL, ANY, "fixed", "the quorum was formatted with kraft.version 1")

# -- logs --------------------------------------------------------------------------------------------------------------
raft_epoch = cell("raft_epoch", EPOCH, 0, "ghost", "the newest leader epoch")
leader_of = per(EPOCH, "leader_of", maybe(CONTROLLER), NONE, about="the controller that was elected in the epoch")
log_end = per(EPOCH, "log_end", OFFSET, 0, about="the end of the log of the epoch's leader")
epoch_start = per(EPOCH, "epoch_start", OFFSET, 0, about="the end of that log when the epoch began")
wrote = per2(
    EPOCH, OFFSET, "wrote", EPOCH, 0, about="the epoch in which the record at an offset of that log was written"
)
changes = per2(EPOCH, OFFSET, "changes", BOOL, about="the record at an offset of that log is a KRaftVoters")
voters = per2(EPOCH, OFFSET, "voters", set_of(CONTROLLER), about="the voters after what ends at an offset of that log")
level = per2(EPOCH, OFFSET, "level", BOOL, about="kraft.version is 1 after what ends at an offset of that log")
high_watermark = per(
    EPOCH, "high_watermark", OFFSET, 0, about="the end of what its leader committed; 0 until a record of the epoch is"
)
told = per2(
    EPOCH,
    CONTROLLER,
    "told",
    BOOL,
    what="soft",
    about="an UpdateRaftVoter notified the leader that the voter knows kraft.version 1",
)
committed_by = cell("committed_by", set_of(CONTROLLER), what="ghost", about="the majority that committed last")

# -- controllers -------------------------------------------------------------------------------------------------------
epoch = per(
    CONTROLLER, "epoch", EPOCH, 0, about="the newest epoch that the controller knows, and in which it votes no more"
)
follows = per(CONTROLLER, "follows", EPOCH, 0, about="the epoch whose log it has the beginning of")
end = per(CONTROLLER, "end", OFFSET, 0, about="the end of its log")
leads = per(CONTROLLER, "leads", BOOL, what="soft", about="it leads in its epoch, and has not resigned")
joins = per(CONTROLLER, "joins", BOOL, what="message", about="an AddRaftVoter of its own is on its way")
replaces = per(
    CONTROLLER, "replaces", maybe(CONTROLLER), NONE, "message",
    "the voter, of its own node id, for which a RemoveRaftVoter of its own is on its way",
)  # fmt: skip
was_voter = cell(
    "was_voter", set_of(CONTROLLER), what="ghost", about="the controllers that were removed from the voters"
)


@definition
def voters_at(e: Term[int], s: Term[int]) -> Term[frozenset[Controller]]:
    """The voters of a log up to an offset, committed or not."""
    return when(s.is_(0), configured, voters[e, s])


@definition
def has_level(e: Term[int], s: Term[int]) -> Term[bool]:
    """A log up to an offset has kraft.version 1, with which voters can change."""
    return when(s.is_(0), formatted, level[e, s])


@definition
def majority_of(some: Term[frozenset[Controller]], all: Term[frozenset[Controller]]) -> Term[bool]:
    """Some of the voters are more than the others."""
    return ~at_least(all - some, size_of(some, SIZE))


@definition
def last_epoch(c: Term[Controller]) -> Term[int]:
    """The epoch of the last record that a controller has."""
    return when(end[c].is_(0), Lit(0, EPOCH), wrote[follows[c], end[c] - 1])


@definition
def holds(c: Term[Controller], e: Term[int], at: Term[int]) -> Term[bool]:
    """A controller has the log of an epoch up to an offset."""
    return follows[c].is_(e) & (end[c] >= at)


@definition
def has_log(d: Term[int], at: Term[int], e: Term[int], upto: Term[int]) -> Term[bool]:
    """The log of an epoch up to an end has all that another one has up to an offset."""
    return forall(o, (o < at).implies((o < upto) & wrote[e, o].is_(wrote[d, o])))
