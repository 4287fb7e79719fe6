"""Replication of one partition in the ZooKeeper era: leader, leader epoch and ISR in a znode, which controllers and leaders write."""

from .protocol import ZK_DATA

__all__ = ["ZK_DATA"]
