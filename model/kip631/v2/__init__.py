"""KIP-631, version 2 (S2): heartbeats with want-fence and want-shutdown, a reassignment that alterIsr completes, records."""

from .protocol import KIP631_V2

__all__ = ["KIP631_V2"]
