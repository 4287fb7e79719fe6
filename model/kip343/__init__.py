"""KIP-343's controller heartbeat (S0), never implemented: brokers that fence themselves, a controller that declares them inactive."""

from .protocol import KIP343

__all__ = ["KIP343"]
