"""Stores: the packed states seen so far, in the order in which they were found, with the step that found each."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass
from threading import Condition
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from fencepost.checkers.verdicts import ExitCode, Refusal

from . import table as table_loops
from .cutting import SAMPLE, at_once, better_cut
from .expansion import Expanding
from .layout import Layout, Numbers
from .loops import pairs

if TYPE_CHECKING:
    from .compiled import Loops

FULLEST = 0.83
"""How full the table of a store in memory becomes: from there on a search in it passes too many slots."""

EMPTIER = (0.57, 0.72)
"""How full it is at least and at most after it has grown."""

BYTES = 12
"""The bytes that a state may take: the table gets, between these two, what nodes and numbers leave of them."""

AT_ONCE = table_loops.PIECES // 4
"""Pieces of a table that are moved at once where it grows: so much of it is there twice."""

NEAR = 9
"""Bits at least that say how far a root is from its first slot: with fewer a table would be full too early."""

FAR_AWAY = 12
"""The bits for it where a slot has eight bytes."""

PARTS = table_loops.PIECES
"""The most parts of a table, each of which another thread enters states into."""

FIRST_SLOTS = 1 << 14
"""Slots of a table at first: so many that what one holds of any root has eight bytes at most."""

LEAST_BITS = 33
"""Bits that a root is at least taken to have: `table.py` says why more than 32."""

FOLDED = 256
"""Packed states that are folded before there is room for more nodes, of which they might make several each."""

Column = TypeVar("Column", bound=NDArray[Any])

MOST = (1 << 31) - 2
"""The most states and the most nodes: slots of the tables have four bytes."""


def grown(column: Column, size: int) -> Column:
    """Return an array with more rows, all of them zero; a large one is not copied where the system can move it."""
    column.resize((size, *column.shape[1:]), refcheck=False)
    return column


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

    def came(self, state: int, engine: Expanding) -> tuple[int, int] | None:
        """Return the state before one and the row that led to it first; None for an initial one."""
        row = int(self.rows[state])
        return None if row < 0 else (int(self.parents[state]), row)

    def add(self, rows: Numbers, source: Numbers, base: int, row: int) -> NDArray[np.bool_]:
        """Add the new ones among rows of registers; return which of the rows are inside their ranges."""
        raise NotImplementedError

    def pairs(self, mid_of: Numbers, mid_code: Numbers) -> tuple[Numbers, Numbers]:
        """Return the pairs of moments that are one record apart, as two arrays of positions."""
        nothing = np.zeros(0, np.int64)
        count = int(pairs(mid_of, mid_code, nothing, nothing))
        first, second = np.zeros(count, np.int64), np.zeros(count, np.int64)
        pairs(mid_of, mid_code, first, second)
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
    """How the words of a state are folded into one number: what makes each node, a word or two nodes.

    The nodes of two halves of a state, of which the first has `left` words, make its root. States that share a half, as
    most do, share its nodes.
    """

    def __init__(self, words: int, left: int) -> None:
        lefts: list[int] = []
        rights: list[int] = []

        def node(low: int, high: int) -> int:
            middle = (low + high) // 2
            left, right = (low, -1) if middle == low else (words + node(low, middle), words + node(middle, high))
            lefts.append(left)
            rights.append(right)
            return len(lefts) - 1

        self.half = 0
        if words > 1:
            self.half = node(0, left)
            node(left, words)
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


class Gate:
    """Lets many read what one may replace while no other reads it."""

    def __init__(self) -> None:
        self._inside, self._free = 0, Condition()

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Be one of those that read."""
        with self._free:
            self._inside += 1
        try:
            yield
        finally:
            with self._free:
                self._inside -= 1
                self._free.notify_all()

    @contextmanager
    def replacing(self) -> Iterator[None]:
        """Be alone."""
        with self._free:
            while self._inside:
                self._free.wait()
            yield


@dataclass(frozen=True)
class Made:
    """The successors of the states from `low` to `high`: the roots of each row from the end of the one before on.

    `sources`: the place of the state that each comes from, counted from `low`. Initial states come from none, and
    `ends` is empty.
    """

    low: int
    high: int
    ends: Numbers
    roots: Numbers
    sources: NDArray[np.int32]


