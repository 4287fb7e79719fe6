"""How claims of data are written: about all of several variables without nesting, and that a step leaves a number."""

from __future__ import annotations

from typing import Any

from fencepost.model.language import Term, Var, forall, next_


def for_all(*parts: Var[Any] | Term[bool]) -> Term[bool]:
    """Return that a condition, the last part, holds for all values of the variables before it."""
    *variables, condition = parts
    for variable in reversed(variables):
        condition = forall(variable, condition)
    return condition


def stays(term: Term[int]) -> Term[bool]:
    """Return whether a step leaves a number as it is."""
    return next_(term).is_(term)
