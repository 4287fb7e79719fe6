"""Variations of a question to the solver that change nothing of what it asks."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Literal, TypeVar

Way = Literal["renaming", "reordering", "seed"]
WAYS: tuple[Way, ...] = ("renaming", "reordering", "seed")

T = TypeVar("T")


@dataclass(frozen=True)
class Variation:
    """The names of symbols and the order of assertions, as one number of one way has them; 0 leaves all as it is."""

    way: Way = "seed"
    number: int = 0

    def name(self, base: str, number: int) -> str:
        """Return the name of a symbol: what it is for and its number, or a random one with its number."""
        if self.way != "renaming" or not self.number:
            return f"{base}!{number}"
        return f"s{random.Random(f'{self.number} {number}').getrandbits(40):x}!{number}"

    def order(self, assertions: list[T]) -> list[T]:
        """Return assertions in the order of the variation."""
        if self.way == "reordering" and self.number:
            random.Random(self.number).shuffle(assertions)
        return assertions


PLAIN = Variation()
