"""Lemmas: what only induction needs. They hold between rows and claim nothing about Kafka that `properties` does not."""

from __future__ import annotations

from collections.abc import Iterable

from fencepost.model.language.vocabulary import *

from .calls import PARTITION_CALLS, REPLICA_CALLS
from .properties import newest
from .state import *

NONEXISTENT, OFFLINE = ReplicaState.NONEXISTENT, ReplicaState.OFFLINE
STARTED, SUCCESSFUL = ReplicaState.DELETION_STARTED, ReplicaState.DELETION_SUCCESSFUL

UNNEEDED = (Call.UNNEEDED_OFFLINE, Call.UNNEEDED_STARTED, Call.UNNEEDED_SUCCESSFUL, Call.UNNEEDED_GONE)
REMOVAL = (Call.REMOVE_OFFLINE, Call.REMOVE_STARTED, Call.REMOVE_SUCCESSFUL, Call.REMOVE_GONE)
STOPPING = (*UNNEEDED[1:], *REMOVAL[1:])
COMPLETED = (Call.LEAD, Call.MOVE_LEADER, *REMOVAL, Call.STORE)
REASSIGNING = (
    Call.ASSIGN, *UNNEEDED, Call.DECIDE, Call.BUMP, Call.ADD_NEW, Call.ADD_ONLINE, *COMPLETED, Call.FINISH,
)  # fmt: skip
ENDING = (Call.DELETE_REPLICAS_GONE, Call.DELETE_ZNODES)
DELETING = (
    Call.DELETE_OFFLINE, Call.DELETE_GONE, Call.DELETE_INELIGIBLE, Call.DELETE_REPLICAS, Call.DELETE_STARTED,
    Call.DELETE_ANSWERED, Call.DELETE_FAILED, *ENDING,
)  # fmt: skip
GOING_ONLINE = tuple(one for one, to in REPLICA_CALLS.items() if to is ReplicaState.ONLINE)


def at(c: Term[Controller], calls: Iterable[Call]) -> Term[bool]:
    """The event thread is at one of these calls."""
    return any_of(*(call[c].is_(one) for one in calls))


@definition
def reassigning(c: Term[Controller]) -> Term[bool]:
    """The event thread is at some phase of a reassignment."""
    return at(c, REASSIGNING)


@definition
def completed(c: Term[Controller]) -> Term[bool]:
    """The event thread is at a phase of a reassignment in which the removed replicas are cached no more."""
    return at(c, COMPLETED)


@definition
def removing_now(c: Term[Controller]) -> Term[bool]:
    """The event thread is at a phase of a reassignment in which replicas are stopped."""
    return at(c, (*UNNEEDED, *COMPLETED))


@definition
def ending(c: Term[Controller]) -> Term[bool]:
    """The event thread is at the end of a deletion: replicas and partitions are forgotten."""
    return at(c, ENDING)


@definition
def writes(c: Term[Controller]) -> Term[bool]:
    """Writes of the controller succeed."""
    return newest(c) & session[c]


def of_partitions(body: Term[bool]) -> Term[bool]:
    """For every controller and partition."""
    return forall(c, forall(p, body))


def of_replicas(body: Term[bool]) -> Term[bool]:
    """For every controller, partition and broker."""
    return forall(c, forall(p, forall(x, body)))


_state = replica_state[c, p, x]
_deleted = _state.is_(STARTED) | _state.is_(SUCCESSFUL)
_due = x.in_(due_replicas[c, p])
_cached = x.in_(assigned[c, p])

FENCING = (
    lemma(
        "ZL1",
        forall(c, own_epoch[c] <= controller_epoch),
        "For ZI1: no controller's epoch is ahead of /controller_epoch.",
    ),
    lemma(
        "ZL2",
        forall(c, forall(d, (acting[c] & acting[d] & own_epoch[c].is_(own_epoch[d])).implies(c.is_(d)))),
        "For ZI1: no two controllers act in one epoch.",
    ),
    lemma(
        "ZL3",
        of_partitions(
            acting[c]
            | (
                call[c].is_(Call.IDLE)
                & ~knows[c, p]
                & ~about[c, p]
                & ~due[c, p]
                & ~deleting[c, topic[p]]
                & partition_state[c, p].is_(PartitionState.NONEXISTENT)
            )
        ),
        "For ZI8, ZI15: a controller that does not act has no partitions cached.",
    ),
    lemma(
        "ZL4",
        of_replicas(
            acting[c]
            | ~(_cached | x.in_(cached_adding[c, p]) | x.in_(cached_removing[c, p]) | _due | _state.isnt(NONEXISTENT))
        ),
        "For ZI8, ZI9: nor of replicas.",
    ),
    lemma("ZL5", forall(p, written_in[p] <= controller_epoch), "For ZI2: no state is written in an epoch to come."),
)

