"""Aiven's Inkless as edits of Kafka 4.2: topics whose data are in an object store, and the switch of a classic topic to one.

Read in its public source (ReplicationControlManager, ConfigurationControlManager and QuorumController of aiven/inkless,
main b1fcb5f6f7); no log of a running one was seen. `switch` has what a partition's switch is, and who seals it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from fencepost.model.kraft import KRAFT
from fencepost.model.kraft.answers import Error
from fencepost.model.kraft.reassignment import target
from fencepost.model.kraft.records import PARTITION_RECORD, REMOVE_TOPIC
from fencepost.model.kraft.state import *
from fencepost.model.kraft.topics import manual, n
from fencepost.model.language import Event
from fencepost.model.language.terms import Get
from fencepost.model.language.vocabulary import *

from .edits import AsWell, OfEvent, Other, Redefine, With, Writing
from .fork import Narrowed, OfFork, betrayed
from .kraft import KAFKA_42
from .release import Difference
from .switch import (
    DISKLESS_SWITCH,
    PENDING,
    REMOVE_DISKLESS,
    SEALED_PARTITION,
    SEALS,
    TOPIC_DISKLESS,
    diskless,
    diskless_to,
    may_switch,
    pending,
    seal,
    sets_diskless,
    switches,
)
from .switch_claims import CLAIMS

# -- the switch begins -------------------------------------------------------------------------------------------------


def _with_switches(row: Row) -> Row:
    """CM1, which also sets diskless.enable, and marks the partitions of a topic that becomes diskless."""
    first, *rest = row.effects
    assert isinstance(first, Together)
    marks = every(p, switches, DISKLESS_SWITCH(p, leader=leader[p], seal=PENDING))
    return replace(
        row, when=row.when & may_switch, effects_=(replace(first, body=(*first.body, sets_diskless)), *rest, marks)
    )


def _refused(row: Row) -> Row:
    return replace(row, id="CM3", when=row.when & ~may_switch, effects_=(), say=literal(Error.INVALID_CONFIG))


# -- born diskless -----------------------------------------------------------------------------------------------------
has_diskless, makes_diskless = BOOL.var("has_diskless"), BOOL.var("makes_diskless")


def _creating(row: Row) -> Row:
    """CT3, which also sets diskless.enable; the partitions of a diskless topic begin with all replicas in the ISR."""
    first, settings, *rest = row.effects
    assert isinstance(settings, Together)
    sets = only_if(has_diskless, TOPIC_DISKLESS(n, value=makes_diskless))
    effects = (first, replace(settings, body=(*settings.body, sets)), *rest)
    return _born(replace(row, effects_=effects), has_diskless & makes_diskless)


def _growing(row: Row) -> Row:
    return _born(row, diskless[t])


def _born(row: Row, is_diskless: Term[bool]) -> Row:
    """A row that creates partitions, which begin with all replicas in the ISR where the topic is diskless."""

    def other(effect: Effect) -> Effect:
        if isinstance(effect, Every):
            return replace(effect, body=tuple(map(other, effect.body)))
        if not isinstance(effect, Write) or effect.record is not SEALED_PARTITION:
            return effect
        of = effect.fields[0].value
        # Of replicas that an operator chooses the active ones come first, so that the first of the ISR can lead.
        all_of_them = when(manual, then(keep(placed[of], active), drop(placed[of], active)), placed[of])
        fields = (
            replace(one, value=when(is_diskless, all_of_them, one.value)) if one.field == "isr" else one
            for one in effect.fields
        )
        return replace(effect, fields=tuple(fields))

    return replace(row, effects_=tuple(map(other, row.effects)))


# -- elections and reassignments ---------------------------------------------------------------------------------------
def _without_directory(body: Term[bool], of: Term[Partition], who: Term[Broker]) -> Term[bool]:
    """A replica of a diskless partition needs no directory that is online, nor one that a reassignment brings in."""
    # The controller does not check that a broker is a replica, which could matter for the last known leader alone.
    return body | diskless[topic[of]] & (who.in_(replicas[of]) | ~who.in_(last_known[of]))


def _none_while_pending(body: Term[bool], of: Term[Topic]) -> Term[bool]:
    """The topic's policy, but for a partition whose switch has begun."""
    return body & ~seal[of.keys[0]].is_(PENDING) if isinstance(of, Get) and of.state.name == "topic" else body


_at_once: dict[str, Term[Any]] = {
    "target_isr": when(target.is_(replicas[p]), isr[p], target),
    "target": target,
    "target_removing": removing[p],
    "target_adding": adding[p],
}
"""Arguments of the builder for a partition of a diskless topic, by parameter name."""


