"""The tables beside a running ZooKeeper-era cluster: each step of a process must be a row, in the order of calls."""

from .judge import Divergence, ZkLockStep

__all__ = ["Divergence", "ZkLockStep"]
