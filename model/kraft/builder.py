"""The partition change builder: what becomes of one partition, and the record that says so.

Every row that changes a partition goes through it. The numbers in the comments are the builder's steps in Kafka's order; the names are
kept by every engine, so a counterexample, a proof and a divergence speak of the same `candidates` and `elected`.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import Any

from fencepost.model.language.vocabulary import *

from .records import PARTITION_CHANGE
from .state import *


class Election(enum.Enum):
    """How a leader may be found: the preferred one, a clean one, or anyone who is there."""

    PREFERRED = "P"
    ONLINE = "O"
    UNCLEAN = "U"


ELECTION = one_of(Election)
NOBODY = nobody(BROKER)
NO_ONE = none_of(BROKER)


def policy(of: Term[Topic]) -> Term[Election]:
    """Return the election that a topic's configuration allows."""
    return when(allows_unclean(of), literal(Election.UNCLEAN), literal(Election.ONLINE))


@dataclass(frozen=True)
class Built:
    """The builder's result: each field's new value, and whether the record has it."""

    isr: Term[tuple[Broker, ...]]
    isr_said: Term[bool]
    leader: Term[Broker | None]
    leader_said: Term[bool]
    elr: Term[frozenset[Broker]]
    elr_said: Term[bool]
    last_known: Term[tuple[Broker, ...]]
    last_known_said: Term[bool]
    replicas: Term[tuple[Broker, ...]]
    removing: Term[frozenset[Broker]]
    adding: Term[frozenset[Broker]]
    recovery: Term[Recovery]
    directories: Term[tuple[Directory | None, ...]]
    directories_said: Term[bool]


def build(
    of: Term[Partition],
    target_isr: Term[tuple[Broker, ...]],
    acceptable: Term[frozenset[Broker]],
    lost: Term[frozenset[Broker]],
    election: Term[Election],
    target: Term[tuple[Broker, ...]],
    target_removing: Term[frozenset[Broker]],
    target_adding: Term[frozenset[Broker]],
    target_recovery: Term[Recovery],
) -> Built:
    """Return what the builder makes of a partition and its targets; `lost` are the replicas that stopped uncleanly."""
    # 1: a reassignment is complete
    isr_left = let("isr_left", drop(target_isr, target_removing))
    target_left = let("target_left", drop(target, target_removing))
    completes = let(
        "completes",
        (target_removing.isnt(NOBODY) | target_adding.isnt(NOBODY))
        & (target_removing.is_(NOBODY) | ~empty(isr_left) & ~empty(target_left))
        & (target_adding <= members(isr_left))
        & (at_least(target_adding, size_of(target_removing, SIZE)) | (members(target_left) <= members(isr_left))),
    )
    isr1 = let("isr1", when(completes, isr_left, target_isr))
    replicas1 = let("replicas1", when(completes, target_left, target))
    # 2: who may lead though not in sync
    enough = let("enough_in_sync", at_least(members(isr1), min_isr(of)))  # type: ignore[arg-type]
    short = when(enough, NOBODY, (elr[of] | members(isr[of])) - members(isr1) - lost)
    candidates = let("candidates", when(elr_on, short, elr[of]))
    # 3: the election
    valid = let("valid", acceptable & when(empty(isr1), candidates, members(isr1)))
    stays = when(leader[of].in_(valid), leader[of], first(replicas1, valid))
    preferred = election.is_(Election.PREFERRED) & head(replicas1).in_(valid)
    clean = let("clean", when(preferred, head(replicas1), stays))
    known = let(
        "recalled", when(elr_on & empty(isr1) & candidates.is_(NOBODY), first(last_known[of], acceptable), NO_ONE)
    )
    anyone = when(election.is_(Election.UNCLEAN), first(replicas1, acceptable), NO_ONE)
    elected = let("elected", else_(clean, else_(known, anyone)))
    moves = let("moves", elected.isnt(leader[of]))
    loses = let("loses", moves & absent(clean) & present(elected))
    from_elr = let("from_elr", moves & elected.in_(candidates))
    isr2 = let("isr2", when(from_elr, only(elected), isr1))
    # 4: a replica leaves, so the leader epoch must rise
    gives_up = let("gives_up", ~moves & ~(members(replicas[of]) <= members(replicas1)))
    # 5, 6: what is written of the ISR and of the eligible leader replicas
    elr3 = let("elr3", when(elr_on & ~loses, when(from_elr, candidates - just(elected), candidates), NOBODY))
    isr3 = let("isr3", when(loses, only(elected), isr2))
    isr_said = let("isr_said", loses | (~empty(isr2) | elr_on) & isr2.isnt(isr[of]))
    # 7: before 3.6-IV0 a shrink raises the leader epoch too
    shrinks = let("shrinks", (mv < 12) & ~moves & ~gives_up & isr_said & ~(members(isr[of]) <= members(isr3)))
    leader_said = let("leader_said", moves | gives_up | shrinks)
    # 8: the last known leader, stored once the partition is leaderless
    remembers = let("remembers", elr_on & leader_said & absent(elected).is_(empty(last_known[of]) & ~last_nobody[of]))
    return Built(
        isr=isr3,
        isr_said=isr_said,
        leader=elected,
        leader_said=leader_said,
        elr=elr3,
        elr_said=let("elr_said", elr3.isnt(elr[of]) | elr_disordered[of]),
        last_known=when(present(elected), nothing(BROKER), only(leader[of])),
        last_known_said=remembers,
        # 9: whatever else differs; who is new gets a directory
        directories=each(x, replicas1, else_(location[of, x], default_directory(x))),
        directories_said=(mv >= 17) & replicas1.isnt(replicas[of]),
        replicas=replicas1,
        removing=let("removing1", when(completes, NOBODY, target_removing)),
        adding=let("adding1", when(completes, NOBODY, target_adding)),
        recovery=let(
            "recovery1", when(loses & target_recovery.is_(recovery[of]), literal(Recovery.RECOVERING), target_recovery)
        ),
    )


