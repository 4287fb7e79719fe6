"""The leaves of terms: the state variables and the variables in them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .terms import Get, Term, Var
from .walk import children

if TYPE_CHECKING:
    from .state import State


# Rows share most of their terms, and so do the slices and variants of a protocol.
_leaves: dict[Term[Any], tuple[State[Any] | Var[Any], ...]] = {}


def leaves(term: Term[Any]) -> tuple[State[Any] | Var[Any], ...]:
    """Return the state variables and the variables that a term speaks of, each once, in the order of `nodes`."""
    waiting = [] if term in _leaves else [term]
    while waiting:
        node = waiting[-1]
        inside = children(node)
        unknown = [child for child in inside if child not in _leaves]
        if unknown:
            waiting += unknown
            continue
        waiting.pop()
        if len(inside) == 1 and not isinstance(node, Get):
            _leaves[node] = _leaves[inside[0]]
            continue
        found = dict.fromkeys([leaf for child in inside for leaf in _leaves[child]])
        if isinstance(node, (Get, Var)):
            found.setdefault(node.state if isinstance(node, Get) else node)
        _leaves[node] = tuple(found)
    return _leaves[term]