CACHES = (
    lemma(
        "ZL6",
        forall(p, stated[p].implies(exists_[p]) & ~(exists_[p] & gone[p])),
        "For ZI2: only what exists has a state, and what was deleted never comes back.",
    ),
    lemma(
        "ZL7",
        forall(p, stated[p] | gone[p] | (version[p].is_(-1) & leader_epoch[p].is_(-1) & absent(leader[p]))),
        "For ZI3n: what was never stated has no leader epoch yet.",
    ),
    lemma(
        "ZL8",
        of_partitions(newest(c).implies(knows[c, p].is_(stated[p]))),
        "For ZI2, ZI15: the newest controller knows which partitions have a state,",
    ),
    lemma(
        "ZL9",
        of_partitions(
            (newest(c) & knows[c, p]).implies(
                cached_leader[c, p].is_(leader[p])
                & cached_leader_epoch[c, p].is_(leader_epoch[p])
                & cached_version[c, p].is_(version[p])
            )
        ),
        "For ZI3, ZI9: and what is in it,",
    ),
    lemma(
        "ZL10",
        of_replicas((newest(c) & knows[c, p]).implies(x.in_(cached_isr[c, p]).is_(x.in_(isr[p])))),
        "For ZI2: and its ISR,",
    ),
    lemma(
        "ZL11",
        of_replicas(
            (writes(c) & ~(about[c, p] & (completed(c) | ending(c)))).implies(
                x.in_(cached_adding[c, p]).is_(x.in_(adding[p])) & x.in_(cached_removing[c, p]).is_(x.in_(removing[p]))
            )
        ),
        "For ZI6: and who is added and removed.",
    ),
    lemma(
        "ZL12",
        of_replicas((writes(c) & _cached).implies(exists_[p] & x.in_(replicas[p]))),
        "For ZI2r, ZI6: whom it has cached as replicas is listed,",
    ),
    lemma(
        "ZL13",
        of_replicas(
            forall(
                y,
                (writes(c) & x.in_(replicas[p]) & (y.in_(assigned[c, p]) | stated[p])).implies(
                    _cached | (about[c, p] & (ending(c) | (completed(c) & x.in_(removing[p]))))
                ),
            )
        ),
        "For ZI6, ZI15: and no listed replica is missing, but one that is just removed or deleted.",
    ),
    lemma(
        "ZL14",
        of_replicas((writes(c) & completed(c) & about[c, p] & x.in_(removing[p])).implies(x.in_(subjects[c]))),
        "For ZI6: at the end of a reassignment those who are removed are stopped.",
    ),
    lemma(
        "ZL15",
        of_replicas((writes(c) & at(c, GOING_ONLINE) & _due).implies(_cached)),
        "For ZI6: no replica is added to the cached ones by going Online.",
    ),
    lemma(
        "ZL16",
        of_partitions(knows[c, p] | (absent(cached_leader[c, p]) & cached_leader_epoch[c, p].is_(-1))),
        "For ZI9c, ZI11: a controller that has no state cached has no leader cached.",
    ),
)

