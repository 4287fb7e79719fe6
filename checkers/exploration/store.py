"""Stores: the packed states seen so far, in the order in which they were found, with the step that found each."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from .layout import Layout, Numbers

if TYPE_CHECKING:
    from .compiled import Loops


SEEN_BITS = 20
"""The moments inside rows that are remembered as judged: 2**20 of them."""


class Store:
    """A growing array of packed states with parents and rows; how they are looked up is for the two kinds below."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.count = 0
        self.states: Numbers = np.zeros((1024, layout.words), np.int64)
        self.parents: NDArray[np.int32] = np.zeros(1024, np.int32)
        self.rows: NDArray[np.int16] = np.zeros(1024, np.int16)

    def reserve(self, more: int) -> None:
        """Make room for further states."""
        if self.count + more <= len(self.states):
            return
        size = max(self.count + more, len(self.states) * 2)
        for name in ("states", "parents", "rows"):
            old = getattr(self, name)
            new = np.zeros((size, *old.shape[1:]), old.dtype)
            new[: self.count] = old[: self.count]
            setattr(self, name, new)

    def unpacked(self, start: int, stop: int) -> Numbers:
        """Return the registers of some states, shape (n, cells + 1)."""
        return self.layout.unpack(self.states[start:stop])

    def add(self, rows: Numbers, source: Numbers, base: int, row: int) -> NDArray[np.bool_]:
        """Add the new ones among rows of registers; return which of the rows are inside their ranges."""
        raise NotImplementedError

    def unjudged(self, mids: Numbers, asked: Numbers) -> Numbers:
        """Return which of the moments asked for are to be judged: some of those judged before are left out."""
        return asked

    def pairs(self, mid_of: Numbers, mid_code: Numbers) -> tuple[Numbers, Numbers]:
        """Return the pairs of moments that are one record apart, as two arrays of positions."""
        from .loops import pairs

        return _pairs(pairs, mid_of, mid_code)


def _pairs(function: Callable[..., int], mid_of: Numbers, mid_code: Numbers) -> tuple[Numbers, Numbers]:
    nothing = np.zeros(0, np.int64)
    count = int(function(mid_of, mid_code, nothing, nothing))
    first, second = np.zeros(count, np.int64), np.zeros(count, np.int64)
    function(mid_of, mid_code, first, second)
    return first, second


class PlainStore(Store):
    """A store that looks states up in a Python dictionary."""

    def __init__(self, layout: Layout) -> None:
        super().__init__(layout)
        self._index: dict[bytes, int] = {}

    def add(self, rows: Numbers, source: Numbers, base: int, row: int) -> NDArray[np.bool_]:
        """Add the new ones among rows of registers; return which of the rows are inside their ranges."""
        words, good = self.layout.pack(rows)
        self.reserve(len(words))
        width = words.shape[1] * 8
        raw = words.tobytes()
        for i in np.flatnonzero(good):
            key = raw[i * width : (i + 1) * width]
            if key not in self._index:
                self._index[key] = self.count
                self.states[self.count] = words[i]
                self.parents[self.count] = base + source[i]
                self.rows[self.count] = row
                self.count += 1
        return good


class TableStore(Store):
    """A store with an index table of 4-byte slots over the states, half full at most."""

    def __init__(self, layout: Layout, loops: Loops) -> None:
        super().__init__(layout)
        self.loops = loops
        self._bits = 16
        self._table: NDArray[np.int32] = np.zeros(1 << 16, np.int32)
        self._words: Numbers = np.zeros((0, layout.words), np.int64)
        self._starts: Numbers = np.zeros(0, np.int64)
        self._room: Numbers = np.zeros((1, layout.words), np.int64)
        self._cells: Numbers = np.zeros((0, layout.fault + 1), np.int64)
        self._seen: Numbers = np.zeros((0, layout.words), np.int64)

    @staticmethod
    def taking_over(other: Store, loops: Loops) -> TableStore:
        """Return a store with the states of another."""
        store = TableStore(other.layout, loops)
        store.count, store.states, store.parents, store.rows = other.count, other.states, other.parents, other.rows
        store._widen(0)
        loops.rehash(store.states, store.count, store._table, store._bits)
        return store

    def _widen(self, more: int) -> bool:
        bits = self._bits
        while (self.count + more) * 2 > 1 << bits:
            bits += 1
        if bits == self._bits:
            return False
        self._bits, self._table = bits, np.zeros(1 << bits, np.int32)
        return True

    def reserve(self, more: int) -> None:
        """Make room for further states, in the table too."""
        super().reserve(more)
        if self._widen(more):
            self.loops.rehash(self.states, self.count, self._table, self._bits)

    def unpacked(self, start: int, stop: int) -> Numbers:
        """Return the registers of some states, shape (n, cells + 1), valid until the next call."""
        layout = self.layout
        if len(self._cells) < stop - start:
            self._cells = np.zeros((stop - start, layout.fault + 1), np.int64)
        rows = self._cells[: stop - start]
        self.loops.unpack(
            self.states[start:stop], layout.low, layout.none, layout.word, layout.shift, layout.mask, rows
        )
        return rows

    def add(self, rows: Numbers, source: Numbers, base: int, row: int) -> NDArray[np.bool_]:
        """Add the new ones among rows of registers; return which of the rows are inside their ranges."""
        words, good = self._packed(rows)
        self.reserve(len(rows))
        self.count = self.loops.insert(
            words,
            good,
            source,
            base,
            row,
            self._table,
            self._bits,
            self.states,
            self.parents,
            self.rows,
            self.count,
            self._starts[: len(rows)],
        )
        return good.astype(np.bool_)

    def _packed(self, rows: Numbers) -> tuple[Numbers, NDArray[np.uint8]]:
        layout = self.layout
        if len(self._words) < len(rows):
            self._words = np.zeros((len(rows), layout.words), np.int64)
            self._starts = np.zeros(len(rows), np.int64)
        words, good = self._words[: len(rows)], np.ones(len(rows), np.uint8)
        self.loops.pack(rows, layout.low, layout.top, layout.none, layout.shift, layout.first, words, good)
        return words, good

    def unjudged(self, mids: Numbers, asked: Numbers) -> Numbers:
        """Return which of the moments asked for are to be judged: most of those judged before are left out."""
        layout = self.layout
        if len(self._seen) == 0:
            self._seen = np.full((1 << SEEN_BITS, layout.words), -1, np.int64)
        kept = np.zeros(len(asked), np.int64)
        count = self.loops.unjudged(
            mids, asked, layout.low, layout.top, layout.none, layout.shift, layout.first, self._seen, SEEN_BITS, kept,
            self._room,
        )  # fmt: skip
        return kept[:count]

    def pairs(self, mid_of: Numbers, mid_code: Numbers) -> tuple[Numbers, Numbers]:
        """Return the pairs of moments that are one record apart, as two arrays of positions."""
        return _pairs(self.loops.pairs, mid_of, mid_code)
