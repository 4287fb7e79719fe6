"""Traces: what was found in the store, as a run that the interpreter has replayed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from fencepost.checkers.counterexample import Middle, Trace, decided_by_range, holds, replay
from fencepost.checkers.verdicts import ReplayFailed
from fencepost.model.language import Always, Row, Sometimes, Step, Valuation, Var, part, satisfying

from .columns import ColumnEngine
from .conditions import guard
from .expansion import Expanding
from .plan import PARTS, STAGE_SHIFT, Plan, RowPlan
from .store import Store

Move = tuple[Row, Mapping[Var[Any], Any]]


@dataclass(frozen=True)
class Found:
    """Where a property's failure, or its witness, was found.

    `depth`: the level of the state that shows it. `state`: its number in the store, or that of the state before the
    last row, in which case `row` and `code` say which row under which binding. `moment`: stage and mask inside that
    row. `earlier`: for a step of one record, the stage and mask from which it starts.
    """

    depth: int
    state: int
    row: int | None = None
    code: int = 0
    moment: int | None = None
    earlier: int | None = None


VOUCHED = 8
"""How many states of a checkpoint are reached again by the interpreter before a search goes on from it."""


class Silent(Plan):
    """A plan whose rows have no moments."""

    @cached_property
    def records(self) -> bool:
        """Whether some property is checked after every record: not here."""
        return False


class Tracer:
    """Rebuilds runs from a store, with the functions of an engine that has them already, else with NumPy."""

    def __init__(self, plan: Plan, store: Store, engine: Expanding | None = None) -> None:
        self.plan, self.store = plan, store
        self._engine = engine or ColumnEngine(Silent(plan.protocol, plan.bound, plan.layout))

    def _binding(self, row: RowPlan, code: int) -> dict[Var[Any], Any]:
        return dict(zip(row.row.params, row.radix.decode(code), strict=True))

    def move(self, parent: int, child: int, number: int) -> Move:
        """Return the first binding of a row that leads from one state to the other."""
        layout = self.plan.layout
        cells = layout.unpack(self.store.states[parent : parent + 1])
        found = self._engine.expand(number, cells, 0, np.zeros(1, np.uint8))
        words, good = layout.pack(found.rows)
        same = np.flatnonzero(good & (words == self.store.states[child]).all(axis=1))
        row = self.plan.printed[number]
        if not len(same):
            raise ReplayFailed(
                f"{self.plan.protocol.name}: no binding of {row.row.id} leads from state {parent} to {child}"
            )
        return row.row, self._binding(row, int(found.code[same[0]]))

    def move_of(self, number: int, code: int) -> Move:
        """Return a row by its number with the binding of a number."""
        row = self.plan.printed[number]
        return row.row, self._binding(row, code)

    def path(self, state: int) -> tuple[Valuation, list[Move]]:
        """Return the initial state and the moves that lead to a state of the store."""
        moves: list[Move] = []
        while (came := self._came(state)) is not None:
            parent, row = came
            if not 0 <= parent < state:
                raise ReplayFailed(f"{self.plan.protocol.name}: state {state} is said to follow state {parent}")
            moves.append(self.move(parent, state, row))
            state = parent
        return self._valuation(state), moves[::-1]

    def _came(self, state: int) -> tuple[int, int] | None:
        """Return the state before one, and the row that led to it; None for an initial one."""
        try:
            return self.store.came(state, self._engine)
        except LookupError as error:
            raise ReplayFailed(f"{self.plan.protocol.name}: {error}") from error

    def in_front_of(self, found: Found) -> tuple[Trace, Move]:
        """Return the replayed run to the state in which something was found of a row, and the row with its binding."""
        assert found.row is not None
        start, moves = self.path(found.state)
        return replay(self.plan.protocol, self.plan.layout.world, start, moves), self.move_of(found.row, found.code)

    def trace(self, found: Found) -> Trace:
        """Return the replayed run to what was found."""
        start, moves = self.path(found.state)
        middle = None
        if found.row is not None:
            row = self.plan.printed[found.row]
            moves.append((row.row, self._binding(row, found.code)))
            if found.moment is not None:
                middle = self._middle(row, found.moment)
        return replay(self.plan.protocol, self.plan.layout.world, start, moves, middle)

    def _middle(self, row: RowPlan, moment: int) -> Middle:
        stage = moment >> STAGE_SHIFT
        return Middle(stage, row.stages[stage].chosen(moment & PARTS))

    def vouch(self, states: int) -> None:
        """Reach some of the first states of the store again by the interpreter, the last among them.

        Raises `ReplayFailed` where one is not reached by the rows that the store has of its run.
        """
        some = {states - 1 - states * part // VOUCHED for part in range(VOUCHED)}
        for state in sorted(some) if states else ():
            if self.trace(Found(0, state)).end != self._valuation(state):
                raise ReplayFailed(f"{self.plan.protocol.name}: the rows lead to another state than {state}")

    def _valuation(self, state: int) -> Valuation:
        layout = self.plan.layout
        return layout.valuation(layout.unpack(self.store.states[state : state + 1])[0])

    def confirmed(self, one: Always | Sometimes | Step | None, found: Found) -> Trace:
        """Return the run to what was found of a property, None for deadlock.

        Raises `ReplayFailed` where the interpreter does not find it there.
        """
        trace = self.trace(found)
        if not self._shows(one, found, trace):
            name = one.id if one is not None else "deadlock"
            raise ReplayFailed(
                f"{self.plan.protocol.name}: the interpreter does not find {name} as the exploration found it"
            )
        if isinstance(one, Step):
            return trace.because(one, self._since(found, trace))
        return trace.because(one) if isinstance(one, Always) else trace

    def is_decided_by_range(self, one: Always | Sometimes | Step, found: Found, trace: Trace) -> bool:
        """Return whether the end of a counter's range alone makes the run to what was found break a property."""
        if isinstance(one, Sometimes):
            return False
        since = self._since(found, trace) if isinstance(one, Step) and found.earlier is not None else None
        return decided_by_range(trace, one, since)

    def _since(self, found: Found, trace: Trace) -> Valuation:
        """The state in the last row from which a step begins."""
        last = trace.steps[-1]
        if found.earlier is None or found.row is None:
            return last.before
        at = self._middle(self.plan.printed[found.row], found.earlier)
        return part(last.row, last.binding, last.before, self.plan.layout.world, at.stage, at.chosen)

    def _shows(self, one: Always | Sometimes | Step | None, found: Found, trace: Trace) -> bool:
        world = self.plan.layout.world
        if one is None:
            plan = self.plan
            return not any(
                next(satisfying(guard(plan.protocol, plan.bound, r.row), r.row.params, trace.end, world), None)
                is not None
                for r in plan.rows
            )
        if isinstance(one, Step):
            return not holds(one.term, self._since(found, trace), world, trace.end, trace.steps[-1].binding)
        return holds(one.term, trace.end, world) == isinstance(one, Sometimes)
