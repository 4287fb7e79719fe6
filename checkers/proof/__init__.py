"""Proof that every row keeps every property, for any number of entities and unbounded counters.

Where it does not hold there is a counterexample to induction, or the obligation is said to be unknown.

`prove` asks one question for each row and property; `search` looks for a run from the initial states to what a
counterexample breaks; `hygiene` asks about the tables themselves: gaps, overlaps, dead rows.
"""

from .assumptions import Reliance
from .hygiene import Hygiene, HygieneFinding, hygiene
from .needs import Needs, needs
from .prove import falling, prove
from .prover import hypotheses
from .results import INITIAL, Obligation, Proof
from .search import search
from .searched import Candidate, Searched
from .stability import Stability, stability

__all__ = [
    "INITIAL",
    "Candidate",
    "Hygiene",
    "HygieneFinding",
    "Needs",
    "Obligation",
    "Proof",
    "Reliance",
    "Searched",
    "Stability",
    "falling",
    "hygiene",
    "hypotheses",
    "needs",
    "prove",
    "search",
    "stability",
]
