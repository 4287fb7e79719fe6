"""Where Kafka asks a hash table for its first entry: which one that is, so that the same one is asked here.

Kafka's timeline tables have 2 slots at first, and twice as many whenever an entry is put, or put again, and three
quarters of one entry more would be more than the slots. An entry's slot is in the upper bits of its hash times a
constant, and of the entries in one slot the last comes first (`BaseHashTable`, `SnapshottableHashTable`). A partition
number is its own hash.
"""

from __future__ import annotations

from functools import cache

_SPREAD = 0x9E3779B97F4A7C15
_BITS = 64


@cache
def first_of(count: int, again: bool = False) -> int:
    """Return the number that a table of 0, 1, ... up to `count` numbers, put in one by one, names first.

    `again`: one of them was put again since. Raises ValueError for a table of none.

    >>> [first_of(count) for count in (1, 2, 3, 5, 6)], first_of(5, again=True)
    ([0, 0, 2, 2, 5], 0)
    """
    if count < 1:
        raise ValueError("an empty table has no first entry")
    slots: list[list[int]] = [[], []]
    for number in (*range(count), *([0] if again else [])):
        size = sum(map(len, slots))
        if (size + 1) * 3 > len(slots) * 4:
            entries = [entry for slot in slots for entry in slot]
            slots = [[] for _ in range(len(slots) * 2)]
            for entry in entries:
                slots[_slot(entry, len(slots))].append(entry)
        if size < count:
            slots[_slot(number, len(slots))].append(number)
    return next(slot[-1] for slot in slots if slot)


def _slot(number: int, slots: int) -> int:
    return (number * _SPREAD & (1 << _BITS) - 1) >> _BITS - (slots.bit_length() - 1)
