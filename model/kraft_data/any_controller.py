"""Any controller that keeps to the interface, and reassigns: the fewest rows of which the theorem is proved, in place of those of Kafka's.

Each row is one change of the partition. Nothing is said of who is fenced or added and removed, and why; only what a change may do to
leader, ISR, ELR and replicas.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from fencepost.model.language import Event
from fencepost.model.language.vocabulary import *

from .controller import REPLICATION_CONTROL, in_flight, members_, none_restarted, recover
from .more_properties import DECISIONS
from .reassignment import (
    brokers_with_reassignments,
    clears,
    decide,
    elects,
    elects_uncleanly,
    new_elr,
    new_isr,
    new_replicas,
    replicas,
)
from .state import *

_created = partition_epoch > 0
eligible_replicas = let("eligible_replicas", new_elr <= new_replicas, new_elr, new_replicas)
"""Only replicas are eligible: Kafka 4.4.0 keeps those eligible that a reassignment removes (D15)."""


def _fits(isr_after: Term[frozenset[Broker]]) -> Term[bool]:
    """The new ISR is of the new replicas; the new ELR is of those of them that were in the ISR or the ELR, and empty beside an ISR of
    min.insync.replicas members.
    """
    one_enough = at_least(just(x), min_isr) & x.in_(new_elr) & f.in_(new_elr)
    return (
        (isr_after <= new_replicas)
        & eligible_replicas
        & (new_elr <= (isr | elr) - isr_after)
        & at_least(isr_after, min_isr).implies(new_elr.is_(NOBODY))
        & forall(x, forall(f, one_enough.implies(x.is_(f))))
    )


def _decision(name: str, *params: Var[Any], source: str = "KIP-966") -> Event:
    return event(name, *params, new_replicas, environment=True, source=source, code=REPLICATION_CONTROL)


create = _decision("Create", g, members_)
keeps = _decision("KeepLeader", new_isr, new_elr)
loses = _decision("LoseLeader", new_isr, new_elr)
finds = _decision("FindLeader", g, new_isr, new_elr)
turns = _decision("TurnToEligible", g, new_elr)
accept = _decision("AcceptProposal", e, new_isr, new_elr, source="KIP-497")
accept_loses = _decision("AcceptProposalLoses", e, new_isr, new_elr, source="KIP-497")
accept_finds = _decision("AcceptProposalFinds", e, g, new_isr, new_elr, source="KIP-497")
marks = _decision("MarkLeader", g, source="KIP-704, KIP-966")
_accepted = in_flight & none_restarted & (new_isr <= proposed_isr[e]) & _fits(new_isr)
_shrinks = _created & (new_isr <= isr) & _fits(new_isr)
_led = absent(leader) | leader.in_(new_isr)
_alone = forall(x, forall(f, (x.in_(isr) & f.in_(isr)).implies(x.is_(f))))
_stay = let("replicas_stay", replicas <= new_replicas, new_replicas)
"""No replica leaves: that takes another leader epoch."""
_eligible_leads = g.in_(elr) & g.in_(new_replicas) & _alone & (new_elr <= (isr | elr) - just(g)) & eligible_replicas

ROWS: tuple[Row, ...] = (
    keeps("DC21", _shrinks & _led & _stay, decide(leader, epoch)),
    loses("DC22", _shrinks, decide(NO_ONE, epoch + 1)),
    finds("DC23", _shrinks & g.in_(new_isr), elects(g, new_isr, new_elr)),
    turns("DC24", _created & _eligible_leads, elects(g, just(g), new_elr)),
    accept("DC25", _accepted & _led & _stay, decide(leader, epoch)),
    accept_loses("DC26", _accepted, decide(NO_ONE, epoch + 1)),
    accept_finds("DC27", _accepted & g.in_(new_isr), elects(g, new_isr, new_elr)),
    marks("DC28", _created & g.in_(new_replicas), elects_uncleanly(g)),
)
CREATED = create(
    "DC1", partition_epoch.is_(0) & g.in_(members_) & (members_ <= new_replicas), elects(g, members_, NOBODY)
)
REPLACED = (
    "DC2", "DC3", "DC4", "DC5", "DC6", "DC8", "DC9", "DC10", "DC11", "DC12", "DC14", "DC15", "DC16", "DC19", "DC20",
)  # fmt: skip
"""The rows of the controller in whose place these stand; a broker that lost records registers (DC7) once it is in neither list."""
GONE = ("DA3l", "DA3u")
"""Assumptions about events that are gone: a broker that led and lost records has lost the lead before it registers."""


def any_controller(base: Protocol) -> Protocol:
    """Return `kraft-data` with these rows in place of what Kafka's controller decides about one partition."""
    why = "any controller that keeps to the interface"
    edited = replace(
        base,
        inputs=tuple(one for one in base.inputs if one.id not in GONE),
        properties=tuple(one for one in base.properties if one not in DECISIONS),
    )
    for row in ROWS:
        edited = edited.plus(row, why=why, table="controller")
    edited = replace(edited, bounds={name: _adapted(one, base) for name, one in base.bounds.items()})
    edited = edited.without("DC1", why=why).plus(CREATED, why=why, table="controller", before="DC2")
    for id in REPLACED:
        edited = edited.without(id, why=why)
    return brokers_with_reassignments(edited.but("DC18", effects=(config.becomes(c), clears(c)), why=why))


def _adapted(bound: Bound, base: Protocol) -> Bound:
    """Return a bound that has of uncleanly elected leaders here what it had of those of Kafka's rows."""
    gone = {row.event.name for row in base.rows} - {row.event.name for row in base.rows if row.id not in REPLACED}
    given = {name: term for name, term in bound.given.items() if name not in gone}
    unclean = bound.given.get(recover.name)
    return replace(bound, given=given if unclean is None else {**given, marks.name: unclean})
