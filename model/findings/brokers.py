"""Findings about heartbeats, log directories, and the bootstrap of a cluster."""

from __future__ import annotations

from dataclasses import replace

from fencepost.model.kraft import KRAFT
from fencepost.model.kraft.brokers import (
    FENCING,
    HEARTBEAT,
    REGISTRATION,
    expires,
    off,
    returning,
    rises,
    tells_epoch,
    told,
    want_down,
    want_fence,
)
from fencepost.model.kraft.brokers import dirs as named
from fencepost.model.kraft.builder import build, change, policy, relocate
from fencepost.model.kraft.cluster import (
    ACTIVATION,
    FEATURES,
    Direction,
    asked_level,
    elr_target,
    gives_level,
    has_elr,
    is_elr,
    mv_level,
    static_min,
    to,
    way,
)
from fencepost.model.kraft.directories import (
    ASSIGNMENT,
    BOTH,
    BOTH_PARTS,
    NO_DIRECTORY,
    OFFLINE,
    abandon,
    as_before,
    assigned,
    assigns,
    dirs,
    failed,
    fewer,
    in_failed,
    left,
    ours,
)
from fencepost.model.kraft.directories import be as assigner_epoch
from fencepost.model.kraft.leadership_properties import ELECTIONS
from fencepost.model.kraft.outdated import UNFENCING, left_by, untouched
from fencepost.model.kraft.properties import PARTITIONS, STRICT
from fencepost.model.kraft.records import DIRECTORIES, FENCE, PARTITION_CHANGE, UNFENCE
from fencepost.model.kraft.state import *
from fencepost.model.kraft.topics import TOPICS, has_allows, has_smallest
from fencepost.model.language.vocabulary import *

from .finding import NEWEST, NOBODY, Finding, at_newest, entity, placed_on_all, writes

_holder, _into = BROKER.var("holder"), DIRECTORY.var("into")
BROKERS_AND_TOPICS = (REGISTRATION.name, HEARTBEAT.name, TOPICS.name)


def _strictly(id: str) -> Always:
    """Return a property of partitions as one that is claimed to hold."""
    [one] = [p for p in PARTITIONS if p.id == id]
    assert isinstance(one, Always)
    return always(one.id, one.term, one.about, one.source, one.scope)


def _has(base: Protocol, *ids: str) -> list[str]:
    """Return those of some rows that a protocol or a slice has."""
    return [row.id for row in base.rows if row.id in ids]


# -- D11: the mark of a controlled shutdown ----------------------------------------------------------------------------
def _d11(base: Protocol) -> Protocol:
    why = "a broker that was sent the order to shut down is unfenced only once it has registered as a new process"
    up, down = base.row("HB2").when, base.row("HB3").when
    edited = base.but("HB2", when=up & ~ics[b], why=why).but("HB3", when=down | (up & ics[b]), why=why)
    for id in _has(base, *UNFENCING):
        edited = edited.but(id, when=base.row(id).when & ~ics[b], why=why)
    return edited


# -- D12: no directory is left -----------------------------------------------------------------------------------------
def _d12(base: Protocol) -> Protocol:
    why = "the record says that no directory is left"
    edited = base.but("OD4", effects=(abandon(b, failed), DIRECTORIES(b, epoch=epoch[b], directories=left)), why=why)
    for id in _has(base, *BOTH_PARTS):
        effects = tuple(fewer if one == as_before else one for one in base.row(id).effects)
        if effects != base.row(id).effects:
            edited = edited.but(id, effects=effects, why=why)
    return edited


_REMEMBERED = step(
    "OD0",
    (next_(directories[b]) & dirs).is_(NO_DIRECTORY),
    "A directory that is reported to have failed is none of the broker's any more.",
    "KIP-858",
    AT_RESULT_BOUNDARIES,
    rows=("OD3", "OD4", *BOTH_PARTS),
)


# -- D20: half a bootstrap ---------------------------------------------------------------------------------------------
def _d20(base: Protocol) -> Protocol:
    why = "what an open transaction wrote does not count as formatted"
    return base.without("AC3", why=why).but("AC1", when=~formatted, why=why)


_FORMATTED = step(
    "L11f",
    next_(formatted),
    "After its activation a controller has a metadata.version.",
    "ActivationRecordsGenerator",
    AT_RESULT_BOUNDARIES,
    rows=("AC1", "AC2", "AC3"),
)


# -- D23: fenced once more ---------------------------------------------------------------------------------------------
def _d23(base: Protocol) -> Protocol:
    why = "who is fenced is not fenced again"
    edited = base.but("F2", effects=expires(b), why=why)
    return edited.claiming(_fences_once(edited))


def _fences_once(protocol: Protocol) -> Step:
    """Return the claim about those rows of silent brokers that write a fence."""
    mine = {row.id for row in FENCING.rows}
    fencing = (row for row in protocol.rows if row.id in mine and writes(row, FENCE.name))
    return step(
        "F0",
        ~fenced[b],
        "When a session is over, who is fenced already is not fenced again.",
        "S3:246-248",
        AT_RESULT_BOUNDARIES,
        rows=tuple(row.id for row in fencing),
    )


# -- D26: two records from one state -----------------------------------------------------------------------------------
def _d26(base: Protocol) -> Protocol:
    why = "where the directory has failed one record says where the replica is and that it leaves the ISR"
    effects = (
        every(p, ours & ~in_failed, relocate(p, b, assigned[p])),
        every(p, ours & in_failed, give_up(p, b, assigned[p])),
    )
    return base.without("AD3", why=why).but("AD4", effects=effects, why=why)


