"""Exploration: every reachable state of a protocol at a bound, packed, counted and judged."""

from __future__ import annotations

from .assumed import Assumed, in_short
from .engine import EngineName, Progress, explore
from .result import DEADLOCK, Exploration, PropertyVerdict
from .swarm import Swarm, swarm
from .sweep import Growth, Sweep, sweep
from .vacuity import Vacuity

__all__ = [
    "DEADLOCK",
    "Assumed",
    "EngineName",
    "Exploration",
    "Growth",
    "Progress",
    "PropertyVerdict",
    "Swarm",
    "Sweep",
    "Vacuity",
    "explore",
    "in_short",
    "swarm",
    "sweep",
]
