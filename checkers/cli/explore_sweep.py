"""`fencepost explore --sweep`: a bound at one size after the other, and how its states grow."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from fencepost.checkers.codes import exploration_code
from fencepost.checkers.verdicts import Refusal, headline, worst
from fencepost.model.language import Protocol

from .outcome import Outcome
from .terminal import watching

if TYPE_CHECKING:
    from fencepost.checkers.exploration import Sweep

BUDGET = 1_000_000
"""States after which a size ends the sweep, where --max-states says nothing."""


def swept(
    protocol: Protocol, bound: str, setting: str, sizes: Mapping[str, int], budget: int | None, orbits: bool
) -> Outcome:
    """Explore a bound at several sizes of a kind, and return counts and growth as the command's outcome."""
    from fencepost.checkers.exploration import sweep

    kind, low, high = parsed(setting)
    with watching(f"exploring {protocol.name} at {bound}") as tell:
        found = sweep(
            protocol,
            bound,
            kind,
            range(low, high + 1),
            budget=budget or BUDGET,
            others=sizes,
            orbits=orbits,
            progress=lambda size, depth, distinct, _, seconds: tell(
                f"{kind} {size}: depth {depth}, {distinct:,} states, {seconds:.0f} s"
            ),
        )
    code = worst(exploration_code(one) for one in found.explorations.values())
    fields = {
        "protocol": protocol.name,
        "bound": bound,
        "kind": kind,
        "budget": found.budget,
        "sizes": [{"size": size, **one.as_json()} for size, one in found.explorations.items()],
        "growth": found.growth,
        "largest": found.largest,
        "estimate": found.estimate,
    }
    lines = page(found, protocol, bound)
    lines[0] = f"{protocol.name} at {bound}, {kind} {low} to {high}: {headline(code, found.verdict)}"
    return Outcome("explore", found.verdict.value, code, fields, lines, protocol.hash)


def parsed(setting: str) -> tuple[str, int, int]:
    """Return kind and sizes of `KIND=LOW..HIGH`; raises `Refusal` for anything else."""
    found = re.fullmatch(r"\s*([^=]+?)\s*=\s*(\d+)\.\.(\d+)\s*", setting)
    if found is None or int(found[2]) > int(found[3]):
        raise Refusal(f"--sweep {setting}: is no range; write a kind and two sizes, as in --sweep Broker=2..4")
    return found[1], int(found[2]), int(found[3])


def page(found: Sweep, protocol: Protocol, bound: str) -> list[str]:
    """Return a sweep as text: a line for each size, the growth, and the largest size that the budget allows."""
    lines = [""]
    for size, one in found.explorations.items():
        over = "" if one.distinct <= found.budget else f", more than {found.budget:,}: the sweep ends here"
        states = f"{one.distinct:,} states" if one.orbits is None else f"{one.distinct:,} orbits"
        lines.append(
            f"  {found.kind} {size}: {one.verdict.value}, {states}, {one.generated:,} generated, depth {one.depth}, "
            f"{one.seconds:.1f} s{over}"
        )
    if found.growth is None:
        return [*lines, "  no growth can be fitted to fewer than two sizes that stay within the budget"]
    lines.append(f"  growth: {found.growth.text()}")
    if found.largest is None:
        return [*lines, f"  by this law {found.budget:,} states suffice far beyond the sizes that were explored"]
    seen = found.largest in found.explorations
    estimate = "as seen" if seen else f"an estimate, of {found.estimate:,} states"
    return [*lines, f"  the largest size within {found.budget:,} states is {found.kind} {found.largest} ({estimate})"]
