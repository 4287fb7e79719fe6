"""Findings about what is forgotten of a broker: when its controlled shutdown began (D10), what it has cordoned (D22)."""

from __future__ import annotations

from typing import Any

from fencepost.model.kraft.brokers import (
    FENCING,
    HEARTBEAT,
    REGISTRATION,
    named_dirs,
    no_offset,
    takes_over,
    told,
    want_fence,
)
from fencepost.model.kraft.directories import CORDONING
from fencepost.model.kraft.records import REGISTER_BROKER
from fencepost.model.kraft.state import *
from fencepost.model.kraft.topics import TOPICS
from fencepost.model.language.vocabulary import *

from .finding import Finding

_leaving = registered[x] & ics[x] & ~fenced[x] & (shutdown_offset[x] >= 0) & (shutdown_offset[x] <= log_end)
_goes_on = next_(shutdown_offset[x]) >= 0


def _again(**more: Any) -> tuple[Effect, ...]:
    """Return what a process that registers again writes, and what becomes of it, its controlled shutdown left out."""
    where = when(mv >= 17, named_dirs, nobody(DIRECTORY))
    return (
        REGISTER_BROKER(
            b, epoch=epoch[b], incarnation=i, fenced=fenced[b], ics=ics[b], directories=where, ranges=told, **more
        ),
        log_end.becomes(log_end + 1),
        registration_offset[b].becomes(log_end + 1),
        soft_fenced[b].becomes(fenced[b]),
        reported[b].becomes(-1),
    )


# -- D10: where a controlled shutdown began ----------------------------------------------------------------------------
def _d10(base: Protocol) -> Protocol:
    why = "a broker that shuts down waits until all others have read what there was when the controller was elected"
    begun = when(ics[x] & ~fenced[x], log_end, no_offset)
    heard = contact[x].becomes(when(fenced[x], literal(Contact.NOTHING), literal(Contact.RECENT)))
    forgotten = (soft_fenced[x].becomes(fenced[x]), reported[x].becomes(-1))
    seeded = every(x, registered[x], *forgotten, shutdown_offset[x].becomes(begun), heard)
    return base.but("FO1", effects=(takes_over, seeded), why=why)


def _d10b(base: Protocol) -> Protocol:
    return base.but("R3", effects=_again(), why="a process that registers again goes on with its controlled shutdown")


# -- D22: what is cordoned ---------------------------------------------------------------------------------------------
def _d22(base: Protocol) -> Protocol:
    kept = said(cordoned[b], if_=cordon_known[b] & (mv >= 30))
    effects = (*_again(cordoned=kept), shutdown_offset[b].becomes(-1))
    return base.but("R3", effects=effects, why="a process that registers again keeps what it has cordoned")


FORGOTTEN: tuple[Finding, ...] = (
    Finding(
        "D10",
        "A controlled shutdown is forgotten at a failover, and when the process registers again",
        step(
            "K8f",
            forall(x, _leaving.implies(_goes_on)),
            "A broker that waits for the others before it may go still waits under the next controller.",
            "S3:244",
            AT_RESULT_BOUNDARIES,
            rows=("FO1",),
        ),
        (REGISTRATION.name, HEARTBEAT.name, TOPICS.name, FENCING.name),
        ("R1", "HB2", "CT3", "HB6", "FO1"),
        _d10,
        ("FO1",),
        given={"Heartbeat": ~want_fence},
    ),
    Finding(
        "D10b",
        "A controlled shutdown is forgotten when the process registers again",
        step(
            "K8r",
            forall(x, _leaving.implies(_goes_on)),
            "A broker that waits for the others before it may go still waits when its process registers again.",
            "S3:244",
            AT_RESULT_BOUNDARIES,
            rows=("R3",),
        ),
        (REGISTRATION.name, HEARTBEAT.name, TOPICS.name),
        ("R1", "HB2", "CT3", "HB6", "R3"),
        _d10b,
        ("R3",),
        sizes={"offset": 2},
        given={"Heartbeat": ~want_fence},
    ),
    Finding(
        "D22",
        "A process that registers again has nothing cordoned until its next heartbeat",
        step(
            "HC0",
            ((mv >= 30) & cordon_known[b]).implies(next_(cordoned[b]).is_(cordoned[b])),
            "A process that registers again keeps what it has cordoned.",
            "ClusterControlManager.registerBroker",
            AT_RESULT_BOUNDARIES,
            rows=("R3",),
        ),
        (REGISTRATION.name, CORDONING.name),
        ("R1", "HC1", "R3"),
        _d22,
        ("R3",),
    ),
)
