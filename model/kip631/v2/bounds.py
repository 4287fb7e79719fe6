"""Parts that the bounds of version 2 share: entities by number, starts, and honest processes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from fencepost.model.language.vocabulary import *

from . import brokers, membership, partitions
from .answers import Error
from .protocol import FRESH
from .state import *

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


def fresh(*numbers: int) -> Term[bool]:
    """Return the start with no broker registered, and these brokers as replicas of every partition."""
    given = all_of(forall(p, replicas[p].is_(brokers_(*numbers))), forall(p, isr[p].is_(brokers_(*numbers))))
    return all_of(FRESH, session.is_(1), id_reuse.is_(1), given)


def running(count: int, *numbers: int) -> Term[bool]:
    """Return the start with so many brokers that run.

    The given ones are the replicas of every partition and its ISR; no broker leads yet. Broker n was registered at offset n + 1,
    and every broker has applied all of the log.
    """
    cells = [session.is_(1), id_reuse.is_(1), committed.is_(count), next_offset.is_(count + 1)]
    cells += [
        forall(b, registered[b]),
        forall(b, ~fenced[b]),
        forall(b, incarnation[b].is_(1)),
        forall(b, last_contact[b].is_(0)),
    ]
    cells += [broker_epoch[broker(n)].is_(n + 1) for n in range(count)]
    cells += [own_epoch[broker(n)].is_(n + 1) for n in range(count)]
    cells += [forall(b, own_incarnation[b].is_(1)), forall(b, own_offset[b].is_(count)), forall(b, recovered[b])]
    cells += [forall(b, broker_state[b].is_(BrokerState.RUNNING)), forall(b, serving[b])]
    return all_of(*cells, forall(p, replicas[p].is_(brokers_(*numbers))), forall(p, isr[p].is_(brokers_(*numbers))))


def waiting(*numbers: int) -> Term[bool]:
    """Return the start with one broker that is registered and has recovered its logs, and waits to be unfenced.

    It has applied all of the log, which ends with its registration.
    """
    cells = [session.is_(1), id_reuse.is_(1), committed.is_(1), next_offset.is_(2)]
    cells += [forall(b, registered[b]), forall(b, fenced[b]), forall(b, incarnation[b].is_(1))]
    cells += [
        forall(b, own_incarnation[b].is_(1)),
        forall(b, last_contact[b].is_(0)),
        forall(b, broker_epoch[b].is_(1)),
    ]
    cells += [forall(b, own_epoch[b].is_(1)), forall(b, own_offset[b].is_(1)), forall(b, recovered[b])]
    cells += [forall(b, broker_state[b].is_(BrokerState.RECOVERY)), forall(b, ~serving[b])]
    return all_of(*cells, forall(p, replicas[p].is_(brokers_(*numbers))), forall(p, isr[p].is_(brokers_(*numbers))))


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
    "StartBroker": brokers.new_incarnation.is_(incarnation[b] + 1),
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
        forall(x, x.in_(partitions.asked).implies(~fenced[x])),
    ),
    "Unregister": ~membership.legacy,
}
"""Requests of well-behaved processes, which know the newest state; time passes tick by tick."""

NEVER = FALSE
