"""Properties of the ZooKeeper era's operations: the order of their calls, the subject of each, and their result."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

from fencepost.model.language.vocabulary import *

from .lemmas import at, writes
from .operations import fresh, leaderless
from .properties import newest
from .state import *
from .znodes import fenced, online

C = Call

OPERATIONS: tuple[tuple[Call, ...], ...] = (
    (C.CREATE_PARTITIONS, C.CREATE_REPLICAS, C.CREATE_LEADERS, C.CREATE_ONLINE),
    (C.FAIL_OFFLINE, C.FAIL_ELECT, C.FAIL_REPLICAS, C.FAIL_DELETION),
    (C.START_REPLICAS, C.START_ELECT),
    (C.LISTED,),
    (C.OVER_ONLINE, C.OVER_OFFLINE, C.OVER_ELECT),
    (C.ELECT,),
    (C.ELECT_UNCLEAN,),
    (C.SHUTDOWN_LEADERS, C.SHUTDOWN_FOLLOWERS),
    (C.DELETE_RETRY,),
    (C.DELETE_OFFLINE, C.DELETE_GONE, C.DELETE_INELIGIBLE, C.DELETE_REPLICAS, C.DELETE_STARTED),
    (C.DELETE_ANSWERED,),
    (C.DELETE_FAILED,),
    (C.DELETE_REPLICAS_GONE, C.DELETE_ZNODES),
)
"""The calls of each operation, in the page's order (S4:57-124)."""

_removal = (C.REMOVE_OFFLINE, C.REMOVE_STARTED, C.REMOVE_SUCCESSFUL, C.REMOVE_GONE, C.STORE, C.FINISH)
REASSIGNMENT: tuple[tuple[Call, ...], ...] = (
    (C.ASSIGN, C.DECIDE),
    (C.ASSIGN, C.UNNEEDED_OFFLINE, C.UNNEEDED_STARTED, C.UNNEEDED_SUCCESSFUL, C.UNNEEDED_GONE, C.DECIDE),
    (C.DECIDE, C.BUMP, C.ADD_NEW),
    (C.DECIDE, C.ADD_ONLINE, C.LEAD, *_removal),
    (C.LEAD, C.MOVE_LEADER, *_removal),
)
"""The ways of a reassignment through KIP-455's phases: it goes to DECIDE, and from there to ADD_NEW or to FINISH."""

TWELVE_STEPS: tuple[tuple[Call, ...], ...] = (
    (C.BUMP, C.ADD_NEW),
    (C.ADD_ONLINE, C.LEAD, *_removal, C.INFORM),
    (C.LEAD, C.MOVE_LEADER, *_removal, C.INFORM),
)
"""The ways through the page's twelve steps."""

_new = next_(call[c])


def in_order(*operations: tuple[Call, ...]) -> Step:
    """Return the claim that calls come in the order of these operations."""
    inside = {one for calls in operations for one in calls[1:]}
    begun = tuple(dict.fromkeys(calls[0] for calls in operations))
    first = (*(one for one in begun if one not in inside), *((C.DECIDE,) if C.DECIDE in inside else ()))
    last = tuple(dict.fromkeys(calls[-1] for calls in operations if calls[-1] not in begun or len(calls) == 1))
    pairs = dict.fromkeys(pair for calls in operations for pair in pairwise(calls))
    return result_step(
        "ZI26",
        forall(
            c,
            (acting[c] & next_(acting[c]) & _new.isnt(call[c])).implies(
                (call[c].is_(C.IDLE) & any_of(*(_new.is_(one) for one in first)))
                | any_of(*(call[c].is_(old) & _new.is_(new) for old, new in pairs))
                | (_new.is_(C.IDLE) & (at(c, last) | fenced(c) | exists(p, about[c, p] & ~stated[p])))
            ),
        ),
        "The calls of an operation come in the page's order, each once, to the last one or until a write fails.",
        "S4:57-124",
    )


def begins(c: Term[Controller], *calls: Call) -> Term[bool]:
    """One of these calls begins."""
    return next_(acting[c]) & next_(call[c]).isnt(call[c]) & any_of(*(next_(call[c]).is_(one) for one in calls))


def about_partitions(id: str, calls: Iterable[Call], which: Term[bool], about: str, source: str) -> Step:
    """Return the claim that a call begins with these partitions before it."""
    return result_step(id, forall(c, forall(p, begins(c, *calls).implies(next_(due[c, p]).is_(which)))), about, source)


