"""The slice of KRaft that has nearly every table: directories, features, fencing and reassignment in one run."""

from __future__ import annotations

from fencepost.model.language import (
    FALSE,
    Term,
    Threshold,
    all_of,
    forall,
    just,
    nobody,
    some,
)

from .bounds import (
    HOME,
    NEWEST,
    ONCE,
    STRAIGHT,
    broker,
    directory,
    ranging,
    slice_of,
    the,
)
from .brokers import (
    FENCING,
    HEARTBEAT,
    REGISTRATION,
    UNREGISTRATION,
    off,
)
from .cluster import (
    FEATURES,
    Direction,
    static_min,
    to,
    way,
)
from .configurations import (
    CONFIGURATIONS,
    deletes,
    dry,
    permitted,
    size,
    switch,
    valid,
)
from .directories import ASSIGNMENT, CORDONING, OFFLINE, assigned, assigns
from .directories import be as assigner_epoch
from .directories import dirs as reported_dirs
from .elections import ELECTIONS
from .partitions import ALTER_PARTITION, LEADERS
from .reassignment import REASSIGNMENT, may_resize
from .state import (
    DIRECTORY,
    FEATURE,
    NAME,
    VALUE,
    asked,
    b,
    elr_level,
    elr_version,
    epoch,
    f,
    home,
    i,
    incarnation,
    key,
    kraft_level,
    kraft_version,
    log_end,
    lost_directory,
    metadata_version,
    migrating,
    min_insync_key,
    mv,
    p,
    registered,
    resource,
    s,
    unassigned,
)
from .topics import TOPICS, has_allows, has_smallest, manual

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
_START = (
    _FEATURES_APART
    & mv.is_(NEWEST)
    & elr_level.is_(0)
    & _homes_after(4, 1)
    & forall(p, assigns[p] & assigned[p].is_(_ELSEWHERE))
    & forall(s, resource[s].is_(the(0, NAME)) & key[s].is_(the(0, NAME)) & asked[s].is_(the(0, VALUE)))
    & min_insync_key.is_(the(0, NAME))
)
_SMALL = {"Broker": 1, "Directory": 5, "Feature": 2, "Range": 2, "offset": 1, "leader_epoch": 2, "partition_epoch": 3}
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
            _START,
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
            _START,
            _WHOLE,
            {**_SMALL, "Incarnation": 2},
        ),
    },
)
