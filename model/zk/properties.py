"""Properties of the ZooKeeper era (ZI1 to ZI16): its writes, its two state machines, its operations, and its requests."""

from __future__ import annotations

from fencepost.model.language.vocabulary import *

from . import partitions as partition_machine
from . import replicas as replica_machine
from .alter import wanted
from .reassignment import targets
from .state import *
from .written import ELECTIONS, STATE_WRITERS, changes_leader, stays_stated
from .znodes import fenced


@definition
def newest(c: Term[Controller]) -> Term[bool]:
    """No other controller was elected since: the controller has the newest epoch, and has cached what ZooKeeper holds."""
    return acting[c] & own_epoch[c].is_(controller_epoch)


_OBEYED = ("LI3", "LI4", "LI5", "SR3", "SR4", "SD3", "SD4", "UM3")
_forgets = call[c].is_(Call.DELETE_REPLICAS_GONE) | call[c].is_(Call.DELETE_ZNODES)
_altered = changes_leader | next_(isr[p]).isnt(isr[p])

WRITES = (
    result_step(
        "ZI1",
        forall(p, next_(version[p]).isnt(version[p]).implies(next_(written_in[p]).is_(next_(controller_epoch)))),
        "Every write of a state znode is one of the controller whose epoch is in /controller_epoch.",
        "KAFKA-6082",
    ),
    result_step(
        "ZI1w",
        ~fenced(c),
        "A controller that writes a state znode or a topic znode has its session, and no other controller was elected since.",
        "KAFKA-6082",
        rows=(*STATE_WRITERS, "ZC5U", "ZC5B6", "ZC9"),
    ),
    result_step("ZI1e", next_(controller_epoch) >= controller_epoch, "The controller epoch never goes back.", "S4:107"),
    always(
        "ZI2",
        forall(p, stated[p].implies(absent(leader[p]) | leader[p].in_(isr[p]))),
        "The leader in the state znode is none or in its ISR.",
        "S4:20-28",
    ),
    always(
        "ZI2r",
        forall(p, forall(x, (stated[p] & x.in_(isr[p])).implies(x.in_(replicas[p])))),
        "The ISR is within the replicas that ZooKeeper lists: not while a changed reassignment drops replicas in sync.",
        "KAFKA-9672",
        expected="violated",
        finding="Z15",
    ),
    always(
        "ZI2m",
        forall(
            c,
            forall(
                p,
                forall(
                    x,
                    (
                        acting[c] & ~fenced(c) & knows[c, p] & ~(about[c, p] & _forgets) & x.in_(cached_isr[c, p])
                    ).implies(x.in_(assigned[c, p])),
                ),
            ),
        ),
        "The ISR is within the replicas that the controller has cached: not while a reassignment drops replicas.",
        "KAFKA-6638",
        expected="violated",
        finding="Z15",
    ),
    result_step(
        "ZI3",
        forall(p, (stays_stated & _altered).implies(next_(version[p]).is_(version[p] + 1))),
        "Every change of leader or ISR raises the version by one.",
        "KIP-497",
    ),
    result_step(
        "ZI3e",
        forall(p, (stays_stated & changes_leader).implies(next_(leader_epoch[p]) > leader_epoch[p])),
        "Every change of the leader raises the leader epoch.",
        "KAFKA-9212",
    ),
    result_step(
        "ZI3c",
        next_(leader_epoch[p]).is_(leader_epoch[p] + 1) & next_(version[p]).is_(version[p] + 1),
        "Every change that the controller makes raises the leader epoch by one.",
        "KAFKA-9212",
        rows=(*ELECTIONS, "ZR4", "ZC5A1", "ZC5B3k"),
    ),
    result_step(
        "ZI3a",
        next_(leader_epoch[p]).is_(leader_epoch[p])
        & next_(leader[p]).is_(leader[p])
        & next_(version[p]).is_(version[p] + 1),
        "An ISR change that the leader asks for keeps leader and leader epoch, and raises the version.",
        "KIP-497",
        rows=("ZC10",),
    ),
    result_step(
        "ZI3n",
        next_(leader_epoch[p]).is_(0) & next_(version[p]).is_(0),
        "A state znode begins with leader epoch 0 and version 0.",
        "S4:22",
        rows=("ZP2",),
    ),
    always("ZI4", forall(p, stated[p].implies(~empty(isr[p]))), "The ISR is never empty.", "KAFKA-5083"),
    result_step(
        "ZI7",
        present(next_(leader[p])) & next_(leader[p]).in_(isr[p]),
        "Whom a clean election chooses was in the ISR before.",
        "S4:27-28",
        rows=("ZP3o", "ZP3r", "ZP3p", "ZP3d"),
    ),
    result_step(
        "ZI7u",
        forall(
            p,
            (stays_stated & changes_leader & next_(present(leader[p]))).implies(
                next_(leader[p]).in_(isr[p]) | next_(recovering[p])
            ),
        ),
        "A leader from outside the ISR is marked as recovering.",
        "KIP-704",
    ),
    always(
        "ZI11",
        forall(
            p, forall(x, forall(y, (leads[x, p] & leads[y, p] & applied[x, p].is_(applied[y, p])).implies(x.is_(y))))
        ),
        "No two brokers act as leader of a partition in one leader epoch.",
        "S4:12-14",
    ),
    result_step(
        "ZI11w",
        forall(
            p, (stated[p] & changes_leader).implies(next_(leader_epoch[p]).isnt(leader_epoch[p]) | ~next_(stated[p]))
        ),
        "No leader epoch is given to two leaders.",
        "S4:12-14",
    ),
)

