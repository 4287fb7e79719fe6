"""Defects that the ZooKeeper-era controller had (Z1 to Z29), as edits of its tables; those that the page has are in
`zk_page.py`. What the tables cannot say is listed in spec/museum.toml.
"""

from __future__ import annotations

from fencepost.model.language.vocabulary import *
from fencepost.model.zk.operations import asked_epoch, finish, target
from fencepost.model.zk.replicas import done
from fencepost.model.zk.sessions import czxid
from fencepost.model.zk.state import *
from fencepost.model.zk.twelve_steps import twelve_steps

from . import zk_claims as claims
from . import zk_edits as edits
from .edits import but, redefine, without
from .entry import Entry
from .zk_bounds import (
    CREATED,
    DELETIONS,
    FAILURES,
    FIRST,
    HEARD,
    HONEST,
    MOVES,
    REMOVED_ONCE,
    TAKES_TURNS,
    WORLD,
    all_alive,
    among,
    entity,
    found,
    listed,
    settled,
)
from .zk_page import PAGE

ZERO, ONE, TWO = (entity(number, BROKER) for number in range(3))


# -- where they are found ----------------------------------------------------------------------------------------------------
BOUNCES = {
    "BrokerGone": settled & b.is_(ZERO) & broker_epoch[b].is_(1),
    "RegisterBroker": czxid.is_(broker_epoch[b] + 1) & some(b).is_(head(ascending(those(x, ~alive[x])))),
}
"""Broker 0 goes and comes back."""
CANCELLED = {
    "CreateTopic": CREATED & target.is_(listed(0)),
    "AlterReassignment": target.is_(listed(1)) & settled & (leader_epoch[entity(0, PARTITION)] < 2),
    "AlterPartition": HONEST & settled,
    "BrokerGone": b.is_(ZERO) & settled,
    "CancelReassignment": settled,
}
"""A partition is moved from broker 0 to broker 1, broker 0 goes, and the reassignment is cancelled."""

