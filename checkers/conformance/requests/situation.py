"""The whole state of a controller along a log: hard cells as its records say, all others as the rows that ran say."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from fencepost.checkers.conformance.classed import assignments
from fencepost.checkers.conformance.frames import UNKNOWN
from fencepost.checkers.conformance.replay import HardState, Layout
from fencepost.checkers.conformance.wire import BoundRecord, entities_of, said_by
from fencepost.model.language import Record, Row, Valuation, Var, World
from fencepost.model.language.effects import Assign
from fencepost.model.language.interpreter import CellKey, Evaluation, EvaluationError, bindings, initial
from fencepost.model.language.kinds import Kind
from fencepost.model.language.state import State
from fencepost.model.language.terms import TRUE, Term


class View(Valuation):
    """A state to evaluate in, read through layers: what a request brings along, soft cells, and the replayed log.

    It copies nothing, so it is good only until the situation goes on. `others` are values of variables whose cells have
    neither a value nor an initial one: what is chosen outside the controller, and was not.
    """

    __slots__ = ("_layers", "_others", "_situation")

    def __init__(
        self, situation: Situation, layers: tuple[Mapping[CellKey, Any], ...], others: Mapping[State[Any], Any]
    ) -> None:
        super().__init__()
        self._situation, self._layers, self._others = situation, layers, others

    def read(self, state: State[Any], keys: tuple[Any, ...]) -> Any:
        """Return a cell's value; raises `EvaluationError` for one that has none or that the log leaves open."""
        cell = (state, keys)
        for layer in self._layers:
            if cell in layer:
                return layer[cell]
        situation = self._situation
        number = situation.numbers.get(state)
        if number is not None:
            found = situation.tables[number].get(keys, situation.initial[number])
            if found is not UNKNOWN:
                return found
        elif state.initial is not None:
            return initial(state)
        if state in self._others:
            return self._others[state]
        raise EvaluationError(f"{state.name}{list(keys)} has no value")

    def but(self, changes: Mapping[CellKey, Any]) -> View:
        """Return the state with some cells changed."""
        return View(self._situation, (changes, *self._layers), self._others) if changes else self

    def __getitem__(self, key: CellKey) -> Any:
        try:
            return self.read(*key)
        except EvaluationError as error:
            raise KeyError(key) from error

    def __iter__(self) -> Iterator[CellKey]:
        tables = zip(self._situation.states, self._situation.tables, strict=True)
        hard = ((state, keys) for state, table in tables for keys in table)
        return iter(dict.fromkeys((*(cell for layer in self._layers for cell in layer), *hard)))

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __hash__(self) -> int:
        return id(self)

    def __eq__(self, other: object) -> bool:
        return self is other


class Situation:
    """The state of the controller at a place in a log, and how it goes on.

    Hard cells are replayed by `HardState`. Every other cell is `soft`: it changes by what rows say beside their
    records, and by what records say of cells that a log alone does not determine.
    """

    def __init__(self, layout: Layout) -> None:
        self.layout, self.hard = layout, HardState(layout)
        self.numbers, self.states, self.initial = layout.numbers, layout.states, layout.initial
        self.tables = self.hard.frame.tables
        self.soft: dict[CellKey, Any] = {}
        self._replays: dict[Record, tuple[tuple[tuple[Var[Any], ...], Term[bool], Assign], ...]] = {}

    def view(self, cells: Mapping[CellKey, Any] | None = None, others: Mapping[State[Any], Any] | None = None) -> View:
        """Return the state as it is, with what a request brings along."""
        return View(self, (self.soft,) if not cells else (cells, self.soft), others or {})

    def world(self, kinds: Iterable[tuple[Kind[Any], Any]] = ()) -> World:
        """Return every entity that the log has shown, with the constants and those in some more values.

        Each value is given with its kind.
        """
        constants = self.layout.constants
        entities = {
            name: tuple(dict.fromkeys((*constants.get(name, ()), *seen))) for name, seen in self.hard.domains.items()
        }
        for kind, value in kinds:
            for sort, entity in entities_of(kind, value):
                if entity not in self.hard.domains.get(sort, ()):
                    entities[sort] = tuple(dict.fromkeys((*entities.get(sort, ()), entity)))
        return World(entities, {})

    def changes(self, row: Row, binding: Mapping[Var[Any], Any], evaluation: Evaluation) -> dict[CellKey, Any]:
        """Return what a row does to soft cells beside its records; `evaluation` is of the state before it."""
        found: dict[CellKey, Any] = {}
        for stage in row.stages:
            if stage.written:
                continue
            for update in stage.updates:
                if update.target.state in self.numbers:
                    continue
                for inner in bindings(update.binders, binding, evaluation.world):
                    if evaluation.value(update.when, inner):
                        keys = tuple(evaluation.value(key, inner) for key in update.target.keys)
                        found[update.target.state, keys] = evaluation.value(update.value, inner)
        return found

    def replay(self, record: BoundRecord) -> None:
        """Go on by one record of the log."""
        self.hard.meet(record)
        soft = self._soft_replay(record.record)
        found: dict[CellKey, Any] = {}
        if soft:
            evaluation, said = Evaluation(self.world(), self.view()), said_by(record)
            for binders, when, assign in soft:
                for inner in bindings(binders, said, evaluation.world):
                    if evaluation.value(when, inner):
                        keys = tuple(evaluation.value(key, inner) for key in assign.target.keys)
                        found[assign.target.state, keys] = evaluation.value(assign.value, inner)
        self.hard.apply(self.hard.changes(record))
        self.soft.update(found)

    def _soft_replay(self, record: Record) -> tuple[tuple[tuple[Var[Any], ...], Term[bool], Assign], ...]:
        found = self._replays.get(record)
        if found is None:
            found = self._replays[record] = tuple(
                one
                for effect in record.replay
                for one in assignments(effect, (), TRUE)
                if one[2].target.state not in self.numbers
            )
        return found
