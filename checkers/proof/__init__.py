"""Proof that every row keeps every property, for any number of entities and unbounded counters.

Where a row does not keep a property there is a counterexample to induction, or the obligation is unknown.

`prove` makes one query for each row and property; `search` looks for a run from the initial states to what a
counterexample breaks; `refine` checks whether the rows are rows of another protocol, `hygiene` looks for
gaps, overlaps and dead rows.

The cheap attempts use the hypotheses that `recording.py` recorded (`make cores`, ADR 11): a choice of hypotheses,
which can make nothing true. `unrolled.py` searches for a shortest run with Z3 (ADR 20).
"""

from .assumptions import Reliance
from .hygiene import Hygiene, HygieneFinding, hygiene
from .needs import Needs, needs
from .prove import falling, prove
from .prover import hypotheses
from .questions import Folder, Kept
from .quick import Quick, QuickRow, quick
from .refinement import Refined, RefinedRow, edited, refine
from .results import INITIAL, Obligation, Proof
from .search import search
from .searched import Candidate, Searched
from .second import SecondOpinion, second_opinion
from .stability import Stability, stability
from .used import Used, UsedHypothesis, used

__all__ = [
    "INITIAL",
    "Candidate",
    "Folder",
    "Hygiene",
    "HygieneFinding",
    "Kept",
    "Needs",
    "Obligation",
    "Proof",
    "Quick",
    "QuickRow",
    "Refined",
    "RefinedRow",
    "Reliance",
    "Searched",
    "SecondOpinion",
    "Stability",
    "Used",
    "UsedHypothesis",
    "edited",
    "falling",
    "hygiene",
    "hypotheses",
    "needs",
    "prove",
    "quick",
    "refine",
    "search",
    "second_opinion",
    "stability",
    "used",
]
