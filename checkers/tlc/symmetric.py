"""Symmetry in TLC's own way: sorts whose entities are model values, and the permutations of each."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from fencepost.checkers.exploration.engine import bound_of
from fencepost.checkers.exploration.layout import Layout
from fencepost.checkers.exploration.plan import Plan
from fencepost.checkers.exploration.symmetry import symmetry
from fencepost.checkers.verdicts import Refusal
from fencepost.model.language import Protocol


@dataclass(frozen=True)
class Symmetric:
    """Sorts of which TLC may permute entities: the number of all, and those that move, each by the sort's name."""

    sizes: Mapping[str, int]
    moved: Mapping[str, tuple[int, ...]]


def symmetric(protocol: Protocol, bound: str) -> Symmetric:
    """Return the symmetry that exploration finds at a bound, in the form that TLC accepts.

    TLC is given sets of entities, and takes every permutation of each. Raises `Refusal` where there is no symmetry, and
    where the permutations are others.
    """
    _, limits = bound_of(protocol, bound, None)
    found = symmetry(Plan(protocol, limits, Layout(protocol, limits.sizes)))
    if not found.moved:
        reasons = "; ".join(f"{sort}: {reason}" for sort, reason in found.refused.items())
        raise Refusal(f"{protocol.name} at {bound} has no symmetry: {reasons or 'there is one entity of each sort'}.")
    every = math.prod(math.factorial(len(entities)) for entities in found.moved.values())
    if len(found.group) != every:
        moved = "; ".join(f"{sort} {', '.join(map(str, entities))}" for sort, entities in found.moved.items())
        raise Refusal(
            f"{protocol.name} at {bound}: TLC has sets of entities and takes every permutation of each, {every} of "
            f"{moved}, and only {len(found.group)} of these are symmetries; `explore --symmetry` takes those."
        )
    return Symmetric({sort: limits.sizes[sort] for sort in found.moved}, found.moved)


__all__ = ["Symmetric", "symmetric"]
