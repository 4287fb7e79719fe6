"""Conditions taken apart: conjuncts, their instances over literals, and the order in which to bind parameters."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fencepost.checkers.conjuncts import conjuncts
from fencepost.model.language import Bound, Evaluation, Execution, Protocol, Row, Valuation, World
from fencepost.model.language.interpreter import CellKey, bindings
from fencepost.model.language.kinds import IntKind, Kind, OptionKind, ThresholdKind
from fencepost.model.language.terms import FALSE, TRUE, Eq, Get, Lit, Named, Not, Quant, Term, Var
from fencepost.model.language.walk import free, nodes, substitute


def guard(protocol: Protocol, bound: Bound, row: Row) -> Term[bool]:
    """Return the effective guard of a row in a bound: with the bound's own assumption on the row's event."""
    return protocol.bounded_guard(row, bound)


def instances(term: Term[bool], world: World) -> Iterator[Term[bool]]:
    """Yield the conjuncts of a condition, every universal one replaced by its instances over literals."""
    for one in conjuncts(term):
        inner = one
        while isinstance(inner, Named):
            inner = inner.term
        if isinstance(inner, Quant) and inner.quantifier == "every":
            for value in world.values(inner.var.kind):
                yield from instances(substitute(inner.body, {inner.var: Lit(value, inner.var.kind)}), world)
        else:
            yield one


def speaks_of(term: Term[Any], cells: list[CellKey]) -> frozenset[int]:
    """Return the positions among the cells that a condition without free variables may read."""
    found: set[int] = set()
    for node in nodes(term):
        if isinstance(node, Get):
            literal = all(isinstance(key, Lit) for key in node.keys)
            keys = tuple(key.value for key in node.keys if isinstance(key, Lit))
            found.update(
                i for i, (state, at) in enumerate(cells) if state is node.state and (not literal or at == keys)
            )
    return frozenset(found)


def solution(condition: Term[bool], variable: Var[Any], bound: frozenset[Var[Any]]) -> Term[Any] | None:
    """Return the term that a condition says the variable equals, if it says so over variables bound already."""
    while isinstance(condition, Named):
        condition = condition.term
    if condition is variable:
        return TRUE
    if isinstance(condition, Not) and condition.term is variable:
        return FALSE
    if isinstance(condition, Eq):
        for one, other in ((condition.left, condition.right), (condition.right, condition.left)):
            if one is variable and free(other) <= bound:
                return other
    return None


def binding_order(
    params: tuple[Var[Any], ...],
    conditions: tuple[Term[bool], ...],
    world: World,
    bound: frozenset[Var[Any]] = frozenset(),
) -> tuple[Var[Any], ...]:
    """Return the parameters, those that an equation determines or that most conditions wait for first; others are
    `bound` already.
    """
    left, order = list(params), []
    while left:

        def rank(variable: Var[Any], bound: frozenset[Var[Any]] = bound) -> tuple[int, int, int]:
            solved = any(solution(c, variable, bound) is not None for c in conditions)
            ready = sum(1 for c in conditions if variable in free(c) and free(c) <= bound | {variable})
            return (-solved, -(ready > 0), len(world.values(variable.kind)))

        best = min(left, key=rank)
        left.remove(best)
        order.append(best)
        bound |= {best}
    return tuple(order)


def fits(kind: Kind[Any], value: Any, world: World) -> bool:
    """Return whether a value is inside the range of its kind."""
    if isinstance(kind, OptionKind):
        return value is None or fits(kind.of, value, world)
    if isinstance(kind, (IntKind, ThresholdKind)):
        low, high = world.ranges[kind.name]
        return bool(low <= value <= high)
    return True


def inside(state: Valuation, world: World) -> bool:
    """Return whether every cell of a state, and every key of one, is inside its range."""
    return all(
        fits(cell.kind, value, world) and all(fits(k, key, world) for k, key in zip(cell.keys, keys, strict=True))
        for (cell, keys), value in state.items()
    )


def stays(execution: Execution, world: World) -> bool:
    """Return whether a firing leaves no range: the state after it is inside, and so is every key that it writes at."""
    if not inside(execution.after, world):
        return False
    row, now, before = execution.row, execution.before, Evaluation(world, execution.before)
    for stage, after in zip(row.stages, execution.states, strict=True):
        here = Evaluation(world, now, before)
        for update in stage.updates:
            keys = update.target.state.keys
            if any(isinstance(kind, (IntKind, ThresholdKind)) for kind in keys):
                for inner in bindings(update.binders, execution.binding, world):
                    at = (
                        (here.value(key, inner) for key in update.target.keys) if here.value(update.when, inner) else ()
                    )
                    if not all(fits(kind, key, world) for kind, key in zip(keys, at, strict=False)):
                        return False
        now = after
    return True
