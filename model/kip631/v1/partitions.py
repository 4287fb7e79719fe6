"""Tables of partitions: fenced brokers lose them, others are elected, replicas catch up, brokers apply the records."""

from __future__ import annotations

from fencepost.model.language.vocabulary import *

from .records import ISR_CHANGE
from .state import *

chosen = BROKER.var("leader")
reached = OFFSET.var("to")


@definition
def left(p: Term[Partition], b: Term[Broker]) -> Term[frozenset[Broker]]:
    """The ISR without a broker; the last member stays."""
    return when(empty(isr[p] - just(b)), isr[p], isr[p] - just(b))


@procedure(b)
def fall(b: Term[Broker]) -> object:
    """A broker that is fenced leads nothing any more, and leaves every ISR in which it is not alone."""
    return every(
        q,
        leader[q].is_(b) | left(q, b).isnt(isr[q]),
        ISR_CHANGE(
            q,
            isr=left(q, b),
            leader=when(leader[q].is_(b), none_of(BROKER), leader[q]),
            leader_epoch=when(leader[q].is_(b), leader_epoch[q] + 1, leader_epoch[q]),
        ),
    )


@procedure()
def advance() -> object:
    """The operation was one batch of the log."""
    return next_offset.becomes(next_offset + 1)


@procedure(p, chosen)
def lead(p: Term[Partition], leader: Term[Broker]) -> object:
    """A broker becomes leader, in an epoch of its own."""
    return ISR_CHANGE(p, isr=isr[p], leader=some(leader), leader_epoch=leader_epoch[p] + 1), advance()


@definition
def electable(p: Term[Partition], b: Term[Broker]) -> Term[bool]:
    """The broker may lead: it is in the ISR, not fenced, and has not asked for its shutdown."""
    return b.in_(isr[p]) & ~fenced[b] & ~shutting_down[b] & leader[p].isnt(b)


@definition
def leader_stops(p: Term[Partition]) -> Term[bool]:
    """The leader has asked for its shutdown."""
    return exists(x, leader[p].is_(x) & shutting_down[x])


elect = event("ElectLeader", p, chosen, environment=True, source="S2:46")
catch_up = event("CatchUp", p, b, environment=True, source="S2:488")
commit = event("Commit", reached, environment=True, source="S2:18")
apply = event("ApplyMetadata", b, reached, environment=True, source="S2:18")

may_lead = active & electable(p, chosen)
PARTITIONS = table(
    "partitions",
    elect("VE1", may_lead & absent(leader[p]), lead(p, chosen), source="S2:31"),
    elect("V1.10m", may_lead & leader_stops(p), lead(p, chosen), source="S2:46"),
    elect("VE2", may_lead & present(leader[p]) & ~leader_stops(p), lead(p, chosen), source="S2:31"),
    catch_up(
        "VE3",
        active & present(leader[p]) & b.in_(replicas[p]) & ~b.in_(isr[p]) & ~fenced[b],
        ISR_CHANGE(p, isr=isr[p] | just(b), leader=leader[p], leader_epoch=leader_epoch[p]),
        advance(),
    ),
    commit("VC1", active & (reached > committed) & (reached < next_offset), committed.becomes(reached)),
    apply(
        "VC2",
        broker_state[b].isnt(BrokerState.NOT_RUNNING) & (reached > own_offset[b]) & (reached <= committed),
        own_offset[b].becomes(reached),
        every(
            p, led_at[p] <= reached, leads[b, p].becomes(leader[p].is_(b)), seen_epoch[b, p].becomes(leader_epoch[p])
        ),
    ),
    about="Who leads, who is in sync, what is committed, and up to where a broker has read.",
    why={
        "VE1": "S2 does not say who: a member of the ISR that is not fenced.",
        "V1.10m": "What a broker leads that asks for its shutdown goes to others while it still serves.",
        "VE2": "An operator's wish, such as the preferred replica.",
        "VE3": "IsrChange is there for it; which broker asks, and under which guard, is KIP-497's matter.",
        "VC1": "Any part of what was written may be committed.",
        "VC2": "Of leaderships a broker learns the last one, if it has read that far, and else stays with what it knew.",
    },
)
