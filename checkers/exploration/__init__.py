"""Exploration: every reachable state of a protocol at a bound, packed, counted and judged."""

from __future__ import annotations

from .assumed import Assumed, in_short
from .engine import EngineName, Progress, explore
from .result import DEADLOCK, Exploration, PropertyVerdict
from .swarm import Swarm, swarm
from .vacuity import Vacuity

__all__ = [
    "DEADLOCK",
    "Assumed",
    "EngineName",
    "Exploration",
    "Progress",
    "PropertyVerdict",
    "Swarm",
    "Vacuity",
    "explore",
    "in_short",
    "swarm",
]
