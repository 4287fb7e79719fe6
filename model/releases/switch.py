"""The switch of a classic topic to diskless storage in Inkless: a partition's seal, the records that say it, who sets it.

A switch is two tags of a PartitionChange of version 0, which Kafka's controller skips: `seal` is
classicToDisklessStartOffset, `at_epoch` leaderEpochAtSeal. Read in aiven/inkless, main b1fcb5f6f7
(InitDisklessLogFields, PartitionRegistration, ReplicationControlManager).
"""

from __future__ import annotations

from dataclasses import replace

from fencepost.model.kraft.answers import Error
from fencepost.model.kraft.brokers import be
from fencepost.model.kraft.configurations import is_topic
from fencepost.model.kraft.records import (
    IN_SNAPSHOTS,
    LEADER,
    PARTITION_CHANGE,
    PARTITION_RECORD,
    REMOVE_TOPIC,
    level_at,
)
from fencepost.model.kraft.state import *
from fencepost.model.kraft.topics import n
from fencepost.model.language.vocabulary import *

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
diskless_epoch = per(
    PARTITION,
    "diskless_epoch",
    maybe(LEADER_EPOCH),
    NONE,
    about="leaderEpochAtSeal: records in the object store have it, and the leader epochs of the classic log are below it",
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
        t, name[t].is_(_name.value), diskless[t].becomes(_switched.over(FALSE)), own_diskless[t].becomes(_switched.said)
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
        diskless_epoch[_p.value].becomes(
            when(
                _seal.value < 0,
                none_of(LEADER_EPOCH),
                when(_at_epoch.said, some(_at_epoch.value), diskless_epoch[_p.value]),
            )
        ),
    ),
    version=level_at(0),
    name="DisklessSwitch",
    source="InitDisklessLogFields",
)
# What a snapshot says of producers at the seal no row reads.
_stored_seal = optional("seal", SEAL, "classicToDisklessStartOffset", tag=True, unwritten=IN_SNAPSHOTS)
_stored_epoch = optional("at_epoch", LEADER_EPOCH, "leaderEpochAtSeal", tag=True, unwritten=IN_SNAPSHOTS)
_whole = PARTITION_RECORD.about[0].value
SEALED_PARTITION = replace(
    PARTITION_RECORD,
    fields=(*PARTITION_RECORD.fields, _stored_seal, _stored_epoch),
    replay=(
        *PARTITION_RECORD.replay,
        seal[_whole].becomes(_stored_seal.over(NO_SWITCH)),
        diskless_epoch[_whole].becomes(when(_stored_epoch.said, some(_stored_epoch.value), none_of(LEADER_EPOCH))),
    ),
)
_t = REMOVE_TOPIC.about[0].value
REMOVE_DISKLESS = replace(
    REMOVE_TOPIC,
    replay=(
        *REMOVE_TOPIC.replay,
        diskless[_t].becomes(FALSE),
        own_diskless[_t].becomes(FALSE),
        every(
            q,
            exists_[q] & topic[q].is_(_t),
            seal[q].becomes(NO_SWITCH),
            diskless_epoch[q].becomes(none_of(LEADER_EPOCH)),
        ),
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
sets_diskless = every(n, diskless_asked[n] & is_topic & ~_same & ~_given_up, TOPIC_DISKLESS(n, value=diskless_to[n]))
switches = (
    exists_[p]
    & seal[p].is_(NO_SWITCH)
    & ~diskless[topic[p]]
    & exists(a, diskless_asked[a] & diskless_to[a] & name[topic[p]].is_(some(a)))
)
is_whole = (
    present(leader[p])
    & recovery[p].is_(Recovery.RECOVERED)
    & removing[p].is_(nobody(BROKER))
    & adding[p].is_(nobody(BROKER))
    & elr[p].is_(nobody(BROKER))
    & empty(last_known[p])
    & ~last_nobody[p]
    & (members(replicas[p]) <= members(isr[p]))
)
may_switch = let("may_switch", forall(p, switches.implies(is_whole)))


# -- the seal ----------------------------------------------------------------------------------------------------------
pending = seal[p].is_(PENDING)
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
stale_sender = let("stale_sender", ~registered[b] | be.isnt(epoch[b]))
SEALS = table(
    "seals",
    init("IL1", stale_sender, say=Error.STALE_BROKER_EPOCH),
    init("IL2", ~live[topic[p]], say=Error.UNKNOWN_TOPIC_ID),
    init("IL3", ~exists_[p], say=Error.UNKNOWN_TOPIC_OR_PARTITION),
    init("IL4", at > leader_epoch[p], say=Error.NOT_CONTROLLER),
    init("IL5", at < leader_epoch[p], say=Error.FENCED_LEADER_EPOCH),
    init("IL6", leader[p].isnt(b), say=Error.INVALID_REQUEST),
    init("IL7", (start < 0) | seal[p].isnt(PENDING), say=Error.INVALID_REQUEST),
    init("IL8", TRUE, DISKLESS_SWITCH(p, seal=start, at_epoch=said(leader_epoch[p], if_=notes_epoch)), say=Error.NONE),
    override("AS1", ~live[topic[p]] | diskless[topic[p]] & ~exists_[p], say=Error.UNKNOWN_TOPIC_OR_PARTITION),
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
        "AS1": "Of a classic topic a partition that there is not is refused as the others are (AS2).",
        "AS7": "The leader epoch rises, so that the leader seals its log again.",
    },
)  # fmt: skip
