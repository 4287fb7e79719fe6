"""KIP-631, version 2 (S2): heartbeats with want-fence and want-shutdown, a reassignment that alterIsr completes, records.

`membership.py` has registrations, heartbeats and sessions at the controller, `brokers.py` the brokers' states and
logs, `partitions.py` alterIsr and reassignment, `records.py` the records, `properties.py` and `lemmas.py` the claims.
"""

from .protocol import KIP631_V2

__all__ = ["KIP631_V2"]
