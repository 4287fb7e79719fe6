"""Rows that the range of a counter disables in some state."""

from __future__ import annotations

import z3

from fencepost.model.language import Row

from .prover import Prover
from .ranges import counters_written


def leaves_range(prover: Prover, row: Row) -> bool:
    """Return whether in some state of few entities a row would put a counter below its start, and is disabled."""
    if not any(counters_written(update) for stage in row.stages for update in stage.updates):
        return False
    rows = ((size, prover.row_session(size, row)) for size in (1, 2, 3))
    return any(
        prover.few_of(size).check([here.own_guard, fact]) == z3.sat for size, here in rows for fact in here.leaving
    )
