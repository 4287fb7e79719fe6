"""Relevant cells of a run: those that its failure reads, and that its rows read on the way."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

from fencepost.model.language import Evaluation, EvaluationError, Execution, Term, World, run
from fencepost.model.language.interpreter import CellKey, Value
from fencepost.model.language.terms import Get
from fencepost.model.language.walk import nodes

from .counterexample import Trace, changed
from .failures import Noting, cell_text


class Rank(IntEnum):
    """Readers of a cell, the weightiest first."""

    CLAIM = 0
    LAST_ROW = 1
    EARLIER_ROW = 2
    NOTHING = 3


@dataclass(frozen=True)
class Change:
    """A cell that a step changed, and what reads it behind that step."""

    cell: CellKey
    old: Value
    new: Value
    rank: Rank


@dataclass(frozen=True)
class Relevant:
    """Relevant parts of a run: cells of its first state, and the changes of each step, the weightiest first.

    A cell matters where the property that is false reads it at the end, or the guard or the effects of a row do, and no
    step between changes it. `start` are those of the first state.
    """

    start: Mapping[CellKey, Rank]
    steps: tuple[tuple[Change, ...], ...]


def relevant(trace: Trace, about: Sequence[Term[Any]] = ()) -> Relevant:
    """Return what matters of a run, found from its end to its start.

    A run without a failure is about the variables of the terms given, or else about what its last step changes.
    """
    ends = [step.after for step in trace.steps[:-1]] + [trace.end]
    cells_of = [changed(step.before, end) for step, end in zip(trace.steps, ends, strict=False)]
    needed = dict.fromkeys(_claimed(trace, cells_of, about), Rank.CLAIM)
    steps: list[tuple[Change, ...]] = []
    for step, cells in zip(reversed(trace.steps), reversed(cells_of), strict=True):
        found = [Change(cell, old, new, needed.get(cell, Rank.NOTHING)) for cell, (old, new) in cells.items()]
        found.sort(key=lambda one: one.rank)
        read = reads(step, trace.world)
        if steps:  # what a claim on steps reads, it reads on both sides of the last one
            needed = {cell: rank for cell, rank in needed.items() if cell not in cells}
        needed = {**dict.fromkeys(read, Rank.EARLIER_ROW if steps else Rank.LAST_ROW), **needed}
        steps.append(tuple(found))
    start = {cell: needed[cell] for cell in sorted(needed, key=lambda one: (needed[one], cell_text(one)))}
    return Relevant(start, tuple(reversed(steps)))


def reads(step: Execution, world: World) -> frozenset[CellKey]:
    """Return the cells that a step's row reads: its guard, what its event assumes, its effects and its answer."""
    seen: set[CellKey] = set()
    state = Noting(step.before, seen)
    asked = Evaluation(world, state)
    try:
        asked.value(step.row.event.given, step.binding)
        asked.value(step.row.when, step.binding)
        run(step.row, step.binding, state, world)
    except EvaluationError:
        pass
    return frozenset(seen)


def _claimed(
    trace: Trace, cells_of: Sequence[Mapping[CellKey, Any]], about: Sequence[Term[Any]]
) -> Collection[CellKey]:
    if trace.failure is not None:
        return trace.failure.cells
    if about:
        states = {node.state for node in nodes(*about) if isinstance(node, Get)}
        return {cell for cell in (*trace.start, *(c for one in cells_of for c in one)) if cell[0] in states}
    return cells_of[-1] if cells_of else ()
