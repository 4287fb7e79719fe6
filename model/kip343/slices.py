"""The slices of KIP-343 that are explored: heartbeats and timers, leaders and ISRs, and the double roll of a mixed cluster."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, TypeVar

from fencepost.model.language.vocabulary import *

from .brokers import CLOCK, FORMATION, HEARTBEATS_OF_BROKERS, PROCESSES, new_czxid, old_brokers, old_software, to
from .controller import FAILOVERS, HEARTBEATS, REGISTRATIONS, TIMER, iid, valid
from .not_for import NOT_FOR
from .partitions import ISR_CHANGES, LEADERS, asked_epoch, new_isr, to_controller
from .protocol import KIP343
from .state import *

T = TypeVar("T")
Given = Mapping[str, Term[bool]]
NEVER = FALSE

_HEART = (
    HEARTBEATS.name,
    TIMER.name,
    HEARTBEATS_OF_BROKERS.name,
    CLOCK.name,
    REGISTRATIONS.name,
    FAILOVERS.name,
    PROCESSES.name,
    FORMATION.name,
)


def the(number: int, kind: Kind[T]) -> Term[T]:
    """Return an entity of a bound by its number."""
    return Lit(number, kind)  # type: ignore[arg-type]


def broker(number: int) -> Term[Broker]:
    """Return the broker of a bound with a number."""
    return the(number, BROKER)


def timeouts(of_controller: int, of_broker: int) -> Term[bool]:
    """Return the start condition that the two timeouts are so many ticks."""
    return controller_timeout.is_(of_controller) & broker_timeout.is_(of_broker)


USUAL: Given = {"TimePasses": to.is_(now + 1), "Heartbeat": valid}
NEXT_CZXID = new_czxid.is_(czxid[b] + 1)
V5 = ~old_software
"""Every process is of the new protocol."""


def assuming(*givens: Given) -> dict[str, Term[bool]]:
    """Return the conjunction, event by event, of what a bound assumes."""
    made: dict[str, Term[bool]] = {}
    for given in givens:
        for event, term in given.items():
            made[event] = all_of(made[event], term) if event in made else term
    return made


def slice_of(
    name: str,
    *tables: str,
    claims: tuple[str, ...],
    live: tuple[str, ...] = (),
    broken: tuple[str, ...] = (),
    forgotten: tuple[Any, ...] = (),
    bounds: Mapping[str, tuple[str, Term[bool], Mapping[str, int], tuple[Given, ...]]],
) -> Protocol:
    """Return a slice that makes some claims; of those declared violated it makes `broken`, which each of its bounds shows.

    A bound is what it is for, its start, its sizes, and what it assumes of events.
    """
    named = {*claims, *live, *broken}
    made = KIP343.slice(
        *tables,
        name=name,
        start=KIP343.start if LEADERS.name in tables else LONGER,
        properties=tuple(one.id for one in KIP343.properties if one.id in named),
    ).forgetting(*forgotten)
    events = {event.name for event in made.events}

    def finite(told: tuple[str, Term[bool], Mapping[str, int], tuple[Given, ...]]) -> Bound:
        about, start, sizes, givens = told
        usual = {event: term for event, term in USUAL.items() if not any(event in given for given in givens)}
        return Bound(sizes, start, {e: t for e, t in assuming(usual, *givens).items() if e in events}, about)

    return replace(made, bounds={bound: finite(told) for bound, told in bounds.items()})


_OF_HEARTBEATS = ("HI1", "HI3", "HI8", "HI8f", "HI10", "HI9s", "HI6", "M6s")
_OF_BROKERS = (
    "HI11", "HI12", "HI13", "HI14", "HI15", "HI16", "HI17", "HI18", "HI19", "HI20", "HI21", "HI22", "HI23", "HI24",
    "HI33", "HI37", "HI38", "HI39", "HI40", "HI41",
)  # fmt: skip
_UNSEEN = (believes, metadata)
"""Variables that only leaders and clients read."""

QUIET: Given = {
    "StartAnother": NEVER,
    "Reregister": NEVER,
    "StopBroker": NEVER,
    "StartBroker": NEVER,
    "ExpireSession": NEVER,
}
"""Processes and sessions stay as they are."""
UP: Given = {"FormCluster": old_brokers.is_(nobody(BROKER)), "ControllerFailover": forall(x, czxid[x] > 0)}
"""The cluster is up when the run begins, with brokers of the new protocol."""


def until(time: int) -> Given:
    """Return the assumption that messages are lost and controllers fail before a time only, and shutdowns begin then."""
    return {
        "LoseMessage": now < time,
        "ControllerFails": now < time,
        "BeginShutdown": now < time,
        "CancelShutdown": now >= time,
    }


EXPLORED = slice_of(
    "kip343",
    *_HEART,
    claims=(*_OF_HEARTBEATS, "HI35", "HI37", "HI38", "HI39", "HI41", "HW1", "HW2", "HW3", "HW4"),
    live=("HI9", "HI42", "M6", "M9"),
    broken=("HI3c", "HI3r"),
    forgotten=(*_UNSEEN, accepted, of_former),
    bounds={
        "tiny": (
            "one broker that may die at once and come back; the controller may fail in the first tick, and messages are lost in the second",
            timeouts(0, 1),
            {"Broker": 1, "czxid": 2, "time": 3, "duration": 1},
            (
                {
                    **QUIET,
                    "StopBroker": now < 1,
                    "StartBroker": NEXT_CZXID & V5 & (czxid[b] > 0),
                    "ExpireSession": ~running[b],
                },
                UP,
                {
                    **until(2),
                    "LoseMessage": now.is_(1),
                    "ControllerFails": now < 1,
                    "BeginShutdown": now < 1,
                    "CancelShutdown": now.is_(1),
                },
            ),
        )
    },
)

_LOSING = EXPLORED.bounds["tiny"]
LOSSY = slice_of(
    "kip343_lossy",
    *_HEART,
    claims=(*_OF_HEARTBEATS, "HI35", "HW1", "HW2", "HW3"),
    live=("HI42", "HI43", "HI44", "M6", "M9"),
    broken=("HI3c", "HI3r"),
    forgotten=(*_UNSEEN, accepted, of_former),
    bounds={
        "lossy": (
            "the same broker and controller as at `tiny`; any heartbeat and any answer may be lost, at all times and for ever",
            _LOSING.start,
            _LOSING.sizes,
            ({event: given for event, given in _LOSING.given.items() if event != "LoseMessage"},),
        )
    },
)

TWO = slice_of(
    "kip343_brokers",
    *_HEART,
    claims=(*_OF_HEARTBEATS, "HW1", "HW2"),
    live=("M6",),
    broken=("HI3c", "HI3r"),
    forgotten=(*_UNSEEN, accepted, of_former),
    bounds={
        "small": (
            "two brokers, the first of which may die once and come back; the controller may fail, and messages are lost, in the first ticks",
            timeouts(1, 2),
            {"Broker": 2, "czxid": 2, "time": 5, "duration": 2},
            (
                {
                    **QUIET,
                    "StopBroker": b.is_(broker(0)) & (now < 1),
                    "StartBroker": NEXT_CZXID & V5 & (czxid[b] > 0),
                    "ExpireSession": ~running[b],
                },
                UP,
                {**until(2), "BeginShutdown": NEVER},
            ),
        )
    },
)

INCARNATIONS = slice_of(
    "kip343_incarnations",
    *_HEART,
    claims=(*_OF_HEARTBEATS, *_OF_BROKERS, "HI34", "HW1", "HW3"),
    live=("M6", "M9"),
    broken=("HI1t", "HIu"),
    forgotten=(*_UNSEEN, of_former),
    bounds={
        "incarnations": (
            "one broker, from its first start, whose process may die, lose its session, and find another one under its id; heartbeats may name no broker; time does not pass",
            timeouts(0, 1),
            {"Broker": 1, "czxid": 3, "time": 0, "duration": 1},
            (
                {
                    "FormCluster": NEVER,
                    "StartBroker": NEXT_CZXID & V5,
                    "Reregister": NEXT_CZXID,
                    "StartAnother": NEXT_CZXID,
                    "TimePasses": NEVER,
                    "Heartbeat": TRUE,
                },
            ),
        )
    },
)


def asks() -> Term[bool]:
    """Return the assumption that a broker that believes that it leads asks, for another ISR than there is."""
    return (
        to_controller
        & running[b]
        & (believes[b, p] >= 0)
        & asked_epoch.is_(believes[b, p])
        & iid.is_(own_incarnation[b])
        & b.in_(new_isr)
        & (new_isr <= replicas[p])
        & new_isr.isnt(isr[p])
    )


_OF_LEADERS = ("HI1", "HI2", "HI4", "HI5", "HI5l", "HI7", "HI7n", "M2", "M5", "M7w")
_OF_PARTITIONS = ("HI25", "HI26", "HI27", "HI28", "HI29", "HI30", "HI31", "HI32")
NOTHING_UNDER_WAY = forall(x, ~asked[x] & ~answered[x])
BOTH = forall(x, x.in_(replicas[the(0, PARTITION)]))
LEADING = slice_of(
    "kip343_leaders",
    *_HEART,
    LEADERS.name,
    ISR_CHANGES.name,
    claims=(*_OF_LEADERS, *_OF_BROKERS, *_OF_PARTITIONS, "HI35", "HI3", "HI8f", "HW1", "HW2"),
    live=("M8",),
    broken=("M1", "M3", "M3c", "M3t", "HIa"),
    forgotten=(accepted, unanswered, heard, leader_in, of_former),
    bounds={
        "leaders": (
            "two brokers that are up, one partition; the second heartbeats at every tick, the first as it likes, and it may shut down",
            timeouts(1, 2) & BOTH,
            {"Broker": 2, "Partition": 1, "czxid": 1, "time": 3, "duration": 2, "leader epoch": 5},
            (
                QUIET,
                UP,
                {
                    "TimePasses": to.is_(now + 1) & last_contact[broker(1)].is_(now) & ~answered[broker(1)],
                    "SendHeartbeat": NOTHING_UNDER_WAY & (now > 0),
                    "IsrChange": asks(),
                    "BeginShutdown": b.is_(broker(0)) & (now < 1),
                    "CancelShutdown": NEVER,
                    "LoseMessage": NEVER,
                    "ControllerFails": NEVER,
                },
            ),
        )
    },
)

FAILING = slice_of(
    "kip343_failover",
    *_HEART,
    LEADERS.name,
    claims=(
        "HI1",
        "HI4",
        "HI5",
        "HI5l",
        "HI7",
        "HI7n",
        "M2",
        "M5",
        "M7w",
        *_OF_BROKERS,
        *_OF_PARTITIONS,
        "HI36",
        "HW1",
    ),
    live=("M8",),
    broken=("M1", "M3", "M7"),
    forgotten=(accepted, unanswered, heard, leader_in, timed_out),
    bounds={
        "failover": (
            "two brokers that are up, one partition: the controller fails once it has elected a leader, and every leader moves",
            timeouts(1, 2) & BOTH,
            {"Broker": 2, "Partition": 1, "czxid": 1, "time": 1, "duration": 2, "leader epoch": 6},
            (
                QUIET,
                UP,
                {
                    "TimePasses": to.is_(now + 1) & forall(x, last_contact[x].is_(now) & ~answered[x]),
                    "SendHeartbeat": NOTHING_UNDER_WAY,
                    "ControllerFails": leader_epoch[the(0, PARTITION)].is_(1),
                    "LoseMessage": NEVER,
                    "BeginShutdown": NEVER,
                },
            ),
        )
    },
)

FIRST_TURNS = b.is_(broker(0)) & (czxid[b] < 3)
ROLLING = slice_of(
    "kip343_roll",
    *_HEART,
    LEADERS.name,
    ISR_CHANGES.name,
    claims=(*_OF_LEADERS, *_OF_BROKERS, *_OF_PARTITIONS, "HI2w", "HI6", "HW1"),
    live=("M8",),
    broken=("M1",),
    forgotten=(accepted, unanswered, heard, leader_in, timed_out, of_former),
    bounds={
        "roll": (
            "the double roll: of two brokers the first is restarted with new software, then with BrokerInfo 5; until then it writes its ISR itself; time does not pass",
            timeouts(0, 1) & BOTH,
            {"Broker": 2, "Partition": 1, "czxid": 3, "time": 0, "duration": 1, "leader epoch": 5},
            (
                {
                    **QUIET,
                    "FormCluster": old_brokers.is_(just(broker(0))),
                    "ControllerFailover": forall(x, czxid[x] > 0),
                    "StopBroker": FIRST_TURNS & legacy[b],
                    "ExpireSession": b.is_(broker(0)) & ~running[b],
                    "StartBroker": NEXT_CZXID & (czxid[b] > 0) & (V5 | czxid[b].is_(1)),
                    "TimePasses": NEVER,
                    "SendHeartbeat": NOTHING_UNDER_WAY,
                    "IsrChange": asks(),
                    "WriteIsr": new_isr.isnt(isr[p]),
                    "ControllerFails": NEVER,
                    "LoseMessage": NEVER,
                    "BeginShutdown": NEVER,
                },
            ),
        )
    },
)

LEGACY = slice_of(
    "kip343_legacy",
    *_HEART,
    claims=("HI1", "HI6", "HI8", "HI8f", "HI10", *_OF_BROKERS, "HI35"),
    live=("M9",),
    broken=("HI10l",),
    forgotten=(*_UNSEEN, accepted, unanswered, of_former),
    bounds={
        "legacy": (
            "one legacy broker, whose process may die and whose session may expire; the controller may fail",
            timeouts(0, 1),
            {"Broker": 1, "czxid": 2, "time": 3, "duration": 1},
            (
                {
                    "FormCluster": old_brokers.is_(just(broker(0))),
                    "ControllerFailover": forall(x, czxid[x] > 0),
                    "StartBroker": NEXT_CZXID & (czxid[b] > 0),
                    "Reregister": NEXT_CZXID,
                    "StartAnother": NEVER,
                },
            ),
        )
    },
)

SLICES: tuple[Protocol, ...] = declaring(
    (EXPLORED, LOSSY, TWO, INCARNATIONS, LEADING, FAILING, ROLLING, LEGACY), *NOT_FOR
)
"""The slices, that of heartbeats first. The first bound of each is small enough for every run."""
