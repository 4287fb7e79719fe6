"""Findings about reassignments: overridden, taken back, completed, and what they do to min.insync.replicas."""

from __future__ import annotations

from typing import Any

from fencepost.model.kraft import KRAFT
from fencepost.model.kraft.brokers import HEARTBEAT, REGISTRATION, off, want_down, want_fence
from fencepost.model.kraft.builder import Election, build, change
from fencepost.model.kraft.more_properties import REASSIGNMENTS
from fencepost.model.kraft.partitions import outcome
from fencepost.model.kraft.properties import PARTITIONS
from fencepost.model.kraft.reassignment import REASSIGNMENT, entering, kept, leaving, merged, old_replicas, uncleanly
from fencepost.model.kraft.records import CLEAR_ELR
from fencepost.model.kraft.state import *
from fencepost.model.kraft.topics import TOPICS, has_allows, has_smallest, smallest
from fencepost.model.language.nodes import Keep, Named
from fencepost.model.language.vocabulary import *
from fencepost.model.language.walk import nodes

from .finding import NOBODY, Finding, at_newest, entity, placed_on_all, placed_on_first

BROKERS_AND_TOPICS = (REGISTRATION.name, HEARTBEAT.name, TOPICS.name, REASSIGNMENT.name)
n = NAME.var("n")
HEALTHY = off.is_(log_end) & ~want_down
FIRST, SECOND = entity(0, PARTITION), entity(1, PARTITION)
ASKS_FOR_TWO = has_smallest & smallest.is_(Threshold(2)) & ~has_allows


def _strictly(id: str, properties: tuple[Property, ...]) -> Always:
    """Return a property as one that is claimed to hold."""
    [one] = [p for p in properties if p.id == id]
    assert isinstance(one, Always)
    return always(one.id, one.term, one.about, one.source, one.scope)


# -- D8: a cancel that is refused --------------------------------------------------------------------------------------
def _d8(base: Protocol) -> Protocol:
    why = "an old replica that may lead though it is not in sync makes the cancel clean"
    nobody_left = uncleanly & (elr[p] & members(old_replicas)).is_(NOBODY)
    refused = nobody_left & ~allows_unclean(topic[p])
    edited = base.but("RC3", when=refused, why=why).but("RC4", when=nobody_left, why=why)
    return edited.claiming(_refused_rightly(edited))


def _refused_rightly(protocol: Protocol) -> Always:
    """Return the claim about the states in which a cancel is refused as unclean: the row that does so changes none."""
    return always(
        "RC3c",
        forall(p, protocol.guard(protocol.row("RC3")).implies((elr[p] & members(old_replicas)).is_(NOBODY))),
        "A cancel is refused as unclean only where no old replica could lead cleanly.",
        "KIP-455, KIP-966",
        AT_RESULT_BOUNDARIES,
    )


# -- D14: a reassignment that does not override -----------------------------------------------------------------------
def _d14(base: Protocol) -> Protocol:
    effects = change(
        p,
        isr[p],
        electable(p),
        election=literal(Election.ONLINE),
        target=merged,
        target_removing=leaving,
        target_adding=entering,
    )
    return base.but("RA3", effects=effects, why="the new lists replace the old ones, empty or not")


_OVERRIDES = step(
    "OV1",
    (next_(removing[p]) <= leaving) & (next_(adding[p]) <= entering),
    "A new reassignment overrides the one under way.",
    "KIP-455",
    AT_RESULT_BOUNDARIES,
    rows=("RA3",),
)


# -- D15: eligible though no replica ----------------------------------------------------------------------------------
def _named(term: Term[Any], name: str) -> Named[Any]:
    return next(one for one in nodes(term) if isinstance(one, Named) and one.name == name)


def _d15(base: Protocol) -> Protocol:
    def only_replicas(old: Term[Any]) -> Term[Any]:
        completes, left = _named(old, "completes"), _named(old, "target_left")
        assert isinstance(left.term, Keep)
        return old & members(when(completes, left, left.term.of))

    return base.redefine("candidates", only_replicas, why="who is no replica any more may not lead")


def _d15b(base: Protocol) -> Protocol:
    return _d15(base).claiming(_strictly("P5", PARTITIONS))


_STARTS_EMPTY = step(
    "RA3e",
    (next_(elr[p]) & entering).is_(NOBODY),
    "A replica that a reassignment adds is not eligible: it has no record yet.",
    "KIP-966",
    AT_RESULT_BOUNDARIES,
    rows=("RA3",),
)


# -- D25: a smaller minimum -------------------------------------------------------------------------------------------
ENOUGH = at_least(members(isr[p]), min_isr(p))  # type: ignore[arg-type]
_untouched = exists_[p] & next_(exists_[p]) & next_(partition_epoch[p]).is_(partition_epoch[p])


