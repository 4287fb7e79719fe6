"""What the slices of KIP-343 count at their bounds: distinct states, states generated, depth."""

from __future__ import annotations

from .recorded_counts import of_bounds

FIRST, LARGER = of_bounds("kip343")
"""At the first bound of every slice, and at the other bounds."""
