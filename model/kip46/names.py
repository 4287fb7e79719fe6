"""What a run of the design does not tell: the variables that stand for claims only."""

from __future__ import annotations

HIDDEN: tuple[str, ...] = ("gone_since", "back", "wanted", "persisted", "started", "settled")
"""Ghosts: no guard reads them, and no reference has them."""
