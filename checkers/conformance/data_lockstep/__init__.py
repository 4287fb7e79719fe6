"""The tables of `kraft-data` beside running brokers: each step of a replica must be a row, partition by partition."""

from .judge import DataLockStep
from .results import DataDivergence, DataResult

__all__ = ["DataDivergence", "DataLockStep", "DataResult"]
