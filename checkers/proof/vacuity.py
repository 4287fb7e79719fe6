"""Vacuity of a protocol: whether it has a first state, whether what its proofs rely on can be met, and which rows the
range of a counter disables.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any, Literal

import z3

from fencepost.checkers.counterexample import holds
from fencepost.checkers.verdicts import ReplayFailed
from fencepost.model.language import Always, Assumption, Row, State

from .attempts import FEW, SLICE
from .definitions import Leave
from .finite import Finite
from .logic import Truth, Value
from .lowering import Environment
from .models import Found, Reader, read_cells, state_of
from .prover import FINITE_LIMIT, Prover
from .scope import Inexpressible
from .session import Formula, Session
from .solvers import direct, solved, solver_of


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
    return solved(solver)


def leaves_range(prover: Prover, row: Row) -> bool:
    """Return whether in some state of few entities a row would leave a range, and is disabled."""
    if prover.stays_in_range(row):
        return False
    rows = ((size, prover.row_session(size, row)) for size in (1, 2, 3))
    return any(
        prover.few_of(size).check([here.own_guard, fact]) == z3.sat for size, here in rows for fact in here.leaving
    )


SIZES = (1, 2, 3, 4, 5)
"""Entities of each sort in the states among which one is looked for that satisfies all hypotheses."""

DEFINED = SLICE // 30
"""Resources for the question whether definitions contradict each other: what is inconsistent shows at once."""


def met(prover: Prover) -> int | Literal["never"] | None:
    """Return how many entities of each sort a state has that satisfies every hypothesis, as the interpreter confirms.

    Returns "never" where the hypotheses for any number of entities contradict each other, None where neither is found.
    Raises `ReplayFailed` where the interpreter finds one of them false in the state.
    """
    for size in SIZES:
        session = prover.session(size)
        solver = solver_of(session, _everything(session))
        direct(solver, (*FEW.options, ("rlimit", FINITE_LIMIT)))
        if solved(solver) == z3.sat:
            _confirm(session, solver.model())
            return size
    try:
        session = prover.session(0)
        solver = solver_of(session, _everything(session))
    except Inexpressible:
        return None
    direct(solver, (("rlimit", 4 * SLICE),))
    return "never" if solved(solver) == z3.unsat else None


def _everything(session: Session) -> list[Formula]:
    return session.chosen(session.hypotheses)


def _confirm(session: Session, model: z3.ModelRef) -> None:
    """Raise `ReplayFailed` where the interpreter finds a hypothesis false in the state of a model."""
    scope, protocol = session.scope, session.protocol
    assert isinstance(scope, Finite)
    cells = read_cells(session, Reader(scope, model), session.base)
    state = state_of(protocol, Found(scope.sizes, scope.steps, cells, (), None, None, None))
    known: tuple[Always | Assumption, ...] = (*protocol.assumptions, *session.assumed)
    for one in known:
        if not holds(one.term, state, scope.world):
            raise ReplayFailed(f"{protocol.name}: {one.id} is false, by the interpreter, in a state that satisfies it")


class Contradictions:
    """What the questions of one prover define, asked whether it contradicts itself; once it does, it always will.

    A definition names a value that there is, whatever the state. So what is defined can be met in a first state of any
    number of entities; else the lowering is wrong, and whatever relies on it would be proved.
    """

    def __init__(self, prover: Prover) -> None:
        self._prover, self._since, self._found = prover, 0, False

    @cached_property
    def first(self) -> list[Formula]:
        """What makes the state before a row a first state; raises `Inexpressible`."""
        return _base_as_first(self._prover.session(0))

    def found(self) -> bool:
        """Return whether the definitions so far contradict each other; asks of those since the last time."""
        try:
            session = self._prover.session(0)
            if session.lowering.count_made > self._since:
                made = Formula(session.lowering.made_since(self._since), frozenset())
                self._since = session.lowering.count_made
                answers = (_quickly(session, formulas) for formulas in ([*self.first, made], self.first))
                # Without a first state nothing can be said of definitions, and the protocol is vacuous.
                self._found = self._found or (next(answers) == z3.unsat and next(answers) != z3.unsat)
        except Inexpressible:
            pass
        return self._found


def _base_as_first(session: Session) -> list[Formula]:
    """Return what makes the state before a row a first state."""
    protocol, scope = session.protocol, session.scope

    def begins(state: State[Any], keys: tuple[Value, ...]) -> Truth:
        assert state.initial is not None
        value = session.lowering.value(state.initial, session.base, Environment())
        return scope.equal(session.base.read(state, keys), value, state.kind)

    with session.lowering.collecting() as needs:
        values = tuple(
            scope.every(state.keys, lambda *keys, state=state: begins(state, keys))
            for state in protocol.states
            if state.initial is not None
        )
    session.lowering.make(needs)  # before a process is forked
    return [session.ranges, Formula(values, frozenset(needs)), session.formula([(protocol.begin, session.base)])]


def _quickly(session: Session, formulas: list[Formula]) -> z3.CheckSatResult:
    solver = solver_of(session, formulas, Leave(None, True))
    direct(solver, (("rlimit", DEFINED),))
    return solved(solver)
