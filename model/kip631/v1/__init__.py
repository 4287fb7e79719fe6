"""KIP-631 as it first was (S2, version 1): brokers with leases, unfenced by a handshake of two heartbeats.

`registration.py` and `heartbeats.py` have the controller's answers, `leases.py` time and failovers, `partitions.py`
leaders, `brokers.py` the broker's state machine, `messages.py` requests in flight, `records.py` the records with the
fields that S2 prints.
"""

from .protocol import KIP631_V1

__all__ = ["KIP631_V1"]
