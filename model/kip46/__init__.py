"""KIP-46, a cluster that heals itself (S1): brokers found dead, their partitions moved in chunks, one after the other.

`discovery.py` finds failed brokers, `mitigation.py` moves partitions in chunks, `properties.py` has claims and
lemmas.
"""

from .protocol import KIP46

__all__ = ["KIP46"]
