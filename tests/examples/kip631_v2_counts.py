"""What the slices of KIP-631's second version count at their bounds: distinct states, states generated, depth."""

from __future__ import annotations

FIRST: dict[str, tuple[int, int, int]] = {
    "tiny": (1_608, 6_716, 31),
    "late": (16_066, 70_362, 18),
    "leaders": (3_042, 13_988, 15),
    "reassignment": (4_478, 16_682, 14),
    "logs": (809, 3_825, 21),
    "busy": (50, 205, 8),
}
"""At the first bound of every slice; exploration and TLC count the same."""

LARGER: dict[str, tuple[int, int, int]] = {"small": (25_020, 135_701, 26)}
"""At the other bounds."""
