"""The tables beside a running ZooKeeper-era cluster: each step of a process must be a row, in the order of calls.

A step of `reference.zk` is one state change with its read and conditional write, one phase of a reassignment, or one
delivery, and every cell is known. The tables hold the current call (`call`) and the agenda (`due`, `due_replicas`);
`operations.py` runs the rows that end one call and begin the next, and adds steps that no process records. A step that
comes too early, or a call that ends with an agenda, is a divergence. `compare.py` compares the batched
requests: brokers and epochs. After a divergence the cells are those of the step.
"""

from fencepost.checkers.conformance.lockstep.firing import StepDivergence

from .judge import ZkLockStep

__all__ = ["StepDivergence", "ZkLockStep"]
