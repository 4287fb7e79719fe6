"""The loop over the rows of a chunk of states: rows expand, successors are packed, folded and handed on, properties are
evaluated at the moments inside rows and on steps, all in compiled code.

What a protocol has of its own, its rows and properties, are functions that this loop calls by where they are. Python is
asked where a function is not made yet, an array is too small, or something was found. The engine compiles this file
together with `loops.py`.
"""

from __future__ import annotations

from typing import Any

from .loops import FAR, fetched, folded, invoke, mixed, pairs, peeked, remembered

DONE, ROOM, NODES, BUFFERS, NEEDED, PAIRS, MOMENT, STEP, PART, TWICE, HANDED = 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
"""Why the loop ended: every row was expanded; the roots have no more room; the nodes have not; one state has more
successors than the buffers of an expansion; a function is needed; the pairs have no room; a property was found at a
moment, at a step, at a part of one; a cell was written twice; the successors of a row are to be handed over."""

ROW, AT, COUNT, BEGAN, MADE, MOMENTS, TASK, KEPT, PAIRED, WHERE = 0, 1, 2, 3, 4, 5, 6, 7, 8, 9
"""The places of `span`: the row; the first state that it is not expanded for; how many roots there are; the state from
which the successors in the buffers are, and how many there are of them and of their moments; what is to be asked next
of these, 0 where nothing is left; how many moments are to be checked, and pairs of them; where something was found, or
which function is needed."""

SPAN = 10

HAND, CONFLICTS, LAST, BATCHES, BEGIN, END = 0, 1, 2, 3, 4, 5
"""The columns of `about`: whether a row's successors are handed over; whether it may write a cell twice; its last
stage; whether its moments are checked; its first step that is asked about, and the one behind the last."""

SLOT, PROPERTY, MASK, RECORDS = 0, 1, 2, 3
"""The columns of `steps`: the function, the property, the bits of the variables of which one has to change (-1 for a
step that is always asked about), and whether it is asked about after every record."""

STAGE_SHIFT = 48
PARTS = (1 << 48) - 1
CONFLICT = 2
"""What the register of faults holds where a cell was written twice."""


def now(clock: Any, times: Any, which: Any) -> Any:
    """Return the nanoseconds of the processor that this thread has taken, by the system's function."""
    invoke(clock, times, which)
    return times[0] * 1000000000 + times[1]


def checked_before(
    row: Any, low: Any, top: Any, none: Any, shift: Any, order: Any, first: Any, seen: Any, words: Any
) -> Any:
    """Return 1 for a row of registers that was checked lately, else 0, and remember it.

    `seen`, a power of two of packed states, each word by its complement, remembers the last one of each slot: what is
    forgotten, or leaves its range, is only checked again. `words` is room.
    """
    new = row[len(row) - 1] != 0
    h = 0x1E3779B97F4A7C15
    for w in range(seen.shape[1]):
        packed = 0
        for k in range(first[w], first[w + 1]):
            c = order[k]
            register = row[c]
            code = none[c] if register == FAR else register - low[c]
            new |= (code < 0) | (code > top[c])
            packed |= code << shift[c]
        words[w] = -1 ^ packed
        h = (h ^ packed) * 0x4F51AFD7ED558CCD
        h = h ^ ((h >> 32) & 0xFFFFFFFF)
    if new:
        return 0
    slot = (h * 0x44CEB9FE1A85EC53 >> 20) & (seen.shape[0] - 1)
    for w in range(seen.shape[1]):
        if seen[slot, w] != words[w]:
            new = True
            seen[slot, w] = words[w]
    return 0 if new else 1


