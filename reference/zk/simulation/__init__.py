"""A seeded ZooKeeper-era cluster with its work and its faults: one seed is one run, to the byte."""

from .plan import Plan
from .run import Outcome, Run, simulate

__all__ = ["Outcome", "Plan", "Run", "simulate"]
