"""The loops of a table of states: a slot holds what its own place does not say of a root.

A root of some `bits` is scattered, by a way that can be gone back, to a number of as many bits. Its upper 32 bits say
at which of the slots the search for it begins, of which there may be any number; what that leaves open of them, and the
other bits, are its rest. A slot holds the rest, and how far it is from where the search began: so every root is in the
table in whole, and two that differ never are taken for one (Cleary, "Compact hash tables using bidirectional linear
probing", 1984; here probing goes one way). A slot has four bytes, and four more where `more` is as long as the table.

A `form` is what all slots agree on: see the names of its places below. The table has `PIECES` pieces of equal length,
and a root stays in its piece: threads share the pieces out, and the table grows piece by piece. The engine compiles
these functions.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .loops import fetched

BITS, HALF, SLOTS, LOG, AWAY = 0, 1, 2, 3, 4
"""The places of a form: the bits of a root; those of each half, 0 for a root that is not two numbers; how many slots
there are, the greatest power of two not above that, and the bits that say how far a root is from its first slot."""

FORM = 5

PIECE_BITS = 4
PIECES = 1 << PIECE_BITS

LEAST_HALF = 17
"""Bits that a half has at least. They say where a root is; the others only change that, so that a root whose others are
zero, as all were before halves got more bits, keeps its place."""

ODD = 0x9E3779B97F4A7C15
BACK = 0xF1DE83E19937733D
"""The inverse of `ODD` modulo 2**64."""


def swapped(number: Any, bits: Any, by: Any) -> Any:
    """Return a number of some bits with its lower and upper halves mixed, in a way that can be gone back."""
    mask = np.uint64((1 << bits) - 1)
    s = np.uint64((bits + 1) >> 1)
    h = np.uint64(number)
    h = ((h ^ (h >> s)) * np.uint64(by)) & mask
    h = ((h ^ (h >> s)) * np.uint64(by)) & mask
    return np.int64(h ^ (h >> s))


def spread(left: Any, right: Any) -> Any:
    """Return by what the upper bits of two halves change where their root is: by nothing if they are zero."""
    mixed = np.uint64((left << 16) | right) * np.uint64(ODD)
    return np.int64(mixed >> np.uint64(64 - 2 * LEAST_HALF))


def scattered(root: Any, form: Any) -> Any:
    """Return the number that a root is scattered to, below 2**bits."""
    if form[HALF] == 0:
        return swapped(root, form[BITS], ODD)
    left = root >> (32 + LEAST_HALF)
    right = (root & 0xFFFFFFFF) >> LEAST_HALF
    least = (1 << LEAST_HALF) - 1
    h = swapped((((root >> 32) & least) << LEAST_HALF) | (root & least), 2 * LEAST_HALF, ODD) ^ spread(left, right)
    more = form[HALF] - LEAST_HALF
    return (h << (2 * more)) | (left << more) | right


def gathered(number: Any, form: Any) -> Any:
    """Return the root that is scattered to a number."""
    if form[HALF] == 0:
        return swapped(number, form[BITS], BACK)
    more = form[HALF] - LEAST_HALF
    left = (number >> more) & ((1 << more) - 1)
    right = number & ((1 << more) - 1)
    h = swapped((number >> (2 * more)) ^ spread(left, right), 2 * LEAST_HALF, BACK)
    left = (left << LEAST_HALF) | (h >> LEAST_HALF)
    return (left << 32) | (right << LEAST_HALF) | (h & ((1 << LEAST_HALF) - 1))


def home(number: Any, form: Any) -> Any:
    """Return the slot at which the search for a scattered number begins."""
    return ((number >> (form[BITS] - 32)) * form[SLOTS]) >> 32


def piece_of(number: Any, form: Any) -> Any:
    """Return the piece of the table that a scattered number is in: that of its first slot."""
    return number >> (form[BITS] - PIECE_BITS)


def rest(number: Any, form: Any) -> Any:
    """Return what a slot holds of a scattered number that is one slot on from its first: the rest, and 1."""
    low = form[BITS] - 32
    # Numbers with one first slot are this far apart: SLOTS, which is 2**LOG at least.
    between = ((number >> low) * form[SLOTS]) & 0xFFFFFFFF
    return (((between >> form[LOG]) << low | (number & ((1 << low) - 1))) << form[AWAY]) | 1


def number_at(held: Any, slot: Any, begin: Any, form: Any) -> Any:
    """Return the scattered number that a slot holds, in the piece of the table that begins at `begin`."""
    first = slot - (held & ((1 << form[AWAY]) - 1)) + 1
    if first < begin:
        first += form[SLOTS] >> PIECE_BITS
    held = held >> form[AWAY]
    low = form[BITS] - 32
    least = (first << 32) | ((held >> low) << form[LOG])
    upper = (least + form[SLOTS] - 1) // form[SLOTS]
    return (upper << low) | (held & ((1 << low) - 1))


def put(number: Any, form: Any, table: Any, more: Any) -> Any:
    """Find a scattered number in the table, or enter it.

    Returns the slot that it was entered in, -1 where it was there before, -2 where it would be too far away.
    """
    slot = home(number, form)
    wanted = rest(number, form)
    most = wanted | ((1 << form[AWAY]) - 1)
    share = form[SLOTS] >> PIECE_BITS
    end = (piece_of(number, form) + 1) * share
    wide = len(more) > 0
    while wanted < most:
        held = table[slot]
        if held == 0:
            table[slot] = wanted & 0xFFFFFFFF
            if wide:
                more[slot] = wanted >> 32
            return slot
        if held == wanted & 0xFFFFFFFF:
            if not wide:
                return -1
            if more[slot] == wanted >> 32:
                return -1
        slot += 1
        if slot == end:
            slot -= share
        wanted += 1
    return -2


def insert(
    roots: Any,
    begin: Any,
    parts: Any,
    part: Any,
    form: Any,
    table: Any,
    more: Any,
    base: Any,
    most: Any,
    fresh: Any,
    slots: Any,
    count: Any,
) -> Any:
    """Enter those roots from `begin` on that are in a part of the pieces; return how far it came and how many were new.

    `fresh` and `slots` get base plus the place of each new root and its slot, after the first `count`. It ends early
    after `most` new ones, and before a root that would be too far from where it belongs. The first slots of 256 roots
    are fetched together, since memory answers many questions in the time of one.
    """
    ahead = np.empty(256, np.int64)
    of = np.empty(256, np.int64)
    at = begin
    while at < len(roots):
        end = at + 256
        if end > len(roots):
            end = len(roots)
        some = 0
        for i in range(at, end):
            number = scattered(roots[i], form)
            # Written in any case: the processor could not foresee a branch.
            ahead[some] = number
            of[some] = i
            some += (piece_of(number, form) * parts) >> PIECE_BITS == part
        for j in range(some):
            fetched(table, home(ahead[j], form))
        for j in range(some):
            if count == most:
                return of[j], count
            slot = put(ahead[j], form, table, more)
            if slot == -2:
                return of[j], count
            if slot >= 0:
                fresh[count] = base + of[j]
                slots[count] = slot
                count += 1
        at = end
    return at, count


def merge(fresh: Any, slots: Any, ones: Any, order: Any, count: Any) -> None:
    """Append the slots of new states to `order`, in the order of their places; those of each part are in that order.

    `fresh` and `slots`, shape (parts, …), have `ones[part]` of each part.
    """
    parts = len(ones)
    at = np.empty(16, np.int64)
    for part in range(parts):
        at[part] = 0
    while True:
        least = -1
        for part in range(parts):
            if at[part] < ones[part] and (least < 0 or fresh[part, at[part]] < fresh[least, at[least]]):
                least = part
        if least < 0:
            break
        order[count] = slots[least, at[least]]
        at[least] += 1
        count += 1


def move(piece: Any, base: Any, old: Any, table: Any, more: Any, form: Any, to: Any, to_more: Any) -> Any:
    """Enter every root of one piece of a table, which was copied from slot `base` on, into the same piece of a larger
    one; each old slot gets the number of the new one.

    Returns 0, or 1 where the larger one is too small.
    """
    share = old[SLOTS] >> PIECE_BITS
    begin = piece * share
    for slot in range(begin, begin + share):
        held = table[slot - base]
        if held == 0:
            continue
        if len(more) > 0:
            held = held | (more[slot - base] << 32)
        number = number_at(held, slot, begin, old)
        if form[HALF] != old[HALF]:
            number = scattered(gathered(number, old), form)
        found = put(number, form, to, to_more)
        if found < 0:
            return 1
        table[slot - base] = found
    return 0


def follow(base: Any, table: Any, places: Any) -> None:
    """Replace slots of a part of a table, which was copied from slot `base` on, by those that its roots moved to."""
    for i in range(len(places)):
        at = places[i] - base
        is_there = (at >= 0) & (at < len(table))
        # Without a branch, which the processor could not foresee.
        places[i] += is_there * (table[is_there * at] - places[i])


def read(places: Any, form: Any, table: Any, more: Any, roots: Any) -> None:
    """Write the roots in some slots into `roots`."""
    share = form[SLOTS] >> PIECE_BITS
    for i in range(len(places)):
        if i + 32 < len(places):
            fetched(table, places[i + 32])
        held = table[places[i]]
        if len(more) > 0:
            held = held | (more[places[i]] << 32)
        roots[i] = gathered(number_at(held, places[i], places[i] // share * share, form), form)
