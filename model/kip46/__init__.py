"""KIP-46, a cluster that heals itself (S1): brokers found dead, their partitions moved in chunks, one after the other."""

from .protocol import KIP46

__all__ = ["KIP46"]