def reassigned_at_once(where: Term[bool]) -> tuple[Redefine, Other]:
    """Return the edits by which a partition `p` gets its replicas, and all of them as ISR, at once where a condition holds."""

    def reassigning(row: Row) -> Row:
        (staged,) = row.effects
        assert isinstance(staged, Applied)
        names = [formal.name for formal in staged.procedure.formals]
        given: dict[str, Term[Any]] = {
            name: when(where, _at_once[name], old) if name in _at_once else old
            for name, old in zip(names, staged.arguments, strict=True)
        }
        shown = tuple((name, given[name]) for name in names if name in dict(staged.shown))
        return replace(row, effects_=(replace(staged, arguments=tuple(given.values()), shown=shown),))

    nobody_there = where & ~exists(x, x.in_(target) & x.in_(active))
    return Redefine("bad_target", lambda body: body | nobody_there), Other("RA3", reassigning)


def _with_diskless(event: Event) -> Event:
    return replace(event, params=(*event.params, has_diskless, makes_diskless))


def _refused_while_pending(row: Row) -> Row:
    return replace(row, id="EU4", when=row.when & pending, effects_=(), say=literal(Error.INVALID_REQUEST))


INKLESS = OfFork(
    "inkless",
    KRAFT,
    KAFKA_42,
    (
        Difference(
            "switch",
            "A request that sets diskless.enable marks each partition of the topic, with the leader that it has, so that its "
            "leader epoch rises; partitions that are not whole are refused.",
            "A topic's setting changes no partition.",
            "aiven/inkless, ReplicationControlManager.markClassicToDisklessSwitchStarted",
            "PartitionChanges of version 0 with tag 100 behind the settings",
            (
                Writing(PARTITION_RECORD, SEALED_PARTITION),
                Writing(REMOVE_TOPIC, REMOVE_DISKLESS),
                OfEvent("AlterConfigs", betrayed(diskless_to[n], TOPIC_DISKLESS.field("value"))),
                AsWell("CM1", _refused),
                Other("CM1", _with_switches),
            ),
        ),
        Difference(
            "seal",
            "The leader of a partition whose switch has begun says where its classic log ends; an operator may seal it lower, "
            "begin again, or give the switch up.",
            "There is no such request.",
            "aiven/inkless, ReplicationControlManager.initDisklessLog and alterDisklessSwitch",
            "a PartitionChange of version 0 with tag 100 alone",
            (With(SEALS),),
        ),
        Difference(
            "born-diskless",
            "The ISR of a diskless partition begins with all its replicas, those of fenced brokers too.",
            "It begins with the active ones.",
            "aiven/inkless, ReplicationControlManager.createTopic and createPartitions",
            "a partition with a fenced broker in its first ISR",
            (
                OfEvent("CreateTopic", _with_diskless),
                Other("CT3", _creating),
                Other("CP5", _growing),
                Other("CP6", _growing),
            ),
        ),
        Difference(
            "reassigned-at-once",
            "A reassignment of a diskless partition is one record: its replicas, and all of them as ISR.",
            "Replicas are added and removed once they are in sync.",
            "aiven/inkless, ReplicationControlManager.changePartitionReassignment",
            "replicas without adding and removing ones",
            reassigned_at_once(diskless[topic[p]]),
        ),
        Difference(
            "no-directories",
            "A leader of a diskless partition needs no log directory that is online.",
            "It needs one.",
            "aiven/inkless, ReplicationControlManager.leaderAcceptorFor",
            "a leader whose directory is not one of its broker's",
            (Redefine("online", _without_directory, of_arguments=True),),
        ),
        Difference(
            "no-unclean-elections",
            "There is no unclean election of a partition whose switch has begun.",
            "The topic's policy decides.",
            "aiven/inkless, ReplicationControlManager.hasClassicToDisklessSwitchPending",
            "a partition that stays without a leader",
            (
                Redefine("allows_unclean", _none_while_pending, of_arguments=True),
                AsWell("EU3", _refused_while_pending),
                Other("EU3", lambda row: replace(row, when=row.when & ~pending)),
            ),
        ),
    ),
    (
        "With managed replicas a broker that is unfenced joins the ISR of partitions that were created diskless.",
        "A topic for which unclean elections are allowed cannot be switched.",
        "Producers' states of a seal are not read.",
        "The last known leader of a diskless partition is taken to be a replica; the controller does not check it.",
    ),
    "Inkless 0.47",
    ("P8r",),
    (
        Narrowed(
            ("P6", "P7", "P7r", "P7s", "P10", "P11", "P12", "P21r", "P29", "P33", "P34"),
            ~diskless[topic[p]],
            "where the topic is not diskless",
        ),
    ),
    CLAIMS,
    {"seal": 1},
)