def chosen_moments(
    last: Any,
    good: Any,
    m: Any,
    mids: Any,
    mid_of: Any,
    mid_code: Any,
    low: Any,
    top: Any,
    none: Any,
    shift: Any,
    order: Any,
    first: Any,
    seen: Any,
    words: Any,
    froms: Any,
    checked: Any,
) -> Any:
    """Copy the moments that are to be checked into `checked`, write which they are into `froms`; return how many.

    They are states of their own: the empty part of a stage is the whole of the one before, and the whole of the last
    stage is the successor.
    """
    count = 0
    for i in range(m):
        if good[mid_of[i]] == 0 or mid_code[i] & PARTS == 0:
            continue
        stage = mid_code[i] >> STAGE_SHIFT
        if stage == last:
            if i == 0:
                continue
            if mid_of[i - 1] != mid_of[i] or mid_code[i - 1] >> STAGE_SHIFT != stage:
                continue
        if checked_before(mids[i], low, top, none, shift, order, first, seen, words) != 0:
            continue
        for c in range(mids.shape[1]):
            checked[count, c] = mids[i, c]
        froms[count] = i
        count += 1
    return count


def parts_of_steps(
    m: Any,
    mids: Any,
    mid_of: Any,
    mid_code: Any,
    good: Any,
    code: Any,
    row: Any,
    bound: Any,
    kinds: Any,
    begins: Any,
    places: Any,
    bits: Any,
    earlier: Any,
    later: Any,
    changes: Any,
) -> Any:
    """Write the pairs of moments that are one record apart, with the bits of what differs, in transitions that are
    good; return how many there are, or how many there may be where that is more than there is room for.
    """
    found = pairs(mid_of[:m], mid_code, earlier, later)
    if found > len(earlier):
        return found
    count = 0
    for i in range(found):
        one = earlier[i]
        other = later[i]
        k = mid_of[one]
        if good[k] == 0:
            continue
        kind = kinds[bound[row, 0] + code[k] * bound[row, 1]]
        changed = 0
        for c in range(begins[kind], begins[kind + 1]):
            p = places[c]
            if mids[one, p] != mids[other, p]:
                changed = changed | bits[c]
        earlier[count] = one
        later[count] = other
        changes[count] = changed
        count += 1
    return count


