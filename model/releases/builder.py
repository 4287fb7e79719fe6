"""The partition change builder as older releases had it: what becomes of the bodies of its named terms."""

from __future__ import annotations

from typing import Any

from fencepost.model.kraft.state import last_known, last_nobody, leader
from fencepost.model.language import FALSE, Term, absent, empty, head, only, present, when
from fencepost.model.language.errors import refuse
from fencepost.model.language.nodes import First, Get, Ite, Named, Nary, Subset
from fencepost.model.language.walk import children, nary, nodes


def _named(body: Term[Any], name: str) -> Term[Any]:
    for node in nodes(body):
        if isinstance(node, Named) and node.name == name:
            return node
    raise refuse("the builder of an older release", f"{name} is not spoken of", "follow the names of the builder")


def _misfit(name: str, body: Term[Any]) -> Exception:
    return refuse("the builder of an older release", f"{name} is now {body}", "write its edit anew")


def target_in_sync(body: Term[Any]) -> Term[Any]:
    """A reassignment is complete once all that stay and come are in sync (3.8-4.2), as today where the target shrinks."""
    last = body.terms[-1] if isinstance(body, Nary) else None
    if not (isinstance(body, Nary) and isinstance(last, Nary) and isinstance(last.terms[-1], Subset)):
        raise _misfit("completes", body)
    return nary("and", (*body.terms[:2], last.terms[-1]))


def added_in_sync(body: Term[Any]) -> Term[Any]:
    """A reassignment is complete once all that come are in sync (3.7), whatever became of those that stay."""
    if not (isinstance(body, Nary) and isinstance(body.terms[-1], Subset) and isinstance(body.terms[0], Nary)):
        raise _misfit("completes", body)
    in_sync, asked = body.terms[-1], body.terms[0].terms[-1]
    adding = children(children(asked)[0])[0]
    return nary("and", (*body.terms[:2], Subset(adding, in_sync.right)))


def remembered_by_isr(body: Term[Any]) -> Term[Any]:
    """The last leader is remembered where the record empties the ISR (3.8-4.1), not where it takes the leader away."""
    if body is FALSE:
        # No last known leader is stored without eligible leader replicas.
        return body
    elr_on, elected = _named(body, "elr_on"), _named(body, "elected")
    emptied = _named(body, "isr_said") & empty(_named(body, "isr3"))
    stored = next((n for n in nodes(body) if isinstance(n, Get) and n.state is last_known.state), None)
    nobody_stored = next((n for n in nodes(body) if isinstance(n, Get) and n.state is last_nobody.state), None)
    old_leader = next((n for n in nodes(body) if isinstance(n, Get) and n.state is leader.state), None)
    if stored is None or nobody_stored is None or old_leader is None:
        raise _misfit("remembers", body)
    another = when(absent(old_leader), ~nobody_stored, stored.isnt(only(old_leader)))
    return elr_on & when(emptied, another, present(elected) & (~empty(stored) | nobody_stored))


def anyone_last_known(body: Term[Any]) -> Term[Any]:
    """The last known leader is elected without being asked whether it is there (up to 4.0)."""
    if isinstance(body, Ite) and isinstance(body.then, First):
        return when(body.condition, head(body.then.of), body.otherwise)
    return body
