"""Cells of a log's state, and what a record changes of them."""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

Cell: TypeAlias = tuple[int, tuple[Any, ...]]
"""The number of a cell's table, and its keys."""


class Change(NamedTuple):
    """A cell with its value before and after a record."""

    cell: Cell
    old: Any
    new: Any