HISTORY: tuple[Entry, ...] = (
    Entry(
        "Z1",
        "zk",
        "KAFKA-532",
        "Requests carried no epoch of their controller: brokers obeyed one that had been replaced.",
        without("LI1", "SR1", "SD1", "UM1", why="brokers do not ask for the controller's epoch"),
        (
            found(
                "ZI5",
                16,
                "UM3",
                {**REMOVED_ONCE, "UpdateMetadata": controller_epoch > 0},
                Controller=2,
                controller_epoch=2,
            ),
        ),
        claims=(claims.NOT_BACK,),
        within=HEARD,
    ),
    Entry(
        "Z2",
        "zk",
        "KAFKA-1096",
        "A controller that woke up late took over the epoch of its successor.",
        but(
            "ZC0r",
            effects=own_epoch[c].becomes(controller_epoch),
            why="a controller that was replaced takes the new epoch for its own",
        ),
        (
            found(
                "ZI1u",
                9,
                "ZC0r",
                {**REMOVED_ONCE, "DeleteController": controller_epoch.is_(1), "ControllerChange": TRUE},
                Controller=2,
                controller_epoch=2,
            ),
        ),
        claims=(claims.OWN_EPOCHS,),
        within=FAILURES,
    ),
    Entry(
        "Z3",
        "zk",
        "KAFKA-6082",
        "Writes asked for the version of the state znode only, which a controller that was replaced reads anew.",
        redefine(
            "moved", FALSE, why="a write asks for the version of its znode only, not for that of /controller_epoch"
        ),
        (
            found(
                "ZI1",
                11,
                "ZP2",
                {**REMOVED_ONCE, "DeleteController": controller_epoch.is_(1)},
                Broker=1,
                Controller=2,
                controller_epoch=2,
            ),
        ),
        claims=(claims.FENCED,),
        within=FAILURES,
    ),
    Entry(
        "Z4",
        "zk",
        "KAFKA-4447",
        "A controller that had lost its session kept its listeners, and acted on the next event.",
        edits.goes_on,
        (
            found(
                "ZI1",
                12,
                "ZP2",
                {
                    "SessionExpired": c.is_(FIRST) & controller_epoch.is_(1),
                    "SessionEstablished": ~session[c] & all_alive & forall(p, exists_[p]),
                    "Elect": TAKES_TURNS,
                },
                Broker=1,
                Controller=2,
                controller_epoch=2,
            ),
        ),
        claims=(claims.FENCED,),
        within=FAILURES,
    ),
    Entry(
        "Z6",
        "zk",
        "KAFKA-849",
        "A controller that started did not read who leads and who is in sync, and used what it had seen before.",
        edits.reads_no_leadership,
        (found("ZI3c", 16, "ZC6d", REMOVED_ONCE, Broker=1, Controller=2, controller_epoch=2),),
        claims=(claims.CACHE,),
        within=FAILURES,
    ),
    Entry(
        "Z12",
        "zk",
        "KAFKA-4214",
        "A reassignment was dropped where a broker of its target was down when it was taken up.",
        edits.drops_reassignment,
        (
            found(
                "ZI6c",
                18,
                "T1d",
                {
                    "CreateTopic": CREATED & target.is_(listed(0)),
                    "RequestReassignment": target.is_(listed(1)) & settled,
                    "BrokerGone": b.is_(ONE) & settled,
                },
                leader_epoch=3,
                version=3,
            ),
        ),
        ground=twelve_steps,
        claims=(claims.FORGOTTEN_WHEN_DONE,),
        within=MOVES,
    ),
    Entry(
        "Z14",
        "zk",
        "KAFKA-6193",
        "What was asked for was forgotten before the removed replicas were gone: a crash left them assigned for ever.",
        edits.forgets_early,
        (
            found(
                "ZI6c",
                19,
                "T7k",
                {
                    "CreateTopic": CREATED & target.is_(listed(0, 1)),
                    "RequestReassignment": target.is_(listed(0)) & settled,
                },
                leader_epoch=4,
                version=5,
            ),
        ),
        ground=twelve_steps,
        claims=(claims.FORGOTTEN_WHEN_DONE,),
        within=MOVES,
    ),
    Entry(
        "Z16",
        "zk",
        "KAFKA-6650",
        "A replica whose partition never had a leader was passed over when it was to go Offline: its topic was never deleted.",
        but("ZR4k", effects=done, why="a replica of a partition that never had a leader is passed over in silence"),
        (found("ZI14r", 17, "ZC9f", {"QueueTopicDeletion": TRUE, "Elect": forall(c, session[c])}, Broker=1),),
        claims=(claims.ALL_GO,),
        within=DELETIONS,
    ),
    Entry(
        "Z17",
        "zk",
        "KAFKA-7235, KIP-380",
        "A broker that was away for less than a watch was not noticed: its new process heard nothing of its replicas.",
        edits.misses_bounces,
        (found("ZI10", 13, "BR1", BOUNCES, broker_epoch=2),),
        ground=claims.bounces_noticed,
        within=FAILURES,
    ),
    Entry(
        "Z17-requests",
        "zk",
        "KIP-380",
        "A broker obeyed requests that were meant for the process before it.",
        without("LI2", "SR2", "SD2", "UM2", why="brokers do not ask which process a request is meant for"),
        (found("ZI10p", 12, "LI4", {**BOUNCES, "LeaderAndIsr": TRUE}, Broker=1, broker_epoch=2),),
        claims=(claims.OWN_PROCESS,),
        within=HEARD,
    ),
    Entry(
        "Z17-shutdown",
        "zk",
        "KIP-380",
        "A controlled shutdown that the process before had asked for put the new one on its way out.",
        without("ZC8e", why="the controller does not ask which process wants to shut down"),
        (
            found(
                "ZI10s",
                25,
                "ZC8a",
                {**BOUNCES, "ControlledShutdown": asked_epoch.is_(1) & empty(shutting_down[c])},
                Broker=1,
                broker_epoch=2,
            ),
        ),
        claims=(claims.OWN_SHUTDOWN,),
        within=FAILURES,
    ),
    Entry(
        "Z19",
        "zk",
        "KAFKA-9212",
        "The leader epoch that begins a reassignment was written and not remembered: clients received the old one for ever.",
        edits.forgets_epoch,
        (
            found(
                "ZI3c",
                20,
                "ZC5A2",
                {"CreateTopic": CREATED & target.is_(listed(0)), "AlterReassignment": target.is_(listed(1)) & settled},
            ),
        ),
        claims=(claims.CACHE,),
        within=MOVES,
    ),
    Entry(
        "Z21",
        "zk",
        "KAFKA-14140",
        "The leader could take a broker back into the ISR that was shutting down.",
        without("ZC10j", why="a broker that is proposed for the ISR need not be online"),
        (
            found(
                "ZI2j",
                16,
                "ZC10",
                {
                    "ControlledShutdown": b.is_(ONE)
                    & asked_epoch.is_(known_epoch[c, b])
                    & settled
                    & empty(shutting_down[c]),
                    "AlterPartition": HONEST,
                },
                version=3,
            ),
        ),
        claims=(claims.ONLY_ONLINE_JOIN,),
        within=FAILURES,
    ),
    Entry(
        "Z24",
        "zk",
        "KAFKA-14808",
        "Kafka 3.9 has it: a new target without the leader of the moment leaves the partition without a leader. The variant "
        "elects one.",
        edits.elects_after_override,
        (
            found(
                "ZI12s",
                39,
                "ZC5A2",
                {
                    "CreateTopic": CREATED & target.is_(listed(0)),
                    "AlterReassignment": settled & among(target, (1,), (0, 2)),
                    "AlterPartition": HONEST,
                    "ElectLeaders": settled & forall(p, leader[p].isnt(ONE)),
                },
                Broker=3,
                leader_epoch=5,
                version=6,
            ),
        ),
        claims=(claims.SOMEBODY_LEADS,),
        within=MOVES,
        repairs=True,
    ),
    Entry(
        "Z25",
        "zk",
        "KAFKA-6612",
        "A topic that was about to be deleted got new partitions, whose replicas were never deleted.",
        edits.grows_while_deleted,
        (
            found(
                "ZI14c",
                12,
                "ZP1",
                {
                    "CreateTopic": target.is_(listed(0)) & all_alive,
                    "SessionEstablished": all_alive,
                    "QueueTopicDeletion": TRUE,
                },
                Broker=1,
                Partition=2,
            ),
        ),
        claims=(claims.NOT_WHILE_DELETED,),
        within=DELETIONS,
    ),
    Entry(
        "Z27",
        "zk",
        "KAFKA-13225",
        "The death of a broker that hosted nothing was not sent to any broker: the others still listed it.",
        but("ZC2e", effects=finish(c), why="a death that moves no partition is not sent to any broker"),
        (
            found(
                "ZI12u",
                14,
                "ZC2e",
                {
                    "CreateTopic": FALSE,
                    "SessionEstablished": all_alive,
                    "BrokerGone": b.is_(ONE) & (controller_epoch > 0),
                    "UpdateMetadata": TRUE,
                },
            ),
        ),
        claims=(claims.ALL_SEE,),
        within=HEARD,
    ),
    Entry(
        "Z29",
        "zk",
        "KAFKA-14424",
        "Kafka 3.9 has it: a reassignment may be cancelled while no original replica can lead, which takes the partition from "
        "its live leader. The variant refuses that.",
        edits.cancels_to_in_sync,
        (found("ZI12v", 33, "ZR4", CANCELLED, leader_epoch=4, version=6),),
        claims=(claims.LIVE_LEADER_STAYS,),
        within=MOVES,
        repairs=True,
    ),
    Entry(
        "Z29-live",
        "zk",
        "KAFKA-14424, linkedin/kafka PR 422",
        "LinkedIn's Kafka refuses a cancellation unless all original replicas are live. One that is back and not in the ISR "
        "cannot lead either.",
        edits.cancels_to_live,
        (
            found(
                "ZI12v",
                38,
                "ZR4",
                {**CANCELLED, "RegisterBroker": WORLD["RegisterBroker"] | (~alive[b] & settled)},
                broker_epoch=2,
                leader_epoch=5,
                version=7,
            ),
        ),
        ground=edits.cancels_to_in_sync,
        claims=(claims.LIVE_LEADER_STAYS,),
        within=MOVES,
    ),
)
ZK_MUSEUM: tuple[Entry, ...] = (*PAGE, *HISTORY)
