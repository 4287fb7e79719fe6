"""Models of the finite scope: read back as states and bindings of the interpreter, and made small."""

from __future__ import annotations

import enum
import itertools
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, cast

import z3

from fencepost.checkers.counterexample import Middle, Trace, holds, replay, twice_in_last_state
from fencepost.checkers.failures import failure_of
from fencepost.checkers.verdicts import ReplayFailed
from fencepost.checkers.written_once import WRITTEN_ONCE
from fencepost.model.language import (
    AFTER_EVERY_RECORD,
    Always,
    Assumption,
    EvaluationError,
    Kind,
    Protocol,
    Row,
    State,
    Step,
    Valuation,
    Var,
    World,
    part,
)
from fencepost.model.language.interpreter import Evaluation
from fencepost.model.language.kinds import (
    BoolKind,
    EntityKind,
    EnumKind,
    IntKind,
    ListKind,
    OptionKind,
    SetKind,
    ThresholdKind,
)

from .finite import Finite
from .literals import literal_value
from .logic import Truth, Value, as_option, expression
from .moments import Base, key_arguments
from .obligations import companions
from .row_session import RowSession
from .scope import enumeration
from .session import Goal, Session
from .solvers import solved

Cell = tuple[State[Any], tuple[Any, ...]]


@dataclass(frozen=True)
class Found:
    """A model read back, in values that may cross a process border (members of enumerations as their positions).

    `cells` are triples of a variable's position, keys and value; `binding` is in the order of the row's parameters.
    `since` and `chosen` tell what of the stage is done before and at the end, None where the goal is about whole
    stages. `breaks` are the properties that a recorded state is to be tried for, None for any.
    """

    sizes: Mapping[str, int]
    steps: int
    cells: tuple[tuple[int, tuple[Any, ...], Any], ...]
    binding: tuple[Any, ...]
    stage: int | None
    since: frozenset[tuple[Any, ...]] | None
    chosen: frozenset[tuple[Any, ...]] | None
    breaks: frozenset[str] | None = None


class Reader:
    """Values of a model of a finite scope."""

    def __init__(self, scope: Finite, model: Any) -> None:
        self.scope, self.model = scope, model

    def truth(self, truth: Truth) -> bool:
        """Return whether a formula is true in the model."""
        return truth if isinstance(truth, bool) else z3.is_true(self.model.eval(truth, model_completion=True))

    def value(self, value: Value, kind: Kind[Any]) -> Any:
        """Return the interpreter's value of a value of the scope."""
        match kind:
            case BoolKind():
                return self.truth(value)
            case IntKind() | ThresholdKind():
                return self.model.eval(expression(value), model_completion=True).as_long()
            case EnumKind() | EntityKind():
                found = self.model.eval(value, model_completion=True)
                return next(i for i, x in enumerate(self.scope.values(kind)) if x.eq(found))
            case OptionKind():
                option = as_option(value)
                return None if self.truth(option.none) else self.value(option.value, kind.of)
            case SetKind(of=EntityKind() as of):
                return frozenset(i for i, x in enumerate(self.scope.values(of)) if self.truth(value.contains(x)))
            case ListKind(of=EntityKind() as of):
                items = self.scope.values(of)
                inside = [i for i, x in enumerate(items) if self.truth(value.contains(x))]
                rank = {i: sum(self.truth(value.before(items[j], items[i])) for j in inside) for i in inside}
                return tuple(sorted(inside, key=lambda i: rank[i]))
        raise AssertionError(f"no values of {kind}")


def _members(kind: EnumKind[Any]) -> list[Any]:
    return [*cast(Iterable[Any], kind.enum)]


def portable(value: Any, kind: Kind[Any]) -> Any:
    """Return an interpreter's value with members of enumerations as their positions."""
    if isinstance(kind, EnumKind) and isinstance(value, enum.Enum):
        return _members(kind).index(value)
    return portable(value, kind.of) if isinstance(kind, OptionKind) and value is not None else value


def native(value: Any, kind: Kind[Any]) -> Any:
    """Return the interpreter's value of a portable one."""
    if isinstance(kind, EnumKind):
        return _members(kind)[value]
    return native(value, kind.of) if isinstance(kind, OptionKind) and value is not None else value


def cells(scope: Finite, protocol: Protocol) -> Iterator[tuple[int, tuple[Any, ...], tuple[Value, ...]]]:
    """Yield every cell: its variable's position, its keys for the interpreter, and its keys in the scope."""
    for position, state in enumerate(protocol.states):
        listed = [list(zip(_names(scope, kind), scope.values(kind), strict=True)) for kind in state.keys]
        for chosen in itertools.product(*listed):
            yield position, tuple(n for n, _ in chosen), tuple(v for _, v in chosen)


def _names(scope: Finite, kind: Kind[Any]) -> list[Any]:
    return [portable(value, kind) for value in scope.world.values(kind)]


