"""Repairs of the ZooKeeper-era controller, so that the properties that it violates hold: each is proved of the repair.

The page's own order of a creation, with nothing else changed, is `replicas_online_first` in `zk_page.py`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from fencepost.model.language.terms import Named
from fencepost.model.language.vocabulary import *
from fencepost.model.language.walk import rewrite
from fencepost.model.zk.lemmas import COMPLETED, UNNEEDED, at
from fencepost.model.zk.operations import NOBODY, finish
from fencepost.model.zk.reassignment import assign, merged, phase, targets
from fencepost.model.zk.state import *

from .zk_page_edits import online_first

_ELECTIONS = ("ZP2n", "ZP2", "ZP3n", "ZP3o", "ZP3u", "ZP3r", "ZP3p", "ZP3d")
_SEEN = lemma(
    "ZLr",
    forall(
        c, forall(p, forall(x, cached_leader[c, p].is_(some(x)).implies(replica_state[c, p, x].isnt(ReplicaState.NEW))))
    ),
    "For ZI16: no New replica leads.",
)


_OLD_ORDER = ("ZI18n", "ZI18o", "ZI19f", "ZI19n", "ZI19u", "ZI26", "ZI28s", "ZI29", "ZI29d")
"""Properties of the order in which today's controller elects and notifies; another order violates them."""


def _held(protocol: Protocol, *ids: str) -> tuple[Property, ...]:
    """Return properties as ones that hold."""
    return tuple(
        replace(one, expected="holds", finding="", by=())
        if isinstance(one, Always)
        else replace(one, expected="holds", finding="")
        for one in map(protocol.property, ids)
        if isinstance(one, (Always, Step))
    )


def followers_first(base: Protocol) -> Protocol:
    """Return the variant in which no New replica is elected, and replicas are Online before a leader is: it keeps ZI16."""
    why = "no New replica is elected"
    old = those(x, replica_state[c, p, x].isnt(ReplicaState.NEW))
    variant = online_first(base)
    variant = variant.redefine("online", lambda body: body & old, why=why, rows=_ELECTIONS)
    variant = variant.redefine("reachable", lambda body: body & old, why=why, rows=("ZP3n", "ZP3d"))
    variant = replace(variant, properties=tuple(one for one in variant.properties if one.id not in _OLD_ORDER))
    return variant.claiming(*_held(base, "ZI16"), _SEEN, why=why)


def isr_first(base: Protocol) -> Protocol:
    """Return the variant in which replicas leave the ISR before they leave any list: it keeps ZI2 of the znode and of the cache.

    A target that would strand a member of the ISR is refused. At the end of a reassignment the removed replicas go Offline
    first; the target is cached once no other replica is in the ISR, and otherwise the controller comes back to it.
    """
    why = "replicas leave the ISR before they leave the lists"
    started, of_subjects = call[c].becomes(Call.REMOVE_STARTED), due_replicas[c, p].becomes(subjects[c])
    variant = base.plus(
        assign("ZC5i", ~(isr[p] <= members(merged)), finish(c)), table="reassignment", before="ZC5U", why=why
    )
    removed = cached_removing[c, p]
    variant = variant.but(
        "ZC5B2",
        effects=(
            subjects[c].becomes(removed),
            due_replicas[c, p].becomes(removed),
            call[c].becomes(Call.REMOVE_OFFLINE),
        ),
        why=why,
    )
    variant = variant.but(
        "ZC5B5a",
        when=call[c].is_(Call.REMOVE_OFFLINE) & (cached_isr[c, p] <= members(targets(c, p))),
        effects=(
            subjects[c].becomes(removed),
            call[c].becomes(Call.LEAD),
            assigned[c, p].becomes(targets(c, p)),
            cached_adding[c, p].becomes(NOBODY),
            cached_removing[c, p].becomes(NOBODY),
        ),
        why=why,
    )
    variant = variant.plus(
        phase("ZC5i2", call[c].is_(Call.REMOVE_OFFLINE), finish(c)), table="reassignment", before="ZC5B5b", why=why
    )
    variant = variant.but("ZC5B4", effects=(started, of_subjects), why=why)
    kept = [e for e in base.row("ZC5B3k").effects if e not in _after_lead(base)]
    variant = variant.but("ZC5B3k", effects=(*kept, started, of_subjects), why=why)
    return replace(variant, properties=_claims(base))


def _after_lead(base: Protocol) -> tuple[Any, ...]:
    """The effects of ZC5B3k that say what comes next: its last two."""
    return base.row("ZC5B3k").effects[-2:]


_PHASES = {"completed": COMPLETED, "removing_now": (*UNNEEDED, *COMPLETED)}


def _claims(base: Protocol) -> tuple[Property, ...]:
    """Return what is claimed of the other order: ZI2, and the lemmas of caches and calls with its phases."""
    lemmas = [f"ZL{n}" for n in (*range(1, 14), *range(15, 22), 23, 24, 33, 37, 38, 39, 40, 41, 43, 45)]
    kept = [base.property(id) for id in ("ZI6", "ZI6t", *lemmas) if id in {one.id for one in base.properties}]
    return (
        *_held(base, "ZI2", "ZI2r", "ZI2m"),
        *(replace(one, term=rewrite(one.term, _later)) for one in kept if isinstance(one, Always)),
    )


def _later(node: Term[Any]) -> Term[Any] | None:
    """In this order the removed replicas go Offline before the reassignment is cached as completed."""
    if isinstance(node, Named) and node.name in _PHASES:
        return Named(
            node.name, node.shown, at(c, (one for one in _PHASES[node.name] if one is not Call.REMOVE_OFFLINE))
        )
    return None


__all__ = ["followers_first", "isr_first"]
