"""The edits that bring defects of the ZooKeeper-era controller back; `zk.py` has their stories and verdicts."""

from __future__ import annotations

from typing import Any

from fencepost.model.language.terms import Not
from fencepost.model.language.vocabulary import *
from fencepost.model.language.walk import conjuncts, nary, without
from fencepost.model.zk.outcomes import Error
from fencepost.model.zk.partitions import in_sync
from fencepost.model.zk.reassignment import cancel, free, origin
from fencepost.model.zk.state import *
from fencepost.model.zk.twelve_steps import begin
from fencepost.model.zk.znodes import STATE, lead, nothing_assigned, tell

from .zk_claims import bounces_noticed

# -- epochs of controllers -------------------------------------------------------------------------------------------------


def goes_on(base: Protocol) -> Protocol:
    """Return the variant in which a controller that gets a new session continues as controller, its handlers in place."""
    why = "a controller that gets a new session continues as controller, its handlers in place"
    kept = base.but("SE2", effects=(session[c].becomes(TRUE),), why=why)
    # There was no fence yet that would have stopped it.
    return kept.redefine("moved", lambda old: FALSE, why=why)


# -- what a controller remembers -------------------------------------------------------------------------------------------
_LEADERSHIP = (knows, cached_leader, cached_isr, cached_leader_epoch, cached_version)


def reads_no_leadership(base: Protocol) -> Protocol:
    """Return the variant in which a controller that starts does not read who leads and who is in sync."""
    states = frozenset(one.state for one in _LEADERSHIP[1:])
    why = "a controller that starts does not read who leads and who is in sync"
    return base.but("ZC0", effects=without(base.row("ZC0").effects, states), why=why)


def forgets_epoch(base: Protocol) -> Protocol:
    """Return the variant in which the new leader epoch is written and not remembered."""
    write = STATE(
        p,
        leader=leader[p],
        leader_epoch=leader_epoch[p] + 1,
        isr=isr[p],
        controller_epoch=own_epoch[c],
        recovering=recovering[p],
        version=version[p] + 1,
    )
    begun = (call[c].becomes(Call.ADD_NEW), due_replicas[c, p].becomes(cached_adding[c, p]))
    why = "the new leader epoch is written and not remembered"
    return base.but("ZC5A1", effects=(write, begun), why=why)


# -- brokers that come and go ------------------------------------------------------------------------------------------------
def misses_bounces(base: Protocol) -> Protocol:
    """Return the variant in which a broker that was away for less than a watch is not noticed."""
    why = "a broker that was away for less than a watch is not noticed"
    return bounces_noticed(base.without("ZC4b", why=why))


# -- reassignment and deletion -----------------------------------------------------------------------------------------------
def drops_reassignment(base: Protocol) -> Protocol:
    """Return the variant in which a reassignment to a broker that is down is dropped."""
    row = begin(
        "T1d",
        ~(members(request[p]) <= live[c]),
        requested[p].becomes(FALSE),
        request[p].becomes(nothing_assigned),
        source="KAFKA-4214",
    )
    why = "a reassignment to a broker that is down is dropped"
    return base.plus(row, table="the page's reassignment", before="T1", why=why)


def forgets_early(base: Protocol) -> Protocol:
    """Return the variant in which what was asked for is forgotten before the removed replicas are gone."""
    why = "what was asked for is forgotten before the removed replicas are gone"
    forgotten = (requested[p].becomes(FALSE), request[p].becomes(nothing_assigned))
    early = base.but("T7k", effects=(base.row("T7k").effects, forgotten), why=why)
    return early.but("T8", effects=(base.row("T8").effects, forgotten), why=why)


def elects_after_override(base: Protocol) -> Protocol:
    """Return the variant in which where the new target drops the leader another one is elected at once."""
    why = "where the new target drops the leader another one is elected at once"
    elected = when(absent(leader[p]), first(assigned[c, p], in_sync(c, p)), leader[p])
    effects = (
        lead(c, p, elected, isr[p], leader_epoch[p] + 1, recovering[p]),
        tell(c, p, members(assigned[c, p])),
        call[c].becomes(Call.ADD_NEW),
        due_replicas[c, p].becomes(cached_adding[c, p]),
    )
    return base.but("ZC5A1", effects=effects, why=why)


def cancels_to_in_sync(base: Protocol) -> Protocol:
    """Return the variant in which a cancellation needs an original replica that is online and in the ISR."""
    why = "a reassignment is cancelled only where an original replica is online and in the ISR"
    refused = cancel(
        "ZC5f",
        free & empty(members(origin) & in_sync(c, p)),
        say=Error.INVALID_REPLICA_ASSIGNMENT,
        source="KAFKA-14424",
    )
    return base.plus(refused, table="reassignment", before="ZC5c", why=why)


def cancels_to_live(base: Protocol) -> Protocol:
    """Return the variant in which a cancellation needs the original replicas to be live, in the ISR or not."""
    why = "a reassignment is cancelled where all original replicas are live, in the ISR or not"
    return base.but("ZC5f", when=free & ~(members(origin) <= live[c]), why=why)


def grows_while_deleted(base: Protocol) -> Protocol:
    """Return the variant in which a topic that is about to be deleted gets new partitions."""
    why = "a topic that is about to be deleted gets new partitions"

    def whatever_is_queued(old: Term[Any]) -> Term[Any]:
        return nary("and", [one for one in conjuncts(old) if not isinstance(one, Not)])

    return base.redefine("fresh", whatever_is_queued, why=why, rows=("ZC1a",))
