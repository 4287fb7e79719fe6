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
    """Return whether the protocol has a first state, of few entities or any number; True where that is not decided.

    That there is none of up to three entities says nothing of more: it is decided by the question for any number.
    """
    return any(_start(prover, size) == z3.sat for size in (1, 2, 3)) or bool(_start(prover, 0) != z3.unsat)


def _start(prover: Prover, size: int) -> z3.CheckSatResult:
    """Return whether the solver finds a first state of so many entities of each sort, with 0 of any number."""
    try:
        session = prover.session(size)
        solver = solver_of(session, [session.start()])
    except Inexpressible:
        return z3.unknown
    direct(solver, (*FEW.options, ("rlimit", FINITE_LIMIT if size else 4 * SLICE)))
    return solver.check()


def leaves_range(prover: Prover, row: Row) -> bool:
    """Return whether in some state of few entities a row would put a counter below its start, and is disabled."""
    if not any(counters_written(update) for stage in row.stages for update in stage.updates):
        return False
    rows = ((size, prover.row_session(size, row)) for size in (1, 2, 3))
    return any(
        prover.few_of(size).check([here.own_guard, fact]) == z3.sat for size, here in rows for fact in here.leaving
    )
