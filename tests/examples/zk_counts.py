"""What the slices of the ZooKeeper era count at their bounds: distinct states, states generated, depth."""

from __future__ import annotations

FIRST: dict[str, tuple[int, int, int]] = {
    "tiny": (8_239, 34_517, 48),
    "reassignment": (4_255, 16_118, 75),
    "cancelled": (10_622, 24_767, 97),
    "deletion": (1_322, 3_605, 81),
    "elections": (7_600, 23_173, 60),
    "requests": (1_220, 4_713, 36),
}
"""At the first bound of every slice; exploration and TLC count the same, in every run of the tests."""

LARGER: dict[str, tuple[int, int, int]] = {
    "failover": (138_365, 606_457, 59),
    "failures": (5_556, 16_618, 50),
    "directories": (428, 972, 37),
    "small": (1_038_788, 4_242_215, 117),
    "deposed": (3_468, 12_958, 60),
    "example": (39_052, 175_853, 98),
    "exchange": (1_502_433, 6_906_305, 118),
    "redeletion": (2_799, 10_956, 60),
    "deletions": (43_219, 134_826, 94),
    "moving": (307, 675, 66),
    "zombies": (2_849, 16_327, 28),
    "erased": (41_502, 240_380, 58),
}
"""At the other bounds."""
