"""Numbers with what they count, in the right form: 1 row, 2 rows, 1 property, 2 properties."""

from __future__ import annotations


def noun(count: int, one: str, many: str = "") -> str:
    """Return the form of a noun that follows a number."""
    return one if count == 1 else many or f"{one}s"


def counted(count: int, one: str, many: str = "") -> str:
    """Return a number and what it counts."""
    return f"{count:,} {noun(count, one, many)}"


__all__ = ["counted", "noun"]
