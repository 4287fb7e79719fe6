"""Sequences that are used as tuples are and hold no tuple: what makes their elements when they are asked for."""

from __future__ import annotations

from abc import abstractmethod
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate, chain
from typing import TypeVar, overload

T = TypeVar("T")


class MadeOnDemand(Sequence[T]):
    """A sequence that equals, and hashes as, the tuple of its elements; a slice of it is a tuple."""

    __slots__ = ()

    @abstractmethod
    def element(self, index: int) -> T:
        """Return the element at an index, which is from 0 to the length."""

    @overload
    def __getitem__(self, index: int) -> T: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[T, ...]: ...

    def __getitem__(self, index: int | slice) -> T | tuple[T, ...]:
        if isinstance(index, slice):
            return tuple(self.element(at) for at in range(*index.indices(len(self))))
        at = index + len(self) if index < 0 else index
        if not 0 <= at < len(self):
            raise IndexError(f"there is no element {index} among {len(self)}")
        return self.element(at)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, tuple | MadeOnDemand):
            return NotImplemented
        return len(self) == len(other) and all(mine == its for mine, its in zip(self, other, strict=True))

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {len(self)}>"


class Joined(MadeOnDemand[T]):
    """The elements of several sequences, one after the other."""

    __slots__ = ("_ends", "_parts")

    def __init__(self, parts: Sequence[Sequence[T]]) -> None:
        self._parts = tuple(parts)
        self._ends: tuple[int, ...] | None = None

    def _lengths(self) -> tuple[int, ...]:
        # Known when it is asked for: the length of a part may cost as much as its elements.
        if self._ends is None:
            self._ends = tuple(accumulate(map(len, self._parts)))
        return self._ends

    def __len__(self) -> int:
        return self._lengths()[-1] if self._parts else 0

    def __bool__(self) -> bool:
        return any(True for _ in self)

    def __iter__(self) -> Iterator[T]:
        return chain.from_iterable(self._parts)

    def element(self, index: int) -> T:
        """Return the element at an index."""
        ends = self._lengths()
        part = bisect_right(ends, index)
        return self._parts[part][index - (ends[part - 1] if part else 0)]