_was, _becomes = partition_state[c, p], next_(partition_state[c, p])
_replica_was, _replica_becomes = replica_state[c, p, x], next_(replica_state[c, p, x])
_remembers = acting[c] & next_(acting[c])
_NEW, _ONLINE = literal(PartitionState.NEW), literal(PartitionState.ONLINE)
STATES = (
    result_step(
        "ZI8",
        forall(c, forall(p, _remembers.implies(_becomes.is_(_was) | partition_machine.legal(_was, _becomes)))),
        "Partitions change their state only as the state machine allows.",
        "S4:17-33",
    ),
    result_step(
        "ZI8r",
        forall(
            c,
            forall(
                p,
                forall(
                    x,
                    _remembers.implies(
                        _replica_becomes.is_(_replica_was) | replica_machine.legal(_replica_was, _replica_becomes)
                    ),
                ),
            ),
        ),
        "Replicas change their state only as the state machine allows.",
        "S4:43-55",
    ),
    always(
        "ZI15",
        forall(
            c,
            forall(
                p,
                (acting[c] & ~fenced(c) & partition_state[c, p].is_(_NEW)).implies(
                    ~empty(assigned[c, p]) & ~knows[c, p]
                ),
            ),
        ),
        "A controller that may write has replicas for a New partition, and neither a leader nor an ISR.",
        "S4:12",
    ),
    result_step(
        "ZI15o",
        forall(
            c,
            forall(
                p,
                (_becomes.is_(_ONLINE) & _was.isnt(_ONLINE)).implies(
                    next_(present(leader[p]))
                    & (next_(version[p]).is_(version[p] + 1) | (~acting[c] & leader[p].in_(next_(live[c]))))
                ),
            ),
        ),
        "A partition enters Online only with a leader that was just written, or at startup with a live one.",
        "S4:12-15",
    ),
    result_step(
        "ZI16",
        forall(
            c,
            forall(
                p,
                forall(
                    x,
                    (x.in_(next_(told[c, p])) & ~x.in_(told[c, p]) & _replica_becomes.is_(ReplicaState.NEW)).implies(
                        next_(cached_leader[c, p]).isnt(some(x))
                    ),
                ),
            ),
        ),
        "A New replica is only made a follower.",
        "S4:38",
        expected="violated",
        finding="ZI16",
    ),
)

