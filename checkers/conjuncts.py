"""Conjuncts of conditions, with names looked through."""

from __future__ import annotations

from fencepost.model.language.terms import TRUE, Before, Named, Nary, Term


def conjuncts(term: Term[bool]) -> tuple[Term[bool], ...]:
    """Return the conjuncts of a condition, names looked through."""
    inner = term
    while isinstance(inner, Named):
        inner = inner.term
    if isinstance(inner, Nary) and inner.operator == "and":
        return tuple(dict.fromkeys(part for one in inner.terms for part in conjuncts(one)))
    return () if inner is TRUE else (term,)


def update_conjuncts(when: Term[bool]) -> tuple[Term[bool], ...]:
    """Return the conjuncts of an update's condition, those under `Before` each under its own."""
    found: dict[Term[bool], None] = {}
    for one in conjuncts(when):
        inner = one
        while isinstance(inner, Named):
            inner = inner.term
        if isinstance(inner, Before):
            found |= dict.fromkeys(Before(part) for part in update_conjuncts(inner.term))
        else:
            found[one] = None
    return tuple(found)
