"""Behaviour that only one of two designs has, as `whatif` and `diff` tell it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from .counterexamples import told

if TYPE_CHECKING:
    from fencepost.checkers.comparing.behaviour import Behaviour


def parted(mine: Behaviour) -> Iterator[str]:
    """Yield of each kind of behaviour whether it is found, at which bound, and what it means that it is not."""
    for name in ("gained", "lost"):
        shortest = mine.shortest(name)
        if name not in mine.possible:
            yield f"  behaviour {name}: none, as no row can have any"
        elif shortest is not None:
            one, run = shortest
            yield f"  behaviour {name}: after {len(run.steps) - 1} common steps, at {one.protocol} at {one.bound}"
        elif not mine.parted:
            yield f"  behaviour {name}: not compared: no bound of both has a row that changed, or --in-step is 0"
        else:
            said = "; ".join(f"at {one.protocol} at {one.bound} {one.none_text()}" for one in mine.parted)
            yield f"  behaviour {name}: {said}"


def gained(mine: Behaviour, base: str, variant: str, details: bool = False) -> Iterator[str]:
    """Yield the shortest runs to what only one of the two designs does."""
    for name, whose in (("gained", variant), ("lost", base)):
        shortest = mine.shortest(name)
        if shortest is not None:
            yield ""
            yield from told(shortest[1], [f"behaviour {name}, the last step is of {whose} only:"], details)