_listed, _will_be_listed = x.in_(replicas[p]), x.in_(next_(replicas[p]))
OPERATIONS = (
    always(
        "ZI6",
        forall(
            p,
            forall(
                x,
                (x.in_(adding[p]) | x.in_(removing[p])).implies(
                    exists_[p] & x.in_(replicas[p]) & ~(x.in_(adding[p]) & x.in_(removing[p]))
                ),
            ),
        ),
        "Who is added and who is removed by a reassignment are different replicas, and listed until it ends.",
        "S4:106",
    ),
    always(
        "ZI6t",
        forall(p, exists_[p].implies(exists(x, x.in_(replicas[p]) & ~x.in_(removing[p])))),
        "A replica stays, so that every controller can continue towards the target.",
        "S4:106",
    ),
    result_step(
        "ZI6k",
        forall(
            p,
            forall(
                x,
                (exists_[p] & next_(exists_[p]) & _listed & ~x.in_(adding[p]) & ~_will_be_listed).implies(
                    x.in_(removing[p]) & empty(next_(adding[p])) & empty(next_(removing[p]))
                ),
            ),
        ),
        "A replica from before the reassignment is struck off the list only at its end.",
        "S4:106",
    ),
    result_step(
        "ZI6e",
        forall(x, _will_be_listed.is_(_listed & ~x.in_(removing[p]))),
        "At its end a reassignment leaves the target on the list, all of it and no other broker.",
        "S4:93",
        rows=("ZC5B6",),
    ),
    result_step(
        "ZI6s",
        forall(x, (_listed & ~_will_be_listed).implies(replica_state[c, p, x].is_(ReplicaState.NONEXISTENT))),
        "A replica that is removed from the list was sent StopReplica before.",
        "S4:91-93",
        rows=("ZC5B6",),
    ),
    result_step(
        "ZI9",
        forall(
            c,
            forall(
                p,
                forall(
                    x,
                    (x.in_(next_(erased[c, p])) & ~x.in_(erased[c, p])).implies(
                        deleting[c, topic[p]] | ~x.in_(assigned[c, p])
                    ),
                ),
            ),
        ),
        "A replica is deleted only if its topic is queued for deletion, or if it is not among the replicas any more.",
        "S4:92-93",
    ),
    result_step(
        "ZI9c",
        (~fenced(c) & ~empty(cached_removing[c, p])).implies(members(targets(c, p)) <= isr[p]),
        "Replicas are removed only when the whole target is in the ISR.",
        "S4:87",
        rows=("ZC5B2",),
    ),
)

REQUESTS = (
    result_step(
        "ZI5",
        own_epoch[c] >= heard[b],
        "A broker obeys no request with a smaller controller epoch than it has seen.",
        "ReplicaManager.becomeLeaderOrFollower",
        rows=_OBEYED,
    ),
    result_step(
        "ZI5p",
        known_epoch[c, b] >= broker_epoch[b],
        "A broker obeys no request that was meant for its former process.",
        "KIP-380",
        rows=_OBEYED,
    ),
    result_step(
        "ZI5l",
        forall(
            x,
            forall(
                p,
                (next_(applied[x, p]) > applied[x, p])
                | next_(applied[x, p]).is_(applied[x, p])
                | next_(applied[x, p]).is_(-1),
            ),
        ),
        "What a broker applies of a partition has a larger leader epoch than what it had, until it is sent StopReplica.",
        "ReplicaManager.becomeLeaderOrFollower",
    ),
    result_step(
        "ZI5a",
        cached_leader_epoch[c, p] > applied[b, p],
        "A broker applies no LeaderAndIsr with a leader epoch that is not above its own.",
        "ReplicaManager.becomeLeaderOrFollower",
        rows=("LI4", "LI5"),
    ),
    result_step(
        "ZI10",
        forall(x, x.in_(returning[c]).implies(x.in_(next_(live[c])) & next_(known_epoch[c, x]).is_(broker_epoch[x])))
        & forall(q, forall(x, (x.in_(returning[c]) & x.in_(assigned[c, q])).implies(x.in_(next_(due_replicas[c, q]))))),
        "A broker that bounced is started up under its new epoch, with every replica that it has.",
        "KIP-380",
        rows=("ZC2r",),
    ),
    result_step(
        "ZI10t",
        knows[c, p].implies(r.in_(next_(told[c, p]))),
        "A replica that goes Online after its broker came is sent the leader.",
        "S4:79",
        rows=("ZR3",),
    ),
)

PROPERTIES: tuple[Property, ...] = (*WRITES, *STATES, *OPERATIONS, *REQUESTS)

ASSUMPTIONS: tuple[Assumption, ...] = (
    assume(
        "ZA1",
        wanted <= members(replicas[p]),
        "A leader proposes only replicas: it received them with the leader epoch under which it asks.",
        "KIP-497",
        event="AlterPartition",
    ),
    assume(
        "ZA2",
        absent(leader[p]) | leader[p].in_(wanted),
        "A leader never asks to leave the ISR itself.",
        "KIP-497",
        event="AlterPartition",
    ),
)