def read_back(session: Session, model: Any, goal: Goal, row: RowSession | None, base: Base) -> Found:
    """Return a model of a goal in values that may cross a process border."""
    scope = session.scope
    assert isinstance(scope, Finite)
    reader = Reader(scope, model)
    found = read_cells(session, reader, base)
    binding = () if row is None else tuple(reader.value(row.environment[v], v.kind) for v in row.row.params)
    since = chosen = None
    if goal.part is not None:
        tuples = set()
        for signature, symbol in goal.part.signatures.items():
            listed = [list(zip(_names(scope, kind), scope.values(kind), strict=True)) for kind in signature]
            for one in itertools.product(*listed):
                if reader.truth(symbol.apply(key_arguments(scope, signature, [v for _, v in one]))):
                    tuples.add(tuple(n for n, _ in one))
        since = frozenset(tuples)
        if goal.part.extra is not None:
            signature, values = goal.part.extra
            tuples.add(tuple(reader.value(v, k) for v, k in zip(values, signature, strict=True)))
        chosen = frozenset(tuples)
    return Found(scope.sizes, scope.steps, found, binding, goal.stage, since, chosen)


def read_cells(session: Session, reader: Reader, base: Base) -> tuple[tuple[int, tuple[Any, ...], Any], ...]:
    """Return the state of a model: of the first state only what may start anyhow."""
    found = []
    for position, names, keys in cells(reader.scope, session.protocol):
        state = session.protocol.states[position]
        if base is not session.initial or state.initial is None:
            found.append((position, names, reader.value(base.read(state, keys), state.kind)))
    return tuple(found)


def minimised(session: Session, solver: Any, base: Base, budget: int = 150) -> Any:
    """Return a model with as many cells as possible at their initial (or plainest) values; the solver holds the goal
    already.

    `budget` bounds the number of further questions; a half of the cells that cannot all be initial is split until it is
    one.
    """
    scope = session.scope
    assert isinstance(scope, Finite)
    waiting: list[list[Any]] = [[]]
    for position, _, keys in cells(scope, session.protocol):
        state = session.protocol.states[position]
        plain = scope.plain(state.kind) if state.initial is None else literal_value(scope, state.initial)
        same = scope.equal(base.read(state, keys), plain, state.kind)
        if not isinstance(same, bool):
            waiting[0].append(same)
    model = solver.model()
    while waiting:
        group = waiting.pop()
        if not all(z3.is_true(model.eval(same, model_completion=True)) for same in group):
            budget -= 1
            if budget < 0 or solved(solver, *group) != z3.sat:
                half = len(group) // 2
                waiting.extend(part for part in (group[half:], group[:half]) if part and half)
                continue
            model = solver.model()
        solver.add(group)
    return model


def world_of(protocol: Protocol, found: Found) -> World:
    """Return the world in which a model was found."""
    return Finite(protocol, found.sizes, found.steps).world


def trace_of(
    protocol: Protocol, found: Found, row: Row | None, claim: Always | Step, assumed: tuple[Always, ...]
) -> tuple[Trace, str]:
    """Return the counterexample that the interpreter makes of a model, and a sentence about it.

    Raises `ReplayFailed` where the interpreter does not agree that the state before satisfies what is assumed, that the
    row's guard holds, or that the property fails after.
    """
    world = world_of(protocol, found)
    start = state_of(protocol, found)
    if row is None:
        first = isinstance(claim, Always)
        trace = Trace(protocol, world, start, (), None, first)
        _ensure(not holds(claim.term, start, world), claim, "the first state", trace)
        state = "the first state" if first else "a state that satisfies every invariant"
        return trace.because(claim), f"{claim.id} fails in {state}"
    before = (*assumed, *companions(protocol, claim, row))
    evaluation = Evaluation(world, start)
    for id, term in [(one.id, one.term) for one in protocol.assumptions] + [(one.id, one.term) for one in before]:
        if not evaluation.value(term, {}):
            raise ReplayFailed(f"{protocol.name}: {row.id} × {claim.id}: the state before does not satisfy {id}")
    return broken(protocol, world, start, found, row, claim)


def breaks(
    protocol: Protocol, found: Found, row: Row, claims: Iterable[Always | Step], assumed: Iterable[Always]
) -> set[str]:
    """Return the ids of the properties that a row breaks from the state of a model, as the interpreter replays it.

    The moment is that of the model where the property is one of every record, else the end of the row. Nothing is
    broken from a state that does not satisfy what is assumed.
    """
    world, start = world_of(protocol, found), state_of(protocol, found)
    known: tuple[Always | Assumption, ...] = (*protocol.assumptions, *assumed)
    evaluation = Evaluation(world, start)
    if not all(evaluation.value(one.term, {}) for one in known):
        return set()
    ids = set()
    for claim in claims:
        at = _moment_of(found, row, claim)
        beside = companions(protocol, claim, row)
        if at is None or not all(evaluation.value(one.term, {}) for one in beside):
            continue
        with suppress(ReplayFailed, EvaluationError):
            broken(protocol, world, start, at, row, claim)
            ids.add(claim.id)
    return ids


