"""The slice of KRaft that has nearly every table: directories, features, fencing and reassignment in one run."""

from __future__ import annotations

from fencepost.model.language.vocabulary import *

from .bounds import (
    AGAIN,
    HOME,
    NEWEST,
    ONCE,
    STRAIGHT,
    broker,
    brokers_in_order,
    directory,
    in_order,
    ranging,
    slice_of,
    the,
)
from .brokers import FENCING, HEARTBEAT, REGISTRATION, UNREGISTRATION, off, want_down, want_fence
from .cluster import FEATURES, Direction, static_min, to, way
from .configurations import CONFIGURATIONS, deletes, dry, permitted, size, switch, valid
from .directories import ASSIGNMENT, CORDONING, OFFLINE, assigned, assigns
from .directories import be as assigner_epoch
from .directories import dirs as reported_dirs
from .elections import ELECTIONS
from .partitions import ALTER_PARTITION, LEADERS, proposal
from .reassignment import REASSIGNMENT, may_resize, target
from .state import *
from .topics import TOPICS, allows, has_allows, has_smallest, manual, smallest

_UNASSIGNED, _MIGRATING, _LOST, _ELSEWHERE = (directory(n) for n in range(4))
_VERSION, _ELR = the(0, FEATURE), the(1, FEATURE)
_FEATURES_APART = (
    metadata_version.is_(_VERSION)
    & elr_version.is_(_ELR)
    & kraft_version.is_(_VERSION)
    & kraft_level.is_(0)
    & ranging(0, 0, NEWEST)
    & ranging(1, 0, 1)
    & unassigned.is_(_UNASSIGNED)
    & migrating.is_(_MIGRATING)
    & lost_directory.is_(_LOST)
)


def _homes_after(first: int, brokers: int) -> Term[bool]:
    return all_of(*(home[broker(n)].is_(directory(first + n)) for n in range(brokers)))


_PLAIN = valid & permitted & ~dry & ~deletes
_WHOLE = {
    "RegisterBroker": HOME & STRAIGHT & (i.is_(ONCE) | registered[b] & incarnation[b].is_(some(ONCE))),
    "CreateTopic": ~manual & ~has_smallest & ~has_allows,
    "Heartbeat": off.is_(log_end),
    "Reassign": may_resize,
    "OfflineDirectories": reported_dirs.is_(just(some(home[b]))),
    "CordonedDirectories": reported_dirs.is_(nobody(DIRECTORY)),
    "AssignReplicasToDirs": assigner_epoch.is_(epoch[b]),
    "UpdateFeature": f.is_(elr_version)
    & static_min.is_(Threshold(1))
    & (to.is_(1) & way.is_(Direction.UPGRADE) | to.is_(0) & way.is_(Direction.SAFE_DOWNGRADE)),
    "AlterTopicMinInsync": _PLAIN & size.is_(Threshold(2)),
    "AlterTopicUnclean": _PLAIN & switch,
    "AlterClusterMinInsync": FALSE,
    "AlterClusterUnclean": FALSE,
    "AlterNodeUnclean": FALSE,
    "AlterConfig": FALSE,
}


def _start(brokers: int) -> Term[bool]:
    return (
        _FEATURES_APART
        & mv.is_(NEWEST)
        & elr_level.is_(0)
        & _homes_after(4, brokers)
        & forall(p, assigns[p] & assigned[p].is_(_ELSEWHERE))
        & forall(s, resource[s].is_(the(0, NAME)) & key[s].is_(the(0, NAME)) & asked[s].is_(the(0, VALUE)))
        & min_insync_key.is_(the(0, NAME))
    )


_SMALL = {"Broker": 1, "Directory": 5, "Feature": 2, "Range": 2, "offset": 1, "leader_epoch": 2, "partition_epoch": 3}
_TWO = {**_SMALL, "Broker": 2, "Directory": 6, "Incarnation": 2, "offset": 3, "partition_epoch": 3}
_BOTH, _SECOND = brokers_in_order(1, 0), brokers_in_order(1)
_FIRST_COMES_BACK = b.is_(broker(0)) & registered[b] & i.is_(AGAIN) & incarnation[b].is_(some(ONCE))
_COMBINED = {
    **_WHOLE,
    "RegisterBroker": HOME
    & STRAIGHT
    & in_order(2)
    & (~registered[b] & i.is_(ONCE) & forall(p, ~exists_[p]) | _FIRST_COMES_BACK),
    "UnregisterBroker": FALSE,
    "CreateTopic": ~manual & has_smallest & smallest.is_(Threshold(2)) & has_allows & allows,
    "DeleteTopic": FALSE,
    "Heartbeat": off.is_(log_end) & ~want_fence & want_down.implies(b.is_(broker(0))),
    "ProposeIsr": proposal.is_(members(replicas[p]) & active) & proposal.isnt(members(isr[p])),
    "Reassign": may_resize & any_of(target.is_(_SECOND), target.is_(_BOTH)),
    "OfflineDirectories": b.is_(broker(0)) & reported_dirs.is_(just(some(home[b]))),
    "CordonedDirectories": FALSE,
    "AssignReplicasToDirs": b.is_(broker(0)) & assigner_epoch.is_(epoch[b]),
    "UpdateFeature": f.is_(elr_version) & static_min.is_(Threshold(1)) & to.is_(1) & way.is_(Direction.UPGRADE),
    "AlterTopicMinInsync": FALSE,
    "AlterTopicUnclean": FALSE,
}
EVERYTHING = slice_of(
    "kraft_everything",
    REGISTRATION.name,
    UNREGISTRATION.name,
    HEARTBEAT.name,
    FENCING.name,
    LEADERS.name,
    ALTER_PARTITION.name,
    REASSIGNMENT.name,
    ELECTIONS.name,
    OFFLINE.name,
    CORDONING.name,
    ASSIGNMENT.name,
    TOPICS.name,
    CONFIGURATIONS.name,
    FEATURES.name,
    ends=True,
    unclaimed=("K7", "K7c", "L9", "L10", "L11"),
    bounds={
        "together": (
            "one broker that registers once, whose only directory may fail, and eligible leader replicas that are switched on",
            _start(1),
            {
                **_WHOLE,
                "RegisterBroker": HOME & STRAIGHT & ~registered[b],
                "UnregisterBroker": FALSE,
                "DeleteTopic": FALSE,
                "AlterTopicMinInsync": FALSE,
                "AlterTopicUnclean": FALSE,
            },
            _SMALL,
        ),
        "everything": (
            "one broker whose only directory may fail, and all that can happen to its only partition",
            _start(1),
            _WHOLE,
            {**_SMALL, "Incarnation": 2},
        ),
        "combined": (
            "two brokers, the first of which may shut down, lose its only directory and come back as a new process, while the "
            "partition moves to the second or changes its order, and eligible leader replicas are switched on",
            _start(2),
            _COMBINED,
            _TWO,
        ),
    },
)
