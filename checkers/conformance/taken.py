"""For which entities a row's records have been found: one by one, or those of a run at once."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from .classes import Classes, Numbers
from .frames import Env
from .groups import Group, grouped, settled
from .local import Local
from .members import Members
from .questions import Bound, Question
from .replay import HardState
from .run_units import Piece, RunUnit


@dataclass(frozen=True, slots=True)
class _Asked:
    """How the records of a piece fit, as numbers of `kinds`, -1 where that is not known, and their groups.

    What is known of a record is so until its entity changes, which it does at its own place: rows are asked of what
    follows a place.
    """

    found: npt.NDArray[np.int64]
    which: Numbers
    groups: list[Group]
    kinds: list[tuple[tuple[str, ...], bool]]


class Taken:
    """The bindings under which the records of one write have been found."""

    def __init__(self) -> None:
        self._keys: set[tuple[Any, ...]] = set()
        self._local: Local | None = None
        self._mask: npt.NDArray[np.bool_] = np.zeros(0, np.bool_)

    def __contains__(self, key: tuple[Any, ...]) -> bool:
        return key in self._keys or self._is_marked(key)

    def __bool__(self) -> bool:
        return bool(self._keys) or bool(self._mask.any())

    def add(self, key: tuple[Any, ...]) -> None:
        """Note that one was found."""
        self._keys.add(key)

    def _is_marked(self, key: tuple[Any, ...]) -> bool:
        if self._local is None or len(key) != 1:
            return False
        number = self._local.classes.index.get(key[0])
        return number is not None and number < len(self._mask) and bool(self._mask[number])

    def first_without(self, local: Local, who: Numbers) -> Any:
        """Return the first of some entities, given by their numbers, whose record has not been found; None for none."""
        self._open(local)
        without = who[~self._mask[who]]
        return local.classes.entities[without.min()] if len(without) else None

    def take_run(
        self,
        local: Local,
        unit: RunUnit,
        record: Any,
        key: tuple[Any, ...],
        env: Env,
        at: int,
        end: int,
        state: HardState,
    ) -> tuple[int, tuple[str, ...], bool]:
        """Take neighbouring records of a run, up to an end, that are known by class to fit.

        Return the first place behind them, the fields that could not be judged, and whether one may be left out.
        `env` is what variables are bound to on which that depends.
        """
        self._open(local)
        unjudged, shorter = tuple[str, ...](), False
        while at < end:
            piece = unit.piece(at)
            if piece.who is None or piece.said is None or piece.record is not record:
                break
            kept = _fitting(local, unit, piece, at, key, env, state)
            some = kept.found[at - piece.start : end - piece.start]
            stop = int(np.argmax(some < 0)) if (some < 0).any() else len(some)
            again = self._mask[piece.who[at - piece.start : at - piece.start + stop]]
            stop = int(np.argmax(again)) if again.any() else stop
            self._mask[piece.who[at - piece.start : at - piece.start + stop]] = True
            for number, times in enumerate(np.bincount(some[:stop]).tolist() if stop else ()):
                if times:
                    unjudged += kept.kinds[number][0] * times
                    shorter = shorter or kept.kinds[number][1]
            if not stop:
                break
            at += stop
        return at, unjudged, shorter

    def _open(self, local: Local) -> None:
        self._local = local
        if len(self._mask) < len(local.classes.entities):
            self._mask = np.concatenate((self._mask, np.zeros(len(local.classes.entities) - len(self._mask), np.bool_)))
        for (entity,) in self._keys:
            if entity in local.classes:
                self._mask[local.classes.index[entity]] = True
        self._keys.clear()


def _fitting(
    local: Local, unit: RunUnit, piece: Piece, at: int, key: tuple[Any, ...], env: Env, state: HardState
) -> _Asked:
    """Return how the records of a piece are known to fit; asked are the one at a place, and all that are like it."""
    assert piece.who is not None
    assert piece.said is not None
    name = (key, tuple(env.items()), piece.start, state.version)
    kept: _Asked | None = unit.kept.get(name)
    if kept is None:
        groups = grouped(local.classes, piece.who, piece.said, local.unnamed(env) is None)
        which = np.zeros(len(piece.who), np.int64)
        for number, group in enumerate(groups):
            which[group.places] = number
        kept = unit.kept[name] = _Asked(np.full(len(piece.who), -1), which, groups, [])
    if kept.found[at - piece.start] < 0:
        group = kept.groups[kept.which[at - piece.start]]
        # Those in front of the place may have changed since they were put into groups.
        places = group.places[group.places >= at - piece.start]
        bound = local.bound(env, local.classes.entities[piece.who[places[0]]])
        if bound is not None:
            asked = Question(key, group.number, said=group.said, bound=local.number(Bound(bound)))
            some = settled(local, asked, piece.who, places, state.frame, state.version, None)
            for result, those in some or ():
                if result[0] is not None:
                    if result not in kept.kinds:
                        kept.kinds.append(result)
                    kept.found[those] = kept.kinds.index(result)
    return kept


class Sure:
    """The entities of which a write is sure, in one state of all but the entities' own cells."""

    def __init__(self, classes: Classes) -> None:
        self.classes = classes
        count = len(classes.entities)
        self._then = [one[:count].copy() for one in classes.columns()]
        self._sure = np.zeros(count, np.bool_)

    def changed(self) -> Numbers:
        """Return the numbers of the entities of which something has changed since they were asked about."""
        found = np.zeros(len(self._sure), np.bool_)
        for then, now in zip(self._then, self.classes.columns(), strict=True):
            found |= then != now[: len(then)]
        return np.flatnonzero(found)

    def forget(self, who: Numbers) -> None:
        """Be about to note some entities anew."""
        for then, now in zip(self._then, self.classes.columns(), strict=True):
            then[who] = now[who]
        self._sure[who] = False

    def note(self, who: Numbers, sure: bool) -> None:
        """Note whether the write is sure of some entities."""
        self._sure[who] = sure

    def numbers(self) -> Numbers:
        """Return the numbers of those of which it is."""
        return np.flatnonzero(self._sure)


def numbers_of(classes: Classes, found: Collection[Any] | None) -> Numbers:
    """Return the numbers of some entities, of all where none are given."""
    if found is None:
        return np.arange(len(classes.entities))
    if isinstance(found, Members) and not found.beside:
        there = classes.of_number[: len(classes.entities)]
        return np.flatnonzero(np.isin(there, list(found.numbers)))
    return np.array(sorted(classes.index[one] for one in found if one in classes), np.int64)
