"""Releases of Kafka as variants of the tables: each the next newer one with the rules that it had otherwise."""

from .kraft import RELEASES
from .release import LEVEL_CLAIM, Difference, Release

[NEWEST] = (name for name, one in RELEASES.items() if one.newer is None)
"""The number of the newest release, whose tables are those called kraft."""

__all__ = ["LEVEL_CLAIM", "NEWEST", "RELEASES", "Difference", "Release"]
