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


def repack(
    before: Any,
    packed: Any,
    source: Any,
    rows: Any,
    positions: Any,
    bits: Any,
    low: Any,
    top: Any,
    none: Any,
    shift: Any,
    word: Any,
    mask: Any,
    words: Any,
    good: Any,
    masks: Any,
    differs: Any,
) -> None:
    """Pack successors as `pack` does, from what their sources are packed into: rows of registers that differ from
    `before[source[i]]`, which is packed in `packed[source[i]]`, at some positions at most.

    `masks` gets the bits of the positions that differ, `differs` a bit for each word that does, the last one for all
    words from 62 on.
    """
    last = rows.shape[1] - 1
    for i in range(len(rows)):
        begin = source[i]
        v = before[begin]
        o = rows[i]
        bad = o[last] != 0
        changes = 0
        among = 0
        for w in range(words.shape[1]):
            words[i, w] = packed[begin, w]
        for c in range(len(positions)):
            at = positions[c]
            register = o[at]
            if register != v[at]:
                code = none[at] if register == FAR else register - low[at]
                bad |= (code < 0) | (code > top[at])
                w = word[at]
                words[i, w] = (words[i, w] & (-1 ^ (mask[at] << shift[at]))) | (code << shift[at])
                changes = changes | bits[c]
                among = among | (1 << w if w < 62 else 1 << 62)
        good[i] = not bad
        masks[i] = changes
        differs[i] = among


def place(words: Any, i: Any, bits: Any) -> Any:
    """Return the slot of a table at which the search for a packed state begins."""
    h = np.uint64(0x9E3779B97F4A7C15)
    for w in range(words.shape[1]):
        h = h ^ np.uint64(words[i, w])
        h = h * np.uint64(0xFF51AFD7ED558CCD)
        h = h ^ (h >> np.uint64(32))
    h = h * np.uint64(0xC4CEB9FE1A85EC53)
    return np.int64(h >> np.uint64(64 - bits))


def mixed(left: Any, right: Any, size: Any) -> Any:
    """Return the slot of a table of some size at which the search for two numbers begins."""
    h = np.uint64(left) ^ np.uint64(0x9E3779B97F4A7C15)
    h = h * np.uint64(0xFF51AFD7ED558CCD)
    h = h ^ (h >> np.uint64(32)) ^ np.uint64(right)
    h = h * np.uint64(0xC4CEB9FE1A85EC53)
    h = h ^ (h >> np.uint64(29))
    h = h * np.uint64(0xFF51AFD7ED558CCD)
    return np.int64(((h >> np.uint64(32)) * np.uint64(size)) >> np.uint64(32))


def number(left: Any, right: Any, nodes: Any, count: Any, table: Any) -> Any:
    """Return the number of a pair among the nodes, of which there are `count`: that itself where the pair is new."""
    slot = mixed(left, right, len(table))
    while table[slot] != 0:
        entry = table[slot] - 1
        if nodes[entry, 0] == left and nodes[entry, 1] == right:
            return entry
        slot = slot + 1
        if slot == len(table):
            slot = 0
    nodes[count, 0] = left
    nodes[count, 1] = right
    table[slot] = count + 1
    return count


def fold(
    words: Any,
    good: Any,
    begin: Any,
    end: Any,
    source: Any,
    made: Any,
    differs: Any,
    covers: Any,
    lefts: Any,
    rights: Any,
    half: Any,
    values: Any,
    nodes: Any,
    node_count: Any,
    node_table: Any,
    folded: Any,
) -> Any:
    """Write the roots of packed states, of those from `begin` to `end` that are good, into `folded`.

    A state is folded into one number, its root: `lefts` and `rights` say which two values make each node, first words
    and then nodes, -1 for nothing; the root's halves are node `half` and the last. `values` has room for one state's.
    `made[source[i]]` are the nodes of the state's source: those of them stay of which `covers`, the bits of the words
    below each node, has no word that `differs`. Returns how many nodes there are now.
    """
    width = words.shape[1]
    size = len(lefts)
    for i in range(begin, end):
        root = words[i, 0]
        if size > 0 and good[i] != 0:
            for w in range(width):
                values[w] = words[i, w]
            for k in range(size):
                if covers[k] & differs[i] == 0:
                    values[width + k] = made[source[i], k]
                    continue
                right = 0
                if rights[k] >= 0:
                    right = values[rights[k]]
                found = number(values[lefts[k]], right, nodes, node_count, node_table)
                if found == node_count:
                    node_count += 1
                values[width + k] = found
            root = (values[width + half] << 32) | values[width + size - 1]
        folded[i] = root
    return node_count


def remembered(root: Any, recent: Any) -> Any:
    """Return 1 for a root that is remembered, else 0, and remember it in place of the one that was in its slot.

    A slot of `recent` holds one more than a root, 0 for none.
    """
    slot = mixed(root, 0, len(recent))
    if recent[slot] == root + 1:
        return 1
    recent[slot] = root + 1
    return 0


