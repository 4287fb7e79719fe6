"""The whole state of one controller while it is checked: every cell known, changed by records and by rows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fencepost.checkers.conformance.classes.classed import sorts_of
from fencepost.checkers.conformance.classes.frames import UNKNOWN
from fencepost.checkers.conformance.records.wire import BoundRecord, entities_in, entities_of
from fencepost.checkers.conformance.state.replay import Layout, known_part
from fencepost.model.language import Protocol
from fencepost.model.language.errors import EvaluationError
from fencepost.model.language.interpreter import CellKey
from fencepost.model.language.kinds import Kind
from fencepost.model.language.state import State
from fencepost.model.language.terms import Lit

from .cells import MISSING, Cells, Change, applied


class Shape:
    """The shared parts of a protocol's states: the numbers of their tables, their first values, the sorts."""

    def __init__(self, protocol: Protocol, layout: Layout) -> None:
        self.layout = layout
        self.states: tuple[State[Any], ...] = protocol.states
        self.numbers = {state: number for number, state in enumerate(self.states)}
        self.named = {state.name: number for number, state in enumerate(self.states)}
        self.initial = tuple(self._first(state) for state in self.states)
        self.hard = frozenset(self.numbers[state] for state in layout.numbers)
        self.log_end = None if protocol.log_end is None else self.numbers[protocol.log_end.state]
        kinds: list[Kind[Any]] = [key for state in self.states for key in state.keys]
        kinds += [var.kind for event in protocol.events for var in event.params]
        self.sorts = sorted({*layout.sorts, *(sort.name for kind in kinds for sort in sorts_of(kind))})

    def _first(self, state: State[Any]) -> Any:
        number = self.layout.numbers.get(state)
        if number is not None:
            found = self.layout.initial[number]
            return MISSING if found is UNKNOWN else found
        return state.initial.value if isinstance(state.initial, Lit) else MISSING

    def changes(self, cells: Mapping[CellKey, Any]) -> list[Change]:
        """Return new values of cells as changes of the tables."""
        return [
            (self.numbers[state], keys[0] if len(keys) == 1 else keys, value) for (state, keys), value in cells.items()
        ]


@dataclass(slots=True)
class _Brought:
    """The changes that a request made, to be undone: cells with their former values, entities."""

    cells: dict[tuple[int, Any], Any]
    entities: list[tuple[str, Any]]


def _itself_alone(entity: Any) -> int:
    return 1


class ControllerState:
    """A controller's state, of which adapters ask cells and `domains`, the entities of each sort.

    `count` returns how many partitions one represents (`classes.py`).
    """

    def __init__(self, shape: Shape) -> None:
        self.shape = shape
        constants = shape.layout.constants
        self.domains: dict[str, dict[Any, None]] = {
            name: dict.fromkeys(constants.get(name, ())) for name in shape.sorts
        }
        self.cells = Cells([{} for _ in shape.states], self.domains)
        self._brought: _Brought | None = None
        self.count: Callable[[Any], int] = _itself_alone

    def read(self, state: State[Any], keys: tuple[Any, ...]) -> Any:
        """Return a cell's value; raises `EvaluationError` for one that has none."""
        number = self.shape.numbers[state]
        if state.known is not None:
            return known_part(state)(*keys) if keys else state.known
        key = keys[0] if len(keys) == 1 else keys
        found = self.cells.tables[number].get(key, self.shape.initial[number])
        if found is MISSING:
            raise EvaluationError(f"{state.name}{list(keys)} has no value")
        return found

    def copy(self) -> ControllerState:
        """Return a state of its own with the same cells and entities."""
        other = ControllerState(self.shape)
        other.cells.tables[:] = [dict(table) for table in self.cells.tables]
        for sort, seen in self.domains.items():
            other.domains[sort].update(seen)
        other.count = self.count
        return other

    def forget_soft(self, kept: frozenset[int]) -> None:
        """Forget every cell that no record replays, but those of the tables that are `kept`."""
        for number in range(len(self.shape.states)):
            if number not in self.shape.hard and number not in kept:
                self.cells.tables[number].clear()

    # -- changes ---------------------------------------------------------------------------------------------------
    def apply(self, changes: Sequence[Change]) -> list[Change]:
        """Make changes; return those that changed anything, each with the value before it, `MISSING` for none."""
        if self._brought is not None and self._brought.cells:
            for number, key, _ in changes:
                self._brought.cells.pop((number, key), None)
        return applied(self.cells.tables, self.shape.initial, changes)

    def undo(self, changed: Iterable[Change]) -> None:
        """Take changes back, given as `apply` returned them."""
        for number, key, old in reversed(list(changed)):
            if old is MISSING:
                self.cells.tables[number].pop(key, None)
            else:
                self.cells.tables[number][key] = old

    def meet(self, record: BoundRecord) -> None:
        """Add the entities of a record to those seen."""
        for sort, entity in entities_in(record):
            domain = self.domains[sort]
            if entity not in domain:
                domain[entity] = None
            elif self._brought is not None and (sort, entity) in self._brought.entities:
                self._brought.entities.remove((sort, entity))

    def at_offset(self, offset: int) -> None:
        """Set the offset of the next record."""
        if self.shape.log_end is not None:
            table = self.cells.tables[self.shape.log_end]
            if table.get((), -1) != offset - 1:
                table[()] = offset - 1

    # -- what a request brings along -------------------------------------------------------------------------------
    def bring(
        self, cells: Mapping[CellKey, Any], kinds: Iterable[tuple[Kind[Any], Any]], others: Mapping[State[Any], Any]
    ) -> None:
        """Add the cells and the entities of a request; `others` are values of cells that have none."""
        brought = self._brought = _Brought({}, [])
        for kind, value in kinds:
            for sort, entity in entities_of(kind, value):
                domain = self.domains.get(sort)
                if domain is not None and entity not in domain:
                    domain[entity] = None
                    brought.entities.append((sort, entity))
        for (state, keys), value in cells.items():
            number = self.shape.numbers[state]
            key = keys[0] if len(keys) == 1 else keys
            table = self.cells.tables[number]
            brought.cells[number, key] = table.get(key, MISSING)
            table[key] = value
        self.cells.others = {self.shape.numbers[state]: value for state, value in others.items()}

    def take_away(self) -> None:
        """Take away what the last request brought along, but what has become part of the state since."""
        brought, self._brought = self._brought, None
        if brought is None:
            return
        for (number, key), old in brought.cells.items():
            if old is MISSING:
                self.cells.tables[number].pop(key, None)
            else:
                self.cells.tables[number][key] = old
        for sort, entity in brought.entities:
            self.domains[sort].pop(entity, None)
        self.cells.others = {}
