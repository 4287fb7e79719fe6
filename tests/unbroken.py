"""What it takes that a search found a property unbroken: kept to the end or to a depth, or put to the test nowhere."""

from fencepost.checkers.exploration.result import PropertyVerdict
from fencepost.checkers.verdicts import Verdict


def unbroken(found: PropertyVerdict) -> bool:
    """Return whether nothing broke a property: without a defect its condition may not even arise, which counts too."""
    unmet = found.vacuity is not None and found.verdict in (Verdict.INCONCLUSIVE, Verdict.VACUOUS)
    return unmet or found.verdict in (Verdict.HOLDS_TO_DEPTH, Verdict.CLOSED)
