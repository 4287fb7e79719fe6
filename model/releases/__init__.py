"""Releases of Kafka as variants of the tables: each the next newer one with the rules that it had otherwise."""

from .forks import FORKS
from .kraft import RELEASES
from .release import Difference, Release

[NEWEST] = (name for name, one in RELEASES.items() if one.newer is None)
"""The number of the newest release, whose tables are those called kraft."""

MIGRATING_RELEASES = ("3.9", "3.8", "3.7")
"""The releases with tables whose controllers knew the migration from ZooKeeper (3.4 to 3.9)."""

__all__ = ["FORKS", "MIGRATING_RELEASES", "NEWEST", "RELEASES", "Difference", "Release"]
