"""Proof that every row keeps every property, for any number of entities and unbounded counters.

Where it does not hold there is a counterexample to induction, or the obligation is said to be unknown.

`prove` asks one question for each row and property; `hygiene` asks about the tables themselves: gaps, overlaps, dead
rows.
"""

from .assumptions import Reliance
from .hygiene import Hygiene, HygieneFinding, hygiene
from .prove import falling, prove
from .results import INITIAL, Obligation, Proof
from .stability import Stability, stability

__all__ = [
    "INITIAL",
    "Hygiene",
    "HygieneFinding",
    "Obligation",
    "Proof",
    "Reliance",
    "Stability",
    "falling",
    "hygiene",
    "prove",
    "stability",
]
