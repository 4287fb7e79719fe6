"""Properties of the ZooKeeper era about how operations begin: what a controller reads, and the subject of each request."""

from __future__ import annotations

from fencepost.model.language.vocabulary import *

from .operations import reporters, those_asked
from .state import *
from .znodes import online

_led = knows[c, q] & ~deleting[c, topic[q]]
_replicated = exists(x, x.in_(assigned[c, q]) & x.isnt(b))
_ONLINE, _OFFLINE, _NEW = (literal(one) for one in (PartitionState.ONLINE, PartitionState.OFFLINE, PartitionState.NEW))

BEGINNINGS: tuple[Property, ...] = (
    result_step(
        "ZI30",
        forall(x, x.in_(next_(live[c])).is_(alive[x])),
        "A controller begins with the brokers that are registered.",
        "S4:107",
        rows=("ZC0",),
    ),
    result_step(
        "ZI30n",
        forall(x, x.in_(next_(live[c])).is_(x.in_(live[c]) | alive[x])),
        "A broker that registered is live from now on.",
        "S4:77",
        rows=("ZC4n",),
    ),
    result_step(
        "ZI30a",
        forall(
            q,
            (~empty(next_(assigned[c, q])) & next_(assigned[c, q]).isnt(assigned[c, q])).implies(
                next_(assigned[c, q]).is_(replicas[q])
            ),
        ),
        "The replicas of a partition are those that ZooKeeper lists.",
        "S4:19",
        rows=("ZC0", "ZC1a"),
    ),
    result_step(
        "ZI30r",
        forall(
            q,
            forall(
                x,
                (exists_[q] & x.in_(replicas[q])).implies(
                    next_(replica_state[c, q, x]).is_(
                        when(alive[x], literal(ReplicaState.ONLINE), literal(ReplicaState.DELETION_INELIGIBLE))
                    )
                ),
            ),
        ),
        "After a failover each replica begins as Online, or as not to be deleted where its broker is down.",
        "S4:109",
        rows=("ZC0",),
    ),
    result_step(
        "ZI30p",
        forall(
            q,
            exists_[q].implies(
                next_(partition_state[c, q]).is_(
                    when(~stated[q], _NEW, when(exists(x, leader[q].is_(x) & alive[x]), _ONLINE, _OFFLINE))
                )
            ),
        ),
        "After a failover each partition begins as New, as Online with a live leader, or as Offline.",
        "S4:112",
        rows=("ZC0",),
    ),
    result_step(
        "ZI30l",
        forall(q, forall(x, x.in_(next_(due_replicas[c, q])).is_(x.in_(assigned[c, q]) & x.in_(reporters)))),
        "Every replica of a broker that lost a directory is asked.",
        "KIP-112",
        rows=("ZC2l",),
    ),
    result_step(
        "ZI31",
        forall(x, x.in_(next_(assigned[c, p])).is_(x.in_(assigned[c, p]) | x.is_(r))),
        "A replica that goes from New to Online is among the assigned ones afterwards.",
        "S4:48",
        rows=("ZR2",),
    ),
    result_step(
        "ZI31f",
        forall(x, x.in_(next_(assigned[c, p])).is_(x.in_(assigned[c, p]) & x.isnt(r)))
        & ~r.in_(next_(cached_adding[c, p]))
        & ~r.in_(next_(cached_removing[c, p])),
        "A replica that is NonExistent is forgotten, and no other.",
        "S4:41",
        rows=("ZR8",),
    ),
    result_step(
        "ZI31r",
        forall(
            x,
            x.in_(next_(assigned[c, p])).is_(x.in_(assigned[c, p]) & ~x.in_(cached_removing[c, p]))
            & x.in_(next_(subjects[c])).is_(x.in_(cached_removing[c, p])),
        ),
        "Once the target is in sync the assigned replicas are the target, and the others are those to be stopped.",
        "S4:90",
        rows=("ZC5B2",),
    ),
    result_step(
        "ZI31m",
        next_(due[c, p]) & ~(cached_leader[c, p].in_(assigned[c, p]) & cached_leader[c, p].in_(online(c, p))),
        "Another leader is sought where the leader is not in the target, or not online.",
        "S4:91",
        rows=("ZC5B3",),
    ),
    result_step(
        "ZI32",
        forall(q, next_(due[c, q]).is_(q.in_(those_asked) & _led & ~cached_leader[c, q].is_(head(assigned[c, q])))),
        "A preferred election is about the partitions asked for that the first replica does not lead.",
        "S4:119",
        rows=("ZC7a",),
    ),
    result_step(
        "ZI32u",
        forall(q, next_(due[c, q]).is_(q.in_(those_asked) & _led & ~cached_leader[c, q].in_(live[c] - shutting_down[c]))),
        "An unclean election is about the partitions asked for that have no live leader.",
        "KIP-460",
        rows=("ZC7u",),
    ),
    result_step(
        "ZI32s",
        forall(
            q,
            next_(due[c, q]).is_(_led & _replicated & cached_leader[c, q].is_(b))
            & next_(about[c, q]).is_(_led & _replicated & b.in_(assigned[c, q]) & ~cached_leader[c, q].is_(b)),
        )
        & forall(x, x.in_(next_(subjects[c])).is_(x.is_(b))),
        "A controlled shutdown is about all that the broker leads or follows, and that has another replica.",
        "S4:122-124",
        rows=("ZC8a",),
    ),
    result_step(
        "ZI32r",
        forall(
            q,
            forall(
                x,
                ((x.in_(cached_adding[c, q]) | x.in_(assigned[c, q])) & x.in_(subjects[c])).implies(
                    ~next_(resumed[c, q])
                ),
            ),
        ),
        "Reassignments that have a replica on brokers that started are taken up again.",
        "S4:81",
        rows=("ZC3c",),
    ),
    result_step(
        "ZI32d",
        forall(q, next_(due[c, q]).is_(next_(about[c, q]) & partition_state[c, q].isnt(PartitionState.NONEXISTENT)))
        & forall(q, next_(about[c, q]).implies(deleting[c, topic[q]] & ~ineligible[c, topic[q]])),
        "A deletion begins with all partitions of topics that are queued and not held back.",
        "TopicDeletionManager",
        rows=("ZC9b",),
    ),
    result_step(
        "ZI32z",
        deleting[c, t]
        & forall(
            q,
            forall(
                x,
                x.in_(next_(due_replicas[c, q])).is_(topic[q].is_(t) & x.in_(assigned[c, q]))
                & (topic[q].is_(t) & x.in_(assigned[c, q])).implies(
                    replica_state[c, q, x].is_(ReplicaState.DELETION_SUCCESSFUL)
                ),
            ),
        ),
        "A deletion ends once all replicas of the topic are deleted, with all of them.",
        "TopicDeletionManager",
        rows=("ZC9z",),
    ),
    result_step(
        "ZI26n",
        next_(call[c]).isnt(call[c]),
        "Once a call has come to all that it is about, the next begins.",
        "S4:57-124",
        rows=(
            "ZC1b", "ZC1c", "ZC1d", "ZC1e", "ZC2b", "ZC2c", "ZC2d", "ZC2e", "ZC2m", "ZC3b", "ZC3c", "ZC6b", "ZC6c", "ZC6d",
            "ZC7b", "ZC8b", "ZC8c", "ZC5k", "ZC5s", "ZC5U", "ZC5U3a", "ZC5U3b", "ZC5U3c", "ZC5U3d", "ZC5A", "ZC5A1s", "ZC5A1",
            "ZC5A2", "ZC5B", "ZC5B2", "ZC5B3", "ZC5B3s", "ZC5B3k", "ZC5B4", "ZC5B5a", "ZC5B5b", "ZC5B5c", "ZC5B5d", "ZC5B6s",
            "ZC5B6", "ZC5B8", "ZC9p", "ZC9c", "ZC9d", "ZC9e", "ZC9f", "ZC9g", "ZC9k", "ZC9l", "ZC9s", "ZC9",
        ),
    ),
    result_step(
        "ZI26o",
        next_(call[c]).is_(Call.OVER_ONLINE),
        "A failover begins with the replicas.",
        "S4:108",
        rows=("ZC0",),
    ),
    result_step(
        "ZI26b",
        next_(call[c]).isnt(Call.IDLE),
        "What is asked for, and what is noticed, is begun.",
        "S4:57-124",
        rows=(
            "ZC1a", "ZC4n", "ZC4b", "ZC4d", "ZC2r", "ZC2l", "ZC2o", "ZC0", "ZC7a", "ZC7u", "ZC8a", "ZC5", "ZC5z", "ZC5c", "ZC5r",
            "ZC9z", "ZC9q", "ZC9b", "ZC9i", "ZC9j",
        ),
    ),
)  # fmt: skip
"""The exact subjects with which operations begin."""
