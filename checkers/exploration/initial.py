"""Initial states: every value of the cells that may start with any, as far as the start conditions allow."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np

from fencepost.checkers.verdicts import Refusal
from fencepost.model.language import Bound, Protocol, Term, World
from fencepost.model.language.interpreter import CellKey
from fencepost.model.language.walk import nary

from .columns import condition_function
from .conditions import instances, speaks_of
from .layout import Layout, Numbers

MOST = 50_000_000
"""Partial initial states from which the enumeration is refused rather than left to fill the memory."""


def cells_of(protocol: Protocol, world: World) -> list[CellKey]:
    """Return every cell of the protocol's state, in a fixed order."""
    return [(s, keys) for s in protocol.states for keys in itertools.product(*(world.values(k) for k in s.keys))]


def stages_of_start(
    protocol: Protocol, bound: Bound, world: World, cells: list[CellKey], sparing: bool = False
) -> Iterator[tuple[int | None, list[Term[bool]]]]:
    """Yield the cells that are to be given a value, each with the start conditions that can be evaluated from then on.

    The first item has no cell: its conditions speak of cells with initial values only. The cells come in their order,
    or in one that leaves few partial states: next are those that the condition lacks that lacks fewest.
    """
    waiting = [(speaks_of(c, cells), c) for c in instances(nary("and", (protocol.begin, bound.start)), world)]
    known = {i for i, (state, _) in enumerate(cells) if state.initial is not None}

    def ready() -> list[Term[bool]]:
        found = [c for needs, c in waiting if needs <= known]
        waiting[:] = [(needs, c) for needs, c in waiting if not needs <= known]
        return found

    yield None, ready()
    left = [i for i in range(len(cells)) if i not in known]
    while left:
        lacking = (needs - known for needs, _ in waiting) if sparing else ()
        for i in sorted(min(lacking, key=len, default=left)):
            known.add(i)
            yield i, ready()
        left = [i for i in left if i not in known]


def initial_rows(protocol: Protocol, bound: Bound, layout: Layout) -> Numbers:
    """Return every initial state as a row of registers, shape (n, cells + 1), by the values of cells in their order.

    Raises `Refusal` where there are too many to list, or none.
    """
    columns: Numbers = layout.initial_row().reshape(-1, 1)
    given: list[int] = []
    for cell, conditions in stages_of_start(protocol, bound, layout.world, layout.cells, sparing=True):
        if cell is not None:
            given.append(cell)
            values = np.array(layout.coding.registers(layout.kinds[cell]), np.int64)
            if columns.shape[1] * len(values) > MOST:
                raise Refusal(f"{protocol.name}: more than {MOST} initial states at this bound; narrow its `start`")
            count = columns.shape[1]
            columns = np.repeat(columns, len(values), axis=1)
            columns[cell] = np.tile(values, count)
        for condition in conditions:
            holds: Any = condition_function(layout, condition)(columns)
            columns = columns[:, np.broadcast_to(holds, (columns.shape[1],)) != 0]
    if columns.shape[1] == 0:
        raise Refusal(f"{protocol.name}: no state satisfies the start conditions at this bound; weaken its `start`")
    if given != sorted(given):
        columns = columns[:, np.lexsort([_places(layout, cell, columns) for cell in sorted(given, reverse=True)])]
    return np.ascontiguousarray(columns.T)


def _places(layout: Layout, cell: int, columns: Numbers) -> Numbers:
    """Return the place of each column's register of a cell among the registers that it may have."""
    values = np.array(layout.coding.registers(layout.kinds[cell]), np.int64)
    order = np.argsort(values)
    places: Numbers = order[np.searchsorted(values, columns[cell], sorter=order)]
    return places
