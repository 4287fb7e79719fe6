"""The slices of the KRaft controller that are explored: some tables each, at bounds that show what those tables do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TypeVar

from fencepost.model.language import (
    FALSE,
    TRUE,
    Bound,
    Protocol,
    Term,
    Threshold,
    all_of,
    any_of,
    ascending,
    declaring,
    every,
    forall,
    just,
    members,
    nobody,
    only,
    some,
    then,
    those,
    when,
)
from fencepost.model.language.kinds import Kind
from fencepost.model.language.terms import Get, Lit
from fencepost.model.language.walk import nodes

from .brokers import (
    FENCING,
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
    Direction,
    asked_level,
    elr_target,
    gives_level,
    later,
    mv_level,
    static_min,
    to,
    way,
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
from .directories import ASSIGNMENT, CORDONING, OFFLINE, assigned, assigns
from .directories import be as assigner_epoch
from .directories import dirs as reported_dirs
from .elections import ELECTIONS
from .not_for import NOT_FOR
from .partitions import ALTER_PARTITION, LEADERS, proposal
from .protocol import KRAFT
from .reassignment import REASSIGNMENT
from .records import TOPIC_RECORD
from .state import (
    BROKER,
    DIRECTORY,
    FEATURE,
    INCARNATION,
    INDEX,
    LEVEL,
    NAME,
    PARTITION,
    RANGE,
    SETTING,
    VALUE,
    Broker,
    Directory,
    active,
    asked,
    asks,
    b,
    elr_level,
    elr_version,
    epoch,
    f,
    highest,
    home,
    i,
    incarnation,
    index,
    isr,
    key,
    log_end,
    lost_directory,
    lowest,
    metadata_version,
    migrating,
    min_insync_key,
    mv,
    next_producer_id,
    p,
    placed,
    r,
    range_feature,
    registered,
    replicas,
    reported,
    resource,
    resource_type,
    s,
    t,
    topic,
    unassigned,
    x,
)
from .topics import GROWTH, TOPICS, adds, allows, born, has_allows, has_smallest, manual, smallest

T = TypeVar("T")
_EVERYBODY = ascending(those(x, TRUE))
_NEWEST = 33


def _the(number: int, kind: Kind[T]) -> Term[T]:
    """Return an entity of a bound by its number, or a number itself."""
    return Lit(number, kind)  # type: ignore[arg-type]


def _broker(number: int) -> Term[Broker]:
    return _the(number, BROKER)


def _directory(number: int) -> Term[Directory]:
    return _the(number, DIRECTORY)


# -- what bounds have in common -----------------------------------------------------------------------------------------
_SIZES = {
    "Directory": 3, "Feature": 1, "Incarnation": 1, "Name": 1, "Node": 1, "Partition": 1, "Range": 1, "Request": 1,
    "Setting": 1, "Topic": 1, "Value": 1, "copies": 1, "index": 0, "level": _NEWEST, "size": 2,
}  # fmt: skip
_NEW = mv.is_(_NEWEST) & elr_level.is_(1)
# The reserved directories need not be told apart where none of them is ever assigned, nor the features where one can be
# held at every level.
_ONE_OF_EACH = (
    unassigned.is_(_directory(0)),
    migrating.is_(_directory(0)),
    lost_directory.is_(_directory(0)),
    metadata_version.is_(_the(0, FEATURE)),
    elr_version.is_(_the(0, FEATURE)),
    range_feature[_the(0, RANGE)].is_(_the(0, FEATURE)),
    lowest[_the(0, RANGE)].is_(0),
    highest[_the(0, RANGE)].is_(_NEWEST),
    forall(p, index[p].is_(0)),
    forall(p, placed[p].is_(_EVERYBODY)),
    forall(s, ~asks[s]),
    forall(s, resource_type[s].is_(2)),
)


def _at_home(brokers: int) -> Term[bool]:
    return all_of(*(home[_broker(n)].is_(_directory(n + 1)) for n in range(brokers)))


_WELL_TOLD = told.is_(those(r, TRUE)) & tells_epoch
_STRAIGHT = _WELL_TOLD & previous.is_(epoch[b]) & same_cluster & ~migrates
_ONCE, _AGAIN = _the(0, INCARNATION), _the(1, INCARNATION)
_HOME = dirs.is_(only(some(home[b])))


def _in_order(brokers: int) -> Term[bool]:
    """Return the assumption that brokers register in the order of their ids."""
    return all_of(*(b.is_(_broker(n)).implies(registered[_broker(n - 1)]) for n in range(1, brokers)))


def _once(brokers: int) -> Term[bool]:
    """Return the assumption that brokers register once, in the order of their ids."""
    return ~registered[b] & _in_order(brokers)


def _slice(
    name: str,
    *tables: str,
    unclaimed: tuple[str, ...] = (),
    of: Protocol = KRAFT,
    ends: bool = False,
    bounds: Mapping[str, tuple[str, Term[bool], Mapping[str, Term[bool]], Mapping[str, int]]],
) -> Protocol:
    """Return a slice: `unclaimed` are the properties that it does not ask, since none of its bounds could break or show them.

    A bound is told as what it is for, its start, what it assumes of events, and its sizes beside those of all.
    """
    claimed = tuple(one.id for one in of.properties if one.id not in unclaimed)
    made = of.slice(*tables, name=name, properties=claimed)
    events = {event.name for event in made.events}
    speaks = set(made.states) | {
        node.state for _, start, *_ in bounds.values() for node in nodes(start) if isinstance(node, Get)
    }

    def spoken(term: Term[bool]) -> bool:
        return all(node.state in speaks for node in nodes(term) if isinstance(node, Get))

    def said(start: Term[bool]) -> Term[bool]:
        own = {node.state for node in nodes(start) if isinstance(node, Get)}
        common = (
            one
            for one in _ONE_OF_EACH
            if spoken(one) and not any(node.state in own for node in nodes(one) if isinstance(node, Get))
        )
        return all_of(start, *common)

    def finite(told: tuple[str, Term[bool], Mapping[str, Term[bool]], Mapping[str, int]]) -> Bound:
        about, start, given, sizes = told
        named = {name.replace("_", " "): size for name, size in sizes.items()}
        assumed = {event: term for event, term in given.items() if event in events}
        common = {kind: size for kind, size in _SIZES.items() if kind in made.sized_kinds()}
        elsewhere = dict.fromkeys(unclaimed, "no table of the slice has rows that could break or show it")
        return Bound({**common, **named}, start=said(start), given=assumed, about=about, not_for=elsewhere)

    made = of.slice(
        *tables, name=name, properties=claimed, bounds={name: finite(bound) for name, bound in bounds.items()}
    )
    return replace(made, ends=ends)


_CREATE = ~manual & has_smallest & smallest.is_(Threshold(2)) & ~has_allows
_LIFE = {"RegisterBroker": _HOME & _STRAIGHT, "CreateTopic": _CREATE}
_NEVER_HERE = ("K7", "K7c", "L9", "L10", "L11")

# -- brokers and partitions -----------------------------------------------------------------------------------------------
_DECLARED = ("P5", "P7s", "P13b", "P18", "W2", "P21r", "C2")
EXPLORED = _slice(
    "kraft",
    REGISTRATION.name,
    HEARTBEAT.name,
    FENCING.name,
    LEADERS.name,
    ALTER_PARTITION.name,
    ELECTIONS.name,
    TOPICS.name,
    unclaimed=(*_NEVER_HERE, *_DECLARED),
    bounds={
        "tiny": (
            "two brokers that have always read everything, one partition",
            _NEW & _at_home(2),
            {**_LIFE, "Heartbeat": off.is_(log_end)},
            {"Broker": 2, "offset": 1, "leader_epoch": 1, "partition_epoch": 1},
        ),
        "restart": (
            "two brokers, each of which may come back as a new process",
            _NEW & _at_home(2),
            {**_LIFE, "RegisterBroker": _HOME & _WELL_TOLD & same_cluster & ~migrates, "Heartbeat": off.is_(log_end) & ~want_fence},
            {"Broker": 2, "Incarnation": 2, "offset": 2, "leader_epoch": 1, "partition_epoch": 1},
        ),
        "lag": (
            "two brokers that read the log late",
            _NEW & _at_home(2),
            {**_LIFE, "Heartbeat": (off <= log_end) & (reported[b] <= off)},
            {"Broker": 2, "offset": 2, "leader_epoch": 1, "partition_epoch": 1},
        ),
        "small": (
            "three brokers, three replicas; the first broker may come back as a new process",
            _NEW & _at_home(3),
            {
                **_LIFE,
                "RegisterBroker": _HOME
                & _STRAIGHT
                & _in_order(3)
                & registered[b].is_(i.is_(_AGAIN))
                & (~registered[b] | b.is_(_broker(0)) & incarnation[b].is_(some(_ONCE))),
                "Heartbeat": off.is_(log_end) & ~want_fence & want_down.implies(b.is_(_broker(0))),
                "ProposeIsr": proposal.is_(members(replicas[p]) & active) & proposal.isnt(members(isr[p])),
            },
            {"Broker": 3, "Directory": 4, "Incarnation": 2, "offset": 3, "leader_epoch": 1, "partition_epoch": 1, "size": 3},
        ),
    },
)  # fmt: skip

# -- reassignment ------------------------------------------------------------------------------------------------------
_REASSIGNING = _slice(
    "kraft_reassignment",
    REGISTRATION.name,
    HEARTBEAT.name,
    LEADERS.name,
    ALTER_PARTITION.name,
    REASSIGNMENT.name,
    ELECTIONS.name,
    TOPICS.name,
    unclaimed=(*_NEVER_HERE, "P7s", "P18", "P18d", "C2"),
    bounds={
        "reassignment": (
            "two brokers, the second of which may be fenced while a partition goes from one to the other",
            _NEW & _at_home(2) & forall(p, any_of(placed[p].is_(_EVERYBODY), placed[p].is_(only(some(_broker(0)))))),
            {
                **_LIFE,
                "RegisterBroker": _HOME & _STRAIGHT & _once(2),
                "Heartbeat": off.is_(log_end) & ~want_down & want_fence.implies(b.is_(_broker(1))),
                "ProposeIsr": proposal.is_(members(replicas[p]) & active) & proposal.isnt(members(isr[p])),
            },
            {"Broker": 2, "offset": 1, "leader_epoch": 2, "partition_epoch": 2},
        ),
        "unclean": (
            "the first broker is fenced, and the topic allows unclean leaders",
            _NEW & _at_home(2) & forall(p, any_of(placed[p].is_(_EVERYBODY), placed[p].is_(only(some(_broker(0)))))),
            {
                **_LIFE,
                "RegisterBroker": _HOME & _STRAIGHT & _once(2),
                "Heartbeat": off.is_(log_end) & ~want_down & want_fence.implies(b.is_(_broker(0))),
                "ProposeIsr": proposal.is_(members(replicas[p]) & active) & proposal.isnt(members(isr[p])),
                "CreateTopic": ~manual & has_smallest & smallest.is_(Threshold(2)) & has_allows & allows,
            },
            {"Broker": 2, "offset": 1, "leader_epoch": 3, "partition_epoch": 3},
        ),
    },
)

# -- directories -------------------------------------------------------------------------------------------------------
_FIRST, _SECOND = only(some(_directory(1))), only(some(_directory(2)))
_FAILING = (members(_FIRST), members(_SECOND), members(then(_FIRST, _SECOND)))
_DIRECTORIES = _slice(
    "kraft_directories",
    REGISTRATION.name,
    HEARTBEAT.name,
    OFFLINE.name,
    CORDONING.name,
    ASSIGNMENT.name,
    TOPICS.name,
    # OD4 and AD3 break two claims here (D12, D26).
    unclaimed=(*_NEVER_HERE, "P5", "P7s", "P13b", "P18", "W2", "P32", "P34", "C2"),
    bounds={
        "directories": (
            "two brokers, the first with two directories that may fail, or be told to have a replica",
            _NEW & _at_home(2) & forall(p, assigns[p]),
            {
                **_LIFE,
                "RegisterBroker": _STRAIGHT & (dirs.is_(only(some(home[b]))) | dirs.is_(then(_FIRST, _SECOND))),
                "Heartbeat": off.is_(log_end) & ~want_down & ~want_fence,
                "OfflineDirectories": any_of(*(reported_dirs.is_(one) for one in _FAILING)),
                "CordonedDirectories": reported_dirs.is_(nobody(DIRECTORY)),
            },
            {"Broker": 2, "Directory": 4, "offset": 1, "leader_epoch": 2, "partition_epoch": 2},
        ),
    },
)

# -- unregistration and what is remembered of eligible leader replicas ----------------------------------------------------
_REMOVING = _slice(
    "kraft_removal",
    REGISTRATION.name,
    UNREGISTRATION.name,
    HEARTBEAT.name,
    TOPICS.name,
    CONFIGURATIONS.name,
    # Where the index haunts every broker nobody can register any more, and nothing else is left to happen (D6c).
    ends=True,
    unclaimed=(*_NEVER_HERE, "P5", "P13b", "W2", "C2"),
    bounds={
        "removal": (
            "two brokers that shut down and are unregistered, while the topic's minimum changes and the topic goes",
            _NEW & _at_home(2),
            {
                **_LIFE,
                "RegisterBroker": _HOME & _STRAIGHT & _in_order(2),
                "Heartbeat": off.is_(log_end) & ~want_fence,
                "AlterTopicMinInsync": size.is_(Threshold(1)) & ~deletes & valid & permitted & ~dry,
                "AlterTopicUnclean": ~valid,
                "AlterClusterMinInsync": ~valid,
                "AlterClusterUnclean": ~valid,
                "AlterConfig": ~valid,
            },
            {"Broker": 2, "offset": 2, "leader_epoch": 2, "partition_epoch": 2},
        ),
    },
)

# -- configurations ----------------------------------------------------------------------------------------------------
_TOPIC_NAME, _MINIMUM = _the(0, NAME), _the(1, NAME)
_ONLY_TOPICS = (
    ~sets_min & ~drops_min & to_size.is_(Threshold(2)) & ~sets_unclean & ~drops_unclean & ~to_switch
)  # the cluster's values change by rows of their own here
_CONFIGURING = _slice(
    "kraft_configurations",
    REGISTRATION.name,
    HEARTBEAT.name,
    ELECTIONS.name,
    TOPICS.name,
    GROWTH.name,
    CONFIGURATIONS.name,
    SEVERAL.name,
    unclaimed=(*_NEVER_HERE, "P5", "P7s", "P13b", "P18", "P18d", "W2", "C2"),
    bounds={
        "configurations": (
            "one broker, a topic that gets a second partition, a setting of the topic and the minimum of the broker",
            _NEW
            & _at_home(1)
            & forall(p, index[p].is_(when(p.is_(_the(0, PARTITION)), _the(0, INDEX), _the(1, INDEX))))
            & adds[_the(1, PARTITION)]
            & ~adds[_the(0, PARTITION)]
            & forall(s, resource_type[s].is_(when(s.is_(_the(0, SETTING)), _the(2, LEVEL), _the(4, LEVEL))))
            & forall(s, resource[s].is_(_TOPIC_NAME) & key[s].is_(_MINIMUM) & ~asks[s])
            & min_insync_key.is_(_MINIMUM)
            & forall(n, min_asked[n] & unclean_asked[n] & unclean_to[n] & min_to[n].is_(Threshold(2)))
            & forall(n, min_away[n].is_(unclean_away[n]) & (n.is_(_MINIMUM)).implies(min_away[n]))
            & forall(s, away[s]),
            {
                **_LIFE,
                "RegisterBroker": _HOME & _STRAIGHT & _once(1),
                "Heartbeat": off.is_(log_end) & ~want_down,
                "CreateTopic": ~manual & ~has_smallest & ~has_allows & n.is_(_TOPIC_NAME),
                "AlterTopicMinInsync": n.is_(_TOPIC_NAME),
                "AlterTopicUnclean": n.is_(_TOPIC_NAME) & switch,
                "AlterClusterMinInsync": size.is_(Threshold(2)),
                "AlterClusterUnclean": switch,
                "AlterConfigs": _ONLY_TOPICS,
            },
            {"Broker": 1, "Directory": 2, "Partition": 2, "index": 1, "Name": 2, "Setting": 2, "offset": 0,
             "leader_epoch": 1, "partition_epoch": 1, "size": 2},
        ),
    },
)  # fmt: skip

# -- the cluster as a whole --------------------------------------------------------------------------------------------
_OTHER = _the(2, FEATURE)


def _range(number: int, low: int, high: int) -> Term[bool]:
    one = _the(number, RANGE)
    return range_feature[one].is_(_the(number, FEATURE)) & lowest[one].is_(low) & highest[one].is_(high)


_ALL_OR_OLD = any_of(told.is_(those(r, TRUE)), told.is_(just(some(_the(0, RANGE)))))
_CLUSTER = _slice(
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
            mv.is_(0)
            & elr_level.is_(0)
            & _at_home(1)
            & metadata_version.is_(_the(0, FEATURE))
            & elr_version.is_(_the(1, FEATURE))
            & _range(0, 7, _NEWEST)
            & _range(1, 0, 1)
            & _range(2, 0, 1)
            & forall(f, gives_level[f].is_(f.is_(_OTHER)) & asked_level[f].is_(1)),
            {
                "RegisterBroker": _HOME & tells_epoch & previous.is_(epoch[b]) & same_cluster & ~migrates & _ALL_OR_OLD,
                "RegisterController": _ALL_OR_OLD,
                "Activate": any_of(mv_level.is_(7), mv_level.is_(23)) & elr_target.is_(1) & static_min.is_(Threshold(1)),
                "LoseActivation": mv_level.is_(23),
                "UpdateFeature": any_of(to.is_(0), to.is_(1), to.is_(23), to.is_(_NEWEST)) & static_min.is_(Threshold(1)),
                "Idle": later.is_(log_end + 1),
            },
            {"Broker": 1, "Directory": 2, "Feature": 3, "Range": 3, "offset": 1, "producer_id": 2000, "size": 1,
             "leader_epoch": 0, "partition_epoch": 0},
        ),
    },
)  # fmt: skip

# -- everything at once ------------------------------------------------------------------------------------------------
_UNASSIGNED, _MIGRATING, _LOST, _ELSEWHERE = (_directory(n) for n in range(4))
_VERSION, _ELR = _the(0, FEATURE), _the(1, FEATURE)
_FEATURES_APART = (
    metadata_version.is_(_VERSION)
    & elr_version.is_(_ELR)
    & _range(0, 0, _NEWEST)
    & _range(1, 0, 1)
    & unassigned.is_(_UNASSIGNED)
    & migrating.is_(_MIGRATING)
    & lost_directory.is_(_LOST)
)


def _homes_after(first: int, brokers: int) -> Term[bool]:
    return all_of(*(home[_broker(n)].is_(_directory(first + n)) for n in range(brokers)))


_PLAIN = valid & permitted & ~dry & ~deletes
_WHOLE = {
    "RegisterBroker": _HOME & _STRAIGHT & (i.is_(_ONCE) | registered[b] & incarnation[b].is_(some(_ONCE))),
    "CreateTopic": ~manual & ~has_smallest & ~has_allows,
    "Heartbeat": off.is_(log_end),
    "OfflineDirectories": reported_dirs.is_(just(some(home[b]))),
    "CordonedDirectories": reported_dirs.is_(nobody(DIRECTORY)),
    "AssignReplicasToDirs": assigner_epoch.is_(epoch[b]),
    "UpdateFeature": f.is_(elr_version) & static_min.is_(Threshold(1)) & (to.is_(1) & way.is_(Direction.UPGRADE) | to.is_(0) & way.is_(Direction.SAFE_DOWNGRADE)),
    "AlterTopicMinInsync": _PLAIN & size.is_(Threshold(2)),
    "AlterTopicUnclean": _PLAIN & switch,
    "AlterClusterMinInsync": FALSE,
    "AlterClusterUnclean": FALSE,
    "AlterConfig": FALSE,
}
_EVERYTHING = _slice(
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
        "everything": (
            "one broker whose only directory may fail, and all that can happen to its only partition",
            _FEATURES_APART & mv.is_(_NEWEST) & elr_level.is_(0) & _homes_after(4, 1) & forall(p, assigns[p] & assigned[p].is_(_ELSEWHERE)) & forall(s, resource[s].is_(_the(0, NAME)) & key[s].is_(_the(0, NAME)) & asked[s].is_(_the(0, VALUE))) & min_insync_key.is_(_the(0, NAME)),
            _WHOLE,
            {"Broker": 1, "Directory": 5, "Feature": 2, "Range": 2, "Incarnation": 2, "offset": 1, "leader_epoch": 2, "partition_epoch": 3},
        ),
    },
)  # fmt: skip

# -- partitions added ----------------------------------------------------------------------------------------------------
_EARLIER = p.is_(_the(0, PARTITION))
_BEFORE = KRAFT.but(
    "CT3",
    effects=(TOPIC_RECORD(t, name=n), every(p, topic[p].is_(t) & ~adds[p], born(p, t))),
    name="kraft",
    why="a bound has so many partitions, and creation leaves those for later that the other request adds",
)
_GROWING = _slice(
    "kraft_growth",
    REGISTRATION.name,
    HEARTBEAT.name,
    TOPICS.name,
    GROWTH.name,
    of=_BEFORE,
    unclaimed=(*_NEVER_HERE, "P5", "P7s", "P13b", "P18", "P18d", "W2", "W4", "W5"),
    bounds={
        "growth": (
            "two brokers, the second of which may be fenced when a topic gets its second partition there",
            _NEW
            & _at_home(2)
            & forall(p, index[p].is_(when(_EARLIER, _the(0, INDEX), _the(1, INDEX))) & adds[p].is_(~_EARLIER))
            & forall(p, placed[p].is_(when(_EARLIER, only(some(_broker(0))), only(some(_broker(1)))))),
            {
                **_LIFE,
                "RegisterBroker": _HOME & _STRAIGHT & _once(2),
                "Heartbeat": off.is_(log_end) & ~want_down & want_fence.implies(b.is_(_broker(1))),
                "CreateTopic": ~manual & ~has_smallest & ~has_allows,
            },
            {"Broker": 2, "Partition": 2, "index": 1, "offset": 1, "leader_epoch": 1, "partition_epoch": 1},
        ),
    },
)

SLICES = declaring((EXPLORED, _REASSIGNING, _DIRECTORIES, _REMOVING, _CONFIGURING, _CLUSTER, _EVERYTHING, _GROWING), *NOT_FOR)
"""The slices, the one of brokers and partitions first. The first bound of each is small enough for every run."""
