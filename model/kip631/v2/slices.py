"""The slices of version 2 that are explored: some tables each, at bounds that show what those tables do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from fencepost.model.language.vocabulary import *

from .bounds import HONEST, NEVER, Given, broker, brokers_, fresh, running, waiting
from .brokers import BROKERS, LOGS
from .busy import BUSY, GROWING
from .membership import (
    CONTROLLER,
    HEARTBEAT,
    REGISTRATION,
    SESSIONS,
    UNREGISTRATION,
    chosen,
    cluster,
    epoch,
    i,
    legacy,
    offset,
    want_shutdown,
)
from .not_for import NOT_FOR
from .partitions import ALTER_ISR, REASSIGNMENT, asked, target
from .protocol import KIP631_V2
from .state import *

_MEMBERSHIP = (CONTROLLER.name, REGISTRATION.name, HEARTBEAT.name, SESSIONS.name, UNREGISTRATION.name, BROKERS.name)
SIZES = {"Broker": 1, "Partition": 1, "Topic": 1, "offset": 9, "leader epoch": 4, "incarnation": 2, "time": 2}
ONE_FAILOVER: Given = {"ControllerFails": now.is_(0), "ControllerFailover": now >= 1}
NO_FAILOVER: Given = {"ControllerFails": NEVER}


@dataclass(frozen=True)
class Told:
    """A bound as `slice_of` takes it: what it is for, how it begins, its sizes, what it assumes of events.

    `instead` replaces what honest processes do.
    """

    about: str
    start: Term[bool]
    sizes: Mapping[str, int]
    givens: tuple[Given, ...]
    instead: Given


def bound_of(
    about: str, start: Term[bool], sizes: Mapping[str, int], *givens: Given, instead: Given | None = None
) -> Told:
    """Return a bound as `slice_of` takes it."""
    return Told(about, start, sizes, givens, instead or {})


def slice_of(
    name: str,
    *tables: str,
    live_claims: tuple[str, ...] = (),
    broken: tuple[str, ...] = (),
    shown: tuple[str, ...] = (),
    forgotten: tuple[Any, ...] = (),
    beside: tuple[Table, ...] = (),
    bounds: Mapping[str, Told],
) -> Protocol:
    """Return a slice: of what is declared violated it claims `broken`, which each of its bounds shows, of what some state is to
    show `shown`; and `live_claims` of what comes to pass, which hold but for the broken ones. `beside` are tables of its own."""
    declared = {one.id for one in KIP631_V2.properties if getattr(one, "expected", "holds") == "violated"}

    def claims(id: str, live: bool, seen: bool) -> bool:
        return id in live_claims if live else id in shown if seen else id in broken or id not in declared

    claimed = tuple(
        one.id for one in KIP631_V2.properties if claims(one.id, isinstance(one, LeadsTo), isinstance(one, Sometimes))
    )
    bare = KIP631_V2.slice(*tables, name=name, properties=claimed)
    bare = replace(bare, tables=(*bare.tables, *beside)).forgetting(*forgotten)
    events, kinds = {event.name for event in bare.events}, set(bare.sized_kinds())

    def finite(told: Told) -> Bound:
        assumed: dict[str, Term[bool]] = {}
        for given in ({**HONEST, **told.instead}, *told.givens):
            for event, term in given.items():
                if event in events:
                    assumed[event] = all_of(assumed[event], term) if event in assumed else term
        sizes = {kind: size for kind, size in {**SIZES, **told.sizes}.items() if kind in kinds}
        return Bound(sizes, start=told.start, given=assumed, about=told.about)

    made = replace(bare, bounds={bound: finite(told) for bound, told in bounds.items()})
    kept = tuple(
        replace(one, expected="violated" if one.id in broken else "holds") if isinstance(one, LeadsTo) else one
        for one in made.properties
    )
    return replace(made, properties=kept, ends=True)


def within(*numbers: int) -> Term[bool]:
    """Return the condition that the broker of an event is one of these."""
    return any_of(*(b.is_(broker(number)) for number in numbers))


def asks_for(*targets: tuple[int, ...]) -> Term[bool]:
    """Return the condition that the target of a reassignment is one of these."""
    return any_of(*(target.is_(brokers_(*one)) for one in targets))


# -- membership ----------------------------------------------------------------------------------------------------------
_ticks: Given = {"TimePasses": now < 2}
_elects: Given = {"ElectLeader": absent(leader[p])}
_nobody_leaves: Given = {"Unregister": NEVER}
EXPLORED = slice_of(
    "kip631-v2",
    *_MEMBERSHIP,
    live_claims=("K11", "K12", "M4", "M9"),
    broken=("K12", "M4"),
    shown=("W5", "W6", "W8", "W9"),
    bounds={
        "tiny": bound_of(
            "one broker that may stop and come back as another incarnation; the first controller may fail; two ticks",
            fresh(0),
            {},
            _ticks,
            _elects,
            ONE_FAILOVER,
            _nobody_leaves,
            {"StopBroker": next_offset < 5},
        )
    },
)

# -- requests that come late, strangers, unregistration -------------------------------------------------------------
_LATE = slice_of(
    "kip631-v2-late",
    *_MEMBERSHIP,
    live_claims=("M4", "M9"),
    broken=("M4",),
    shown=("W5", "W6"),
    bounds={
        "late": bound_of(
            "one broker that runs, heartbeats that come late, strangers under its id, and an operator who unregisters it once",
            running(1, 0),
            {"offset": 10, "leader epoch": 6, "incarnation": 3},
            _ticks,
            _elects,
            NO_FAILOVER,
            {"Unregister": broker_epoch[b].is_(1), "StopBroker": NEVER},
            instead={
                "Heartbeat": (broker_epoch[b] > 0)
                & epoch.is_(broker_epoch[b])
                & offset.is_(own_offset[b])
                & (next_offset < 5)
                & ~(want_shutdown & broker_state[b].isnt(BrokerState.PENDING_CONTROLLED_SHUTDOWN)),
                "Register": cluster & (i <= 3) & (next_offset < 5),
                "Unregister": ~legacy,
            },
        )
    },
)

_wanting = exists(x, leader[p].is_(x) & shutting_down[x])
_moved = absent(leader[p]) & (chosen.is_(broker(0)) | (leader_epoch[p] > 0)) | _wanting | leader_epoch[p].is_(1)
"""Broker 0 leads first; its place is taken when it is gone, when it wants to shut down, and once by request."""


# -- leaders: two brokers and one partition ------------------------------------------------------------------------------
_LEADERS = slice_of(
    "kip631-v2-leaders",
    *_MEMBERSHIP,
    ALTER_ISR.name,
    broken=("K8o", "M3"),
    shown=("W1", "W5", "W6"),
    bounds={
        "leaders": bound_of(
            "two brokers that run, the first of which may shut down; the leader may be moved once",
            running(2, 0, 1),
            {"Broker": 2, "offset": 12, "leader epoch": 8},
            _ticks,
            NO_FAILOVER,
            _nobody_leaves,
            {
                "ElectLeader": _moved & (next_offset < 8),
                "StopBroker": NEVER,
                "BeginShutdown": within(0),
                "SessionExpires": within(0),
                "Heartbeat": within(0),
                "AlterIsr": next_offset < 8,
            },
        ),
        "small": bound_of(
            "two brokers that run, the first of which may die and come back, or shut down; the leader may be moved once",
            running(2, 0, 1),
            {"Broker": 2, "offset": 14, "leader epoch": 9},
            _ticks,
            NO_FAILOVER,
            _nobody_leaves,
            {
                "ElectLeader": _moved & (next_offset < 8),
                "StopBroker": within(0) & (next_offset < 5),
                "BeginShutdown": within(0),
                "SessionExpires": within(0),
                "AlterIsr": next_offset < 8,
            },
        ),
    },
)

# -- reassignment: three brokers ------------------------------------------------------------------------------------------
_REASSIGNING = slice_of(
    "kip631-v2-reassignment",
    CONTROLLER.name,
    HEARTBEAT.name,
    SESSIONS.name,
    ALTER_ISR.name,
    REASSIGNMENT.name,
    live_claims=("P23",),
    shown=("W1", "W2"),
    forgotten=(leader_at, epoch_at, leader_in, created_at, removed_at, logs),
    bounds={
        "reassignment": bound_of(
            "a partition of two brokers moves, and a third comes in that may be fenced meanwhile; one failover",
            running(3, 0, 1),
            {"Broker": 3, "offset": 14, "leader epoch": 8},
            {"TimePasses": now < 2},
            {"ControllerFails": now.is_(0), "ControllerFailover": now >= 1},
            {
                "ElectLeader": absent(leader[p]),
                "AlterReassignment": asks_for((1, 2), (0, 2), (1,)) & (next_offset < 6),
                "SessionExpires": within(2),
                "Heartbeat": within(2),
                "AlterIsr": asked <= replicas[p],
            },
        )
    },
)

# -- topics and logs -------------------------------------------------------------------------------------------------------
_LOGS = slice_of(
    "kip631-v2-logs",
    CONTROLLER.name,
    REGISTRATION.name,
    HEARTBEAT.name,
    BROKERS.name,
    LOGS.name,
    broken=("K13",),
    shown=("W7",),
    bounds={
        "logs": bound_of(
            "one broker that may stop and come back, while a topic that it has a log of is removed",
            running(1, 0),
            {"offset": 9, "leader epoch": 2},
            _ticks,
            NO_FAILOVER,
            {"BeginShutdown": NEVER, "StopBroker": next_offset < 6},
        )
    },
)

# -- a log that always grows ---------------------------------------------------------------------------------------------
_waiting: Given = {"TimePasses": NEVER, "StopBroker": NEVER, "BeginShutdown": NEVER, "AppendOther": next_offset < 4}
_GROWING = slice_of(
    "kip631-v2-busy",
    CONTROLLER.name,
    HEARTBEAT.name,
    BROKERS.name,
    live_claims=("K11",),
    forgotten=(leader_at, epoch_at, leader_in, created_at, removed_at, logs),
    beside=(BUSY,),
    bounds={
        "busy": bound_of(
            "one broker that waits to be unfenced, and fetches all that is committed, while others append for ever",
            waiting(0),
            {"offset": 5, "leader epoch": 1, "time": 1},
            _waiting,
            NO_FAILOVER,
        )
    },
)
# BL2 counts offsets anew, which K29 would take for older metadata; other bounds ask it.
_BUSY = replace(
    _GROWING,
    properties=tuple(GROWING if one.id == GROWING.id else one for one in _GROWING.properties if one.id != "K29"),
)

SLICES: tuple[Protocol, ...] = declaring((EXPLORED, _LATE, _LEADERS, _REASSIGNING, _LOGS, _BUSY), *NOT_FOR)
