"""Partition reassignment with cancel (section 7.10), over the partition change builder of the KRaft tables.

A trial of the language: two tables whose rows end in the shared builder, with its targets given. D14 is stated as a
property that the faithful table breaks, and the repaired table is a variant.
"""

import enum

from fencepost.model.kraft.builder import Election, change
from fencepost.model.kraft.records import FENCE, PARTITION_RECORD, REGISTER_BROKER, UNFENCE, level_at
from fencepost.model.kraft.state import *
from fencepost.model.language import (
    AT_RESULT_BOUNDARIES,
    FALSE,
    TRUE,
    Bound,
    Protocol,
    Term,
    absent,
    always,
    ascending,
    drop,
    empty,
    event,
    every,
    exists,
    first,
    forall,
    head,
    just,
    keep,
    let,
    literal,
    members,
    next_,
    nobody,
    only,
    protocol,
    set_of,
    sometimes,
    step,
    table,
    then,
    when,
)
from fencepost.model.language.terms import Lit


class Answer(enum.Enum):
    """The errors of a reassignment by Kafka's names and numbers."""

    NONE = 0
    UNKNOWN_TOPIC_OR_PARTITION = 3
    INVALID_REPLICA_ASSIGNMENT = 39
    NO_REASSIGNMENT_IN_PROGRESS = 85


NOBODY = nobody(BROKER)
target = BROKERS.var("target")
proposal = set_of(BROKER).var("proposal")

# -- the operator reassigns, or changes its mind (RA1, RA2) ------------------------------------------------------------
leaving = let("leaving", members(replicas[p]) - members(target))
entering = let("entering", members(target) - members(replicas[p]))
merged = let("merged", then(target, ascending(leaving)))
stranger = let("stranger", exists(x, x.in_(target) & ~registered[x]))
running = let("reassigning", removing[p].isnt(NOBODY) | adding[p].isnt(NOBODY))
old_replicas = let("old_replicas", drop(replicas[p], adding[p]))
old_isr = let("old_isr", drop(isr[p], adding[p]))
uncleanly = let("uncleanly", empty(old_isr))


def kept(new: Term[frozenset[Broker]], old: Term[frozenset[Broker]]) -> Term[frozenset[Broker]]:
    """Return the list of brokers that the builder takes: an empty new one leaves the old (D14)."""
    return when(new.is_(NOBODY), old, new)


reassign = event("Reassign", p, target, source="7.10", code="ReplicationControlManager.changePartitionReassignment")
cancel = event("Cancel", p, source="7.10", code="ReplicationControlManager.cancelPartitionReassignment")
ONLINE = literal(Election.ONLINE)
REASSIGNMENT = table(
    "reassignment",
    reassign("RA1a", ~exists_[p], say=Answer.UNKNOWN_TOPIC_OR_PARTITION),
    reassign("RA1b", empty(target) | stranger, say=Answer.INVALID_REPLICA_ASSIGNMENT),
    reassign(
        "RA1",
        TRUE,
        change(
            p,
            isr[p],
            active,
            election=ONLINE,
            target=merged,
            target_removing=kept(leaving, removing[p]),
            target_adding=kept(entering, adding[p]),
        ),
        say=Answer.NONE,
    ),
    cancel("RA2a", ~exists_[p], say=Answer.UNKNOWN_TOPIC_OR_PARTITION),
    cancel("RA2b", ~running, say=Answer.NO_REASSIGNMENT_IN_PROGRESS),
    cancel("RA2c", uncleanly & ~unclean[topic[p]], say=Answer.INVALID_REPLICA_ASSIGNMENT),
    cancel(
        "RA2",
        TRUE,
        change(
            p,
            when(uncleanly, only(head(old_replicas)), old_isr),
            active,
            target=old_replicas,
            target_removing=NOBODY,
            target_adding=NOBODY,
        ),
        say=Answer.NONE,
    ),
    mode="first match",
    about="An operator gives a partition other replicas, or takes that back.",
    why={
        "RA1": "The target comes first, so its preferred replica counts at once; the removed ones follow by id.",
        "RA2c": "None of the old replicas is in sync; eligible leader replicas are not asked (D8).",
    },
)

