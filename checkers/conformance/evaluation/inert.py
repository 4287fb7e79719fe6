"""Finds step claims that hold where nothing changes: they are evaluated for the affected instances only."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from fencepost.model.language import Term
from fencepost.model.language.terms import (
    FALSE,
    TRUE,
    Before,
    Compare,
    Eq,
    Implies,
    Ite,
    Named,
    Nary,
    Next,
    Not,
    Quant,
    Subset,
)
from fencepost.model.language.walk import rewriting

_Truths: TypeAlias = Mapping[Term[Any], bool]


def is_inert(claim: Term[bool]) -> bool:
    """Return whether a step's claim is sure to hold where every cell is after the step as it was before.

    Conditions that are no connectives may each be true or false, whatever the others are: only what holds by the
    connectives alone is sure.
    """
    return next(_ways(_at_rest(claim), False, {}), None) is None


def _at_rest(term: Term[Any]) -> Term[Any]:
    """Return a term in which before and after are one state."""
    at_rest = rewriting(lambda one: at_rest(one.term) if isinstance(one, (Next, Named, Before)) else None)
    return at_rest(term)


def _ways(term: Term[Any], wanted: bool, given: _Truths) -> Iterator[_Truths]:
    """Yield what conditions can be, beside those given, for a term to be true, or false."""
    match term:
        case Not():
            yield from _ways(term.term, not wanted, given)
        case Nary():
            parts = [(one, wanted) for one in term.terms]
            yield from _all(parts, given) if (term.operator == "and") is wanted else _any(parts, given)
        case Implies():
            parts = [(term.left, not wanted), (term.right, wanted)]
            yield from _any(parts, given) if wanted else _all(parts, given)
        case Ite():
            for condition, branch in ((True, term.then), (False, term.otherwise)):
                yield from _all([(term.condition, condition), (branch, wanted)], given)
        case Eq() | Compare() | Subset() if term.left == term.right:
            if (not (isinstance(term, Compare) and term.operator == "<")) is wanted:
                yield given
        case Quant(quantifier="every") if is_inert(term.body):
            if wanted:
                yield given
        case _ if term is TRUE or term is FALSE:
            if (term is TRUE) is wanted:
                yield given
        case _ if given.get(term, wanted) is wanted:
            yield {**given, term: wanted}


def _any(parts: Sequence[tuple[Term[Any], bool]], given: _Truths) -> Iterator[_Truths]:
    for term, wanted in parts:
        yield from _ways(term, wanted, given)


def _all(parts: Sequence[tuple[Term[Any], bool]], given: _Truths) -> Iterator[_Truths]:
    if not parts:
        yield given
        return
    for one in _ways(*parts[0], given):
        yield from _all(parts[1:], one)
