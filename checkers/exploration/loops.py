"""Loops over packed states that no protocol changes: packing, hashing, the index table, pairs of moments.

The engine compiles these functions; they run as plain Python too, and have no arrays but those that they are given.
"""

from __future__ import annotations

from typing import Any

import numpy as np

FAR = 1 << 40


def unpack(words: Any, low: Any, none: Any, word: Any, shift: Any, mask: Any, rows: Any) -> None:
    """Write the registers of packed states, shape (n, words), into `rows`, shape (n, cells + 1)."""
    last = rows.shape[1] - 1
    for i in range(len(words)):
        for c in range(last):
            code = (words[i, word[c]] >> shift[c]) & mask[c]
            rows[i, c] = FAR if code == none[c] else code + low[c]
        rows[i, last] = 0


def pack(rows: Any, low: Any, top: Any, none: Any, shift: Any, first: Any, words: Any, good: Any) -> None:
    """Pack rows of registers into `words`; `good` becomes 0 where a register is outside its range.

    `top` is the greatest code of a cell, `none` that of `FAR` or -1, `first` the first cell of each word and the end.
    """
    last = rows.shape[1] - 1
    for i in range(len(rows)):
        bad = rows[i, last] != 0
        for w in range(words.shape[1]):
            packed = np.int64(0)
            for c in range(first[w], first[w + 1]):
                register = rows[i, c]
                code = none[c] if register == FAR else register - low[c]
                bad |= (code < 0) | (code > top[c])
                packed |= code << shift[c]
            words[i, w] = packed
        good[i] = not bad


def place(words: Any, i: Any, bits: Any) -> Any:
    """Return the slot of the index table at which the search for a packed state begins."""
    h = np.uint64(0x9E3779B97F4A7C15)
    for w in range(words.shape[1]):
        h = h ^ np.uint64(words[i, w])
        h = h * np.uint64(0xFF51AFD7ED558CCD)
        h = h ^ (h >> np.uint64(32))
    h = h * np.uint64(0xC4CEB9FE1A85EC53)
    return np.int64(h >> np.uint64(64 - bits))


def insert(
    words: Any,
    good: Any,
    source: Any,
    base: Any,
    row: Any,
    table: Any,
    bits: Any,
    states: Any,
    parents: Any,
    rows: Any,
    count: Any,
    starts: Any,
) -> Any:
    """Add the packed states that are good and new; return how many states there are now.

    `table`, 2**bits slots, holds 0 or the number of a state plus one. `parents` gets base + source[i], `rows` gets row.
    `starts` has room for a number a state.
    """
    last = (1 << bits) - 1
    width = words.shape[1]
    for i in range(len(words)):
        starts[i] = place(words, i, bits)
    for i in range(len(words)):
        if good[i] == 0:
            continue
        slot = starts[i]
        while True:
            entry = table[slot]
            if entry == 0:
                for w in range(width):
                    states[count, w] = words[i, w]
                parents[count] = base + source[i]
                rows[count] = row
                count += 1
                table[slot] = count
                break
            same = True
            for w in range(width):
                if states[entry - 1, w] != words[i, w]:
                    same = False
                    break
            if same:
                break
            slot = (slot + 1) & last
    return count


def unjudged(
    rows: Any,
    asked: Any,
    low: Any,
    top: Any,
    none: Any,
    shift: Any,
    first: Any,
    seen: Any,
    bits: Any,
    kept: Any,
    words: Any,
) -> Any:
    """Write into `kept` which of the rows asked for are not among those judged lately, and return how many there are.

    `seen`, 2**bits packed states, remembers the last one of each slot: what is forgotten, or leaves its range, is only
    judged again. `words`, shape (1, words), is room.
    """
    found = 0
    for i in asked:
        new = rows[i, rows.shape[1] - 1] != 0
        for w in range(words.shape[1]):
            packed = np.int64(0)
            for c in range(first[w], first[w + 1]):
                register = rows[i, c]
                code = none[c] if register == FAR else register - low[c]
                new |= (code < 0) | (code > top[c])
                packed |= code << shift[c]
            words[0, w] = packed
        if not new:
            slot = place(words, 0, bits)
            for w in range(words.shape[1]):
                if seen[slot, w] != words[0, w]:
                    new = True
                    seen[slot, w] = words[0, w]
        if new:
            kept[found] = i
            found += 1
    return found


def rehash(states: Any, count: Any, table: Any, bits: Any) -> None:
    """Enter all states, which are known to differ, into an empty table of 2**bits slots."""
    last = (1 << bits) - 1
    for i in range(count):
        slot = place(states, i, bits)
        while table[slot] != 0:
            slot = (slot + 1) & last
        table[slot] = i + 1


def pairs(mid_of: Any, mid_code: Any, first: Any, second: Any) -> Any:
    """Write the pairs of moments that are one record apart, and return how many; 0 in `first` asks for the number only.

    Moments of a transition stand together, those of a stage too; a pair is a mask and the same with one bit more.
    """
    found = 0
    for i in range(len(mid_of)):
        j = i - 1
        while j >= 0 and mid_of[j] == mid_of[i] and (mid_code[j] >> 48) == (mid_code[i] >> 48):
            more = mid_code[j] ^ mid_code[i]
            if more & (more - 1) == 0 and mid_code[j] & more != 0:
                if found < len(first):
                    first[found] = i
                    second[found] = j
                found += 1
            j -= 1
    return found
