"""Groups of entities of the classed sort that made the same transition in a step."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, TypeAlias

from fencepost.arrays import np

from .classes import Numbers
from .questions import Question

Kind: TypeAlias = tuple[int, int, frozenset[Any], tuple[Any, ...]]
"""The transition of entities: their class before, that after, the cells, and the counts (see `ByClass.kinds`)."""

Counted: TypeAlias = list[tuple[Any, int]]
"""The counts of claims (see `ByClass.add`), each with its multiplicity."""


def of_way(what: tuple[Hashable, ...], way: Kind, bound: int = -1) -> Question:
    """Return the query about entities of the same transition, with the number of the values bound to variables."""
    before, after, cells, counted = way
    return Question(what, before, after, bound=bound, cells=cells, counted=counted)


@dataclass(slots=True, eq=False)
class Went:
    """Entities that made the same transition, by their numbers."""

    kind: Kind
    who: Numbers


def alike(labels: Numbers) -> list[Numbers]:
    """Return the indexes that hold a number, for each number, in order."""
    order = np.argsort(labels, kind="stable")
    return [order[first:last] for first, last in pairwise([*starts_of(labels[order]), len(labels)])]


def starts_of(ordered: Numbers) -> list[int]:
    """Return the places at which numbers that are in order begin to be others, the first place among them."""
    if not len(ordered):
        return []
    return [0, *(np.flatnonzero(ordered[1:] != ordered[:-1]) + 1).tolist()]
