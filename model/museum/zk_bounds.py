"""Where the entries of the ZooKeeper era are searched: slices of the tables, and what a search assumes of the world.

A search begins as a cluster does: brokers register in the order of their ids, the topic is created, candidates open their
sessions, the first of them is elected. What fails after that is what the entry lets fail.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from fencepost.model.language.vocabulary import *
from fencepost.model.zk import ZK
from fencepost.model.zk.alter import (
    ALTER_PARTITION,
    from_epoch,
    from_leader_epoch,
    from_version,
    wanted,
    wants_recovering,
)
from fencepost.model.zk.deletion import DELETION
from fencepost.model.zk.operations import BROKER_CHANGES, CREATION, ELECTIONS, FAILOVER, target
from fencepost.model.zk.partitions import PARTITIONS
from fencepost.model.zk.reassignment import REASSIGNMENT
from fencepost.model.zk.replicas import REPLICAS
from fencepost.model.zk.requests import REQUESTS
from fencepost.model.zk.sessions import BROKERS_TABLE, SESSIONS, czxid
from fencepost.model.zk.state import *

from .entry import Expected

T = TypeVar("T")


def entity(number: int, of: Kind[T]) -> Term[T]:
    """Return an entity of a bound by its number."""
    return Lit(number, of)  # type: ignore[arg-type]


def listed(*brokers: int) -> Term[tuple[Broker, ...]]:
    """Return the list of brokers with these numbers."""
    found: Term[tuple[Broker, ...]] = nothing(BROKER)
    for number in brokers:
        found = then(found, only(entity(number, BROKER)))
    return found


def among(term: Term[tuple[Broker, ...]], *lists: tuple[int, ...]) -> Term[bool]:
    """Return that a list is one of these."""
    return any_of(*(term.is_(listed(*one)) for one in lists))


FIRST, SECOND = entity(0, CONTROLLER), entity(1, CONTROLLER)
all_alive = forall(x, alive[x])
settled = forall(c, call[c].is_(Call.IDLE)) & forall(p, exists_[p].implies(stated[p])) & (controller_epoch > 0)
"""No operation is under way, every partition has had a leader: faults strike then, where an entry says no more."""

SIZES = {
    "Broker": 2, "Controller": 1, "Partition": 1, "Topic": 1, "controller epoch": 1, "broker epoch": 1, "leader epoch": 2,
    "version": 2,
}  # fmt: skip
"""The sizes of a search; an entry says what it needs more of."""

HONEST = (
    leader[p].is_(b)
    & b.in_(wanted)
    & from_epoch.is_(broker_epoch[b])
    & from_leader_epoch.is_(leader_epoch[p])
    & from_version.is_(version[p])
    & ~wants_recovering
)
"""Requests of a partition's leader: itself in the ISR, under the epochs that it has."""

CREATED = all_alive & controller_epoch.is_(0)
"""When topics are created: before there is a controller, which finds them when it starts."""
CREATED_LATER = target.is_(ascending(those(x, TRUE))) & forall(c, call[c].is_(Call.IDLE)) & (controller_epoch > 0)
_next_session = head(ascending(those(c, ~session[c])))
WORLD: dict[str, Term[bool]] = {
    "CreateTopic": target.is_(ascending(those(x, TRUE))) & CREATED,
    "RegisterBroker": controller_epoch.is_(0) & czxid.is_(1) & some(b).is_(head(ascending(those(x, ~alive[x])))),
    "RegisterAgain": FALSE,
    "BrokerGone": FALSE,
    "SessionEstablished": controller_epoch.is_(0) & forall(p, exists_[p]) & some(c).is_(_next_session),
    "SessionExpired": FALSE,
    "Crash": FALSE,
    "DeleteController": FALSE,
    "ControllerChange": FALSE,
    "Elect": forall(c, session[c]) & controller_epoch.is_(0).implies(c.is_(FIRST)),
    "ReplicaState": some(r).is_(head(ascending(due_replicas[c, p]))),
    "AlterPartition": FALSE,
    "ElectLeaders": FALSE,
    "ElectLeadersUnclean": FALSE,
    "ControlledShutdown": FALSE,
    "AlterReassignment": FALSE,
    "CancelReassignment": FALSE,
    "ZkReassignment": FALSE,
    "StopReplica": FALSE,
    "StopReplicaDelete": FALSE,
    "LeaderAndIsr": FALSE,
    "UpdateMetadata": FALSE,
    "QueueTopicDeletion": FALSE,
    "HoldDeletion": FALSE,
    "ReleaseDeletion": FALSE,
    "ReplicaNotDeleted": FALSE,
}
"""Default assumptions of a search about each event."""
CLEAN = forall(t, ~unclean[t])
"""No topic allows unclean elections."""
TAKES_TURNS = forall(c, session[c] | (controller_epoch > 0)) & c.is_(when(controller_epoch.is_(0), FIRST, SECOND))
"""The first candidate is elected, then the second one."""
REMOVED_ONCE = {"DeleteController": settled & controller_epoch.is_(1), "Elect": TAKES_TURNS}
"""An operator deletes /controller, and the second candidate takes over; the first one does not know yet."""
LATE_TOPIC = {
    "CreateTopic": CREATED_LATER,
    "SessionEstablished": all_alive & some(c).is_(_next_session),
    "Elect": controller_epoch.is_(0),
}
"""The topic is created by a controller that is there already."""


def found(
    property: str,
    length: int,
    row: str,
    given: Mapping[str, Term[bool]] | None = None,
    start: Term[bool] = CLEAN,
    **sizes: int,
) -> Expected:
    """Return what a search finds: the property that falls, after how many rows, the last of them, and what it assumes."""
    larger = {name.replace("_", " "): size for name, size in sizes.items()}
    return Expected(property, length, "smallest", {**SIZES, **larger}, row, start, {**WORLD, **(given or {})})


_CORE = (
    PARTITIONS.name,
    REPLICAS.name,
    SESSIONS.name,
    BROKERS_TABLE.name,
    CREATION.name,
    BROKER_CHANGES.name,
    FAILOVER.name,
)
_ANSWERS: tuple[Any, ...] = (heard, applied, leads, follows, hosts, sees, leader_in)
_MESSAGES: tuple[Any, ...] = (told, stopped, erased, informed)


def _slice(name: str, *tables: str, forget: tuple[Any, ...] = ()) -> Protocol:
    part = ZK.slice(*_CORE, *tables, name=f"zk_{name}", properties=())
    events = {event.name for event in part.events}
    given = {event: term for event, term in WORLD.items() if event in events}
    bound = Bound(SIZES, CLEAN, given, "as little as a historical defect needs")
    return part.slice(
        *(one.name for one in part.tables), name=part.name, bounds={"smallest": bound}, properties=()
    ).forgetting(*forget)


FAILURES = _slice("failures", ALTER_PARTITION.name, ELECTIONS.name, forget=(*_ANSWERS, *_MESSAGES))
"""Failures, elections and what leaders ask for; what brokers do is left out."""
TOLD = _slice("told", ELECTIONS.name, forget=(*_ANSWERS, stopped, erased, informed))
"""The same with LeaderAndIsr on its way."""
MOVES = _slice("moves", ALTER_PARTITION.name, ELECTIONS.name, REASSIGNMENT.name, forget=(*_ANSWERS, *_MESSAGES))
"""With reassignments."""
DELETIONS = _slice("deletions", DELETION.name, forget=(*_ANSWERS, *_MESSAGES))
"""With the deletion of topics."""
HEARD = _slice("heard", ELECTIONS.name, REQUESTS.name, forget=(leader_in,))
"""With what brokers do with requests."""