def advance(
    functions: Any,
    spent: Any,
    clock: Any,
    which: Any,
    times: Any,
    given: Any,
    span: Any,
    cells: Any,
    alive: Any,
    out: Any,
    source: Any,
    code: Any,
    parts: Any,
    mids: Any,
    mid_of: Any,
    mid_code: Any,
    packed: Any,
    made: Any,
    bound: Any,
    kinds: Any,
    begins: Any,
    places: Any,
    bits: Any,
    low: Any,
    top: Any,
    none: Any,
    shift: Any,
    word: Any,
    mask: Any,
    order: Any,
    first: Any,
    covers: Any,
    lefts: Any,
    rights: Any,
    half: Any,
    values: Any,
    nodes: Any,
    counter: Any,
    table: Any,
    room: Any,
    good: Any,
    masks: Any,
    differs: Any,
    roots: Any,
    sources: Any,
    ends: Any,
    counts: Any,
    recent: Any,
    about: Any,
    steps: Any,
    checks: Any,
    asked: Any,
    open: Any,
    hits: Any,
    froms: Any,
    tos: Any,
    codes: Any,
    earlier: Any,
    later: Any,
    changes: Any,
    checked: Any,
    seen: Any,
) -> Any:
    """Expand states by all rows, one after the other, append the roots of their successors, and ask about the steps;
    return why it ended.

    `functions` are where the functions are, first those of the rows; 0 for one that is not made. `spent` gets the
    nanoseconds of those where it is not negative, by the system's function `clock`. `cells` and the buffers up to
    `mid_code` are as the rows' functions take them. A successor is packed from its source: `packed` and `made` are the
    sources' words and nodes; `places` and `bits` are the registers that a firing may write, with the bits of their
    variables, from `begins[kind]` to the next, where `kinds` has the kind of each binding, those of a row from
    `bound[row, 0]` on, one for all of them where `bound[row, 1]` is 0. `good` gets 0 where a register is outside its
    range, `masks` the bits of what changed, `differs` those of the words that did; `values` is room, a row for each.

    Roots that are good and not among those remembered in `recent` are appended to `roots`, the states that they come
    from to `sources`; `ends` gets their number after each row, `counts` how many of its steps were good and how many
    not. `checks` are the functions of properties of one state asked about at moments: the function and, from one to
    another place of `asked`, the properties. `open` is 1 for a property that is still to be found; the last is that no
    cell is written twice. From `hits` to `seen` there is room: see the functions above.
    """
    width = packed.shape[1]
    last = cells.shape[1] - 1
    while span[ROW] < len(about):
        row = span[ROW]
        if span[TASK] == 0:
            at = span[AT]
            n = span[COUNT]
            if at == len(cells):
                ends[row] = n
                span[ROW] = row + 1
                span[AT] = 0
                continue
            if functions[row] == 0:
                span[WHERE] = row
                return NEEDED
            if n + len(out) > len(roots):
                return ROOM
            if len(lefts) > 0 and peeked(counter, 0) + room > len(nodes):
                return NODES
            began = 0
            if spent[row] >= 0:
                began = now(clock, times, which)
            invoke(
                functions[row], given, cells, at, len(cells), out, source, code, alive, parts, mids, mid_of, mid_code
            )
            if spent[row] >= 0:
                spent[row] += now(clock, times, which) - began
            k = given[1]
            if given[0] == at:
                return BUFFERS
            twice = -1
            for i in range(k):
                begin = source[i]
                v = cells[begin]
                o = out[i]
                new = values[i]
                bad = o[last] != 0
                changed = 0
                among = 0
                for w in range(width):
                    new[w] = packed[begin, w]
                kind = kinds[bound[row, 0] + code[i] * bound[row, 1]]
                for c in range(begins[kind], begins[kind + 1]):
                    p = places[c]
                    register = o[p]
                    if register != v[p]:
                        value = none[p] if register == FAR else register - low[p]
                        bad |= (value < 0) | (value > top[p])
                        w = word[p]
                        new[w] = (new[w] & (-1 ^ (mask[p] << shift[p]))) | (value << shift[p])
                        changed = changed | bits[c]
                        among = among | (1 << w if w < 62 else 1 << 62)
                masks[i] = changed
                differs[i] = among
                if bad:
                    good[i] = 0
                    if twice < 0 and o[last] == CONFLICT:
                        twice = i
                    continue
                good[i] = 1
                for node in range(len(lefts)):
                    if rights[node] < 0 and covers[node] & among != 0:
                        fetched(table, mixed(new[lefts[node]], len(table)))
            # Three loops, so that what each reads from memory was fetched by the one before.
            inside = 0
            end = n
            for i in range(k):
                if good[i] == 0:
                    continue
                inside += 1
                begin = source[i]
                root = folded(
                    values[i], width, begin, differs[i], made, covers, lefts, rights, half, nodes, counter, table
                )
                # Written in any case, so that no branch is taken that the processor cannot foresee. Where nothing
                # changed it is the state itself, which is known.
                roots[end] = root
                sources[end] = begin
                end += masks[i] != 0
                fetched(recent, mixed(root, len(recent)))
            for j in range(n, end):
                root = roots[j]
                roots[n] = root
                sources[n] = sources[j]
                n += 1 - remembered(root, recent)
            counts[row, 0] += inside
            counts[row, 1] += k - inside
            span[BEGAN] = at
            span[AT] = given[0]
            span[COUNT] = n
            span[MADE] = k
            span[MOMENTS] = given[2]
            span[KEPT] = -1
            span[PAIRED] = -1
            if k == 0:
                continue
            if about[row, HAND] != 0:
                return HANDED
            span[TASK] = 1
            if about[row, CONFLICTS] != 0 and twice >= 0 and open[len(open) - 1] != 0:
                span[WHERE] = twice
                return TWICE
        k = span[MADE]
        m = span[MOMENTS]
        if about[row, BATCHES] != 0 and m > 0 and span[KEPT] < 0:
            span[KEPT] = chosen_moments(
                about[row, LAST],
                good,
                m,
                mids,
                mid_of,
                mid_code,
                low,
                top,
                none,
                shift,
                order,
                first,
                seen,
                values[0],
                froms,
                checked,
            )
        while span[TASK] <= len(checks):
            task = span[TASK] - 1
            if span[KEPT] > 0:
                slot = checks[task, 0]
                begin = checks[task, 1]
                end = checks[task, 2]
                wanted = 0
                for j in range(begin, end):
                    wanted += open[asked[j]]
                    hits[j - begin] = 0 - open[asked[j]]
                if wanted > 0:
                    if functions[slot] == 0:
                        span[WHERE] = slot
                        return NEEDED
                    began = 0
                    if spent[slot] >= 0:
                        began = now(clock, times, which)
                    invoke(functions[slot], given, checked[: span[KEPT]], hits[: end - begin])
                    if spent[slot] >= 0:
                        spent[slot] += now(clock, times, which) - began
                    some = 0
                    for j in range(begin, end):
                        if open[asked[j]] != 0 and hits[j - begin] >= 0:
                            some += 1
                    if some > 0:
                        span[WHERE] = task
                        span[TASK] = task + 2
                        return MOMENT
            span[TASK] = task + 2
        chosen = -1
        known = -2
        alone = -1
        while about[row, BEGIN] + span[TASK] - len(checks) - 1 < about[row, END]:
            j = about[row, BEGIN] + span[TASK] - len(checks) - 1
            if open[steps[j, PROPERTY]] == 0:
                span[TASK] += 1
                continue
            slot = steps[j, SLOT]
            wanted = steps[j, MASK]
            records = 0
            if m > 0:
                records = steps[j, RECORDS]
            if known != wanted or alone != records:
                known = wanted
                alone = records
                chosen = 0
                for i in range(k):
                    if good[i] != 0 and (masks[i] & wanted != 0 or wanted == -1) and (records == 0 or parts[i] == 0):
                        froms[chosen] = source[i]
                        tos[chosen] = i
                        codes[chosen] = code[i]
                        chosen += 1
            if functions[slot] == 0 and (chosen > 0 or records != 0):
                span[WHERE] = slot
                return NEEDED
            if chosen > 0:
                began = 0
                if spent[slot] >= 0:
                    began = now(clock, times, which)
                invoke(functions[slot], given, cells, froms, out, tos, codes[:chosen])
                if spent[slot] >= 0:
                    spent[slot] += now(clock, times, which) - began
                if given[0] >= 0:
                    span[WHERE] = given[0]
                    return STEP
            if records != 0:
                if span[PAIRED] < 0:
                    span[PAIRED] = parts_of_steps(
                        m,
                        mids,
                        mid_of,
                        mid_code,
                        good,
                        code,
                        row,
                        bound,
                        kinds,
                        begins,
                        places,
                        bits,
                        earlier,
                        later,
                        changes,
                    )
                    if span[PAIRED] > len(earlier):
                        span[WHERE] = span[PAIRED]
                        span[PAIRED] = -1
                        return PAIRS
                known = -2
                some = 0
                for i in range(span[PAIRED]):
                    if changes[i] & wanted != 0 or wanted == -1:
                        froms[some] = earlier[i]
                        tos[some] = later[i]
                        codes[some] = code[mid_of[earlier[i]]]
                        some += 1
                if some > 0:
                    invoke(functions[slot], given, mids, froms, mids, tos, codes[:some])
                    if given[0] >= 0:
                        span[WHERE] = given[0]
                        return PART
            span[TASK] += 1
        span[TASK] = 0
    return DONE
