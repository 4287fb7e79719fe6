"""The slices of the KRaft controller that are explored: some tables each, at bounds that show what those tables do."""

from __future__ import annotations

from fencepost.model.language.vocabulary import *

from .bounds import (
    EVERYBODY,
    HOME,
    LIFE,
    NEVER_HERE,
    NEW,
    NEWEST,
    STRAIGHT,
    at_home,
    broker,
    directory,
    in_order,
    once,
    ranging,
    slice_of,
    the,
)
from .brokers import (
    EXPIRED,
    HEARTBEAT,
    REGISTRATION,
    UNREGISTRATION,
    dirs,
    migrates,
    off,
    previous,
    same_cluster,
    tells_epoch,
    told,
    want_down,
    want_fence,
)
from .cluster import (
    ACTIVATION,
    CONTROLLERS,
    FEATURES,
    IDLE,
    PRODUCERS,
    asked_level,
    elr_target,
    gives_level,
    later,
    mv_level,
    static_min,
    to,
)
from .configurations import (
    CONFIGURATIONS,
    SEVERAL,
    away,
    deletes,
    drops_min,
    drops_unclean,
    dry,
    min_asked,
    min_away,
    min_to,
    n,
    node_asked,
    node_away,
    node_to,
    permitted,
    sets_min,
    sets_unclean,
    size,
    switch,
    to_size,
    to_switch,
    unclean_asked,
    unclean_away,
    unclean_to,
    valid,
)
from .directories import ASSIGNMENT, BOTH, CORDONING, OFFLINE, assigns
from .directories import dirs as reported_dirs
from .elections import ELECTIONS
from .everything import EVERYTHING
from .explored import FIRST
from .growing import GROWING
from .not_for import NOT_FOR
from .partitions import ALTER_PARTITION, LEADERS, proposal
from .protocol import KRAFT
from .reassignment import REASSIGNMENT, may_resize
from .securing import SECURING
from .state import *
from .topics import GROWTH, TOPICS, adds, allows, has_allows, has_smallest, manual, smallest

# -- reassignment ------------------------------------------------------------------------------------------------------
_REASSIGNING = slice_of(
    "kraft_reassignment",
    REGISTRATION.name,
    HEARTBEAT.name,
    LEADERS.name,
    ALTER_PARTITION.name,
    REASSIGNMENT.name,
    ELECTIONS.name,
    TOPICS.name,
    unclaimed=(*NEVER_HERE, "P7s", "P18", "P18d", "C2"),
    bounds={
        "reassignment": (
            "two brokers, the second of which may be fenced while a partition goes from one to the other",
            NEW & at_home(2) & forall(p, any_of(placed[p].is_(EVERYBODY), placed[p].is_(only(some(broker(0)))))),
            {
                **LIFE,
                "RegisterBroker": HOME & STRAIGHT & once(2),
                "Heartbeat": off.is_(log_end) & ~want_down & want_fence.implies(b.is_(broker(1))),
                "ProposeIsr": proposal.is_(members(replicas[p]) & active) & proposal.isnt(members(isr[p])),
            },
            {"Broker": 2, "offset": 1, "leader_epoch": 2, "partition_epoch": 2},
        ),
        "unclean": (
            "the first broker is fenced, and the topic allows unclean leaders",
            NEW & at_home(2) & forall(p, any_of(placed[p].is_(EVERYBODY), placed[p].is_(only(some(broker(0)))))),
            {
                **LIFE,
                "RegisterBroker": HOME & STRAIGHT & once(2),
                "Heartbeat": off.is_(log_end) & ~want_down & want_fence.implies(b.is_(broker(0))),
                "ProposeIsr": proposal.is_(members(replicas[p]) & active) & proposal.isnt(members(isr[p])),
                "CreateTopic": ~manual & has_smallest & smallest.is_(Threshold(2)) & has_allows & allows,
                "Reassign": may_resize,
            },
            {"Broker": 2, "offset": 1, "leader_epoch": 3, "partition_epoch": 3},
        ),
    },
)

# -- directories -------------------------------------------------------------------------------------------------------
_FIRST, _SECOND = only(some(directory(1))), only(some(directory(2)))
_FAILING = (members(_FIRST), members(_SECOND), members(then(_FIRST, _SECOND)))
_DIRECTORIES = slice_of(
    "kraft_directories",
    REGISTRATION.name,
    HEARTBEAT.name,
    OFFLINE.name,
    CORDONING.name,
    ASSIGNMENT.name,
    TOPICS.name,
    # OD4 and AD3 break two claims here (D12, D26).
    unclaimed=(*NEVER_HERE, "P5", "P7s", "P13b", "P18", "W2", "P32", "P34", "C2"),
    bounds={
        "directories": (
            "two brokers, the first with two directories that may fail, or be assigned a replica",
            NEW & at_home(2) & forall(p, assigns[p]),
            {
                **LIFE,
                "RegisterBroker": STRAIGHT & (dirs.is_(only(some(home[b]))) | dirs.is_(then(_FIRST, _SECOND))),
                "Heartbeat": off.is_(log_end) & ~want_down & ~want_fence,
                "OfflineDirectories": any_of(*(reported_dirs.is_(one) for one in _FAILING)),
                "CordonedDirectories": reported_dirs.is_(nobody(DIRECTORY)),
            },
            {"Broker": 2, "Directory": 4, "offset": 1, "leader_epoch": 2, "partition_epoch": 2},
        )
    },
)

