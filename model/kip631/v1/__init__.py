"""KIP-631 as it first was (S2, version 1): brokers with leases, unfenced by a handshake of two heartbeats."""

from .protocol import KIP631_V1

__all__ = ["KIP631_V1"]
