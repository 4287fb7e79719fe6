"""What terms speak of: the state variables and the variables in them."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from .terms import Get, Term, Var
from .walk import nodes

if TYPE_CHECKING:
    from .state import State


# What one protocol asks of a term every slice and variant that shares the term asks too.
@cache
def leaves(term: Term[Any]) -> tuple[State[Any] | Var[Any], ...]:
    """Return the state variables and the variables that a term speaks of, each once, in the order of `nodes`."""
    spoken = (node.state if isinstance(node, Get) else node for node in nodes(term) if isinstance(node, (Get, Var)))
    return tuple(dict.fromkeys(spoken))
