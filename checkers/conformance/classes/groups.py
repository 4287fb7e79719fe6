"""Entities of the classed sort in groups of which everything is the same: the way that they went in a step."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, TypeAlias

import numpy as np

from .classes import Numbers
from .questions import Question

Kind: TypeAlias = tuple[int, int, frozenset[Any], tuple[Any, ...]]
"""How entities went: their class before, that after, the cells, and what was counted of them (see `ByClass.kinds`)."""

Counted: TypeAlias = list[tuple[Any, int]]
"""What is counted of claims (see `ByClass.add`), each with how often."""


def of_way(what: tuple[Hashable, ...], way: Kind, bound: int = -1) -> Question:
    """Return what is asked of all entities that went one way, with the number of what variables are bound to."""
    before, after, cells, counted = way
    return Question(what, before, after, bound=bound, cells=cells, counted=counted)


@dataclass(slots=True, eq=False)
class Went:
    """Entities that went one way, by their numbers."""

    kind: Kind
    who: Numbers


def alike(labels: Numbers) -> list[Numbers]:
    """Return the places at which a number stands, for each number, in order."""
    order = np.argsort(labels, kind="stable")
    return [order[first:last] for first, last in pairwise([*starts_of(labels[order]), len(labels)])]


def starts_of(ordered: Numbers) -> list[int]:
    """Return the places at which numbers that are in order begin to be others, the first place among them."""
    if not len(ordered):
        return []
    return [0, *(np.flatnonzero(ordered[1:] != ordered[:-1]) + 1).tolist()]
