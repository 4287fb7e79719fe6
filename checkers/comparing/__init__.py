"""Comparing two designs by meaning: rows and properties that differ, and what a variant breaks of its base.

`compare` says what one protocol has otherwise than another: `normal` makes texts of one meaning the same, `equivalence`
asks Z3 where they still differ.
"""

from .differences import Differences, PropertyChange, RowChange, compare
from .forbidden import FORBIDDEN, Forbidden, forbidden

__all__ = [
    "FORBIDDEN",
    "Differences",
    "Forbidden",
    "PropertyChange",
    "RowChange",
    "compare",
    "forbidden",
]
