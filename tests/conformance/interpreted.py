"""A controller's state as the interpreter reads one: rows that are compiled are checked against it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fencepost.checkers.conformance.lockstep.controller_state import ControllerState
from fencepost.checkers.conformance.lockstep.whole import WholeRows
from fencepost.model.language import Row, Valuation, Var, World, run
from fencepost.model.language.errors import EvaluationError
from fencepost.model.language.interpreter import CellKey, Execution
from fencepost.model.language.state import State


class Before(Valuation):
    """The cells of a controller, some of them `changed`."""

    def __init__(self, controller: ControllerState, changed: Mapping[CellKey, Any]) -> None:
        super().__init__()
        self.controller, self.changed = controller, changed

    def read(self, state: State[Any], keys: tuple[Any, ...]) -> Any:
        """Return a cell's value; of one that nothing says, what the request leaves out."""
        if (state, keys) in self.changed:
            return self.changed[state, keys]
        try:
            return self.controller.read(state, keys)
        except EvaluationError:
            others, number = self.controller.cells.others, self.controller.shape.numbers[state]
            if number not in others:
                raise
            return others[number]

    def but(self, changes: Mapping[CellKey, Any]) -> Before:
        """Return the state with some cells changed."""
        return Before(self.controller, {**self.changed, **changes})


def snapshot(rows: WholeRows) -> dict[CellKey, Any]:
    """Return every cell that differs from its initial value, as the interpreter has them."""
    found: dict[CellKey, Any] = {}
    for state, table in zip(rows.states, rows.cells.tables, strict=True):
        for key, value in table.items():
            found[state, key if len(state.keys) > 1 else () if not state.keys else (key,)] = value
    return found


def ran(row: Row, binding: Mapping[Var[Any], Any], controller: ControllerState) -> tuple[Execution, dict[CellKey, Any]]:
    """Run a row in a controller's state, and return that with the cells that it gives other values."""
    world = World({sort: tuple(seen) for sort, seen in controller.domains.items()}, {})
    before = Before(controller, {})
    found = run(row, binding, before, world)
    assert isinstance(found.after, Before)
    return found, {cell: value for cell, value in found.after.changed.items() if value != _read(before, cell)}


def _read(state: Before, cell: CellKey) -> Any:
    try:
        return state.read(*cell)
    except EvaluationError:
        return None
