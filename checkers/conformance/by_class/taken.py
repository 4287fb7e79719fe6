"""For which entities a row's records have been found: one by one, or those of a run at once."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, Any

from fencepost.arrays import np
from fencepost.checkers.conformance.classes.classes import Classes, Numbers
from fencepost.checkers.conformance.classes.frames import Env
from fencepost.checkers.conformance.classes.members import Members
from fencepost.checkers.conformance.classes.questions import Bound, Question
from fencepost.checkers.conformance.state.replay import HardState

from .asking import Asking, asking_bound, packed
from .local import Local
from .run_units import Piece, RunUnit

if TYPE_CHECKING:
    import numpy.typing as npt


class Taken:
    """The bindings under which the records of one write have been found."""

    def __init__(self) -> None:
        self._keys: set[tuple[Any, ...]] = set()
        self._local: Local | None = None
        self._mask: npt.NDArray[np.bool_] = np.zeros(0, np.bool_)
        self._marked = 0

    def __contains__(self, key: tuple[Any, ...]) -> bool:
        return key in self._keys or self._is_marked(key)

    def __bool__(self) -> bool:
        return bool(self._keys) or self._marked > 0

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        yield from self._keys
        if self._local is not None:
            yield from ((self._local.classes.entities[number],) for number in np.flatnonzero(self._mask).tolist())

    def add(self, key: tuple[Any, ...]) -> None:
        """Note that one was found."""
        self._keys.add(key)

    def _is_marked(self, key: tuple[Any, ...]) -> bool:
        if self._local is None or len(key) != 1:
            return False
        number = self._local.classes.index.get(key[0])
        return number is not None and number < len(self._mask) and bool(self._mask[number])

    def first_without(self, local: Local, sure: npt.NDArray[np.bool_]) -> Any:
        """Return the first entity of some, by `sure`, whose record has not been found, None for none."""
        without = self.without(local, sure)
        return local.classes.entities[without[0]] if len(without) else None

    def without(self, local: Local, sure: npt.NDArray[np.bool_]) -> Numbers:
        """Return the numbers of those of some entities, by `sure`, whose records have not been found."""
        self._open(local)
        return np.flatnonzero(sure & ~self._mask[: len(sure)])

    def behind(self, local: Local, unit: RunUnit, start: int, end: int) -> Taken | None:
        """Return the same as if it had begun behind some records, those from a place on: each of another entity.

        None where these are not known by numbers.
        """
        self._open(local)
        other = Taken()
        other._local, other._mask, other._marked = local, self._mask.copy(), self._marked - (end - start)
        for piece, first, last in unit.between(start, end):
            if piece.who is None:
                return None
            other._mask[piece.who[first - piece.start : last - piece.start]] = False
        return other

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
    ) -> tuple[int, tuple[str, ...], bool, bool]:
        """Take neighbouring records of a run, up to an end, that are known by class to fit.

        Return the first place behind them, the fields that could not be checked, whether one may be left out, and
        whether the record there is known not to fit. `env` is what variables are bound to on which that depends.
        """
        self._open(local)
        unjudged, shorter, is_other = tuple[str, ...](), False, False
        while at < end:
            piece = unit.piece(at)
            if piece.who is None or piece.said is None or piece.record is not record:
                break
            kept = _fitting(local, unit, piece, at, key, env, state)
            fits = np.array([*(one[0] is not None for one in kept.results), False])
            some = kept.which[at - piece.start : end - piece.start]
            others = ~fits[some] | self._mask[piece.who[at - piece.start : end - piece.start]]
            stop = int(np.argmax(others)) if others.any() else len(some)
            self._mask[piece.who[at - piece.start : at - piece.start + stop]] = True
            self._marked += stop
            for number, times in enumerate(np.bincount(some[:stop]).tolist() if stop else ()):
                if times:
                    unjudged += kept.results[number][0] * times
                    shorter = shorter or kept.results[number][1]
            if stop < len(some) and some[stop] >= 0:
                is_other = not fits[some[stop]]
                shorter = shorter or (is_other and kept.results[some[stop]][1])
            if not stop:
                break
            at += stop
        return at, unjudged, shorter, is_other

    def _open(self, local: Local) -> None:
        self._local = local
        if len(self._mask) < len(local.classes.entities):
            self._mask = np.concatenate((self._mask, np.zeros(len(local.classes.entities) - len(self._mask), np.bool_)))
        for (entity,) in self._keys:
            if entity in local.classes:
                self._mask[local.classes.index[entity]] = True
                self._marked += 1
        self._keys.clear()


def _fitting(
    local: Local, unit: RunUnit, piece: Piece, at: int, key: tuple[Any, ...], env: Env, state: HardState
) -> Asking:
    """Return how the records of a piece are known to fit; asked are the one at a place, and all that are like it.

    What is known of a record is so until its entity changes, which it does at its own place: rows are evaluated for
    what follows a place.
    """
    assert piece.who is not None
    assert piece.said is not None
    name = (key, tuple(env.items()), piece.start, state.version)
    kept: Asking | None = unit.kept.get(name)
    if kept is None:
        keys = packed(local.classes.of_number[piece.who], piece.said)
        kept = unit.kept[name] = asking_bound(local, key, env, keys, piece.who, state)
    place = at - piece.start
    if kept.which[place] < 0:
        who = piece.who.item(place)
        bound = local.bound(env, local.classes.entities[who])
        if bound is not None:
            said, number = piece.said.item(place), local.classes.of_number.item(who)
            asked = Question(key, number, said=said, bound=local.number(Bound(bound)))
            kept.settle(place, asked, None, place)
    return kept


class Sure:
    """The entities of which a write is sure, in one state of all but the entities' own cells."""

    def __init__(self, classes: Classes) -> None:
        self.classes = classes
        self._since = classes.changes
        self._sure = np.zeros(len(classes.entities), np.bool_)

    def changed(self) -> Numbers:
        """Return the numbers of the entities of which something has changed since they were asked about."""
        found = self.classes.changed_since(self._since)
        return found[found < len(self._sure)]

    def forget(self, who: Numbers) -> None:
        """Be about to note all that have changed anew."""
        self._since = self.classes.changes
        self._sure[who] = False

    def note(self, who: Numbers, sure: npt.NDArray[np.bool_] | bool) -> None:
        """Note of which of some entities the write is sure."""
        self._sure[who] = sure

    def mask(self) -> npt.NDArray[np.bool_]:
        """Return the entities that the records are about, by their numbers."""
        return self._sure


def numbers_of(classes: Classes, found: Collection[Any] | None) -> Numbers:
    """Return the numbers of some entities, of all where none are given."""
    if found is None:
        return np.arange(len(classes.entities))
    if isinstance(found, Members) and not found.beside:
        there = classes.of_number[: len(classes.entities)]
        return np.flatnonzero(np.isin(there, list(found.numbers)))
    return np.array(sorted(classes.index[one] for one in found if one in classes), np.int64)
