"""Scenarios: rows by their ids and parameters by their names, run by the interpreter from a first state."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import Any

from fencepost.checkers.counterexample import Trace, replay
from fencepost.model.language import Protocol, State, Term, Valuation, World
from fencepost.model.language.terms import Get

Step = tuple[str, Mapping[str, Any]]


def cell(term: Term[Any], *keys: Any) -> tuple[State[Any], tuple[Any, ...]]:
    """Return the cell of a state variable at concrete keys; the term is the variable read anywhere."""
    assert isinstance(term, Get)
    return term.state, keys


def play(protocol: Protocol, sizes: Mapping[str, int], first: Mapping[Any, Any], *steps: Step) -> Trace:
    """Run the rows from the first cells; raises `ReplayFailed` where a guard does not hold."""
    world = World.of(sizes, protocol.kinds)
    start: dict[Any, Any] = {}
    for state in protocol.states:
        if state.initial is None:
            for keys in itertools.product(*(world.values(kind) for kind in state.keys)):
                start[state, keys] = world.values(state.kind)[0]
    chosen = []
    for id, values in steps:
        row = protocol.row(id)
        chosen.append((row, {param: values[param.name] for param in row.params}))
    return replay(protocol, world, Valuation({**start, **first}), chosen)


def wrote(trace: Trace) -> list[list[str]]:
    """Return the records of each step, in the order of its stages."""
    return [[str(record) for group in step.records for record in group] for step in trace.steps]