CALLS = (
    lemma(
        "ZL17",
        of_partitions(due[c, p].implies(at(c, PARTITION_CALLS)) & about[c, p].implies(~call[c].is_(Call.IDLE))),
        "For ZI8, ZI15: partitions are due only while the call is about partitions.",
    ),
    lemma(
        "ZL18",
        of_replicas(_due.implies(at(c, REPLICA_CALLS))),
        "For ZI9: replicas are due only while the call is about replicas.",
    ),
    lemma(
        "ZL19",
        of_partitions(forall(q, (reassigning(c) & about[c, p] & about[c, q]).implies(p.is_(q)))),
        "For ZI6, ZI9: one partition is reassigned at a time,",
    ),
    lemma(
        "ZL20",
        of_replicas((reassigning(c) & (_due | due[c, p])).implies(about[c, p])),
        "For ZI9: and nothing else is due,",
    ),
    lemma(
        "ZL45",
        of_replicas((removing_now(c) & _due).implies(x.in_(subjects[c]))),
        "For ZI9: least of all other replicas.",
    ),
    lemma(
        "ZL37",
        of_partitions((writes(c) & reassigning(c) & about[c, p]).implies(~empty(assigned[c, p]))),
        "For ZI6: what is reassigned has replicas,",
    ),
    lemma(
        "ZL38",
        of_partitions((writes(c) & call[c].is_(Call.ASSIGN) & about[c, p]).implies(~empty(aim[c]))),
        "For ZI6: and will have some.",
    ),
    lemma(
        "ZL47",
        of_partitions((writes(c) & stated[p] & ~(ending(c) & about[c, p])).implies(~empty(assigned[c, p]))),
        "For ZI15: what has a state has replicas cached.",
    ),
    lemma(
        "ZL39",
        of_replicas(
            (writes(c) & _cached & ~(ending(c) & about[c, p])).implies(
                exists(y, y.in_(assigned[c, p]) & ~y.in_(cached_removing[c, p]))
            )
        ),
        "For ZI6, ZI15: not every cached replica is to be removed.",
    ),
    lemma(
        "ZL40",
        forall(p, exists_[p].implies(exists(x, x.in_(replicas[p]) & ~x.in_(adding[p])))),
        "For ZI6: a replica is left when a reassignment is cancelled.",
    ),
    lemma(
        "ZL41",
        of_replicas((completed(c) & about[c, p]).implies(~(x.in_(cached_adding[c, p]) | x.in_(cached_removing[c, p])))),
        "For ZI6: a completed reassignment is none any more, as cached.",
    ),
    lemma(
        "ZL21",
        of_replicas((removing_now(c) & about[c, p] & (x.in_(subjects[c]) | _due)).implies(~_cached)),
        "For ZI9: who is stopped is cached no more.",
    ),
    lemma(
        "ZL22",
        of_replicas(
            forall(
                y,
                (
                    writes(c)
                    & call[c].is_(Call.ADD_ONLINE)
                    & about[c, p]
                    & _cached
                    & ~x.in_(cached_removing[c, p])
                    & y.in_(cached_removing[c, p])
                ).implies(x.in_(isr[p])),
            )
        ),
        "For ZI9c: no replica is removed before the target is in sync.",
    ),
    lemma(
        "ZL23",
        of_partitions((at(c, DELETING) & about[c, p]).implies(deleting[c, topic[p]])),
        "For ZI9: a deletion is about topics that are queued,",
    ),
    lemma(
        "ZL43",
        of_replicas((at(c, DELETING) & (due[c, p] | _due)).implies(about[c, p])),
        "For ZI9: and about nothing else.",
    ),
    lemma(
        "ZL24",
        of_partitions(forall(q, (ending(c) & about[c, p]).implies(about[c, q].is_(topic[q].is_(topic[p]))))),
        "For ZI15: and at its end about all of a topic.",
    ),
)

