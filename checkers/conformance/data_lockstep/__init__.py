"""The tables of `kraft-data` beside running brokers: each step of a replica must be a row, partition by partition.

`control.py` keeps a controller's steps until they are committed and makes decisions about partitions of them;
`spec/data-lockstep.md` has the mapping.
The theorem is evaluated where a row may break it, for one offset of each range whose cells are equal.
"""

from .judge import DataLockStep
from .results import DataDivergence, DataResult

__all__ = ["DataDivergence", "DataLockStep", "DataResult"]
