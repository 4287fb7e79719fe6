"""The NumPy engine: printed functions run on whole columns of states, without waiting for a compiler."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fencepost.model.language import Always, Sometimes, Step
from fencepost.model.language.terms import Term

from . import helpers
from .expansion import Expansion
from .kernel import MOST_GROUPS, check_function, row_function, step_function
from .layout import Layout, Numbers
from .plan import PARTS, STAGE_SHIFT, Plan, RowPlan
from .printer import Printer, Reads

Column = Any


def pick(condition: Column, then: Column, otherwise: Column) -> Column:
    """Return one value or the other, by column."""
    return np.where(condition, then, otherwise)


def fetch(v: Numbers, position: Column, inside: Column = True, otherwise: int = 0) -> Column:
    """Return the registers at a position, which may differ by column; `otherwise` where a key is outside its range."""
    # np.ndim makes an array of a Python number to ask it, and this is asked for every register that is read.
    if not getattr(position, "ndim", 0) and not getattr(inside, "ndim", 0):
        return v[int(position)] if inside else otherwise
    at = np.where(inside, position, 0)
    found = v[at, np.arange(v.shape[1])] if at.ndim else v[int(at)]
    return np.where(inside, found, otherwise)


def put(target: Numbers, position: Column, value: Column, condition: Column) -> None:
    """Write a value at a position, in the columns where the condition holds."""
    count = target.shape[1]
    where = np.flatnonzero(np.broadcast_to(condition, (count,)))
    # A key may be a condition, and an array of conditions would select cells, not name one.
    at = np.broadcast_to(np.asarray(position, np.int64), (count,))
    target[at[where], where] = np.broadcast_to(value, (count,))[where]


def none(condition: Column) -> bool:
    """Return whether a condition holds in no column."""
    return not np.any(condition)


def narrow(v: Numbers, condition: Column) -> tuple[Numbers, NDArray[np.int64]]:
    """Return the columns where a condition holds, and their numbers."""
    index = np.flatnonzero(np.broadcast_to(condition, (v.shape[1],)))
    return np.ascontiguousarray(v[:, index]), index


def earliest(condition: Column, v: Numbers) -> int:
    """Return the first column where a condition holds, or -1."""
    found = np.flatnonzero(np.broadcast_to(condition, (v.shape[1],)))
    return int(found[0]) if len(found) else -1


Waiting = list[tuple[Column, Column, Column, Column]]
"""Updates that wait until their stage has read: position, value, condition, group."""


def apply(target: Numbers, later: Waiting, part: int = -1) -> None:
    """Write the waiting updates whose group is in a mask."""
    for position, value, condition, group in later:
        put(target, position, value, condition & ((part >> group) & 1) != 0)


def moments(
    target: Numbers, later: Waiting, groups: int, stage: int, parts: list[tuple[int, Column, Numbers]], always: int
) -> Column:
    """Add every part of a stage to `parts`, then apply the whole; return the mask of the groups that write, by column.

    A part is stage and mask in one number, the columns in which it is one, and the registers. The groups in the mask
    `always` count as writing wherever the row fires, also in a stage of none: a record that is replayed as nothing.
    """
    active: Column = always
    for _, _, condition, group in later:
        active = active | np.where(condition, 1 << group, 0)
    for part in range(1 << max(groups, always)):
        valid = np.broadcast_to((part & ~active) == 0, (target.shape[1],))
        if np.any(valid):
            row = target.copy()
            apply(row, later, part)
            parts.append((stage | part, valid, row))
    apply(target, later)
    return active


def several(parts: list[tuple[int, Column, Numbers]], one_step: Column) -> list[tuple[int, Column, Numbers]]:
    """Return the parts without those of the columns in which the whole firing is one step."""
    return [(code, valid & ~np.asarray(one_step, bool), row) for code, valid, row in parts]


def execute(printer: Printer, lines: Sequence[str], name: str) -> Callable[..., Any]:
    """Return the function that the printed lines define."""
    namespace: dict[str, Any] = {
        f.__name__: f for f in (pick, fetch, put, none, narrow, earliest, apply, moments, several)
    }
    namespace |= {n: getattr(helpers, n) for n in ("count", "elems", "first", "keep", "concat", "ascending")}
    namespace |= {n: np.array(values, np.int64) for n, values in printer.values.items()}
    exec(compile("\n".join(lines), f"<columns of {name}>", "exec"), namespace)
    function: Callable[..., Any] = namespace[name]
    return function


def condition_function(layout: Layout, term: Term[bool]) -> Callable[[Numbers], Column]:
    """Return a condition without free variables as a function of columns, shape (cells + 1, n)."""
    printer = Printer(layout, columns=True)
    printer.count((term,))
    printer.open("def condition(v):", arrays=("v",), lazy=True)
    printer.line(f"return {printer.term(term, Reads('v', 'v'))}")
    printer.close()
    return execute(printer, printer.scopes[-1].lines, "condition")


class ColumnEngine:
    """Rows and properties as functions of columns."""

    name = "numpy"

    def __init__(self, plan: Plan) -> None:
        self.plan, self.layout = plan, plan.layout
        self.compile_seconds = 0.0
        self._rows: dict[int, Callable[..., Any]] = {}
        self._checks: dict[tuple[str, ...], Callable[..., Any]] = {}
        self._steps: dict[tuple[str, str], Callable[..., Any]] = {}

    def takes(self, row: RowPlan) -> bool:
        """Return whether the engine can run a row: it applies every part of a stage to whole columns."""
        return not row.has_moments or all(len(stage.groups) <= MOST_GROUPS for stage in row.stages)

    def expand(self, number: int, cells: Numbers, start: int, alive: NDArray[np.uint8]) -> Expansion:
        """Return all successors by one row of the states from `start` on, and mark in `alive` where its guard holds."""
        function = self._rows.get(number)
        if function is None:
            printer = Printer(self.layout, columns=True)
            function = execute(printer, row_function(printer, "row", self.plan.printed[number]), "row")
            self._rows[number] = function
        outs: list[Numbers] = []
        sources: list[Numbers] = []
        codes: list[Numbers] = []
        moments: list[tuple[Numbers, Numbers, Numbers]] = []
        done = 0

        def sink(o: Numbers, index: Numbers, code: int, parts: list[tuple[int, Column, Numbers]]) -> None:
            nonlocal done
            outs.append(o.T)
            sources.append(index)
            codes.append(np.full(len(index), code, np.int64))
            for mid_code, valid, d in parts:
                where = np.flatnonzero(np.broadcast_to(valid, (len(index),)))
                moments.append((d.T[where], where + done, np.full(len(where), mid_code, np.int64)))
            done += len(index)

        function(np.ascontiguousarray(cells[start:].T), sink)
        if not outs:
            return Expansion.empty(len(cells), self.layout.fault + 1)
        source = np.concatenate(sources) + start
        order = np.argsort(source, kind="stable")
        place = np.empty_like(order)
        place[order] = np.arange(len(order))
        alive[source] = 1
        parts = np.zeros(len(source), np.int64)
        mids, mid_of, mid_code = Expansion.no_moments(self.layout.fault + 1)
        if moments:
            mids, of, mid_code = (np.concatenate(column) for column in zip(*moments, strict=True))
            mid_of = place[of]
            sorting = np.lexsort((-(mid_code & PARTS), mid_code >> STAGE_SHIFT, mid_of))
            mids, mid_of, mid_code = mids[sorting], mid_of[sorting], mid_code[sorting]
            np.add.at(parts, mid_of, 1)
        return Expansion(
            len(cells),
            np.concatenate(outs)[order],
            source[order],
            np.concatenate(codes)[order],
            parts,
            mids,
            mid_of,
            mid_code,
        )

    def check(self, properties: Sequence[Always | Sometimes], rows: Numbers, found: Numbers) -> None:
        """Set in `found`, where it is -1, the first of the rows that shows each property's failure or its witness."""
        key = tuple(p.id for p in properties)
        function = self._checks.get(key)
        if function is None:
            printer = Printer(self.layout, columns=True)
            function = self._checks[key] = execute(printer, check_function(printer, "check", properties), "check")
        function(np.ascontiguousarray(rows.T), found)

    def step(
        self,
        one: Step,
        row: RowPlan | None,
        before: Numbers,
        before_at: Numbers,
        after: Numbers,
        after_at: Numbers,
        code: Numbers,
    ) -> int:
        """Return the first step, from `before[before_at[i]]` to `after[after_at[i]]`, that fails, or -1."""
        key = (one.id, row.row.id if row else "")
        function = self._steps.get(key)
        if function is None:
            printer = Printer(self.layout, columns=True)
            function = self._steps[key] = execute(printer, step_function(printer, "step", one, row), "step")
        return int(function(np.ascontiguousarray(before[before_at].T), np.ascontiguousarray(after[after_at].T), code))
