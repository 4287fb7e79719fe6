"""Parameters that the bounds choose: TLC tries every value of a parameter, so it is given one where only one can do."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fencepost.model.language import FALSE, TRUE, Term, Var
from fencepost.model.language.kinds import IntKind, Kind, OptionKind, ThresholdKind
from fencepost.model.language.terms import Eq, Nary, Not
from fencepost.model.language.walk import conjuncts, free


@dataclass(frozen=True)
class Given:
    """Assumptions of the bounds about an event: the condition's name, and the set of each chosen parameter.

    A set is the name of an operator and the parameters that it is called with.
    """

    name: str
    choices: Mapping[Var[Any], tuple[str, tuple[Var[Any], ...]]]


def pinned(
    params: Sequence[Var[Any]], assumed: Mapping[str, Term[bool]]
) -> dict[Var[Any], dict[str, tuple[Term[Any], ...]]]:
    """Return the parameters to which bounds leave few values, in an order to choose: the values by the bound's name.

    A value may depend on parameters that are chosen before.
    """
    found: dict[Var[Any], dict[str, tuple[Term[Any], ...]]] = {}
    for bound, term in assumed.items():
        for one in conjuncts(term):
            for var, values in _values(one):
                if var in params and all(var not in free(value) for value in values):
                    found.setdefault(var, {}).setdefault(bound, values)
    ordered: dict[Var[Any], dict[str, tuple[Term[Any], ...]]] = {}
    while found:
        ready = [v for v, given in found.items() if all(free(t).isdisjoint(found) for ts in given.values() for t in ts)]
        if not ready:
            # Two parameters that are said to be equal: the first is left free.
            found.pop(next(iter(found)))
        for var in ready:
            ordered[var] = found.pop(var)
    return ordered


def _values(condition: Term[bool]) -> Iterable[tuple[Var[Any], tuple[Term[Any], ...]]]:
    """Yield the variables to which a condition leaves few values: it says what they are, or what they may be."""
    if isinstance(condition, Var):
        yield condition, (TRUE,)
    elif isinstance(condition, Not) and isinstance(condition.term, Var):
        yield condition.term, (FALSE,)
    elif isinstance(condition, Eq):
        if isinstance(condition.left, Var):
            yield condition.left, (condition.right,)
        if isinstance(condition.right, Var):
            yield condition.right, (condition.left,)
    elif isinstance(condition, Nary) and condition.operator == "or":
        parts = [dict(_values(one)) for one in condition.terms]
        for var in parts[0]:
            if all(var in part for part in parts):
                yield var, tuple(value for part in parts for value in part[var])


def needed(wanted: Iterable[Var[Any]], needs: Mapping[Var[Any], tuple[Var[Any], ...]]) -> frozenset[Var[Any]]:
    """Return variables and all on which the choice of them depends."""
    found, waiting = set[Var[Any]](), list(wanted)
    while waiting:
        var = waiting.pop()
        if var not in found:
            found.add(var)
            waiting.extend(needs.get(var, ()))
    return frozenset(found)


def layers(params: Sequence[Var[Any]], needs: Mapping[Var[Any], tuple[Var[Any], ...]]) -> list[list[Var[Any]]]:
    """Return parameters in layers: each depends only on those of the layers before it, or on none of them."""
    found: list[list[Var[Any]]] = []
    left = list(params)
    while left:
        layer = [var for var in left if not any(v in left for v in needs.get(var, ()))]
        found.append(layer)
        left = [var for var in left if var not in layer]
    return found


def ranged(kind: Kind[Any]) -> bool:
    """Return whether a term of a kind may have a value outside the kind's range."""
    return isinstance(kind, (IntKind, ThresholdKind)) or (isinstance(kind, OptionKind) and ranged(kind.of))
