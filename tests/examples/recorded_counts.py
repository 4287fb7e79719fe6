"""What bounds count, as `spec/bounds` has it: distinct states, states generated, depth."""

from fencepost.checkers.exploration.manifest import recorded
from fencepost.model.registry import FAMILIES

Counts = dict[str, tuple[int, int, int]]


def of_bounds(protocol: str) -> tuple[Counts, Counts]:
    """Return the counts at the first bound of every slice, and those at the other bounds."""
    counts = {bound: one.counts for bound, one in recorded(protocol).items()}
    first = [next(iter(one.bounds)) for one in FAMILIES[protocol].slices]
    return {bound: counts[bound] for bound in first}, {b: one for b, one in counts.items() if b not in first}
