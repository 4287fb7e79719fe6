"""Claims about a step that hold by themselves wherever nothing changes that they read: for most entities of a step.

What is found is found by the form of the claim alone, so that a claim may hold so without being found.
"""

from __future__ import annotations

from typing import Any

from fencepost.model.language import Term
from fencepost.model.language.terms import Before, Eq, Implies, Named, Nary, Next, Not, Quant
from fencepost.model.language.walk import bare, rewrite


def holds_unchanged(term: Term[bool]) -> bool:
    """Return whether a claim about a step holds of two equal states, as far as its form says so."""
    return _is_valid(rewrite(term, _without_time))


def _without_time(term: Term[Any]) -> Term[Any] | None:
    return rewrite(term.term, _without_time) if isinstance(term, (Named, Next, Before)) else None


def _is_valid(term: Term[Any]) -> bool:
    term = bare(term)
    match term:
        case Implies():
            given = _parts(term.left, "and")
            concluded = _parts(term.right, "or")
            return any(_is_false(one) or _is_among(one, concluded) for one in given) or any(map(_is_valid, concluded))
        case Nary():
            return (all if term.operator == "and" else any)(map(_is_valid, term.terms))
        case Eq():
            return term.left is term.right
        case Quant() if term.quantifier == "every":
            return _is_valid(term.body)
    return False


def _is_false(term: Term[Any]) -> bool:
    return isinstance(term, Not) and _is_valid(term.term)


def _is_among(term: Term[Any], concluded: list[Term[Any]]) -> bool:
    """Return whether each case of a term is one of those that are concluded; equal terms are one object."""
    return all(any(one is other for other in concluded) for one in _parts(term, "or"))


def _parts(term: Term[Any], operator: str) -> list[Term[Any]]:
    term = bare(term)
    if isinstance(term, Nary) and term.operator == operator:
        return [part for one in term.terms for part in _parts(one, operator)]
    return [term]
