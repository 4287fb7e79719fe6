"""Properties of the ZooKeeper era about its notifications: LeaderAndIsr, StopReplica and UpdateMetadata go into the send queues."""

from __future__ import annotations

from fencepost.model.language.vocabulary import *

from .state import *
from .written import ELECTIONS
from .znodes import online, reachable

_STOPPED = ("ZR4k", "ZR4s", "ZR4x", "ZR4c", "ZR4i", "ZR4")
_kept = ~deleting[c, topic[p]]


def hear(brokers: Term[frozenset[Broker]]) -> Term[bool]:
    """LeaderAndIsr of the partition is on its way to all of these."""
    return brokers <= next_(told[c, p])


MESSAGES: tuple[Property, ...] = (
    result_step(
        "ZI29",
        hear(members(assigned[c, p]) & online(c, p)),
        "Every replica that is online hears of a leader that was elected at creation, or since another was lost.",
        "S4:22,25",
        rows=("ZP2", "ZP3o", "ZP3u"),
    ),
    result_step(
        "ZI29a",
        hear(members(aim[c])),
        "The replicas of the target hear of the leader that a reassignment makes.",
        "S4:26",
        rows=("ZP3r",),
    ),
    result_step(
        "ZI29p",
        hear(members(assigned[c, p])),
        "All replicas hear of a preferred election, and of the leader epochs of a reassignment.",
        "S4:27,86,91",
        rows=("ZP3p", "ZC5A1", "ZC5B3k"),
    ),
    result_step(
        "ZI29d",
        hear(members(assigned[c, p]) & reachable(c, p)),
        "Every live replica hears who leads after a controlled shutdown, the one that shuts down too.",
        "S4:28, KAFKA-7482",
        rows=("ZP3d",),
    ),
    result_step("ZI29n", knows[c, p].implies(hear(just(r))), "A new replica hears who leads.", "S4:46", rows=("ZR1",)),
    result_step(
        "ZI29i",
        _kept.implies(hear(members(assigned[c, p]) - just(r))),
        "The other replicas are notified that one is Offline.",
        "S4:53, KAFKA-1188",
        rows=("ZR4i", "ZR4"),
    ),
    result_step(
        "ZI29s",
        r.in_(next_(stopped[c, p])),
        "A replica that goes Offline is sent StopReplica, even where nothing can be written.",
        "S4:52",
        rows=_STOPPED,
    ),
    result_step(
        "ZI29e",
        r.in_(next_(erased[c, p])),
        "A replica whose deletion begins is sent a StopReplica that deletes its log.",
        "S4:55",
        rows=("ZR5",),
    ),
    result_step(
        "ZI29k",
        next_(stop_epoch[c, p, r]).is_(when(_kept, cached_leader_epoch[c, p], Lit(-1, LEADER_EPOCH))),
        "A StopReplica names the leader epoch; for a topic that is deleted, any.",
        "KIP-570",
        rows=(*_STOPPED, "ZR5"),
    ),
    result_step(
        "ZI29m",
        live[c] <= next_(informed[c]),
        "All live brokers hear of every leader and ISR that is written, and of the end of a failure, of a reassignment and of a deletion's partitions.",
        "S4:22,29,53,96",
        rows=("ZP2", *ELECTIONS, "ZC5A1", "ZC5B3k", "ZC10", "ZR4k", "ZC2e", "ZC5B8", "ZC9d"),
    ),
    result_step(
        "ZI29r",
        (knows[c, p] & _kept).implies(live[c] <= next_(informed[c])),
        "All live brokers hear of replicas that are New, Online or Offline.",
        "S4:46,50,53",
        rows=("ZR1", "ZR3", "ZR4i", "ZR4"),
    ),
    result_step(
        "ZI29u",
        next_(live[c]) <= next_(informed[c]),
        "Brokers that started, and all when a controller begins, hear of all partitions.",
        "S4:78, KAFKA-4443",
        rows=("ZC4n", "ZC2r", "ZC0"),
    ),
)
