"""Budgets: when a search ends before its end, and how far it is meanwhile."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from pathlib import Path

from fencepost.checkers.verdicts import Refusal


def resident() -> int:
    """Return the bytes of memory that this process has; where the system does not tell, the most it ever had.

    It is 0 where the system reports neither, as Windows.
    """
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError, AttributeError):
        try:
            import resource
        except ModuleNotFoundError:
            return 0
        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return most if sys.platform == "darwin" else most * 1024


@dataclass(frozen=True)
class Spent:
    """A budget that is spent, in words, and the option that raises it."""

    what: str
    option: str


@dataclass(frozen=True)
class Budget:
    """What a search may spend: states that are stored, bytes of memory of the whole process, seconds; None for any."""

    max_states: int | None = None
    max_memory: int | None = None
    max_seconds: float | None = None

    def spent(self, states: int, seconds: float) -> Spent | None:
        """Return which budget is spent, None for none.

        Raises `Refusal` for a budget of memory where the system does not tell how much is used.
        """
        if self.max_states is not None and states > self.max_states:
            return Spent(f"{self.max_states} states are", "--max-states")
        if self.max_seconds is not None and seconds >= self.max_seconds:
            return Spent(f"{self.max_seconds:g} seconds are", "--max-seconds")
        if self.max_memory is None:
            return None
        here = resident()
        if not here:
            raise Refusal("this system does not tell how much memory a process has; leave --max-memory out")
        if here >= self.max_memory:
            return Spent(f"{told(self.max_memory)} of memory is", "--max-memory")
        return None


@dataclass(frozen=True)
class Status:
    """How far a search is: in which level, how many of its states are expanded, all states, seconds, bytes.

    `fresh` are the states of the next level so far, `bytes` the store's, `memory` the whole process's; `undecided` are
    found and may be among those counted, where duplicates are left out once a level.
    """

    depth: int
    expanded: int
    frontier: int
    fresh: int
    distinct: int
    generated: int
    seconds: float
    bytes: int
    memory: int
    undecided: int = 0

    @property
    def rate(self) -> float:
        """States that were found, a second."""
        return self.distinct / max(self.seconds, 1e-9)

    @property
    def estimate(self) -> int | None:
        """How many states there may be in the end, if levels go on shrinking as this one does; None while they grow."""
        growth = self.fresh / max(self.expanded, 1)
        if not self.expanded or growth >= 0.95 or self.undecided:
            return None
        rest = (self.frontier - self.expanded) * growth
        return int(self.distinct + rest + (self.fresh + rest) * growth / (1 - growth))

    def line(self) -> str:
        """Return it as a line for people."""
        end = self.estimate
        whole = f", about {end:,} in all" if end is not None else ""
        whole = f" and {self.undecided:,} with duplicates" if self.undecided else whole
        return (
            f"level {self.depth}, {self.expanded:,} of {self.frontier:,} expanded, {self.distinct:,} states{whole}, "
            f"{self.rate:,.0f} a second, {told(self.memory)}, {self.seconds:.0f} s"
        )


UNITS = {"K": 10, "M": 20, "G": 30, "T": 40}
"""Units of memory, by their exponent of two."""


def told(count: int) -> str:
    """Return a number of bytes as `--max-memory` takes it."""
    for unit, power in reversed(UNITS.items()):
        if count >= 1 << power:
            return f"{round(count / (1 << power), 1):g}{unit}"
    return str(count)


def bytes_of(text: str) -> int | None:
    """Return how many bytes a text such as 500M or 2G means; None for another text."""
    body, unit = (text[:-1], text[-1].upper()) if text[-1:].upper() in UNITS else (text, "")
    try:
        count = float(body)
    except ValueError:
        return None
    made = int(count * (1 << UNITS[unit] if unit else 1)) if 0 < count < 1e18 else 0
    return made or None
