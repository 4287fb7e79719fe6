"""Stubborn sets: of the steps that are possible in a state, some that may be taken while the others are put off.

A set of parts is stubborn in a state where whatever the parts outside of it do leaves the steps inside possible, and
leads to the same state before them and after them: with a part that has a step it has all that depend on it, with a
part that has none all that may make a false conjunct of its guard true (A. Valmari, "Stubborn sets for reduced state
space generation", 1989). With a step that a property may see it has every such part, so that these keep their order.

The engine compiles `choose`; it runs as plain Python too, and has no arrays but those that it is given.
"""

from __future__ import annotations

from typing import Any


def joined(some: Any, low: Any, high: Any, mark: Any, turn: Any, waiting: Any, count: Any) -> Any:
    """Add those of some parts to a set that are not in it, and return how many it has: `mark` is `turn` for these."""
    for i in range(low, high):
        part = some[i]
        if mark[part] != turn:
            mark[part] = turn
            waiting[count] = part
            count += 1
    return count


def choose(
    possible: Any,
    true: Any,
    dependent: Any,
    dependent_at: Any,
    asked: Any,
    asked_at: Any,
    enabling: Any,
    enabling_at: Any,
    visible: Any,
    visible_parts: Any,
    chosen: Any,
    best: Any,
    mark: Any,
    waiting: Any,
) -> None:
    """Write into `chosen`, shape (states, parts), a stubborn set with as few parts that have a step as any found.

    `possible`, shape (states, parts): which parts have a step; `true`, shape (states, conditions): which conditions
    hold. `dependent[dependent_at[p]:dependent_at[p + 1]]` are the parts that depend on part p, `asked` in the same way
    its conditions, the last of which is one that never holds, `enabling` the parts that may make a condition true. A
    set is grown from each part that has a step; `best`, `mark` and `waiting`, shape (parts,), are room.
    """
    parts = possible.shape[1]
    turn = 0
    for p in range(parts):
        mark[p] = 0
    for s in range(len(possible)):
        least = 0
        for p in range(parts):
            least += possible[s, p]
            best[p] = -1
        seeded = 0
        for seed in range(parts):
            if possible[s, seed] == 0 or least < 2:
                continue
            turn += 1
            found = 0
            seen = 0
            mark[seed] = turn
            waiting[0] = seed
            count = 1
            done = 0
            while done < count and found < least:
                p = waiting[done]
                done += 1
                if possible[s, p] != 0:
                    found += 1
                    count = joined(dependent, dependent_at[p], dependent_at[p + 1], mark, turn, waiting, count)
                    if visible[p] != 0 and seen == 0:
                        seen = 1
                        count = joined(visible_parts, 0, len(visible_parts), mark, turn, waiting, count)
                else:
                    c = asked[asked_at[p]]
                    for i in range(asked_at[p], asked_at[p + 1]):
                        c = asked[i]
                        if true[s, c] == 0:
                            break
                    count = joined(enabling, enabling_at[c], enabling_at[c + 1], mark, turn, waiting, count)
            if found < least:
                least = found
                seeded = 1
                for p in range(parts):
                    best[p] = turn if mark[p] == turn else -1
        for p in range(parts):
            chosen[s, p] = 1 if possible[s, p] != 0 and (seeded == 0 or best[p] >= 0) else 0