def about_replicas(id: str, calls: Iterable[Call], which: Term[bool], about: str, source: str) -> Step:
    """Return the claim that a call begins with these replicas before it."""
    due_then = x.in_(next_(due_replicas[c, p]))
    return result_step(
        id, forall(c, forall(p, forall(x, begins(c, *calls).implies(due_then.is_(which))))), about, source
    )


_cached = x.in_(assigned[c, p])
_its = x.in_(next_(subjects[c]))
_there = partition_state[c, p].isnt(PartitionState.NONEXISTENT)
_others = exists(y, y.in_(assigned[c, p]) & y.isnt(x))
_deletable = about[c, p] & _cached & x.in_(online(c, p)) & replica_state[c, p, x].isnt(ReplicaState.DELETION_SUCCESSFUL)
SUBJECTS: tuple[Step, ...] = (
    about_partitions("ZI27a", (C.CREATE_PARTITIONS,), fresh(c, p), "New partitions are created.", "S4:65"),
    about_partitions("ZI27b", (C.CREATE_LEADERS,), about[c, p], "All of them get leaders.", "S4:67"),
    about_replicas(
        "ZI27c", (C.CREATE_REPLICAS, C.CREATE_ONLINE), about[c, p] & _cached, "All their replicas go New, then Online.",
        "S4:66,68",
    ),
    about_partitions(
        "ZI27d", (C.FAIL_OFFLINE,),
        knows[c, p] & ~deleting[c, topic[p]] & ~cached_leader[c, p].in_(next_(online(c, p))),
        "Partitions whose leader is lost go Offline.", "S4:72",
    ),
    about_partitions(
        "ZI27e", (C.FAIL_ELECT, C.START_ELECT, C.OVER_ELECT), leaderless(c, p),
        "Partitions that are New or Offline are to get a leader when brokers come and go, and after a failover.",
        "S4:73,80,113",
    ),
    about_replicas(
        "ZI27g", (C.START_REPLICAS,), _cached & _its,
        "Replicas on brokers that started go Online.", "S4:79",
    ),
    about_replicas(
        "ZI27h", (C.OVER_ONLINE,), next_(x.in_(assigned[c, p])) & alive[x],
        "After a failover replicas on live brokers go Online,", "S4:110",
    ),
    about_replicas(
        "ZI27i", (C.OVER_OFFLINE,), _cached & ~x.in_(live[c]), "and the others Offline.", "KAFKA-3143",
    ),
    about_replicas(
        "ZI27k", (C.SHUTDOWN_FOLLOWERS,), about[c, p] & _cached & x.in_(subjects[c]),
        "Replicas on the broker that follow go Offline.", "S4:123-124",
    ),
    about_replicas(
        "ZI27l", (C.ADD_NEW, C.ADD_ONLINE), about[c, p] & x.in_(cached_adding[c, p]),
        "A reassignment sends who is added New, and Online once the target is in sync.", "S4:87,89",
    ),
    about_replicas(
        "ZI27m", (C.UNNEEDED_OFFLINE, C.UNNEEDED_STARTED, C.UNNEEDED_SUCCESSFUL, C.UNNEEDED_GONE, *_removal[:4]),
        about[c, p] & _its, "A reassignment stops who is removed, step by step.", "S4:92-93",
    ),
    about_partitions(
        "ZI27n", (C.DELETE_GONE,), about[c, p] & _there, "Partitions of a topic that is deleted are forgotten first.",
        "TopicDeletionManager",
    ),
    about_replicas(
        "ZI27o", (C.DELETE_INELIGIBLE,), about[c, p] & _cached & ~x.in_(online(c, p)),
        "A replica that cannot be reached is not deleted for now.", "TopicDeletionManager",
    ),
    about_replicas(
        "ZI27p", (C.DELETE_REPLICAS, C.DELETE_STARTED), _deletable,
        "Every other replica is stopped, then deleted, unless it has been.", "TopicDeletionManager",
    ),
    about_replicas(
        "ZI27q", (C.DELETE_RETRY,),
        next_(x.in_(due_replicas[c, p])) & _cached & replica_state[c, p, x].is_(ReplicaState.DELETION_INELIGIBLE),
        "Only replicas whose deletion failed are tried again.", "TopicDeletionManager",
    ),
)  # fmt: skip
"""The exact subject of each call."""

