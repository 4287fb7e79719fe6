"""What the slices of KIP-343 count at their bounds: distinct states, states generated, depth."""

from __future__ import annotations

FIRST: dict[str, tuple[int, int, int]] = {
    "tiny": (4_101, 13_373, 19),
    "roll": (4_711, 23_348, 27),
}
"""Small enough for every run; TLC counts the same."""

LARGER: dict[str, tuple[int, int, int]] = {
    "small": (287_517, 1_142_417, 30),
    "incarnations": (32_762, 182_749, 22),
    "leaders": (22_363, 114_282, 28),
    "failover": (25_924, 117_493, 31),
    "legacy": (15_972, 83_037, 22),
}
"""At the other bounds."""
