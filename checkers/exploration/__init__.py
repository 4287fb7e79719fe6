"""Exploration: every reachable state of a protocol at a bound, packed, counted and checked.

`lanes.py` and `expansion.py` expand and check chunks of states, on several threads; `engine.py` stores them in order
(ADR 19), in `store.py`, cut in halves by `cutting.py`, or in the sorted files of `disk.py` (ADR 21).
`machine.py` compiles rows (ADR 18).
`liveness.py` checks claims about runs without end, under weak and strong fairness; `coverage.py` counts how far
guards get, `swarm.py` walks at random, `symmetry.py` keeps one state of each orbit, `independence.py` and
`reduction.py` put steps into one order (ADR 23), `sweep.py` iterates over sizes, `graph.py` keeps the steps between
classes of states. `manifest.py` records which bound shows which row and property (`spec/bounds`).
"""

from __future__ import annotations

from fencepost.checkers.written_once import WRITTEN_ONCE

from .assumed import Assumed, in_short
from .engine import EngineName, Progress, explore
from .result import DEADLOCK, Exploration, PropertyVerdict
from .swarm import Swarm, swarm
from .sweep import Growth, Sweep, sweep
from .vacuity import Vacuity

__all__ = [
    "DEADLOCK",
    "WRITTEN_ONCE",
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
