"""What the slices of KIP-631's second version count at their bounds: distinct states, states generated, depth."""

from __future__ import annotations

from .recorded_counts import of_bounds

FIRST, LARGER = of_bounds("kip631-v2")
"""At the first bound of every slice, and at the other bounds."""
