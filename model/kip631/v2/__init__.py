"""KIP-631, version 2 (S2): heartbeats with want-fence and want-shutdown, a reassignment that alterIsr completes, records."""

from .protocol import KIP631_V2
from .slices import SLICES

__all__ = ["KIP631_V2", "SLICES"]
