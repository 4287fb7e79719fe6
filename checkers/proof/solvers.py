"""Solvers: how formulas are given to Z3, with as little as possible between."""

from __future__ import annotations

import multiprocessing
import threading
from collections.abc import Iterable, Sequence
from concurrent.futures import Future, wait
from typing import Any

import z3
from z3 import z3core

from .definitions import NOTHING, Leave, Need
from .logic import Expr, expression
from .session import Formula, Session
from .unbounded import Unbounded

Options = tuple[tuple[str, Any], ...]

_parameters: dict[Options, Any] = {}

# Z3 would take Ctrl-C for itself while it answers, and the command would go on with an answer of "unknown".
z3.set_param("ctrl_c", False)


def solved(solver: Any, *assumed: Any) -> Any:
    """Return whether what a solver knows, and what is assumed besides, can hold; in the process of the command a signal
    ends it at once.

    Python hands signals to its main thread alone, which therefore waits for another one that asks.
    """
    if multiprocessing.parent_process() is not None or threading.current_thread() is not threading.main_thread():
        return solver.check(*assumed)
    said: Future[Any] = Future()
    given_up = threading.Event()

    def ask() -> None:
        try:
            said.set_result(z3.unknown if given_up.is_set() else solver.check(*assumed))
        except BaseException as error:
            said.set_exception(error)

    thread = threading.Thread(target=ask, daemon=True)
    try:
        thread.start()
        return said.result()
    except BaseException:
        given_up.set()
        # Python 3.11 takes a thread for ended where a signal breaks `join`: what it says is waited for.
        while thread.ident is not None and not said.done():  # a check that has not begun yet misses what interrupts it
            solver.ctx.interrupt()
            wait([said], timeout=0.05)
        raise


def tell(solver: Any, expressions: Iterable[Expr]) -> None:
    """Assert expressions; the method of the same use looks at each of them first, and is ten times as slow."""
    context, inside = solver.ctx.ref(), solver.solver
    for one in expressions:
        z3core.Z3_solver_assert(context, inside, one.ast)


def solver_name() -> str:
    """Return the solver and its version, as `Z3 5.4.1`."""
    return f"Z3 {z3.get_version_string()}"


def direct(solver: Any, options: Options) -> None:
    """Set options of a solver."""
    made = _parameters.get(options)
    if made is None:
        made = _parameters[options] = z3.ParamsRef()
        for name, value in options:
            made.set(name, value)
    z3core.Z3_solver_set_params(solver.ctx.ref(), solver.solver, made.params)


def solver_of(session: Session, formulas: Sequence[Formula], leave: Leave = NOTHING) -> Any:
    """Return a solver that is given formulas, with the definitions that they rely on."""
    solver = z3.Solver() if session.scope.finite else z3.SimpleSolver()
    tell(solver, session.scope.variation.order(list(session.expressions(formulas, set(), leave))))
    if isinstance(session.scope, Unbounded):
        tell(solver, map(expression, session.scope.background))
    return solver


class IncrementalSolver:
    """A solver that keeps some formulas, and forgets what else it was told as soon as it has answered."""

    def __init__(self, session: Session, kept: Sequence[Formula], leave: Leave, options: Options) -> None:
        self.session, self.leave, self.exhausted = session, leave, False
        self._solver = z3.Solver() if session.scope.finite else z3.SimpleSolver()
        self._known: set[Need] = set()
        direct(self._solver, options)
        tell(self._solver, session.expressions(kept, self._known, leave))
        self._background = self._told_background(0)

    def _told_background(self, since: int) -> int:
        """Tell what the scope holds of its own sorts, which may have become more; return how much it is."""
        scope = self.session.scope
        if not isinstance(scope, Unbounded):
            return 0
        tell(self._solver, map(expression, scope.background[since:]))
        return len(scope.background)

    def check(self, formulas: Sequence[Formula]) -> Any:
        """Return whether these formulas can hold beside the kept ones; `exhausted` says that resources ran out."""
        self._solver.push()
        try:
            told = list(self.session.expressions(formulas, set(self._known), self.leave))
            tell(self._solver, self.session.scope.variation.order(told))
            self._told_background(self._background)
            result = solved(self._solver)
            self.exhausted = result == z3.unknown and "incomplete" not in self._solver.reason_unknown()
            return result
        finally:
            self._solver.pop()