# -- what happens around it --------------------------------------------------------------------------------------------
join = event("Join", b, environment=True, source="7.3")
silence = event("FenceBroker", b, environment=True, source="7.6")
come_back = event("UnfenceBroker", b, environment=True, source="7.6")
create = event("CreatePartition", p, target, environment=True, source="7.11")
alter = event("AlterIsr", p, proposal, environment=True, source="7.8 A14")
WORLD = table(
    "around",
    join(
        "JO1",
        ~registered[b],
        REGISTER_BROKER(
            b,
            epoch=Lit(0, OFFSET),
            incarnation=Lit(0, INCARNATION),
            fenced=FALSE,
            ics=FALSE,
            directories=nobody(DIRECTORY),
        ),
    ),
    silence(
        "SI1",
        registered[b] & ~fenced[b],
        every(p, exists_[p] & b.in_(isr[p]), change(p, drop(isr[p], just(b)), active - just(b))),
        FENCE(b, epoch=epoch[b]),
    ),
    come_back(
        "UB1",
        registered[b] & fenced[b],
        UNFENCE(b, epoch=epoch[b]),
        every(p, exists_[p] & absent(leader[p]), change(p, isr[p], active | just(b))),
    ),
    create(
        "CR1",
        ~exists_[p] & ~empty(target) & (members(target) <= active),
        PARTITION_RECORD(
            p,
            topic=topic[p],
            index=index[p],
            replicas=target,
            isr=keep(target, active),
            removing=NOBODY,
            adding=NOBODY,
            leader=first(target, active),
            leader_epoch=level_at(0),
            partition_epoch=level_at(0),
        ),
    ),
    alter(
        "AL1",
        exists_[p] & leader[p].in_(proposal) & (proposal <= members(replicas[p])) & (proposal <= active),
        change(p, ascending(proposal), active),
    ),
)

PROPERTIES = (
    always(
        "P2",
        forall(p, exists_[p].implies((members(isr[p]) <= members(replicas[p])) & ~empty(replicas[p]))),
        "The ISR is within the replicas, and there are replicas.",
        "8 P2",
        scope=AT_RESULT_BOUNDARIES,
    ),
    always(
        "P13",
        forall(p, exists_[p].implies((adding[p] & removing[p]).is_(NOBODY))),
        "No replica is about to be added and removed at once.",
        "8 P13",
        scope=AT_RESULT_BOUNDARIES,
        expected="violated",
        finding="D14b",
    ),
    step(
        "OV1",
        (next_(removing[p]) <= leaving) & (next_(adding[p]) <= entering),
        "A new reassignment overrides the one under way.",
        "KIP-455",
        scope=AT_RESULT_BOUNDARIES,
        rows=("RA1",),
        expected="violated",
        finding="D14",
    ),
    step(
        "CA1",
        next_(removing[p]).is_(NOBODY) & next_(adding[p]).is_(NOBODY) & next_(replicas[p]).is_(old_replicas),
        "After a cancel the partition has the replicas from before, and nothing is under way.",
        "7.10 RA2",
        scope=AT_RESULT_BOUNDARIES,
        rows=("RA2",),
    ),
    sometimes("W7", exists(p, exists_[p] & running), "A reassignment is under way."),
)

FAITHFUL: Protocol = protocol(
    "reassignment",
    REASSIGNMENT,
    WORLD,
    properties=PROPERTIES,
    start=mv.is_(33) & (elr_level <= 1) & forall(p, index[p].is_(0)),
    bounds={
        "tiny": Bound(
            {
                "Broker": 2, "Partition": 1, "Topic": 1, "Incarnation": 1, "Directory": 1, "Range": 1, "Name": 1,
                "copies": 1, "offset": 0, "level": 33,
                "index": 0, "leader epoch": 2, "partition epoch": 3, "size": 2,
            },
            about="two brokers, one partition",
        )
    },
    about="Reassignment and cancel over the partition change builder.",
)  # fmt: skip

REPAIRED: Protocol = FAITHFUL.but(
    "RA1",
    effects=change(p, isr[p], active, election=ONLINE, target=merged, target_removing=leaving, target_adding=entering),
    why="the new lists replace the old ones, empty or not",
).claiming(
    always("P13", PROPERTIES[1].term, scope=AT_RESULT_BOUNDARIES),
    step("OV1", PROPERTIES[2].term, scope=AT_RESULT_BOUNDARIES, rows=("RA1",)),
)
"""The same with D14 repaired: what KIP-455 says."""
