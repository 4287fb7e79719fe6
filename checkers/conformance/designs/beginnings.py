"""The initial values of cells that only the tables have: by the start condition, where the state declares none."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fencepost.model.language import Protocol, State
from fencepost.model.language.terms import Eq, Get, Lit, Named, Nary, Not, Quant, SetOf, Term, Var


def beginnings(protocol: Protocol) -> dict[State[Any], Any]:
    """Return the value that every cell of a variable begins with, for those of which the start condition says one.

    A condition is `forall x: cell[x] = literal`, a boolean cell, or its negation; any other one gives no value.
    """
    found: dict[State[Any], Any] = {}
    for cell, value in _equalities(protocol.start):
        if all(isinstance(key, Var) for key in cell.keys):
            found.setdefault(cell.state, value)
    return found


def _equalities(term: Term[Any]) -> Iterator[tuple[Get[Any], Any]]:
    match term:
        case Named():
            yield from _equalities(term.term)
        case Nary(operator="and"):
            for one in term.terms:
                yield from _equalities(one)
        case Quant(quantifier="every"):
            yield from _equalities(term.body)
        case Get():
            yield term, True
        case Not(term=Get() as cell):
            yield cell, False
        case Eq(left=Get() as cell, right=Lit(value=value)):
            yield cell, value
        case Eq(left=Get() as cell, right=SetOf(items=())):
            yield cell, frozenset()
        case _:
            return
