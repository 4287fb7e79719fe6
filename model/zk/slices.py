"""The slices of the ZooKeeper-era controller that are explored: some tables each, at bounds that show what those tables do."""

from __future__ import annotations

from fencepost.model.language.vocabulary import *

from .alter import ALTER_PARTITION
from .bounds import GROWTH, NEVER, Given, broker, created, list_of_brokers, registered, slice_of, the, told_bound, turns
from .deletion import DELETION
from .liveness import DELETING, REASSIGNING, RUNNING
from .not_for import NOT_FOR
from .operations import BROKER_CHANGES, CREATION, ELECTIONS, FAILOVER, LOG_DIRECTORIES, hit, target, those_asked
from .partitions import PARTITIONS
from .reassignment import REASSIGNMENT
from .replicas import REPLICAS
from .requests import REQUESTS
from .sessions import BROKERS_TABLE, SESSIONS, czxid
from .state import *

_MACHINES = (
    PARTITIONS.name,
    REPLICAS.name,
    SESSIONS.name,
    BROKERS_TABLE.name,
    CREATION.name,
    BROKER_CHANGES.name,
    FAILOVER.name,
)
_TAKES_BACK: Given = {"AlterPartition": GROWTH}
_INTACT: Given = {"LogDirEvent": NEVER, "ReplicasOffline": NEVER}
_FAILS: Given = {
    "LogDirEvent": leader_epoch[the(0, PARTITION)].is_(0) & exists(q, ~empty(assigned[c, q])),
    "ReplicasOffline": exists(q, q.in_(hit) & ~b.in_(lost[c, q])),
}
_TAKEN: Given = {"LeaderAndIsrFails": NEVER, "LeaderAndIsrOffline": NEVER, "StopReplicaOffline": NEVER}
"""Brokers can do what is asked, but for deleting what is in a lost directory."""
_AGAIN: Given = {"RegisterAgain": czxid.is_(broker_epoch[b] + 1) & (broker_epoch[b] > 0)}
_DEPOSED: Given = {"Crash": controller_epoch < 2, "DeleteController": controller_epoch < 2}
"""The first controller may crash, and be deposed by an operator."""

_held = exists(q, topic[q].is_(t) & ~(members(assigned[c, q]) <= live[c]))
_anything_held = exists(q, ~(members(assigned[c, q]) <= live[c]))
_early = forall(q, stated[q].implies(leader_epoch[q] < 3)) & exists(q, stated[q])
_HELD: Given = {
    "HoldDeletion": _held,
    "ReleaseDeletion": ~_held,
    "ResumeDeletion": _anything_held.implies(
        exists(q, ~empty(assigned[c, q]) & partition_state[c, q].isnt(PartitionState.NONEXISTENT))
    ),
    "RetryDeletion": ~_held,
    "ReplicaDeleted": alive[b] & replica_state[c, p, b].is_(ReplicaState.DELETION_STARTED),
    "ReplicaNotDeleted": _early & ~alive[b] & replica_state[c, p, b].is_(ReplicaState.DELETION_STARTED),
}
"""Deletion waits for brokers that are away; it is begun once without them, and fails only so often on those that are gone."""


def _moved(
    to: tuple[Term[tuple[Broker, ...]], ...], until: int = 0, cancelled: int = -2, by_znode: bool = False
) -> Given:
    """Return the assumption that a partition is to move to one of these lists, and that this is taken back.

    Either request is sent to the controller while the leader epoch is not above a number; the move by a request, or in the old way by the znode.
    """
    asked = any_of(*(target.is_(one) for one in to)) if to else NEVER
    once = asked & elected.is_(some(c)) & target.isnt(assigned[c, p]) & (leader_epoch[p] <= until)
    return {
        "AlterReassignment": NEVER if by_znode else once,
        "ZkReassignment": once if by_znode else NEVER,
        "CancelReassignment": elected.is_(some(c)) & (leader_epoch[p] <= cancelled),
    }


