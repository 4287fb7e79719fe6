"""Rows of bytes with a number each, found for many at once."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .interner import hashes


class RowIndex:
    """Numbers that are not negative, by rows of bytes of one size; no row is added twice."""

    def __init__(self, size: int) -> None:
        self._hashes = np.zeros(0, np.uint64)
        self._rows = np.zeros((0, size), np.uint8)
        self._numbers = np.zeros(0, np.int64)
        # Rows whose hash is another row's.
        self._others: dict[bytes, int] = {}

    def find(self, rows: NDArray[np.uint8]) -> NDArray[np.int64]:
        """Return the numbers of some rows, -1 where a row has none."""
        found = np.full(len(rows), -1)
        if not len(self._hashes):
            return found
        wanted = hashes(rows)
        place = np.minimum(np.searchsorted(self._hashes, wanted), len(self._hashes) - 1)
        there = self._hashes[place] == wanted
        # Equal hashes prove nothing.
        same = there & (self._rows[place] == rows).all(axis=1)
        found[same] = self._numbers[place[same]]
        for at in np.flatnonzero(there & ~same).tolist():
            found[at] = self._others.get(rows[at].tobytes(), -1)
        return found

    def add(self, rows: NDArray[np.uint8], numbers: NDArray[np.int64]) -> None:
        """Add rows that have no number, each with its own."""
        all_hashes = np.concatenate((self._hashes, hashes(rows)))
        all_rows, all_numbers = np.concatenate((self._rows, rows)), np.concatenate((self._numbers, numbers))
        found, first = np.unique(all_hashes, return_index=True)
        if len(found) < len(all_hashes):
            is_first = np.zeros(len(all_hashes), np.bool_)
            is_first[first] = True
            for at in np.flatnonzero(~is_first).tolist():
                self._others[all_rows[at].tobytes()] = int(all_numbers[at])
        self._hashes, self._rows, self._numbers = found, all_rows[first], all_numbers[first]
