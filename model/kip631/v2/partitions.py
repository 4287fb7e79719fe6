"""Partitions: what their leaders ask for (alterIsr), and what an operator does (V2.8, S2:83-95)."""

from __future__ import annotations

from fencepost.model.language.vocabulary import *

from .answers import Error
from .membership import NO_LEADER, appends
from .records import PARTITION_CHANGE
from .state import *

NOBODY = nobody(BROKER)
asked_epoch = LEADER_EPOCH.var("leader_epoch")
asked = set_of(BROKER).var("isr")
left = let("left", asked - removing[p])
complete = let("complete", reassigning(p) & (adding[p] <= asked) & ~empty(left))
alter_isr = event("AlterIsr", b, p, asked_epoch, asked, reply={"isr": next_(isr[p])}, source="S2:89-95")
ALTER_ISR = table(
    "alterIsr",
    alter_isr("AI1", ~active, say=Error.NOT_CONTROLLER),
    alter_isr("AI2", leader[p].isnt(b) | asked_epoch.isnt(leader_epoch[p]), say=Error.FENCED_LEADER_EPOCH),
    alter_isr("AI3", ~b.in_(asked) | ~(asked <= replicas[p]), say=Error.INVALID_REQUEST),
    alter_isr("AI4", exists(x, x.in_(asked) & fenced[x]), say=Error.INELIGIBLE_REPLICA),
    alter_isr(
        "V2.8c", complete & b.in_(left),
        PARTITION_CHANGE(p, isr=left, replicas=replicas[p] - removing[p], removing=NOBODY, adding=NOBODY), appends(),
        say=Error.NONE,
    ),
    alter_isr(
        "V2.8d", complete,
        PARTITION_CHANGE(p, isr=left, leader=NO_LEADER, replicas=replicas[p] - removing[p], removing=NOBODY, adding=NOBODY), appends(),
        say=Error.FENCED_LEADER_EPOCH,
    ),
    alter_isr("AI5", TRUE, PARTITION_CHANGE(p, isr=asked), appends(), say=Error.NONE),
    mode="first match",
    total=True,
    about="The leader of a partition asks for another ISR; one that brings in all who are added completes a reassignment.",
    why={
        "AI4": "S2 requires no fencing here; a fenced broker is removed from all ISRs (S2:488), so it may not join.",
        "V2.8c": "The answer has the ISR that was really applied, without those that the reassignment removes (S2:94).",
        "V2.8d": "The leader is not in the target: it waits for the record that makes it a follower (S2:95, #13).",
    },
)  # fmt: skip

target = set_of(BROKER).var("target")
at_once = let("at_once", (target <= replicas[p]) & ~empty(target & isr[p]))
pruned = let("pruned", isr[p] & target)
merged = let("merged", replicas[p] | target)
reassign = event("AlterReassignment", p, target, source="S2:84-90")
REASSIGNMENT = table(
    "reassignment",
    reassign("RA1", ~active, say=Error.NOT_CONTROLLER),
    reassign("RA2", empty(target) | exists(x, x.in_(target) & ~registered[x]), say=Error.INVALID_REPLICA_ASSIGNMENT),
    reassign(
        "V2.8", at_once,
        PARTITION_CHANGE(
            p, isr=pruned, leader=said(NO_LEADER, if_=leader[p].isnt(None) & ~leader[p].in_(pruned)),
            replicas=target, removing=NOBODY, adding=NOBODY,
        ),
        appends(),
        say=Error.NONE,
    ),
    reassign(
        "V2.8a", TRUE,
        PARTITION_CHANGE(
            p, replicas=merged, removing=replicas[p] - target, adding=(target - replicas[p]) | (adding[p] & target)
        ),
        appends(),
        say=Error.NONE,
    ),
    mode="first match",
    total=True,
    about="An operator gives a partition other replicas.",
    why={
        "V2.8": "A subset of the replicas, with one in sync: one PartitionChange record, and nothing to wait for.",
        "V2.8a": "Else those who are added join the replicas, and the ISR is waited for; a fenced target is waited for as well.",
    },
)  # fmt: skip
