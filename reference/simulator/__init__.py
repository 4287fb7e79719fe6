"""A virtual clock, a seeded scheduler, a network that fails: for any simulated cluster, knowing nothing of Kafka.

For the designs it has the cells of their state, the journal of their steps, and the order of a run.
"""

from .cells import Cell, Cells, Column
from .clock import Simulator, Timer
from .faults import Change, Cut, Faults, Link
from .journal import Journal
from .network import Network
from .process import Process
from .swarm import Fault, Swarm, chosen_faults

MILLISECOND = 1_000_000
"""Nanoseconds in a millisecond."""

SECOND = 1_000_000_000
"""Nanoseconds in a second."""

__all__ = [
    "MILLISECOND",
    "SECOND",
    "Cell",
    "Cells",
    "Change",
    "Column",
    "Cut",
    "Fault",
    "Faults",
    "Journal",
    "Link",
    "Network",
    "Process",
    "Simulator",
    "Swarm",
    "Timer",
    "chosen_faults",
]
