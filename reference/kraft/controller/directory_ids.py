"""Ids of log directories as Kafka compares them: UUIDs in base64url, ordered by two signed 64-bit halves."""

from __future__ import annotations

import base64
from collections.abc import Iterable
from functools import cache

_RESERVED_BELOW = 100
"""Ids whose upper half is 0 and whose lower half is below this are kept for Kafka's own purposes."""


@cache
def halves(identifier: str) -> tuple[int, int]:
    """Return the upper and the lower half of an id of 22 characters, both signed.

    >>> halves("AAAAAAAAAAAAAAAAAAAAAQ")
    (0, 1)
    """
    raw = base64.urlsafe_b64decode(identifier + "==")
    return int.from_bytes(raw[:8], signed=True), int.from_bytes(raw[8:], signed=True)


def in_order(identifiers: Iterable[str]) -> tuple[str, ...]:
    """Return ids in the order of Kafka's `Uuid.compareTo`, in which a registration keeps its directories."""
    return tuple(sorted(identifiers, key=halves))


def is_reserved(identifier: str) -> bool:
    """Whether an id names no directory but a purpose: MIGRATING, UNASSIGNED, LOST (DirectoryId)."""
    upper, lower = halves(identifier)
    return upper == 0 and lower < _RESERVED_BELOW
