"""Recorded witnesses: states in which rows are enabled and conditions of properties hold, tried before the solver.

They stand beside the recorded violations (`violations.py`), and prove as little by themselves: the interpreter checks
that a state satisfies what is assumed, and that the row is enabled in it or the condition true. What is outdated or
wrong costs one replay, and the solver is asked.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fencepost.checkers.counterexample import holds
from fencepost.model.language import Always, Assumption, Protocol, Row, Term, Valuation, Var, World
from fencepost.model.language.interpreter import Evaluation, Value, run
from fencepost.model.language.kinds import IntKind, Kind, OptionKind, ThresholdKind

from . import violations
from .models import state_of, world_of
from .obligations import condition
from .ranges import may_leave


class Witnesses:
    """The recorded witnesses of a protocol; each state is checked once. `assumed` are its hypotheses."""

    def __init__(self, protocol: Protocol, assumed: Sequence[Always]) -> None:
        self.protocol, self.assumed = protocol, assumed
        self._entries = violations.witnesses(protocol)
        self._places = {id: at for at, one in enumerate(self._entries) for id in one.get("shows", ())}
        self._states: dict[int, tuple[Valuation, World] | None] = {}

    def place(self, id: str) -> int | None:
        """Return the number of the state that is recorded for a row or a property, if one is."""
        return self._places.get(id)

    def show(self, asked: Row | Always) -> bool:
        """Return whether a recorded state satisfies what is assumed, and enables a row or meets a condition."""
        at = self._places.get(asked.id)
        if at is None:
            return False
        try:
            if at not in self._states:
                self._states[at] = None
                self._states[at] = self._state(self._entries[at])
            there, (params, _) = self._states[at], condition_of(self.protocol, asked)
            binding = violations.values_in(params, self._entries[at]["shows"][asked.id])
            return there is not None and shown(self.protocol, asked, *there, binding)
        except violations.MISFIT:
            return False

    def _state(self, entry: Mapping[str, Any]) -> tuple[Valuation, World] | None:
        """Return the state of an entry, None where it does not satisfy what is assumed."""
        found = violations.state_in(self.protocol, entry)
        state, world = state_of(self.protocol, found), world_of(self.protocol, found)
        known: tuple[Always | Assumption, ...] = (*self.protocol.assumptions, *self.assumed)
        pairs = ((*zip(keys, cell.keys, strict=True), (value, cell.kind)) for (cell, keys), value in state.items())
        of_kinds = all(_is_of(value, kind, world) for cell in pairs for value, kind in cell)
        evaluation = Evaluation(world, state)
        return (state, world) if of_kinds and all(evaluation.value(one.term, {}) for one in known) else None


def _is_of(value: Value, kind: Kind[Any], world: World) -> bool:
    match kind:
        case IntKind() | ThresholdKind():  # the range of a counter may be too long to be listed
            low, high = world.ranges[kind.name]
            return isinstance(value, int) and low <= value <= high
        case OptionKind():
            return value is None or _is_of(value, kind.of, world)
    return value in world.values(kind)


def condition_of(protocol: Protocol, asked: Row | Always) -> tuple[Sequence[Var[Any]], Term[bool]]:
    """Return the variables and the condition for which values are looked for."""
    if isinstance(asked, Row):
        return asked.params, protocol.assumed_guard(asked)
    parts = condition(asked.term)
    assert parts is not None
    return parts


def shown(
    protocol: Protocol, asked: Row | Always, state: Valuation, world: World, binding: Mapping[Var[Any], Value]
) -> bool:
    """Return whether a row is enabled in a state under a binding, or whether a condition holds.

    A row is disabled where a write of it would put a counter below its start.
    """
    if not all(_is_of(value, var.kind, world) for var, value in binding.items()):
        return False
    if not holds(condition_of(protocol, asked)[1], state, world, binding=binding):
        return False
    if not isinstance(asked, Row) or not any(may_leave(update) for stage in asked.stages for update in stage.updates):
        return True
    cells = [cell for after in run(asked, binding, state, world).states for cell in after.items()]
    return all(
        _from_its_start(one, kind)
        for (cell, keys), value in cells
        for one, kind in zip((*keys, value), (*cell.keys, cell.kind), strict=True)
    )


def _from_its_start(value: Value, kind: Kind[Any]) -> bool:
    counter = kind.of if isinstance(kind, OptionKind) else kind
    if value is None or not isinstance(counter, (IntKind, ThresholdKind)):
        return True
    return bool(value >= (counter.lo if isinstance(counter, IntKind) else 1))
