"""The possible values of a condition in any state where much is unknown: true, false, both or neither."""

from __future__ import annotations

from collections.abc import Collection, Container
from typing import Any

from fencepost.model.language import Term, Var
from fencepost.model.language.kinds import OptionKind
from fencepost.model.language.listterms import Repeats, SizeOf
from fencepost.model.language.state import State
from fencepost.model.language.terms import Before, Compare, Elems, Eq, Get, Implies, Member, Named, Nary, Not, Quant
from fencepost.model.language.walk import bare


def can_be_sure(term: Term[bool], unknown: Collection[Var[Any]]) -> bool:
    """Return whether a condition may come out as true while some variables are unknown; False is exact, True is not."""
    return outcomes(term, unknown, None)[0]


def outcomes(term: Term[Any], unknown: Collection[Var[Any]], known: Container[State[Any]] | None) -> tuple[bool, bool]:
    """Return whether a condition may be true, and whether false; `known` are the variables that a log shows.

    That it may not is exact, that it may is not.
    """

    def is_unknown(one: Term[Any]) -> bool:
        one = bare(one)
        if isinstance(one, (Elems, SizeOf)):
            return is_unknown(one.of)
        return one in unknown or (isinstance(one, Get) and known is not None and one.state not in known)

    match term:
        case Named() | Before():
            return outcomes(term.term, unknown, known)
        case Var() | Get():
            return (not is_unknown(term),) * 2
        case Eq() | Compare() if term.left is not term.right:
            return (not any(is_unknown(side) for side in (term.left, term.right)),) * 2
        case Member() if is_unknown(term.collection):
            # No set has the value none as a member.
            return False, isinstance(term.item.kind, OptionKind)
        case Repeats():
            return (not is_unknown(term.of),) * 2
        case Not():
            true, false = outcomes(term.term, unknown, known)
            return false, true
        case Implies():
            left, right = outcomes(term.left, unknown, known), outcomes(term.right, unknown, known)
            return left[1] or right[0], left[0] and right[1]
        case Nary():
            parts = [outcomes(part, unknown, known) for part in term.terms]
            if term.operator == "and":
                return all(true for true, _ in parts), any(false for _, false in parts)
            return any(true for true, _ in parts), all(false for _, false in parts)
        case Quant():
            # Of no entity at all everything holds, and nothing.
            true, false = outcomes(term.body, unknown, known)
            return (true, True) if term.quantifier == "some" else (True, false)
    return True, True
