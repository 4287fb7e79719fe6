"""Releases of Kafka as variants of the tables: each the next newer one with the rules that it had otherwise."""

from .kraft import RELEASES
from .release import Difference, Release

__all__ = ["RELEASES", "Difference", "Release"]
