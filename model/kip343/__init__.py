"""KIP-343's controller heartbeat (S0), never implemented: brokers that fence themselves, a controller that declares them inactive.

`brokers.py` has processes, znodes, time and the broker's timer, `controller.py` heartbeats, registrations and
failovers, `partitions.py` leaders and ISRs. Claims are in `properties.py` and `liveness.py`; `lemmas.py` has what
only induction needs.
"""

from .protocol import KIP343

__all__ = ["KIP343"]
