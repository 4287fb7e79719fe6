"""Loops over packed states that no protocol changes: packing, hashing, the index table, pairs of moments.

The engine compiles these functions; they run as plain Python too, and have no arrays but those that they are given.
"""

from __future__ import annotations

from typing import Any

import numpy as np

FAR = 1 << 40


def peeked(array: Any, index: Any) -> Any:
    """Return a number of an array that other threads write too: with what was written before it there."""
    return array[index]


def claimed(array: Any, index: Any, old: Any, new: Any) -> Any:
    """Write a number where another one is, in one step that no thread comes between; return what was there."""
    found = array[index]
    if found == old:
        array[index] = new
    return found


def added(array: Any, index: Any, more: Any) -> Any:
    """Add to a number in one step that no thread comes between; return what it was."""
    found = array[index]
    array[index] = found + more
    return found


def fetched(array: Any, index: Any) -> None:
    """Have an element loaded into the cache ahead of when it is needed. Nothing else changes."""


def invoke(address: Any, results: Any, *given: Any) -> None:
    """Call a compiled function by where it is; what it returns is written to `results`. Plain Python has no such."""
    raise NotImplementedError


def unpack(words: Any, low: Any, none: Any, word: Any, shift: Any, mask: Any, rows: Any) -> None:
    """Write the registers of packed states, shape (n, words), into `rows`, shape (n, cells + 1)."""
    last = rows.shape[1] - 1
    for i in range(len(words)):
        for c in range(last):
            code = (words[i, word[c]] >> shift[c]) & mask[c]
            rows[i, c] = FAR if code == none[c] else code + low[c]
        rows[i, last] = 0


def mixed(node: Any, size: Any) -> Any:
    """Return the slot of a table of some size at which the search for a number begins."""
    h = np.uint64(node) * np.uint64(0xFF51AFD7ED558CCD)
    h = (h ^ (h >> np.uint64(32))) * np.uint64(0xC4CEB9FE1A85EC53)
    return np.int64(((h >> np.uint64(32)) * np.uint64(size)) >> np.uint64(32))


def number(node: Any, nodes: Any, counter: Any, table: Any) -> Any:
    """Return the number of a node among the nodes, that of a new one where the node is new.

    Several threads may number nodes at once. `counter[0]` numbers were given so far. Where two threads number a node at
    the same time, one of the two numbers stays unused: its node is -1.
    """
    slot = mixed(node, len(table))
    fresh = -1
    while True:
        entry = peeked(table, slot)
        if entry == 0:
            if fresh < 0:
                fresh = added(counter, 0, 1)
                nodes[fresh] = node
            entry = claimed(table, slot, 0, fresh + 1)
            if entry == 0:
                return fresh
        entry = entry - 1
        if nodes[entry] == node:
            if fresh >= 0:
                nodes[fresh] = -1
            return entry
        slot = slot + 1
        if slot == len(table):
            slot = 0


def folded(
    values: Any,
    width: Any,
    source: Any,
    differs: Any,
    made: Any,
    covers: Any,
    lefts: Any,
    rights: Any,
    half: Any,
    nodes: Any,
    counter: Any,
    table: Any,
) -> Any:
    """Return the root of a packed state, whose words are the first `width` of `values`; the rest is room for its nodes.

    A node is a word, or the numbers of two nodes. `lefts` says which value makes each, and `rights` which is the other
    one, first words and then nodes, -1 for a node that is a word; the root's halves are node `half` and the last.
    `made[source]` are the nodes of the state's source: those of them stay of which `covers`, the bits of the words
    below each node, has no word that `differs`.
    """
    size = len(lefts)
    if size == 0:
        return values[0]
    for k in range(size):
        if covers[k] & differs == 0:
            values[width + k] = made[source, k]
            continue
        node = values[lefts[k]]
        if rights[k] >= 0:
            node = (node << 32) | values[rights[k]]
        values[width + k] = number(node, nodes, counter, table)
    return (values[width + half] << 32) | values[width + size - 1]


def fold(
    words: Any,
    made: Any,
    covers: Any,
    lefts: Any,
    rights: Any,
    half: Any,
    values: Any,
    nodes: Any,
    counter: Any,
    table: Any,
    roots: Any,
) -> None:
    """Write the roots of packed states, shape (n, words), into `roots`; `values` has room for one state's."""
    for i in range(len(words)):
        for w in range(words.shape[1]):
            values[w] = words[i, w]
        roots[i] = folded(values, words.shape[1], 0, -1, made, covers, lefts, rights, half, nodes, counter, table)


def remembered(root: Any, recent: Any) -> Any:
    """Return 1 for a root that is remembered, else 0, and remember it in place of the one that was in its slot.

    A slot of `recent` holds one more than a root, 0 for none.
    """
    slot = mixed(root, len(recent))
    known = recent[slot] == root + 1
    recent[slot] = root + 1
    return 1 if known else 0


def gather(
    found: Any,
    source: Any,
    begin: Any,
    end: Any,
    base: Any,
    row: Any,
    recent: Any,
    roots: Any,
    parents: Any,
    rows: Any,
    count: Any,
) -> Any:
    """Append roots from `begin` to `end` with their parents, base + source, and their row; return how many there are.

    What is remembered in `recent` was appended before, and is left out.
    """
    for i in range(begin, end):
        if remembered(found[i], recent) == 1:
            continue
        roots[count] = found[i]
        parents[count] = base + source[i]
        rows[count] = row
        count += 1
    return count


def rehash_nodes(nodes: Any, count: Any, table: Any) -> None:
    """Enter all nodes, which are known to differ, into an empty table; those that are unused have -1."""
    for i in range(count):
        if nodes[i] < 0:
            continue
        slot = mixed(nodes[i], len(table))
        while table[slot] != 0:
            slot = slot + 1
            if slot == len(table):
                slot = 0
        table[slot] = i + 1


def unfold(roots: Any, lefts: Any, rights: Any, half: Any, nodes: Any, values: Any, words: Any, made: Any) -> None:
    """Write the packed states with some roots into `words`, shape (n, words), and their nodes into `made`.

    `half` is the node of the first half.
    """
    width = words.shape[1]
    size = len(lefts)
    for i in range(len(roots)):
        if size == 0:
            words[i, 0] = roots[i]
            continue
        values[width + half] = roots[i] >> 32
        values[width + size - 1] = roots[i] & 0xFFFFFFFF
        for j in range(size):
            k = size - 1 - j
            made[i, k] = values[width + k]
            node = nodes[values[width + k]]
            if rights[k] >= 0:
                values[rights[k]] = node & 0xFFFFFFFF
                node = node >> 32
            values[lefts[k]] = node
        for w in range(width):
            words[i, w] = values[w]


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
