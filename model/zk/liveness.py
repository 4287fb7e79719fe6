"""Liveness properties of the ZooKeeper era (ZI12 to ZI14), under weak fairness of events that nothing holds up.

Fair is what the protocol itself does: ZooKeeper grants sessions, candidates stand for election, the event thread takes its
events and goes on, brokers answer, and the leader of a partition asks for the ISR that it sees. Failures are not fair: a
bound allows so many of them, and its last controller stays. A claim is of all partitions at once: whenever some wait, a
time comes when none does.
"""

from __future__ import annotations

from fencepost.model.language.vocabulary import *

from .state import *

RUNNING = (
    "SessionTimedOut", "SessionEstablished", "ControllerChange", "Elect", "TopicChange", "BrokerChange", "BouncedStartup",
    "NextCall", "PartitionState", "ReplicaState",
)  # fmt: skip
"""The events by which a controller comes to be and does its work."""

REASSIGNING = (
    *RUNNING, "ResumeReassignment", "UpdateAssignment", "UpdateLeaderEpoch", "ReassignmentPhase", "AlterPartition",
)  # fmt: skip
"""The same, with those of a reassignment, and the leader that asks for the ISR."""

DELETING = (
    *REASSIGNING, "TopicDeletion", "ResumeDeletion", "RetryDeletion", "ReleaseDeletion", "ReplicaDeleted", "CompleteDeletion",
    "DeleteTopicZnodes",
)  # fmt: skip
"""The same, with those of a deletion, and the brokers that answer."""


@definition
def usable(p: Term[Partition]) -> Term[frozenset[Broker]]:
    """The brokers that are live, and have the directory of their replica as far as the controller knows."""
    return those(x, alive[x] & ~exists(c, acting[c] & x.in_(lost[c, p])))


@definition
def stays(p: Term[Partition]) -> Term[bool]:
    """The partition exists, and no deletion of its topic was requested."""
    return exists_[p] & ~queued[topic[p]]


@definition
def served(p: Term[Partition]) -> Term[bool]:
    """The controller has the partition Online, under the leader in ZooKeeper, which is live."""
    return leader[p].in_(usable(p)) & exists(
        c,
        elected.is_(some(c))
        & acting[c]
        & partition_state[c, p].is_(PartitionState.ONLINE)
        & cached_leader[c, p].is_(leader[p]),
    )


@definition
def can_be_led(p: Term[Partition]) -> Term[bool]:
    """Some member of the ISR is live, and has its directory."""
    return stated[p] & ~empty(isr[p] & usable(p))


@definition
def underway(p: Term[Partition]) -> Term[bool]:
    """ZooKeeper has a reassignment of the partition, all targets of which are live."""
    return ~empty(adding[p] | removing[p]) & (members(replicas[p]) - removing[p] <= usable(p))


@definition
def deletable(t: Term[Topic]) -> Term[bool]:
    """The topic is queued for deletion, no reassignment of it runs, and all its replicas are live."""
    return queued[t] & forall(
        p, topic[p].is_(t).implies(empty(adding[p] | removing[p]) & (members(replicas[p]) <= usable(p)))
    )


@definition
def at_work(c: Term[Controller]) -> Term[bool]:
    """The event thread is inside an operation."""
    return acting[c] & session[c] & call[c].isnt(Call.IDLE)


def _passes(
    id: str, some_wait: Term[bool], fair: tuple[str, ...], about: str, source: str, finding: str = ""
) -> LeadsTo:
    return leads_to(
        id, some_wait, ~some_wait, fair, about, source, expected="violated" if finding else "holds", finding=finding
    )


LIVENESS: tuple[LeadsTo, ...] = (
    _passes(
        "ZI12",
        exists(p, stays(p) & can_be_led(p) & ~served(p)),
        RUNNING,
        "A partition with a live member of the ISR becomes Online: not where a changed reassignment stops its leader.",
        "S4:73,80",
        finding="Z24",
    ),
    _passes(
        "ZI13",
        exists(p, stays(p) & can_be_led(p) & underway(p)),
        REASSIGNING,
        "A reassignment ends if its targets stay live, and a replica that can lead does: violated without a leader (Z24).",
        "S4:88-95",
        finding="Z24",
    ),
    _passes(
        "ZI14",
        exists(t, deletable(t)),
        DELETING,
        "A topic that is queued is deleted if all its replicas are live and no reassignment of it runs.",
        "TopicDeletionManager",
    ),
    _passes(
        "ZE1",
        exists(c, at_work(c)),
        RUNNING,
        "An operation that was begun ends: each call comes to all it is about, and each has a row that ends it.",
        "S4:57-124",
    ),
)
