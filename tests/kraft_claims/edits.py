"""An edit of a row, the row that a claim is checked for, and the claim that falls."""

from collections.abc import Callable
from dataclasses import dataclass

from fencepost.model.kraft import KRAFT
from fencepost.model.language import Protocol


@dataclass(frozen=True)
class Mutant:
    """An edit, the row that the claim is checked for, and the claim that falls."""

    claim: str
    row: str
    about: str
    make: Callable[[], Protocol]


def but(id: str, *effects: object) -> Protocol:
    """Return the KRaft tables with other effects in one row."""
    return KRAFT.but(id, effects=effects, why="a mutant")
