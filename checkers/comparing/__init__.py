"""Comparing two designs by meaning: rows and properties that differ, and what a variant breaks of its base.

`compare` lists how one protocol differs from another: `normal` makes texts of one meaning equal, `equivalence` queries
Z3 where they still differ.

`onto.py` restates a protocol in the names of another, `revisions.py` reads an older version of a file, `forbidden.py`
checks what a change must not do. `whatif.py` evaluates the obligations that `touched.py` finds, at the bounds of
`carried.py`, with the cache of `kept.py`. `repairs.py` searches for a condition or a lemma that restores a property,
`accepted.py` checks logs against both designs, `behaviour.py` runs both in step.
"""

from .differences import Differences, PropertyChange, RowChange, compare
from .forbidden import FORBIDDEN, Forbidden, forbidden

__all__ = ["FORBIDDEN", "Differences", "Forbidden", "PropertyChange", "RowChange", "compare", "forbidden"]
