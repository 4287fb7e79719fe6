"""What the slices of KRaft count at their bounds: distinct states, states generated, depth."""

from __future__ import annotations

FIRST: dict[str, tuple[int, int, int]] = {
    "tiny": (9_765, 129_445, 20),
    "reassignment": (2_997, 27_138, 18),
    "directories": (8_212, 80_168, 16),
    "removal": (8_775, 50_336, 17),
    "configurations": (992, 13_666, 11),
    "cluster": (4_035, 64_226, 12),
    "together": (2_763, 34_868, 16),
    "growth": (56, 322, 13),
    "security": (2_600, 62_076, 11),
}
"""At the first bound of every slice; exploration and TLC count the same, in every run of the tests."""

LARGER: dict[str, tuple[int, int, int]] = {
    "lower": (5, 26, 3),
    "unclean": (11_666, 95_506, 20),
    "restart": (494_577, 5_280_363, 24),
    "small": (798_717, 8_510_571, 32),
    "lag": (264_661, 6_442_905, 23),
    "changes": (162_041, 2_256_115, 27),
    "pair": (5_540_849, 61_615_922, 40),
    "combined": (229_272, 2_515_211, 25),
    "everything": (178_939, 2_548_540, 24),
}
"""At the other bounds."""
