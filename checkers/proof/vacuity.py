"""Vacuity of a protocol: whether it has a first state, and which rows the range of a counter disables."""

from __future__ import annotations

import z3

from fencepost.model.language import Row

from .attempts import FEW, SLICE
from .prover import FINITE_LIMIT, Prover
from .ranges import counters_written
from .scope import Inexpressible
from .solvers import direct, solver_of


def begins(prover: Prover) -> bool:
    """Return whether the protocol has a first state, of few entities or any number; True where that is not decided."""
    unknown = False
    for size in (1, 2, 3, 0):
        try:
            session = prover.session(size)
            solver = solver_of(session, [session.start()])
        except Inexpressible:
            continue
        direct(solver, (*FEW.options, ("rlimit", FINITE_LIMIT if size else 4 * SLICE)))
        answer = solver.check()
        if answer == z3.sat:
            return True
        unknown = unknown or (answer == z3.unknown and size > 0)
    return unknown


def leaves_range(prover: Prover, row: Row) -> bool:
    """Return whether in some state of few entities a row would put a counter below its start, and is disabled."""
    if not any(counters_written(update) for stage in row.stages for update in stage.updates):
        return False
    rows = ((size, prover.row_session(size, row)) for size in (1, 2, 3))
    return any(
        prover.few_of(size).check([here.own_guard, fact]) == z3.sat for size, here in rows for fact in here.leaving
    )
