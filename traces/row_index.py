"""Rows of bytes with a number each, found for many at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fencepost.arrays import np

from .interner import are_equal, hashes, words

if TYPE_CHECKING:
    from numpy.typing import NDArray

FEW = 1024
"""So many rows are looked up one by one before they are sorted in."""


class RowIndex:
    """Numbers that are not negative, by rows of bytes of one size; no row is added twice.

    Rows that were added last are in a dictionary until there are many of them, beside those that are there: to sort all
    for each few would cost more than to find them.
    """

    def __init__(self, size: int) -> None:
        self._hashes = np.zeros(0, np.uint64)
        self._size = size
        self._rows = np.zeros((0, -(-size // 8)), np.uint64)
        self._numbers = np.zeros(0, np.int64)
        self._beside: dict[bytes, int] = {}

    def find(self, rows: NDArray[np.uint8]) -> NDArray[np.int64]:
        """Return the numbers of some rows, -1 where a row has none."""
        found = np.full(len(rows), -1)
        if len(self._hashes):
            told = words(rows)
            place = np.minimum(np.searchsorted(self._hashes, hashes(told)), len(self._hashes) - 1)
            # Equal hashes prove nothing.
            same = are_equal(self._rows[place], told)
            found[same] = self._numbers[place[same]]
        for at in np.flatnonzero(found < 0).tolist() if self._beside else ():
            found[at] = self._beside.get(rows[at].tobytes(), -1)
        return found

    def add(self, rows: NDArray[np.uint8], numbers: NDArray[np.int64]) -> None:
        """Add rows that have no number, each with its own."""
        self._beside.update((row.tobytes(), number) for row, number in zip(rows, numbers.tolist(), strict=True))
        if len(self._beside) > max(FEW, len(self._rows) // 4):
            self._sort()

    def _sort(self) -> None:
        """Sort the rows beside in; of those with one hash the others stay there."""
        new = np.frombuffer(b"".join(self._beside), np.uint8).reshape(len(self._beside), self._size)
        rows = np.concatenate((self._rows, words(new)))
        numbers = np.concatenate((self._numbers, np.array([*self._beside.values()], np.int64)))
        self._hashes, first = np.unique(hashes(rows), return_index=True)
        is_other = np.ones(len(rows), np.bool_)
        is_other[first] = False
        self._beside = {rows[at].tobytes()[: self._size]: numbers.item(at) for at in np.flatnonzero(is_other).tolist()}
        self._rows, self._numbers = rows[first], numbers[first]
