"""Stores: the packed states seen so far, in the order in which they were found, with the step that found each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from fencepost.checkers.verdicts import ExitCode, Refusal

from .expansion import Expansion
from .footprints import Columns
from .layout import Layout, Numbers

if TYPE_CHECKING:
    from .compiled import Loops


SEEN_BITS = 20
"""The moments inside rows that are remembered as judged: 2**20 of them."""


RECENT = 1 << 20
"""Roots that are remembered as added: most states that are not new are found among them."""

Column = TypeVar("Column", bound=NDArray[Any])

MOST = (1 << 31) - 2
"""The most states and the most nodes: slots of the tables have four bytes."""


def grown(column: Column, size: int) -> Column:
    """Return an array with more rows, all of them zero; a large one is not copied where the system can move it."""
    column.resize((size, *column.shape[1:]), refcheck=False)
    return column


class Taken(NamedTuple):
    """Which successors are inside their ranges, and the bits of the variables that each step changes, None where these
    are not at hand.
    """

    good: NDArray[np.bool_]
    masks: Numbers | None = None


class Store:
    """A growing array of packed states with parents and rows; how they are looked up is for the two kinds below."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.count = 0
        self.states: Numbers | Folded = np.zeros((1024, layout.words), np.int64)
        self.parents: Any = np.zeros(1024, np.int32)
        self.rows: Any = np.zeros(1024, np.int16)

    @property
    def bytes(self) -> int:
        """The bytes of memory that the states take, with all that is stored of them."""
        assert isinstance(self.states, np.ndarray)
        return int(self.states.nbytes + self.parents.nbytes + self.rows.nbytes)

    def reserve(self, more: int) -> NDArray[np.int64]:
        """Make room for further states, and return the array with all of them."""
        assert isinstance(self.states, np.ndarray)
        if self.count + more > len(self.states):
            size = max(self.count + more, len(self.states) * 2)
            self.states = grown(self.states, size)
            self.parents, self.rows = grown(self.parents, size), grown(self.rows, size)
        return self.states

    @property
    def known(self) -> int:
        """How many states there are at most: those that are stored, and what may turn out to be among them."""
        return self.count

    def settle(self) -> None:
        """Store what was added and is new, for a store that puts that off."""

    def unpacked(self, start: int, stop: int) -> Numbers:
        """Return the registers of some states, shape (n, cells + 1)."""
        return self.layout.unpack(self.states[start:stop])

    def add(self, rows: Numbers, source: Numbers, base: int, row: int) -> NDArray[np.bool_]:
        """Add the new ones among rows of registers; return which of the rows are inside their ranges."""
        raise NotImplementedError

    def extend(self, e: Expansion, cells: Numbers, base: int, row: int, writes: Columns) -> Taken:
        """Add the new ones among successors of states, whose registers are `cells`, by a row with what it writes."""
        return Taken(self.add(e.rows, e.source, base, row))

    def unjudged(self, mids: Numbers, asked: Numbers) -> Numbers:
        """Return which of the moments asked for are to be judged: some of those judged before are left out."""
        return asked

    def changed(
        self, before: Numbers, before_at: Numbers, after: Numbers, after_at: Numbers, writes: Columns
    ) -> Numbers | None:
        """Return for each step the bits of the variables that it changes; None where that is not worth while."""
        return None

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
        return self.numbered(rows, source, base, row) >= 0

    def numbered(self, rows: Numbers, source: Numbers, base: int, row: int) -> Numbers:
        """Add the new ones among rows of registers; return the numbers of all, -1 of one outside its ranges."""
        words, good = self.layout.pack(rows)
        numbers = np.full(len(words), -1, np.int64)
        states = self.reserve(len(words))
        width = words.shape[1] * 8
        raw = words.tobytes()
        for i in np.flatnonzero(good):
            number = self._index.setdefault(raw[i * width : (i + 1) * width], self.count)
            numbers[i] = number
            if number == self.count:
                states[number] = words[i]
                self.parents[number] = base + source[i]
                self.rows[number] = row
                self.count += 1
        return numbers


