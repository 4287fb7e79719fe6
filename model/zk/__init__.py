"""The ZooKeeper-era controller (S4, and Kafka 3.9): two state machines, the operations that call them, ZooKeeper below."""

from .protocol import ZK
from .slices import SLICES

__all__ = ["SLICES", "ZK"]
