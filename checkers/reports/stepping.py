"""The state graph of a small bound in a page: data that `templates/stepping.js` unpacks in the browser, state by state.

What the page shows of a state is in the data; no guard is evaluated there. The data is gzip in base64: a head in JSON,
then columns of little-endian numbers, one after the other, each of one, two or four bytes.
"""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from fencepost.checkers.exploration.coverage import Reach
from fencepost.checkers.exploration.explicit import MOST, ExplicitGraph
from fencepost.checkers.failures import cell_text
from fencepost.model.language import Sometimes
from fencepost.model.language.interpreter import initial
from fencepost.model.language.nodes import Get, Lit, Named, Var
from fencepost.model.language.render import text, value_text
from fencepost.model.language.walk import free, nodes


@dataclass(frozen=True)
class Stepping:
    """Values of the template: the data as text, how many states it has, and which properties have a run in it.

    Without data `refused` says why.
    """

    data: str = ""
    states: int = 0
    runs: tuple[str, ...] = ()
    refused: str = ""


TOO_MANY = Stepping(refused=f"This bound has more than {MOST:,} states, and no more can be stepped through in a page; "
                    "take a smaller bound, or walk by hand with explore --step.")  # fmt: skip


def stepping(graph: ExplicitGraph | None) -> Stepping:
    """Return a state graph as the page has it, or why there is none."""
    if graph is None:
        return TOO_MANY
    return Stepping(packed(graph), len(graph.states), tuple(path.id for path in graph.paths))


def packed(graph: ExplicitGraph) -> str:
    """Return a state graph as text that the page's script unpacks."""
    columns: dict[str, np.ndarray[Any, Any]] = {}
    cells = [_cell(graph, place, columns) for place in range(graph.layout.fault)]
    rows = [_row(graph, place, reach, columns) for place, reach in enumerate(graph.guards)]
    source, *rest = graph.steps.T
    columns["first"] = np.searchsorted(source, np.arange(len(graph.states) + 1))
    for name, column in zip(("row", "code", "target"), rest, strict=True):
        columns[name] = column - column.min(initial=0)
    columns["parent"], columns["parent row"] = graph.parents + 1, graph.parent_rows + 1
    head: dict[str, Any] = {
        "states": len(graph.states),
        "initial": graph.initial,
        "cells": cells,
        "rows": rows,
        "outside": int(rest[-1].min(initial=0)),
        "shows": {id: np.flatnonzero(shown).tolist() for id, shown in graph.shows.items()},
        "witnessed": [one.id for one in graph.protocol.properties if isinstance(one, Sometimes)],
        "paths": [
            {"id": one.id, "verdict": one.verdict, "states": one.states, "steps": one.steps, "inside": one.inside,
             "loop": one.loop}
            for one in graph.paths
        ],
    }  # fmt: skip
    blocks, at = [], 0
    head["columns"] = {}
    for name, column in columns.items():
        largest = int(column.max(initial=0))
        kind = np.dtype("<u1" if largest < 1 << 8 else "<u2" if largest < 1 << 16 else "<u4")
        block = column.astype(kind).tobytes()
        block += bytes(-len(block) % 4)
        head["columns"][name] = [kind.itemsize, at, len(column)]
        blocks.append(block)
        at += len(block)
    told = json.dumps(head, ensure_ascii=True, separators=(",", ":")).encode()
    told += b" " * (-len(told) % 4)
    whole = len(told).to_bytes(4, "little") + told + b"".join(blocks)
    return base64.b64encode(gzip.compress(whole, 9, mtime=0)).decode()


def _cell(graph: ExplicitGraph, place: int, columns: dict[str, Any]) -> dict[str, Any]:
    """A cell: its name, its values as text, and which is its initial one; which state has which is a column."""
    layout = graph.layout
    variable, _ = layout.cells[place]
    registers, which = np.unique(graph.states[:, place], return_inverse=True)
    values = [value_text(layout.coding.decode(layout.kinds[place], int(one))) for one in registers]
    if len(values) > 1:
        columns[f"cell {place}"] = which.reshape(-1)
    begins = None if variable.initial is None else value_text(initial(variable))
    return {"name": cell_text(layout.cells[place]), "values": values, "begins": begins}


def _row(graph: ExplicitGraph, place: int, reach: Reach, columns: dict[str, Any]) -> dict[str, Any]:
    """A row: its parameters with their values, its guard; how far that holds in which state are columns."""
    row, radix = graph.rows[place].row, graph.rows[place].radix
    deep, code = graph.reaches[place]
    pairs, which = np.unique(np.stack([deep, code], axis=1), axis=0, return_inverse=True)
    if len(pairs) > 1:
        columns[f"reach {place}"] = which.reshape(-1)
    known: Sequence[tuple[Var[Any], ...]] = ((), *reach.known)
    return {
        "id": row.id,
        "event": row.event.name,
        "changes": row.changes,
        "params": [one.name for one in row.params],
        "values": [
            [value_text(graph.layout.coding.decode(one.kind, r)) for r in graph.layout.coding.registers(one.kind)]
            for one in row.params
        ],
        "weights": list(radix.weights),
        "guard": [
            {
                "text": text(one),
                "known": [row.params.index(var) for var in known[level]],
                "every": [var.name for var in known[level + 1] if var in free(one) and var not in known[level]],
                "reads": _reads(one, row.params),
            }
            for level, one in enumerate(reach.conditions)
        ],
        "reaches": pairs.tolist(),
    }


def _reads(condition: Any, params: Sequence[Var[Any]]) -> list[list[Any]]:
    """The cells that a condition reads at keys that are parameters, as their place, or values, as their text."""
    inside = condition
    while isinstance(inside, Named):
        inside = inside.term
    found: list[list[Any]] = []
    for node in nodes(inside):
        if isinstance(node, Get):
            keys = [
                params.index(key) if isinstance(key, Var) and key in params
                else value_text(key.value) if isinstance(key, Lit) else None
                for key in node.keys
            ]  # fmt: skip
            if None not in keys and [node.state.name, keys] not in found:
                found.append([node.state.name, keys])
    return found


__all__ = ["TOO_MANY", "Stepping", "packed", "stepping"]
