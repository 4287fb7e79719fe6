"""The switch of a classic topic to diskless storage as a design over today's tables: Inkless with its defects repaired.

Where a rule of Inkless rests on "all data are in the object store", it is made of partitions that were created diskless: a
switched one has a classic prefix, which its replicas alone have. Read in aiven/inkless, main b1fcb5f6f7, and in its pull
requests 626, 630, 634, 643, 754 (merged) and 757 (open).
"""

from __future__ import annotations

from dataclasses import replace

from fencepost.model.kraft import KRAFT
from fencepost.model.kraft.answers import Error
from fencepost.model.kraft.brokers import returning
from fencepost.model.kraft.builder import change
from fencepost.model.kraft.more_properties import stays
from fencepost.model.kraft.records import UNFENCE
from fencepost.model.kraft.state import *
from fencepost.model.language import (
    Always,
    Protocol,
    Step,
    Term,
    absent,
    every,
    forall,
    lemma,
    let,
    literal,
    next_,
    nobody,
    only,
    procedure,
    step,
    then,
    when,
)
from fencepost.model.language.footprint import variables

from .edits import Other, OtherProcedure
from .fork import Narrowed, OfFork
from .inkless import INKLESS, reassigned_at_once
from .kraft import KAFKA_44
from .release import Difference
from .switch import NO_SWITCH, diskless, seal, start
from .switch_claims import CLAIMS, of_override

born_diskless = let("born_diskless", diskless[topic[p]] & seal[p].is_(NO_SWITCH))
"""All records of the partition are in the object store: whichever replica lives has them."""


def joins(b: Term[Broker], there: Term[bool] = born_diskless) -> Term[bool]:
    """Return whether a broker that is unfenced comes into the ISR of a partition `p`, where it holds that it may."""
    return there & b.in_(replicas[p]) & ~b.in_(isr[p])


@procedure(b)
def unfence_and_join(b: Term[Broker]) -> object:
    """handleBrokerUnfenced: the broker, then partitions without a leader, and those into whose ISR it comes at once."""
    return (
        UNFENCE(b, epoch=epoch[b]),
        every(
            p,
            exists_[p] & (absent(leader[p]) | joins(b)),
            change(p, when(joins(b), then(isr[p], only(b)), isr[p]), returning(p, b)),
        ),
    )


_SOURCE = "aiven/inkless, ReplicationControlManager"
_STAGED = lemma(
    "DS7",
    forall(p, (exists_[p] & born_diskless).implies((removing[p] | adding[p]).is_(nobody(BROKER)))),
    "For P2, P13: no replica of a partition that was created diskless is being added or removed.",
)
_NOT_GIVEN_UP = step(
    "DS9",
    forall(p, (stays & seal[p].isnt(NO_SWITCH)).implies(next_(seal[p]).isnt(NO_SWITCH))),
    "A partition that has classic records is never taken for one that was created diskless.",
    f"{_SOURCE}.alterDisklessSwitch",
)
_inkless = {one.name: one for one in INKLESS.differences}


DISKLESS = OfFork(
    "diskless",
    KRAFT,
    KAFKA_44,
    (
        _inkless["switch"],
        _inkless["seal"],
        _inkless["born-diskless"],
        Difference(
            "unfence-joins",
            "A broker that is unfenced comes into the ISR of its partitions that were created diskless.",
            "It comes into an ISR when the leader proposes it.",
            f"{_SOURCE}.expandIsrForDisklessManagedPartitions",
            "an ISR that grows behind an unfence",
            (OtherProcedure("unfence", unfence_and_join, ("HB2",)),),
        ),
        Difference(
            "reassigned-at-once",
            "A reassignment of a partition that was created diskless is one record: its replicas, and all of them as ISR.",
            "Replicas are added and removed once they are in sync.",
            f"{_SOURCE}.changePartitionReassignment, with pull request 757",
            "replicas without adding and removing ones",
            reassigned_at_once(born_diskless),
        ),
        Difference(
            "not-given-up",
            "A switch that has begun is not given up; an operator may begin it again.",
            "There is no such request.",
            "of this design: with the topic diskless, a partition whose switch was given up could not be distinguished from one that was "
            "created diskless",
            "nothing",
            (Other("AS6", lambda row: replace(row, effects_=(), say=literal(Error.INVALID_REQUEST))),),
        ),
        _inkless["no-directories"],
        _inkless["no-unclean-elections"],
    ),
    ("A broker that reports a failed directory while it is unfenced comes into no ISR by that.",),
    title="Inkless, repaired",
    falls=("P8r",),
    narrowed=(
        Narrowed(("P6", "P33", "P34"), ~diskless[topic[p]], "where the topic is not diskless"),
        Narrowed(
            ("P7", "P7r", "P7s", "P10", "P11", "P12", "P21r", "P29"),
            ~born_diskless,
            "where the partition was not created diskless",
        ),
    ),
    own=tuple({one.id: one for one in (*CLAIMS, _STAGED, _NOT_GIVEN_UP, *of_override(start.is_(NO_SWITCH)))}.values()),
    sizes={"seal": 1},
)


def switching(base: Protocol) -> Protocol:
    """Return today's tables of the controller, or a slice of them, with the switch; and claims that the tables can break."""
    made = DISKLESS.of(base)
    there = set(made.states)
    own = (one for one in DISKLESS.own if isinstance(one, (Always, Step)) and variables(one.term) <= there)
    return made if base is KRAFT else made.claiming(*own, name=made.name)
