"""Properties that entries of the ZooKeeper era violate: ZI1 to ZI16 in the form in which a search of a small slice shows it."""

from __future__ import annotations

from fencepost.model.language.vocabulary import *
from fencepost.model.zk.alter import wanted
from fencepost.model.zk.operations import asked_epoch, target
from fencepost.model.zk.partitions import how, in_sync
from fencepost.model.zk.state import *
from fencepost.model.zk.znodes import online


@definition
def current(c: Term[Controller]) -> Term[bool]:
    """The controller is that of the newest epoch, and ZooKeeper holds its session."""
    return acting[c] & session[c] & own_epoch[c].is_(controller_epoch)


@definition
def free(c: Term[Controller]) -> Term[bool]:
    """The controller is current, and has no operation in progress."""
    return current(c) & call[c].is_(Call.IDLE)


written = next_(version[p]).isnt(version[p]) & next_(stated[p])

# -- who may write -----------------------------------------------------------------------------------------------------
FENCED = step(
    "ZI1",
    forall(p, written.implies(next_(written_in[p]).is_(controller_epoch))),
    "Every write of a state znode is one of the controller whose epoch is in /controller_epoch.",
    "KAFKA-6082",
)
OWN_EPOCHS = always(
    "ZI1u",
    forall(c, forall(d, (acting[c] & acting[d] & own_epoch[c].is_(own_epoch[d])).implies(c.is_(d)))),
    "No two controllers act under one epoch.",
    "S4:107",
)
CACHE = always(
    "ZI3c",
    forall(
        c,
        forall(
            p,
            (free(c) & knows[c, p]).implies(
                cached_leader[c, p].is_(leader[p])
                & cached_isr[c, p].is_(isr[p])
                & cached_leader_epoch[c, p].is_(leader_epoch[p])
                & cached_version[c, p].is_(version[p])
            ),
        ),
    ),
    "What the controller knows of leaders and ISRs is what ZooKeeper holds.",
    "KAFKA-9212, KAFKA-849",
    AT_RESULT_BOUNDARIES,
)
NEW_LEADER_NEW_EPOCH = step(
    "ZI3",
    forall(
        p,
        (stated[p] & next_(stated[p]) & next_(leader[p]).isnt(leader[p])).implies(
            next_(leader_epoch[p]) > leader_epoch[p]
        ),
    ),
    "Another leader comes with a new leader epoch.",
    "S4:24",
)
IN_ISR = always(
    "ZI2",
    forall(p, stated[p].implies((absent(leader[p]) | leader[p].in_(isr[p])) & (isr[p] <= members(replicas[p])))),
    "A leader is in the ISR, and the ISR within the assigned replicas.",
    "S4:20-28",
)
NEVER_EMPTY = always("ZI4", forall(p, stated[p].implies(~empty(isr[p]))), "The ISR is never empty.", "KAFKA-5083")

# -- who leads ---------------------------------------------------------------------------------------------------------
ELECTIONS = ("ZP3o", "ZP3u", "ZP3r", "ZP3p", "ZP3d")
FROM_ISR = step(
    "ZI7",
    (how.isnt(Strategy.UNCLEAN) & ~unclean[topic[p]]).implies(next_(leader[p]).in_(isr[p])),
    "Without an unclean election a leader comes from the ISR.",
    "S4:25-28",
    rows=ELECTIONS,
)
ONLINE_LEADER = step(
    "ZI15o",
    next_(leader[p]).in_(live[c]),
    "A broker that is made leader is live, as far as the controller knows.",
    "S4:12-14",
    rows=ELECTIONS,
)
FOLLOWERS_FIRST = always(
    "ZI16",
    forall(
        c,
        forall(
            p,
            forall(
                b,
                (acting[c] & b.in_(told[c, p]) & cached_leader[c, p].is_(b)).implies(
                    replica_state[c, p, b].isnt(ReplicaState.NEW)
                ),
            ),
        ),
    ),
    "A replica in NewReplica gets only become-follower.",
    "S4:38",
)
SOMEBODY_LEADS = always(
    "ZI12s",
    forall(
        c,
        forall(
            p,
            (
                free(c)
                & stated[p]
                & partition_state[c, p].is_(PartitionState.ONLINE)
                & ~deleting[c, topic[p]]
                & absent(leader[p])
            ).implies(empty(in_sync(c, p))),
        ),
    ),
    "A partition that is Online has a leader as long as a member of its ISR is online.",
    "S4:12-14",
)
DEAD_LEAVE = always(
    "ZI12d",
    forall(
        c,
        forall(
            p,
            forall(
                b,
                (
                    free(c)
                    & knows[c, p]
                    & ~deleting[c, topic[p]]
                    & b.in_(isr[p])
                    & exists(x, x.in_(isr[p]) & x.isnt(b))
                ).implies(b.in_(live[c])),
            ),
        ),
    ),
    "A dead broker is in no ISR that has other members.",
    "KAFKA-3143",
)
NOT_ALONE = step(
    "ZI12r",
    how.is_(Strategy.SHUTDOWN).implies(exists(x, x.in_(assigned[c, p]) & some(x).isnt(cached_leader[c, p]))),
    "A controlled shutdown asks for another leader only where there is another replica.",
    "S4:121-122",
    rows=("ZP3n",),
)
ONLY_ONLINE_JOIN = step(
    "ZI2j",
    wanted <= online(c, p),
    "A broker that is proposed for the ISR is live and not shutting down.",
    "KAFKA-14140",
    rows=("ZC10",),
)

