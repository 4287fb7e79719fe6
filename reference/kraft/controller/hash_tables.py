"""Where Kafka goes through a hash table: in which order that is, so that the same one comes first here.

Kafka's timeline tables have 2 slots at first, and twice as many whenever an entry is put, or put again, and three
quarters of one entry more would be more than the slots. An entry's slot is in the upper bits of its hash times a
constant, and of the entries in one slot the last comes first (`BaseHashTable`, `SnapshottableHashTable`). A partition
number is its own hash. Java's own tables (`HashMap`) have 16 slots, and twice as many once three quarters of them would
be exceeded; the slot is in the lower bits, and of the entries in one slot the first comes first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import TypeVar

V = TypeVar("V")

_SPREAD = 0x9E3779B97F4A7C15
_BITS = 64
_JAVA_SLOTS = 16


@cache
def first_of(count: int, again: bool = False) -> int:
    """Return the number that a table of 0, 1, ... up to `count` numbers, put in one by one, names first.

    `again`: one of them was put again since. Raises ValueError for a table of none.

    >>> [first_of(count) for count in (1, 2, 3, 5, 6)], first_of(5, again=True)
    ([0, 0, 2, 2, 5], 0)
    """
    if count < 1:
        raise ValueError("an empty table has no first entry")
    return _timeline_order(range(count), again)[0]


def timeline_order(keys: Sequence[str]) -> list[str]:
    """Return texts that were put into a timeline table one by one, in the order in which it goes through them."""
    by_number = _timeline_order([java_hash(key) for key in keys], again=False)
    left = list(keys)
    found = []
    for number in by_number:
        # Of two texts with one hash the later one comes first.
        key = next(key for key in reversed(left) if java_hash(key) == number)
        left.remove(key)
        found.append(key)
    return found


def timeline_numbers(numbers: Sequence[int]) -> list[int]:
    """Return numbers that were put into a timeline table one by one, in the order in which it goes through them.

    >>> timeline_numbers([5, 7])
    [7, 5]
    """
    return _timeline_order(numbers, again=False)


def _timeline_order(hashes: Sequence[int], again: bool) -> list[int]:
    slots: list[list[int]] = [[], []]
    for place, number in enumerate((*hashes, *([hashes[0]] if again else []))):
        size = min(place, len(hashes))
        if (size + 1) * 3 > len(slots) * 4:
            entries = [entry for slot in slots for entry in slot]
            slots = [[] for _ in range(len(slots) * 2)]
            for entry in entries:
                slots[_slot(entry, len(slots))].append(entry)
        if place < len(hashes):
            slots[_slot(number, len(slots))].append(number)
    return [number for slot in slots for number in reversed(slot)]


def _slot(number: int, slots: int) -> int:
    return (number * _SPREAD & (1 << _BITS) - 1) >> _BITS - (slots.bit_length() - 1)


def java_hash(text: str) -> int:
    """Return Java's hash of a text, a signed number of 32 bits.

    >>> java_hash("retention.ms"), java_hash("min.insync.replicas")
    (-1339220362, 268940301)
    """
    found = 0
    units = text.encode("utf-16-be")
    for at in range(0, len(units), 2):
        found = (found * 31 + int.from_bytes(units[at : at + 2])) & 0xFFFFFFFF
    return found - (1 << 32) if found >> 31 else found


def java_order(keys: Iterable[str], most: int = 0, *, sized: bool = False) -> list[str]:
    """Return texts that were put into a `HashMap` one by one, in the order in which Java goes through it.

    `most`: how many it held at most, where some were taken out since: it never becomes smaller. `sized`: the table was
    made for as many as are put into it, and not with 16 slots.
    """
    given = list(dict.fromkeys(keys))
    slots = 1 if sized else _JAVA_SLOTS
    while max(most, len(given)) * 4 > slots * 3:
        slots *= 2

    def slot(key: str) -> int:
        number = java_hash(key) & 0xFFFFFFFF
        return (number ^ number >> 16) & slots - 1

    return sorted(given, key=slot)


class JavaTable(dict[str, V]):
    """A dict that can say in which order a `HashMap` with the same history goes through its texts."""

    def __init__(self) -> None:
        super().__init__()
        self._most = 0

    def __setitem__(self, key: str, value: V) -> None:
        super().__setitem__(key, value)
        self._most = max(self._most, len(self))

    def in_order(self) -> Iterator[tuple[str, V]]:
        """Yield the entries as Java goes through them."""
        return ((key, self[key]) for key in java_order(self, self._most))


class ConcurrentTable(dict[tuple[int, int], V]):
    """A dict of sessions that is gone through as a `ConcurrentHashMap` of BrokerIdAndEpoch with the same history.

    The table has 16 slots, and twice as many as soon as three quarters of them are entries; a new entry is the last of
    its slot, and where slots are divided the entries of one change their order. The hash of a record in Java is not
    specified: this is that of OpenJDK, 31 times the hash of the id and that of the epoch. Trees in place of slots with
    more than seven entries are left out.

    >>> table = ConcurrentTable()
    >>> for session in ((1, 7), (2, 8), (3, 9)):
    ...     table[session] = 0
    >>> list(table.sessions())
    [(1, 7), (3, 9), (2, 8)]
    """

    def __init__(self) -> None:
        super().__init__()
        self._slots: list[list[tuple[int, int]]] = [[] for _ in range(_JAVA_SLOTS)]

    def __setitem__(self, session: tuple[int, int], value: V) -> None:
        is_new = session not in self
        super().__setitem__(session, value)
        if is_new:
            self._slots[_session_hash(session) & len(self._slots) - 1].append(session)
            while len(self) * 4 >= len(self._slots) * 3:
                self._slots = _divided(self._slots)

    def __delitem__(self, session: tuple[int, int]) -> None:
        super().__delitem__(session)
        self._slots[_session_hash(session) & len(self._slots) - 1].remove(session)

    def clear(self) -> None:
        """Take out every session; the slots stay as many."""
        super().clear()
        self._slots = [[] for _ in self._slots]

    def sessions(self) -> Iterator[tuple[int, int]]:
        """Yield the sessions as Java goes through them."""
        for slot in self._slots:
            yield from slot


def _session_hash(session: tuple[int, int]) -> int:
    broker, epoch = session
    number = 31 * broker + ((epoch ^ epoch >> 32) & 0xFFFFFFFF) & 0xFFFFFFFF
    return (number ^ number >> 16) & 0x7FFFFFFF


def _divided(slots: list[list[tuple[int, int]]]) -> list[list[tuple[int, int]]]:
    """Return twice as many slots: the last entries of a slot that go the same way stay in order, others turn round."""
    size = len(slots)
    found: list[list[tuple[int, int]]] = [[] for _ in range(2 * size)]
    for at, slot in enumerate(slots):
        upper = [bool(_session_hash(one) & size) for one in slot]
        last = max((n for n in range(len(slot)) if n == 0 or upper[n] is not upper[n - 1]), default=0)
        for one in reversed(range(last)):
            found[at + size * upper[one]].append(slot[one])
        for one in range(last, len(slot)):
            found[at + size * upper[one]].append(slot[one])
    return found
