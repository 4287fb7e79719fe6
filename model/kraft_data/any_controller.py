"""Any controller that keeps to the interface: the fewest rows of which the theorem is proved, in place of those of Kafka's.

Each row is one change of the partition. Nothing is said of who is fenced or why; only what a change may do to leader, ISR and ELR.
"""

from __future__ import annotations

from dataclasses import replace

from fencepost.model.language.vocabulary import *

from .controller import REPLICATION_CONTROL, decide, elects, elects_uncleanly, in_flight, none_restarted, recover
from .more_properties import DECISIONS
from .state import *

new_isr, new_elr = BROKERS.var("new_isr"), BROKERS.var("new_elr")
_created = partition_epoch > 0


def _fits(isr_after: Term[frozenset[Broker]]) -> Term[bool]:
    """The new ELR is of those that were in the ISR or the ELR, and empty beside an ISR of min.insync.replicas members."""
    one_enough = at_least(just(x), min_isr) & x.in_(new_elr) & f.in_(new_elr)
    return (
        (new_elr <= (isr | elr) - isr_after)
        & at_least(isr_after, min_isr).implies(new_elr.is_(NOBODY))
        & forall(x, forall(f, one_enough.implies(x.is_(f))))
    )


keeps = event("KeepLeader", new_isr, new_elr, environment=True, source="KIP-966", code=REPLICATION_CONTROL)
loses = event("LoseLeader", new_isr, new_elr, environment=True, source="KIP-966", code=REPLICATION_CONTROL)
finds = event("FindLeader", g, new_isr, new_elr, environment=True, source="KIP-966", code=REPLICATION_CONTROL)
turns = event("TurnToEligible", g, new_elr, environment=True, source="KIP-966", code=REPLICATION_CONTROL)
accept = event("AcceptProposal", e, new_isr, new_elr, environment=True, source="KIP-497", code=REPLICATION_CONTROL)
accept_loses = event(
    "AcceptProposalLoses", e, new_isr, new_elr, environment=True, source="KIP-497", code=REPLICATION_CONTROL
)
accept_finds = event(
    "AcceptProposalFinds", e, g, new_isr, new_elr, environment=True, source="KIP-497", code=REPLICATION_CONTROL
)
marks = event("MarkLeader", g, environment=True, source="KIP-704, KIP-966", code=REPLICATION_CONTROL)
_accepted = in_flight & none_restarted & (new_isr <= proposed_isr[e]) & _fits(new_isr)
_shrinks = _created & (new_isr <= isr) & _fits(new_isr)
_led = absent(leader) | leader.in_(new_isr)
_alone = forall(x, forall(f, (x.in_(isr) & f.in_(isr)).implies(x.is_(f))))

ROWS: tuple[Row, ...] = (
    keeps("DC21", _shrinks & _led, decide(leader, epoch, new_isr, new_elr)),
    loses("DC22", _shrinks, decide(NO_ONE, epoch + 1, new_isr, new_elr)),
    finds("DC23", _shrinks & g.in_(new_isr), elects(g, new_isr, new_elr)),
    turns("DC24", _created & g.in_(elr) & _alone & (new_elr <= (isr | elr) - just(g)), elects(g, just(g), new_elr)),
    accept("DC25", _accepted & _led, decide(leader, epoch, new_isr, new_elr)),
    accept_loses("DC26", _accepted, decide(NO_ONE, epoch + 1, new_isr, new_elr)),
    accept_finds("DC27", _accepted & g.in_(new_isr), elects(g, new_isr, new_elr)),
    marks("DC28", _created, elects_uncleanly(g)),
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
    for id in REPLACED:
        edited = edited.without(id, why=why)
    return edited


def _adapted(bound: Bound, base: Protocol) -> Bound:
    """Return a bound that has of uncleanly elected leaders here what it had of those of Kafka's rows."""
    gone = {row.event.name for row in base.rows} - {row.event.name for row in base.rows if row.id not in REPLACED}
    given = {name: term for name, term in bound.given.items() if name not in gone}
    unclean = bound.given.get(recover.name)
    return replace(bound, given=given if unclean is None else {**given, marks.name: unclean})