def _d25(base: Protocol) -> Protocol:
    why = "a partition 0 that comes to have fewer replicas clears the topic, as another minimum does"
    fewer = index[p].is_(0) & ~at_least(members(outcome.replicas), replication[topic[p]])
    proposed = every(n, elr_on & fewer & name[topic[p]].is_(some(n)), CLEAR_ELR(n))
    asked = build(
        p, isr[p], electable(p), NOBODY, literal(Election.ONLINE), merged, kept(leaving, removing[p]),
        kept(entering, adding[p]), recovery[p],
    )  # fmt: skip
    shrunk = index[p].is_(0) & ~at_least(members(asked.replicas), replication[topic[p]])
    reassigned = every(n, elr_on & shrunk & name[topic[p]].is_(some(n)), CLEAR_ELR(n))
    edited = base.but("RA3", effects=(*base.row("RA3").effects, reassigned), why=why)
    if any(row.id == "A14" for row in base.rows):
        edited = edited.but("A14", effects=(*base.row("A14").effects, proposed), why=why)
    return edited


_FALLS = step(
    "MI1",
    forall(
        p, (elr_on & _untouched & elr[p].isnt(NOBODY) & ~ENOUGH).implies(next_(elr[p]).is_(NOBODY) | ~next_(ENOUGH))
    ),
    "A partition does not come to have enough replicas in sync by itself while others may lead.",
    "KIP-966",
    AT_RESULT_BOUNDARIES,
)
REASSIGNED: tuple[Finding, ...] = (
    Finding(
        "D8",
        "Cancelling a reassignment is refused as unclean although an old replica could lead cleanly",
        _refused_rightly(KRAFT),
        BROKERS_AND_TOPICS,
        ("R1", "HB2", "CT3", "R1", "RA3", "HB5"),
        _d8,
        ("RA3", "F1"),
        sizes={"Broker": 2},
        start=at_newest() & placed_on_first(),
        given={"Heartbeat": HEALTHY, "CreateTopic": ~has_allows & ~has_smallest},
    ),
    Finding(
        "D14",
        "A reassignment without replicas to remove or to add keeps those of the one that it overrides",
        _OVERRIDES,
        BROKERS_AND_TOPICS,
        ("R1", "HB2", "CT3", "R1", "RA3", "RA3"),
        _d14,
        ("RA3",),
        sizes={"Broker": 2},
        start=at_newest() & placed_on_first(),
        given={"Heartbeat": HEALTHY, "CreateTopic": ~has_allows & ~has_smallest},
    ),
    Finding(
        "D14b",
        "A replica is being added and removed at once",
        _strictly("P13b", REASSIGNMENTS),
        BROKERS_AND_TOPICS,
        ("R1", "HB2", "CT3", "R1", "RA3", "RA3"),
        _d14,
        ("RA3", "RC4", "RC5", "A14", "F1", "HB2"),
        sizes={"Broker": 2},
        start=at_newest() & placed_on_first(),
        given={"Heartbeat": HEALTHY, "CreateTopic": ~has_allows & ~has_smallest},
    ),
    Finding(
        "D15",
        "A replica that a reassignment removed stays an eligible leader replica",
        _strictly("P5", PARTITIONS),
        BROKERS_AND_TOPICS,
        ("R1", "HB2", "R1", "HB2", "CT3", "RA3"),
        _d15,
        ("RA3", "RC4", "RC5", "A14", "F1", "HB2"),
        sizes={"Broker": 2},
        start=at_newest() & placed_on_all(),
        given={"Heartbeat": HEALTHY & ~want_fence, "CreateTopic": ASKS_FOR_TWO},
    ),
    Finding(
        "D15b",
        "A replica that is removed and added again is elected cleanly with an empty log",
        _STARTS_EMPTY,
        BROKERS_AND_TOPICS,
        ("R1", "HB2", "R1", "HB2", "CT3", "RA3", "RA3"),
        _d15b,
        ("RA3",),
        sizes={"Broker": 2, "Partition": 2, "index": 1},
        start=at_newest(several=True) & placed_on_all(),
        given={
            "Heartbeat": HEALTHY & ~want_fence,
            "CreateTopic": ASKS_FOR_TWO,
            "Reassign": p.is_(SECOND),
            "CancelReassignment": FALSE,
            "DeleteTopic": FALSE,
        },
    ),
    Finding(
        "D25",
        "A reassignment of partition 0 lowers the other partitions' minimum and leaves them their eligible leader replicas",
        _FALLS,
        BROKERS_AND_TOPICS,
        ("R1", "HB2", "R1", "HB2", "CT3", "HB5", "RA3"),
        _d25,
        (),
        sizes={"Broker": 2, "Partition": 2, "index": 1},
        start=at_newest(several=True) & placed_on_all(),
        given={
            "Heartbeat": HEALTHY,
            "CreateTopic": ASKS_FOR_TWO,
            "Reassign": p.is_(FIRST),
            "CancelReassignment": FALSE,
            "DeleteTopic": FALSE,
        },
    ),
)
