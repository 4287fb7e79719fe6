"""Names of ghost variables of KIP-46, which a printed run leaves out."""

from __future__ import annotations

HIDDEN: tuple[str, ...] = ("gone_since", "back", "wanted", "persisted", "started", "settled")
"""Ghosts: no guard reads them, and no reference has them."""
