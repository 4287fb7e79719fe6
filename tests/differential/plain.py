"""A breadth-first search on the interpreter, by the words of `spec/steps.md`, which shares no search with the product.

It enumerates every state, binding and moment, and keeps all of them: for bounds of some thousand states.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import networkx

from fencepost.model.language import (
    AFTER_EVERY_RECORD,
    Always,
    Bound,
    Evaluation,
    EvaluationError,
    LeadsTo,
    Protocol,
    Row,
    Sometimes,
    Step,
    Term,
    Valuation,
    Var,
    World,
    part,
    run,
)
from fencepost.model.language.kinds import IntKind, Kind, OptionKind, ThresholdKind

Binding = Mapping[Var[Any], Any]


class TooMany(Exception):
    """More states or firings than a plain search keeps."""


@dataclass
class Seen:
    """What the search saw of a protocol at its bound.

    `first` has the level at which a claim is first broken, or a `sometimes` first witnessed; `lasting` the verdict of
    each claim of runs without end: "violated", "inconclusive", "closed" or "vacuous". `deadlock` and `twice` are
    levels too, None where there is none. `fired` and `outside` count by row. `assumed` says that every state that was
    seen satisfies what the protocol assumes of states.
    """

    states: int = 0
    transitions: int = 0
    levels: list[int] = field(default_factory=list)
    fired: dict[str, int] = field(default_factory=dict)
    outside: dict[str, int] = field(default_factory=dict)
    first: dict[str, int] = field(default_factory=dict)
    lasting: dict[str, str] = field(default_factory=dict)
    deadlock: int | None = None
    twice: int | None = None
    begins_outside: bool = False
    assumed: bool = True


class Search:
    """A search while it runs."""

    def __init__(self, protocol: Protocol, bound: Bound, most: int) -> None:
        self.protocol, self.bound, self.most = protocol, bound, most
        self.world = World.of(bound.sizes, protocol.kinds)
        self.seen = Seen(fired={row.id: 0 for row in protocol.rows if row.changes})
        self.seen.outside = dict(self.seen.fired)
        self.level: dict[Valuation, int] = {}
        self.steps: list[tuple[Valuation, str, Valuation]] = []
        self.leaving: list[tuple[Valuation, str]] = []
        self.named = {id for one in protocol.properties if isinstance(one, Step) for id in one.rows}

    # -- states ----------------------------------------------------------------------------------------------------
    def holds(
        self, term: Term[bool], state: Valuation, after: Valuation | None = None, binding: Binding | None = None
    ) -> bool:
        """Return whether a condition holds in a state, or of a step."""
        return bool(Evaluation(self.world, state, None, after).value(term, binding or {}))

    def beginnings(self) -> Iterator[Valuation]:
        """Yield every first state."""
        free = [
            (one, keys)
            for one in self.protocol.states
            if one.initial is None
            for keys in itertools.product(*(self.world.values(kind) for kind in one.keys))
        ]
        for values in itertools.product(*(self.world.values(one.kind) for one, _ in free)):
            state = Valuation(dict(zip(free, values, strict=True)))
            if self.holds(self.protocol.begin, state) and self.holds(self.bound.start, state):
                yield state

    def fits(self, kind: Kind[Any], value: Any) -> bool:
        """Return whether a value is in the range of its kind."""
        if isinstance(kind, OptionKind):
            return value is None or self.fits(kind.of, value)
        if isinstance(kind, (IntKind, ThresholdKind)):
            low, high = self.world.ranges[kind.name]
            return bool(low <= value <= high)
        return True

    def inside(self, state: Valuation) -> bool:
        """Return whether every cell of a state, and every key of one, is in its range."""
        return all(
            self.fits(cell.kind, value) and all(map(self.fits, cell.keys, keys))
            for (cell, keys), value in state.items()
        )

    def writes_outside(self, row: Row, binding: Binding, state: Valuation) -> bool:
        """Return whether a firing writes a cell with a key outside its range, whatever the value."""
        now = state
        for number, stage in enumerate(row.stages):
            here = Evaluation(self.world, now, state)
            for update in stage.updates:
                for values in itertools.product(*(self.world.values(one.kind) for one in update.binders)):
                    inner = {**binding, **dict(zip(update.binders, values, strict=True))}
                    keys = [here.value(key, inner) for key in update.target.keys]
                    if here.value(update.when, inner) and not all(map(self.fits, update.target.state.keys, keys)):
                        return True
            now = run(row, binding, state, self.world).states[number]
        return False

    # -- firings ---------------------------------------------------------------------------------------------------
    def bindings(self, row: Row, state: Valuation) -> Iterator[Binding]:
        """Yield the values of the parameters with which a row fires in a state."""
        table = next(one for one in self.protocol.tables if row in one.rows)
        earlier = itertools.takewhile(lambda one: one is not row, table.rows if table.mode == "first match" else ())
        before = [one.when for one in earlier if one.event is row.event]
        assumed = [one.term for one in self.protocol.inputs if one.event == row.event.name]
        if row.event.name in self.bound.given:
            assumed.append(self.bound.given[row.event.name])
        here = Evaluation(self.world, state)
        for values in itertools.product(*(self.world.values(one.kind) for one in row.params)):
            binding = dict(zip(row.params, values, strict=True))
            holds = all(here.value(term, binding) for term in (row.event.given, *assumed, row.when))
            if holds and not any(here.value(term, binding) for term in before):
                yield binding

    def moments(self, row: Row, binding: Binding, state: Valuation) -> Iterator[tuple[Valuation, list[Valuation]]]:
        """Yield the moments of a firing, each with those that come directly before it."""
        now = state
        for number, stage in enumerate(row.stages):
            binders = max((one.binders for one in stage.written), key=len, default=())
            here = Evaluation(self.world, now, state)
            made: list[tuple[Any, ...]] = []
            for update in stage.updates if binders else ():
                for values in itertools.product(*(self.world.values(one.kind) for one in update.binders)):
                    inner = {**binding, **dict(zip(update.binders, values, strict=True))}
                    key = values[: len(binders)]
                    if here.value(update.when, inner) and key not in made:
                        made.append(key)
            groups = made if binders else [()]
            states = {frozenset[Any](): now}
            for size in range(1, len(groups) + 1):
                for chosen in map(frozenset, itertools.combinations(groups, size)):
                    states[chosen] = part(row, binding, state, self.world, number, chosen)
                    yield states[chosen], [states[chosen - {one}] for one in chosen]
            now = states[frozenset(groups)]

    # -- claims ----------------------------------------------------------------------------------------------------
    def state(self, state: Valuation, level: int, boundary: bool = True) -> None:
        """Evaluate what is claimed of states."""
        for one in self.protocol.properties:
            if isinstance(one, Always) and (boundary or one.scope == AFTER_EVERY_RECORD):
                if not self.holds(one.term, state):
                    self.seen.first.setdefault(one.id, level)
            elif isinstance(one, Sometimes) and boundary and self.holds(one.term, state):
                self.seen.first.setdefault(one.id, level)
        self.seen.assumed &= all(self.holds(one.term, state) for one in self.protocol.assumptions)

    def firing(self, row: Row, binding: Binding, state: Valuation, after: Valuation, level: int) -> None:
        """Evaluate what is claimed of a step, and of the moments in it."""
        moments = list(self.moments(row, binding, state))
        for one in self.protocol.properties:
            if not isinstance(one, Step) or not (row.id in one.rows if one.rows else bool(row.effects)):
                continue
            pairs = [(state, after)]
            if one.scope == AFTER_EVERY_RECORD and moments:
                pairs = [(before, now) for now, earlier in moments for before in earlier]
            if not all(self.holds(one.term, before, now, binding) for before, now in pairs):
                self.seen.first.setdefault(one.id, level)
        for now, _ in moments:
            self.state(now, level, boundary=False)

    # -- the search ------------------------------------------------------------------------------------------------
    def run(self) -> Seen:
        """Search level by level."""
        seen = self.seen
        level = list(self.beginnings())
        seen.begins_outside = not all(map(self.inside, level))
        if seen.begins_outside:
            return seen
        self.level = dict.fromkeys(level, 1)
        seen.transitions = len(level)
        while level:
            seen.levels.append(len(level))
            depth = len(seen.levels)
            for state in level:
                self.state(state, depth)
            level = [new for state in level for new in self.expanded(state, depth)]
        seen.states = len(self.level)
        for one in self.protocol.properties:
            if isinstance(one, LeadsTo):
                seen.lasting[one.id] = self.lasting(one)
        return seen

    def expanded(self, state: Valuation, depth: int) -> Iterator[Valuation]:
        """Fire every row in a state, and yield the states that are new."""
        alive = False
        for row in self.protocol.rows:
            if not row.effects and row.id not in self.named:
                continue
            for binding in self.bindings(row, state):
                if not row.effects:
                    self.firing(row, binding, state, state, depth + 1)
                    continue
                alive = True
                try:
                    after = run(row, binding, state, self.world).after
                except EvaluationError:
                    self.seen.twice = depth if self.seen.twice is None else self.seen.twice
                    continue
                if not self.inside(after) or self.writes_outside(row, binding, state):
                    self.seen.outside[row.id] += 1
                    self.leaving.append((state, row.event.name))
                    continue
                self.seen.fired[row.id] += 1
                self.seen.transitions += 1
                self.steps.append((state, row.event.name, after))
                self.firing(row, binding, state, after, depth + 1)
                if len(self.steps) > self.most:
                    raise TooMany
                if after not in self.level:
                    self.level[after] = depth + 1
                    yield after
        if not alive and not self.protocol.ends and self.seen.deadlock is None:
            self.seen.deadlock = depth

    # -- runs without end ------------------------------------------------------------------------------------------
    def lasting(self, one: LeadsTo) -> str:
        """Return the verdict of a claim of runs without end."""
        triggered = [state for state in self.level if self.holds(one.trigger, state)]
        if not triggered:
            return "vacuous"
        open_ = {state for state in self.level if not self.holds(one.goal, state)}
        moving = [(a, event, b) for a, event, b in self.steps if a != b and a in open_ and b in open_]
        ways: Any = networkx.DiGraph()
        ways.add_nodes_from(open_)
        ways.add_edges_from((a, b) for a, _, b in moving)
        reached = {state for state in triggered if state in open_}
        reached |= {found for state in list(reached) for found in networkx.descendants(ways, state)}
        enabled: dict[str, set[Valuation]] = {}
        for state, event in [(a, event) for a, event, b in self.steps if a != b] + self.leaving:
            enabled.setdefault(event, set()).add(state)
        if self._may_stay(reached, moving, one, enabled):
            return "violated"
        return "inconclusive" if any(state in reached for state, _ in self.leaving) else "closed"

    def _may_stay(
        self,
        states: set[Valuation],
        moving: list[tuple[Valuation, str, Valuation]],
        one: LeadsTo,
        enabled: dict[str, set[Valuation]],
    ) -> bool:
        """Return whether a fair run may stay among some states for ever: it passes a set of them again and again."""
        ways: Any = networkx.DiGraph()
        ways.add_nodes_from(states)
        ways.add_edges_from((a, b) for a, _, b in moving if a in states and b in states)
        for component in networkx.strongly_connected_components(ways):
            taken = {event for a, event, b in moving if a in component and b in component}
            if any(event not in taken and component <= enabled.get(event, set()) for event in one.fair):
                continue
            denied = {
                state
                for event in one.strongly_fair
                if event not in taken
                for state in enabled.get(event, set()) & component
            }
            if not denied or self._may_stay(component - denied, moving, one, enabled):
                return True
        return False


def seen(protocol: Protocol, bound: str = "tiny", most: int = 20_000) -> Seen:
    """Search a protocol at a bound; raises `TooMany` for one of more firings than a plain search keeps."""
    return Search(protocol, protocol.bounds[bound], most).run()


REACH = 4
"""How many numbers beyond a range are seen: a condition that is drawn adds one a few times."""


class Beyond(Search):
    """A search whose states lie in the ranges of the bound, and whose conditions see numbers beyond them too.

    What the end of a range alone decides, such as whether some number is above another, is decided as in a proof.
    """

    def __init__(self, protocol: Protocol, bound: Bound, most: int) -> None:
        super().__init__(protocol, bound, most)
        self.within = self.world.ranges
        counters = {kind.name for kind in protocol.kinds if isinstance(kind, IntKind)}
        self.world = World(
            self.world.entities,
            {name: (low, high + REACH * (name in counters)) for name, (low, high) in self.within.items()},
        )

    def beginnings(self) -> Iterator[Valuation]:
        """Yield every first state in the ranges."""
        return filter(self.inside, super().beginnings())

    def fits(self, kind: Kind[Any], value: Any) -> bool:
        """Return whether a value is in the range of the bound."""
        if isinstance(kind, (IntKind, ThresholdKind)):
            low, high = self.within[kind.name]
            return bool(low <= value <= high)
        return super().fits(kind, value)

    def inside(self, state: Valuation) -> bool:
        """Return whether every value of a state is in its range; keys may be beyond."""
        return all(self.fits(cell.kind, value) for (cell, _), value in state.items())

    def writes_outside(self, row: Row, binding: Binding, state: Valuation) -> bool:
        """Return that no key leads out."""
        return False


def seen_beyond(protocol: Protocol, bound: str = "tiny", most: int = 200_000) -> Seen:
    """Search a protocol at a bound whose conditions see numbers beyond its ranges; raises `TooMany` as `seen` does."""
    return Beyond(protocol, protocol.bounds[bound], most).run()
