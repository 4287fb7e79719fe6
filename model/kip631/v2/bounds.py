"""What the bounds of version 2 share: entities by number, how a bound begins, and honest processes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from fencepost.model.language import (
    FALSE,
    Term,
    all_of,
    any_of,
    forall,
    just,
    nobody,
    none_of,
    some,
    when,
)
from fencepost.model.language.kinds import Kind
from fencepost.model.language.terms import Lit

from . import brokers, membership, partitions
from .answers import Error
from .protocol import FRESH, NO_ANSWER, NO_REASSIGNMENT
from .state import (
    BROKER,
    LEADER_EPOCH,
    TOPIC,
    Broker,
    BrokerState,
    active,
    b,
    broker_epoch,
    broker_state,
    committed,
    created_at,
    epoch_at,
    fenced,
    id_reuse,
    incarnation,
    isr,
    last_contact,
    leader,
    leader_at,
    leader_epoch,
    leader_in,
    logs,
    next_offset,
    now,
    own_epoch,
    own_incarnation,
    own_offset,
    p,
    recovered,
    registered,
    removed_at,
    replicas,
    serving,
    session,
    shutting_down,
    t,
)

T = TypeVar("T")
Given = Mapping[str, Term[bool]]


def the(number: int, kind: Kind[T]) -> Term[T]:
    """Return an entity of a bound by its number."""
    return Lit(number, kind)  # type: ignore[arg-type]


def broker(number: int) -> Term[Broker]:
    """Return the broker of a bound with a number."""
    return the(number, BROKER)


def brokers_(*numbers: int) -> Term[frozenset[Broker]]:
    """Return a set of brokers by their numbers."""
    return just(*(broker(number) for number in numbers)) if numbers else nobody(BROKER)


def lasts(ticks: int) -> Term[bool]:
    """Return the settings of a bound: how long a session lasts, and an id is kept."""
    return session.is_(ticks) & id_reuse.is_(ticks)


def fresh(*numbers: int, ticks: int = 1) -> Term[bool]:
    """Return the start with nobody registered, and these brokers as replicas of every partition."""
    given = forall(p, replicas[p].is_(brokers_(*numbers)) & isr[p].is_(brokers_(*numbers)))
    return all_of(FRESH, lasts(ticks), given)


_o, _e = membership.upto, LEADER_EPOCH.var("e")


def running(count: int, *numbers: int, history: bool = True) -> Term[bool]:
    """Return the start with so many brokers that run.

    The given ones are the replicas of every partition and its ISR, and the first of them leads it. Broker n was registered
    at offset n + 1; the election took the offset after the last of these, and everybody has applied it. A slice that forgets
    who led when is begun without `history`.
    """
    cells = [
        active,
        now.is_(0),
        lasts(1),
        committed.is_(count + 1),
        next_offset.is_(count + 2),
        NO_ANSWER,
        NO_REASSIGNMENT,
    ]
    cells += [forall(t, created_at[t].is_(-1) & removed_at[t].is_(-1)), forall(b, logs[b].is_(nobody(TOPIC)))]
    for n in range(count):
        x = broker(n)
        cells += [
            registered[x],
            incarnation[x].is_(1),
            broker_epoch[x].is_(n + 1),
            last_contact[x].is_(0),
            ~shutting_down[x],
        ]
        cells += [
            ~fenced[x],
            serving[x],
            recovered[x],
            own_incarnation[x].is_(1),
            broker_state[x].is_(BrokerState.RUNNING),
        ]
        cells += [own_epoch[x].is_(n + 1), own_offset[x].is_(count + 1)]
    first = some(broker(numbers[0]))
    cells += [
        forall(p, replicas[p].is_(brokers_(*numbers)) & isr[p].is_(brokers_(*numbers))),
        forall(p, leader[p].is_(first) & leader_epoch[p].is_(1)),
    ]
    if history:
        cells += [
            forall(p, forall(_o, leader_at[p, _o].is_(None) & epoch_at[p, _o].is_(0))),
            forall(p, forall(_e, leader_in[p, _e].is_(_led(first)))),
        ]
    return all_of(*cells)


def _led(first: Term[Broker | None]) -> Term[Broker | None]:
    return when(_e.is_(1), first, none_of(BROKER))


_s = broker_state[b]
_asks = any_of(
    *(
        _s.is_(one)
        for one in (
            BrokerState.STARTING,
            BrokerState.RECOVERY,
            BrokerState.RUNNING,
            BrokerState.PENDING_CONTROLLED_SHUTDOWN,
        )
    )
)
HONEST: Given = {
    "TimePasses": membership.to.is_(now + 1),
    "Commit": membership.upto.is_(next_offset - 1),
    "StartBroker": brokers.incarnation.is_(incarnation[b] + 1),
    "Register": all_of(
        membership.i.is_(own_incarnation[b]),
        membership.supports,
        membership.cluster,
        _s.is_(BrokerState.STARTING),
        own_epoch[b].is_(-1),
    ),
    "RegisterReply": brokers.error.is_(Error.NONE) & (committed >= brokers.epoch),
    "Heartbeat": all_of(
        _asks,
        own_epoch[b] >= 0,
        membership.epoch.is_(own_epoch[b]),
        membership.offset.is_(own_offset[b]),
        membership.want_fence.is_(_s.is_(BrokerState.STARTING) | (_s.is_(BrokerState.RECOVERY) & ~recovered[b])),
        membership.want_shutdown.is_(_s.is_(BrokerState.PENDING_CONTROLLED_SHUTDOWN)),
    ),
    "HeartbeatReply": brokers.error.is_(Error.NONE),
    "ApplyMetadata": brokers.to.is_(committed),
    "ApplySnapshot": brokers.to.is_(committed),
    "AlterIsr": all_of(
        serving[b],
        leader[p].is_(b),
        partitions.asked_epoch.is_(leader_epoch[p]),
        partitions.asked.isnt(isr[p]),
        isr[p] <= partitions.asked,
        forall(membership.x, membership.x.in_(partitions.asked).implies(~fenced[membership.x])),
    ),
    "Unregister": ~membership.legacy,
}
"""What processes that know what they do ask for, on the newest state; time goes tick by tick."""

NEVER = FALSE
