"""AlterPartition as the ZooKeeper-era controller answers it (ZC10): the leader asks, the controller writes."""

from __future__ import annotations

from fencepost.model.language.vocabulary import *

from .operations import ready
from .outcomes import Error
from .state import *
from .znodes import cut_off, inform, lead, moved

from_epoch = CZXID.var("from_epoch")
from_leader_epoch, from_version = LEADER_EPOCH.var("from_leader_epoch"), VERSION.var("from_version")
wanted, wants_recovering = set_of(BROKER).var("wanted"), BOOL.var("wants_recovering")

same = let("same", cached_leader[c, p].is_(b) & wanted.is_(cached_isr[c, p]) & wants_recovering.is_(recovering[p]))
known_live = live[c] - shutting_down[c]
several = let("several", exists(x, exists(y, x.in_(wanted) & y.in_(wanted) & x.isnt(y))))
alter = event(
    "AlterPartition", c, b, p, from_epoch, from_leader_epoch, from_version, wanted, wants_recovering,
    given=~empty(wanted) & (~acting[c] | ready(c)),
    source="KIP-497", code="KafkaController.processAlterPartition",
)  # fmt: skip
ALTER_PARTITION = table(
    "AlterPartition",
    alter("ZC10a", ~acting[c],                                                                                 say=Error.NOT_CONTROLLER),
    alter("ZC10b", (~b.in_(live[c]) | from_epoch.isnt(known_epoch[c, b])),                                     say=Error.STALE_BROKER_EPOCH),
    alter("ZC10c", ~knows[c, p],                                                                               say=Error.UNKNOWN_TOPIC_OR_PARTITION),
    alter("ZC10d", ((from_version > cached_version[c, p]) | (from_leader_epoch > cached_leader_epoch[c, p])),  say=Error.NOT_CONTROLLER),
    alter("ZC10e", from_leader_epoch < cached_leader_epoch[c, p],                                              say=Error.FENCED_LEADER_EPOCH),
    alter("ZC10f", same,                                                                                       say=Error.NONE),
    alter("ZC10g", from_version < cached_version[c, p],                                                        say=Error.INVALID_UPDATE_VERSION),
    alter("ZC10h", wants_recovering & several,                                                                 say=Error.INVALID_REQUEST),
    alter("ZC10i", wants_recovering & ~recovering[p],                                                          say=Error.INVALID_REQUEST),
    alter("ZC10j", ~(wanted <= known_live),                                                                    say=Error.INELIGIBLE_REPLICA),
    alter("ZC10s", (cut_off(c) | ~stated[p]),                                                                  say=Error.UNKNOWN_SERVER_ERROR),
    alter("ZC10m", moved(c),                                                                                   say=Error.UNKNOWN_SERVER_ERROR),
    alter("ZC10",  TRUE, lead(c, p, leader[p], wanted, leader_epoch[p], wants_recovering), inform(c), say=Error.NONE),
    mode="first match",
    total=True,
    about="The leader of a partition asks for another ISR, under the epochs and the version that it knows. "
    "UpdateMetadata follows where it is refused, too, and says nothing new.",
    why={
        "ZC10d": "The leader is ahead: this controller was replaced (KAFKA-14154).",
        "ZC10f": "The answer to an earlier request was lost; the requested state is already there (KAFKA-14144).",
        "ZC10j": "Failed directories are not looked at.",
        "ZC10m": "Any error here is the answer, and nothing more: a fenced controller resigns at another write, or when notified.",
        "ZC10": "The leader epoch stays, only the version rises; no broker gets LeaderAndIsr. Kafka writes the broker that asks as "
        "the leader: none asks in a leader epoch in which another leads.",
    },
)  # fmt: skip
