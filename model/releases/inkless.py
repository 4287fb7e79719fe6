"""Aiven's Inkless as edits of Kafka 4.2: topics whose data are in an object store, and the switch of a classic topic to one.

Read in its public source (ReplicationControlManager, ConfigurationControlManager and QuorumController of aiven/inkless,
main b1fcb5f6f7); no log of a running one was seen. The switch of a partition is two tags of a PartitionChange of version 0,
which Kafka's controller skips: `seal` is classicToDisklessStartOffset.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from fencepost.model.kraft import KRAFT
from fencepost.model.kraft.answers import Error
from fencepost.model.kraft.brokers import be
from fencepost.model.kraft.configurations import is_topic
from fencepost.model.kraft.more_properties import stays
from fencepost.model.kraft.reassignment import target
from fencepost.model.kraft.records import (
    IN_SNAPSHOTS,
    LEADER,
    PARTITION_CHANGE,
    PARTITION_RECORD,
    REMOVE_TOPIC,
    level_at,
)
from fencepost.model.kraft.state import *
from fencepost.model.kraft.topics import manual, n
from fencepost.model.language import (
    ANY,
    AT_RESULT_BOUNDARIES,
    BOOL,
    FALSE,
    TRUE,
    Event,
    Row,
    Term,
    always,
    counter,
    drop,
    empty,
    event,
    every,
    exists,
    forall,
    keep,
    lemma,
    let,
    literal,
    members,
    next_,
    nobody,
    only_if,
    optional,
    per,
    present,
    record,
    required,
    some,
    step,
    table,
    then,
    when,
)
from fencepost.model.language.effects import Applied, Effect, Every, Together, Write
from fencepost.model.language.records import said
from fencepost.model.language.terms import Get, Lit

from .edits import AsWell, OfEvent, Other, Redefine, With, Writing
from .fork import Narrowed, OfFork, betrayed
from .kraft import KAFKA_42
from .release import Difference

# -- state and records -------------------------------------------------------------------------------------------------
SEAL = counter("seal", lo=-2)
NO_SWITCH, PENDING = Lit(-1, SEAL), Lit(-2, SEAL)
seal = per(
    PARTITION,
    "seal",
    SEAL,
    -1,
    about="classicToDisklessStartOffset: below it is the classic log; −1 no switch, −2 the switch has begun",
)
diskless = per(TOPIC, "diskless", BOOL, about="diskless.enable of the topic")
own_diskless = per(TOPIC, "own_diskless", BOOL, about="the topic says itself whether it is diskless")

_name = required("resource", NAME, "resourceName")
_switched = optional("value", BOOL, text=True)
TOPIC_DISKLESS = record(
    "CONFIG_RECORD",
    _name,
    fields=(_switched,),
    only={"resourceType": 2, "name": "diskless.enable"},
    replay=every(
        t,
        name[t].is_(_name.value),
        diskless[t].becomes(_switched.over(FALSE)),
        own_diskless[t].becomes(_switched.said),
    ),
    name="TopicDiskless",
    source="ReplicationControlManager.isDisklessTopic",
)
_p = PARTITION_CHANGE.about[0]
_of_kafka = {  # What a PartitionChange of a switch leaves out.
    "isr": None,
    "replicas": None,
    "removingReplicas": None,
    "addingReplicas": None,
    "leaderRecoveryState": -1,
    "directories": None,
    "eligibleLeaderReplicas": None,
    "lastKnownElr": None,
}
_seal = required("seal", SEAL, "classicToDisklessStartOffset", tag=True)
_at_epoch = optional("at_epoch", LEADER_EPOCH, "leaderEpochAtSeal", tag=True)
DISKLESS_SWITCH = record(
    "PARTITION_CHANGE_RECORD",
    _p,
    fields=(LEADER, _seal, _at_epoch),
    only=_of_kafka,
    replay=(
        leader[_p.value].becomes(LEADER.over(leader[_p.value])),
        leader_epoch[_p.value].becomes(when(LEADER.said, leader_epoch[_p.value] + 1, leader_epoch[_p.value])),
        partition_epoch[_p.value].becomes(partition_epoch[_p.value] + 1),
        seal[_p.value].becomes(_seal.value),
    ),
    version=level_at(0),
    name="DisklessSwitch",
    source="InitDisklessLogFields",
)
# What a snapshot says of producers at the seal, and of the leader epoch there, no row reads.
_stored_seal = optional("seal", SEAL, "classicToDisklessStartOffset", tag=True, unwritten=IN_SNAPSHOTS)
_whole = PARTITION_RECORD.about[0].value
SEALED_PARTITION = replace(
    PARTITION_RECORD,
    fields=(*PARTITION_RECORD.fields, _stored_seal),
    replay=(*PARTITION_RECORD.replay, seal[_whole].becomes(_stored_seal.over(NO_SWITCH))),
)
_t = REMOVE_TOPIC.about[0].value
REMOVE_DISKLESS = replace(
    REMOVE_TOPIC,
    replay=(
        *REMOVE_TOPIC.replay,
        diskless[_t].becomes(FALSE),
        own_diskless[_t].becomes(FALSE),
        every(q, exists_[q] & topic[q].is_(_t), seal[q].becomes(NO_SWITCH)),
    ),
)

# -- the switch begins -------------------------------------------------------------------------------------------------
a = NAME.var("a")
diskless_asked = per(
    NAME, "diskless_asked", BOOL, ANY, what="fixed", about="the request sets the topic's diskless.enable"
)
diskless_to = per(NAME, "diskless_to", BOOL, ANY, what="fixed", about="the value that it gives")
_same = exists(t, live[t] & name[t].is_(some(n)) & own_diskless[t] & diskless[t].is_(diskless_to[n]))
_given_up = ~diskless_to[n] & exists(t, live[t] & name[t].is_(some(n)) & diskless[t])
_set = every(n, diskless_asked[n] & is_topic & ~_same & ~_given_up, TOPIC_DISKLESS(n, value=diskless_to[n]))
switches = (
    exists_[p]
    & seal[p].is_(NO_SWITCH)
    & ~diskless[topic[p]]
    & exists(a, diskless_asked[a] & diskless_to[a] & name[topic[p]].is_(some(a)))
)
_is_whole = (
    present(leader[p])
    & recovery[p].is_(Recovery.RECOVERED)
    & removing[p].is_(nobody(BROKER))
    & adding[p].is_(nobody(BROKER))
    & elr[p].is_(nobody(BROKER))
    & empty(last_known[p])
    & ~last_nobody[p]
    & (members(replicas[p]) <= members(isr[p]))
)
may_switch = let("may_switch", forall(p, switches.implies(_is_whole)))


def _with_switches(row: Row) -> Row:
    """CM1, which also sets diskless.enable, and marks the partitions of a topic that becomes diskless."""
    first, *rest = row.effects
    assert isinstance(first, Together)
    marks = every(p, switches, DISKLESS_SWITCH(p, leader=leader[p], seal=PENDING))
    return replace(row, when=row.when & may_switch, effects_=(replace(first, body=(*first.body, _set)), *rest, marks))


def _refused(row: Row) -> Row:
    return replace(row, id="CM3", when=row.when & ~may_switch, effects_=(), say=literal(Error.INVALID_CONFIG))


# -- the seal ----------------------------------------------------------------------------------------------------------
start, at = SEAL.var("start"), LEADER_EPOCH.var("at")
notes_epoch = BOOL.var("notes_epoch")
init = event(
    "InitDisklessLog", b, be, p, at, start, notes_epoch,
    source="aiven/inkless", code="ReplicationControlManager.initDisklessLog",
)  # fmt: skip
override = event(
    "AlterDisklessSwitch", p, start,
    source="aiven/inkless", code="ReplicationControlManager.alterDisklessSwitch",
)  # fmt: skip
_unknown_sender = let("stale_sender", ~registered[b] | be.isnt(epoch[b]))
SEALS = table(
    "seals",
    init("IL1", _unknown_sender, say=Error.STALE_BROKER_EPOCH),
    init("IL2", ~live[topic[p]], say=Error.UNKNOWN_TOPIC_ID),
    init("IL3", ~exists_[p], say=Error.UNKNOWN_TOPIC_OR_PARTITION),
    init("IL4", at > leader_epoch[p], say=Error.NOT_CONTROLLER),
    init("IL5", at < leader_epoch[p], say=Error.FENCED_LEADER_EPOCH),
    init("IL6", leader[p].isnt(b), say=Error.INVALID_REQUEST),
    init("IL7", (start < 0) | seal[p].isnt(PENDING), say=Error.INVALID_REQUEST),
    init("IL8", TRUE, DISKLESS_SWITCH(p, seal=start, at_epoch=said(leader_epoch[p], if_=notes_epoch)), say=Error.NONE),
    override("AS1", ~exists_[p], say=Error.UNKNOWN_TOPIC_OR_PARTITION),
    override("AS2", ~diskless[topic[p]] | seal[p].is_(NO_SWITCH), say=Error.INVALID_REQUEST),
    override("AS3", (start < 0) & (seal[p] >= 0), say=Error.INVALID_REQUEST),
    override("AS4", (seal[p] >= 0) & (start > seal[p]), say=Error.INVALID_REQUEST),
    override("AS5", start >= 0, DISKLESS_SWITCH(p, seal=start, at_epoch=leader_epoch[p]), say=Error.NONE),
    override("AS6", start.is_(NO_SWITCH), DISKLESS_SWITCH(p, seal=start), say=Error.NONE),
    override("AS7", TRUE, DISKLESS_SWITCH(p, leader=leader[p], seal=start), say=Error.NONE),
    mode="first match",
    total=True,
    about="The leader of a partition whose switch has begun says where its classic log ends; an operator may say otherwise.",
    why={
        "IL8": "Releases before 0.42 do not note the leader epoch.",
        "AS7": "The leader epoch rises, so that the leader seals its log again.",
    },
)  # fmt: skip


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


pending = seal[p].is_(PENDING)
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


# -- claims ------------------------------------------------------------------------------------------------------------
_SOURCE = "aiven/inkless, ReplicationControlManager"
CLAIMS = (
    always(
        "DS1",
        forall(p, (exists_[p] & seal[p].isnt(NO_SWITCH)).implies(diskless[topic[p]])),
        "Only a partition of a diskless topic is switched.",
        _SOURCE,
        scope=AT_RESULT_BOUNDARIES,
    ),
    step(
        "DS2",
        forall(p, (stays & (seal[p] >= 0)).implies((next_(seal[p]) >= 0) & (next_(seal[p]) <= seal[p]))),
        "A seal is never raised, and never given up.",
        _SOURCE,
    ),
    step(
        "DS3",
        forall(
            p,
            (stays & seal[p].isnt(PENDING) & next_(seal[p]).is_(PENDING)).implies(
                next_(leader_epoch[p]) > leader_epoch[p]
            ),
        ),
        "Where a switch begins the leader epoch rises, so that the leader seals its log.",
        _SOURCE,
    ),
    step(
        "DS4",
        forall(p, (stays & (seal[p] < 0) & (next_(seal[p]) >= 0)).implies(seal[p].is_(PENDING))),
        "A partition is sealed only where its switch has begun.",
        _SOURCE,
    ),
    step(
        "DS5",
        forall(p, (stays & ~diskless[topic[p]] & next_(diskless[topic[p]])).implies(next_(seal[p]).is_(PENDING))),
        "The switch of every partition begins with the setting of its topic.",
        _SOURCE,
        scope=AT_RESULT_BOUNDARIES,
    ),
    step(
        "DS6",
        forall(p, (stays & seal[p].is_(NO_SWITCH) & next_(seal[p]).is_(PENDING)).implies(_is_whole)),
        "The switch begins of a partition that is whole: led, with every replica in sync, and not reassigned.",
        "aiven/inkless, ReplicationControlManager.validatePartitionsForSwitch",
        scope=AT_RESULT_BOUNDARIES,
    ),
    step(
        "DS8",
        forall(p, (~exists_[p] & next_(exists_[p])).implies(exists(x, next_(leader[p]).is_(x) & x.in_(active)))),
        "A partition begins with a leader that is active, whatever other brokers are in its first ISR.",
        "aiven/inkless, ReplicationControlManager.activeFirstComparator",
        scope=AT_RESULT_BOUNDARIES,
    ),
    lemma(
        "DS7",
        forall(p, (exists_[p] & diskless[topic[p]]).implies((removing[p] | adding[p]).is_(nobody(BROKER)))),
        "For P2, P13: no replica of a diskless partition is being added or removed.",
    ),
)


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