# -- the state machines ------------------------------------------------------------------------------------------------
EXPLORED = slice_of(
    "zk",
    *_MACHINES,
    LOG_DIRECTORIES.name,
    ALTER_PARTITION.name,
    live_claims=("ZI12", "ZE1"),
    fair=RUNNING,
    bounds={
        "tiny": told_bound(
            "one broker that may die once and come back; two candidates, the first of which may crash or be deposed",
            {"Broker": 1, "broker epoch": 2, "leader epoch": 6, "version": 6},
            {**turns(2), **_DEPOSED},
            registered(1, lives=2),
            created(list_of_brokers(0)),
            _TAKES_BACK,
            _INTACT,
        ),
        "failover": told_bound(
            "two brokers that may die once and come back; two candidates, the first of which may lose its session",
            {"broker epoch": 2, "leader epoch": 8, "version": 12},
            turns(2),
            registered(2, lives=2),
            created(list_of_brokers(0, 1)),
            _TAKES_BACK,
            _INTACT,
        ),
        "failures": told_bound(
            "two brokers that may die once and come back, with and without unclean elections; one candidate",
            {"Controller": 1, "controller epoch": 1, "broker epoch": 2, "leader epoch": 7, "version": 10},
            turns(1),
            registered(2, lives=2),
            created(list_of_brokers(0, 1)),
            _TAKES_BACK,
            _INTACT,
            start=TRUE,
        ),
        "directories": told_bound(
            "two brokers, each of which may lose the directory of its replica; one candidate",
            {"Controller": 1, "controller epoch": 1, "leader epoch": 5, "version": 8},
            turns(1),
            registered(2),
            created(list_of_brokers(0, 1)),
            _TAKES_BACK,
            _FAILS,
            start=TRUE,
        ),
    },
)

# -- reassignment ------------------------------------------------------------------------------------------------------
_EXAMPLE = (created(list_of_brokers(0, 1, 2)), _TAKES_BACK, _moved((list_of_brokers(2, 3, 4),)))
_REASSIGNING = slice_of(
    "zk_reassignment",
    *_MACHINES,
    ALTER_PARTITION.name,
    REASSIGNMENT.name,
    live_claims=("ZI12", "ZI13", "ZE1"),
    fair=REASSIGNING,
    broken=("ZI2m",),
    bounds={
        "reassignment": told_bound(
            "a partition moves from one broker to another; two candidates, the first of which may lose its session",
            {"leader epoch": 6, "version": 10},
            turns(2),
            registered(2),
            created(list_of_brokers(0)),
            _TAKES_BACK,
            _moved((list_of_brokers(1),)),
        ),
        "small": told_bound(
            "three brokers, two candidates: a replica moves, the broker it leaves may die, and after every step the first "
            "controller may crash, lose its session or be deposed",
            {"Broker": 3, "broker epoch": 2, "leader epoch": 12, "version": 20},
            {**turns(2), **_DEPOSED},
            registered(3, lives=2),
            {"BrokerGone": b.is_(broker(0))},
            created(list_of_brokers(0, 1)),
            _TAKES_BACK,
            _moved((list_of_brokers(1, 2), list_of_brokers(0, 2))),
        ),
        "deposed": told_bound(
            "a partition gets a second replica, or loses it; two candidates, the first of which may be deposed by an operator",
            {"leader epoch": 6, "version": 10},
            {**turns(2), **_DEPOSED, "Crash": NEVER, "SessionExpired": NEVER},
            registered(2),
            created(list_of_brokers(0), list_of_brokers(0, 1)),
            _TAKES_BACK,
            _moved((list_of_brokers(0, 1), list_of_brokers(0))),
        ),
        "example": told_bound(
            "the sources' own example, [1, 2, 3] to [3, 4, 5] on five brokers (S2:87-88); two candidates, the first of which may "
            "lose its session",
            {"Broker": 5, "leader epoch": 8, "version": 14},
            turns(2),
            registered(5),
            *_EXAMPLE,
        ),
        "exchange": told_bound(
            "the same, [1, 2, 3] to [3, 4, 5], while the broker that leads at first, and leaves, may die once and come back",
            {"Broker": 5, "broker epoch": 2, "leader epoch": 12, "version": 20},
            turns(2),
            registered(5, lives=2),
            {"BrokerGone": b.is_(broker(0))},
            *_EXAMPLE,
        ),
    },
)

_REPLACING = slice_of(
    "zk_replacement",
    *_MACHINES,
    ALTER_PARTITION.name,
    REASSIGNMENT.name,
    live_claims=("ZI12", "ZI13", "ZE1"),
    fair=REASSIGNING,
    broken=("ZI2r", "ZI2m", "ZI12", "ZI13"),
    bounds={
        "cancelled": told_bound(
            "a reassignment that is changed and taken back, while its leader may die once and come back; one candidate",
            {"Broker": 3, "Controller": 1, "controller epoch": 1, "broker epoch": 2, "leader epoch": 12, "version": 20},
            turns(1),
            registered(3, lives=2),
            {"BrokerGone": b.is_(broker(0)) & stated[the(0, PARTITION)]},
            created(list_of_brokers(0, 1)),
            _TAKES_BACK,
            _moved((list_of_brokers(1, 2), list_of_brokers(2, 0), list_of_brokers(0)), 2, 3),
        )
    },
)

