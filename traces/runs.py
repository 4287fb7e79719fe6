"""Runs of records of one type, as columns: they are checked together, without an object for each record."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, TypeAlias

from fencepost.arrays import np

from .codec import type_of_value
from .framing import Framing
from .interner import Interner
from .prefixes import FRAME_SIZE, Prefix, prefix_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

NO_REST = -1
"""Instead of a rest's number where a value is too short to have a prefix: decoding the record says what is wrong."""


@dataclass(frozen=True, slots=True, eq=False)
class Run:
    """Neighbouring records of a batch, [start, end) by their places in it, that have one type and version.

    `prefixes` (uint8, records x width) are the bytes of the fixed-width fields with which each begins, in wire order
    and big-endian (`prefixes.prefix_of` names them); `rests` are the numbers of the bytes behind them. Both are None
    where no interner was given, where the type begins with no such field, and where it is unknown.
    """

    api_key: int
    version: int
    start: int
    end: int
    prefixes: NDArray[np.uint8] | None
    rests: NDArray[np.int32] | None

    @property
    def type(self) -> str:
        """The records' type, empty where it is unknown."""
        return type_of_value(self.api_key, self.version)


def runs_of(data: bytes, framing: Framing, interner: Interner | None) -> Iterator[Run]:
    """The maximal runs of records of one type and version, in their order; see `lazy_records`."""
    kinds = framing.kinds(data)
    bounds = [0, *(np.flatnonzero(kinds[1:] != kinds[:-1]) + 1).tolist(), len(kinds)]
    # By type and not by run: where types alternate, each run is one record.
    columns = {} if interner is None else _columns(data, framing, kinds, interner)
    taken = dict.fromkeys(columns, 0)
    for start, end in pairwise(bounds):
        kind = int(kinds[start])
        if kind not in columns:
            yield Run(kind >> 8, kind & 0xFF, start, end, None, None)
            continue
        prefixes, rests = columns[kind]
        mine = slice(taken[kind], taken[kind] + end - start)
        taken[kind] = mine.stop
        yield Run(kind >> 8, kind & 0xFF, start, end, prefixes[mine], rests[mine])


_Columns: TypeAlias = "tuple[NDArray[np.uint8], NDArray[np.int32]]"


def _columns(data: bytes, framing: Framing, kinds: NDArray[np.uint16], interner: Interner) -> dict[int, _Columns]:
    """The prefixes and rests of the records of each type and version that has a prefix, in their order."""
    found = {}
    for kind in sorted(set(kinds.tolist())):
        prefix = prefix_of(kind >> 8, kind & 0xFF)
        if prefix is not None:
            which = np.flatnonzero(kinds == kind)
            found[kind] = _split(data, framing, which, prefix, interner)
    return found


def _split(data: bytes, framing: Framing, which: NDArray[np.intp], prefix: Prefix, interner: Interner) -> _Columns:
    buffer = np.frombuffer(data, np.uint8)
    front = framing.value_at[which] + FRAME_SIZE
    behind = front + prefix.width
    sizes = framing.value_size[which] - FRAME_SIZE - prefix.width
    whole = sizes >= 0
    prefixes = np.zeros((len(which), prefix.width), np.uint8)
    prefixes[whole] = _bytes(buffer, front[whole], prefix.width)
    rests = np.full(len(which), NO_REST, np.int32)
    for size in sorted(set(sizes[whole].tolist())):
        same = sizes == size
        rests[same] = interner.numbers(prefix.api_key, prefix.version, _bytes(buffer, behind[same], size))
    return prefixes, rests


def _bytes(buffer: NDArray[np.uint8], at: NDArray[np.int32], size: int) -> NDArray[np.uint8]:
    """So many bytes from each place on, a row each."""
    return np.lib.stride_tricks.sliding_window_view(buffer, size)[at] if size else np.zeros((len(at), 0), np.uint8)
