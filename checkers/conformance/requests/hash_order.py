"""Computes which partition of a topic Kafka names first: its replica count is the one that further partitions get.

A topic's partitions are in a timeline table of Kafka (`BaseHashTable`): two slots at first, and twice as many when an
entry is put, or put again, and three quarters of one entry more would be more than the slots. A number's slot is in the
upper bits of its product with a constant; of the entries of a slot the last one comes first.
"""

from __future__ import annotations

from functools import cache

_CONSTANT = 0x9E3779B97F4A7C15
_WORD = 64


@cache
def first_partitions(count: int, changed: bool) -> frozenset[int]:
    """Return the numbers of the partitions that Kafka may name first, of a topic with `count` of them.

    There is one where none was `changed` since its creation. Of a changed one the state does not show whether that was
    before the last one was added, and a table that was read from a snapshot does not have the change; where an entry
    put again makes the table larger, there may be two.

    >>> [sorted(first_partitions(count, False)) for count in (1, 2, 3, 5, 6)], sorted(first_partitions(5, True))
    ([[0], [0], [2], [2], [5]], [0, 2])
    """
    return frozenset(_first(count, put) for put in ((count, count + 1) if changed else (count,)))


def _first(count: int, put: int) -> int:
    """Return the first of `count` numbers in a table into which `put` entries were put; the last ones put again."""
    slots: list[list[int]] = [[], []]
    for number in range(put):
        if (number + 1) * 3 > len(slots) * 4:
            entries = [entry for slot in slots for entry in slot]
            slots = [[] for _ in range(2 * len(slots))]
            for entry in entries:
                slots[_slot(entry, slots)].append(entry)
        if number < count:
            slots[_slot(number, slots)].append(number)
    return next(slot[-1] for slot in slots if slot)


def _slot(number: int, slots: list[list[int]]) -> int:
    return (number * _CONSTANT & (1 << _WORD) - 1) >> _WORD - (len(slots).bit_length() - 1)