class Tree:
    """How the words of a state are folded into one number: which two values make each node, words first, then nodes.

    Two halves of a state, folded until each is the number of a node, make its root. States that
    share a half, as most do, share its nodes.
    """

    def __init__(self, words: int) -> None:
        lefts: list[int] = []
        rights: list[int] = []

        def node(low: int, high: int) -> int:
            if high - low == 1:
                return low
            middle = (low + high) // 2
            left, right = node(low, middle), node(middle, high)
            lefts.append(left)
            rights.append(right)
            return words + len(lefts) - 1

        def half(low: int, high: int) -> int:
            made = node(low, high)
            if made >= words:
                return made - words
            lefts.append(made)
            rights.append(-1)
            return len(lefts) - 1

        self.half = 0
        if words > 1:
            self.half = half(0, words // 2)
            half(words // 2, words)
        self.words = words
        self.lefts, self.rights = np.array(lefts, np.int64), np.array(rights, np.int64)
        covers = [1 << min(word, 62) for word in range(words)]
        for left, right in zip(lefts, rights, strict=True):
            covers.append(covers[left] | (covers[right] if right >= 0 else 0))
        self.covers = np.array(covers[words:], np.int64)
        self.values: Numbers = np.zeros(words + len(lefts), np.int64)


class Folded:
    """The packed states of a store, unfolded where they are asked for."""

    def __init__(self, store: FoldedStore) -> None:
        self._store = store

    def __len__(self) -> int:
        return len(self._store.roots)

    def __getitem__(self, key: Any) -> Numbers:
        """Return one packed state, or several, shape (n, words)."""
        roots = self._store.roots[key]
        words, _ = self._store.unfolded(np.ascontiguousarray(np.atleast_1d(roots)))
        return words if np.ndim(roots) else words[0]


class FoldedStore(Store):
    """A store of roots, eight bytes each, and of the nodes that they are folded from; where roots are kept is for the
    kinds of it.

    Nodes have a table of 4-byte slots, four fifths full at most.
    """

    roots: Any

    def __init__(self, layout: Layout, loops: Loops) -> None:
        super().__init__(layout)
        self.loops, self.tree = loops, Tree(layout.words)
        self.states = Folded(self)
        self.nodes: Numbers = np.zeros((1024, 2), np.int64)
        self.node_count = 0
        self._node_table: NDArray[np.int32] = np.zeros(4096, np.int32)
        self._folded: Numbers = np.zeros(0, np.int64)
        self._recent: Numbers = np.zeros(RECENT, np.int64)
        self.packer = Packer(layout, loops)

    def _reserve_nodes(self, more: int) -> None:
        """Make room for the nodes of further states."""
        nodes = self.node_count + more * len(self.tree.lefts)
        if nodes > len(self.nodes):
            self.nodes = grown(self.nodes, _more(nodes, len(self.nodes)))
        if nodes * 5 > len(self._node_table) * 4:
            self._node_table = np.zeros(nodes * 3 // 2, np.int32)
            self.loops.rehash_nodes(self.nodes, self.node_count, self._node_table)

    def unfolded(self, roots: Numbers) -> tuple[Numbers, Numbers]:
        """Return the packed states with some roots, shape (n, words), and their nodes, shape (n, nodes of a state)."""
        tree = self.tree
        words = np.zeros((len(roots), tree.words), np.int64)
        made = np.zeros((len(roots), len(tree.lefts)), np.int64)
        self.loops.unfold(
            roots, tree.lefts, tree.rights, tree.half, self.nodes, np.zeros(len(tree.values), np.int64), words, made
        )
        return words, made

    def unpacked(self, start: int, stop: int) -> Numbers:
        """Return the registers of some states, shape (n, cells + 1), valid until the next call."""
        return self.packer.unpacked(*self.unfolded(self.roots[start:stop]))

    def add(self, rows: Numbers, source: Numbers, base: int, row: int) -> NDArray[np.bool_]:
        """Add the new ones among rows of registers; return which of the rows are inside their ranges."""
        packed = self.packer.packed(rows, source)
        self.put(packed, base, row)
        return packed.good.astype(np.bool_)

    def extend(self, e: Expansion, cells: Numbers, base: int, row: int, writes: Columns) -> Taken:
        """Add the new ones among successors, which are packed from their sources where these were unpacked last."""
        packed = self.packer.repacked(e, cells, writes)
        self.put(packed, base, row)
        return packed.taken

    def put(self, packed: Packed, base: int, row: int) -> None:
        """Add the new ones among packed states that are good."""
        raise NotImplementedError

    def saved(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return what a checkpoint keeps of it: arrays by name, and what else is to be known, as JSON has it."""
        raise NotImplementedError

    def restore(self, arrays: Mapping[str, Any], kept: Mapping[str, Any]) -> None:
        """Hold the states of another store, of which this was saved."""
        raise NotImplementedError

    def written(self) -> None:
        """Be told that a checkpoint with what was saved last is written."""

    def unjudged(self, mids: Numbers, asked: Numbers) -> Numbers:
        """Return which of the moments asked for are to be judged: most of those judged before are left out."""
        return self.packer.unjudged(mids, asked)

    def changed(
        self, before: Numbers, before_at: Numbers, after: Numbers, after_at: Numbers, writes: Columns
    ) -> Numbers | None:
        """Return for each step the bits of the variables that it changes."""
        return self.packer.changed(before, before_at, after, after_at, writes)

    def pairs(self, mid_of: Numbers, mid_code: Numbers) -> tuple[Numbers, Numbers]:
        """Return the pairs of moments that are one record apart, as two arrays of positions."""
        return self.packer.pairs(mid_of, mid_code)


class TableStore(FoldedStore):
    """A store in memory, whose roots are looked up in a table of 4-byte slots, four fifths full at most."""

    roots: Numbers

    def __init__(self, layout: Layout, loops: Loops) -> None:
        super().__init__(layout, loops)
        self.roots = np.zeros(1024, np.int64)
        self._table: NDArray[np.int32] = np.zeros(4096, np.int32)
        self._starts: Numbers = np.zeros(0, np.int64)
        self._ahead: Numbers = np.zeros(512, np.int64)

    @property
    def bytes(self) -> int:
        """The bytes of memory that the states take, with all that is stored of them."""
        held = (self.roots, self.nodes, self.parents, self.rows, self._table, self._node_table)
        return sum(one.nbytes for one in held)

    def _reserve(self, more: int) -> None:
        """Make room for further states and their nodes, in the tables too."""
        self._reserve_nodes(more)
        if self.count + more > len(self.roots):
            size = _more(self.count + more, len(self.roots))
            self.roots = grown(self.roots, size)
            self.parents, self.rows = grown(self.parents, size), grown(self.rows, size)
        if (self.count + more) * 5 > len(self._table) * 4:
            del self._table
            self._table = np.zeros((self.count + more) * 3 // 2, np.int32)
            self.loops.rehash(self.roots, self.count, self._table)

    def put(self, packed: Packed, base: int, row: int) -> None:
        """Add the new ones among packed states that are good."""
        count = len(packed.words)
        self._reserve(count)
        if len(self._folded) < count:
            self._folded, self._starts = np.zeros(count, np.int64), np.zeros(count, np.int64)
        tree = self.tree
        self.count, self.node_count = self.loops.insert(
            packed.words, packed.good, packed.source, base, row, packed.made, packed.differs, tree.covers,
            tree.lefts, tree.rights, tree.half, tree.values, self.nodes, self.node_count, self._node_table, self._table,
            self.roots, self.parents, self.rows, self.count, self._folded, self._recent, self._starts, self._ahead,
        )  # fmt: skip

    def saved(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return what a checkpoint keeps of it: all states and nodes."""
        count = self.count
        columns = {"roots": self.roots[:count], "parents": self.parents[:count], "rows": self.rows[:count]}
        return {**columns, "nodes": self.nodes[: self.node_count]}, {}

    def restore(self, arrays: Mapping[str, Any], kept: Mapping[str, Any]) -> None:
        """Hold the states of another store, whose arrays these were."""
        self.roots, self.nodes = np.array(arrays["roots"]), np.array(arrays["nodes"])
        self.parents, self.rows = np.array(arrays["parents"]), np.array(arrays["rows"])
        self.count, self.node_count = len(self.roots), len(self.nodes)
        self._table = self._node_table = np.zeros(1, np.int32)
        self._reserve(1)


def most_of(wanted: int) -> int:
    """Return a number of states or nodes; raises `Refusal` where there are too many to tell them apart."""
    if wanted > MOST:
        raise Refusal(
            "more states than an index of four bytes can tell apart; take smaller sizes", ExitCode.INCONCLUSIVE
        )
    return wanted


def _more(wanted: int, size: int) -> int:
    """Return a larger size for an array: half as much again, a large one an eighth, since moving it costs little."""
    return min(max(most_of(wanted), size + size // (2 if size < 1 << 18 else 8)), MOST)


@dataclass(frozen=True)
class Packed:
    """Packed states and which of them are inside their ranges, with what their folding may take from their sources.

    `made`, shape (sources, nodes of a state): the nodes of the sources. `differs`: for each state a bit for each word
    that differs from its source's, all bits where there is none. `masks`: the bits of the variables that differ, where
    they are at hand.
    """

    words: Numbers
    good: NDArray[np.uint8]
    source: Numbers
    made: Numbers
    differs: Numbers
    masks: Numbers | None = None

    @property
    def taken(self) -> Taken:
        """What is told of the successors that these are."""
        return Taken(self.good.astype(np.bool_), self.masks)

    def kept(self) -> Packed:
        """Return it so that it stays when others are packed and expanded: only the words and sources are copied."""
        return replace(self, words=self.words.copy(), source=self.source.copy())


class Packer:
    """Packs and unpacks states in room of its own, and remembers which moments it has judged."""

    def __init__(self, layout: Layout, loops: Loops) -> None:
        self.layout, self.loops = layout, loops
        self._words: Numbers = np.zeros((0, layout.words), np.int64)
        self._room: Numbers = np.zeros((1, layout.words), np.int64)
        self._cells: Numbers = np.zeros((0, layout.fault + 1), np.int64)
        self._seen: Numbers = np.zeros((0, layout.words), np.int64)
        self._last: tuple[Numbers, Numbers, Numbers] | None = None

    def unpacked(self, words: Numbers, made: Numbers) -> Numbers:
        """Return the registers of packed states with some nodes, shape (n, cells + 1), valid until the next call."""
        layout = self.layout
        if len(self._cells) < len(words):
            self._cells = np.zeros((len(words), layout.fault + 1), np.int64)
        rows = self._cells[: len(words)]
        self.loops.unpack(words, layout.low, layout.none, layout.word, layout.shift, layout.mask, rows)
        self._last = (rows, words, made)
        return rows

    def _for(self, count: int) -> tuple[Numbers, NDArray[np.uint8]]:
        if len(self._words) < count:
            self._words = np.zeros((count, self.layout.words), np.int64)
        return self._words[:count], np.ones(count, np.uint8)

    def packed(self, rows: Numbers, source: Numbers) -> Packed:
        """Return rows of registers packed, valid until the next call."""
        layout = self.layout
        words, good = self._for(len(rows))
        self.loops.pack(rows, layout.low, layout.top, layout.none, layout.shift, layout.first, words, good)
        return Packed(words, good, source, np.zeros((0, 0), np.int64), np.full(len(rows), -1, np.int64))

    def repacked(self, e: Expansion, cells: Numbers, writes: Columns) -> Packed:
        """Return successors packed, valid until the next call: what a row leaves as it was is taken from the sources,
        if these were unpacked last.
        """
        layout, last = self.layout, self._last
        if last is None or last[0] is not cells:
            return self.packed(e.rows, e.source)
        words, good = self._for(len(e.rows))
        masks, differs = np.zeros(len(e.rows), np.int64), np.zeros(len(e.rows), np.int64)
        self.loops.repack(
            cells, last[1], e.source, e.rows, writes.positions, writes.bits,
            layout.low, layout.top, layout.none, layout.shift, layout.word, layout.mask, words, good, masks, differs,
        )  # fmt: skip
        return Packed(words, good, e.source, last[2], differs, masks)

    def unjudged(self, mids: Numbers, asked: Numbers) -> Numbers:
        """Return which of the moments asked for are to be judged: most of those judged before are left out."""
        layout = self.layout
        if len(self._seen) == 0:
            # No complement of a packed word is 0: what is not written yet, and takes no memory, is no state.
            self._seen = np.zeros((1 << SEEN_BITS, layout.words), np.int64)
        kept = np.zeros(len(asked), np.int64)
        count = self.loops.unjudged(
            mids, asked, layout.low, layout.top, layout.none, layout.shift, layout.first, self._seen, SEEN_BITS, kept,
            self._room,
        )  # fmt: skip
        return kept[:count]

    def changed(
        self, before: Numbers, before_at: Numbers, after: Numbers, after_at: Numbers, writes: Columns
    ) -> Numbers | None:
        """Return for each step the bits of the variables that it changes."""
        masks = np.zeros(len(before_at), np.int64)
        self.loops.changed(before, before_at, after, after_at, writes.positions, writes.bits, masks)
        return masks

    def pairs(self, mid_of: Numbers, mid_code: Numbers) -> tuple[Numbers, Numbers]:
        """Return the pairs of moments that are one record apart, as two arrays of positions."""
        return _pairs(self.loops.pairs, mid_of, mid_code)
