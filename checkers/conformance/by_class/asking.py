"""Queries about many entities at once: known answers are looked up by columns, others evaluated once a class."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from typing import Any, TypeAlias

from fencepost.arrays import np
from fencepost.checkers.conformance.classes.classes import Numbers
from fencepost.checkers.conformance.classes.frames import MISSING, Env, Frame
from fencepost.checkers.conformance.classes.groups import starts_of
from fencepost.checkers.conformance.classes.questions import Question
from fencepost.checkers.conformance.state.replay import HardState

from .local import Entry, HasNumbers, Local

Evaluate: TypeAlias = Callable[[Question, int], object]
"""Evaluates the answer to a question for the entity at a place, under the tracer, and keeps it."""


class Asking:
    """Evaluates a query for some entities, given by their numbers: once for all that have the same key.

    `sheet` is what else the question depends on, so that what was answered under a key is found again; None where keys
    are of these entities only. `which` has for each place the number of its answer among the `results`, -1 where none
    is known to hold in the state of a frame. `numbers` are the entities' own in the state before, where that is not
    the present one. `labels` distinguish entities as their keys do, by numbers of two bytes: these are sorted faster.
    """

    def __init__(
        self,
        local: Local,
        sheet: Hashable | None,
        keys: Numbers,
        who: Numbers,
        frame: Frame,
        version: int,
        numbers: HasNumbers | None = None,
        labels: Numbers | None = None,
    ) -> None:
        self._local, self._who, self._frame, self._version = local, who, frame, version
        self._numbers = numbers or local.classes
        self._sheet: dict[int, Entry] = {} if sheet is None else local.sheets.setdefault(sheet, {})
        labels = keys if labels is None else labels
        self._order = order = np.argsort(labels, kind="stable")
        starts = starts_of(labels[order])
        self._starts = [*starts, len(keys)]
        self._keys: list[int] = keys[order[starts]].tolist()
        self._of = np.empty(len(keys), np.int64)
        self._of[order] = np.repeat(np.arange(len(starts)), np.diff(self._starts))
        self.results: list[Any] = []
        self._number_of: dict[int, int] = {}
        self.which = self._known()

    def _places(self, number: int) -> Numbers:
        """Return the places of all that have a key, in order."""
        return self._order[self._starts[number] : self._starts[number + 1]]

    def _result(self, entry: Entry) -> int:
        number = self._number_of.setdefault(id(entry.result), len(self.results))
        if number == len(self.results):
            self.results.append(entry.result)
        return number

    # -- what is known ---------------------------------------------------------------------------------------------
    def _known(self) -> Numbers:
        """Return which answers are known to hold; reads that differ among entities of a key are compared by columns."""
        local, found = self._local, np.full(len(self._keys), -1)
        named, compared = dict[int, tuple[Entry, list[int]]](), dict[int, tuple[Entry, list[int]]]()
        frame, version, get = self._frame, self._version, self._sheet.get
        for number, key in enumerate(self._keys):
            entry = get(key)
            if entry is None:
                continue
            read, shared = entry.read, entry.read.shared
            if not read.holds(frame, version) or not shared.holds(frame, version):
                continue
            if shared.named:
                named.setdefault(id(shared), (entry, []))[1].append(number)
            if entry.compared:
                compared.setdefault(id(entry.compared), (entry, []))[1].append(number)
            found[number] = self._result(entry)
        self._is_asked: list[bool] = (found >= 0).tolist()
        which: Numbers = found[self._of]
        for entry, places in self._each(named):
            so = local.again_each(entry.read.shared, self._who[places], frame, version)
            if so is not None:
                which[places[~so]] = -1
        for entry, places in self._each(compared):
            so = entry.standing(self._numbers, self._who[places], frame)
            if so is not None:
                which[places[~so]] = -1
        return which

    def _each(self, found: dict[int, tuple[Entry, list[int]]]) -> Iterator[tuple[Entry, Numbers]]:
        for entry, numbers in found.values():
            whole = len(numbers) == len(self._keys)
            yield entry, np.arange(len(self._of)) if whole else np.concatenate([self._places(one) for one in numbers])

    # -- what is not -----------------------------------------------------------------------------------------------
    def rest(self) -> list[int]:
        """Return the first places, in order, of classes whose answer is not known."""
        if not (self.which < 0).any():
            return []
        unknown = self._order[self.which[self._order] < 0]
        # In the order of keys, and of places under each: the first of a key is the one behind another key's.
        number = self._of[unknown]
        return sorted(unknown[starts_of(number)].tolist())

    def settle(self, place: int, key: Question, evaluate: Evaluate | None, start: int = 0) -> bool:
        """Evaluate a query for the entities without an answer that are equivalent to that at a place, from a place on.

        False where an answer is not known by class, and there is no `evaluate` to find it.
        """
        local, number = self._local, self._of.item(place)
        places = self._places(number)
        if start or self._is_asked[number]:
            places = places[(self.which[places] < 0) & (places >= start)]
        self._is_asked[number] = True
        entities = local.classes.entities
        while len(places):
            entity = entities[self._who[places[0]]]
            before, local.keeps = local.keeps, True
            try:
                entry = local.entry(key, entity, self._frame, self._version)
                if entry is MISSING and evaluate is not None:
                    evaluate(key, int(places[0]))
                    entry = local.entry(key, entity, self._frame, self._version)
            finally:
                local.keeps = before
            if not isinstance(entry, Entry):
                return False
            self._sheet[self._keys[number]] = entry
            those = self._who[places]
            stands = entry.standing(self._numbers, those, self._frame)
            again = local.again_each(entry.read, those, self._frame, self._version)
            if again is not None:
                stands = again if stands is None else stands & again
            self.which[places if stands is None else places[stands]] = self._result(entry)
            places = places[:0] if stands is None else places[~stands]
        return True

    def all(self, question: Callable[[int], Question | None], evaluate: Evaluate | None) -> bool:
        """Settle all entities by the query at a place; False where something is not known by class."""
        for place in self.rest():
            key = question(place)
            if key is None or not self.settle(place, key, evaluate):
                return False
        return True

    def counted(self) -> list[tuple[Any, int]]:
        """Return the results, each with of how many it is."""
        return list(zip(self.results, np.bincount(self.which, minlength=len(self.results)).tolist(), strict=True))


def packed(high: Numbers, low: Numbers) -> Numbers:
    """Return keys for pairs of numbers, which have to be less than 2 to the power of 31."""
    return high.astype(np.int64) << 31 | low


def unpacked(keys: Numbers) -> list[tuple[int, int]]:
    """Return the pairs of numbers that keys encode."""
    return [divmod(key, 1 << 31) for key in keys.tolist()]


def asking_bound(local: Local, what: Hashable, env: Env, keys: Numbers, who: Numbers, state: HardState) -> Asking:
    """Return the evaluation for entities of a query that depends on the values of variables.

    Where a bound value may be an entity that ids name, the keys distinguish these entities, too.
    """
    if local.unnamed(env) is not None:
        return Asking(local, (what, tuple(env.items())), keys, who, state.frame, state.version)
    apart = packed(np.unique(keys, return_inverse=True)[1], local.classes.parent_of[who])
    return Asking(local, None, apart, who, state.frame, state.version)
