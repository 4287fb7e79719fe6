"""Classes distinguished only by the cells that a query reads: one that reads few is evaluated once for many classes."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import TYPE_CHECKING

from fencepost.arrays import np

from .classes import Classes, Numbers

if TYPE_CHECKING:
    import numpy.typing as npt


class Projection:
    """Numbers for classes, and for ways from one to another: the same for those whose cells say the same wherever one
    question has read them so far.

    An evaluation whose cells say the same reads the same cells, so its answer is that of all with one number; one that
    reads a cell that none before it did distinguishes more of them, and changes `generation`.
    """

    def __init__(self, classes: Classes, slots: Mapping[int, int]) -> None:
        self._rows, self._slot_of = classes.rows, slots
        self._read: frozenset[tuple[bool, int]] = frozenset()
        self.generation = 0
        self._forget()

    def _forget(self) -> None:
        self._either = tuple(sorted({slot for _, slot in self._read}))
        self._numbers: dict[Hashable, int] = {}
        self._of_class = np.zeros(0, np.int64)

    def note(self, read: Iterable[tuple[bool, int]]) -> None:
        """Take note of the tables that an evaluation has read, of the state after a step or before it."""
        read = self._read.union([(after, self._slot_of[number]) for after, number in read])
        if read != self._read:
            self._read = read
            self.generation += 1
            self._forget()

    def __len__(self) -> int:
        return len(self._numbers)

    def of(self, classes: Numbers) -> npt.NDArray[np.int64]:
        """Return the numbers of classes in which entities stay."""
        known = len(self._of_class)
        if known < len(self._rows):
            more = [self._number(tuple([row[slot] for slot in self._either])) for row in self._rows[known:]]
            self._of_class = np.concatenate((self._of_class, np.array(more, np.int64)))
        return self._of_class[classes]

    def of_way(self, before: int, after: int, counted: Hashable) -> int:
        """Return the number of a way from one class to another, with what was counted."""
        rows = self._rows[before], self._rows[after]
        return self._number((tuple([rows[is_after][slot] for is_after, slot in sorted(self._read)]), counted))

    def _number(self, key: Hashable) -> int:
        return self._numbers.setdefault(key, len(self._numbers))
