"""Operations on packed lists and masks, written once for Python numbers, NumPy columns and compiled scalars alike.

A list has `n` slots of `w` bits; a slot holds 0 or entity+1. Nothing here branches on a value, so columns may come in.
The engine compiles this file with what calls it: it imports nothing.
"""

from __future__ import annotations

from typing import Any


def count(mask: Any) -> Any:
    """Return the number of bits of a mask."""
    mask = mask - ((mask >> 1) & 0x5555555555555555)
    mask = (mask & 0x3333333333333333) + ((mask >> 2) & 0x3333333333333333)
    mask = (mask + (mask >> 4)) & 0x0F0F0F0F0F0F0F0F
    mask = mask + (mask >> 8)
    mask = mask + (mask >> 16)
    mask = mask + (mask >> 32)
    return mask & 0x7F


def elems(entries: Any, w: int, n: int) -> Any:
    """Return the members of a list as a mask."""
    found = entries & 0
    for i in range(n):
        found = found | ((1 << ((entries >> (i * w)) & ((1 << w) - 1))) >> 1)
    return found


def first(entries: Any, among: Any, w: int, n: int) -> Any:
    """Return the first entry that is in a mask, n where none is."""
    found = (entries & 0) + n
    for j in range(n):
        slot = (entries >> ((n - 1 - j) * w)) & ((1 << w) - 1)
        hit = ((among << 1) >> slot) & 1
        found = found + hit * (slot - 1 - found)
    return found


def keep(entries: Any, among: Any, w: int, n: int) -> Any:
    """Return the entries that are in a mask, in their order."""
    kept = (entries & 0) + (among & 0)
    room = kept
    for i in range(n):
        slot = (entries >> (i * w)) & ((1 << w) - 1)
        hit = ((among << 1) >> slot) & 1
        kept = kept | ((slot * hit) << room)
        room = room + hit * w
    return kept


def concat(left: Any, right: Any, w: int, n: int) -> Any:
    """Return a list followed by the entries of another that it does not have."""
    has = elems(left, w, n)
    room = count(has) * w
    joined = left | (right & 0)
    for i in range(n):
        slot = (right >> (i * w)) & ((1 << w) - 1)
        hit = (1 - (((has << 1) >> slot) & 1)) * (slot > 0)
        joined = joined | ((slot * hit) << room)
        room = room + hit * w
    return joined


def ascending(mask: Any, w: int, n: int) -> Any:
    """Return the members of a mask as a list, the lowest first."""
    made = mask & 0
    room = made
    for e in range(n):
        hit = (mask >> e) & 1
        made = made | (((e + 1) * hit) << room)
        room = room + hit * w
    return made