_THIRD = only(some(directory(3)))
_REPORTING = slice_of(
    "kraft_reporting",
    REGISTRATION.name,
    HEARTBEAT.name,
    OFFLINE.name,
    BOTH.name,
    TOPICS.name,
    # HD2 breaks two claims where eligible leader replicas are switched on while a partition has no leader (D34).
    unclaimed=(*NEVER_HERE, "P1w", "P3w", "P5", "W2"),
    bounds={
        "reporting": (
            "two brokers whose heartbeats ask for fencing or a shutdown, and report failed directories",
            NEW
            & at_home(2)
            & unassigned.is_(directory(0))
            & migrating.is_(directory(0))
            & lost_directory.is_(directory(4)),
            {
                **LIFE,
                "RegisterBroker": STRAIGHT
                & in_order(2)
                & (HOME & ~registered[b] | b.is_(broker(0)) & registered[b] & dirs.is_(then(_FIRST, _THIRD))),
                "Heartbeat": off.is_(log_end),
                "OfflineDirectories": reported_dirs.is_(members(_THIRD)),
                "HeartbeatWithOfflineDirectories": off.is_(log_end)
                & any_of(reported_dirs.is_(members(_FIRST)), reported_dirs.is_(members(then(_FIRST, _THIRD)))),
            },
            {"Broker": 2, "Directory": 5, "offset": 3, "leader_epoch": 2, "partition_epoch": 2},
        )
    },
)

# -- unregistration and what is remembered of eligible leader replicas ----------------------------------------------------
_REMOVING = slice_of(
    "kraft_removal",
    REGISTRATION.name,
    UNREGISTRATION.name,
    HEARTBEAT.name,
    EXPIRED.name,
    TOPICS.name,
    CONFIGURATIONS.name,
    # Where the index has a stale entry of every broker, none can register, and no other event is enabled (D6c).
    ends=True,
    unclaimed=(*NEVER_HERE, "P5", "P13b", "W2", "C2"),
    bounds={
        "removal": (
            "two brokers that shut down and are unregistered, while the topic's minimum changes and the topic goes",
            NEW & at_home(2),
            {
                **LIFE,
                "RegisterBroker": HOME & STRAIGHT & in_order(2),
                "Heartbeat": off.is_(log_end) & ~want_fence,
                "ExpiredHeartbeat": off.is_(log_end),
                "AlterTopicMinInsync": size.is_(Threshold(1)) & ~deletes & valid & permitted & ~dry,
                "AlterTopicUnclean": ~valid,
                "AlterClusterMinInsync": ~valid,
                "AlterClusterUnclean": ~valid,
                "AlterNodeUnclean": ~valid,
                "AlterConfig": ~valid,
            },
            {"Broker": 2, "offset": 2, "leader_epoch": 2, "partition_epoch": 2},
        )
    },
)

# -- configurations ----------------------------------------------------------------------------------------------------
_TOPIC_NAME, _MINIMUM = the(0, NAME), the(1, NAME)
_ONLY_TOPICS = (
    ~sets_min & ~drops_min & to_size.is_(Threshold(2)) & ~sets_unclean & ~drops_unclean & ~to_switch
)  # the cluster's values change by rows of their own here
_CONFIGURING = slice_of(
    "kraft_configurations",
    REGISTRATION.name,
    HEARTBEAT.name,
    ELECTIONS.name,
    TOPICS.name,
    GROWTH.name,
    CONFIGURATIONS.name,
    SEVERAL.name,
    unclaimed=(*NEVER_HERE, "P5", "P7s", "P13b", "P18", "P18d", "W2", "C2"),
    bounds={
        "configurations": (
            "one broker, a topic that gets a second partition, a setting of the topic and the minimum of the broker",
            NEW
            & at_home(1)
            & forall(p, index[p].is_(when(p.is_(the(0, PARTITION)), the(0, INDEX), the(1, INDEX))))
            & adds[the(1, PARTITION)]
            & ~adds[the(0, PARTITION)]
            & forall(s, resource_type[s].is_(when(s.is_(the(0, SETTING)), the(2, LEVEL), the(4, LEVEL))))
            & forall(s, resource[s].is_(_TOPIC_NAME) & key[s].is_(_MINIMUM) & ~asks[s])
            & min_insync_key.is_(_MINIMUM)
            & forall(n, min_asked[n] & unclean_asked[n] & unclean_to[n] & min_to[n].is_(Threshold(2)))
            & forall(n, min_away[n].is_(unclean_away[n]) & (n.is_(_MINIMUM)).implies(min_away[n]))
            & forall(n, node_asked[n].is_(n.is_(_TOPIC_NAME)) & node_away[n] & node_to[n])
            & active_controller.is_(_TOPIC_NAME)
            & forall(s, away[s]),
            {
                **LIFE,
                "RegisterBroker": HOME & STRAIGHT & once(1),
                "Heartbeat": off.is_(log_end) & ~want_down,
                "CreateTopic": ~manual & ~has_smallest & ~has_allows & n.is_(_TOPIC_NAME),
                "AlterTopicMinInsync": n.is_(_TOPIC_NAME),
                "AlterTopicUnclean": n.is_(_TOPIC_NAME) & switch,
                "AlterClusterMinInsync": size.is_(Threshold(2)),
                "AlterClusterUnclean": switch,
                "AlterNodeUnclean": n.is_(_TOPIC_NAME) & switch,
                "AlterConfigs": _ONLY_TOPICS,
            },
            {"Broker": 1, "Directory": 2, "Partition": 2, "index": 1, "Name": 2, "Setting": 2, "offset": 0,
             "leader_epoch": 1, "partition_epoch": 1, "size": 2},
        ),
    },
)  # fmt: skip

