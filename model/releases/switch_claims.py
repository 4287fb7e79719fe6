"""What is claimed of the switch to diskless storage: what a seal says, when it changes, and what each request is answered."""

from __future__ import annotations

from fencepost.model.kraft.answers import Error
from fencepost.model.kraft.brokers import be
from fencepost.model.kraft.configurations import elr_forbids, several
from fencepost.model.kraft.elections import elect_unclean
from fencepost.model.kraft.more_properties import stays
from fencepost.model.kraft.state import *
from fencepost.model.language.vocabulary import *

from .switch import (
    NO_SWITCH,
    PENDING,
    at,
    diskless,
    diskless_epoch,
    init,
    is_whole,
    notes_epoch,
    override,
    pending,
    seal,
    start,
    switches,
)

# -- what requests are answered --------------------------------------------------------------------------------------------
_SOURCE = "aiven/inkless, ReplicationControlManager"
_INIT, _OVERRIDE = f"{_SOURCE}.initDisklessLog", f"{_SOURCE}.alterDisklessSwitch"
_is_registered = registered[b] & be.is_(epoch[b])
_BY_SENDER = (Error.STALE_BROKER_EPOCH,)
_BY_PARTITION = (*_BY_SENDER, Error.UNKNOWN_TOPIC_ID, Error.UNKNOWN_TOPIC_OR_PARTITION)
_BY_EPOCH = (*_BY_PARTITION, Error.NOT_CONTROLLER, Error.FENCED_LEADER_EPOCH)
"""What a proposal is refused for before its content is looked at, in the controller's order; each has those before it."""
_proposes = leader[p].is_(b) & (start >= 0) & seal[p].is_(PENDING)
_both = (init, override)
_ANSWERS: tuple[Property, ...] = (
    step("DS12", ~_is_registered, "STALE_BROKER_EPOCH: the sender is not registered under the broker epoch that it gives.", _INIT,
         rows=answering(init, *_BY_SENDER)),
    step("DS13", _is_registered, "Every other answer is to a broker that is registered under the epoch that it gives: a proposal from before its restart seals nothing.",
         _INIT, rows=~answering(init, *_BY_SENDER)),
    step("DS14", ~live[topic[p]], "UNKNOWN_TOPIC_ID: there is no such topic.", _INIT, rows=answering(init, Error.UNKNOWN_TOPIC_ID)),
    step("DS15", live[topic[p]] & ~exists_[p], "UNKNOWN_TOPIC_OR_PARTITION: the topic has no such partition.", _INIT,
         rows=answering(init, Error.UNKNOWN_TOPIC_OR_PARTITION)),
    step("DS16", exists_[p], "Every later answer is about a partition that exists.", _INIT,
         rows=~answering(init, *_BY_PARTITION)),
    step("DS17", at > leader_epoch[p], "NOT_CONTROLLER: the proposal has a later leader epoch than the partition, so that another controller is active.", _INIT,
         rows=answering(init, Error.NOT_CONTROLLER)),
    step("DS18", at < leader_epoch[p], "FENCED_LEADER_EPOCH: the partition has a later leader epoch than the proposal.", _INIT,
         rows=answering(init, Error.FENCED_LEADER_EPOCH)),
    step("DS19", at.is_(leader_epoch[p]), "Every later answer is to the partition's own leader epoch: a proposal that an election overtook seals nothing.", _INIT,
         rows=~answering(init, *_BY_EPOCH)),
    step("DS20", ~_proposes, "INVALID_REQUEST: another broker leads, the seal is negative, or no switch is open.", _INIT,
         rows=answering(init, Error.INVALID_REQUEST)),
    step("DS21", _proposes, "A proposal that is not refused is the leader's, has an offset from 0 on, and comes while the switch is open.", _INIT,
         rows=~answering(init, *_BY_EPOCH, Error.INVALID_REQUEST)),
    step(
        "DS22",
        next_(seal[p]).is_(start) & next_(partition_epoch[p]).is_(partition_epoch[p] + 1),
        "NONE: the seal is the offset of the request, and one change of the partition says so.",
        _SOURCE,
        rows=answering(_both, Error.NONE),
    ),
    step(
        "DS23",
        next_(leader[p]).is_(leader[p])
        & next_(leader_epoch[p]).is_(leader_epoch[p] + when(start.is_(PENDING), 1, 0)),
        "The leader stays, and its epoch rises exactly where the switch begins again, so that it seals its log again.",
        _SOURCE,
        rows=answering(_both, Error.NONE),
    ),
    step(
        "DS24",
        next_(diskless_epoch[p]).is_(when(notes_epoch, some(leader_epoch[p]), none_of(LEADER_EPOCH))),
        "Records in the object store get the leader epoch in which the seal was proposed; releases before 0.42 note none.",
        _INIT,
        rows=answering(init, Error.NONE),
    ),
    step(
        "DS25",
        next_(diskless_epoch[p]).is_(when(start >= 0, some(leader_epoch[p]), none_of(LEADER_EPOCH))),
        "They get the leader epoch in which an operator seals the partition, and none where the switch begins again.",
        _OVERRIDE,
        rows=answering(override, Error.NONE),
    ),
    step(
        "DS26",
        forall(
            q,
            next_(seal[q]).is_(seal[q])
            & next_(diskless_epoch[q]).is_(diskless_epoch[q])
            & next_(leader[q]).is_(leader[q])
            & next_(leader_epoch[q]).is_(leader_epoch[q])
            & next_(partition_epoch[q]).is_(partition_epoch[q]),
        ),
        "A request about a seal that is refused changes no partition.",
        _SOURCE,
        rows=~answering(_both, Error.NONE),
        named_for="it is about requests that are refused; others change partitions",
    ),
    step(
        "DS27",
        exists_[p] & absent(leader[p]) & pending,
        "INVALID_REQUEST: the partition has no leader, and its switch is open.",
        f"{_SOURCE}.electLeader",
        rows=answering(elect_unclean, Error.INVALID_REQUEST),
    ),
    step(
        "DS28",
        ~pending,
        "Every later answer is about a partition without an open switch: no unclean leader seals a log without records that were acknowledged.",
        f"{_SOURCE}.electLeader",
        rows=~answering(elect_unclean, Error.UNKNOWN_TOPIC_OR_PARTITION, Error.ELECTION_NOT_NEEDED, Error.INVALID_REQUEST),
    ),
    step(
        "DS29",
        elr_forbids | exists(p, switches & ~is_whole),
        "INVALID_CONFIG: a partition that would be switched is not whole, or eligible leader replicas forbid a change.",
        f"{_SOURCE}.validatePartitionsForSwitch",
        scope=AT_RESULT_BOUNDARIES,
        rows=answering(several, Error.INVALID_CONFIG),
    ),
    step(
        "DS30",
        ~exists(p, switches & ~is_whole),
        "A change with another answer switches no partition that is not whole.",
        f"{_SOURCE}.validatePartitionsForSwitch",
        scope=AT_RESULT_BOUNDARIES,
        rows=~answering(several, Error.INVALID_CONFIG),
    ),
)  # fmt: skip


