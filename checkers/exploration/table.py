"""The loops of a table of states: a slot holds what its own place does not say of a root.

A root of some `bits` is scattered, by a way that can be gone back, to a number of as many bits. Its upper 32 bits say
at which of the slots the search for it begins, of which there may be any number; what that leaves open of them, and the
other bits, are its rest. A slot holds the rest, and how far it is from where the search began: so every root is in the
table in whole, and two that differ never are taken for one (Cleary, "Compact hash tables using bidirectional linear
probing", 1984; here probing goes one way). A slot has four bytes, and four more where `more` is as long as the table.

A `form` is what all slots agree on: see the names of its places below. The engine compiles these functions.
"""

from __future__ import annotations

from typing import Any

import numpy as np

BITS, HALF, SLOTS, LOG, AWAY = 0, 1, 2, 3, 4
"""The places of a form: the bits of a root; those of each half, 0 for a root that is not two numbers; how many slots
there are, the greatest power of two not above that, and the bits that say how far a root is from its first slot."""

FORM = 5

ODD = 0x9E3779B97F4A7C15
BACK = 0xF1DE83E19937733D
"""The inverse of `ODD` modulo 2**64."""


def scattered(root: Any, form: Any) -> Any:
    """Return the number that a root is scattered to, below 2**bits."""
    bits = form[BITS]
    h = np.uint64(root)
    if form[HALF] > 0:
        h = ((h >> np.uint64(32)) << np.uint64(form[HALF])) | (h & np.uint64(0xFFFFFFFF))
    mask = np.uint64((1 << bits) - 1)
    s = np.uint64((bits + 1) >> 1)
    h = ((h ^ (h >> s)) * np.uint64(ODD)) & mask
    h = ((h ^ (h >> s)) * np.uint64(ODD)) & mask
    return np.int64(h ^ (h >> s))


def gathered(number: Any, form: Any) -> Any:
    """Return the root that is scattered to a number."""
    bits = form[BITS]
    h = np.uint64(number)
    mask = np.uint64((1 << bits) - 1)
    s = np.uint64((bits + 1) >> 1)
    h = ((h ^ (h >> s)) * np.uint64(BACK)) & mask
    h = ((h ^ (h >> s)) * np.uint64(BACK)) & mask
    h = h ^ (h >> s)
    if form[HALF] > 0:
        h = ((h >> np.uint64(form[HALF])) << np.uint64(32)) | (h & np.uint64((1 << form[HALF]) - 1))
    return np.int64(h)


def home(number: Any, form: Any) -> Any:
    """Return the slot at which the search for a scattered number begins."""
    return ((number >> (form[BITS] - 32)) * form[SLOTS]) >> 32


def part_of(number: Any, parts: Any, form: Any) -> Any:
    """Return the part of the table that a scattered number is in: that of its first slot."""
    return ((number >> (form[BITS] - 32)) * parts) >> 32


def rest(number: Any, form: Any) -> Any:
    """Return what a slot holds of a scattered number that is one slot on from its first: the rest, and 1."""
    low = form[BITS] - 32
    # Numbers with one first slot are this far apart: SLOTS, which is 2**LOG at least.
    between = ((number >> low) * form[SLOTS]) & 0xFFFFFFFF
    return (((between >> form[LOG]) << low | (number & ((1 << low) - 1))) << form[AWAY]) | 1


def number_at(slot: Any, parts: Any, form: Any, table: Any, more: Any) -> Any:
    """Return the scattered number of the root in a slot that is not empty."""
    held = table[slot]
    if len(more) > 0:
        held = held | (more[slot] << 32)
    first = slot - (held & ((1 << form[AWAY]) - 1)) + 1
    if parts == 1:
        if first < 0:
            first += form[SLOTS]
    else:
        share = form[SLOTS] // parts
        if first < (slot // share) * share:
            first += share
    held = held >> form[AWAY]
    low = form[BITS] - 32
    least = (first << 32) | ((held >> low) << form[LOG])
    upper = (least + form[SLOTS] - 1) // form[SLOTS]
    return (upper << low) | (held & ((1 << low) - 1))


def put(number: Any, begin: Any, share: Any, form: Any, table: Any, more: Any) -> Any:
    """Find a scattered number among the slots from `begin` on, or enter it.

    Returns the slot that it was entered in, -1 where it was there before, -2 where it would be too far away.
    """
    slot = home(number, form)
    wanted = rest(number, form)
    most = wanted | ((1 << form[AWAY]) - 1)
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
        if slot == begin + share:
            slot = begin
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
    """Enter those roots from `begin` on that are in a part of the table; return how far it came and how many were new.

    `fresh` and `slots` get base plus the place of each new root and its slot, after the first `count`. It ends early
    after `most` new ones, and before a root that would be too far from where it belongs. The first slots of 256 roots
    are fetched together, since memory answers many questions in the time of one.
    """
    ahead = np.empty(256, np.int64)
    share = form[SLOTS] // parts
    first = part * share
    at = begin
    while at < len(roots):
        end = at + 256
        if end > len(roots):
            end = len(roots)
        some = 0
        for i in range(at, end):
            number = scattered(roots[i], form)
            if part_of(number, parts, form) == part:
                ahead[i - at] = number
                some += table[home(number, form)]
            else:
                ahead[i - at] = -1
        # What was fetched is not used, and has to count as if it were.
        if some == -1:
            return at, count
        for i in range(at, end):
            if ahead[i - at] < 0:
                continue
            if count == most:
                return i, count
            slot = put(ahead[i - at], first, share, form, table, more)
            if slot == -2:
                return i, count
            if slot >= 0:
                fresh[count] = base + i
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


def move(part: Any, parts: Any, old: Any, table: Any, more: Any, form: Any, to: Any, to_more: Any) -> Any:
    """Enter every root of one part of a table into a larger one; each old slot gets the number of the new one.

    Returns 0, or 1 where the larger one is too small.
    """
    share = form[SLOTS] // parts
    before = old[SLOTS] // parts
    for slot in range(part * before, (part + 1) * before):
        if table[slot] == 0:
            continue
        number = number_at(slot, parts, old, table, more)
        if form[HALF] != old[HALF]:
            # A root that is scattered anew may get into another part.
            number = scattered(gathered(number, old), form)
        found = put(number, part_of(number, parts, form) * share, share, form, to, to_more)
        if found < 0:
            return 1
        table[slot] = found
    return 0


def follow(table: Any, places: Any) -> None:
    """Replace slots of a table by those that its roots have moved to."""
    for i in range(len(places)):
        places[i] = table[places[i]]


def read(parts: Any, places: Any, form: Any, table: Any, more: Any, roots: Any) -> None:
    """Write the roots in some slots into `roots`."""
    for i in range(len(places)):
        roots[i] = gathered(number_at(places[i], parts, form, table, more), form)