# -- deletion ----------------------------------------------------------------------------------------------------------
_DELETING = slice_of(
    "zk_deletion",
    *_MACHINES,
    ALTER_PARTITION.name,
    REASSIGNMENT.name,
    DELETION.name,
    live_claims=("ZI14", "ZE1"),
    fair=DELETING,
    bounds={
        "deletion": told_bound(
            "a topic with one replica is deleted; its broker may die once and come back; one candidate",
            {"Broker": 1, "Controller": 1, "controller epoch": 1, "broker epoch": 2, "leader epoch": 9, "version": 9},
            turns(1),
            registered(1, lives=2),
            created(list_of_brokers(0)),
            _TAKES_BACK,
            _HELD,
            _moved(()),
        ),
        "redeletion": told_bound(
            "a topic with one replica is deleted; two candidates, the first of which may lose its session or be deposed",
            {"Broker": 1, "leader epoch": 9, "version": 9},
            {**turns(2), **_DEPOSED, "Crash": NEVER},
            registered(1),
            created(list_of_brokers(0)),
            _TAKES_BACK,
            _HELD,
            _moved(()),
        ),
        "deletions": told_bound(
            "a topic with two replicas is deleted; brokers may die once and come back; one candidate",
            {"Controller": 1, "controller epoch": 1, "broker epoch": 2, "leader epoch": 14, "version": 16},
            turns(1),
            registered(2, lives=2),
            created(list_of_brokers(0, 1)),
            _TAKES_BACK,
            _HELD,
            _moved(()),
        ),
        "moving": told_bound(
            "a topic is deleted while its replica moves; one candidate",
            {"Controller": 1, "controller epoch": 1, "leader epoch": 9, "version": 12},
            turns(1),
            registered(2),
            created(list_of_brokers(0)),
            _TAKES_BACK,
            _HELD,
            _moved((list_of_brokers(1),), by_znode=True),
        ),
    },
)

# -- elections and shutdown ----------------------------------------------------------------------------------------------
_first_epoch = leader_epoch[the(0, PARTITION)]
_ELECTING = slice_of(
    "zk_elections",
    *_MACHINES,
    ALTER_PARTITION.name,
    ELECTIONS.name,
    bounds={
        "elections": told_bound(
            "two brokers, the first of which may shut down or die and come back; preferred and unclean elections",
            {"Controller": 1, "controller epoch": 1, "broker epoch": 2, "leader epoch": 9, "version": 12},
            turns(1),
            registered(2, lives=2),
            created(list_of_brokers(0, 1)),
            _TAKES_BACK,
            {
                "ElectLeaders": exists(q, q.in_(those_asked)) & (_first_epoch < 4),
                "ElectLeadersUnclean": exists(q, q.in_(those_asked)) & (_first_epoch < 4),
                "ControlledShutdown": b.is_(broker(0)) & ~b.in_(shutting_down[c]),
            },
        )
    },
)

# -- requests ----------------------------------------------------------------------------------------------------------
_ASKING = slice_of(
    "zk_requests",
    *_MACHINES,
    REASSIGNMENT.name,
    REQUESTS.name,
    broken=("ZI16",),
    forgotten=(),
    bounds={
        "requests": told_bound(
            "one broker that may die once and come back, as the same process or as a new one; one candidate",
            {"Broker": 1, "Controller": 1, "controller epoch": 1, "broker epoch": 2, "leader epoch": 5, "version": 5},
            turns(1),
            registered(1, lives=2),
            _AGAIN,
            created(list_of_brokers(0)),
            _moved(()),
        ),
        "zombies": told_bound(
            "one broker, two candidates, the first of which may be deposed and go on as a zombie",
            {"Broker": 1, "leader epoch": 5, "version": 5},
            {**turns(2), **_DEPOSED, "Crash": NEVER},
            registered(1),
            created(list_of_brokers(0)),
            _moved(()),
        ),
        "erased": told_bound(
            "two brokers, the first of which loses its replica to the other, and may die once and come back; one candidate",
            {"Controller": 1, "controller epoch": 1, "broker epoch": 2, "leader epoch": 8, "version": 12},
            turns(1),
            registered(2, lives=2),
            {"BrokerGone": b.is_(broker(0)) & stated[the(0, PARTITION)]},
            _TAKEN,
            created(list_of_brokers(0, 1)),
            _moved((list_of_brokers(1),)),
        ),
    },
)

SLICES: tuple[Protocol, ...] = declaring((EXPLORED, _REASSIGNING, _REPLACING, _DELETING, _ELECTING, _ASKING), *NOT_FOR)
"""The slices, the one of the two state machines first. The first bound of each is small enough for every run."""