def of_override(never: Term[bool] = FALSE) -> tuple[Property, ...]:
    """Return what is claimed of answers to an operator's request; `never` is which one a design always refuses."""
    there = when(diskless[topic[p]], exists_[p], live[topic[p]])
    sealed = seal[p] >= 0
    open_to_it = (
        diskless[topic[p]] & seal[p].isnt(NO_SWITCH) & ~never & sealed.implies((start >= 0) & (start <= seal[p]))
    )
    unknown = answering(override, Error.UNKNOWN_TOPIC_OR_PARTITION)
    refused = answering(override, Error.INVALID_REQUEST)
    return (
        step("DS31", ~there, "UNKNOWN_TOPIC_OR_PARTITION: there is no such topic, or a diskless one has no such partition.", _OVERRIDE,
             rows=unknown),
        step("DS32", there, "Every other answer is about a topic that lives and, if it is diskless, a partition that exists.", _OVERRIDE, rows=~unknown),
        step("DS33", ~open_to_it, "INVALID_REQUEST: no switch has begun, or its seal would be raised or taken back.", _OVERRIDE, rows=refused),
        step("DS34", open_to_it, "A request that is not refused seals a partition whose switch has begun, lowers its seal, or begins an open switch again.", _OVERRIDE,
             rows=~answering(override, Error.UNKNOWN_TOPIC_OR_PARTITION, Error.INVALID_REQUEST)),
    )  # fmt: skip


# -- claims ------------------------------------------------------------------------------------------------------------
_d = LEADER_EPOCH.var("d")
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
        forall(p, (stays & seal[p].is_(NO_SWITCH) & next_(seal[p]).is_(PENDING)).implies(is_whole)),
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
    always(
        "DS10",
        forall(p, present(diskless_epoch[p]).implies(exists_[p] & (seal[p] >= 0))),
        "There is no leader epoch of records in the object store before there is a seal.",
        _SOURCE,
    ),
    always(
        "DS11",
        forall(p, forall(_d, diskless_epoch[p].is_(some(_d)).implies(_d <= leader_epoch[p]))),
        "The leader epoch of records in the object store is one that the partition has had.",
        _SOURCE,
    ),
    *_ANSWERS,
    *of_override(),
)
