"""Time leases with an integer clock: heartbeats, two timers for each broker, and who may lead meanwhile.

`tables.py` has heartbeats and two timers for each broker, `protocol.py` the claims.
"""

from .protocol import LEASE, SLICES

__all__ = ["LEASE", "SLICES"]
