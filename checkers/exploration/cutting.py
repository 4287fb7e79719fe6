"""Where a state is cut in halves: by a sample of states, so that the halves have few values."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .layout import Layout, Numbers

SAMPLE = 1 << 14
"""States that the cut is decided by: the first that were found."""

CELLS = 1 << 23
"""Cells of states that are unpacked at once, at most: of wide states the cut is decided by fewer."""

WORTH = 0.5
"""Nodes that another cut leaves of those of the sample, at most: with more the states stay as they are."""

Hashes = NDArray[np.uint64]


def at_once(layout: Layout) -> int:
    """Return how many states are unpacked at once, as those that the cut is decided by."""
    return min(SAMPLE, max(1, CELLS // len(layout.kinds)))


def better_cut(layout: Layout, rows: Numbers) -> int:
    """Return the number of packed cells that the first half of a state gets, by a sample of states; 0 to leave it.

    `rows` are registers, shape (n, cells + 1). The halves get equally many values, as far as cells go whole. An order
    of the cells by what changes together made no fewer nodes.
    """
    if layout.words == 1 or layout.fault < 2:
        return 0
    hashes = _hashes(layout, rows)
    low, high = 1, layout.fault - 1
    while low < high:
        middle = (low + high) // 2
        if _values(hashes, 0, middle) < _values(hashes, middle, layout.fault):
            low = middle + 1
        else:
            high = middle
    return low if _nodes(layout, hashes, low) <= WORTH * _nodes(layout, hashes, 0) else 0


def _hashes(layout: Layout, rows: Numbers) -> Hashes:
    """Return the sums of hashes of the cells of each state before each packed cell, shape (cells + 1, n)."""
    odd = np.random.default_rng(0).integers(1, 1 << 63, layout.fault, np.uint64) | np.uint64(1)
    sums = np.zeros((layout.fault + 1, len(rows)), np.uint64)
    for at, i in enumerate(layout.packed.tolist()):
        mixed = (rows[:, i].astype(np.uint64) + np.uint64(1)) * odd[at]
        mixed = (mixed ^ (mixed >> np.uint64(32))) * odd[at]
        sums[at + 1] = sums[at] + (mixed ^ (mixed >> np.uint64(29)))
    return sums


def _values(hashes: Hashes, begin: int, end: int) -> int:
    """Return how many values some packed cells have together."""
    return len(np.unique(hashes[end] - hashes[begin]))


def _nodes(layout: Layout, hashes: Hashes, cut: int) -> int:
    """Return how many nodes the sample has with a cut."""
    shares, left = layout.divided(cut)
    ends = np.cumsum([0, *shares]).tolist()

    def below(low: int, high: int) -> int:
        middle = (low + high) // 2
        own = _values(hashes, ends[low], ends[high])
        return own if middle == low else own + below(low, middle) + below(middle, high)

    return below(0, left) + below(left, len(shares))