@procedure(p, _holder, _into)
def give_up(of: Term[Partition], holder: Term[Broker], into: Term[Directory]) -> object:
    """A replica is in a directory that has failed: one record puts it there and takes it out of the ISR."""
    target = drop(isr[of], just(holder))
    left_over = electable(of) - just(holder)
    built = build(
        of, target, left_over, NOBODY, policy(topic[of]), replicas[of], removing[of], adding[of], recovery[of]
    )
    where = when(x.is_(holder), some(into), else_(location[of, x], default_directory(x)))
    moves = holder.in_(built.replicas) & location[of, holder].isnt(some(into))
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
        directories=said(each(x, built.replicas, where), if_=(mv >= 17) & (built.directories_said | moves)),
    )


# -- D34: one heartbeat, two parts -------------------------------------------------------------------------------------
def _d34(base: Protocol) -> Protocol:
    why = "no partition whose replica is in a directory that has failed gets the broker as its leader"
    elsewhere = exists_[p] & absent(leader[p]) & ~location[p, b].in_(failed)
    raised = (UNFENCE(b, epoch=epoch[b]), every(p, elsewhere, change(p, isr[p], returning(p, b))))
    edited = base
    for id, record in zip(UNFENCING, (fewer, as_before), strict=True):
        edited = edited.but(id, effects=(raised, abandon(b, failed), record, rises(b)), why=why)
    return edited


def _election(id: str) -> Step:
    """Return a property of elections as one that is claimed to hold."""
    [one] = [p for p in ELECTIONS if p.id == id]
    assert isinstance(one, Step)
    return replace(one, expected="holds", finding="", by=())


_ONE, _OTHER = entity(3, DIRECTORY), entity(4, DIRECTORY)

HEALTH: tuple[Finding, ...] = (
    Finding(
        "D11",
        "A broker in controlled shutdown can be unfenced and lead again while it keeps its mark",
        _strictly("P7s"),
        BROKERS_AND_TOPICS,
        ("R1", "HB2", "CT3", "HB6", "HB10", "HB2"),
        _d11,
        ("HB2",),
        given={"Heartbeat": ~want_fence},
        sizes={"offset": 2},
    ),
    Finding(
        "D12",
        "That no log directory is left cannot be written, and every heartbeat writes it again",
        _REMEMBERED,
        (REGISTRATION.name, OFFLINE.name),
        ("R1", "OD4"),
        _d12,
        ("OD3", "OD4"),
    ),
    Finding(
        "D20",
        "A bootstrap that is cut inside its transaction leaves the cluster without a metadata.version",
        _FORMATTED,
        (ACTIVATION.name,),
        ("AC4", "AC3"),
        _d20,
        ("AC1", "AC2"),
        start=mv.is_(0) & elr_level.is_(0) & forall(f, ~gives_level[f] & asked_level[f].is_(0)),
        given={
            "Activate": mv_level.is_(NEWEST) & ~has_elr & elr_target.is_(0) & static_min.is_(Threshold(1)),
            "LoseActivation": mv_level.is_(NEWEST),
        },
    ),
    Finding(
        "D23",
        "The expired session of a fenced broker fences it again",
        _fences_once(KRAFT),
        (REGISTRATION.name, HEARTBEAT.name, FENCING.name),
        ("R1", "HB3", "SI1", "F2"),
        _d23,
        ("F1",),
        given={"Heartbeat": off.is_(log_end) & ~want_down},
    ),
    Finding(
        "D26",
        "A replica in a failed directory is given a leadership and taken out of the ISR in one result",
        untouched(_strictly("P3"), "D34"),
        (*BROKERS_AND_TOPICS, OFFLINE.name, ASSIGNMENT.name, FEATURES.name),
        ("R1", "HB2", "CT3", "OD4", "FE7", "AD3"),
        _d26,
        ("AD4",),
        start=at_newest(elr=0) & placed_on_all() & forall(p, assigned[p].is_(entity(4, DIRECTORY))),
        given={
            "Heartbeat": off.is_(log_end) & ~want_down & ~want_fence,
            "UpdateFeature": is_elr & way.is_(Direction.UPGRADE) & to.is_(1) & static_min.is_(Threshold(1)),
            "CreateTopic": ~has_allows & ~has_smallest,
        },
        keeps=left_by("D34", STRICT),
    ),
    Finding(
        "D34",
        "A broker that is unfenced by the heartbeat that reports a failed directory leads partitions there",
        _election("P32"),
        (*BROKERS_AND_TOPICS, BOTH.name, ASSIGNMENT.name),
        ("R1", "HB2", "CT3", "AD4", "HB5", "HD2"),
        _d34,
        UNFENCING,
        start=at_newest() & placed_on_all() & forall(p, assigns[p] & assigned[p].is_(_ONE)),
        given={
            "RegisterBroker": named.is_(then(only(some(_ONE)), only(some(_OTHER))))
            & told.is_(those(r, TRUE))
            & tells_epoch,
            "Heartbeat": off.is_(log_end) & ~want_down,
            "HeartbeatWithOfflineDirectories": off.is_(log_end) & ~want_down & ~want_fence & dirs.is_(just(some(_ONE))),
            "AssignReplicasToDirs": assigner_epoch.is_(epoch[b]),
            "CreateTopic": ~has_allows & ~has_smallest,
        },
        keeps=left_by("D26", STRICT),
    ),
)