def _moment_of(found: Found, row: Row, claim: Always | Step) -> Found | None:
    """Return a model with the moment at which a property can be broken, None if the model's is none of its moments."""
    if claim.id == WRITTEN_ONCE:
        return found
    if claim.scope != AFTER_EVERY_RECORD or not row.stages:
        return replace(found, stage=len(row.stages) - 1, since=None, chosen=None)
    if found.stage is None or isinstance(claim, Always):
        return found if found.stage is not None else None
    whole = all(not written.binders for written in row.stages[found.stage].written)
    return found if (found.chosen is None) is whole and (whole or found.since != found.chosen) else None


def broken(
    protocol: Protocol, world: World, start: Valuation, found: Found, row: Row, claim: Always | Step
) -> tuple[Trace, str]:
    """Return the last step of a model as the interpreter replays it from a state, and a sentence about it.

    Raises `ReplayFailed` where the interpreter does not agree that the row's guard holds, or that the property fails.
    """
    binding = binding_of(row, found)
    if not holds(protocol.assumed_guard(row), start, world, binding=binding):
        raise ReplayFailed(f"{protocol.name}: {row.id} × {claim.id}: the row is not enabled, or its event not assumed")
    if claim.id == WRITTEN_ONCE:
        trace = Trace(protocol, world, start, (), None, False)
        message = twice_in_last_state(trace, row, binding)
        return replace(trace, failure=failure_of(claim, start, world, start, binding)), message
    middle = None
    assert found.stage is not None
    if found.chosen is not None:
        middle = Middle(found.stage, _native_tuples(row, found.stage, found.chosen))
    trace = replay(protocol, world, start, [(row, binding)], middle, initial=False)
    execution = trace.steps[-1]
    if middle is None and found.stage < len(row.stages) - 1:
        trace = Trace(
            protocol, world, start, trace.steps, Middle(found.stage, _all_bindings(row, found.stage, world)), False
        )
    end = trace.end
    if isinstance(claim, Always):
        _ensure(not holds(claim.term, end, world), claim, row.id, trace)
        return trace.because(claim), f"{claim.id} fails {_moment(trace)} {row.id}"
    if claim.scope != "after every record":
        since = start
    elif found.since is not None:
        chosen = _native_tuples(row, found.stage, found.since)
        since = part(row, binding, start, world, found.stage, chosen)
    else:
        since = execution.states[found.stage - 1] if found.stage > 0 else start
    named: Mapping[Var[Any], Any] = binding if claim.by_name else {}
    _ensure(not holds(claim.term, since, world, end, named), claim, row.id, trace)
    return trace.because(claim, since), f"{row.id} makes a step that breaks {claim.id}"


def _ensure(condition: bool, claim: Always | Step, row: str, trace: Trace) -> None:
    if not condition:
        raise ReplayFailed(
            f"{trace.protocol.name}: {row} × {claim.id}: the interpreter finds no violation: {trace.lines()}"
        )


def _moment(trace: Trace) -> str:
    return "after" if trace.middle is None else "in the middle of"


def state_of(protocol: Protocol, found: Found) -> Valuation:
    """Return the state of a model."""
    made: dict[Cell, Any] = {}
    for position, names, value in found.cells:
        state = protocol.states[position]
        keys = tuple(native(n, k) for n, k in zip(names, state.keys, strict=True))
        made[state, keys] = native(value, state.kind)
    return Valuation(made)


def binding_of(row: Row, found: Found) -> dict[Var[Any], Any]:
    """Return the binding of a row's parameters in a model."""
    return {var: native(value, var.kind) for var, value in zip(row.params, found.binding, strict=True)}


def _native_tuples(row: Row, stage: int, chosen: frozenset[tuple[Any, ...]]) -> frozenset[tuple[Any, ...]]:
    depth = max(len(w.binders) for w in row.stages[stage].written)
    result = set()
    for update in row.stages[stage].updates:
        kinds = [v.kind for v in update.binders[:depth]]
        result |= {
            tuple(native(n, k) for n, k in zip(one, kinds, strict=True)) for one in chosen if len(one) == len(kinds)
        }
    return frozenset(result)


def _all_bindings(row: Row, stage: int, world: World) -> frozenset[tuple[Any, ...]]:
    depth = max((len(w.binders) for w in row.stages[stage].written), default=0)
    result: set[tuple[Any, ...]] = set()
    for update in row.stages[stage].updates:
        result |= set(itertools.product(*(world.values(v.kind) for v in update.binders[:depth])))
    return frozenset(result)


__all__ = [
    "EvaluationError",
    "Found",
    "Reader",
    "breaks",
    "broken",
    "enumeration",
    "minimised",
    "read_back",
    "read_cells",
    "trace_of",
]
