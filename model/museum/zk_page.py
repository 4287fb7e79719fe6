"""The page (S4) taken literally where Kafka does otherwise, and one thing that both do which the page rules out.

Several are what Kafka itself did once; those carry the issue that changed it.
"""

from __future__ import annotations

from fencepost.model.language.vocabulary import *
from fencepost.model.zk.alter import wanted
from fencepost.model.zk.operations import asked_epoch, target
from fencepost.model.zk.reassignment import origin
from fencepost.model.zk.state import *
from fencepost.model.zk.twelve_steps import twelve_steps
from fencepost.model.zk.znodes import online

from . import zk_claims as claims
from . import zk_page_edits as edits
from .edits import redefine
from .entry import Entry
from .zk_bounds import (
    CREATED,
    FAILURES,
    FIRST,
    HEARD,
    HONEST,
    LATE_TOPIC,
    MOVES,
    REMOVED_ONCE,
    TAKES_TURNS,
    TOLD,
    entity,
    found,
    listed,
    settled,
)
from .zk_steps import every_crash

ZERO, ONE = entity(0, BROKER), entity(1, BROKER)


# -- where they are found --------------------------------------------------------------------------------------------------
ALONE_IN_ISR = HONEST & wanted.is_(just(b)) & settled & isr[p].isnt(just(b))
"""The leader asks for an ISR of itself alone."""
FIRST_GONE = {"BrokerGone": settled & b.is_(ZERO)}
ON_ZERO = {"CreateTopic": CREATED & target.is_(listed(0))}
SHUTS_DOWN = b.is_(ZERO) & asked_epoch.is_(known_epoch[c, b]) & settled & empty(shutting_down[c])