LIVE_LEADER_STAYS = step(
    "ZI12v",
    (leader[p].is_(r) & r.in_(online(c, p)) & ~deleting[c, topic[p]]).implies(
        exists(x, x.in_(in_sync(c, p)) & x.isnt(r) & x.in_(assigned[c, p]) & ~x.in_(due_replicas[c, p]))
    ),
    "A live leader loses its partition only where another member of the ISR, live and assigned, can lead it.",
    "KAFKA-14424",
    rows=("ZR4",),
)

# -- notifications ----------------------------------------------------------------------------------------------------
NOT_BACK = step(
    "ZI5",
    next_(heard[b]) >= heard[b],
    "A broker obeys no controller older than the newest that it has heard of.",
    "KIP-380",
    rows=("LI3", "LI4", "LI5", "SR3", "SR4", "SD3", "SD4", "UM3"),
)
OWN_PROCESS = step(
    "ZI10p",
    known_epoch[c, b] >= broker_epoch[b],
    "A broker obeys no request that was meant for the process before it.",
    "KIP-380",
    rows=("LI4", "LI5", "SR4", "SD4", "UM3"),
)
OWN_SHUTDOWN = step(
    "ZI10s",
    asked_epoch >= known_epoch[c, b],
    "A controlled shutdown that the process before asked for does not count.",
    "KIP-380",
    rows=("ZC8a",),
)


@definition
def reached(c: Term[Controller], b: Term[Broker]) -> Term[bool]:
    """The controller's requests reach the broker: it lives, and is the process that the controller knows."""
    return alive[b] & b.in_(live[c]) & known_epoch[c, b].is_(broker_epoch[b])


FOLLOWERS_HEAR = always(
    "ZI5n",
    forall(
        c,
        forall(
            p,
            forall(
                b,
                (
                    free(c)
                    & reached(c, b)
                    & knows[c, p]
                    & b.in_(assigned[c, p])
                    & b.in_(online(c, p))
                    & replica_state[c, p, b].is_(ReplicaState.ONLINE)
                ).implies(b.in_(told[c, p]) | (applied[b, p] >= cached_leader_epoch[c, p])),
            ),
        ),
    ),
    "Every live replica hears of every leader epoch that the controller has made.",
    "KAFKA-1188",
)
OLD_LEADER_HEARS = always(
    "ZI11t",
    forall(
        c,
        forall(
            p,
            forall(
                b,
                (free(c) & reached(c, b) & knows[c, p] & leads[b, p] & cached_leader[c, p].isnt(b)).implies(
                    b.in_(told[c, p])
                ),
            ),
        ),
    ),
    "A broker that no longer leads is notified, as long as it lives.",
    "KAFKA-7482",
)
ALL_SEE = always(
    "ZI12u",
    forall(c, forall(b, (free(c) & reached(c, b)).implies(b.in_(informed[c]) | sees[b].is_(live[c])))),
    "Every live broker hears who is live.",
    "KAFKA-13225",
)


def bounces_noticed(protocol: Protocol) -> Protocol:
    """Return the protocol with the claim that a bounced broker is noticed: some row of a broker change applies."""
    rows = [row for row in protocol.rows if row.event.name == "BrokerChange"]
    bounced = exists(x, alive[x] & x.in_(live[c]) & (broker_epoch[x] > known_epoch[c, x]))
    claim = always(
        "ZI10",
        forall(c, (free(c) & bounced).implies(any_of(*(protocol.guard(row) for row in rows)))),
        "A broker that has bounced is failed and started up again, and so gets LeaderAndIsr for its replicas.",
        "KIP-380, S4:79",
    )
    return protocol.claiming(claim, name=protocol.name)


# -- reassignment and deletion -------------------------------------------------------------------------------------------
TARGET_KEPT = step(
    "ZI6t",
    drop(next_(replicas[p]), next_(removing[p])).is_(target),
    "What a reassignment leads to can be read from ZooKeeper, order included.",
    "S4:106",
    rows=("ZC5k", "ZC5U"),
)
NOT_WHILE_DELETED = step(
    "ZI14c",
    ~deleting[c, topic[p]],
    "A topic that is queued for deletion gets no new partition.",
    "KAFKA-6612",
    rows=("ZP1",),
)
ALL_GO = always(
    "ZI14r",
    forall(
        c,
        forall(
            p,
            forall(
                r,
                (current(c) & call[c].is_(Call.DELETE_STARTED) & r.in_(due_replicas[c, p])).implies(
                    replica_state[c, p, r].is_(ReplicaState.OFFLINE)
                ),
            ),
        ),
    ),
    "Every live replica of a topic that is being deleted is Offline before it is asked to delete its log.",
    "KAFKA-6650",
)
FORGOTTEN_WHEN_DONE = step(
    "ZI6c",
    forall(p, (requested[p] & ~next_(requested[p])).implies(next_(replicas[p]).is_(request[p]))),
    "What was asked for is forgotten only once AR in ZooKeeper is RAR.",
    "KAFKA-6193, S4:95",
)
