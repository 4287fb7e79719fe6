"""Layout: every value as a number, every state as a row of numbers, and that row packed into 63-bit words.

| kind        | number ("register")                                                     |
|-------------|-------------------------------------------------------------------------|
| Bool        | 0 or 1                                                                  |
| enumeration | position of the member                                                  |
| entity      | 0..n-1                                                                  |
| counter, threshold | the number itself                                                |
| option      | that of the value; none is the number after the last, or `FAR` for counters and lists |
| set         | mask                                                                    |
| list        | one slot an entry from the lowest bits up: 0 for an empty slot, else entity+1 |
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fencepost.checkers.verdicts import Refusal
from fencepost.model.language import Protocol, Valuation, World
from fencepost.model.language.interpreter import CellKey, initial
from fencepost.model.language.kinds import (
    BoolKind,
    EntityKind,
    EnumKind,
    IntKind,
    Kind,
    ListKind,
    OptionKind,
    SetKind,
    ThresholdKind,
)
from fencepost.model.language.state import State

Numbers = NDArray[np.int64]

FAR = 1 << 40
"""The register of "none" where the value's own registers leave no room behind the last: no counter ever gets there."""

WORD = 63

ALONE = 44
"""The most bits of a state that is kept as one word: a slot of a store's table has four bytes for it then."""


@dataclass(frozen=True)
class Coding:
    """How the values of each kind are numbered in a world."""

    world: World

    def members(self, kind: Kind[Any]) -> int:
        """Return how many values there are of the kind inside a set or a list."""
        assert isinstance(kind, (SetKind, ListKind))
        return len(self.world.values(kind.of))

    def slot(self, kind: Kind[Any]) -> int:
        """Return the bits of one slot of a list."""
        return self.members(kind).bit_length()

    def low(self, kind: Kind[Any]) -> int:
        """Return the least register of a kind."""
        if isinstance(kind, (IntKind, ThresholdKind)):
            return self.world.ranges[kind.name][0]
        if isinstance(kind, OptionKind):
            return self.low(kind.of)
        return 0

    def high(self, kind: Kind[Any]) -> int:
        """Return the greatest register of a kind, `FAR` left out; raises `Refusal` for a kind too wide for a word."""
        match kind:
            case BoolKind():
                return 1
            case EnumKind() | EntityKind():
                return len(self.world.values(kind)) - 1
            case IntKind() | ThresholdKind():
                return self.world.ranges[kind.name][1]
            case OptionKind():
                return self.high(kind.of) + (0 if self.far(kind) else 1)
            case SetKind():
                self._entities(kind)
                return (1 << self.members(kind)) - 1
            case ListKind():
                self._entities(kind)
                return int((1 << (self.slot(kind) * self.members(kind))) - 1)
        raise AssertionError(f"no registers for {kind}")

    def _entities(self, kind: Kind[Any]) -> None:
        assert isinstance(kind, (SetKind, ListKind))
        bits = self.members(kind) * (self.slot(kind) if isinstance(kind, ListKind) else 1)
        if not isinstance(kind.of, (EntityKind, EnumKind)) or bits >= WORD:
            raise Refusal(
                f"{kind}: exploration packs it into {bits} bits and has {WORD - 1}; give the bound fewer of its members"
            )

    def far(self, kind: Kind[Any]) -> bool:
        """Return whether the kind is an option whose none is `FAR`."""
        return isinstance(kind, OptionKind) and isinstance(kind.of, (IntKind, ThresholdKind, ListKind))

    def none(self, kind: Kind[Any]) -> int:
        """Return the register of an option's none."""
        assert isinstance(kind, OptionKind)
        return FAR if self.far(kind) else self.high(kind.of) + 1

    def contiguous(self, kind: Kind[Any]) -> bool:
        """Return whether the registers of a kind are all the numbers from its low to its high."""
        if isinstance(kind, OptionKind):
            return not self.far(kind) and self.contiguous(kind.of)
        return not isinstance(kind, ListKind)

    def registers(self, kind: Kind[Any]) -> tuple[int, ...]:
        """Return the registers of all values of a kind, in a fixed order."""
        return _registers(self, kind)

    def encode(self, kind: Kind[Any], value: Any) -> int:
        """Return the register of a value."""
        match kind:
            case OptionKind():
                return self.none(kind) if value is None else self.encode(kind.of, value)
            case EnumKind() | EntityKind():
                values = self.world.values(kind)
                if value not in values:
                    raise Refusal(
                        f"{kind} {value} is named by a row, a property or the bound's start, and at these sizes there "
                        f"are {len(values)}; take a larger size"
                    )
                return values.index(value)
            case SetKind():
                return sum(1 << self.encode(kind.of, one) for one in value)
            case ListKind():
                width = self.slot(kind)
                return sum((self.encode(kind.of, one) + 1) << (width * i) for i, one in enumerate(value))
        return int(value)

    def decode(self, kind: Kind[Any], register: int) -> Any:
        """Return the value with a register."""
        match kind:
            case BoolKind():
                return bool(register)
            case OptionKind():
                return None if register == self.none(kind) else self.decode(kind.of, register)
            case EnumKind() | EntityKind():
                return self.world.values(kind)[register]
            case SetKind():
                return frozenset(self.decode(kind.of, i) for i in range(self.members(kind)) if register >> i & 1)
            case ListKind():
                width = self.slot(kind)
                slots = [register >> (width * i) & ((1 << width) - 1) for i in range(self.members(kind))]
                return tuple(self.decode(kind.of, slot - 1) for slot in slots if slot)
        return int(register)


