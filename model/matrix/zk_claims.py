"""Guarantees of the matrix that the ZooKeeper-era tables do not claim themselves."""

from __future__ import annotations

from fencepost.model.language import Property, Term, absent, always, definition, empty, exists, forall, leads_to, some
from fencepost.model.zk.state import *


@definition
def in_office(c: Term[Controller]) -> Term[bool]:
    """The controller is that of the newest epoch, and has no operation in progress."""
    return acting[c] & session[c] & own_epoch[c].is_(controller_epoch) & call[c].is_(Call.IDLE) & empty(returning[c])


@definition
def serves(b: Term[Broker], p: Term[Partition]) -> Term[bool]:
    """The broker's process is there, and acts as leader."""
    return alive[b] & leads[b, p]


@definition
def left_behind(b: Term[Broker], p: Term[Partition]) -> Term[bool]:
    """The broker serves a partition that another broker leads by ZooKeeper."""
    return serves(b, p) & leader[p].isnt(b)


@definition
def missed(b: Term[Broker]) -> Term[bool]:
    """The controller in ZooKeeper takes a broker for live whose znode is gone."""
    return ~alive[b] & exists(c, elected.is_(some(c)) & acting[c] & b.in_(live[c] | shutting_down[c]))


ZK_CLAIMS: tuple[Property, ...] = (
    always(
        "M1",
        forall(
            c,
            forall(
                q,
                (in_office(c) & knows[c, q]).implies(
                    absent(cached_leader[c, q]) | cached_leader[c, q].in_(live[c] | shutting_down[c])
                ),
            ),
        ),
        "The controller names no broker as leader that it considers dead, once it has handled the death.",
        "S4:71-74",
    ),
    always(
        "M3",
        forall(p, forall(x, forall(y, (serves(x, p) & serves(y, p)).implies(x.is_(y))))),
        "No two brokers act as leader of a partition.",
        "S4:12",
        expected="violated",
    ),
    leads_to(
        "M4",
        exists(b, exists(p, left_behind(b, p))),
        ~exists(b, exists(p, left_behind(b, p))),
        ("NextCall", "PartitionState", "ReplicaState", "BrokerChange"),
        "A broker that is not notified that it no longer leads stops by itself.",
        "S0:18",
        expected="violated",
    ),
    leads_to(
        "M9",
        exists(b, missed(b)),
        ~exists(b, missed(b)),
        (
            "NextCall",
            "PartitionState",
            "ReplicaState",
            "BrokerChange",
            "BouncedStartup",
            "Elect",
            "SessionExpired",
            "ControllerChange",
        ),
        "A broker that dies is noticed, and its partitions are led by others where that can be.",
        "S4:71-74",
    ),
)
