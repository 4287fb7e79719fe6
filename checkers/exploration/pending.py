"""Updates of a stage that wait until it has read all that it reads, then applied in whole and in every part.

`n` updates wait in three arrays: `at` the position, `to` the register, `of` the group. The engine compiles
this file with what calls it: it imports nothing.
"""

from __future__ import annotations

from typing import Any


def later(n: Any, position: Any, register: Any, group: Any, at: Any, to: Any, of: Any) -> Any:
    """Let an update wait; return how many wait now."""
    at[n] = position
    to[n] = register
    of[n] = group
    return n + 1


def apply(row: Any, mask: Any, n: Any, at: Any, to: Any, of: Any) -> Any:
    """Write the waiting updates whose group is in the mask into a row; return 0, to wait for more."""
    for i in range(n):
        if (mask >> of[i]) & 1 != 0:
            row[at[i]] = to[i]
    return 0


def groups(n: Any, of: Any) -> Any:
    """Return the mask of the groups of the waiting updates."""
    mask = 0
    for i in range(n):
        mask |= 1 << of[i]
    return mask


def moments(
    row: Any,
    active: Any,
    n: Any,
    at: Any,
    to: Any,
    of: Any,
    mids: Any,
    mid_of: Any,
    mid_code: Any,
    m: Any,
    k: Any,
    stage: Any,
) -> Any:
    """Write every part of a stage as a moment of successor k, from the row on; then apply the whole to the row.

    `stage` is the stage's number, shifted. Returns how many moments there are now.
    """
    part = active
    while True:
        for c in range(len(row)):
            mids[m, c] = row[c]
        apply(mids[m], part, n, at, to, of)
        mid_of[m] = k
        mid_code[m] = stage | part
        m += 1
        if part == 0:
            break
        part = (part - 1) & active
    apply(row, active, n, at, to, of)
    return m
