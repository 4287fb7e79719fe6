"""Entities of the classed sort in groups of which everything is the same: their class, and what is said of them."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from .classes import Classes, Numbers
from .frames import MISSING, Frame
from .local import Entry, HasNumbers, Local
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


@dataclass(frozen=True, slots=True)
class Group:
    """Entities of one class of which the same is said, by their places in a row."""

    number: int
    said: int
    places: Numbers


def grouped(classes: Classes, who: Numbers, said: Numbers | None = None, apart: bool = False) -> list[Group]:
    """Return the groups of entities that are given by their numbers, each with the places at which they stand.

    `apart` are those whose ids name others: what is asked of a group names some of these.
    """
    if not len(who):
        return []
    own = classes.of_number[who].astype(np.int64)
    key = own * (len(classes.parent_numbers) + 1) + classes.parent_of[who] if apart else own
    if said is not None:
        key = key * (int(said.max(initial=0)) + 1) + said
    return [Group(own.item(some.item(0)), -1 if said is None else said.item(some.item(0)), some) for some in alike(key)]


def alike(labels: Numbers) -> list[Numbers]:
    """Return the places at which a number stands, for each number, in order."""
    order = np.argsort(labels, kind="stable")
    return np.split(order, np.flatnonzero(np.diff(labels[order])) + 1)


def settled(
    local: Local,
    key: Question,
    who: Numbers,
    places: Numbers,
    frame: Frame,
    version: int,
    evaluate: Callable[[int], object] | None,
    numbers: HasNumbers | None = None,
) -> list[tuple[Any, Numbers]] | None:
    """Return what was evaluated under a key for entities of one group, each result with the places for which it stands.

    `places` are those in `who`; what is not known yet is evaluated at the place at which `evaluate` is called. None
    where something is not known by class. `numbers` are the entities' own in the state before, where that is not the
    present one.
    """
    found: list[tuple[Any, Numbers]] = []
    entities = local.classes.entities
    while len(places):
        entity = entities[who[places[0]]]
        before, local.keeps = local.keeps, True
        try:
            entry = local.entry(key, entity, frame, version)
            if entry is MISSING and evaluate is not None:
                evaluate(int(places[0]))
                entry = local.entry(key, entity, frame, version)
        finally:
            local.keeps = before
        if not isinstance(entry, Entry):
            return None
        those = who[places]
        stands = entry.standing(numbers or local.classes, those, frame)
        again = local.again_of(entry.read, those, frame, version)
        if again is not None:
            stands = again if stands is None else stands & again
        found.append((entry.result, places if stands is None else places[stands]))
        places = places[:0] if stands is None else places[~stands]
    return found
