"""Breadth-first search with the plain interpreter: slow and obvious, for small bounds of the example protocols."""

import itertools
from dataclasses import dataclass, field
from typing import Any

from fencepost.model.language import TRUE, Always, Bound, Evaluation, Protocol, Row, Valuation, World, run, satisfying
from fencepost.model.language.kinds import IntKind, OptionKind


@dataclass(frozen=True)
class Found:
    """What a search saw: distinct states, transitions (with initial states), levels, how often each row fired."""

    distinct: int
    transitions: int
    depth: int
    fired: dict[str, int]
    violated: dict[str, int]
    dead: int | None
    states: frozenset[Valuation] = field(repr=False)


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


def successors(protocol: Protocol, bound: Bound, state: Valuation, world: World) -> list[tuple[Row, Valuation]]:
    """Return a successor for each enabled row and binding, without rows that change nothing or leave a range."""
    found = []
    for row in protocol.rows:
        if row.changes:
            guard = protocol.guard(row) & bound.given.get(row.event.name, TRUE)
            for binding in satisfying(guard, row.params, state, world):
                after = run(row, binding, state, world).after
                if in_range(after, world):
                    found.append((row, after))
    return found


def search(protocol: Protocol, bound: Bound) -> Found:
    """Search every reachable state. Levels count from 1: of a property's first violation, and of the first dead end."""
    world = World.of(bound.sizes, protocol.kinds)
    front = initial_states(protocol, bound)
    seen = set(front)
    transitions, depth = len(front), 0
    fired = {row.id: 0 for row in protocol.rows}
    violated: dict[str, int] = {}
    dead: int | None = None
    while front:
        depth += 1
        following = []
        for state in front:
            evaluation = Evaluation(world, state)
            for one in protocol.properties:
                if isinstance(one, Always) and one.id not in violated and not evaluation.value(one.term, {}):
                    violated[one.id] = depth
            enabled = successors(protocol, bound, state, world)
            dead = dead or (None if enabled else depth)
            for row, after in enabled:
                transitions += 1
                fired[row.id] += 1
                if after not in seen:
                    seen.add(after)
                    following.append(after)
        front = following
    return Found(len(seen), transitions, depth, fired, violated, dead, frozenset(seen))