def insert(
    words: Any,
    good: Any,
    source: Any,
    base: Any,
    row: Any,
    made: Any,
    differs: Any,
    covers: Any,
    lefts: Any,
    rights: Any,
    half: Any,
    values: Any,
    nodes: Any,
    node_count: Any,
    node_table: Any,
    table: Any,
    roots: Any,
    parents: Any,
    rows: Any,
    count: Any,
    folded: Any,
    recent: Any,
    starts: Any,
    ahead: Any,
) -> Any:
    """Add the packed states that are good and new; return how many states and how many nodes there are now.

    States are distinguished by their roots, which `fold` makes. Most that are not new are remembered in `recent`, a
    cache. A slot of a table holds 0 or a number plus one. `parents` gets base + source[i], `rows` gets row. `folded`
    and `starts` have room for a number a state, `ahead` for 512: what the slots of 256 states hold is fetched together,
    since memory answers many questions in the time of one.
    """
    for low in range((len(words) + 255) >> 8):
        begin = low << 8
        end = begin + 256
        if end > len(words):
            end = len(words)
        node_count = fold(
            words,
            good,
            begin,
            end,
            source,
            made,
            differs,
            covers,
            lefts,
            rights,
            half,
            values,
            nodes,
            node_count,
            node_table,
            folded,
        )
        for i in range(begin, end):
            if good[i] == 0 or remembered(folded[i], recent) == 1:
                starts[i] = -1
                ahead[i - begin] = 0
            else:
                starts[i] = mixed(folded[i], 0, len(table))
                ahead[i - begin] = table[starts[i]]
        for i in range(begin, end):
            if ahead[i - begin] > 0:
                ahead[256 + i - begin] = roots[ahead[i - begin] - 1]
        for i in range(begin, end):
            if starts[i] < 0:
                continue
            slot = starts[i]
            root = folded[i]
            while True:
                entry = table[slot]
                if entry == 0:
                    roots[count] = root
                    parents[count] = base + source[i]
                    rows[count] = row
                    count += 1
                    table[slot] = count
                    break
                if roots[entry - 1] == root:
                    break
                slot = slot + 1
                if slot == len(table):
                    slot = 0
    return count, node_count


def gather(
    words: Any,
    good: Any,
    source: Any,
    base: Any,
    row: Any,
    made: Any,
    differs: Any,
    covers: Any,
    lefts: Any,
    rights: Any,
    half: Any,
    values: Any,
    nodes: Any,
    node_count: Any,
    node_table: Any,
    recent: Any,
    roots: Any,
    parents: Any,
    rows: Any,
    count: Any,
    folded: Any,
) -> Any:
    """Append the roots of packed states that are good; return how many there are now, and how many nodes.

    What is remembered in `recent` was appended before, and is left out.
    """
    node_count = fold(
        words,
        good,
        0,
        len(words),
        source,
        made,
        differs,
        covers,
        lefts,
        rights,
        half,
        values,
        nodes,
        node_count,
        node_table,
        folded,
    )
    for i in range(len(words)):
        if good[i] == 0 or remembered(folded[i], recent) == 1:
            continue
        roots[count] = folded[i]
        parents[count] = base + source[i]
        rows[count] = row
        count += 1
    return count, node_count


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

    `seen`, 2**bits packed states, each word by its complement, remembers the last one of each slot: what is forgotten,
    or leaves its range, is only judged again. `words`, shape (1, words), is room.
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
                complement = -1 ^ words[0, w]
                if seen[slot, w] != complement:
                    new = True
                    seen[slot, w] = complement
        if new:
            kept[found] = i
            found += 1
    return found


def rehash(roots: Any, count: Any, table: Any) -> None:
    """Enter all roots, which are known to differ, into an empty table."""
    for i in range(count):
        slot = mixed(roots[i], 0, len(table))
        while table[slot] != 0:
            slot = slot + 1
            if slot == len(table):
                slot = 0
        table[slot] = i + 1


def rehash_nodes(nodes: Any, count: Any, table: Any) -> None:
    """Enter all nodes, which are known to differ, into an empty table."""
    for i in range(count):
        slot = mixed(nodes[i, 0], nodes[i, 1], len(table))
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
            node = values[width + k]
            made[i, k] = node
            values[lefts[k]] = nodes[node, 0]
            if rights[k] >= 0:
                values[rights[k]] = nodes[node, 1]
        for w in range(width):
            words[i, w] = values[w]


def changed(before: Any, before_at: Any, after: Any, after_at: Any, columns: Any, bits: Any, masks: Any) -> None:
    """Write for each step, from `before[before_at[i]]` to `after[after_at[i]]`, the bits of the columns that differ."""
    for i in range(len(before_at)):
        v = before[before_at[i]]
        o = after[after_at[i]]
        mask = 0
        for j in range(len(columns)):
            mask = mask | (bits[j] * (v[columns[j]] != o[columns[j]]))
        masks[i] = mask


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
