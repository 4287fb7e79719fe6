"""The tables beside a running ZooKeeper-era cluster: each step of a process must be a row, in the order of calls."""

from fencepost.checkers.conformance.lockstep.firing import StepDivergence

from .judge import ZkLockStep

__all__ = ["StepDivergence", "ZkLockStep"]
