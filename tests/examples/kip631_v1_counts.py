"""What the slices of KIP-631 version 1 count at their bounds: distinct states, states generated, depth."""

from __future__ import annotations

COUNTS: dict[str, tuple[int, int, int]] = {
    "tiny": (2_217, 9_359, 33),
    "moved": (20, 48, 8),
    "small": (40_596, 111_531, 44),
    "shutdown": (11_087, 40_623, 21),
    "failover": (1_265, 3_942, 24),
    "death": (298, 823, 13),
    "lengths": (1_452, 5_305, 25),
    "overtaken": (1_201, 5_566, 20),
    "stopping": (1_331, 4_422, 25),
    "bounce": (31_329, 146_111, 35),
}
"""At every bound; TLC counts the same at `tiny` and at `moved`."""