_subject = about[c, p] & x.in_(subjects[c])
_gone = _state.is_(NONEXISTENT)
_unheard = partition_state[c, p].is_(PartitionState.NONEXISTENT)
PROGRESS = (
    lemma(
        "ZL25",
        of_replicas(
            (writes(c) & _subject).implies(
                call[c].is_(Call.REMOVE_OFFLINE).implies(_due | _state.is_(OFFLINE) | _deleted | _gone)
                & call[c].is_(Call.REMOVE_STARTED).implies((_due & _state.is_(OFFLINE)) | _deleted | _gone)
                & call[c].is_(Call.REMOVE_SUCCESSFUL).implies((_due & _deleted) | _state.is_(SUCCESSFUL) | _gone)
                & call[c].is_(Call.REMOVE_GONE).implies((_due & _state.is_(SUCCESSFUL)) | _gone)
                & call[c].is_(Call.STORE).implies(_gone)
            )
        ),
        "For ZI6s: a removed replica goes Offline, is sent a deletion, and is dropped from the cache.",
    ),
    lemma(
        "ZL26",
        of_replicas(
            (_subject & _deleted).implies(
                at(c, (Call.UNNEEDED_SUCCESSFUL, Call.REMOVE_SUCCESSFUL)).implies(_due | _state.is_(SUCCESSFUL))
                & at(c, (Call.UNNEEDED_GONE, Call.REMOVE_GONE)).implies(_due & _state.is_(SUCCESSFUL))
                & ~call[c].is_(Call.STORE)
            )
        ),
        "For ZI15: no replica that is stopped by a reassignment stays half deleted.",
    ),
    lemma(
        "ZL27",
        of_replicas((writes(c) & _deleted).implies((deleting[c, topic[p]] & _unheard) | (_subject & at(c, STOPPING)))),
        "For ZI15: replicas are deleted after their partition is forgotten, or by a reassignment.",
    ),
    lemma(
        "ZL28",
        of_replicas((writes(c) & _deleted).implies(_cached | (_subject & removing_now(c)))),
        "For ZI15: replicas that are deleted are cached until they are forgotten.",
    ),
    lemma(
        "ZL29",
        of_partitions((writes(c) & call[c].is_(Call.CREATE_PARTITIONS) & due[c, p]).implies(~knows[c, p])),
        "For ZI15: what is created has no leader yet,",
    ),
    lemma(
        "ZL46",
        of_replicas((writes(c) & call[c].is_(Call.CREATE_PARTITIONS) & due[c, p]).implies(~_deleted)),
        "For ZI15: is not deleted,",
    ),
    lemma(
        "ZL30",
        of_partitions((writes(c) & call[c].is_(Call.CREATE_PARTITIONS) & due[c, p]).implies(~empty(assigned[c, p]))),
        "For ZI15: and has replicas.",
    ),
    lemma(
        "ZL31",
        of_partitions(
            about[c, p].implies(
                call[c]
                .is_(Call.DELETE_OFFLINE)
                .implies(due[c, p] | partition_state[c, p].is_(PartitionState.OFFLINE) | _unheard)
                & call[c]
                .is_(Call.DELETE_GONE)
                .implies((due[c, p] & partition_state[c, p].is_(PartitionState.OFFLINE)) | _unheard)
                & at(c, (Call.DELETE_INELIGIBLE, Call.DELETE_REPLICAS, Call.DELETE_STARTED)).implies(_unheard)
            )
        ),
        "For ZI15: the partitions of a topic are forgotten before its replicas are deleted.",
    ),
    lemma(
        "ZL44",
        of_replicas((call[c].is_(Call.DELETE_STARTED) & _due).implies(_cached)),
        "For ZI15: only cached replicas are deleted.",
    ),
    lemma(
        "ZL32",
        of_partitions((writes(c) & ending(c) & about[c, p]).implies(partition_state[c, p].isnt(PartitionState.NEW))),
        "For ZI15: nothing that is New is at the end of its deletion.",
    ),
    lemma(
        "ZL33",
        of_replicas(
            (ending(c) & about[c, p] & _cached).implies(
                call[c].is_(Call.DELETE_REPLICAS_GONE) & _due & _state.is_(SUCCESSFUL)
            )
        ),
        "For ZI15: at the end of a deletion every replica is forgotten,",
    ),
    lemma(
        "ZL42",
        of_replicas((writes(c) & ending(c) & about[c, p] & _deleted).implies(_cached)),
        "For ZI15: and none stays half deleted.",
    ),
)

LEADERS = (
    lemma(
        "ZL34",
        forall(p, stated[p].implies(leader_in[p, leader_epoch[p]].is_(leader[p]))),
        "For ZI11: who leads was chosen in the leader epoch.",
    ),
    lemma(
        "ZL35",
        of_partitions(
            knows[c, p].implies(
                leader_in[p, cached_leader_epoch[c, p]].is_(cached_leader[c, p])
                & (cached_leader_epoch[c, p] <= leader_epoch[p])
            )
        ),
        "For ZI11: every controller, fenced or not, has cached who was chosen in an epoch.",
    ),
    lemma(
        "ZL36",
        forall(
            p,
            forall(
                x, (applied[x, p] <= leader_epoch[p]) & leads[x, p].implies(leader_in[p, applied[x, p]].is_(some(x)))
            ),
        ),
        "For ZI11: a broker that acts as leader was elected in the epoch that it has applied.",
    ),
)

LEMMAS: tuple[Always, ...] = (*FENCING, *CACHES, *CALLS, *PROGRESS, *LEADERS)
