"""Fairness to parts of an event: what a run has to be fair to under a leads-to property, and its claims for each value."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from .properties import LeadsTo
from .terms import Lit, Var
from .walk import substitute

if TYPE_CHECKING:
    from .interpreter import World
    from .tables import Row


@dataclass(frozen=True)
class Fair:
    """The subject of a fairness condition: an event, or those of its firings whose parameters have some values."""

    event: str
    strong: bool
    values: tuple[tuple[Var[Any], Any], ...] = ()

    def has(self, row: Row, binding: Mapping[Var[Any], Any]) -> bool:
        """Return whether a firing is one of these."""
        return row.event.name == self.event and all(binding[var] == value for var, value in self.values)


def fairness(one: LeadsTo, rows: tuple[Row, ...], world: World) -> tuple[Fair, ...]:
    """Return what runs must be fair to, the weakly fair first."""
    found: list[Fair] = []
    for name in one.fair_events:
        strong = name in one.strongly_fair
        by = one.fair_params(name)
        of = next((row.params for row in rows if row.event.name == name), ())
        params = [var for param in by for var in of if var.name == param]
        if len(params) == len(by):
            for values in itertools.product(*(world.values(var.kind) for var in params)):
                found.append(Fair(name, strong, tuple(zip(params, values, strict=True))))
    return tuple(found)


def instances(one: LeadsTo, world: World) -> Iterator[tuple[LeadsTo, dict[Var[Any], Any]]]:
    """Yield the claim for each value of its variables, with these."""
    for values in itertools.product(*(world.values(var.kind) for var in one.each)):
        given = {var: Lit(value, var.kind) for var, value in zip(one.each, values, strict=True)}
        claim = replace(one, trigger=substitute(one.trigger, given), goal=substitute(one.goal, given), each=())
        yield claim, dict(zip(one.each, values, strict=True))
