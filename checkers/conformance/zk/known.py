"""The known state of a ZooKeeper-era cluster while its recording is read: every cell unknown until a line shows it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from fencepost.checkers.conformance.classes.changes import Change
from fencepost.checkers.conformance.classes.classed import sorts_of
from fencepost.checkers.conformance.classes.frames import UNKNOWN
from fencepost.checkers.conformance.evaluation.kleene import Compiler
from fencepost.checkers.conformance.records.wire import entities_of
from fencepost.checkers.conformance.state.replay import HardState, Layout
from fencepost.model.language import Protocol
from fencepost.model.language.kinds import EntityKind, Kind
from fencepost.model.language.state import State

CellValue = tuple[str, tuple[Any, ...], Any]
"""A cell's value as a log reports it: the name of the variable, the keys, the value."""


class Term(NamedTuple):
    """A broker in one controller epoch: what it remembers in one term it has forgotten in the next."""

    controller: int
    epoch: int

    def __str__(self) -> str:
        return f"{self.controller} of epoch {self.epoch}"


class KnownLayout(Layout):
    """All variables of a protocol, each cell unknown at first; `given` are functions of a cell's keys, by name."""

    def __init__(self, protocol: Protocol, given: Mapping[str, Any]) -> None:
        self.protocol = protocol
        self.given = dict(given)
        self.states = protocol.states
        self.numbers = {state: number for number, state in enumerate(self.states)}
        self.initial = tuple(self.given.get(state.name, UNKNOWN) for state in self.states)
        self.compiler = Compiler(self.numbers, dict.fromkeys(self.states, UNKNOWN))
        kinds: list[Kind[Any]] = [kind for state in self.states for kind in (*state.keys, state.kind)]
        kinds += [var.kind for event in protocol.events for var in event.params]
        self.sorts = sorted({sort.name for kind in kinds for sort in sorts_of(kind)})
        self.log_end = None
        self.classed, self.slots = None, {}
        self.named = {state.name: number for number, state in enumerate(self.states)}
        self._replays = {}


class Known(HardState):
    """The cells of one cluster as far as they are known; there may always be entities that were not named."""

    def __init__(self, layout: KnownLayout) -> None:
        super().__init__(layout)
        self.known_layout = layout
        self.frame.open = True
        self._keyed: dict[Any, set[tuple[int, tuple[Any, ...]]]] = {}

    def value(self, name: str, *keys: Any) -> Any:
        """Return a cell's value, `UNKNOWN` where no line has shown it."""
        return self.frame.tables[self.known_layout.named[name]].get(keys, UNKNOWN)

    def change(self, told: Iterable[CellValue]) -> list[Change]:
        """Return the changes that these values make."""
        found = []
        for name, keys, value in told:
            cell = (self.known_layout.named[name], keys)
            old = self.frame.tables[cell[0]].get(keys, UNKNOWN)
            if old is not value and old != value:
                found.append(Change(cell, old, value))
        return found

    def tell(self, told: Iterable[CellValue]) -> list[Change]:
        """Set cells, and return what that changed."""
        changes = self.change(told)
        if changes:
            self.apply(changes)
        return changes

    def apply(self, changes: Iterable[Change]) -> None:
        """Make changes, and note which entities they are about."""
        changes = list(changes)
        for change in changes:
            state: State[Any] = self.layout.states[change.cell[0]]
            for kind, key in zip(state.keys, change.cell[1], strict=True):
                self._keyed.setdefault(key, set()).add(change.cell)
                if isinstance(kind, EntityKind):
                    self.see(kind.name, key)
            for sort, entity in entities_of(state.kind, change.new) if change.new is not UNKNOWN else ():
                self.see(sort, entity)
        super().apply(changes)

    def forget(self, *keys: Any, but: Iterable[str] = ()) -> None:
        """Forget every cell that has all of these among its keys, but those of some variables."""
        kept = {self.known_layout.named[name] for name in but}
        cells = set.intersection(*(self._keyed.get(key, set()) for key in keys))
        for number, at in cells:
            if number not in kept:
                self.frame.tables[number].pop(at, None)
                for key in at:
                    self._keyed[key].discard((number, at))
        self.frame.forget()
