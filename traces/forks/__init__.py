"""Forks of Kafka by their declarations: record types and tags of their own, read, worded, kept as state, made blank.

`declaration.py` reads the file of a fork, `types.py` its types, `lines.py` has the lines of errors. `fork.py` is what a
fork declares, `state.py` what its records leave. `automq.toml` and `inkless.toml` are shipped.
"""

from .declaration import NONE, SHIPPED, declared, encoded, fork_of, shipped
from .fork import Condition, Fork, OwnRecord, OwnTag, Words, filled, own_records
from .state import Entry, ForkState

__all__ = [
    "NONE",
    "SHIPPED",
    "Condition",
    "Entry",
    "Fork",
    "ForkState",
    "OwnRecord",
    "OwnTag",
    "Words",
    "declared",
    "encoded",
    "filled",
    "fork_of",
    "own_records",
    "shipped",
]
