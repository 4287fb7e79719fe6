"""Claims about all of several variables, written without nesting."""

from __future__ import annotations

from typing import Any

from fencepost.model.language import Term, Var, forall


def for_all(*parts: Var[Any] | Term[bool]) -> Term[bool]:
    """Return that a condition, the last part, holds for all values of the variables before it."""
    *variables, condition = parts
    for variable in reversed(variables):
        condition = forall(variable, condition)
    return condition
