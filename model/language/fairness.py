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
    """The subject of a fairness condition: an event, or those of its firings whose parameter has a value."""

    event: str
    strong: bool
    param: str = ""
    value: Any = None

    def has(self, row: Row, binding: Mapping[Var[Any], Any]) -> bool:
        """Return whether a firing is one of these."""
        return row.event.name == self.event and (
            not self.param or any(var.name == self.param and value == self.value for var, value in binding.items())
        )


def fairness(one: LeadsTo, rows: tuple[Row, ...], world: World) -> tuple[Fair, ...]:
    """Return what runs must be fair to, the weakly fair first."""
    by = dict(one.fair_by)
    found: list[Fair] = []
    for name in one.fair_events:
        strong = name in one.strongly_fair
        params = {var for row in rows if row.event.name == name for var in row.params if var.name == by.get(name)}
        if name not in by:
            found.append(Fair(name, strong))
        for var in sorted(params, key=str)[:1]:
            found += [Fair(name, strong, var.name, value) for value in world.values(var.kind)]
    return tuple(found)


def instances(one: LeadsTo, world: World) -> Iterator[tuple[LeadsTo, dict[Var[Any], Any]]]:
    """Yield the claim for each value of its variables, with these."""
    for values in itertools.product(*(world.values(var.kind) for var in one.each)):
        given = {var: Lit(value, var.kind) for var, value in zip(one.each, values, strict=True)}
        claim = replace(one, trigger=substitute(one.trigger, given), goal=substitute(one.goal, given), each=())
        yield claim, dict(zip(one.each, values, strict=True))