PAGE: tuple[Entry, ...] = (
    Entry(
        "twelve_steps",
        "zk",
        "S4:84-106",
        "The page's reassignment in place of KIP-455's phases. It keeps what it claims, with a crash after every step.",
        every_crash,
        (),
        claims=(claims.FENCED, claims.IN_ISR, claims.NEVER_EMPTY, claims.NEW_LEADER_NEW_EPOCH, claims.FROM_ISR),
        within=MOVES,
    ),
    Entry(
        "page_replica_states",
        "zk",
        "S4:8-55",
        "Both state machines with the states and changes of the page, where replicas have four states and not seven.",
        edits.page_states,
        (),
        within=MOVES,
    ),
    Entry(
        "page_reassign_selector",
        "zk",
        "S4:26",
        "The page elects any live replica of the target; its ISR may have shrunk since all of the target were in it.",
        redefine(
            "moving_to", first(aim[c], online(c, p)), why="any live replica of the target may lead, in the ISR or not"
        ),
        (
            found(
                "ZI7",
                22,
                "ZP3r",
                {
                    **ON_ZERO,
                    "RequestReassignment": target.is_(listed(1)) & settled,
                    "LeaderWritesIsr": wanted.isnt(isr[p]) & requested[p] & b.is_(ZERO),
                },
                leader_epoch=3,
                version=5,
            ),
        ),
        ground=edits.leaders_write,
        claims=(claims.FROM_ISR,),
        within=MOVES,
    ),
    Entry(
        "page_shutdown_recipients",
        "zk",
        "KAFKA-7482, S4:28",
        "A controlled shutdown notified live replicas only: the broker that shuts down remained leader.",
        edits.told_live_only,
        (found("ZI11t", 16, "ZC8c", {"ControlledShutdown": SHUTS_DOWN, "LeaderAndIsr": settled}),),
        also=("Z18",),
        claims=(claims.OLD_LEADER_HEARS,),
        within=HEARD,
    ),
    Entry(
        "page_shrink_tells_leader_only",
        "zk",
        "KAFKA-1188, S4:53",
        "A replica that left the ISR raised the leader epoch, and only the leader was notified: followers obeyed older requests.",
        edits.tells_leader_only,
        (
            found(
                "ZI5n",
                22,
                "ZC2e",
                {
                    "BrokerGone": settled & b.is_(entity(2, BROKER)),
                    "UpdateMetadata": settled,
                    # Requests of one controller come in order: the live brokers are sent first.
                    "LeaderAndIsr": settled & cached_leader[c, p].in_(sees[b]),
                    "LeaderAndIsrFails": FALSE,
                    "LeaderAndIsrOffline": FALSE,
                },
                Broker=3,
            ),
        ),
        also=("Z9",),
        claims=(claims.FOLLOWERS_HEAR,),
        within=HEARD,
    ),
    Entry(
        "page_failover_all_online",
        "zk",
        "KAFKA-3143, S4:108-110",
        "A controller that started sent every replica to Online; who had died with its predecessor stayed in the ISR.",
        edits.all_online,
        (
            found(
                "ZI12d",
                20,
                "ZC6d",
                {"BrokerGone": settled & b.is_(ONE), **REMOVED_ONCE},
                Controller=2,
                controller_epoch=2,
                leader_epoch=2,
            ),
        ),
        also=("Z11",),
        claims=(claims.DEAD_LEAVE,),
        within=FAILURES,
    ),
    Entry(
        "page_merge_order",
        "zk",
        "S4:101, S2:88",
        "With the replicas from before in front, nothing shows in which order the target is to be: the same brokers in "
        "another order are never reached.",
        redefine(
            "merged", then(origin, target), why="the replicas from before stand first, those of the target after them"
        ),
        (found("ZI6t", 13, "ZC5k", {"AlterReassignment": target.is_(listed(1, 0)) & settled}),),
        claims=(claims.TARGET_KEPT,),
        within=MOVES,
    ),
    Entry(
        "replicas_online_first",
        "zk",
        "S4:22, S4:38, S4:64-68",
        "A partition gets its leader before its replicas are Online: a NewReplica becomes leader, which the page rules out.",
        edits.online_first,
        (found("ZI16", 13, "ZP2", LATE_TOPIC, Broker=1),),
        claims=(claims.FOLLOWERS_FIRST,),
        within=TOLD,
        repairs=True,
    ),
    Entry(
        "page_unclean_always",
        "zk",
        "S4:25",
        "Where no ISR member is live the page elects any live replica; Kafka asks unclean.leader.election.enable.",
        redefine("may_be_unclean", TRUE, why="any live replica may lead where no ISR member is live"),
        (found("ZI7", 17, "ZP3u", {"AlterPartition": ALONE_IN_ISR, **FIRST_GONE}, version=3),),
        claims=(claims.FROM_ISR,),
        within=FAILURES,
    ),
    Entry(
        "page_empties_isr",
        "zk",
        "KAFKA-708, KAFKA-5083, S4:53",
        "The last member of the ISR left it with its broker: after a return no broker may lead.",
        redefine("left", isr[p] - just(r), why="the last member leaves the ISR too"),
        (found("ZI4", 16, "ZR4", FIRST_GONE, Broker=1),),
        also=("Z5",),
        claims=(claims.NEVER_EMPTY,),
        within=FAILURES,
    ),
    Entry(
        "page_preferred_in_isr_only",
        "zk",
        "S4:27",
        "The page asks whether the preferred replica is in the ISR, not whether it is live: the last member stays in it dead.",
        edits.preferred_in_isr_only,
        (found("ZI15o", 20, "ZP3p", {**FIRST_GONE, "ElectLeaders": settled}, Broker=1, leader_epoch=3, version=3),),
        claims=(claims.ONLINE_LEADER,),
        within=FAILURES,
    ),
    Entry(
        "page_single_replica",
        "zk",
        "S4:121-122",
        "The page asks for another leader of every partition that the broker leads; where there is no other replica the "
        "election fails, and the broker would never be let go.",
        redefine("replicated", TRUE, why="partitions without another replica are asked for another leader too"),
        (found("ZI12r", 11, "ZP3n", {"ControlledShutdown": SHUTS_DOWN}, Broker=1),),
        claims=(claims.NOT_ALONE,),
        within=FAILURES,
    ),
    Entry(
        "page_recovers_backwards",
        "zk",
        "S4:106",
        "Only forward: a successor that reversed it would lose the replicas that OAR and RAR have in common.",
        edits.recovers_backwards,
        (
            found(
                "ZI6e",
                25,
                "T1b",
                {
                    "CreateTopic": CREATED & target.is_(listed(0, 1)),
                    "RequestReassignment": target.is_(listed(1, 2)) & settled,
                    "Crash": c.is_(FIRST) & exists(p, requested[p]),
                    "SessionExpired": c.is_(FIRST) & exists(p, requested[p]) & ~acting[c],
                    "Elect": TAKES_TURNS,
                },
                Broker=3,
                Controller=2,
                controller_epoch=2,
                leader_epoch=4,
                version=5,
            ),
        ),
        ground=twelve_steps,
        claims=(edits.ENDS,),
        within=MOVES,
    ),
)
"""The page's own sentences as variants, by the numbers of their lines."""
