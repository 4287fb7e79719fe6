"""Exploration: every reachable state of a protocol at a bound, packed, counted and judged."""

from __future__ import annotations

from .engine import EngineName, Progress, explore
from .result import DEADLOCK, Exploration, PropertyVerdict

__all__ = ["DEADLOCK", "EngineName", "Exploration", "Progress", "PropertyVerdict", "explore"]