# -- the cluster as a whole --------------------------------------------------------------------------------------------
_OTHER = the(2, FEATURE)
_ALL_OR_OLD = any_of(told.is_(those(r, TRUE)), told.is_(just(some(the(0, RANGE)))))
_UNFORMATTED = (
    mv.is_(0)
    & elr_level.is_(0)
    & at_home(1)
    & metadata_version.is_(the(0, FEATURE))
    & elr_version.is_(the(1, FEATURE))
    & kraft_version.is_(the(3, FEATURE))
    & kraft_level.is_(0)
    & ranging(0, 7, NEWEST)
    & ranging(1, 0, 1)
    & ranging(2, 0, 1)
    & ranging(3, 0, 1)
    & forall(f, gives_level[f].is_(f.is_(_OTHER)) & asked_level[f].is_(1))
)
_ABOVE = 24
_CLUSTER = slice_of(
    "kraft_cluster",
    REGISTRATION.name,
    ACTIVATION.name,
    FEATURES.name,
    CONTROLLERS.name,
    PRODUCERS.name,
    IDLE.name,
    of=KRAFT.redefine(
        "spent", lambda old: next_producer_id > 1000, name="kraft", why="two blocks of producer ids are all there are"
    ),
    # No topic is ever created here: what is claimed of partitions would hold of nothing.
    unclaimed=tuple(one.id for one in KRAFT.properties if not one.id.startswith(("K", "L")) and one.id != "N5"),
    bounds={
        "cluster": (
            "a log that is formatted, features that go up and down, one broker and one controller",
            _UNFORMATTED,
            {
                "RegisterBroker": HOME & tells_epoch & previous.is_(epoch[b]) & same_cluster & ~migrates & _ALL_OR_OLD,
                "RegisterController": _ALL_OR_OLD,
                "Activate": any_of(mv_level.is_(7), mv_level.is_(23)) & elr_target.is_(1) & static_min.is_(Threshold(1)),
                "LoseActivation": mv_level.is_(23),
                "UpdateFeature": any_of(to.is_(0), to.is_(1), to.is_(23), to.is_(NEWEST)) & static_min.is_(Threshold(1)),
                "Idle": later.is_(log_end + 1),
            },
            {"Broker": 1, "Directory": 2, "Feature": 4, "Range": 4, "offset": 1, "producer_id": 2000, "size": 1,
             "leader_epoch": 0, "partition_epoch": 0},
        ),
        "lower": (
            "metadata.version goes back by a level at which metadata did not change its form",
            _UNFORMATTED,
            {
                "RegisterBroker": FALSE,
                "RegisterController": FALSE,
                "Activate": mv_level.is_(_ABOVE) & elr_target.is_(1) & static_min.is_(Threshold(1)),
                "LoseActivation": FALSE,
                "UpdateFeature": f.is_(metadata_version) & any_of(to.is_(_ABOVE - 1), to.is_(_ABOVE)),
                "AllocateProducerIds": FALSE,
                "Idle": FALSE,
            },
            {"Broker": 1, "Directory": 2, "Feature": 4, "Range": 4, "offset": 1, "producer_id": 0, "size": 1,
             "leader_epoch": 0, "partition_epoch": 0},
        ),
    },
)  # fmt: skip

SLICES = declaring(
    (FIRST, _REASSIGNING, _DIRECTORIES, _REPORTING, _REMOVING, _CONFIGURING, _CLUSTER, EVERYTHING, GROWING, SECURING),
    *NOT_FOR,
)
"""The slices, the one of brokers and partitions first. The first bound of each is small enough for every run."""
