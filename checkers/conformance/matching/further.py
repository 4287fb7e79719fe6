"""Further parts of requests: where they may be, each evaluated in the state in front of the first part.

Many first parts may be in front of one place. What is found in the state in front of the earliest holds for all of
them where nothing was read that has changed since: for the later ones less has changed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from copy import copy
from dataclasses import dataclass
from typing import Any

from fencepost.checkers.conformance.classes.changes import Change
from fencepost.checkers.conformance.classes.frames import UNKNOWN, Frame
from fencepost.checkers.conformance.classes.tables import Overlay
from fencepost.checkers.conformance.records.wire import BoundRecord
from fencepost.checkers.conformance.state.replay import HardState

from .matching import Edge, Matcher


@dataclass(slots=True)
class _Read:
    """Whether anything was read that has changed since."""

    changed: bool = False


class _Noted(Overlay):
    """A table seen through old values, which notes that one of them was read."""

    __slots__ = ("_read",)

    def __init__(self, under: Any, read: _Read) -> None:
        super().__init__(under)
        self._read = read

    def get(self, key: tuple[Any, ...], default: Any = None) -> Any:
        """Return a cell's old value, the default where it had none."""
        self._read.changed = self._read.changed or key in self.over
        return super().get(key, default)

    def find(self, position: int, members: bool, others: tuple[Any, ...], value: Any) -> Collection[Any]:
        """Return the keys at a position of the changed cells that had a value, or had it among theirs."""
        found = super().find(position, members, others, value)
        self._read.changed = self._read.changed or bool(found)
        return found

    def anywhere(self, initial: Any) -> Any:
        """Return `UNKNOWN`: that every cell of it has one value is not looked for."""
        self._read.changed = True
        return UNKNOWN


class _Past:
    """The state as it was at a place, while the present one goes on."""

    def __init__(self, state: HardState, base: int) -> None:
        self.base = self._upto = base
        self.read = _Read()
        self.state = copy(state)
        real = state.frame
        self.state.frame, self.state.classes = Frame(list(real.tables), real.domains, real, real.open), None

    def follow(self, changes: Sequence[Iterable[Change]]) -> None:
        """Note the changes of all records so far."""
        tables = self.state.frame.tables
        for made in changes[self._upto :]:
            for change in made:
                number, keys = change.cell
                if not isinstance(tables[number], _Noted):
                    tables[number] = _Noted(tables[number], self.read)
                tables[number].over.setdefault(keys, change.old)
        self._upto = len(changes)
        self.state.frame.forget()
        self.read.changed = False


class Further:
    """The further parts of requests in one unit, whose records are read in order.

    `changes` are what the records so far have changed. A place is described by the events that may follow there and by
    a first part's place, or by a place through which all go on whose first parts are in front of it.
    """

    def __init__(self, state: HardState, matcher: Matcher, changes: Sequence[Iterable[Change]]) -> None:
        self.state, self.matcher, self.changes = state, matcher, changes
        self._told: dict[int, dict[tuple[frozenset[str], int, bool], None]] = {}
        self._earliest: dict[int, int] = {}
        self._bases: dict[int, dict[int, frozenset[str]]] = {}
        self._past: _Past | None = None

    def begin(self, edges: Iterable[Edge], base: int) -> None:
        """Note behind edges which further parts of requests may follow, to be evaluated in the state at `base`."""
        self._note(edges, base, base, False)

    def edges(self, records: Sequence[BoundRecord], at: int, found: Sequence[Edge]) -> list[Edge]:
        """Return the edges by further parts at a place, those left out whose row and end one of `found` has."""
        told = self._told.get(at)
        if told is None:
            return []
        there = {(id(edge.row), edge.end) for edge in found}
        events = {one for one, _, _ in told}
        if len(events) == 1:
            earliest = self._earliest[at]
            parts, changed = self._ask(records, at, next(iter(events)), earliest)
            if not changed:
                self._note(parts, at, earliest, True)
                return [edge for edge in parts if (id(edge.row), edge.end) not in there]
        more: list[Edge] = []
        for base, those in self._expanded(at).items():
            parts, _ = self._ask(records, at, those, base)
            new = [edge for edge in parts if (id(edge.row), edge.end) not in there]
            more += new
            there.update((id(edge.row), edge.end) for edge in new)
            self.begin(parts, base)
        return more

    def _note(self, edges: Iterable[Edge], place: int, earliest: int, through: bool) -> None:
        for edge in edges:
            later = frozenset[str]() if edge.row is None else self.matcher.plans.later(edge.row)
            if later:
                self._told.setdefault(edge.end, {})[later, place, through] = None
                self._earliest[edge.end] = min(earliest, self._earliest.get(edge.end, earliest))

    def _expanded(self, at: int) -> dict[int, frozenset[str]]:
        """Return the places of the first parts in front of a place, each with the events that may follow it there."""
        waiting = [at]
        while waiting:
            missing = [place for _, place, through in self._told[waiting[-1]] if through and place not in self._bases]
            if missing:
                waiting += missing
                continue
            found: dict[int, frozenset[str]] = {}
            for later, place, through in self._told[waiting[-1]]:
                for base in self._bases[place] if through else (place,):
                    found[base] = found.get(base, frozenset()) | later
            self._bases[waiting.pop()] = found
        return self._bases[at]

    def _ask(
        self, records: Sequence[BoundRecord], at: int, events: frozenset[str], base: int
    ) -> tuple[list[Edge], bool]:
        """Return the edges of further parts in the state at a place, and whether anything was read that has changed."""
        if self._past is None or self._past.base != base:
            self._past = _Past(self.state, base)
        self._past.follow(self.changes)
        return self.matcher.parts(records, at, events, self._past.state), self._past.read.changed