_failed = _cached & x.in_(subjects[c])
ACHIEVED: tuple[Property, ...] = (
    result_step(
        "ZI27f",
        forall(
            c,
            forall(
                p,
                forall(
                    x,
                    (begins(c, C.FAIL_REPLICAS) & about[c, p] & ~deleting[c, topic[p]] & _failed).implies(
                        x.in_(next_(due_replicas[c, p]))
                    )
                    & (begins(c, C.FAIL_DELETION) & about[c, p] & deleting[c, topic[p]] & _failed).implies(
                        x.in_(next_(due_replicas[c, p]))
                    ),
                ),
            ),
        ),
        "Replicas on brokers that failed go Offline, or are not deleted for now where their topic is to be.",
        "S4:74",
    ),
    result_step(
        "ZI28b",
        forall(
            c,
            forall(
                x,
                (acting[c] & next_(acting[c]) & x.in_(live[c]) & ~x.in_(next_(live[c]))).implies(
                    next_(call[c]).is_(C.FAIL_OFFLINE) & x.in_(next_(subjects[c])) & ~x.in_(next_(shutting_down[c]))
                ),
            ),
        ),
        "A broker that is no longer live is failed.",
        "S4:71-74",
    ),
    result_step(
        "ZI28c",
        forall(
            c,
            forall(
                x,
                (acting[c] & next_(acting[c]) & ~x.in_(live[c]) & x.in_(next_(live[c]))).implies(
                    next_(call[c]).is_(C.START_REPLICAS) & x.in_(next_(subjects[c]))
                ),
            ),
        ),
        "A broker that appears is started up.",
        "S4:77-81",
    ),
    result_step(
        "ZI28r",
        forall(
            c,
            forall(
                x,
                (next_(acting[c]) & x.in_(returning[c]) & ~x.in_(next_(returning[c]))).implies(
                    x.in_(next_(live[c])) & x.in_(next_(subjects[c]))
                ),
            ),
        ),
        "A broker that bounced is failed, and then started up.",
        "KIP-380",
    ),
    always(
        "ZI28s",
        forall(
            c,
            forall(
                p,
                forall(
                    x,
                    forall(
                        y,
                        (
                            writes(c)
                            & (call[c].is_(C.SHUTDOWN_FOLLOWERS) | (call[c].is_(C.SHUTDOWN_LEADERS) & ~due[c, p]))
                            & x.in_(subjects[c])
                            & knows[c, p]
                            & ~deleting[c, topic[p]]
                            & cached_leader[c, p].is_(x)
                            & y.in_(assigned[c, p])
                        ).implies(~y.in_(isr[p] & online(c, p))),
                    ),
                ),
            ),
        ),
        "A broker that has been shut down leads only where no other in-sync replica is online.",
        "S4:122",
    ),
    always(
        "ZI28f",
        forall(
            c,
            forall(
                p,
                forall(
                    x,
                    forall(
                        y,
                        (
                            writes(c)
                            & call[c].is_(C.SHUTDOWN_FOLLOWERS)
                            & about[c, p]
                            & x.in_(subjects[c])
                            & x.in_(assigned[c, p])
                            & ~x.in_(due_replicas[c, p])
                            & ~deleting[c, topic[p]]
                            & replica_state[c, p, x].isnt(ReplicaState.NONEXISTENT)
                            & stated[p]
                            & x.in_(isr[p])
                            & y.in_(isr[p])
                        ).implies(x.is_(y)),
                    ),
                ),
            ),
        ),
        "Where it followed it is in no ISR that has other members.",
        "S4:124",
    ),
)

SHUTDOWN: tuple[Always, ...] = (
    lemma(
        "ZL49",
        forall(c, forall(p, (newest(c) & knows[c, p] & ~deleting[c, topic[p]]).implies(_there))),
        "For ZI28s: what has a state, and is not to be deleted, is not NonExistent.",
    ),
    lemma(
        "ZL48",
        forall(
            c,
            forall(
                x,
                (at(c, (C.SHUTDOWN_LEADERS, C.SHUTDOWN_FOLLOWERS)) & x.in_(subjects[c])).implies(
                    x.in_(shutting_down[c])
                ),
            ),
        ),
        "For ZI28s: who is shut down is known to shut down.",
    ),
)

PHASES: tuple[Property, ...] = (in_order(*OPERATIONS, *REASSIGNMENT), *SUBJECTS, *ACHIEVED, *SHUTDOWN)
