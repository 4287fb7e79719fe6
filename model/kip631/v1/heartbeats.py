"""Heartbeats at the controller: who gets a lease, who is unfenced by the second one, who may stop."""

from __future__ import annotations

from fencepost.model.language import FALSE, TRUE, Term, definition, event, forall, one_of, procedure, table, when
from fencepost.model.language.terms import Lit

from .messages import answer, current, drop, epoch, offset, target
from .partitions import advance
from .records import UNFENCE_BROKER
from .state import *


@definition
def stale(b: Term[Broker], epoch: Term[int]) -> Term[bool]:
    """No broker is registered under this epoch."""
    return ~registered[b] | broker_epoch[b].isnt(epoch)


@definition
def leads_nothing(b: Term[Broker]) -> Term[bool]:
    """The broker leads no partition."""
    return forall(p, leader[p].isnt(b))


@procedure(b, offset)
def hear(b: Term[Broker], offset: Term[int]) -> object:
    """The broker was heard of, and has reached an offset."""
    return last_contact[b].becomes(now), reported_offset[b].becomes(offset)


@definition
def new_lease_end(b: Term[Broker]) -> Term[int]:
    """When the lease ends for the controller: not before one that an earlier answer gave, which may be longer."""
    return when(now + next_lease > lease_end[b], now + next_lease, lease_end[b])


@procedure(b)
def give_lease(b: Term[Broker]) -> object:
    """The broker has a lease, from now on."""
    return lease_end[b].becomes(new_lease_end(b)), answer(Next.ACTIVE, next_lease)


@procedure(b)
def unfence(b: Term[Broker]) -> object:
    """Clients may find the broker, and it may lead."""
    return UNFENCE_BROKER(b, epoch=broker_epoch[b]), advance()


is_active, is_fenced = current.is_(Current.ACTIVE), current.is_(Current.FENCED)
wants_shutdown = target.is_(Target.SHUTDOWN)
heard, gets_lease = hear(b, offset), give_lease(b)
stops = shutting_down[b].becomes(TRUE)

outcome = one_of(Error).var("answer")
heartbeat = event(
    "Heartbeat", b, epoch, current, target, offset,
    reply={"lease": when(outcome.is_(Error.NEXT_ACTIVE), next_lease, Lit(0, TIME))}, source="S2:440-447",
)  # fmt: skip
HEARTBEATS = table(
    "heartbeats",
    heartbeat("V1.5n", ~active, drop(), say=Error.NOT_CONTROLLER, source="S2:446"),
    heartbeat("V1.5s", stale(b, epoch), drop(), say=Error.STALE_BROKER_EPOCH, source="S2:34"),
    heartbeat("V1.7", offset < reported_offset[b], drop(), say=Error.IGNORED, source="S2:447"),
    heartbeat("V1.11", wants_shutdown & leads_nothing(b), heard, stops, answer(Next.SHUTDOWN), say=Error.NEXT_SHUTDOWN, source="S2:46"),
    heartbeat("V1.10", wants_shutdown & is_active, heard, stops, gets_lease, say=Error.NEXT_ACTIVE, source="S2:46"),
    heartbeat("V1.10f", wants_shutdown, heard, stops, answer(Next.FENCED), say=Error.NEXT_FENCED, source="S2:46"),
    heartbeat("V1.5", is_fenced, heard, granted[b].becomes(TRUE), gets_lease, say=Error.NEXT_ACTIVE, source="S2:41,441"),
    heartbeat("V1.6", fenced[b] & granted[b], heard, granted[b].becomes(FALSE), gets_lease, unfence(b), say=Error.NEXT_ACTIVE, source="S2:442-443"),
    heartbeat("V1.6f", fenced[b], heard, answer(Next.FENCED), say=Error.NEXT_FENCED, source="S2:440"),
    heartbeat("V1.6r", TRUE, heard, granted[b].becomes(FALSE), gets_lease, say=Error.NEXT_ACTIVE, source="S2:43"),
    mode="first match",
    total=True,
    about="A broker says which state it is in, which one it wants to reach, and what of the metadata it has.",
    why={
        "V1.5s": "S2 names no error for it; the name is Kafka's.",
        "V1.7": "It was overtaken: nothing happens, and nothing is answered.",
        "V1.10": "It leads something: the answer is the state that it is in, with a lease; V1.10m moves what it leads.",
        "V1.10f": "The same of a broker that stopped serving when its lease was over, while the controller's was not.",
        "V1.5": "Every broker that asks gets a lease: S2 has no criterion. In the metadata the broker stays fenced.",
        "V1.6": "The second heartbeat of the handshake, sent at once after the first answer.",
        "V1.6f": "It was fenced since, or a new controller does not know of the lease: the handshake begins anew.",
    },
)  # fmt: skip
