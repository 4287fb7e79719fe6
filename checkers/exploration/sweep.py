"""Sweeps: a bound explored at one size after the other, how the states grow, and which size a budget still allows."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from fencepost.checkers.document import Document
from fencepost.checkers.verdicts import Refusal, Verdict
from fencepost.model.language import Protocol

from .engine import explore
from .result import Exploration

FURTHEST = 64
"""Sizes beyond the last that are estimated at most."""


@dataclass(frozen=True)
class Growth(Document):
    """How states grow with a size.

    By the `law` "exponential" they are a constant times `factor` ** size, by "power" a constant times size ** `factor`.
    `error` is the largest relative error at the sizes that it is fitted to, `sizes` how many these are.
    """

    DOCUMENT = "law factor error sizes text"

    law: Literal["exponential", "power"]
    factor: float
    error: float
    sizes: int

    def times(self, size: int, last: int) -> float:
        """Return by how much states grow from one size to another."""
        if self.law == "exponential":
            return float(self.factor ** (size - last))
        return float((size / last) ** self.factor)

    def text(self) -> str:
        """Return it in words."""
        law = f"{self.factor:.3g} times as many with each one more" if self.law == "exponential" else ""
        law = law or f"as the size to the power of {self.factor:.3g}"
        return f"{law}, fitted to {self.sizes} sizes, off by {self.error:.0%} at most"


@dataclass(frozen=True)
class Sweep:
    """A bound at the sizes of one kind: an exploration each, the last of which may have ended at the budget.

    `growth` is None for fewer than two sizes that closed. `largest` is an estimate: the largest size at which the law
    stays within `budget` states, `estimate` how many it gives there; None without a law, or where it allows any size.
    """

    kind: str
    explorations: Mapping[int, Exploration]
    budget: int
    growth: Growth | None
    largest: int | None
    estimate: int | None

    @property
    def verdict(self) -> Verdict:
        """The first of violated, vacuous and inconclusive that some size has, else closed."""
        found = {one.verdict for one in self.explorations.values()}
        order = (Verdict.VIOLATED, Verdict.VACUOUS, Verdict.INCONCLUSIVE)
        return next((one for one in order if one in found), Verdict.CLOSED)


def fitted(counts: Mapping[int, int]) -> Growth | None:
    """Return the law that fits counts by size better; None for fewer than two, exponential for two."""
    if len(counts) < 2:
        return None
    sizes, logs = np.array(list(counts), float), np.log(np.array(list(counts.values()), float))
    laws: list[Growth] = []
    names: Sequence[Literal["exponential", "power"]] = ("exponential", "power")
    for law, at in zip(names, (sizes, np.log(np.maximum(sizes, 1))), strict=True):
        slope, constant = np.polyfit(at, logs, 1)
        error = float(np.max(np.abs(np.exp(slope * at + constant - logs) - 1)))
        laws.append(Growth(law, math.exp(slope) if law == "exponential" else float(slope), error, len(counts)))
    return laws[0] if len(counts) == 2 or sizes[0] < 1 else min(laws, key=lambda one: one.error)


def sweep(
    protocol: Protocol,
    bound: str,
    kind: str,
    sizes: Sequence[int],
    *,
    budget: int,
    others: Mapping[str, int] | None = None,
    orbits: bool = False,
    progress: Callable[[int, int, int, int, float], None] | None = None,
) -> Sweep:
    """Explore a bound at each size of a kind until one has more states than the budget.

    Raises `Refusal` for a kind that the protocol has not, or no sizes.
    """
    if not sizes:
        raise Refusal(f"--sweep {kind}: has no sizes; write the smaller one first, as in --sweep {kind}=2..4")
    found: dict[int, Exploration] = {}
    for size in sizes:
        found[size] = explore(
            protocol,
            bound,
            sizes={**(others or {}), kind: size},
            max_states=budget,
            orbits=orbits,
            progress=None if progress is None else lambda *told, size=size: progress(size, *told),
        )
        if found[size].verdict is Verdict.INCONCLUSIVE and found[size].distinct > budget:
            break
    closed = {size: one.distinct for size, one in found.items() if one.distinct <= budget}
    growth = fitted(closed)
    largest, estimate = None, None
    if growth is not None:
        last = max(closed)
        for size in range(last, last + FURTHEST):
            states = closed[last] * growth.times(size, last)
            if states > budget:
                break
            largest, estimate = size, round(states)
        else:
            largest, estimate = None, None
    return Sweep(kind, found, budget, growth, largest, estimate)
