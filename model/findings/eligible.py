"""Findings about eligible leader replicas and the indexes that are kept of partitions."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from fencepost.model.kraft.brokers import UNREGISTRATION, forget, want_down
from fencepost.model.kraft.cluster import FEATURES, is_elr, static_min, to
from fencepost.model.kraft.cluster_records import CLUSTER_MIN_INSYNC, ELR_VERSION
from fencepost.model.kraft.configurations import CONFIGURATIONS, deletes, dry, permitted, size, valid
from fencepost.model.kraft.leadership_properties import PROPERTIES as LEADERSHIP
from fencepost.model.kraft.more_properties import FORGETTING, TOPICS_AND_INDEXES
from fencepost.model.kraft.outdated import untouched
from fencepost.model.kraft.records import CLEAR_ALL_ELR, CLEAR_ELR, REMOVE_TOPIC, UNREGISTER_BROKER
from fencepost.model.kraft.state import *
from fencepost.model.language import State
from fencepost.model.language.terms import Get
from fencepost.model.language.vocabulary import *

from .brokers import BROKERS_AND_TOPICS
from .finding import NOBODY, Finding, at_newest, placed_on_all

QUIET = {"AlterTopicUnclean": FALSE, "AlterClusterUnclean": FALSE, "AlterConfig": FALSE}
"""Settings that have nothing to do with it are left alone."""


def _strictly(id: str) -> Always:
    """Return a property of the indexes as one that is claimed to hold."""
    [one] = [p for p in TOPICS_AND_INDEXES if p.id == id]
    assert isinstance(one, Always)
    return always(one.id, one.term, one.about, one.source, one.scope)


# -- D5: the index of directories --------------------------------------------------------------------------------------
def _state_of(term: Term[Any]) -> State[Any]:
    assert isinstance(term, Get)
    return term.state


_location = _state_of(location[p, x])


def _everywhere(effect: Effect) -> Effect:
    """The update of the index of directories, asked for whatever the ISR is."""
    if not isinstance(effect, Every):
        return effect
    told = any(isinstance(one, Assign) and one.target.state is _location for one in effect.body)
    return Every(effect.var, TRUE if told else effect.when, tuple(_everywhere(one) for one in effect.body))


def _d5(base: Protocol) -> Protocol:
    effects = tuple(_everywhere(one) for one in REMOVE_TOPIC.replay)
    return base.replaying("RemoveTopic", *effects, why="the index of directories is cleaned whatever the ISR is")


# -- D6: the index of eligible leader replicas -------------------------------------------------------------------------
def _uncounted(of: Term[bool]) -> Effect:
    return every(q, exists_[q] & of, every(x, x.in_(elr[q]), elr_index[q, x].becomes(0)))


def _d6(base: Protocol) -> Protocol:
    why = "a replica that is cleared also leaves the index"
    cleared = CLEAR_ELR.about[0].value
    edited = base.replaying("ClearElr", *CLEAR_ELR.replay, _uncounted(name[topic[q]].is_(cleared)), why=why)
    if any(record.name == "ClearAllElr" for record in base.records):
        edited = edited.replaying("ClearAllElr", *CLEAR_ALL_ELR.replay, _uncounted(TRUE), why=why)
    return edited


def _d6c(base: Protocol) -> Protocol:
    return _d6(base).claiming(_strictly("P18"))


_NO_GHOSTS = always(
    "P18g",
    forall(p, forall(x, (elr_index[p, x] >= 1).implies(exists_[p]))),
    "The index of eligible leader replicas names no partition that is gone.",
    "ReplicationControlManager.generateLeaderAndIsrUpdates",
)


# -- D7: unregistered and eligible -------------------------------------------------------------------------------------
def _d7(base: Protocol) -> Protocol:
    effects = (forget(b), UNREGISTER_BROKER(b, epoch=epoch[b]))
    return base.but("UR3", effects=effects, why="who is unregistered leaves the eligible leader replicas too")


_ALL_REGISTERED = always(
    "P5u",
    forall(p, forall(x, (exists_[p] & x.in_(elr[p])).implies(registered[x]))),
    "Eligible leader replicas are registered.",
    "KIP-966",
    AT_RESULT_BOUNDARIES,
)
_REGISTERED = untouched(_ALL_REGISTERED)


# -- D21: switched off and on ------------------------------------------------------------------------------------------
def _d21(base: Protocol) -> Protocol:
    effects = (ELR_VERSION(level=to), CLEAR_ALL_ELR())
    return base.but("FE8", effects=effects, why="switching off forgets every eligible leader replica")


_NONE_WHEN_OFF = always(
    "E0",
    elr_level.is_(0).implies(forall(p, elr[p].is_(NOBODY))),
    "No broker is an eligible leader replica while ELR is disabled.",
    "KIP-966",
    AT_RESULT_BOUNDARIES,
)


# -- D24: the same minimum again ---------------------------------------------------------------------------------------
def _d24(base: Protocol) -> Protocol:
    return base.but("CF14", effects=CLUSTER_MIN_INSYNC(value=size), why="what changes nothing clears nothing")


_SAME_MINIMUM = step(
    "CF14s",
    forall(p, next_(elr[p]).is_(elr[p])),
    "Setting the cluster's min.insync.replicas to the value that it already has clears no ELR.",
    "KIP-966",
    AT_RESULT_BOUNDARIES,
    rows=("CF14",),
)


# -- D33: whom a setting forgets ---------------------------------------------------------------------------------------
def _cleared(of: Term[bool]) -> Effect:
    """Return the effects of a ClearElr that keeps the ELR where fewer than min.insync.replicas are in sync."""
    speaks = exists_[q] & (elr[q].isnt(NOBODY) | last_known[q].isnt(nothing(BROKER)) | last_nobody[q])
    return every(
        q,
        speaks & of & at_least(members(isr[q]), min_isr(q)),  # type: ignore[arg-type]
        elr[q].becomes(NOBODY),
        last_known[q].becomes(nothing(BROKER)),
        last_nobody[q].becomes(FALSE),
        partition_epoch[q].becomes(partition_epoch[q] + 1),
    )


def _d33(base: Protocol) -> Protocol:
    why = "a partition of which too few replicas are in sync, or none, keeps those that may lead"
    edited = base.replaying("ClearElr", _cleared(name[topic[q]].is_(CLEAR_ELR.about[0].value)), why=why)
    if any(record.name == "ClearAllElr" for record in base.records):
        edited = edited.replaying("ClearAllElr", _cleared(TRUE), why=why)
    if "CM1" in {row.id for row in base.rows}:
        # What is forgotten is decided by the new minimum, so every value comes first.
        values, clears, *rest = edited.row("CM1").effects
        edited = edited.but("CM1", effects=(values, *rest, clears), why=why)
    return edited


def _strictly_step(id: str) -> Step:
    """Return a property of elections as one that is claimed to hold."""
    [one] = [p for p in LEADERSHIP if p.id == id]
    assert isinstance(one, Step)
    return replace(one, expected="holds", finding="", by=())


_ALLOWED = valid & permitted & ~dry
ELIGIBLE: tuple[Finding, ...] = (
    Finding(
        "D5",
        "Deleting a topic whose ISR is empty leaves its partitions in the index of directories",
        _strictly("P18d"),
        BROKERS_AND_TOPICS,
        ("R1", "HB2", "CT3", "HB5", "DT2"),
        _d5,
        ("DT2",),
        given={"Heartbeat": ~want_down},
    ),
    Finding(
        "D6",
        "ClearElr leaves the index of eligible leader replicas as it is",
        _strictly("P18"),
        (*BROKERS_AND_TOPICS, CONFIGURATIONS.name),
        ("R1", "HB2", "CT3", "HB5", "CF5"),
        _d6,
        ("CF5", "CF14", "CF15", "CM1", "CT3"),
        given={"Heartbeat": ~want_down, "AlterTopicMinInsync": _ALLOWED, "AlterClusterMinInsync": FALSE, **QUIET},
    ),
    Finding(
        "D6c",
        "A broker that was an eligible leader replica of a deleted topic can never register again",
        _NO_GHOSTS,
        (*BROKERS_AND_TOPICS, CONFIGURATIONS.name),
        ("R1", "HB2", "CT3", "HB5", "CF5", "DT2"),
        _d6c,
        ("DT2",),
        given={"Heartbeat": ~want_down, "AlterTopicMinInsync": _ALLOWED, "AlterClusterMinInsync": FALSE, **QUIET},
    ),
    Finding(
        "D7",
        "An unregistered broker stays an eligible leader replica",
        _REGISTERED,
        (*BROKERS_AND_TOPICS, UNREGISTRATION.name),
        ("R1", "HB2", "CT3", "UR3"),
        _d7,
        ("UR3",),
        given={"Heartbeat": ~want_down},
    ),
    Finding(
        "D21",
        "Switching eligible leader replicas off and on again keeps stale ones",
        _NONE_WHEN_OFF,
        (*BROKERS_AND_TOPICS, FEATURES.name),
        ("R1", "HB2", "CT3", "HB5", "FE8"),
        _d21,
        ("FE8", "FE7", "F1", "HB5", "A14", "RA3"),
        start=at_newest() & placed_on_all(),
        given={"Heartbeat": ~want_down, "UpdateFeature": is_elr & static_min.is_(Threshold(1))},
    ),
    Finding(
        "D24",
        "Setting the cluster's min.insync.replicas to the value it has forgets every eligible leader replica",
        _SAME_MINIMUM,
        (*BROKERS_AND_TOPICS, CONFIGURATIONS.name),
        ("CF15", "R1", "HB2", "CT3", "HB5", "CF14"),
        _d24,
        ("CF14",),
        given={
            "Heartbeat": ~want_down,
            "AlterTopicMinInsync": FALSE,
            "AlterClusterMinInsync": _ALLOWED & ~deletes,
            **QUIET,
        },
    ),
    Finding(
        "D33",
        "Setting min.insync.replicas while too few are in sync forgets every replica that could lead",
        _strictly_step("P35"),
        (*BROKERS_AND_TOPICS, CONFIGURATIONS.name),
        ("R1", "HB2", "CT3", "HB5", "CF5"),
        _d33,
        (*FORGETTING, "HB1", "HB4", "HB5", "HB6", "HB7", "HB10", "F1", "A14", "RA3"),
        given={"Heartbeat": ~want_down, "AlterTopicMinInsync": _ALLOWED, "AlterClusterMinInsync": FALSE, **QUIET},
    ),
)
