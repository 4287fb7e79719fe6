"""Breadth-first search with the plain interpreter: slow and obvious, for small bounds of the example protocols."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any

from fencepost.model.language import Bound, Evaluation, Protocol, Row, Valuation, World, run, satisfying
from fencepost.model.language.kinds import IntKind, OptionKind


@dataclass(frozen=True)
class Found:
    """What a search saw: distinct states, transitions (initial states included), levels, and how often each row fired."""

    distinct: int
    transitions: int
    depth: int
    fired: dict[str, int]
    violated: dict[str, int]


def initial_states(protocol: Protocol, bound: Bound) -> list[Valuation]:
    """Return every initial state of a bound."""
    world = World.of(bound.sizes, protocol.kinds)
    free = [
        (state, keys)
        for state in protocol.states
        if state.initial is None
        for keys in itertools.product(*(world.values(kind) for kind in state.keys))
    ]
    found = []
    for values in itertools.product(*(world.values(state.kind) for state, _ in free)):
        candidate = Valuation(dict(zip(free, values, strict=True)))
        evaluation = Evaluation(world, candidate)
        if evaluation.value(protocol.start, {}) and evaluation.value(bound.start, {}):
            found.append(candidate)
    return found


def in_range(state: Valuation, world: World) -> bool:
    """Return whether every counter of a state, and every counter that is a key, is in its range."""

    def fits(kind: Any, value: Any) -> bool:
        if isinstance(kind, OptionKind):
            return value is None or fits(kind.of, value)
        return not isinstance(kind, IntKind) or world.ranges[kind.name][0] <= value <= world.ranges[kind.name][1]

    return all(
        fits(variable.kind, value) and all(fits(kind, key) for kind, key in zip(variable.keys, keys, strict=True))
        for (variable, keys), value in state.items()
    )


def successors(protocol: Protocol, state: Valuation, world: World) -> list[tuple[Row, Valuation]]:
    """Return one successor for each row and binding that is enabled, rows that change nothing and range-leaving ones left out."""
    found = []
    for row in protocol.rows:
        if row.changes:
            for binding in satisfying(protocol.guard(row), row.params, state, world):
                after = run(row, binding, state, world).after
                if in_range(after, world):
                    found.append((row, after))
    return found


def search(protocol: Protocol, bound: Bound) -> Found:
    """Search every reachable state; a property is violated at the level (the first is 1) of its first violation."""
    from fencepost.model.language import Always

    world = World.of(bound.sizes, protocol.kinds)
    front = initial_states(protocol, bound)
    seen = set(front)
    transitions, depth = len(front), 0
    fired = {row.id: 0 for row in protocol.rows}
    violated: dict[str, int] = {}
    while front:
        depth += 1
        following = []
        for state in front:
            evaluation = Evaluation(world, state)
            for one in protocol.properties:
                if isinstance(one, Always) and one.id not in violated and not evaluation.value(one.term, {}):
                    violated[one.id] = depth
            for row, after in successors(protocol, state, world):
                transitions += 1
                fired[row.id] += 1
                if after not in seen:
                    seen.add(after)
                    following.append(after)
        front = following
    return Found(len(seen), transitions, depth, fired, violated)
