"""The moments inside a row, and the properties that a state and a move show, both by the interpreter."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from fencepost.checkers.counterexample import Middle, holds
from fencepost.model.language import (
    Always,
    Evaluation,
    Execution,
    Property,
    Protocol,
    Row,
    Sometimes,
    Stage,
    Step,
    Valuation,
    Var,
    World,
    part,
)
from fencepost.model.language.interpreter import bindings
from fencepost.model.language.properties import AFTER_EVERY_RECORD

from .traces import Move


@dataclass(frozen=True)
class Moment:
    """A state inside a row, and the moments that come directly before it, by stage and chosen bindings."""

    middle: Middle
    state: Valuation
    earlier: tuple[Valuation, ...]


def groups(
    stage: Stage, binding: Mapping[Var[Any], Any], before: Valuation, now: Valuation, world: World
) -> list[tuple[Any, ...]]:
    """Return the bindings whose records a stage writes, each of which may be applied or not yet."""
    depth = max((len(w.binders) for w in stage.written), default=0)
    if depth == 0:
        return [()]
    evaluation = Evaluation(world, now, before)
    found: dict[tuple[Any, ...], None] = {}
    for update in stage.updates:
        for inner in bindings(update.binders, binding, world):
            if evaluation.value(update.when, inner):
                found.setdefault(tuple(inner[v] for v in update.binders[:depth]))
    return list(found)


def moments(row: Row, binding: Mapping[Var[Any], Any], state: Valuation, world: World) -> Iterator[Moment]:
    """Yield every moment of a row: after each stage, and within a stage after any of its records.

    A firing of records of which none is written, and one of a row without effects, has none: it is one step as a whole.
    """
    now = state
    for number, stage in enumerate(row.stages):
        keys = groups(stage, binding, state, now, world)
        by_chosen: dict[frozenset[tuple[Any, ...]], Valuation] = {frozenset(): now}
        for size in range(1, len(keys) + 1):
            for some in itertools.combinations(keys, size):
                chosen = frozenset(some)
                after = part(row, binding, state, world, number, chosen)
                by_chosen[chosen] = after
                yield Moment(Middle(number, chosen), after, tuple(by_chosen[chosen - {key}] for key in some))
        now = by_chosen[frozenset(keys)]


@dataclass(frozen=True)
class Place:
    """Where a property is broken, or witnessed: at a depth in a state, or in the move that leads on from the state.

    `middle` is the moment inside the move, None for its end.
    """

    depth: int
    state: Valuation
    move: Move | None = None
    middle: Middle | None = None


@dataclass
class Search:
    """The properties that states and moves are searched for, and the first place of each that was found."""

    protocol: Protocol
    world: World
    claims: Sequence[Property]
    found: dict[str, Place] = field(default_factory=dict)

    def state(self, state: Valuation, place: Place, boundary: bool = True) -> None:
        """Evaluate the properties of states; those of results only where the state is the end of a row."""
        for one in self.claims:
            if one.id in self.found or not isinstance(one, (Always, Sometimes)):
                continue
            if not boundary and (isinstance(one, Sometimes) or one.scope != AFTER_EVERY_RECORD):
                continue
            if holds(one.term, state, self.world) == isinstance(one, Sometimes):
                self.found[one.id] = place

    def move(self, state: Valuation, move: Move, after: Valuation, depth: int) -> None:
        """Evaluate the properties of steps on a move, and those that hold after every record at each of its moments."""
        row, binding = move
        steps = [one for one in self.claims if isinstance(one, Step) and one.id not in self.found and one.is_of(row)]
        records = any(isinstance(p, (Always, Step)) and p.scope == AFTER_EVERY_RECORD for p in self.protocol.properties)
        inside = list(moments(row, binding, state, self.world)) if records else []
        for one in steps:
            whole = one.scope != AFTER_EVERY_RECORD or not inside
            if whole and not holds(one.term, state, self.world, after, binding):
                self.found[one.id] = Place(depth, state, move)
        for moment in inside:
            place = Place(depth, state, move, moment.middle)
            self.state(moment.state, place, boundary=False)
            for one in steps:
                if one.scope == AFTER_EVERY_RECORD and one.id not in self.found:
                    for earlier in moment.earlier:
                        if not holds(one.term, earlier, self.world, moment.state, binding):
                            self.found[one.id] = place


def shown_here(protocol: Protocol, world: World, state: Valuation, last: Execution | None) -> dict[str, Middle | None]:
    """Return what a state and the row that led to it show: properties that are broken, and a `Sometimes` that is
    witnessed, each with the moment inside the row at which it is, None for its end."""
    search = Search(protocol, world, protocol.properties)
    search.state(state, Place(1, state))
    if last is not None:
        search.move(last.before, (last.row, last.binding), last.after, 1)
    return {id: place.middle for id, place in search.found.items()}
