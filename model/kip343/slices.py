"""The slices of KIP-343 that are explored: heartbeats and timers, leaders and ISRs, and the double roll of a mixed cluster."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from fencepost.model.language import (
    FALSE,
    TRUE,
    Bound,
    LeadsTo,
    Protocol,
    Step,
    Term,
    all_of,
    exists,
    forall,
    just,
    nobody,
    present,
)
from fencepost.model.language.kinds import Kind
from fencepost.model.language.terms import Lit

from .brokers import CLOCK, FORMATION, HEARTBEATS_OF_BROKERS, PROCESSES, new_czxid, old_brokers, old_software, to
from .controller import FAILOVERS, HEARTBEATS, REGISTRATIONS, TIMER, iid
from .partitions import ISR_CHANGES, LEADERS, asked_epoch, new_isr
from .protocol import KIP343
from .state import (
    BROKER,
    PARTITION,
    Broker,
    accepted,
    b,
    believes,
    broker_timeout,
    controller_timeout,
    czxid,
    heard,
    isr,
    leader,
    leader_epoch,
    leader_in,
    metadata,
    now,
    own_incarnation,
    p,
    replicas,
    running,
    unanswered,
    x,
)

T = TypeVar("T")
Given = Mapping[str, Term[bool]]
NEVER = FALSE

_HEART = (HEARTBEATS.name, TIMER.name, HEARTBEATS_OF_BROKERS.name, CLOCK.name, REGISTRATIONS.name, FAILOVERS.name, PROCESSES.name, FORMATION.name)


def the(number: int, kind: Kind[T]) -> Term[T]:
    """Return an entity of a bound by its number."""
    return Lit(number, kind)  # type: ignore[arg-type]


def broker(number: int) -> Term[Broker]:
    """Return the broker of a bound with a number."""
    return the(number, BROKER)


def timeouts(of_controller: int, of_broker: int) -> Term[bool]:
    """Return the start condition that the two timeouts are so many ticks."""
    return controller_timeout.is_(of_controller) & broker_timeout.is_(of_broker)


TICKS: Given = {"TimePasses": to.is_(now + 1)}
NEXT_CZXID = new_czxid.is_(czxid[b] + 1)
V5 = ~old_software
"""Every process is of the new protocol."""


def assuming(*givens: Given) -> dict[str, Term[bool]]:
    """Return the conjunction, event by event, of what a bound is told to assume."""
    made: dict[str, Term[bool]] = {}
    for given in givens:
        for event, term in given.items():
            made[event] = all_of(made[event], term) if event in made else term
    return made
