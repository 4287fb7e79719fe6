"""Expansions: the successors of a run of states by one row, as both engines give them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from .layout import Numbers
from .plan import PARTS, STAGE_SHIFT


@dataclass(frozen=True)
class Expansion:
    """The successors of states by one row, in the order of the states and then of the bindings.

    `stop`: the first state that is not expanded yet. `rows`, shape (n, cells + 1): the successors. `source`, `code`:
    the state and the number of the binding of each. `parts`: how many moments inside the row each has; these are
    `mids`, with the successor they belong to in `mid_of` and stage and mask in `mid_code`, masks of a stage in
    descending order.
    """

    stop: int
    rows: Numbers
    source: Numbers
    code: Numbers
    parts: Numbers
    mids: Numbers
    mid_of: Numbers
    mid_code: Numbers

    def inner(self, last: int, good: NDArray[np.bool_]) -> Numbers:
        """Return the moments that are states of their own, in transitions that are good.

        The empty part of a stage is the whole of the one before, and the whole of the last stage is the successor.
        """
        stage = self.mid_code >> STAGE_SHIFT
        whole = np.ones(len(stage), np.bool_)
        whole[1:] = (self.mid_of[1:] != self.mid_of[:-1]) | (stage[1:] != stage[:-1])
        return np.flatnonzero(good[self.mid_of] & (self.mid_code & PARTS != 0) & ~(whole & (stage == last)))

    def only(self, chosen: NDArray[np.bool_]) -> Expansion:
        """Return some of the successors, with their moments, in arrays of their own."""
        place = np.cumsum(chosen) - 1
        moments = chosen[self.mid_of] if len(self.mid_of) else np.zeros(0, np.bool_)
        return Expansion(
            self.stop,
            self.rows[chosen],
            self.source[chosen],
            self.code[chosen],
            self.parts[chosen],
            self.mids[moments],
            place[self.mid_of[moments]],
            self.mid_code[moments],
        )

    @staticmethod
    def joined(some: Sequence[Expansion]) -> Expansion:
        """Return expansions of one run of states, one after the other, as one; there is at least one."""
        ends = np.cumsum([0, *(len(e.rows) for e in some)])
        columns = {
            name: np.concatenate([getattr(e, name) for e in some])
            for name in ("rows", "source", "code", "parts", "mids", "mid_code")
        }
        mid_of = np.concatenate([e.mid_of + end for e, end in zip(some, ends, strict=False)])
        return Expansion(some[-1].stop, mid_of=mid_of, **columns)

    @staticmethod
    def no_moments(width: int) -> tuple[Numbers, Numbers, Numbers]:
        """Return the moments of an expansion that has none."""
        return np.zeros((0, width), np.int64), np.zeros(0, np.int64), np.zeros(0, np.int64)

    @staticmethod
    def empty(stop: int, width: int) -> Expansion:
        """Return an expansion without successors."""
        nothing = np.zeros(0, np.int64)
        return Expansion(stop, np.zeros((0, width), np.int64), nothing, nothing, nothing, *Expansion.no_moments(width))


class Expanding(Protocol):
    """What an engine does for regions and traces: it gives the successors of states by a row."""

    def expand(self, number: int, cells: Numbers, start: int, alive: NDArray[np.uint8]) -> Expansion:
        """Return successors by one row of the states from `start` on."""
        ...
