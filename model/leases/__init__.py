"""Time leases with an integer clock: heartbeats, two timers for each broker, and who may lead meanwhile."""

from .protocol import LEASE, SLICES

__all__ = ["LEASE", "SLICES"]