def _registers(coding: Coding, kind: Kind[Any]) -> tuple[int, ...]:
    if isinstance(kind, OptionKind):
        return (*coding.registers(kind.of), coding.none(kind))
    if isinstance(kind, ListKind):
        return tuple(coding.encode(kind, value) for value in coding.world.values(kind))
    return tuple(range(coding.low(kind), coding.high(kind) + 1))


def _shared_out(widths: Sequence[int], words: int) -> list[int]:
    """Return how many cells of some bits each word has, in their order: so many words or as few more as may be, and all
    as full as the others, since a word that is full beside one that is not has nearly as many values as there are
    states.
    """
    limit = -(-sum(widths) // words)
    while True:
        found, used = [0], 0
        for width in widths:
            if used + width > limit and found[-1]:
                found.append(0)
                used = 0
            found[-1] += 1
            used += width
        if len(found) <= words:
            return found
        if limit == WORD:
            words = len(found)
        limit = min(limit + 1, WORD)


class Layout:
    """Where every cell of a protocol's state is, as a position in a row of registers and as bits of a word.

    The row has one place more than there are cells: an update outside the keys of its variable writes 1 there, which,
    like a counter outside its range, cannot be packed. `words` words hold a state, the first `left` of them its first
    half.
    """

    def __init__(self, protocol: Protocol, sizes: Mapping[str, int]) -> None:
        self.world = World.of(sizes, protocol.kinds)
        self.coding = Coding(self.world)
        self.states = protocol.states
        self.base: dict[State[Any], int] = {}
        self.strides: dict[State[Any], tuple[int, ...]] = {}
        self.cells: list[CellKey] = []
        self.kinds: list[Kind[Any]] = []
        self._entities: list[float] = []
        for state in self.states:
            self._place(state)
        self.fault = len(self.cells)
        self._pack()

    def _place(self, state: State[Any]) -> None:
        code = self.coding
        for kind in state.keys:
            if not code.contiguous(kind):
                raise Refusal(
                    f"{state.name}: exploration has no cells per {kind}; key it by entities, counters or enumerations"
                )
        keys = [[code.decode(kind, r) for r in code.registers(kind)] for kind in state.keys]
        strides = [1] * len(keys)
        for i in range(len(keys) - 2, -1, -1):
            strides[i] = strides[i + 1] * len(keys[i + 1])
        self.base[state], self.strides[state] = len(self.cells), tuple(strides)
        among = len(keys[0]) if keys else 1
        for i, one in enumerate(itertools.product(*keys)):
            self.cells.append((state, one))
            self.kinds.append(state.kind)
            self._entities.append((i // strides[0] + 0.5) / among if among > 1 else 1)

    def _pack(self) -> None:
        code = self.coding
        count = self.fault + 1
        self.low, self.high = np.zeros(count, np.int64), np.zeros(count, np.int64)
        self.none = np.full(count, -1, np.int64)
        widths: list[int] = []
        for i, kind in enumerate(self.kinds):
            self.low[i], self.high[i] = code.low(kind), code.high(kind)
            codes = int(self.high[i] - self.low[i])
            if code.far(kind):
                codes += 1
                self.none[i] = codes
            widths.append(codes.bit_length())
        self.bits = sum(widths)
        self.top = np.where(self.none >= 0, self.none, self.high - self.low)
        # Cells of one entity are packed side by side, and those of the first broker by those of the first partition:
        # they change together, so that half a state has fewer values than if each word held one variable of all.
        self.packed = np.array(sorted(range(self.fault), key=self._entities.__getitem__), np.int64)
        self._widths = [widths[i] for i in self.packed]
        self.divide(0)

    def divided(self, cut: int) -> tuple[list[int], int]:
        """Return how many cells each word has, and how many of the words are of the first half of a state.

        The first half has the first `cut` of the cells as they are packed; by 0 the halves have equally many words.
        """
        if cut == 0:
            words = 1 if self.bits <= ALONE else max(-(-self.bits // WORD), 2)
            shares = _shared_out(self._widths, words)
            return shares, len(shares) // 2
        first, second = (
            _shared_out(half, max(-(-sum(half) // WORD), 1)) for half in (self._widths[:cut], self._widths[cut:])
        )
        return first + second, len(first)

    def divide(self, cut: int) -> None:
        """Have the cells packed into words as `divided` says; states that were packed before mean nothing then."""
        shares, self.left = self.divided(cut)
        self.cut, self.words = cut, len(shares)
        self.first = np.cumsum([0, *shares])
        self.word, self.shift, self.mask = (np.zeros(self.fault + 1, np.int64) for _ in range(3))
        for word, (begin, end) in enumerate(itertools.pairwise(self.first.tolist())):
            used = 0
            for i, width in zip(self.packed[begin:end], self._widths[begin:end], strict=True):
                self.word[i], self.shift[i], self.mask[i] = word, used, (1 << width) - 1
                used += width

    @cached_property
    def index(self) -> dict[CellKey, int]:
        """The position of every cell."""
        return {cell: i for i, cell in enumerate(self.cells)}

    def initial_row(self) -> Numbers:
        """Return the row of registers of the initial values, with the least where any value may be first."""
        row = self.low.copy()
        for i, (state, _) in enumerate(self.cells):
            if state.initial is not None:
                row[i] = self.coding.encode(state.kind, initial(state))
        return row

    def valuation(self, row: Numbers) -> Valuation:
        """Return a row of registers as a state of the interpreter."""
        return Valuation({cell: self.coding.decode(self.kinds[i], int(row[i])) for i, cell in enumerate(self.cells)})

    def row(self, state: Valuation) -> Numbers:
        """Return a state of the interpreter as a row of registers."""
        row = self.initial_row()
        for cell, value in state.items():
            row[self.index[cell]] = self.coding.encode(cell[0].kind, value)
        return row

    def unpack(self, words: Numbers) -> Numbers:
        """Return rows of registers, shape (n, cells + 1), of packed states, shape (n, words)."""
        rows = np.zeros((len(words), self.fault + 1), np.int64)
        for i in range(self.fault):
            rows[:, i] = ((words[:, self.word[i]] >> self.shift[i]) & self.mask[i]) + self.low[i]
            if self.none[i] >= 0:
                rows[rows[:, i] == self.none[i] + self.low[i], i] = FAR
        return rows

    def pack(self, rows: Numbers) -> tuple[Numbers, NDArray[np.bool_]]:
        """Return packed states, shape (n, words), of rows of registers, and which of them leave no range."""
        words = np.zeros((len(rows), self.words), np.int64)
        good = rows[:, self.fault] == 0
        for i in range(self.fault):
            column = rows[:, i]
            inside = (column >= self.low[i]) & (column <= self.high[i])
            code = column - self.low[i]
            if self.none[i] >= 0:
                far = column == FAR
                inside |= far
                code = np.where(far, self.none[i], code)
            good &= inside
            words[:, self.word[i]] |= (code & self.mask[i]) << self.shift[i]
        return words, good
