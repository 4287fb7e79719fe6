"""The ZooKeeper-era controller (S4, and Kafka 3.9): two state machines, the operations that call them, ZooKeeper below."""

from .protocol import ZK

__all__ = ["ZK"]
