"""Reassignment in KRaft: an operator gives a partition other replicas, or takes that back."""

from __future__ import annotations

from fencepost.model.language.vocabulary import *

from .answers import Error
from .builder import Election, change
from .records import REMOVING, REPLICAS
from .state import *

NOBODY = nobody(BROKER)
target = BROKERS.var("target")

# -- what an operator asks for ------------------------------------------------------------------------------
leaving = let("leaving", members(replicas[p]) - members(target))
entering = let("entering", members(target) - members(replicas[p]))
merged = let("merged", then(target, ascending(leaving)))
running = let("reassigning", removing[p].isnt(NOBODY) | adding[p].isnt(NOBODY))
old_replicas = let("old_replicas", drop(replicas[p], adding[p]))
old_isr = let("old_isr", drop(isr[p], adding[p]))
uncleanly = let("uncleanly", empty(old_isr))
full = let("all_cordoned", exists(x, x.in_(target) & closed(x)))
stranger = let("stranger", exists(x, x.in_(target) & ~registered[x]))
may_resize = BOOL.var("may_resize")
kept_members, target_members = members(replicas[p]) - removing[p], members(target)
resized = let(
    "resized",
    ~(at_least(target_members, size_of(kept_members, SIZE)) & at_least(kept_members, size_of(target_members, SIZE))),
)
bad = let("bad_target", empty(target) | repeats(target) | stranger | full)


def kept(new: Term[frozenset[Broker]], old: Term[frozenset[Broker]]) -> Term[frozenset[Broker]]:
    """Return the brokers that the builder takes: an empty new set leaves the old one (D14)."""
    return when(new.is_(NOBODY), old, new)


# What is left of the target in a record: the replicas that it says, or has, without those that it removes.
_merged = REPLICAS.over(replicas[p])
reassign = event(
    "Reassign", p, target, may_resize,
    clues={target: (drop(_merged, REMOVING.over(removing[p])), _merged)},
    source="S2:86-93", code="ReplicationControlManager.changePartitionReassignment",
)  # fmt: skip
cancel = event("CancelReassignment", p, source="S2:86-93", code="ReplicationControlManager.cancelPartitionReassignment")
known = exists_[p] & live[topic[p]]
REASSIGNMENT = table(
    "reassignment",
    reassign("RA1", ~known, say=Error.UNKNOWN_TOPIC_OR_PARTITION),
    reassign("RA2", bad, say=Error.INVALID_REPLICA_ASSIGNMENT),
    reassign("RA4", ~may_resize & resized, say=Error.INVALID_REPLICATION_FACTOR),
    reassign(
        "RA3",
        TRUE,
        change(
            p,
            isr[p],
            electable(p),
            election=literal(Election.ONLINE),
            target=merged,
            target_removing=kept(leaving, removing[p]),
            target_adding=kept(entering, adding[p]),
        ),
        say=Error.NONE,
    ),
    cancel("RC1", ~known, say=Error.UNKNOWN_TOPIC_OR_PARTITION),
    cancel("RC2", ~running, say=Error.NO_REASSIGNMENT_IN_PROGRESS),
    cancel("RC3", uncleanly & ~allows_unclean(topic[p]), say=Error.INVALID_REPLICA_ASSIGNMENT),
    cancel(
        "RC4",
        uncleanly,
        change(
            p, only(head(old_replicas)), electable(p), target=old_replicas, target_removing=NOBODY, target_adding=NOBODY
        ),
        say=Error.NONE,
    ),
    cancel(
        "RC5",
        TRUE,
        change(p, old_isr, electable(p), target=old_replicas, target_removing=NOBODY, target_adding=NOBODY),
        say=Error.NONE,
    ),
    mode="first match",
    total=True,
    about="An operator gives a partition other replicas, or takes that back.",
    why={
        "RA4": "KIP-860: what is being added counts as there, and what is being removed as gone.",
        "RA3": "The target comes first, so that its preferred replica counts at once; the removed ones follow by id.",
        "RC3": "None of the old replicas is in sync; eligible leader replicas are not asked (D8).",
        "RC4": "The first of the old replicas is taken to be in sync, though no leader has said that it is.",
    },
)