class FoldedStore(Store):
    """A store of roots and of the nodes that they are folded from; where roots are kept is for the kinds of it.

    Nodes have a table of 4-byte slots, four fifths full at most. Several threads may fold states at once: `gate` is
    passed by all that reads the nodes.
    """

    roots: Any

    def __init__(self, layout: Layout, loops: Loops) -> None:
        super().__init__(layout)
        self.loops, self.gate = loops, Gate()
        self.states = Folded(self)
        self.expanded = 0  # successors that all threads together may fold before they look whether there is room
        self._without_nodes()

    def _without_nodes(self) -> None:
        """Begin with no nodes, by the words that the layout has now."""
        self.tree = Tree(self.layout.words, self.layout.left)
        self.nodes: Numbers = np.zeros(1024, np.int64)
        self.counter: Numbers = np.zeros(1, np.int64)
        self.node_table: NDArray[np.int32] = np.zeros(4096, np.int32)

    @property
    def node_count(self) -> int:
        """How many nodes were numbered."""
        return int(self.counter[0])

    def reserve_nodes(self, more: int) -> None:
        """Make room for the nodes of further states, while no other thread folds any."""
        nodes = self.node_count + more * len(self.tree.lefts)
        if nodes > len(self.nodes):
            self.nodes = grown(self.nodes, _more(nodes, len(self.nodes)))
        if len(self.nodes) * 5 > len(self.node_table) * 4:
            self.node_table = np.zeros(0, np.int32)  # not there beside the larger one
            self.node_table = np.zeros(len(self.nodes) * 3 // 2, np.int32)
            self.loops.rehash_nodes(self.nodes, self.node_count, self.node_table)

    def folded(self, words: Numbers) -> Numbers:
        """Return the roots of packed states."""
        tree, roots = self.tree, np.zeros(len(words), np.int64)
        nothing = np.zeros((0, 0), np.int64)
        for at in range(0, len(words), FOLDED):
            some = words[at : at + FOLDED]
            self.reserve_nodes(len(some))
            self.loops.fold(
                some, nothing, tree.covers, tree.lefts, tree.rights, tree.half, tree.values, self.nodes, self.counter,
                self.node_table, roots[at : at + FOLDED],
            )  # fmt: skip
        return roots

    def unfolded(self, roots: Numbers) -> tuple[Numbers, Numbers]:
        """Return the packed states with some roots, shape (n, words), and their nodes, shape (n, nodes of a state)."""
        tree = self.tree
        words = np.empty((len(roots), tree.words), np.int64)
        made = np.empty((len(roots), len(tree.lefts)), np.int64)
        self.loops.unfold(
            roots, tree.lefts, tree.rights, tree.half, self.nodes, np.zeros(len(tree.values), np.int64), words, made
        )
        return words, made

    def unpacked(self, start: int, stop: int) -> Numbers:
        """Return the registers of some states, shape (n, cells + 1)."""
        return self.loops.registers(self.layout, self.unfolded(self.roots[start:stop])[0])

    def add(self, rows: Numbers, source: Numbers, base: int, row: int) -> NDArray[np.bool_]:
        """Add the new ones among rows of registers of initial states; return which are inside their ranges."""
        assert row < 0, "successors come by chunks"
        words, good = self.layout.pack(rows)
        self.take([Made(0, 0, np.zeros(0, np.int64), self.folded(words[good]), source[good].astype(np.int32))])
        return good

    def take(self, some: Sequence[Made]) -> list[int]:
        """Add what is new among successors; return how many states there are after each."""
        raise NotImplementedError

    def saved(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return what a checkpoint keeps of it: arrays by name, and what else is to be known, as JSON has it."""
        raise NotImplementedError

    def restore(self, arrays: Mapping[str, Any], kept: Mapping[str, Any]) -> None:
        """Hold the states of another store, of which this was saved."""
        raise NotImplementedError

    def written(self) -> None:
        """Drop what only an older checkpoint needs: one with what was saved last is written."""


class TableStore(FoldedStore):
    """A store in memory: a table that holds the roots themselves, and for each state, by its number, its slot.

    That is four bytes for the slot of a state, and five to six for the root. Parents and rows are not kept: for each
    chunk that was expanded it is known how many states there were after each row, and the row is asked once more.
    The table has as many parts as there are threads to enter states into them at once (`pool`). Once there are
    `SAMPLE` states the layout is cut in other halves where that leaves fewer nodes.
    """

    roots: Roots

    def __init__(self, layout: Layout, loops: Loops, pool: ThreadPoolExecutor | None = None, parts: int = 1) -> None:
        super().__init__(layout, loops)
        self.roots, self.parts, self._pool = Roots(self), parts, pool
        self.order: NDArray[np.int32] = np.zeros(1024, np.int32)
        self._initial = 0
        self._lasts: list[int] = []
        self._chunks: list[tuple[int, int, NDArray[np.int32]]] = []
        self._fresh: Numbers = np.zeros((parts, 0), np.int64)
        self._slots: NDArray[np.int32] = np.zeros((parts, 0), np.int32)
        self._is_cut = False  # whether it is decided how the layout is cut in halves
        self._begin()

    @property
    def bytes(self) -> int:
        """The bytes of memory that the states take, with all that is stored of them."""
        held = (self.order, self.table, self.more, self.nodes, self.node_table)
        return sum(one.nbytes for one in held) + sum(ends.nbytes for _, _, ends in self._chunks)

    def _half(self) -> int:
        """Return the bits of each half of a root, for twice the nodes that there are; 0 where a root is one word."""
        if self.tree.words == 1:
            return 0
        return min(max((2 * self.node_count).bit_length(), table_loops.LEAST_HALF), MOST.bit_length())

    def _form(self, slots: int, half: int) -> Numbers:
        """Return the form of a table with so many slots, for roots of two halves of so many bits."""
        bits = max(2 * half if half else self.layout.bits, LEAST_BITS)
        log = slots.bit_length() - 1
        away = min(32 - (bits - log), 16)
        return np.array([bits, half, slots, log, away if away >= NEAR else FAR_AWAY], np.int64)

    def _begin(self) -> None:
        """Take an empty table."""
        self.form = self._form(FIRST_SLOTS, self._half())
        self.table: NDArray[np.uint32] = np.zeros(FIRST_SLOTS, np.uint32)
        self.more: NDArray[np.uint32] = np.zeros(FIRST_SLOTS if self._is_wide() else 0, np.uint32)

    def _is_wide(self) -> bool:
        """Return whether a slot needs more than four bytes."""
        bits, _, _, log, away = self.form.tolist()
        return bool(bits - log + away > 32)

    def _grow(self, states: int, new: Sequence[int], half: int) -> None:
        """Have the table grow for more than so many states, of which each part has new ones that have no number yet.

        It grows where it is: a piece of a larger one is behind the same piece of the smaller, so that the last pieces
        are copied and entered anew first.
        """
        old, table, more = self.form, self.table, self.more
        others = (self.bytes - table.nbytes - more.nbytes) / max(self.count, 1)
        full = (table.itemsize + (more.itemsize if len(more) else 0)) / max(BYTES - others, 1)
        slots = max(len(table), int(states / min(max(full, EMPTIER[0]), EMPTIER[1])))
        if slots == len(table) and half == old[table_loops.HALF]:
            slots = slots * 7 // 5  # some root was too far away
        self.form = self._form(most_of(-(-slots // table_loops.PIECES) * table_loops.PIECES), half)
        slots = int(self.form[table_loops.SLOTS])
        self.table = grown(table, slots)
        if self._is_wide():
            self.more = grown(more, slots) if len(more) else np.zeros(slots, np.uint32)
        else:
            self.more = np.zeros(0, np.uint32)
        for first in range(table_loops.PIECES - AT_ONCE, -1, -AT_ONCE):
            self._move(range(first, first + AT_ONCE), old, more, new)

    def _move(self, pieces: range, old: Numbers, old_more: NDArray[np.uint32], new: Sequence[int]) -> None:
        """Move some pieces to where they are in the table that has grown, from where they were by its `old` form."""
        before, after = (int(form[table_loops.SLOTS]) // table_loops.PIECES for form in (old, self.form))
        base, end = pieces[0] * before, (pieces[-1] + 1) * before
        table, more = self.table[base:end].copy(), old_more[base:end].copy()
        self.table[pieces[0] * after : (pieces[-1] + 1) * after] = 0
        move, follow = self.loops.of_table("move"), self.loops.of_table("follow")
        share = -(-self.count // self.parts)

        def moved(part: int) -> bool:
            some = pieces[part :: self.parts]
            return not any(move(one, base, old, table, more, self.form, self.table, self.more) for one in some)

        def followed(part: int) -> bool:
            follow(base, table, self.order[: self.count][part * share : (part + 1) * share])
            follow(base, table, self._slots[part, : new[part]])
            return True

        if not all(self._each(moved)):
            raise AssertionError("a table that has just grown is too full")
        self._each(followed)

    def _fits(self) -> bool:
        """Return whether the numbers of all nodes have room in the roots."""
        return self.tree.words == 1 or self.node_count < 1 << int(self.form[table_loops.HALF])

    def take(self, some: Sequence[Made]) -> list[int]:
        """Add what is new among successors; return how many states there are after each."""
        room = sum(len(one.roots) for one in some)
        if room > self._fresh.shape[1]:
            self._fresh = np.empty((self.parts, room), np.int64)
            self._slots = np.empty((self.parts, room), np.int32)
        if not self._fits():
            self._grow(0, [0] * self.parts, self._half())
        at = [(0, 0, 0)] * self.parts  # which successors each part has come to, which root of these, and its new ones
        bases = np.cumsum([0, *(len(one.roots) for one in some)]).tolist()

        def enter(part: int) -> bool:
            """Enter roots into a part, and return whether it was all."""
            which, begin, count = at[part]
            most = count + max(int((FULLEST * len(self.table) - self.count - sum(new)) / self.parts), 0)
            while which < len(some):
                one = some[which]
                begin, count = self.loops.of_table("insert")(
                    one.roots, begin, self.parts, part, self.form, self.table, self.more, bases[which], most,
                    self._fresh[part], self._slots[part], count,
                )  # fmt: skip
                if begin < len(one.roots):
                    break
                which, begin = which + 1, 0
            at[part] = which, begin, count
            return which == len(some)

        while True:
            new = [count for _, _, count in at]
            done = self._each(enter)
            new = [count for _, _, count in at]
            if all(done):
                break
            # Roots stay in their parts, each of which has come to another place among them.
            self._grow(self.count + sum(new) + 1, new, int(self.form[table_loops.HALF]))
        after = self._numbered(some, bases, new)
        if not self._is_cut and self.count >= SAMPLE:
            self._cut()
        return after

    def _cut(self) -> None:
        """Decide in which halves the layout is cut, and pack the states anew where that changes."""
        self._is_cut = True
        some = min(self.count, at_once(self.layout))
        cut = better_cut(self.layout, self.unpacked(0, some))
        if cut == self.layout.cut:
            return
        before = copy(self.layout)
        words, _ = self.unfolded(self.roots[:])
        self.layout.divide(cut)
        self._without_nodes()
        roots = [
            self.folded(self.layout.pack(self.loops.registers(before, words[at : at + some]))[0])
            for at in range(0, len(words), some)
        ]
        self._hold(np.concatenate(roots))

    def _hold(self, roots: Numbers) -> None:
        """Take an empty table, and enter the roots of all states in their order."""
        self._begin()
        self.count, initial = 0, self._initial
        self.take([Made(0, 0, np.zeros(0, np.int64), roots, np.zeros(0, np.int32))])
        self._initial = initial

    def _each(self, do: Callable[[int], bool]) -> list[bool]:
        """Do something for each part, on a thread each where there are several."""
        if self._pool is None or self.parts == 1:
            return [do(part) for part in range(self.parts)]
        return list(self._pool.map(do, range(self.parts)))

    def _numbered(self, some: Sequence[Made], bases: Sequence[int], new: Sequence[int]) -> list[int]:
        """Give the new states of all parts numbers, in the order in which they were found."""
        count = self.count + sum(new)
        if count > len(self.order):
            self.order = grown(self.order, _more(count, len(self.order)))
        self.loops.of_table("merge")(self._fresh, self._slots, np.array(new, np.int64), self.order, self.count)
        after = []
        fresh = [self._fresh[part, :more] for part, more in enumerate(new)]
        for one, base in zip(some, bases, strict=False):
            places = (one.ends if len(one.ends) else np.array([len(one.roots)])) + base
            ends = np.full(len(places), self.count)
            for found in fresh:
                ends += found.searchsorted(places)
            after.append(int(ends[-1]))
            if one.high > one.low:
                self._chunks.append((one.low, one.high, ends.astype(np.int32)))
                self._lasts.append(after[-1])
            else:
                self._initial = after[-1]
        self.count = count
        return after

    def came(self, state: int, engine: Expanding) -> tuple[int, int] | None:
        """Return the state before one and the row that led to it first; None for an initial one."""
        if state < self._initial:
            return None
        low, high, ends = self._chunks[bisect_right(self._lasts, state)]
        row = int(np.searchsorted(ends, state, side="right"))
        cells, wanted = self.unpacked(low, high), self.unpacked(state, state + 1)
        at, alive = 0, np.zeros(high - low, np.uint8)
        while at < high - low:
            made = engine.expand(row, cells, at, alive)
            same = np.flatnonzero((made.rows == wanted).all(axis=1))
            if len(same):
                return low + int(made.source[same[0]]), row
            at = made.stop
        raise LookupError(f"no state from {low} to {high} leads to state {state}")

    def saved(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return what a checkpoint keeps of it: all states and nodes, and what is known of chunks."""
        kept = [one for one, last in zip(self._chunks, self._lasts, strict=True) if last <= self.count]
        return {
            "roots": self.roots[: self.count],
            "nodes": self.nodes[: self.node_count],
            "chunks": np.array([(low, high) for low, high, _ in kept], np.int64).reshape(-1, 2),
            "ends": np.array([ends for _, _, ends in kept], np.int32),
        }, {"initial": self._initial, "cut": self.layout.cut}

    def restore(self, arrays: Mapping[str, Any], kept: Mapping[str, Any]) -> None:
        """Hold the states of another store, whose arrays these were."""
        if kept["cut"] != self.layout.cut:
            self.layout.divide(int(kept["cut"]))
            self._without_nodes()
        self.nodes = np.array(arrays["nodes"])
        self.counter[0] = len(self.nodes)
        self.node_table = np.zeros(1, np.int32)
        self.reserve_nodes(1)
        roots = np.array(arrays["roots"])
        self._is_cut = True  # as it was for the other
        self._hold(roots)
        self._is_cut = len(roots) >= SAMPLE
        if self.count != len(roots):
            raise ValueError("a state is there twice")
        self._initial = int(kept["initial"])
        self._chunks = [
            (int(low), int(high), ends) for (low, high), ends in zip(arrays["chunks"], arrays["ends"], strict=True)
        ]
        self._lasts = [int(ends[-1]) for _, _, ends in self._chunks]


class Roots:
    """The roots of a store in memory by the numbers of their states, read where they are asked for."""

    def __init__(self, store: TableStore) -> None:
        self._store = store

    def __len__(self) -> int:
        return self._store.count

    def __getitem__(self, key: Any) -> Any:
        """Return one root, or several."""
        store = self._store
        places = store.order[: store.count][key]
        several = np.ascontiguousarray(np.atleast_1d(places))
        roots = np.empty(len(several), np.int64)
        store.loops.of_table("read")(several, store.form, store.table, store.more, roots)
        return roots if np.ndim(places) else roots[0]


def most_of(wanted: int) -> int:
    """Return a number of states or nodes; raises `Refusal` where there are too many to tell them apart."""
    if wanted > MOST:
        raise Refusal(
            "more states than an index of four bytes can tell apart; take smaller sizes", ExitCode.INCONCLUSIVE
        )
    return wanted


def _more(wanted: int, size: int) -> int:
    """Return a larger size for an array: little more, since the system moves a large one without a copy."""
    return min(max(most_of(wanted), size + size // 32), MOST)