def _record(of: Term[Partition], built: Built, directories: Any) -> Write:
    return PARTITION_CHANGE(
        of,
        isr=said(built.isr, if_=built.isr_said),
        leader=said(built.leader, if_=built.leader_said),
        replicas=said(built.replicas, if_=built.replicas.isnt(replicas[of])),
        removing=said(built.removing, if_=built.removing.isnt(removing[of])),
        adding=said(built.adding, if_=built.adding.isnt(adding[of])),
        recovery=said(built.recovery, if_=built.recovery.isnt(recovery[of])),
        elr=said(built.elr, if_=built.elr_said),
        last_known=said(built.last_known, if_=built.last_known_said),
        directories=directories,
    )


def writes(of: Term[Partition], election: Term[Election]) -> Term[bool]:
    """Return whether the builder, asked for an election and nothing else, writes a record."""
    built = build(of, isr[of], electable(of), NOBODY, election, replicas[of], removing[of], adding[of], recovery[of])
    record = _record(of, built, directories=said(built.directories, if_=built.directories_said))
    return let("writes_a_record", PARTITION_CHANGE.speaks(record.fields))


_isr = list_of(BROKER).var("target_isr")
_acceptable = set_of(BROKER).var("acceptable")


@procedure(
    p,
    _isr,
    _acceptable,
    lost=(set_of(BROKER).var("lost"), lambda p, isr_, acceptable: NOBODY),
    election=(ELECTION.var("election"), lambda p, isr_, acceptable: policy(topic[p])),
    target=(list_of(BROKER).var("target"), lambda p, isr_, acceptable: replicas[p]),
    target_removing=(set_of(BROKER).var("target_removing"), lambda p, isr_, acceptable: removing[p]),
    target_adding=(set_of(BROKER).var("target_adding"), lambda p, isr_, acceptable: adding[p]),
    target_recovery=(one_of(Recovery).var("target_recovery"), lambda p, isr_, acceptable: recovery[p]),
)
def change(
    of: Term[Partition],
    target_isr: Term[tuple[Broker, ...]],
    acceptable: Term[frozenset[Broker]],
    lost: Term[frozenset[Broker]],
    election: Term[Election],
    target: Term[tuple[Broker, ...]],
    target_removing: Term[frozenset[Broker]],
    target_adding: Term[frozenset[Broker]],
    target_recovery: Term[Recovery],
) -> object:
    """Complete a reassignment, keep the eligible leader replicas, elect, and write what has changed, if anything."""
    built = build(of, target_isr, acceptable, lost, election, target, target_removing, target_adding, target_recovery)
    return _record(of, built, directories=said(built.directories, if_=built.directories_said))


_holder = BROKER.var("holder")
_into = DIRECTORY.var("into")


@procedure(p, _holder, _into)
def relocate(of: Term[Partition], holder: Term[Broker], into: Term[Directory]) -> object:
    """A replica of the partition is in another directory; whatever the builder finds to change is changed with it."""
    built = build(
        of,
        isr[of],
        electable(of),
        NOBODY,
        literal(Election.ONLINE),
        replicas[of],
        removing[of],
        adding[of],
        recovery[of],
    )
    where = when(x.is_(holder), some(into), else_(location[of, x], default_directory(x)))
    return _record(
        of,
        built,
        directories=said(
            each(x, built.replicas, where),
            if_=(mv >= 17)
            & (built.directories_said | holder.in_(built.replicas) & location[of, holder].isnt(some(into))),
        ),
    )


@procedure(p, _holder, _into)
def seat(of: Term[Partition], holder: Term[Broker], into: Term[Directory]) -> object:
    """A replica of the partition is in another directory, and nothing else has changed."""
    where = when(x.is_(holder), some(into), location[of, x])
    return PARTITION_CHANGE(
        of, directories=said(each(x, replicas[of], where), if_=(mv >= 17) & location[of, holder].isnt(some(into)))
    )


def changed(of: Term[Partition], target_isr: Term[tuple[Broker, ...]], target_recovery: Term[Recovery]) -> Built:
    """Return what the builder finds when the leader of a partition proposes an ISR."""
    return build(
        of,
        target_isr,
        electable(of),
        NOBODY,
        policy(topic[of]),
        replicas[of],
        removing[of],
        adding[of],
        target_recovery,
    )


def _alone() -> Applied:
    formals = change.procedure.formals  # type: ignore[attr-defined]
    return Applied(change.procedure, formals, ())  # type: ignore[attr-defined]


_build = event("Build", *change.procedure.formals, source="S3:205-216", code="PartitionChangeBuilder.build")  # type: ignore[attr-defined]
BUILDER = protocol(
    "kraft-builder",
    table("the builder alone", _build("PC1", topic[p].is_(topic[p]), _alone())),
    about="The partition change builder by itself, every target free: it is compared with the recorded answers of Kafka's own class.",
)
