"""Historical defects of Kafka as edits of the tables, each with the verdict that the engines must give."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from .entry import Entry, Expected

if TYPE_CHECKING:
    MUSEUM: tuple[Entry, ...]

BASES = (
    "kraft",
    "kraft-data",
    "kraft-loop",
    "kraft-voters",
    "kraft-whole",
    "zk",
    "zk-data",
    "kip343",
    "kip46",
    "kip631-v1",
    "kip631-v2",
    "lease",
)
"""The protocols that have entries, in the order in which all are listed: each has a module of its name here."""
FURTHER = {"kraft": ("kraft_diskless",), "kraft-data": ("kraft_data_diskless", "kraft_data_reassignment")}
"""Further modules of a protocol's entries: over the switch to diskless storage, which is a design, and over any controller."""


def entries(base: str) -> tuple[Entry, ...]:
    """Return the entries of one protocol, none where it has none; the tables of the others are not made for it."""
    if base not in BASES:
        return ()
    return tuple(
        entry
        for name in (base.replace("-", "_"), *FURTHER.get(base, ()))
        for entry in getattr(importlib.import_module(f".{name}", __package__), f"{name.upper()}_MUSEUM")
    )


def __getattr__(name: str) -> Any:
    """Return all entries, made when they are first asked for."""
    if name != "MUSEUM":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = tuple(entry for base in BASES for entry in entries(base))
    globals()[name] = found
    return found


__all__ = ["BASES", "MUSEUM", "Entry", "Expected", "entries"]
