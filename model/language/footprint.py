"""Footprints: which variables a term reads and a row writes, and where the records of a stage may get in each other's way."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from .effects import Stage, Update
from .state import State
from .tables import Row
from .terms import Before, Get, Term, Var
from .walk import children, nodes

_variables: dict[Term[Any], frozenset[State[Any]]] = {}


def variables(term: Term[Any]) -> frozenset[State[Any]]:
    """Return the state variables that a term speaks of, at whatever moment."""
    found = _variables.get(term)
    if found is None:
        found = _variables[term] = frozenset(node.state for node in nodes(term) if isinstance(node, Get))
    return found


def touched(row: Row) -> frozenset[State[Any]]:
    """Return the state variables that a row writes, be it in its own effects, in procedures or by replaying its records."""
    return frozenset(update.target.state for stage in row.stages for update in stage.updates)


def now(*terms: Term[Any]) -> Iterator[Get[Any]]:
    """Yield the cells that terms of a stage read in the state which the stage starts from, once each."""
    seen: set[Term[Any]] = set()
    stack: list[Term[Any]] = list(terms)
    while stack:
        node = stack.pop()
        if node in seen or isinstance(node, Before):
            continue
        seen.add(node)
        if isinstance(node, Get):
            yield node
        stack.extend(children(node))


def read_by(update: Update) -> tuple[Get[Any], ...]:
    """Return the cells that an update reads in the state which its stage starts from."""
    return tuple(now(update.when, update.value, *update.target.keys))


@dataclass(frozen=True)
class Meeting:
    """Two records of one stage may meet in a cell: one writes it, the other writes it, too, or reads it."""

    written: Get[Any]
    other: Get[Any]
    reads: bool

    def __str__(self) -> str:
        return f"{self.written} is written by one record and {'read' if self.reads else 'written'} by another"


def _apart(one: Get[Any], other: Get[Any], binders: frozenset[Var[Any]]) -> bool:
    """Whether two cells of one variable differ for any two bindings: each binder is a key of both at one place."""
    at = {key for key, there in zip(one.keys, other.keys, strict=True) if isinstance(key, Var) and key is there}
    return binders <= at


def meetings(stage: Stage) -> Iterator[Meeting]:
    """Yield where two records of a stage may meet; of a stage without any, the order of its records does not matter.

    A stage of one record has none. What is found is a place to look at: a condition may rule it out.
    """
    binders = frozenset[Var[Any]]().union(*(written.binders for written in stage.written))
    if not binders:
        return
    for update in stage.updates:
        for other in stage.updates:
            reads = [one for one in read_by(other) if one.state is update.target.state]
            for cell, is_read in [*((one, True) for one in reads), (other.target, False)]:
                if cell.state is update.target.state and not _apart(update.target, cell, binders):
                    yield Meeting(update.target, cell, is_read)
