"""What the slices of KIP-631 version 1 count at their bounds: distinct states, states generated, depth."""

from __future__ import annotations

from .recorded_counts import of_bounds

FIRST, LARGER = of_bounds("kip631-v1")
COUNTS = {**FIRST, **LARGER}
"""At every bound."""
